//! Decoders of thorough plans: the next event is in a variable, as in the interpreter.

use std::ops::Range;

use roadwire_layout::{EventNode, Family, Member, Name, Node, NodeId, Number, Presence, Span};
use roadwire_model::{Kind, TypeId};

use super::super::{Walk, amount};
use super::structure::first_codes;
use crate::plan::{
    Amount, Arg, Cond, Element, Event, Events, Int, Mover, Num, Place, Prim, Reason, Stmt, Str, Stream, Value, Var,
};
use crate::types::Repr;
use crate::walk::walker::Walker;

impl<'a, 'm: 'a> Walk<'_, 'a, 'm> {
    /// Whether any event may come.
    pub(in super::super) fn takes_any_event(&self) -> bool {
        self.draft.is_thorough && !self.draft.is_encoder() && self.draft.layout.rules.family() == Family::Events
    }

    /// The variable for the next event.
    pub(in super::super) fn begin_events(&mut self) {
        let layout = self.draft.layout;
        let is_strict = match *layout.node(layout.root) {
            Node::Events(EventNode::Document { strict, .. }) if self.takes_any_event() => strict,
            _ => return,
        };
        self.act_event(Events::Begin, vec![Arg::Flag(is_strict)]);
    }

    /// The end of an element whose content is a function.
    pub(in super::super) fn end_events(&mut self, node: NodeId) {
        let is_content = !matches!(self.draft.layout.node(node), Node::Events(EventNode::Document { .. }));
        if is_content && self.takes_any_event() {
            self.happens(true);
        }
    }

    pub(super) fn any_event(&mut self, id: TypeId, node: &EventNode, place: &Place) {
        match *node {
            EventNode::Document { element, .. } => {
                self.act_event(Events::Document, Vec::new());
                self.any_member(id, element, place, false);
            }
            EventNode::Empty { first } => self.expects(first, true),
            EventNode::Sequence { .. } => self.level(true, |walk| walk.any_sequence(id, node, place)),
            EventNode::Choice { .. } => self.level(true, |walk| walk.any_choice(id, node, place)),
            EventNode::Repeat { .. } => self.level(true, |walk| walk.any_repeat(id, node, place)),
            EventNode::Integer { range, number } if self.draft.types.is_wide(id) => {
                self.wide_event(range, number, place);
            }
            EventNode::Integer { range, number } => self.any_integer(id, range, number, place),
            EventNode::ItemNumber { values, number: Number::Bits { bits, base: 0 }, .. } => {
                self.draft.because(Reason::ItemNumber);
                self.item_by_number(id, values, bits, place);
            }
            EventNode::ItemNumber { values, number, .. } => {
                self.draft.because(Reason::ItemNumber);
                self.item_of_number(id, values, number, place);
            }
            _ => self.draft.give_up(),
        }
    }

    /// A component or alternative, whose type may be on the heap.
    fn any_part(&mut self, id: TypeId, node: NodeId, place: &Place, is_optional: bool) {
        let place = self.matched(id, node, place);
        self.any_member(id, node, &place, is_optional);
    }

    /// A part with its element, or without if it is merged into another.
    fn any_member(&mut self, id: TypeId, node: NodeId, place: &Place, is_optional: bool) {
        let (types, layout) = (self.draft.types, self.draft.layout);
        let id = types.canonical(id);
        match *layout.node(node) {
            Node::Events(EventNode::Element { content, follow, .. }) => {
                self.happens(false);
                let is_shared = types.is_shared(id, false) || self.merged.contains(&content);
                if types.is_recursive(id) || is_shared || is_optional && types.is_function(id) {
                    self.call(id, content, place);
                } else {
                    self.structure(id, content, place);
                    self.happens(true);
                }
                self.expects(follow, false);
            }
            Node::Events(EventNode::Leaf { name, value, code, follow }) => {
                self.happens(false);
                self.within(id, |walk| walk.any_leaf(id, (name, value), code, place));
                self.expects(follow, false);
            }
            _ => self.structure(id, node, place),
        }
    }

