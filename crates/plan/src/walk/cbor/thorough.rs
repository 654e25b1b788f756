//! Decoders of thorough plans: they tell a head of another kind, and keep what is of a later
//! version.

use roadwire_layout::{Alternative, CborNode, NodeId, Span};
use roadwire_model::{Kind, TypeId};
use roadwire_wire::rt::cbor::{simple, tag};

use super::entry::{Content, Entry, group_entries, is_mandatory};
use super::head::read;
use super::leaf::fixed_bits;
use super::open::open;
use super::{Map, front, item};
use crate::plan::{Arg, Cbor, Component, Cond, Draft, Element, Int, Num, Place, Prim, Reason, Stmt, Str, Value, Var};
use crate::types::Repr;
use crate::walk::walker::Walker;

/// An item of any node but a map.
pub(super) fn take(draft: &mut Draft<'_, '_>, id: TypeId, node: CborNode, place: &Place) {
    match node {
        CborNode::Nothing => drop(value_of_simple(draft, (simple::NULL, simple::NULL))),
        CborNode::Truth => {
            let value = value_of_simple(draft, (simple::FALSE, simple::TRUE));
            draft.push(Stmt::Set(place.clone(), Value::LowestBit(Num::Var(value))));
        }
        CborNode::Float => {
            let value = read(draft, Cbor::TakeAnyFloat, Vec::new());
            draft.push(Stmt::Set(place.clone(), Value::Var(value)));
        }
        CborNode::Integer { lower, upper } => integer(draft, id, (lower, upper), place),
        CborNode::Item { values, extensible, .. } => {
            let numbers = draft.layout.item_numbers(values).collect();
            enumerated(draft, id, numbers, extensible, place);
        }
        CborNode::Bits { fixed, lower, upper, trim } => match (fixed, *draft.types.repr(id)) {
            (Some(count @ 1..=64), Repr::BitFlags { .. }) => fixed_bits(draft, id, count as u32, place),
            (_, Repr::BitWord | Repr::BitString) => {
                let octets = octets_of(draft);
                let size = Arg::BitSize { bounds: (lower, upper), is_fixed: fixed.is_some(), is_trimmed: trim };
                let args = vec![Arg::Exclusive(place.clone()), Arg::Octets(Str::Var(octets)), size];
                draft.push(Stmt::Do(Prim::Cbor(Cbor::TakeBitString), args));
            }
            _ => draft.give_up(),
        },
        CborNode::Octets { lower, upper } => {
            let octets = octets_of(draft);
            draft.because(Reason::Size);
            draft.fill(id, place, Str::Var(octets), (lower, upper));
        }
        CborNode::Text { lower, upper, alphabet } => text(draft, id, (lower, upper), alphabet, place),
        CborNode::Oid { relative } => {
            if *draft.types.repr(id) != Repr::Oid {
                return draft.give_up();
            }
            take_tag(draft, if relative { tag::RELATIVE_OID } else { tag::OID });
            let octets = octets_of(draft);
            draft.push(Stmt::RejectIf(Cond::NotOid(octets)));
            draft.fill(id, place, Str::Var(octets), (0, u64::MAX));
        }
        CborNode::Array { lower, upper, element, sorted } => array(draft, id, (lower, upper), (element, sorted), place),
        CborNode::Choice { alternatives, root, extensible } => {
            let all = draft.layout.alternatives(alternatives);
            choice(draft, id, all, extensible.then_some(root), place);
        }
        CborNode::Embedded { slot, rows } => open(draft, id, (slot, rows), place),
        _ => draft.give_up(),
    }
}

/// The number of an item of the kind that a front has.
fn number_of(draft: &mut Draft<'_, '_>, front: u8) -> Var {
    read(draft, Cbor::TakeKind, vec![Arg::Hex(front.into())])
}

/// A simple value between two, which have an octet each: the lowest bits of this octet.
fn value_of_simple(draft: &mut Draft<'_, '_>, (least, most): (u8, u8)) -> Var {
    let value = read(draft, Cbor::TakeSimple, Vec::new());
    draft.because(Reason::ItemKind);
    let bounds = (u64::from(least & 0x1f), u64::from(most & 0x1f));
    draft.push(Stmt::RejectIf(Cond::NotWithin(Num::Var(value), bounds)));
    value
}

pub(super) fn take_tag(draft: &mut Draft<'_, '_>, wanted: u64) {
    let tag = number_of(draft, front::TAG);
    draft.because(Reason::ItemTag);
    draft.push(Stmt::RejectIf(Cond::Differs(Num::Var(tag), wanted)));
}

/// The head of a byte string of a size that is known.
pub(super) fn take_size(draft: &mut Draft<'_, '_>, octets: u64) {
    let count = number_of(draft, front::OCTETS);
    draft.push(Stmt::RejectIf(Cond::MoreThanLeft(Num::Var(count))));
    draft.because(Reason::Size);
    draft.push(Stmt::RejectIf(Cond::Differs(Num::Var(count), octets)));
}

