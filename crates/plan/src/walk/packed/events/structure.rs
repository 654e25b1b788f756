//! SEQUENCE, CHOICE and lists in a stream of events (EXI).

use std::ops::Range;

use roadwire_layout::{EventNode, Layout, Member, NodeId, Presence, Span};
use roadwire_model::{Kind, TypeId};

use super::super::record::{any_sent, sent};
use super::super::{Walk, amount};
use super::Code;
use crate::plan::{Amount, Codes, Component, Cond, Element, Event, Int, Num, Place, Reason, Repeat, Stmt, Stream, Var};
use crate::types::{Repr, Storage};
use crate::walk::walker::Walker;

impl<'a, 'm: 'a> Walk<'_, 'a, 'm> {
    pub(super) fn event_sequence(&mut self, id: TypeId, node: &EventNode, place: &Place) {
        let (layout, types) = (self.draft.layout, self.draft.types);
        let (EventNode::Sequence { members, groups, first, extensible, .. }, Kind::Sequence { .. }) =
            (*node, types.kind(id))
        else {
            return self.draft.give_up();
        };
        let is_encoder = self.draft.is_encoder();
        if is_encoder {
            self.reject_rare(id, extensible, place);
        } else if extensible {
            self.draft.push(Stmt::ForgetUnknown(place.clone()));
        }
        first.into_iter().for_each(|bits| self.follow(bits));
        let members = layout.members(members);
        let groups = layout.numbers(groups).chunks_exact(2).map(|pair| pair[0] as usize..(pair[0] + pair[1]) as usize);
        let groups: Vec<Group> = groups
            .map(|of| Group { lacking: mandatory(id, &members[of.clone()], place), begun: self.variable(), of })
            .collect();
        for (order, member) in members.iter().enumerate() {
            let (one, field) = place.member(id, member);
            let group = groups.iter().find(|group| group.of.contains(&order));
            if group.is_none() && member.presence == Presence::Mandatory {
                self.in_structure(types.component(one).type_id, member.node, (Some(one.at), &field), false);
                continue;
            }
            match is_encoder {
                true if self.is_plain => {
                    self.reject(Cond::Sent(one, field));
                    self.leave_out();
                }
                true => {
                    let others = group.filter(|_| member.presence == Presence::Mandatory);
                    let others = others.map(|group| any_sent(id, &members[group.of.clone()], place));
                    self.put_optional(one, member.node, others, field);
                }
                false if self.is_plain => {
                    if let Code::Unread { wanted, .. } = &mut self.next {
                        *wanted += 1;
                    }
                    self.draft.push(Stmt::SetAbsent(one, field));
                }
                false => self.take_grouped(one, member.node, (group, order), field),
            }
        }
    }

    /// `others`: whether anything of the addition group is sent that needs this component.
    fn put_optional(&mut self, one: Component, node: NodeId, others: Option<Cond>, field: Place) {
        let component = self.draft.component(one);
        let (left_out, bits) = self.variables_of_next();
        self.settle();
        let (inner, content) = self.draft.sent_content(one, &field);
        let then = self.block(|walk| {
            walk.in_structure(component.type_id, node, (Some(one.at), &content), true);
            walk.settle();
            let follow = if let Code::Known { bits, .. } = walk.next { bits } else { 0 };
            walk.push(Stream::Assign(left_out, Num::Const(0)));
            walk.push(Stream::Assign(bits, Num::Const(follow.into())));
        });
        let mut otherwise = self.block(|walk| {
            if let Some(lacks) = others {
                walk.named(one.at, |walk| {
                    walk.draft.because(Reason::Component);
                    walk.reject(lacks);
                });
            }
        });
        otherwise.push(Stmt::Stream(Stream::Increment(left_out)));
        self.push(Stream::IfSentElse { component: one, place: field, inner, then, otherwise });
        self.next = Code::Told { left_out: Num::Var(left_out), bits: Num::Var(bits) };
    }

    /// An optional component, perhaps one of an addition group, whose mandatory components have to
    /// be there if anything of it is.
    fn take_grouped(&mut self, one: Component, node: NodeId, (group, order): (Option<&Group>, usize), field: Place) {
        let group = group.filter(|group| !group.lacking.is_empty());
        let begun = group.map(|group| group.begun);
        if let Some(begun) = begun.filter(|_| group.is_some_and(|group| group.of.start == order)) {
            self.draft.push(Stmt::LetMut(begun, Num::Const(0)));
        }
        self.take_optional(one, node, begun, field);
        if let Some(Group { lacking, begun, .. }) = group.filter(|group| group.of.end == order + 1) {
            let begun = Cond::Differs(Num::Var(*begun), 0);
            self.reject(Cond::All(vec![begun, Cond::Any(lacking.clone())]));
        }
    }