    /// A value with the codes in its element.
    fn any_leaf(&mut self, id: TypeId, of: (Name, NodeId), code: u8, place: &Place) {
        if let Node::Events(EventNode::Bits { lower, upper, trim, .. }) = *self.draft.layout.node(of.1) {
            return self.any_coded_bits(id, (lower, upper, trim), code, place);
        }
        if code == 0 {
            return self.any_content(id, of, place);
        }
        self.expects(code, true);
        let full = |walk: &mut Self| {
            walk.happens(false);
            walk.any_content(id, of, place);
            walk.expects(code, false);
            walk.happens(true);
            walk.settle();
        };
        let bounds = match *self.draft.layout.node(of.1) {
            Node::Events(EventNode::Octets { lower, upper } | EventNode::Text { lower, upper, .. }) => (lower, upper),
            _ => return full(self),
        };
        let ends = self.variable();
        self.settle();
        self.draft.push(Stmt::Read(vec![ends], Prim::Events(Events::EndsEmpty), Vec::new()));
        let then = self.block(|walk| {
            walk.draft.because(Reason::Size);
            if bounds.0 > 0 {
                walk.draft.push(Stmt::RejectIf(Cond::True));
                return walk.settle();
            }
            let string = match walk.draft.types.repr(id) {
                Repr::FixedOctets(_) => return,
                Repr::Text(_) | Repr::String | Repr::LentText => Str::Characters(place.clone()),
                _ => Str::Octets(place.clone()),
            };
            walk.act_event(Events::Empty, vec![Arg::Octets(string)]);
        });
        let otherwise = Some(self.block(full));
        self.draft.push(Stmt::If { condition: Cond::Var(ends), then, otherwise });
    }

    fn any_content(&mut self, id: TypeId, (name, value): (Name, NodeId), place: &Place) {
        match *self.draft.layout.node(value) {
            Node::Events(EventNode::Octets { lower, upper }) => self.any_event_octets(id, (lower, upper), place),
            Node::Events(EventNode::Text { lower, upper, alphabet }) => {
                self.any_text(id, (lower, upper), alphabet, name, place);
            }
            Node::Events(EventNode::Arcs { relative }) if self.draft.types.stands_alone() => {
                self.event_arcs(relative, place);
            }
            Node::Events(EventNode::Real) if self.draft.types.stands_alone() => self.event_real(place),
            Node::Events(EventNode::Real | EventNode::Arcs { .. }) => self.draft.give_up(),
            _ => self.structure(id, value, place),
        }
        self.settle();
    }

    fn any_sequence(&mut self, id: TypeId, node: &EventNode, place: &Place) {
        let (layout, types) = (self.draft.layout, self.draft.types);
        let (EventNode::Sequence { members, groups, first, extensible, .. }, Kind::Sequence { .. }) =
            (*node, types.kind(id))
        else {
            return self.draft.give_up();
        };
        self.settle();
        self.draft.push_if(extensible, Stmt::ForgetUnknown(place.clone()));
        first.into_iter().for_each(|bits| self.expects(bits, true));
        let members = layout.members(members);
        let groups: Vec<_> = layout.groups(groups).collect();
        let group_of = |order: usize| groups.iter().find(|group| group.contains(&order));
        let lacks: Vec<Option<Var>> = (0..members.len()).map(|order| group_of(order).map(|_| self.flag())).collect();
        for (order, member) in members.iter().enumerate() {
            let (one, field) = place.member(id, member);
            let (type_id, group) = (types.component(one).type_id, group_of(order));
            if group.is_none() && member.presence == Presence::Mandatory {
                self.named(one.at, |walk| walk.any_part(type_id, member.node, &field, false));
                continue;
            }
            self.settle();
            let then = vec![Stmt::Do(Prim::Events(Events::Skip), Vec::new()), Stmt::SetAbsent(one, field.clone())];
            let otherwise = self.block(|walk| {
                let before = group.map_or(order..order, |group| group.start..order);
                walk.has_all(members, before, &lacks, None);
                lacks[order].into_iter().for_each(|lacks| walk.draft.push(Stmt::ClearFlag(lacks)));
                walk.named(one.at, |walk| {
                    let content = walk.draft.present(one, &field);
                    walk.any_part(type_id, member.node, &content, true);
                });
            });
            self.draft.push(Stmt::If { condition: Cond::SkipsEvents, then, otherwise: Some(otherwise) });
            if let Some(group) = group.filter(|group| group.end == order + 1) {
                let has = |at: usize| lacks[at].map(|lacks| Cond::Not(Box::new(Cond::Var(lacks))));
                let begun = Cond::either(group.clone().filter_map(has).collect());
                self.has_all(members, group.clone(), &lacks, Some(begun));
            }
        }
        self.settle();
    }

    /// Rejects members that are mandatory and absent, under a condition.
    fn has_all(&mut self, members: &[Member], range: Range<usize>, lacks: &[Option<Var>], when: Option<Cond>) {
        for order in range.filter(|order| members[*order].presence == Presence::Mandatory) {
            let Some(lacks) = lacks[order].map(Cond::Var) else { continue };
            let is_lacking = Cond::All(when.iter().cloned().chain([lacks]).collect());
            self.named(members[order].component as usize, |walk| {
                walk.draft.because(Reason::Component);
                walk.reject(is_lacking);
            });
        }
    }

