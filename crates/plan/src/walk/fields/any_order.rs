//! Decoders of thorough plans: fields in any order, and those of a later version. The last of
//! several values counts; several messages for one component are merged.

use roadwire_layout::{FieldNode, Member, NodeId, Presence, Span};
use roadwire_model::{Kind, TypeId};
use roadwire_wire::rt::fields::WireType;

use crate::plan::{Arg, Component, Cond, Element, Fields, Num, Place, Prim, Reason, Stmt, Var};
use crate::types::Repr;
use crate::walk::delimited::Record;
use crate::walk::fields::{NO_KEY, Walk};
use crate::walk::walker::Walker;

/// A component of the message that is read.
struct Part<'l> {
    member: &'l Member,
    one: Component,
    place: Place,
    number: u32,
    /// The flag that no field of it has come.
    lacks: Var,
    /// Its list, to which each of its fields adds.
    list: Option<Var>,
    /// The addition group that it is in, and whether it may be absent without that.
    group: Option<usize>,
}

/// An addition group with several components: the first and last of their numbers, and the flag
/// that none of them has come.
struct Group {
    numbers: (u32, u32),
    lacks_all: Var,
}

impl<'a, 'm: 'a> Walk<'_, 'a, 'm> {
    /// Whether fields are read in any order.
    pub(super) fn in_any_order(&self) -> bool {
        self.draft.is_thorough && !self.draft.is_encoder()
    }