    fn take_optional(&mut self, one: Component, node: NodeId, begun: Option<Var>, field: Place) {
        let type_id = self.draft.component(one).type_id;
        let left_out = self.variable_of_next();
        self.settle();
        let then = self.block(|walk| {
            walk.next = Code::Done;
            let content = walk.draft.present(one, &field);
            walk.in_structure(type_id, node, (Some(one.at), &content), true);
            let bits = if let Code::Unread { bits, .. } = walk.next { bits } else { 0 };
            let code = walk.take(bits.into());
            walk.push(Stream::Assign(left_out, Num::Var(code)));
            begun.into_iter().for_each(|begun| walk.push(Stream::Assign(begun, Num::Const(1))));
            walk.settle();
        });
        let otherwise = Some(vec![Stmt::Stream(Stream::Subtract(left_out, 1)), Stmt::SetAbsent(one, field)]);
        self.draft.push(Stmt::If { condition: Cond::Equals(Num::Var(left_out), 0), then, otherwise });
        self.next = Code::Read(left_out);
    }

    pub(super) fn event_choice(&mut self, id: TypeId, node: &EventNode, place: &Place) {
        let (layout, types) = (self.draft.layout, self.draft.types);
        let EventNode::Choice { alternatives, starts, first, octets } = *node else { return self.draft.give_up() };
        let ways = layout.alternatives(alternatives);
        let octets = match octets {
            Some(octets) if !types.is_open(id) => return self.only_octets(id, octets, (ways.len(), first), place),
            octets => octets,
        };
        let (Repr::Choice, Kind::Choice { alternatives: all, extensible }) = (types.repr(id), types.kind(id)) else {
            return self.draft.give_up();
        };
        if self.is_plain && octets.is_some() {
            // It would be in both functions.
            return self.draft.push(Stmt::GiveUp);
        }
        let starts = first_codes(layout, starts, ways.len() + usize::from(octets.is_some()));
        let ways = ways.iter().map(|way| (way.alternative as usize, way.node));
        // An open type has octets as its last alternative.
        let ways = ways.chain(octets.map(|node| (all.len() - 1, node)));
        let ways: Vec<_> = ways.map(|(at, node)| (at, all[at].type_id, node)).collect();
        match self.draft.is_encoder() {
            true => self.put_event_choice(id, (ways, *extensible), &starts, first, place),
            false => self.take_event_choice(id, ways, &starts, first, place),
        }
    }

    /// A string that contains a type of which generated types have no value, or an open type that
    /// is octets in memory: the last of the alternatives.
    fn only_octets(&mut self, id: TypeId, node: NodeId, (alternatives, first): (usize, Option<u8>), place: &Place) {
        first.into_iter().for_each(|bits| self.follow(bits));
        match &mut self.next {
            Code::Known { left_out: before, .. } | Code::Unread { wanted: before, .. } => {
                *before += alternatives as u64
            }
            _ => return self.draft.give_up(),
        }
        self.member(id, node, (None, place), false);
    }

    fn put_event_choice(
        &mut self,
        id: TypeId,
        (ways, has_others): (Vec<(usize, TypeId, NodeId)>, bool),
        starts: &[u64],
        first: Option<u8>,
        place: &Place,
    ) {
        let types = self.draft.types;
        first.into_iter().for_each(|bits| self.follow(bits));
        if let (true, Some((alternative, content, node))) = (self.is_plain, ways.first().copied()) {
            let inner = self.variable();
            self.push(Stream::Bind { id, alternative, place: place.clone(), inner });
            self.draft.push(Stmt::MayBeUnused(inner));
            return self.in_structure(content, node, (None, &Place::reference(inner)), false);
        }
        self.settle();
        let (is_open, all) = (types.is_open(id), ways.len());
        let (next, mut behind) = (self.next.clone(), Code::Known { left_out: 0, bits: 0 });
        let mut arms = Vec::new();
        for ((alternative, content, node), codes) in ways.into_iter().zip(starts.windows(2)) {
            let (inner, step) = (self.variable(), self.step(id, alternative, all));
            let arm = self.block(|walk| {
                walk.draft.push(Stmt::MayBeUnused(inner));
                walk.next = walk.next_of_alternative(&next, codes[0], codes[1] - codes[0] == 1);
                let place = Place::reference(inner);
                walk.in_structure(content, node, (step, &place), is_open || types.has_list(content));
            });
            arms.push((alternative, inner, arm));
            behind = self.next.clone();
        }
        self.draft.push(Stmt::Switch { id, place: place.clone(), arms, has_others });
        self.next = behind;
    }

