//! Streams of events (EXI): values one after the other as in PER, with event codes between them.
//! Codes are constants, except after optional parts.

mod any_event;
mod number;
mod string;
mod structure;

use roadwire_layout::{EventNode, Name, Node, NodeId, Number};
use roadwire_model::TypeId;

use super::{Walk, amount, phase};
use crate::plan::{Amount, Cond, Form, Num, Place, Reason, Str, Stream, Var};
use crate::types::Repr;
use crate::walk::walker::Walker;

/// More bits are not read as one word after their number.
const MOST_BITS_IN_WORD: u64 = 56;

/// The next event code.
#[derive(Clone)]
pub(super) enum Code {
    /// To be written: how many events have been skipped, and the width.
    Known { left_out: u64, bits: u8 },
    /// The same, by numbers that the value decides.
    Told { left_out: Num, bits: Num },
    /// To be read: the required value, and the width.
    Unread { wanted: u64, bits: u8 },
    /// The remaining value, in a variable.
    Read(Var),
    /// It has been read and checked.
    Done,
}

impl<'a, 'm: 'a> Walk<'_, 'a, 'm> {
    pub(super) fn event(&mut self, id: TypeId, node: &EventNode, place: &Place) {
        if self.takes_any_event() {
            return self.any_event(id, node, place);
        }
        match *node {
            EventNode::Document { element, .. } => {
                match self.draft.is_encoder() {
                    true => self.put(amount(Amount::Hex(0x80)), 8),
                    false => self.constant(0x80, 8),
                }
                self.follow(1);
                self.member(id, element, (None, place), false);
            }
            EventNode::Empty { first } => self.follow(first),
            EventNode::Sequence { .. } => self.level(true, |walk| walk.event_sequence(id, node, place)),
            EventNode::Choice { .. } => self.level(true, |walk| walk.event_choice(id, node, place)),
            EventNode::Repeat { .. } => self.level(true, |walk| walk.event_repeat(id, node, place)),
            EventNode::Integer { range, number } if self.draft.types.is_wide(id) => {
                self.wide_event(range, number, place);
            }
            EventNode::Integer { range, number } => self.event_integer(id, range, number, place),
            EventNode::ItemNumber { values, number: Number::Bits { bits, base: 0 }, .. } => {
                self.item_by_number(id, values, bits, place);
            }
            EventNode::ItemNumber { values, number, .. } if self.draft.types.stands_alone() => {
                self.item_of_number(id, values, number, place);
            }
            _ => self.draft.give_up(),
        }
    }

    /// A component or alternative, whose type may be on the heap: a CHOICE without an element is
    /// matched here, and not in a function.
    pub(super) fn in_structure(
        &mut self,
        id: TypeId,
        node: NodeId,
        (at, place): (Option<usize>, &Place),
        is_optional: bool,
    ) {
        let place = self.matched(id, node, place);
        self.member(id, node, (at, &place), is_optional);
    }

    /// Where a component or alternative is matched: in its box, if it is a CHOICE on the heap.
    pub(super) fn matched(&self, id: TypeId, node: NodeId, place: &Place) -> Place {
        let types = self.draft.types;
        let is_choice = matches!(self.draft.layout.node(node), Node::Events(EventNode::Choice { .. }));
        match is_choice && types.is_boxed_type(types.canonical(id)) {
            true => place.unboxed(),
            false => place.clone(),
        }
    }

    /// A part with its element, or without if it is merged into another. An optional part may be a
    /// separate function. It is the component or alternative with a number, if that is known.
    pub(super) fn member(&mut self, id: TypeId, node: NodeId, (at, place): (Option<usize>, &Place), is_optional: bool) {
        let (types, layout) = (self.draft.types, self.draft.layout);
        let id = types.canonical(id);
        match *layout.node(node) {
            Node::Events(EventNode::Element { content, follow, .. }) => {
                self.happen();
                let is_shared = types.is_shared(id, self.is_plain) || self.merged.contains(&content);
                let is_part = types.is_recursive(id) || is_shared;
                self.named_if(at, |walk| {
                    if is_part || is_optional && types.is_function(id) {
                        // It ends with the code of its element's end.
                        walk.call(id, content, place);
                    } else {
                        walk.structure(id, content, place);
                        walk.happen();
                    }
                });
                self.follow(follow);
            }
            Node::Events(EventNode::Leaf { name, value, code, follow }) => {
                self.happen();
                let string = match (layout.node(value), types.repr(id)) {
                    (
                        Node::Events(EventNode::Octets { lower: 0, .. }),
                        Repr::Octets(_) | Repr::OctetString | Repr::LentOctets,
                    ) => Some(Str::Octets(place.clone())),
                    (Node::Events(EventNode::Text { lower: 0, .. }), _) if self.holds_text(id) => {
                        Some(Str::Characters(place.clone()))
                    }
                    _ => None,
                };
                self.named_if(at, |walk| match string.filter(|_| code > 0) {
                    Some(string) => walk.or_empty(string, code, |walk| walk.leaf(id, (name, value), code, place)),
                    None => walk.leaf(id, (name, value), code, place),
                });
                self.follow(follow);
            }
            _ => self.named_if(at, |walk| walk.structure(id, node, place)),
        }
    }