    fn any_choice(&mut self, id: TypeId, node: &EventNode, place: &Place) {
        let (layout, types) = (self.draft.layout, self.draft.types);
        let EventNode::Choice { alternatives, starts, first, octets } = *node else { return self.draft.give_up() };
        first.into_iter().for_each(|bits| self.expects(bits, true));
        let ways = layout.alternatives(alternatives);
        let count = ways.len() + usize::from(octets.is_some());
        let starts: Vec<u32> = match starts.count {
            0 => Vec::new(),
            _ => first_codes(layout, starts, count).into_iter().map(|code| code as u32).collect(),
        };
        let which = self.variable();
        self.settle();
        self.draft.push(Stmt::Read(vec![which], Prim::Events(Events::Select), vec![Arg::Ranges(starts)]));
        let number = Num::Var(which);
        let args = vec![Arg::Num(number.clone()), Arg::Num(Num::Const(count as u64))];
        let others = vec![Stmt::Do(Prim::Events(Events::NotSelected), args)];
        let mut arms = Vec::new();
        match octets {
            // A string that contains a type, or an open type that is octets in memory.
            Some(octets) if !types.is_open(id) => {
                let last = ways.len() as u64;
                if last > 0 {
                    self.draft.reject_rare(Cond::Fewer(number.clone(), last));
                    self.settle();
                }
                arms.push((last, self.block(|walk| walk.any_member(id, octets, place, false))));
            }
            octets => {
                let (Repr::Choice, Kind::Choice { alternatives: all, .. }) = (types.repr(id), types.kind(id)) else {
                    return self.draft.give_up();
                };
                let ways = ways.iter().map(|way| (way.alternative as usize, way.node));
                // An open type has octets as its last alternative.
                let ways = ways.chain(octets.map(|node| (all.len() - 1, node)));
                for (order, (at, node)) in (0..).zip(ways) {
                    let content = all[at].type_id;
                    let is_optional = types.is_open(id) || types.has_list(content);
                    let take = |walk: &mut Self| {
                        let inner = walk.choose(id, at, place);
                        walk.any_part(content, node, &inner, is_optional);
                    };
                    let step = self.step(id, at, all.len());
                    let arm = self.block(|walk| walk.named_if(step, take));
                    arms.push((order, arm));
                }
            }
        }
        self.draft.push(Stmt::Select { number, arms, others: Some(others) });
    }

    fn any_repeat(&mut self, list_id: TypeId, node: &EventNode, place: &Place) {
        let (
            EventNode::Repeat { lower, upper, element: node, events, single, either, last, bounded },
            &Repr::List { element, .. },
        ) = (*node, self.draft.types.repr(list_id))
        else {
            return self.draft.give_up();
        };
        let (list, id, more) = (self.variable(), self.draft.types.canonical(element), self.flag());
        self.settle();
        self.draft.push(Stmt::Refill { list, place: place.clone() });
        let body = self.block(|walk| {
            let at = Num::Elements(Place::variable(list)).to(Int::U64);
            let codes = [lower, upper, events.into(), single.into(), either.into(), last.into()];
            let codes = codes.map(|number| Arg::Num(Num::Const(number))).into_iter().chain([Arg::Flag(bounded)]);
            let args = [Arg::Num(Num::Var(more)), Arg::Num(at)].into_iter().chain(codes).collect();
            walk.act_event(Events::Element, args);
            let item = walk.variable();
            let to = walk.draft.element(id, item);
            let is_flat = walk.draft.types.is_flat(id);
            let body = walk.block(|walk| {
                walk.any_member(id, node, &to, !is_flat);
                walk.settle();
            });
            let element = Element { list, list_id, id, item, fewest: 0 };
            let then = vec![Stmt::Times { count: Num::Const(1), element, body }];
            walk.draft.push(Stmt::If { condition: Cond::Var(more), then, otherwise: None });
        });
        self.draft.push(Stmt::Loop { condition: Cond::Var(more), body });
    }