    fn take_event_choice(
        &mut self,
        id: TypeId,
        ways: Vec<(usize, TypeId, NodeId)>,
        starts: &[u64],
        first: Option<u8>,
        place: &Place,
    ) {
        let is_each_an_element = starts.windows(2).all(|codes| codes[1] - codes[0] == 1);
        if let (true, Some((alternative, content, node))) = (self.is_plain, ways.first().copied()) {
            first.into_iter().for_each(|bits| self.follow(bits));
            if is_each_an_element {
                self.happen();
            }
            self.push(Stream::Flush);
            let content_place = self.choose(id, alternative, place);
            return self.in_structure(content, node, (None, &content_place), false);
        }
        let index = match first {
            Some(bits) if is_each_an_element => self.take(bits.into()),
            Some(bits) => {
                self.follow(bits);
                self.variable_of_next()
            }
            None => self.variable_of_next(),
        };
        self.settle();
        let is_open = self.draft.types.is_open(id);
        let (before, mut behind) = (self.phase, Code::Done);
        let mut arms = Vec::new();
        for ((alternative, content, node), codes) in ways.into_iter().zip(starts.windows(2)) {
            let (start, last) = (codes[0], codes[1] - 1);
            self.phase = before;
            let arm = self.block(|walk| {
                walk.next = if start == last {
                    Code::Done
                } else {
                    walk.push(Stream::Subtract(index, start));
                    Code::Read(index)
                };
                let inner = walk.choose(id, alternative, place);
                let is_optional = is_open || walk.draft.types.has_list(content);
                walk.in_structure(content, node, (None, &inner), is_optional);
                walk.settle();
            });
            arms.push((start, last, arm));
            behind = self.next.clone();
        }
        self.push(Stream::Match { number: Num::Var(index), is_hex: false, arms, others: None });
        self.next = behind;
    }

    pub(super) fn event_repeat(&mut self, id: TypeId, node: &EventNode, place: &Place) {
        match self.draft.is_encoder() {
            true => self.put_event_list(id, node, place),
            false => self.take_event_list(id, node, place),
        }
    }

    fn put_event_list(&mut self, id: TypeId, node: &EventNode, place: &Place) {
        let (
            EventNode::Repeat { lower, upper, element: node, events, single, either, last, bounded },
            &Repr::List { element, .. },
        ) = (*node, self.draft.types.repr(id))
        else {
            return self.draft.give_up();
        };
        let count = self.draft.named(Num::Elements(place.clone()).to(Int::U64));
        self.draft.because(Reason::Size);
        self.reject(Cond::NotWithin(Num::Var(count), (lower, upper)));
        self.settle();
        let (at, item) = (self.variable(), self.variable());
        self.next = match lower {
            0 => Code::Known { left_out: 0, bits: either },
            _ if lower == upper => Code::Known { left_out: 0, bits: single },
            _ => {
                let chosen = Amount::Chosen { var: at, is_below: true, bound: lower, yes: single, no: either };
                Code::Told { left_out: Num::Const(0), bits: amount(chosen) }
            }
        };
        let body = self.block(|walk| walk.member(element, node, (None, &Place::reference(item)), true));
        self.push(Stream::Enumerated { at, item, place: place.clone(), body });
        self.next = if !bounded {
            Code::Known { left_out: events.into(), bits: either }
        } else if lower == upper {
            Code::Known { left_out: 0, bits: last }
        } else {
            let left_out = Amount::NotAt { var: count, bound: upper, times: events };
            let chosen = Amount::Chosen { var: count, is_below: false, bound: upper, yes: last, no: either };
            Code::Told { left_out: amount(left_out), bits: amount(chosen) }
        };
    }