fn octets_of(draft: &mut Draft<'_, '_>) -> Var {
    string(draft, front::OCTETS)
}

fn string(draft: &mut Draft<'_, '_>, front: u8) -> Var {
    let count = number_of(draft, front);
    read(draft, Cbor::TakeSlice, vec![Arg::Num(Num::Var(count))])
}

fn integer(draft: &mut Draft<'_, '_>, id: TypeId, (lower, upper): (i128, i128), place: &Place) {
    let Some(int) = draft.types.int(id).filter(|int| int.bits <= 64) else { return draft.give_up() };
    let held = if int == Int::U64 { Int::U64 } else { Int::I64 };
    let kind = [held.signed, lower > i128::MIN, upper < i128::MAX].map(Arg::Flag);
    let number = Num::Var(read(draft, Cbor::TakeAnyInteger, kind.into()));
    draft.because(Reason::Integer);
    let (least, greatest) = int.bounds();
    draft.reject_if(Cond::outside(number.clone(), held, Some(lower.max(least)), Some(upper.min(greatest))));
    draft.push(Stmt::Set(place.clone(), Value::Integer(id, number.to(int))));
}

fn enumerated(draft: &mut Draft<'_, '_>, id: TypeId, numbers: Vec<i64>, is_extensible: bool, place: &Place) {
    if draft.types.items(id).is_none() {
        return draft.give_up();
    }
    let number = read(draft, Cbor::TakeItemNumber, Vec::new());
    draft.because(Reason::ItemNumber);
    match is_extensible {
        true => {
            draft.reject_no_item(number);
            draft.push(Stmt::Set(place.clone(), Value::Integer(id, Num::Var(number))));
        }
        false => draft.push(Stmt::Set(place.clone(), Value::Item { id, number: Num::Var(number), numbers })),
    }
}

fn text(draft: &mut Draft<'_, '_>, id: TypeId, (lower, upper): (u64, u64), alphabet: Span, place: &Place) {
    let octets = string(draft, front::TEXT);
    let alphabet = draft.layout.numbers(alphabet).to_vec();
    let args = vec![Arg::Octets(Str::Var(octets)), Arg::Num(Num::Const(upper)), Arg::Ranges(alphabet)];
    draft.push(Stmt::Skip(Prim::Cbor(Cbor::CheckText), args));
    draft.because(Reason::Size);
    let is_short = Cond::Fewer(Num::Characters(Str::Var(octets)), lower);
    draft.push_if(lower > 0, Stmt::RejectIf(is_short));
    draft.fill(id, place, Str::Var(octets), (0, u64::MAX));
}

fn array(
    draft: &mut Draft<'_, '_>,
    id: TypeId,
    bounds: (u64, u64),
    (element, is_sorted): (NodeId, bool),
    place: &Place,
) {
    let Repr::List { element: element_id, .. } = *draft.types.repr(id) else { return draft.give_up() };
    let element_id = draft.types.canonical(element_id);
    let count = Num::Var(number_of(draft, front::ARRAY));
    draft.because(Reason::Size);
    draft.reject_if(Cond::size_outside(count.clone(), bounds));
    draft.push(Stmt::RejectIf(Cond::MoreThanLeft(count.clone())));
    let (one, list, before) = (draft.variable(), draft.variable(), draft.variable());
    draft.push(Stmt::Refill { list, place: place.clone() });
    if is_sorted {
        let first = mark(draft);
        draft.push(Stmt::LetMut(before, Num::Var(first)));
    }
    let place = draft.element(element_id, one);
    let body = draft.block(|draft| {
        let start = is_sorted.then(|| mark(draft));
        item(draft, element_id, element, &place);
        let ascends = start.map(|start| [before, start].map(|var| Arg::Num(Num::Var(var))).into());
        ascends.into_iter().for_each(|args| draft.push(Stmt::Skip(Prim::Cbor(Cbor::Ascends), args)));
    });
    let element = Element { list, list_id: id, id: element_id, item: one, fewest: 0 };
    draft.push(Stmt::Times { count, element, body });
}

fn mark(draft: &mut Draft<'_, '_>) -> Var {
    let start = draft.variable();
    draft.push(Stmt::Mark(start));
    start
}

/// The least key that may come next.
fn least_key(draft: &mut Draft<'_, '_>) -> Var {
    let next = draft.variable();
    draft.push(Stmt::LetMut(next, Num::Const(0)));
    next
}

/// A key that is not below the next one, and the same or this number of keys, if that is less.
fn take_key(draft: &mut Draft<'_, '_>, next: Var, keys: u64) -> (Var, Var) {
    let (key, passed) = (draft.variable(), draft.variable());
    let args = [Num::Var(next), Num::Const(keys)].map(Arg::Num);
    draft.push(Stmt::Read(vec![key, passed], Prim::Cbor(Cbor::TakeKey), args.into()));
    (key, passed)
}