    fn any_integer(&mut self, id: TypeId, range: NodeId, number: Number, place: &Place) {
        let (Some(int), Some([lower, upper])) = (
            self.draft.types.int(id).filter(|int| int.bits <= 64),
            self.draft.layout.range(self.draft.layout.node(range)),
        ) else {
            return self.draft.give_up();
        };
        self.draft.because(Reason::Integer);
        let signed = number == Number::Signed || matches!(number, Number::Bits { base, .. } if base < 0);
        let held = if signed { Int::I64 } else { Int::U64 };
        let found = match number {
            Number::Bits { bits, base } => {
                let bits = self.take(bits.into());
                self.settle();
                let with_base = amount(Amount::WithBase(bits, base.into()));
                self.draft.named(with_base)
            }
            _ => {
                let var = self.variable();
                let flags = [signed, lower.is_some(), upper.is_some()].map(Arg::Flag).to_vec();
                self.settle();
                self.draft.push(Stmt::Read(vec![var], Prim::Events(Events::Integer), flags));
                var
            }
        };
        let (least, most) = int.bounds();
        let bounds = (lower.map_or(least, |lower| lower.max(least)), upper.map_or(most, |upper| upper.min(most)));
        self.draft.reject_if(Cond::bare_outside(Num::Var(found), bounds, held.bounds()));
        self.settle();
        self.set(place, Value::Integer(id, Num::Var(found).to(int)));
        self.settle();
    }

    fn any_coded_bits(&mut self, id: TypeId, (lower, upper, trim): (u64, u64, bool), code: u8, place: &Place) {
        let size = [lower, upper].map(|bound| Arg::Num(Num::Const(bound)));
        let args: Vec<Arg> = size.into_iter().chain([Arg::Flag(trim), Arg::Num(Num::Const(code.into()))]).collect();
        self.settle();
        match *self.draft.types.repr(id) {
            Repr::BitFlags { bits, .. } if lower == upper && upper == u64::from(bits) => {
                let found = self.variable();
                self.draft.push(Stmt::Read(vec![found], Prim::Events(Events::Bits), args));
                self.set(place, Value::Flags(id, Num::Var(found)));
                self.settle();
            }
            Repr::BitWord | Repr::BitString => {
                let args = [Arg::Exclusive(place.clone())].into_iter().chain(args).collect();
                self.draft.push(Stmt::Do(Prim::Events(Events::Bits), args));
            }
            _ => self.draft.give_up(),
        }
    }

    fn any_event_octets(&mut self, id: TypeId, bounds: (u64, u64), place: &Place) {
        let count = self.read_event(Events::Octets);
        self.draft.because(Reason::Size);
        self.draft.reject_if(Cond::size_outside(Num::Var(count), bounds));
        self.settle();
        let (place, count) = (place.clone(), Num::Var(count));
        match self.draft.types.repr(id) {
            Repr::FixedOctets(0) => {}
            Repr::FixedOctets(_) => self.act(Mover::TakeArray, vec![Arg::Exclusive(place)]),
            Repr::LentOctets => self.push(Stream::TakeOctets { id, place, count }),
            Repr::Octets(_) => self.push(Stream::TakeInline { place, count }),
            _ => self.draft.give_up(),
        }
    }

    fn any_text(&mut self, id: TypeId, bounds: (u64, u64), alphabet: Span, partition: Name, place: &Place) {
        let layout = self.draft.layout;
        let partition = self.draft.strings.is_table().then(|| layout.name(partition).to_owned());
        self.draft.uses_strings |= partition.is_some();
        let number = self.read_event(Events::Groups);
        if partition.is_none() {
            self.draft.because(Reason::StringPlace);
            self.reject(Cond::Fewer(Num::Var(number), 2));
        }
        self.draft.because(Reason::Size);
        if partition.is_none() {
            let bounds = (bounds.0 + 2, bounds.1.saturating_add(2));
            self.reject(Cond::NotWithin(Num::Var(number), bounds));
        }
        self.settle();
        let (alphabet, place) = (layout.numbers(alphabet).to_vec(), place.clone());
        self.push(Stream::Event(Event::TakeText { id, place, number, alphabet, bounds, partition }));
    }

    fn read_event(&mut self, by: Events) -> Var {
        let var = self.variable();
        self.settle();
        self.draft.push(Stmt::Read(vec![var], Prim::Events(by), Vec::new()));
        var
    }

    fn expects(&mut self, bits: u8, is_first: bool) {
        self.act_event(Events::Expect, vec![Arg::Num(Num::Const(bits.into())), Arg::Flag(is_first)]);
    }

    fn happens(&mut self, is_end: bool) {
        self.act_event(Events::Happens, vec![Arg::Flag(is_end)]);
    }

    fn act_event(&mut self, by: Events, args: Vec<Arg>) {
        self.settle();
        self.draft.push(Stmt::Do(Prim::Events(by), args));
    }

    fn flag(&mut self) -> Var {
        self.settle();
        self.draft.flag()
    }
}