    fn take_event_list(&mut self, id: TypeId, node: &EventNode, place: &Place) {
        let types = self.draft.types;
        let (
            EventNode::Repeat { lower, upper, element: node, events, single, either, last, bounded },
            &Repr::List { element, storage },
        ) = (*node, types.repr(id))
        else {
            return self.draft.give_up();
        };
        // Elements of no bits cost an attacker nothing; the interpreter counts them.
        let has_no_bits = single == 0 && self.draft.properties.node(node).fewest == 0;
        if !matches!(storage, Storage::Inline(_)) && has_no_bits {
            return self.draft.give_up();
        }
        self.settle();
        let (list, item, at) = (self.variable(), self.variable(), self.variable());
        let element = types.canonical(element);
        let (code, width) = (self.variable(), self.variable());
        self.next = if events == 1 { Code::Done } else { Code::Read(code) };
        let to = self.draft.element(element, item);
        let body = self.block(|walk| {
            walk.push(Stream::InWord { taken: single.max(either).into() });
            walk.member(element, node, (None, &to), !types.is_flat(element));
            walk.settle();
        });
        let (element, place) = (Element { list, list_id: id, id: element, item, fewest: 0 }, place.clone());
        let (codes, is_bounded) = (Codes { lower, upper, single, either, last, events }, bounded);
        let repeat = Repeat { element, place, at, code, width, codes, is_bounded, body };
        self.push(Stream::Event(Event::Repeat(Box::new(repeat))));
        self.next = Code::Done;
    }

    /// Skips one more possible event.
    fn leave_out(&mut self) {
        match &mut self.next {
            Code::Known { left_out, .. } => *left_out += 1,
            Code::Told { left_out: Num::Var(left_out), .. } => {
                let left_out = *left_out;
                self.push(Stream::Increment(left_out));
            }
            _ => {}
        }
    }

    /// The next code in an alternative whose first code is `start`, where `next` is that of the
    /// first alternative.
    fn next_of_alternative(&mut self, next: &Code, start: u64, is_element: bool) -> Code {
        match next.clone() {
            Code::Known { left_out, bits } => Code::Known { left_out: left_out + start, bits },
            Code::Told { left_out, bits } if is_element => {
                Code::Told { left_out: amount(Amount::Plus(left_out, start)), bits }
            }
            Code::Told { left_out, bits } => {
                let variables = (self.variable(), self.variable());
                let left_out = amount(Amount::Plus(left_out, start));
                self.push(Stream::LetCode { variables, left_out, bits });
                Code::Told { left_out: Num::Var(variables.0), bits: Num::Var(variables.1) }
            }
            other => other,
        }
    }

    /// Puts the next code into variables that change.
    fn variables_of_next(&mut self) -> (Var, Var) {
        match self.next.clone() {
            Code::Told { left_out: Num::Var(left_out), bits: Num::Var(bits) } => (left_out, bits),
            Code::Known { left_out, bits } => {
                let variables = (self.variable(), self.variable());
                self.settle();
                let (left_out, bits) = (Num::Const(left_out), Num::Const(bits.into()));
                self.push(Stream::LetCode { variables, left_out, bits });
                self.next = Code::Told { left_out: Num::Var(variables.0), bits: Num::Var(variables.1) };
                variables
            }
            // A list or an alternative ends before an optional component, and leaves a constant.
            _ => (self.variable(), self.variable()),
        }
    }

    /// Puts the next code into a variable that changes.
    fn variable_of_next(&mut self) -> Var {
        if let Code::Read(left_out) = self.next {
            return left_out;
        }
        let bits = if let Code::Unread { bits, .. } = self.next { bits } else { 0 };
        let code = self.take(bits.into());
        self.settle();
        let left_out = self.variable();
        self.draft.push(Stmt::LetMut(left_out, Num::Var(code)));
        left_out
    }
}

/// The first code of each alternative of a CHOICE, and their number; `starts` as in
/// [`EventNode::Choice`].
pub(super) fn first_codes(layout: &Layout, starts: Span, alternatives: usize) -> Vec<u64> {
    match layout.numbers(starts) {
        [] => (0..=alternatives as u64).collect(),
        starts => starts.iter().map(|start| u64::from(*start)).collect(),
    }
}

/// An addition group that is read.
struct Group {
    /// Its members.
    of: Range<usize>,
    /// A condition for each mandatory component of a group: that it is absent. If one holds, the
    /// group must be absent.
    lacking: Vec<Cond>,
    /// A variable that is 1 when a component of it has been read.
    begun: Var,
}

/// For each of the members that is mandatory, whether it is absent.
fn mandatory(id: TypeId, members: &[Member], place: &Place) -> Vec<Cond> {
    let mandatory = members.iter().filter(|member| member.presence == Presence::Mandatory);
    mandatory.map(|member| Cond::Not(Box::new(sent(id, member.component as usize, place)))).collect()
}
