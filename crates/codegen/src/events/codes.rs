//! Streams of events (EXI): the walk shared by encoders and decoders.

use std::collections::HashSet;

use roadwire_layout::{EventNode, Layout, Node, NodeId, Number, Span};
use roadwire_model::TypeId;

use crate::packed::run::Place;
use crate::source::Source;
use crate::types::{Repr, Types, bounds};

/// More octets than any string that is encoded here.
pub(crate) const MOST_OCTETS: u64 = 1 << 40;

/// A writer of encoders or decoders.
pub(crate) trait Events<'a, 'm: 'a> {
    fn types(&self) -> &'a Types<'m>;
    fn layout(&self) -> &'a Layout;
    fn out(&mut self) -> &mut Source;

    /// How many levels of nesting surround the current part.
    fn depth(&mut self) -> &mut u32;

    /// Whether it is for plain values only.
    fn is_plain(&self) -> bool;

    /// Contents of elements that are separate functions because of the elements merged into them.
    fn merged(&self) -> &'a HashSet<NodeId>;

    /// The octet in front of all events.
    fn header(&mut self);

    /// Sets the width of the next event's code.
    fn follow(&mut self, bits: u8);

    /// The code of the next event, which occurs here.
    fn happen(&mut self);

    /// The code of the only possible event.
    fn only_event(&mut self, bits: u8);

    fn event_sequence(&mut self, id: TypeId, node: &EventNode, place: &Place);
    fn event_choice(&mut self, id: TypeId, node: &EventNode, place: &Place);
    fn event_repeat(&mut self, id: TypeId, node: &EventNode, place: &Place);
    fn event_integer(&mut self, id: TypeId, range: NodeId, number: Number, place: &Place);
    fn item_by_number(&mut self, id: TypeId, values: Span, bits: u8, place: &Place);

    /// A bit string, as octets after their number; if `code` is not 0, with a code of this width in front of both.
    fn event_bits(&mut self, id: TypeId, bounds: [u64; 2], trim: bool, code: u8, place: &Place);

    /// Octets after their number.
    fn event_octets(&mut self, id: TypeId, bounds: [u64; 2], place: &Place);

    /// Characters after their number.
    fn event_text(&mut self, id: TypeId, bounds: [u64; 2], alphabet: Span, place: &Place);

    /// A string whose element ends at once if it is empty (§8.5.4.4.1), by the second value of a code of `code` bits and a code after it; otherwise `full` writes it.
    fn or_empty(&mut self, string: &str, code: u8, full: impl FnOnce(&mut Self));

    /// A value that is not an event.
    fn other(&mut self, id: TypeId, node: NodeId, place: &Place);

    /// Calls the part's separate function.
    fn call(&mut self, id: TypeId, node: NodeId, place: &Place);

    fn leave_to_interpreter(&mut self);

    fn event(&mut self, id: TypeId, node: &EventNode, place: &Place) {
        match *node {
            EventNode::Document { element, .. } => {
                self.header();
                self.follow(1);
                self.member(id, element, place, false);
            }
            EventNode::Empty { first } => self.follow(first),
            EventNode::Sequence { .. } | EventNode::Choice { .. } | EventNode::Repeat { .. } => {
                *self.depth() += 1;
                match *node {
                    EventNode::Sequence { .. } => self.event_sequence(id, node, place),
                    EventNode::Choice { .. } => self.event_choice(id, node, place),
                    _ => self.event_repeat(id, node, place),
                }
                *self.depth() -= 1;
            }
            EventNode::Integer { range, number } => self.event_integer(id, range, number, place),
            EventNode::ItemNumber { values, number: Number::Bits { bits, base: 0 }, .. } => {
                self.item_by_number(id, values, bits, place);
            }
            _ => self.leave_to_interpreter(),
        }
    }

    /// A component or alternative, whose type may be on the heap: a CHOICE without an element is matched here, and not in a function.
    fn in_structure(&mut self, id: TypeId, node: NodeId, place: &Place, is_optional: bool) {
        let is_choice = matches!(self.layout().node(node), Node::Events(EventNode::Choice { .. }));
        match is_choice && self.types().is_boxed_type(self.types().canonical(id)) {
            true => self.member(id, node, &place.unboxed(), is_optional),
            false => self.member(id, node, place, is_optional),
        }
    }

    /// A part with its element, or without if it is merged into another. An optional part may be a separate function.
    fn member(&mut self, id: TypeId, node: NodeId, place: &Place, is_optional: bool) {
        let (types, layout) = (self.types(), self.layout());
        let id = types.canonical(id);
        match *layout.node(node) {
            Node::Events(EventNode::Element { content, follow, .. }) => {
                self.happen();
                let is_shared = types.is_shared(id, self.is_plain()) || self.merged().contains(&content);
                let is_part = types.is_recursive(id) || is_shared;
                if is_part || is_optional && types.is_function(id) {
                    // It ends with the code of its element's end.
                    self.call(id, content, place);
                } else {
                    self.other(id, content, place);
                    self.happen();
                }
                self.follow(follow);
            }
            Node::Events(EventNode::Leaf { value, code, follow, .. }) => {
                self.happen();
                let string = match (layout.node(value), types.repr(id)) {
                    (Node::Events(EventNode::Octets { lower: 0, .. }), Repr::Octets(_) | Repr::OctetString) => {
                        Some(format!("{}.0", place.object()))
                    }
                    (Node::Events(EventNode::Text { lower: 0, .. }), Repr::Text(_) | Repr::String) => {
                        Some(place.object().to_string())
                    }
                    _ => None,
                };
                match string.filter(|_| code > 0) {
                    Some(string) => self.or_empty(&string, code, |walk| walk.leaf(id, value, code, place)),
                    None => self.leaf(id, value, code, place),
                }
                self.follow(follow);
            }
            _ => self.other(id, node, place),
        }
    }

    /// A value between its codes.
    fn leaf(&mut self, id: TypeId, value: NodeId, code: u8, place: &Place) {
        let layout = self.layout();
        self.out().enter(id);
        self.only_event(code);
        match *layout.node(value) {
            Node::Events(EventNode::Bits { lower, upper, trim, .. }) => {
                self.event_bits(id, [lower, upper], trim, code, place);
            }
            Node::Events(EventNode::Octets { lower, upper }) => self.event_octets(id, [lower, upper], place),
            // If there can be other strings, it may be a reference to an earlier one.
            Node::Events(EventNode::Text { lower, upper, alphabet }) if EventNode::has_one_text_at_most(layout) => {
                self.event_text(id, [lower, upper], alphabet, place);
            }
            _ => self.other(id, value, place),
        }
        self.only_event(code);
        self.out().leave();
    }
}

/// The bounds of an integer's range, if a variable of 64 bits can hold them.
pub(crate) fn bounds_of_64(range: &Node, rust: &str) -> Option<(i128, i128)> {
    let (least, greatest) = bounds(rust);
    let (lower, upper) = match *range {
        Node::Word { lower, upper, .. } => (lower, upper),
        Node::Integer { lower, upper, .. } => (lower.unwrap_or(least), upper.unwrap_or(greatest)),
        _ => return None,
    };
    (rust != "i128" && i64::try_from(lower).is_ok()).then_some((lower, upper))
}

/// The first code of each alternative of a CHOICE, and their number; `starts` as in [`EventNode::Choice`].
pub(crate) fn first_codes(layout: &Layout, starts: Span, alternatives: usize) -> Vec<usize> {
    match layout.numbers(starts) {
        [] => (0..=alternatives).collect(),
        starts => starts.iter().map(|start| *start as usize).collect(),
    }
}

/// Whether a member is in one of the groups.
pub(crate) fn is_in(groups: &[u32], at: usize) -> bool {
    groups.chunks_exact(2).any(|pair| (pair[0]..pair[0] + pair[1]).contains(&(at as u32)))
}
