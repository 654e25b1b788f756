//! CBOR: maps, choices and arrays, and leaves after heads. Decoders read what encoders write; any other form is left to the interpreter.

use roadwire_layout::{Addition, CborNode, Layout, Member, Node, NodeId, Presence, Span};
use roadwire_model::{Kind, TypeId};
use roadwire_wire::rt::cbor;
use roadwire_wire::rt::cbor::straight::LONGEST;

use crate::plan::{Arg, Cbor, Component, Cond, Draft, Element, Int, Num, Place, Prim, Stmt, Str, Unknown, Value, Var};
use crate::types::{Repr, Types};

/// First octets of heads with the number 0.
mod front {
    pub(super) const OCTETS: u8 = 0x40;
    pub(super) const TEXT: u8 = 0x60;
    pub(super) const ARRAY: u8 = 0x80;
    pub(super) const MAP: u8 = 0xa0;
    pub(super) const TAG: u8 = 0xc0;
}

/// The content of a key.
#[derive(Clone, Copy)]
enum Content<'a> {
    Member(&'a Member),
    Group(&'a [Member]),
}

/// An entry of a map.
#[derive(Clone, Copy)]
struct Entry<'a> {
    key: u64,
    content: Content<'a>,
    may_be_absent: bool,
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
    let layout = draft.layout;
    let Node::Cbor(node) = *layout.node(at) else { return draft.give_up() };
    let is_level = matches!(node, CborNode::Array { .. } | CborNode::Map { .. } | CborNode::Choice { .. });
    draft.depth += u32::from(is_level);
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
        CborNode::Map { extensible, members, additions, .. } => {
            map(draft, id, &entries(layout, members, additions), extensible, place);
        }
        CborNode::Choice { alternatives, extensible, .. } => choice(draft, id, alternatives, extensible, place),
        _ => draft.give_up(),
    }
    draft.depth -= u32::from(is_level);
}

fn map(draft: &mut Draft<'_, '_>, id: TypeId, entries: &[Entry<'_>], is_extensible: bool, place: &Place) {
    if !matches!(draft.types.kind(id), Kind::Sequence { .. }) {
        return draft.give_up();
    }
    if is_extensible {
        draft.push(match draft.is_encoder() {
            true => Stmt::RejectIf(Cond::HasUnknown(place.clone())),
            false => Stmt::ForgetUnknown(place.clone()),
        });
    }
    let map = Map { id, place };
    match draft.is_encoder() {
        true => map.put(draft, entries),
        false => map.take(draft, entries, 0),
    }
}

/// A SEQUENCE or SET in a place.
struct Map<'p> {
    id: TypeId,
    place: &'p Place,
}

