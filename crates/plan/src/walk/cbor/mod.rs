//! CBOR: maps, choices and arrays, and leaves after heads. Decoders read what encoders write; any
//! other form is left to the interpreter, or to thorough plans.

mod entry;
mod head;
mod leaf;
mod open;
mod thorough;

use roadwire_layout::{CborNode, Member, Node, NodeId, Span};
use roadwire_model::{Kind, TypeId};
use roadwire_wire::rt::cbor;

use crate::plan::{Arg, Cbor, Component, Cond, Draft, Element, Int, Num, Place, Prim, Reason, Stmt, Str, Stream, Var};
use crate::types::{Repr, Types};
use crate::walk::cbor::entry::{Content, Entry, entries, group_entries};
use crate::walk::cbor::head::{constant, head_octets, put, put_counted, put_number, take_counted, take_number};
use crate::walk::cbor::leaf::{
    any_bits, bits, enumerated, fixed_bits, float, integer, mark_if, octets, oid, text, truth, wide_integer,
};
use crate::walk::walker::Walker;
use head::expect;
use open::open;

/// First octets of heads with the number 0.
mod front {
    pub(super) const OCTETS: u8 = 0x40;
    pub(super) const TEXT: u8 = 0x60;
    pub(super) const ARRAY: u8 = 0x80;
    pub(super) const MAP: u8 = 0xa0;
    pub(super) const TAG: u8 = 0xc0;
}

/// The body of a function.
pub(crate) fn body(draft: &mut Draft<'_, '_>, id: TypeId, node: NodeId) {
    let id = draft.types.canonical(id);
    if draft.only_calls(id, node) {
        return;
    }
    content(draft, id, node, &Place::value());
}

/// An item, in place or by a function.
fn item(draft: &mut Draft<'_, '_>, id: TypeId, node: NodeId, place: &Place) {
    let id = draft.types.canonical(id);
    if draft.is_function(id) {
        return draft.call(id, node, place);
    }
    content(draft, id, node, place);
}

fn content(draft: &mut Draft<'_, '_>, id: TypeId, at: NodeId, place: &Place) {
    draft.within(id, |draft| node(draft, id, at, place));
}

fn node(draft: &mut Draft<'_, '_>, id: TypeId, at: NodeId, place: &Place) {
    let node = match *draft.layout.node(at) {
        Node::Cbor(node) => node,
        Node::Scope { record, slots } => {
            draft.keys.enter(draft.layout, slots);
            return self::node(draft, id, record, place);
        }
        Node::Key { node, .. } => return self::node(draft, id, node, place),
        _ => return draft.give_up(),
    };
    let is_level = matches!(node, CborNode::Array { .. } | CborNode::Map { .. } | CborNode::Choice { .. });
    draft.level(is_level, |draft| content_of(draft, id, node, place));
}

fn content_of(draft: &mut Draft<'_, '_>, id: TypeId, node: CborNode, place: &Place) {
    let layout = draft.layout;
    if let CborNode::Map { extensible, members, additions, .. } = node {
        let map = Map { id, place, root: members.count.into(), is_extensible: extensible };
        return map.code(draft, &entries(layout, members, additions));
    }
    if draft.types.is_wide(id) {
        return wide_integer(draft, node, place);
    }
    if draft.is_thorough && !draft.is_encoder() {
        return thorough::take(draft, id, node, place);
    }
    reason(&node).into_iter().for_each(|reason| draft.because(reason));
    match node {
        CborNode::Nothing => constant(draft, &[cbor::simple::NULL]),
        CborNode::Truth => truth(draft, place),
        CborNode::Integer { lower, upper } => integer(draft, id, (lower, upper), place),
        CborNode::Item { values, extensible, .. } => {
            enumerated(draft, id, layout.item_numbers(values).collect(), extensible, place);
        }
        CborNode::Float => float(draft, place),
        CborNode::Bits { fixed: Some(count @ 1..=64), .. } if *draft.types.repr(id) != Repr::BitString => {
            fixed_bits(draft, id, count as u32, place);
        }
        CborNode::Bits { fixed: None, lower, upper: upper @ ..=64, trim: false }
            if *draft.types.repr(id) == Repr::BitWord =>
        {
            bits(draft, (lower, upper), place);
        }
        CborNode::Bits { fixed, lower, upper, trim } => {
            let size = Arg::BitSize { bounds: (lower, upper), is_fixed: fixed.is_some(), is_trimmed: trim };
            any_bits(draft, id, size, place);
        }
        CborNode::Octets { lower, upper } => octets(draft, id, (lower, upper), place),
        CborNode::Text { lower, upper, alphabet } => text(draft, id, (lower, upper), alphabet, place),
        CborNode::Oid { relative } => oid(draft, id, relative, place),
        CborNode::Array { lower, upper, element, sorted } => {
            array(draft, id, (lower, upper), (element, sorted && upper > 1), place);
        }
        CborNode::Choice { alternatives, root, extensible } => {
            choice(draft, id, alternatives, extensible.then_some(root), place);
        }
        CborNode::Embedded { slot, rows } => open(draft, id, (slot, rows), place),
        _ => draft.give_up(),
    }
}