    /// The step of a path to an alternative. The types of an open type come once more, with names;
    /// the last of its alternatives, octets, has none.
    pub(super) fn step(&self, id: TypeId, alternative: usize, all: usize) -> Option<usize> {
        match self.draft.types.is_open(id) {
            true => Some(all + alternative).filter(|_| alternative + 1 < all),
            false => Some(alternative),
        }
    }

    /// Statements of the component or alternative with this number.
    pub(super) fn named_if(&mut self, at: Option<usize>, inside: impl FnOnce(&mut Self)) {
        match at {
            Some(at) => self.named(at, inside),
            None => inside(self),
        }
    }

    /// A value between its codes.
    fn leaf(&mut self, id: TypeId, (name, value): (Name, NodeId), code: u8, place: &Place) {
        self.draft.enter(id);
        if matches!(self.draft.layout.node(value), Node::Events(EventNode::ItemNumber { .. })) {
            self.draft.because(Reason::Item);
        } else {
            self.draft.because(Reason::Size);
        }
        match (*self.draft.layout.node(value), self.draft.types.repr(id)) {
            (Node::Events(EventNode::Bits { lower, upper, trim, .. }), repr @ (Repr::BitWord | Repr::BitString))
                if *repr == Repr::BitString || trim || lower == 0 || lower == upper || upper > MOST_BITS_IN_WORD =>
            {
                self.any_bits(id, Form { lower, upper, trim, code }, place);
            }
            (Node::Events(EventNode::Octets { .. }), Repr::FixedOctets(0)) => self.no_octets(code),
            _ => {
                self.only_event(code);
                self.content_of_leaf(id, (name, value), code, place);
                self.only_event(code);
            }
        }
        self.draft.leave();
    }

    fn content_of_leaf(&mut self, id: TypeId, (name, value): (Name, NodeId), code: u8, place: &Place) {
        match *self.draft.layout.node(value) {
            Node::Events(EventNode::Bits { lower, upper, .. }) => match self.draft.is_encoder() {
                true => self.put_event_bits(id, (lower, upper), code, place),
                false => self.take_event_bits(id, (lower, upper), code, place),
            },
            Node::Events(EventNode::Octets { lower, upper }) => match self.draft.is_encoder() {
                true => self.put_event_octets(id, (lower, upper), place),
                false => self.take_event_octets(id, (lower, upper), place),
            },
            Node::Events(EventNode::Text { lower, upper, alphabet }) => {
                self.event_text(id, (lower, upper), alphabet, name, place);
            }
            Node::Events(EventNode::Real) => self.event_real(place),
            Node::Events(EventNode::Arcs { relative }) => self.event_arcs(relative, place),
            _ => self.structure(id, value, place),
        }
    }

    /// Sets the width of the next event's code.
    pub(super) fn follow(&mut self, bits: u8) {
        self.next = match self.draft.is_encoder() {
            true => Code::Known { left_out: 0, bits },
            false => Code::Unread { wanted: 0, bits },
        };
    }

    /// The code of the next event, which occurs here.
    pub(super) fn happen(&mut self) {
        match self.next.clone() {
            Code::Known { left_out, bits } => self.put(Num::Const(left_out), bits.into()),
            Code::Told { left_out, bits } => self.put_octets(left_out, bits, u16::BITS),
            Code::Unread { wanted, bits } => self.constant(wanted, bits.into()),
            Code::Read(left_out) => self.reject(Cond::Differs(Num::Var(left_out), 0)),
            Code::Done => {}
        }
        self.next = if self.draft.is_encoder() { Code::Known { left_out: 0, bits: 0 } } else { Code::Done };
    }

    /// The code of the only possible event.
    fn only_event(&mut self, bits: u8) {
        self.known(0, bits.into());
    }

    /// A number that is always the same.
    fn known(&mut self, number: u64, bits: u32) {
        match self.draft.is_encoder() {
            true => self.put(Num::Const(number), bits),
            false => self.constant(number, bits),
        }
    }

    pub(super) fn constant(&mut self, wanted: u64, bits: u32) {
        self.phase = phase::advance(self.phase, bits.into());
        self.push(Stream::Constant { wanted, bits });
    }
}