impl Map<'_> {
    fn of(&self, member: &Member) -> (Component, Place) {
        let at = member.component as usize;
        (Component { record: self.id, at }, self.place.component(self.id, at))
    }

    fn put(&self, draft: &mut Draft<'_, '_>, entries: &[Entry<'_>]) {
        let sent: Vec<Option<Var>> = entries.iter().map(|entry| self.sent(draft, entry)).collect();
        put_count(draft, &sent);
        for (entry, sent) in entries.iter().zip(sent) {
            match (entry.content, sent) {
                (Content::Member(member), None) => {
                    constant(draft, &head_octets(0, entry.key));
                    let (component, field) = self.of(member);
                    item(draft, draft.component(component).type_id, member.node, &field);
                }
                (Content::Member(member), Some(_)) => self.put_optional(draft, entry.key, member),
                (Content::Group(members), Some(sent)) => {
                    let then = draft.block(|draft| {
                        constant(draft, &head_octets(0, entry.key));
                        self.put_group(draft, members);
                    });
                    draft.push(Stmt::If { condition: Cond::Var(sent), then, otherwise: None });
                }
                (Content::Group(_), None) => {}
            }
        }
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
            item(draft, type_id, member.node, content);
        });
    }

    /// An addition group that is sent: a map of its own.
    fn put_group(&self, draft: &mut Draft<'_, '_>, members: &[Member]) {
        let entry = |member| Entry { key: 0, content: Content::Member(member), may_be_absent: !is_mandatory(member) };
        let sent: Vec<Option<Var>> = members.iter().map(|member| self.sent(draft, &entry(member))).collect();
        put_count(draft, &sent);
        for ((key, member), sent) in (0..).zip(members).zip(&sent) {
            if sent.is_some() {
                self.put_optional(draft, key, member);
                continue;
            }
            // All mandatory components of a group have to be present.
            let ((component, field), inner) = (self.of(member), draft.variable());
            draft.push(Stmt::Need(inner, field));
            constant(draft, &head_octets(0, key));
            item(draft, draft.component(component).type_id, member.node, &Place::reference(inner));
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
    }

    /// An entry that may be absent, if any of these are `left`.
    fn take_optional(&self, draft: &mut Draft<'_, '_>, entry: &Entry<'_>, left: Var) {
        let key = head_octets(0, entry.key);
        let word = key.iter().fold(0u64, |word, octet| word << 8 | u64::from(*octet));
        let is_next = Cond::IsNext { word, octets: key.len() };
        let condition = Cond::All(vec![Cond::Differs(Num::Var(left), 0), is_next]);
        let then = draft.block(|draft| {
            draft.push(Stmt::Decrement(left));
            draft.push(Stmt::Expect { octets: key.len() as u32, bits: 0, mask: 0, var: None });
            match entry.content {
                Content::Group(members) => {
                    let of_member = |(key, member)| {
                        let may_be_absent = !is_mandatory(member);
                        Entry { key, content: Content::Member(member), may_be_absent }
                    };
                    let entries: Vec<Entry<'_>> = (0..).zip(members).map(of_member).collect();
                    self.take(draft, &entries, 1);
                }
                Content::Member(member) => self.take_present(draft, member),
            }
        });
        let otherwise = draft.block(|draft| self.clear(draft, entry));
        draft.push(Stmt::If { condition, then, otherwise: Some(otherwise) });
    }

    fn take_present(&self, draft: &mut Draft<'_, '_>, member: &Member) {
        let (component, field) = self.of(member);
        let type_id = draft.component(component).type_id;
        let content = draft.present(component, &field);
        item(draft, type_id, member.node, &content);
        draft.push(Stmt::Settle);
        if draft.has_default(component) {
            // A value that is equal to its DEFAULT is not sent.
            draft.push(Stmt::RejectIf(Cond::Not(Box::new(Cond::Sent(component, field)))));
        }
    }

    fn clear(&self, draft: &mut Draft<'_, '_>, entry: &Entry<'_>) {
        let (one, members) = match entry.content {
            Content::Member(member) => (Some(member), [].as_slice()),
            Content::Group(members) => (None, members),
        };
        for member in one.into_iter().chain(members) {
            let (component, field) = self.of(member);
            draft.push(Stmt::Clear(component, field));
        }
    }
}