/// The reason for which an encoder rejects a value.
const fn reason(node: &CborNode) -> Option<Reason> {
    Some(match node {
        CborNode::Integer { .. } => Reason::Integer,
        CborNode::Item { .. } => Reason::Item,
        CborNode::Choice { .. } => Reason::Choice,
        CborNode::Bits { .. } | CborNode::Octets { .. } | CborNode::Text { .. } | CborNode::Array { .. } => {
            Reason::Size
        }
        _ => return None,
    })
}

/// A SEQUENCE or SET in a place.
struct Map<'p> {
    id: TypeId,
    place: &'p Place,
    /// How many of its entries are no additions.
    root: u64,
    is_extensible: bool,
}

impl Map<'_> {
    fn code(&self, draft: &mut Draft<'_, '_>, entries: &[Entry<'_>]) {
        if !matches!(draft.types.kind(self.id), Kind::Sequence { .. }) {
            return draft.give_up();
        }
        if self.is_extensible && !self.keeps(draft) {
            draft.push(match draft.is_encoder() {
                true => Stmt::RejectIf(Cond::HasUnknown(self.place.clone())),
                false => Stmt::ForgetUnknown(self.place.clone()),
            });
        }
        match draft.is_encoder() {
            true => self.put(draft, entries),
            false if draft.is_thorough => self.take_any(draft, entries),
            false => self.take(draft, entries, 0),
        }
    }

    /// Whether an encoder writes additions of a later version.
    fn keeps(&self, draft: &Draft<'_, '_>) -> bool {
        self.is_extensible && draft.is_thorough && draft.is_encoder()
    }

    fn of(&self, member: &Member) -> (Component, Place) {
        self.place.member(self.id, member)
    }

    /// Names whether an entry is sent, if it may be absent.
    fn sent(&self, draft: &mut Draft<'_, '_>, entry: &Entry<'_>) -> Option<Var> {
        if !entry.may_be_absent {
            return None;
        }
        let sent = |member: &Member| {
            let (component, field) = self.of(member);
            Cond::Sent(component, field)
        };
        let sent = match entry.content {
            Content::Member(member) => sent(member),
            Content::Group(members) => Cond::Any(members.iter().map(sent).collect()),
        };
        let known = draft.variable();
        draft.push(Stmt::Is(known, sent));
        Some(known)
    }

    /// A component that may be absent, after its key.
    fn put_optional(&self, draft: &mut Draft<'_, '_>, key: u64, member: &Member) {
        let (component, field) = self.of(member);
        let type_id = draft.component(component).type_id;
        draft.if_sent(component, &field, |draft, content| {
            constant(draft, &head_octets(0, key));
            Walker::named(draft, component.at, |draft| item(draft, type_id, member.node, content));
        });
        draft.pass(component, member.node, &field);
    }

    /// An addition group that is sent: a map of its own.
    fn put_group(&self, draft: &mut Draft<'_, '_>, members: &[Member]) {
        let sent: Vec<Option<Var>> = group_entries(members).iter().map(|entry| self.sent(draft, entry)).collect();
        put_count(draft, &sent);
        for ((key, member), sent) in (0..).zip(members).zip(&sent) {
            if sent.is_some() {
                self.put_optional(draft, key, member);
                continue;
            }
            // All mandatory components of a group have to be present.
            let ((component, field), inner) = (self.of(member), draft.variable());
            Walker::named(draft, component.at, |draft| {
                draft.push(Stmt::Need(inner, field.clone()));
                constant(draft, &head_octets(0, key));
                item(draft, draft.component(component).type_id, member.node, &Place::reference(inner));
            });
            draft.pass(component, member.node, &field);
        }
    }

    /// The number of entries, at least `least`, and the entries.
    fn take(&self, draft: &mut Draft<'_, '_>, entries: &[Entry<'_>], least: u64) {
        let left = take_count(draft, entries, least);
        let mut rest = entries;
        while let Some((entry, after)) = rest.split_first() {
            let optional = rest.iter().take_while(|entry| entry.may_be_absent).count();
            let Some(left) = left.filter(|_| optional > 0) else {
                if let Content::Member(member) = entry.content {
                    constant(draft, &head_octets(0, entry.key));
                    self.take_mandatory(draft, member);
                }
                rest = after;
                continue;
            };
            let (several, after) = rest.split_at(optional);
            if several.len() > 1 {
                // A single test shows that all of them are absent.
                let then = draft.block(|draft| several.iter().for_each(|entry| self.clear(draft, entry)));
                let each = draft.block(|draft| several.iter().for_each(|entry| self.take_optional(draft, entry, left)));
                let condition = Cond::Equals(Num::Var(left), 0);
                draft.push(Stmt::If { condition, then, otherwise: Some(each) });
            } else {
                several.iter().for_each(|entry| self.take_optional(draft, entry, left));
            }
            rest = after;
        }
        if let Some(left) = left {
            draft.push(Stmt::Settle);
            draft.push(Stmt::RejectIf(Cond::Differs(Num::Var(left), 0)));
        }
    }

    /// A component that is present. In an addition group its place may be empty.
    fn take_mandatory(&self, draft: &mut Draft<'_, '_>, member: &Member) {
        let (component, field) = self.of(member);
        draft.push_if(Types::is_option(draft.component(component)), Stmt::Settle);
        let content = draft.present(component, &field);
        item(draft, draft.component(component).type_id, member.node, &content);
        draft.pass(component, member.node, &field);
    }

    /// An entry that may be absent, if any of these are `left`.
    fn take_optional(&self, draft: &mut Draft<'_, '_>, entry: &Entry<'_>, left: Var) {
        let key = head_octets(0, entry.key);
        let word = key.iter().fold(0u64, |word, octet| word << 8 | u64::from(*octet));
        let is_next = Cond::IsNext { word, octets: key.len() };
        let condition = Cond::All(vec![Cond::Differs(Num::Var(left), 0), is_next]);
        let then = draft.block(|draft| {
            draft.push(Stmt::Stream(Stream::Subtract(left, 1)));
            draft.push(Stmt::Expect { octets: key.len() as u32, bits: 0, mask: 0, var: None });
            match entry.content {
                Content::Group(members) => self.take(draft, &group_entries(members), 1),
                Content::Member(member) => self.take_present(draft, member),
            }
        });
        let otherwise = draft.block(|draft| self.clear(draft, entry));
        draft.push(Stmt::If { condition, then, otherwise: Some(otherwise) });
        self.pass(draft, entry);
    }

    fn pass(&self, draft: &mut Draft<'_, '_>, entry: &Entry<'_>) {
        for member in entry.members() {
            let (component, field) = self.of(member);
            draft.pass(component, member.node, &field);
        }
    }

    fn take_present(&self, draft: &mut Draft<'_, '_>, member: &Member) {
        let (component, field) = self.of(member);
        let type_id = draft.component(component).type_id;
        let content = draft.present(component, &field);
        item(draft, type_id, member.node, &content);
        draft.push(Stmt::Settle);
        if draft.has_default(component) {
            // A value that is equal to its DEFAULT is not sent.
            draft.because(Reason::DefaultSent);
            draft.push(Stmt::RejectIf(Cond::Not(Box::new(Cond::Sent(component, field)))));
        }
    }

    fn clear(&self, draft: &mut Draft<'_, '_>, entry: &Entry<'_>) {
        for member in entry.members() {
            let (component, field) = self.of(member);
            draft.push(Stmt::Clear(component, field));
        }
    }
}

/// How many entries are sent in any case.
fn certain(sent: &[Option<Var>]) -> u64 {
    sent.iter().filter(|sent| sent.is_none()).count() as u64
}

/// Whether the others are.
fn conditions(sent: &[Option<Var>]) -> Vec<Var> {
    sent.iter().flatten().copied().collect()
}

/// The head of a map with as many entries as conditions hold, or are not needed.
fn put_count(draft: &mut Draft<'_, '_>, sent: &[Option<Var>]) {
    let (certain, conditions) = (certain(sent), conditions(sent));
    if conditions.is_empty() {
        return constant(draft, &head_octets(front::MAP, certain));
    }
    let most = sent.len() as u64;
    if most < 24 {
        return put(draft, Num::Sum(u64::from(front::MAP) + certain, conditions), 1);
    }
    put_number(draft, front::MAP, cbor::head_octets(most) as usize, Num::Sum(certain, conditions));
}

/// How many entries follow: a variable for those that may be absent, if any may.
fn take_count(draft: &mut Draft<'_, '_>, entries: &[Entry<'_>], least: u64) -> Option<Var> {
    let (most, certain) = (entries.len() as u64, entries.iter().filter(|entry| !entry.may_be_absent).count() as u64);
    let least = least.max(certain);
    if certain == most {
        constant(draft, &head_octets(front::MAP, most));
        return None;
    }
    let left = draft.variable();
    let count = if most < 24 {
        Num::Var(expect(draft, 1, front::MAP.into(), 0xe0)).and(0x1f)
    } else {
        take_number(draft, front::MAP, cbor::head_octets(most) as usize)
    };
    draft.push(Stmt::LetMut(left, count.minus(certain)));
    let bounds = (Some((least - certain).into()), Some((most - certain).into()));
    draft.reject_if(Cond::outside(Num::Var(left), Int::U64, bounds.0, bounds.1));
    Some(left)
}

/// `root` is how many alternatives are no additions, if there may be further ones.
fn choice(draft: &mut Draft<'_, '_>, id: TypeId, alternatives: Span, root: Option<u32>, place: &Place) {
    let (Repr::Choice, Kind::Choice { alternatives: types, .. }) = (draft.types.repr(id), draft.types.kind(id)) else {
        return draft.give_up();
    };
    constant(draft, &head_octets(front::MAP, 1));
    let all = draft.layout.alternatives(alternatives);
    if draft.is_encoder() {
        let later = root.filter(|_| draft.is_thorough).map(|root| {
            let (other, known) = (draft.variable(), all.len() as u64 - u64::from(root));
            let [root, known] = [root.into(), known].map(|number| Arg::Num(Num::Const(number)));
            let args = vec![Arg::Octets(Str::Var(other)), root, known];
            (other, vec![Stmt::Write(Prim::Cbor(Cbor::PutOther), args)])
        });
        return draft.put_alternatives(id, alternatives, later, place, |draft, key, one, node, place| {
            constant(draft, &head_octets(0, key as u64));
            Walker::named(draft, all[key].alternative as usize, |draft| item(draft, one.type_id, node, place));
        });
    }
    let most = cbor::head_octets(all.len().saturating_sub(1) as u64) as usize;
    let number = if most == 1 { Num::Var(expect(draft, 1, 0, 0)) } else { take_number(draft, 0, most) };
    let mut arms = Vec::new();
    for (key, one) in (0..).zip(all) {
        let at = one.alternative as usize;
        let arm = draft.block(|draft| {
            let content = draft.choose(id, at, place);
            item(draft, types[at].type_id, one.node, &content);
        });
        arms.push((key, arm));
    }
    draft.push(Stmt::Select { number, arms, others: None });
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
    if draft.is_encoder() {
        put_counted(draft, front::ARRAY, Num::Elements(place.clone()), bounds);
        let one = draft.variable();
        let body = draft.block(|draft| item(draft, element_id, element, &Place::reference(one)));
        let start = mark_if(draft, is_sorted);
        draft.push(Stmt::Each { item: one, list: place.clone(), body });
        return start.into_iter().for_each(|start| draft.push(Stmt::Close(Prim::Cbor(Cbor::Sort), start)));
    }
    let count = take_counted(draft, front::ARRAY, bounds);
    draft.push(Stmt::Settle);
    // Each takes an octet at least.
    draft.push(Stmt::RejectIf(Cond::MoreThanLeft(count.clone())));
    let (one, list) = (draft.variable(), draft.variable());
    draft.push(Stmt::Refill { list, place: place.clone() });
    let place = draft.element(element_id, one);
    let body = draft.block(|draft| item(draft, element_id, element, &place));
    let start = mark_if(draft, is_sorted);
    draft.push(Stmt::Times {
        count,
        element: Element { list, list_id: id, id: element_id, item: one, fewest: 0 },
        body,
    });
    start.into_iter().for_each(|start| draft.push(Stmt::RejectIf(Cond::NotSorted(start))));
}