/// `root` is how many alternatives are no additions, if there may be further ones.
fn choice(draft: &mut Draft<'_, '_>, id: TypeId, all: &[Alternative], root: Option<u32>, place: &Place) {
    let (Repr::Choice, Kind::Choice { alternatives: types, .. }) = (draft.types.repr(id), draft.types.kind(id)) else {
        return draft.give_up();
    };
    let entries = number_of(draft, front::MAP);
    draft.because(Reason::Entries);
    draft.push(Stmt::RejectIf(Cond::Differs(Num::Var(entries), 1)));
    let next = least_key(draft);
    let (key, _) = take_key(draft, next, 0);
    let mut arms = Vec::new();
    for (key, one) in (0..).zip(all) {
        let at = one.alternative as usize;
        let arm = draft.block(|draft| {
            Walker::named(draft, at, |draft| {
                let content = draft.choose(id, at, place);
                item(draft, types[at].type_id, one.node, &content);
            });
        });
        arms.push((key, arm));
    }
    draft.because(Reason::KeyOfChoice);
    let others = root.map(|root| vec![later(Cbor::TakeOther, place, key, root.into())]);
    draft.push(Stmt::Select { number: Num::Var(key), arms, others });
}

/// Keeps the item after a key; the least key of an addition is given.
fn later(by: Cbor, place: &Place, key: Var, least: u64) -> Stmt {
    let [key, least] = [Num::Var(key), Num::Const(least)].map(Arg::Num);
    Stmt::Skip(Prim::Cbor(by), vec![Arg::Exclusive(place.clone()), key, least])
}

impl Map<'_> {
    /// Entries in the order of their keys. Those that may be absent have been cleared.
    pub(super) fn take_any(&self, draft: &mut Draft<'_, '_>, entries: &[Entry<'_>]) {
        let count = number_of(draft, front::MAP);
        entries.iter().filter(|entry| entry.may_be_absent).for_each(|entry| self.clear(draft, entry));
        self.take_entries(draft, entries, count);
    }

    fn take_group(&self, draft: &mut Draft<'_, '_>, entries: &[Entry<'_>]) {
        let count = number_of(draft, front::MAP);
        draft.because(Reason::NoEntry);
        draft.push(Stmt::RejectIf(Cond::Equals(Num::Var(count), 0)));
        Map { is_extensible: false, root: entries.len() as u64, ..*self }.take_entries(draft, entries, count);
    }

    fn take_entries(&self, draft: &mut Draft<'_, '_>, entries: &[Entry<'_>], count: Var) {
        let mandatory: Vec<(u64, Component)> = entries.iter().filter_map(|entry| self.mandatory(entry)).collect();
        let (next, at) = (least_key(draft), draft.variable());
        draft.push(Stmt::LetMut(at, Num::Const(0)));
        let body = draft.block(|draft| {
            let from = draft.variable();
            draft.push_if(!mandatory.is_empty(), Stmt::LetMut(from, Num::Var(next)));
            let (key, passed) = take_key(draft, next, self.root);
            lack(draft, &mandatory, from, Num::Var(passed));
            let mut arms = Vec::new();
            for entry in entries {
                let arm = draft.block(|draft| self.take_entry(draft, entry));
                arms.push((entry.key, arm));
                self.pass(draft, entry);
            }
            draft.because(Reason::Key);
            let others = self.is_extensible.then(|| vec![later(Cbor::TakeUnknown, self.place, key, self.root)]);
            draft.push(Stmt::Select { number: Num::Var(key), arms, others });
        });
        draft.push(Stmt::CountTo { at, number: Num::Var(count), body });
        lack(draft, &mandatory, next, Num::Const(self.root));
        entries.iter().for_each(|entry| self.pass(draft, entry));
    }

    fn mandatory(&self, entry: &Entry<'_>) -> Option<(u64, Component)> {
        match entry.content {
            Content::Member(member) if is_mandatory(member) && entry.key < self.root => {
                Some((entry.key, self.of(member).0))
            }
            _ => None,
        }
    }

    fn take_entry(&self, draft: &mut Draft<'_, '_>, entry: &Entry<'_>) {
        match entry.content {
            Content::Member(member) => {
                Walker::named(draft, member.component as usize, |draft| self.take_present(draft, member))
            }
            Content::Group(members) => self.take_group(draft, &group_entries(members)),
        }
    }
}

/// Mandatory components are missing from a key up to another one.
fn lack(draft: &mut Draft<'_, '_>, mandatory: &[(u64, Component)], from: Var, to: Num) {
    if mandatory.is_empty() {
        return;
    }
    let arm = |draft: &mut Draft<'_, '_>, one: &Component| {
        draft.block(|draft| {
            Walker::named(draft, one.at, |draft| {
                draft.because(Reason::Component);
                draft.push(Stmt::RejectIf(Cond::True));
            });
        })
    };
    let arms = mandatory.iter().map(|(key, one)| (*key, arm(draft, one))).collect();
    let body = vec![Stmt::Select { number: Num::Var(from), arms, others: Some(Vec::new()) }];
    draft.push(Stmt::CountTo { at: from, number: to, body });
}