/// The head of a map with as many entries as conditions hold, or are not needed.
fn put_count(draft: &mut Draft<'_, '_>, sent: &[Option<Var>]) {
    let certain = sent.iter().filter(|sent| sent.is_none()).count() as u64;
    let conditions: Vec<Var> = sent.iter().flatten().copied().collect();
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

fn choice(draft: &mut Draft<'_, '_>, id: TypeId, alternatives: Span, is_extensible: bool, place: &Place) {
    let (Repr::Choice(_), Kind::Choice { alternatives: types, .. }) = (draft.types.repr(id), draft.types.kind(id))
    else {
        return draft.give_up();
    };
    constant(draft, &head_octets(front::MAP, 1));
    let all = draft.layout.alternatives(alternatives);
    if draft.is_encoder() {
        let mut arms = Vec::new();
        for (key, one) in (0..).zip(all) {
            let (at, inner) = (one.alternative as usize, draft.variable());
            let arm = draft.block(|draft| {
                constant(draft, &head_octets(0, key));
                item(draft, types[at].type_id, one.node, &Place::reference(inner));
            });
            arms.push((at, inner, arm));
        }
        return draft.push(Stmt::Switch { id, place: place.clone(), arms, has_others: is_extensible });
    }
    let most = cbor::head_octets(all.len().saturating_sub(1) as u64) as usize;
    let number = if most == 1 { Num::Var(expect(draft, 1, 0, 0)) } else { take_number(draft, 0, most) };
    let mut arms = Vec::new();
    for (key, one) in (0..).zip(all) {
        let at = one.alternative as usize;
        let arm = draft.block(|draft| {
            let inner = draft.variable();
            draft.push(Stmt::Choose { id, alternative: at, place: place.clone(), inner });
            item(draft, types[at].type_id, one.node, &Place::reference(inner));
        });
        arms.push((key, arm));
    }
    draft.push(Stmt::Select { number, arms });
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
    draft.push(Stmt::Times { count, element: Element { list, list_id: id, id: element_id, item: one }, body });
    start.into_iter().for_each(|start| draft.push(Stmt::RejectIf(Cond::NotSorted(start))));
}

/// Remembers where elements begin.
fn mark_if(draft: &mut Draft<'_, '_>, is_needed: bool) -> Option<Var> {
    is_needed.then(|| {
        let start = draft.variable();
        draft.push(Stmt::Settle);
        draft.push(Stmt::Mark(start));
        start
    })
}

fn truth(draft: &mut Draft<'_, '_>, place: &Place) {
    if draft.is_encoder() {
        return put(draft, Num::Truth(place.clone()).or(cbor::simple::FALSE.into()), 1);
    }
    let octet = expect(draft, 1, cbor::simple::FALSE.into(), 0xfe);
    draft.push(Stmt::Set(place.clone(), Value::LowestBit(Num::Var(octet))));
}

fn float(draft: &mut Draft<'_, '_>, place: &Place) {
    if draft.is_encoder() {
        return write(draft, Cbor::PutFloat, vec![Arg::Value(place.clone())]);
    }
    let value = read(draft, Cbor::TakeFloat, Vec::new());
    draft.push(Stmt::Set(place.clone(), Value::Var(value)));
}

fn integer(draft: &mut Draft<'_, '_>, id: TypeId, (lower, upper): (i128, i128), place: &Place) {
    let Some(int) = draft.types.int(id).filter(|int| int.bits <= 64) else { return draft.give_up() };
    // What has no bound has that of its place in memory.
    let most = most_octets(lower, upper).unwrap_or(LONGEST);
    if draft.is_encoder() {
        let held = if int == Int::U64 { Int::U64 } else { Int::I64 };
        let value = draft.variable();
        draft.push(Stmt::Let(value, Num::Integer(id, place.clone()).to(held)));
        draft.reject_if(Cond::outside(Num::Var(value), held, Some(lower), Some(upper)));
        return match lower >= 0 || held == Int::U64 {
            true => put_number(draft, 0, most, Num::Var(value).to(Int::U64)),
            false => put_signed(draft, most, Num::Var(value)),
        };
    }
    let set = |number: Num| Stmt::Set(place.clone(), Value::Integer(id, number.to(int)));
    if lower >= 0 && most == 1 {
        let octet = Num::Var(expect(draft, 1, 0, 0));
        draft.reject_if(Cond::outside(octet.clone(), Int::U64, Some(lower), Some(upper)));
        return draft.push(set(octet));
    }
    let (number, held) = match int == Int::U64 || lower >= 0 {
        true => (take_number(draft, 0, most), Int::U64),
        false => (take_signed(draft, most), Int::I64),
    };
    // What does not fit into its place in memory is the interpreter's as well.
    let (least, greatest) = int.bounds();
    draft.reject_if(Cond::outside(number.clone(), held, Some(lower.max(least)), Some(upper.min(greatest))));
    draft.push(set(number));
}

fn enumerated(draft: &mut Draft<'_, '_>, id: TypeId, numbers: Vec<i64>, is_extensible: bool, place: &Place) {
    let bounds = numbers.iter().map(|number| i128::from(*number));
    let (Some(least), Some(greatest)) = (bounds.clone().min(), bounds.max()) else { return draft.give_up() };
    let most = most_octets(least, greatest).filter(|_| draft.types.enumeration(id).is_some());
    let Some(most) = most else { return draft.give_up() };
    if draft.is_encoder() {
        let (value, place) = (draft.variable(), place.clone());
        let is_ordinal = !is_extensible && numbers.iter().zip(0..).all(|(number, ordinal)| *number == ordinal);
        let unknown = if is_extensible { Unknown::Rejected } else { Unknown::None };
        let number = match is_ordinal {
            true => Num::Ordinal(place).to(Int::I64),
            false => Num::Item { id, place, numbers, held: Int::I64, unknown },
        };
        draft.push(Stmt::Let(value, number));
        return match least >= 0 {
            true => put_number(draft, 0, most, Num::Var(value).to(Int::U64)),
            false => put_signed(draft, most, Num::Var(value)),
        };
    }
    let number = match (least >= 0, most) {
        (true, 1) => Num::Var(expect(draft, 1, 0, 0)),
        (true, _) => take_number(draft, 0, most),
        (false, _) => take_signed(draft, most),
    };
    draft.push(Stmt::Set(place.clone(), Value::Item { id, number, numbers }));
}

/// A bit string of a size that is known, and not more than 64.
fn fixed_bits(draft: &mut Draft<'_, '_>, id: TypeId, bits: u32, place: &Place) {
    let octets = bits.div_ceil(8);
    let unused = octets * 8 - bits;
    let is_flags = match draft.types.repr(id) {
        Repr::BitFlags { .. } => true,
        Repr::BitWord => false,
        _ => return draft.give_up(),
    };
    if draft.is_encoder() {
        let (value, place) = (draft.variable(), place.clone());
        if is_flags {
            draft.push(Stmt::Let(value, Num::Flags(place)));
            draft.push_if(bits < 64, Stmt::RejectIf(Cond::HasBitsAbove(Num::Var(value), bits)));
        } else {
            draft.push(Stmt::RejectIf(Cond::Differs(Num::BitCount(place.clone()), bits.into())));
            draft.push(Stmt::Let(value, Num::Bits(place)));
        }
        constant(draft, &head_octets(front::OCTETS, octets.into()));
        return put(draft, Num::Var(value).shl(unused), octets);
    }
    constant(draft, &head_octets(front::OCTETS, octets.into()));
    let value = Num::Var(expect(draft, octets, 0, (1 << unused) - 1)).shr(unused);
    let value = if is_flags { Value::Flags(id, value) } else { Value::Bits(value, Num::Const(bits.into())) };
    draft.push(Stmt::Set(place.clone(), value));
}

/// A bit string in any other form.
fn any_bits(draft: &mut Draft<'_, '_>, id: TypeId, size: Arg, place: &Place) {
    if !matches!(draft.types.repr(id), Repr::BitWord | Repr::BitString) {
        return draft.give_up();
    }
    draft.push(Stmt::Settle);
    if draft.is_encoder() {
        return write(draft, Cbor::PutBitString, vec![Arg::Scalar(place.clone()), size]);
    }
    let octets = take_octets(draft, (0, u64::MAX));
    let args = vec![Arg::Exclusive(place.clone()), Arg::Slice(octets), size];
    draft.push(Stmt::Do(Prim::Cbor(Cbor::TakeBitString), args));
}

/// The octets of a byte string.
fn take_octets(draft: &mut Draft<'_, '_>, bounds: (u64, u64)) -> Var {
    let count = take_counted(draft, front::OCTETS, bounds);
    read(draft, Cbor::TakeSlice, vec![Arg::Num(count)])
}

/// An object identifier after its tag.
fn oid(draft: &mut Draft<'_, '_>, id: TypeId, is_relative: bool, place: &Place) {
    if *draft.types.repr(id) != Repr::Oid {
        return draft.give_up();
    }
    let tag = if is_relative { cbor::tag::RELATIVE_OID } else { cbor::tag::OID };
    constant(draft, &head_octets(front::TAG, tag));
    if draft.is_encoder() {
        let octets = Str::Octets(place.clone());
        put_counted(draft, front::OCTETS, Num::Length(octets.clone()), (0, u64::MAX));
        return draft.push(Stmt::Write(Prim::PutOctets, vec![Arg::Octets(octets)]));
    }
    let octets = take_octets(draft, (0, u64::MAX));
    draft.push(Stmt::RejectIf(Cond::NotOid(octets)));
    draft.fill(id, place, Str::Var(octets), (0, u64::MAX));
}

fn bits(draft: &mut Draft<'_, '_>, (lower, upper): (u64, u64), place: &Place) {
    if draft.is_encoder() {
        draft.push(Stmt::Settle);
        draft.reject_if(Cond::size_outside(Num::BitCount(place.clone()), (lower, upper)));
        let bits = Arg::Num(Num::Bits(place.clone()));
        return write(draft, Cbor::PutBits, vec![bits, Arg::BitCount(place.clone())]);
    }
    let (bits, count) = (draft.variable(), draft.variable());
    draft.push(Stmt::Read(vec![bits, count], Prim::Cbor(Cbor::TakeBits), Vec::new()));
    draft.reject_if(Cond::size_outside(Num::Var(count), (lower, upper)));
    draft.push(Stmt::Set(place.clone(), Value::Bits(Num::Var(bits), Num::Var(count).to(Int::U8))));
}

fn octets(draft: &mut Draft<'_, '_>, id: TypeId, bounds: (u64, u64), place: &Place) {
    if let Repr::FixedOctets(count) = *draft.types.repr(id) {
        constant(draft, &head_octets(front::OCTETS, count));
        if draft.is_encoder() {
            return write(draft, Cbor::PutArray, vec![Arg::Shared(place.clone())]);
        }
        let octets = read(draft, Cbor::TakeArray(count), Vec::new());
        return draft.push(Stmt::Set(place.clone(), Value::Referred(octets)));
    }
    if !draft.is_encoder() {
        let octets = take_octets(draft, bounds);
        return draft.fill(id, place, Str::Var(octets), (0, u64::MAX));
    }
    if !matches!(draft.types.repr(id), Repr::Octets(_) | Repr::OctetString) {
        return draft.give_up();
    }
    let octets = Str::Octets(place.clone());
    put_counted(draft, front::OCTETS, Num::Length(octets.clone()), bounds);
    draft.push(Stmt::Write(Prim::PutOctets, vec![Arg::Octets(octets)]));
}

fn text(draft: &mut Draft<'_, '_>, id: TypeId, bounds: (u64, u64), alphabet: Span, place: &Place) {
    let alphabet = draft.layout.numbers(alphabet).to_vec();
    let is_text = !draft.is_encoder() || matches!(draft.types.repr(id), Repr::Text(_) | Repr::String);
    if !is_text {
        return draft.give_up();
    }
    let most = cbor::head_octets(bounds.1.saturating_mul(4)) as usize;
    let is_wide = alphabet.iter().any(|code| *code > 127);
    if draft.is_encoder() {
        let text = Str::Characters(place.clone());
        if is_wide {
            draft.push(Stmt::RejectIf(Cond::NotFit(text.clone(), bounds, alphabet)));
            put_number(draft, front::TEXT, most, Num::Length(text.clone()).to(Int::U64));
        } else if alphabet.is_empty() {
            draft.reject_if(Cond::size_outside(Num::Characters(text.clone()), bounds));
            put_number(draft, front::TEXT, most, Num::Length(text.clone()).to(Int::U64));
        } else {
            draft.push(Stmt::RejectIf(Cond::NotAllIn(text.clone(), alphabet)));
            put_counted(draft, front::TEXT, Num::Length(text.clone()), bounds);
        }
        return draft.push(Stmt::Write(Prim::PutOctets, vec![Arg::Octets(text)]));
    }
    let count = match alphabet.is_empty() || is_wide {
        true => take_number(draft, front::TEXT, most),
        false => take_counted(draft, front::TEXT, bounds),
    };
    let octets = read(draft, Cbor::TakeSlice, vec![Arg::Num(count)]);
    if is_wide {
        draft.push(Stmt::Utf8(octets));
        draft.push(Stmt::RejectIf(Cond::NotFit(Str::Var(octets), bounds, alphabet)));
        return draft.fill(id, place, Str::Var(octets), (0, u64::MAX));
    }
    let is_any = alphabet.is_empty();
    draft.push_if(!is_any, Stmt::RejectIf(Cond::NotAllIn(Str::Var(octets), alphabet)));
    draft.push(Stmt::Utf8(octets));
    if is_any {
        draft.reject_if(Cond::size_outside(Num::Characters(Str::Var(octets)), bounds));
    }
    draft.fill(id, place, Str::Var(octets), (0, u64::MAX));
}

/// Octets that are the same in every message.
fn constant(draft: &mut Draft<'_, '_>, octets: &[u8]) {
    for octet in octets {
        let bits = u64::from(*octet);
        draft.push(match draft.is_encoder() {
            true => Stmt::Put { number: Num::Const(bits), octets: 1 },
            false => Stmt::Expect { octets: 1, bits, mask: 0xff, var: None },
        });
    }
}

fn put(draft: &mut Draft<'_, '_>, number: Num, octets: u32) {
    draft.push(Stmt::Put { number, octets });
}

/// Octets some of whose bits are known, as a variable.
fn expect(draft: &mut Draft<'_, '_>, octets: u32, bits: u64, mask: u64) -> Var {
    let var = draft.variable();
    draft.push(Stmt::Expect { octets, bits, mask, var: Some(var) });
    var
}

/// A head of at most so many octets, with a number of 64 bits.
fn put_number(draft: &mut Draft<'_, '_>, front: u8, most: usize, number: Num) {
    match most {
        1 => put(draft, number.or(front.into()), 1),
        LONGEST => write(draft, Cbor::PutLong, vec![Arg::Hex(front.into()), Arg::Num(number)]),
        _ => put_head(draft, Cbor::HeadWord(most), front, most, number),
    }
}

/// A head of at most so many octets, with a number that may be negative.
fn put_signed(draft: &mut Draft<'_, '_>, most: usize, number: Num) {
    match most {
        LONGEST => write(draft, Cbor::PutLongInteger, vec![Arg::Num(number)]),
        _ => put_head(draft, Cbor::IntegerWord(most), 0, most, number),
    }
}

fn put_head(draft: &mut Draft<'_, '_>, head: Cbor, front: u8, most: usize, number: Num) {
    let variables = (draft.variable(), draft.variable());
    draft.push(Stmt::PutHead { head: Prim::Cbor(head), front, most, number, variables });
}

/// A head of at most so many octets: its number, without sign.
fn take_number(draft: &mut Draft<'_, '_>, front: u8, most: usize) -> Num {
    match most {
        LONGEST => Num::Var(read(draft, Cbor::TakeLong, vec![Arg::Hex(front.into())])),
        _ => take_head(draft, Cbor::TakeHead(most), front, most),
    }
}

/// A head of at most so many octets: its number, which may be negative.
fn take_signed(draft: &mut Draft<'_, '_>, most: usize) -> Num {
    match most {
        LONGEST => Num::Var(read(draft, Cbor::TakeLongInteger, Vec::new())),
        _ => take_head(draft, Cbor::TakeInteger(most), 0, most),
    }
}

fn take_head(draft: &mut Draft<'_, '_>, by: Cbor, front: u8, most: usize) -> Num {
    let variables = (draft.variable(), draft.variable());
    draft.push(Stmt::TakeHead { by: Prim::Cbor(by), front, most, variables });
    Num::Var(variables.0)
}

/// The head of what has a size between two bounds.
fn put_counted(draft: &mut Draft<'_, '_>, front: u8, size: Num, bounds: (u64, u64)) {
    draft.reject_if(Cond::size_outside(size.clone(), bounds));
    if bounds.0 == bounds.1 {
        return constant(draft, &head_octets(front, bounds.0));
    }
    put_number(draft, front, cbor::head_octets(bounds.1) as usize, size.to(Int::U64));
}

/// The head of what has a size between two bounds: the size.
fn take_counted(draft: &mut Draft<'_, '_>, front: u8, (lower, upper): (u64, u64)) -> Num {
    if lower == upper {
        constant(draft, &head_octets(front, lower));
        return Num::Typed(lower);
    }
    let count = if upper < 24 {
        let (octet, count) = (expect(draft, 1, front.into(), 0xe0), draft.variable());
        draft.push(Stmt::Let(count, Num::Var(octet).and(0x1f)));
        Num::Var(count)
    } else {
        take_number(draft, front, cbor::head_octets(upper) as usize)
    };
    draft.reject_if(Cond::outside(count.clone(), Int::U64, Some(lower.into()), Some(upper.into())));
    count
}

fn write(draft: &mut Draft<'_, '_>, by: Cbor, args: Vec<Arg>) {
    draft.push(Stmt::Write(Prim::Cbor(by), args));
}

fn read(draft: &mut Draft<'_, '_>, by: Cbor, args: Vec<Arg>) -> Var {
    let var = draft.variable();
    draft.push(Stmt::Read(vec![var], Prim::Cbor(by), args));
    var
}

/// The entries of a map in the order of their keys.
fn entries(layout: &Layout, members: Span, additions: Span) -> Vec<Entry<'_>> {
    let members = layout.members(members).iter().map(|member| (Content::Member(member), !is_mandatory(member)));
    let additions = layout.additions(additions).iter().map(|addition| match addition {
        Addition::Single(member) => (Content::Member(member), true),
        Addition::Group(group) => (Content::Group(group_members(layout, *group)), true),
    });
    let all = members.chain(additions);
    (0..).zip(all).map(|(key, (content, may_be_absent))| Entry { key, content, may_be_absent }).collect()
}

fn group_members(layout: &Layout, group: NodeId) -> &[Member] {
    match *layout.node(group) {
        Node::Cbor(CborNode::Map { members, .. }) => layout.members(members),
        _ => &[],
    }
}

fn is_mandatory(member: &Member) -> bool {
    member.presence == Presence::Mandatory
}

/// A head's octets.
fn head_octets(front: u8, number: u64) -> Vec<u8> {
    let count = cbor::head_octets(number) as usize - 1;
    if count == 0 {
        return vec![front | number as u8];
    }
    let mut octets = vec![front | (24 + count.trailing_zeros() as u8)];
    octets.extend_from_slice(&number.to_be_bytes()[8 - count..]);
    octets
}

/// How many octets an integer between these takes at most; `None` where that is not a head.
fn most_octets(lower: i128, upper: i128) -> Option<usize> {
    let most = cbor::integer_octets(lower).max(cbor::integer_octets(upper)) as usize;
    (most <= LONGEST).then_some(most)
}