    /// The components of a record. Those that are absent are known at the end, or, if the numbers
    /// of all fields ascend, where a later one comes.
    pub(super) fn take_any_order(&mut self, id: TypeId, record: &Record<'a>, additions: u32, place: &Place) {
        if !matches!(self.draft.types.kind(id), Kind::Sequence { .. }) {
            return self.draft.give_up();
        }
        self.draft.push_if(record.is_extensible, Stmt::ForgetUnknown(place.clone()));
        let (parts, groups) = self.parts(id, record, place);
        for part in &parts {
            self.draft.pass(part.one, part.member.node, &part.place);
            // A row is selected by a component that has come; one that is absent has been cleared.
            if self.draft.is_always(part.one, part.member) {
                self.draft.keys.flag_all(self.draft.layout, part.member.node, part.lacks);
            }
        }
        let selects_by_default = |part: &Part<'_>| {
            self.draft.has_default(part.one) && self.draft.keys.has_some(self.draft.layout, part.member.node)
        };
        let has_default = parts.iter().any(selects_by_default);
        let (ascends, next) = (self.draft.variable(), self.draft.variable());
        let is_single = |part: &&Part<'_>| part.list.is_none();
        let once = parts.iter().filter(is_single).map(|part| part.number).collect();
        let checked: Vec<&Part<'_>> = parts.iter().filter(|part| part.may_lack(self)).collect();
        self.draft.push(Stmt::Is(ascends, Cond::FieldsAscend { once }));
        self.draft.push(Stmt::MayBeUnused(ascends));
        self.draft.push_if(!checked.is_empty(), Stmt::LetMut(next, Num::Const(0)));
        if has_default {
            // A value that comes later has to select the type of the DEFAULT.
            self.draft.reject_rare(Cond::Not(Box::new(Cond::Var(ascends))));
        }
        let end = parts.last().map_or(0, |part| u64::from(part.number) + 1);
        let body = self.block(|walk| {
            let (number, wire_type) = walk.peek();
            let passed = walk.block(|walk| walk.passed(&checked, &groups, next, Num::Var(number)));
            let in_order =
                Cond::All(vec![Cond::Var(ascends), Cond::Not(Box::new(Cond::AtLeast(Num::Var(number), end)))]);
            let passed = Stmt::If { condition: in_order, then: passed, otherwise: None };
            walk.draft.push_if(!checked.is_empty(), passed);
            let mut arms = Vec::new();
            for part in &parts {
                let arm = walk.block(|walk| walk.take_part(part, &groups, (wire_type, ascends)));
                arms.push((u64::from(part.number), arm));
            }
            let args = vec![Arg::Exclusive(place.clone()), Arg::Num(Num::Const(additions.into()))];
            let others = record.is_extensible.then(|| vec![Stmt::Skip(Prim::Fields(Fields::TakeUnknown), args)]);
            walk.draft.because(Reason::Field);
            walk.draft.push(Stmt::Select { number: Num::Var(number), arms, others });
        });
        self.draft.push(Stmt::Loop { condition: Cond::BeforeEnd, body });
        if !checked.is_empty() {
            self.passed(&checked, &groups, next, Num::Const(end));
        }
        for part in parts.iter().filter(|part| part.list.is_some()) {
            let then = vec![Stmt::Clear(part.one, part.place.clone())];
            let absent = Stmt::If { condition: Cond::Var(part.lacks), then, otherwise: None };
            self.draft.push_if(!self.draft.is_always(part.one, part.member), absent);
        }
    }

    /// The components, of which none has come.
    fn parts(&mut self, id: TypeId, record: &Record<'a>, place: &Place) -> (Vec<Part<'a>>, Vec<Group>) {
        let (mut parts, mut groups) = (Vec::new(), Vec::new());
        let number = |walk: &Self, member: &Member| walk.numbers([member.node].into_iter()).first().copied();
        for group in record.groups.iter().filter(|group| group.len() > 1) {
            let lacks_all = self.draft.flag();
            let numbers: Vec<u32> = group.iter().filter_map(|member| number(self, member)).collect();
            let numbers = (numbers.iter().min().copied().unwrap_or(0), numbers.iter().max().copied().unwrap_or(0));
            groups.push(Group { numbers, lacks_all });
        }
        for member in &record.members {
            let ((one, field), Some(number)) = (place.member(id, member), number(self, member)) else { continue };
            let (lacks, is_list) = (self.draft.flag(), self.repeated_of(member.node).is_some());
            let group = groups.iter().position(|group| (group.numbers.0..=group.numbers.1).contains(&number));
            let mut part = Part { member, one, place: field, number, lacks, list: None, group };
            if is_list {
                let (list, content) = (self.draft.variable(), self.draft.present(one, &part.place));
                self.draft.push(Stmt::Refill { list, place: content });
                part.list = Some(list);
            } else if !self.draft.is_always(part.one, part.member) {
                self.draft.push(Stmt::Clear(one, part.place.clone()));
            }
            parts.push(part);
        }
        (parts, groups)
    }

    /// Components are passed, up to a number, and the mandatory ones have to be there.
    fn passed(&mut self, parts: &[&Part<'_>], groups: &[Group], next: Var, target: Num) {
        let body = self.block(|walk| {
            let mut arms = Vec::new();
            for part in parts {
                let arm = walk.block(|walk| {
                    walk.named(part.one.at, |walk| walk.must_have(part, groups, &target));
                });
                arms.push((u64::from(part.number), arm));
            }
            walk.draft.push(Stmt::Select { number: Num::Var(next), arms, others: Some(Vec::new()) });
        });
        self.draft.push(Stmt::CountTo { at: next, number: target, body });
    }

    fn must_have(&mut self, part: &Part<'_>, groups: &[Group], target: &Num) {
        if let (Some(list), Some((_, _, (lower @ 1.., _), _))) = (part.list, self.repeated_of(part.member.node)) {
            self.draft.because(Reason::Size);
            let is_short = Cond::Fewer(Num::Elements(Place::variable(list)), lower);
            let has_come = Cond::Not(Box::new(Cond::Var(part.lacks)));
            let is_short = if self.draft.is_always(part.one, part.member) {
                is_short
            } else {
                Cond::All(vec![has_come, is_short])
            };
            self.draft.push(Stmt::RejectIf(is_short));
        }
        let lacks = Cond::Var(part.lacks);
        let lacks = match part.group.and_then(|at| groups.get(at)) {
            _ if part.member.presence != Presence::Mandatory => return,
            Some(Group { numbers: (first, last), lacks_all }) => {
                let is_within = Cond::All(vec![
                    Cond::AtLeast(target.clone(), (*first).into()),
                    Cond::Not(Box::new(Cond::Above(target.clone(), (*last).into()))),
                ]);
                Cond::All(vec![lacks, Cond::Any(vec![Cond::Not(Box::new(Cond::Var(*lacks_all))), is_within])])
            }
            None if part.list.is_none() && self.draft.is_always(part.one, part.member) => lacks,
            None => return,
        };
        self.draft.because(Reason::Component);
        self.draft.push(Stmt::RejectIf(lacks));
    }

    /// A field of a component.
    fn take_part(&mut self, part: &Part<'_>, groups: &[Group], (wire_type, ascends): (Var, Var)) {
        let type_id = self.draft.component(part.one).type_id;
        if self.draft.keys.has_some(self.draft.layout, part.member.node) {
            // It would have to select the type that an open type has had.
            self.draft.reject_rare(Cond::Not(Box::new(Cond::Var(part.lacks))));
        }
        self.gathered(part, ascends);
        self.once(part.member.node, part.lacks, |walk| {
            walk.named(part.one.at, |walk| match part.list {
                Some(list) => {
                    walk.more_elements(type_id, list, part.member.node, wire_type);
                    walk.run(type_id, list, (part, ascends));
                }
                None => walk.single(part.member.node, wire_type, |walk, content| {
                    let place = walk.draft.present(part.one, &part.place);
                    walk.content(type_id, NO_KEY, content, &place);
                }),
            });
            walk.refuse_default_in_group(part.one, &part.place);
        });
        self.draft.push(Stmt::ClearFlag(part.lacks));
        if let Some(group) = part.group.and_then(|at| groups.get(at)) {
            self.draft.push(Stmt::ClearFlag(group.lacks_all));
        }
    }

    /// Messages for one component are merged: where fields are in another order, all of them are
    /// looked at before the first is read.
    fn gathered(&mut self, part: &Part<'_>, ascends: Var) {
        let Some(FieldNode::Single { content, .. }) = self.draft.layout.field(part.member.node) else { return };
        if !self.draft.layout.is_merged(*content) {
            return;
        }
        let is_first = Cond::All(vec![Cond::Not(Box::new(Cond::Var(ascends))), Cond::Var(part.lacks)]);
        self.draft.because(Reason::WireType);
        self.draft.push(Stmt::RejectIf(Cond::All(vec![is_first, Cond::FieldsDiffer])));
    }

    /// Further fields of a list follow. If the numbers ascend, there are no others.
    fn run(&mut self, id: TypeId, list: Var, (part, ascends): (&Part<'_>, Var)) {
        let Some((_, _, (lower, _), _)) = self.repeated_of(part.member.node) else { return };
        let more = self.draft.flag();
        let body = self.block(|walk| {
            let (number, wire_type) = walk.peek();
            let then = walk.block(|walk| walk.more_elements(id, list, part.member.node, wire_type));
            let otherwise = Some(vec![Stmt::ClearFlag(more)]);
            let condition = Cond::Equals(Num::Var(number), part.number.into());
            walk.draft.push(Stmt::If { condition, then, otherwise });
        });
        let condition = Cond::All(vec![Cond::Var(more), Cond::BeforeEnd]);
        self.draft.push(Stmt::Loop { condition, body });
        let is_short = Cond::Fewer(Num::Elements(Place::variable(list)), lower);
        let is_short = Stmt::RejectIf(Cond::All(vec![Cond::Var(ascends), is_short]));
        self.draft.because(Reason::Size);
        self.draft.push_if(lower > 0, is_short);
    }

    /// A field with one value.
    fn single(&mut self, node: NodeId, wire_type: Var, take: impl FnOnce(&mut Self, NodeId)) {
        let Some(FieldNode::Single { key, content }) = self.draft.layout.field(node).copied() else {
            return self.draft.give_up();
        };
        let field = |walk: &mut Self| {
            walk.has_wire_type(wire_type, (key & 7) as u8);
            walk.pass_key();
            take(walk, content);
        };
        if !self.draft.layout.is_merged(content) {
            return field(self);
        }
        let inside = self.draft.variable();
        let body = self.block(field);
        self.draft.push(Stmt::Within { inside, by: Prim::Fields(Fields::Merge), args: Vec::new(), body });
    }

    /// Reads a field of which there may be several: the first message has the contents of all.
    fn once(&mut self, node: NodeId, lacks: Var, take: impl FnOnce(&mut Self)) {
        match self.draft.layout.field(node) {
            Some(FieldNode::Single { content, .. }) if self.draft.layout.is_merged(*content) => {
                let then = self.block(take);
                let otherwise = Some(vec![Stmt::Skip(Prim::Fields(Fields::PassWhole), Vec::new())]);
                self.draft.push(Stmt::If { condition: Cond::Var(lacks), then, otherwise });
            }
            _ => take(self),
        }
    }

    /// A field with an element, or, packed, with several.
    fn more_elements(&mut self, id: TypeId, list: Var, node: NodeId, wire_type: Var) {
        let id = self.draft.types.canonical(id);
        let (Some((_, element, (_, upper), is_packed)), Repr::List { element: element_id, .. }) =
            (self.repeated_of(node), *self.draft.types.repr(id))
        else {
            return self.draft.give_up();
        };
        let element_id = self.draft.types.canonical(element_id);
        let own = self.draft.layout.field(element).map_or(WireType::DELIMITED, FieldNode::wire_type);
        let element_of = |item| Element { list, list_id: id, id: element_id, item, fewest: 0 };
        let body = |walk: &mut Self, item| {
            let place = walk.draft.element(element_id, item);
            walk.block(|walk| walk.content(element_id, NO_KEY, element, &place))
        };
        self.level(true, |walk| {
            let one = walk.block(|walk| {
                walk.has_wire_type(wire_type, own.0);
                walk.pass_key();
                let item = walk.draft.variable();
                let body = body(walk, item);
                walk.draft.push(Stmt::Times { count: Num::Const(1), element: element_of(item), body });
            });
            if !is_packed {
                return one.into_iter().for_each(|statement| walk.draft.push(statement));
            }
            let all = walk.block(|walk| {
                walk.pass_key();
                let (item, inside) = (walk.draft.variable(), walk.draft.variable());
                let body = body(walk, item);
                let body = vec![Stmt::While { condition: Cond::BeforeEnd, element: element_of(item), body }];
                walk.draft.push(Stmt::Within { inside, by: Prim::Fields(Fields::Open), args: NO_KEY.args(), body });
            });
            let condition = Cond::Equals(Num::Var(wire_type), WireType::DELIMITED.0.into());
            walk.draft.push(Stmt::If { condition, then: all, otherwise: Some(one) });
        });
        self.draft.because(Reason::Size);
        let is_long = Cond::Above(Num::Elements(Place::variable(list)), upper);
        self.draft.push_if(upper < u64::MAX, Stmt::RejectIf(is_long));
    }

    /// Fields of one alternative.
    pub(super) fn take_any_alternative(&mut self, id: TypeId, alternatives: Span, added: Option<u32>, place: &Place) {
        self.draft.because(Reason::NoField);
        self.draft.push(Stmt::RejectIf(Cond::AtEnd));
        let (number, _) = self.peek();
        let Kind::Choice { alternatives: types, .. } = self.draft.types.kind(id) else { return self.draft.give_up() };
        let only =
            |is_known| Stmt::Skip(Prim::Fields(Fields::Only), vec![Arg::Num(Num::Var(number)), Arg::Flag(is_known)]);
        let lacks = self.draft.flag();
        let mut arms = Vec::new();
        for one in self.draft.layout.alternatives(alternatives) {
            let at = one.alternative as usize;
            let body = self.block(|walk| {
                let (_, wire_type) = walk.peek();
                walk.once(one.node, lacks, |walk| {
                    walk.named(at, |walk| {
                        walk.single(one.node, wire_type, |walk, content| {
                            let place = walk.choose(id, at, place);
                            walk.content(types[at].type_id, NO_KEY, content, &place);
                        });
                    });
                });
                walk.draft.push(Stmt::ClearFlag(lacks));
            });
            let arm = vec![only(true), Stmt::Loop { condition: Cond::BeforeEnd, body }];
            let number = self.numbers([one.node].into_iter());
            arms.extend(number.first().map(|number| (u64::from(*number), arm)));
        }
        let others = added.map(|added| {
            let args = vec![Arg::Exclusive(place.clone()), Arg::Num(Num::Const(added.into()))];
            vec![only(false), Stmt::Skip(Prim::Fields(Fields::TakeOther), args)]
        });
        self.draft.because(Reason::FieldOfChoice);
        self.draft.push(Stmt::Select { number: Num::Var(number), arms, others });
    }

    /// One field, which is the value.
    pub(super) fn take_wrapped(&mut self, id: TypeId, field: NodeId, place: &Place) {
        let lacks = self.draft.flag();
        let list = self.repeated_of(field).map(|(_, _, bounds, _)| {
            let list = self.draft.variable();
            self.draft.push(Stmt::Refill { list, place: place.clone() });
            (list, bounds)
        });
        let body = self.block(|walk| {
            let (number, wire_type) = walk.peek();
            walk.draft.because(Reason::Field);
            let wanted = walk.numbers([field].into_iter()).first().copied().unwrap_or(0);
            walk.draft.push(Stmt::RejectIf(Cond::Differs(Num::Var(number), wanted.into())));
            match list {
                Some((list, _)) => walk.more_elements(id, list, field, wire_type),
                None => walk.once(field, lacks, |walk| {
                    walk.single(field, wire_type, |walk, content| walk.content(id, NO_KEY, content, place));
                }),
            }
            walk.draft.push(Stmt::ClearFlag(lacks));
        });
        self.draft.push(Stmt::Loop { condition: Cond::BeforeEnd, body });
        match list {
            Some((list, (lower, _))) => {
                self.draft.because(Reason::Size);
                let is_short = Cond::Fewer(Num::Elements(Place::variable(list)), lower);
                self.draft.push_if(lower > 0, Stmt::RejectIf(is_short));
            }
            None => {
                self.draft.because(Reason::Component);
                self.draft.push(Stmt::RejectIf(Cond::Var(lacks)));
            }
        }
    }

    /// A list in fields: its key, its element, its bounds, and whether it is packed.
    fn repeated_of(&self, node: NodeId) -> Option<(u32, NodeId, (u64, u64), bool)> {
        match *self.draft.layout.field(node)? {
            FieldNode::Repeated { key, element, lower, upper, packed } => Some((key, element, (lower, upper), packed)),
            _ => None,
        }
    }

    /// Octets whose size is checked before there are so many.
    pub(super) fn sized_octets(&mut self, bounds: (u64, u64)) -> Var {
        let count = self.length();
        self.draft.reject_if(Cond::size_outside(Num::Var(count), bounds));
        self.slice(count)
    }

    /// The same for bits.
    pub(super) fn sized_bits(&mut self, bounds: (u64, u64)) -> Var {
        let (octets, bits) = (self.draft.variable(), self.draft.variable());
        self.draft.push(Stmt::Read(vec![octets, bits], Prim::Fields(Fields::PeekBits), Vec::new()));
        self.draft.reject_if(Cond::size_outside(Num::Var(bits), bounds));
        self.slice(octets)
    }

    /// Text whose characters are checked before there are so many octets.
    pub(super) fn checked_text(&mut self, alphabet: &[u32], upper: u64) -> Var {
        let count = self.length();
        let args = [Num::Var(count), Num::Const(upper)].map(Arg::Num);
        let args = args.into_iter().chain([Arg::Ranges(alphabet.to_vec())]).collect();
        self.draft.push(Stmt::Skip(Prim::Fields(Fields::CheckText), args));
        self.slice(count)
    }

    fn length(&mut self) -> Var {
        let count = self.draft.variable();
        self.draft.push(Stmt::Read(vec![count], Prim::Fields(Fields::TakeLength), Vec::new()));
        count
    }

    fn slice(&mut self, count: Var) -> Var {
        self.draft.take_slice(Prim::Fields(Fields::Slice), vec![Arg::Num(Num::Var(count))])
    }

    /// The number and the wire type of the next field.
    fn peek(&mut self) -> (Var, Var) {
        let (number, wire_type) = (self.draft.variable(), self.draft.variable());
        self.draft.push(Stmt::Read(vec![number, wire_type], Prim::Fields(Fields::Peek), Vec::new()));
        (number, wire_type)
    }

    fn pass_key(&mut self) {
        self.draft.push(Stmt::Skip(Prim::Fields(Fields::PassKey), Vec::new()));
    }

    fn has_wire_type(&mut self, wire_type: Var, wanted: u8) {
        self.draft.because(Reason::WireType);
        self.draft.push(Stmt::RejectIf(Cond::Differs(Num::Var(wire_type), wanted.into())));
    }
}

impl Part<'_> {
    /// Whether something may be missing where it is passed.
    fn may_lack(&self, walk: &Walk<'_, '_, '_>) -> bool {
        let has_least = walk.repeated_of(self.member.node).is_some_and(|(_, _, (lower, _), _)| lower > 0);
        has_least || self.member.presence == Presence::Mandatory && (self.group.is_some() || self.list.is_none())
    }
}
