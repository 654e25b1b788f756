//! Makes a program from a layout.

use roadwire_layout::{CborNode, Layout, Node, NodeId, Span};
use roadwire_wire::rt::cbor::straight::head_word;
use roadwire_wire::rt::cbor::tag;

use super::code::{Alternative, Code, Field, Key, Leaf, List, ORDERS, Op};
use crate::frame::{Form, Frame, FrameId, Frames, Slot};
use crate::levels::{Leveled, Levels, MOST_STEPS};
use crate::numbers::{ascending, bounds};
use crate::rows::{Making, Selecting};
use crate::strings::Strings;

pub(crate) struct Walk<'a> {
    pub(super) layout: &'a Layout,
    pub(super) frames: &'a Frames,
    pub(super) code: Code,
    /// Octets that are the same for any value, and that no operation has yet.
    pub(super) ahead: Vec<u8>,
    /// Whether the next field may continue the last run: no operation continues between them. And
    /// the slot of that one's presence bits, if it has any.
    is_open: bool,
    presence: Option<u32>,
    levels: Levels,
    /// How many lists in order are around this place.
    pub(super) orders: usize,
}

impl Leveled for Walk<'_> {
    fn levels(&mut self) -> &mut Levels {
        &mut self.levels
    }

    fn here(&mut self) -> u32 {
        self.flush();
        self.is_open = false;
        self.code.ops.len() as u32
    }

    fn jump(&mut self) -> usize {
        self.op(Op::Jump { to: 0 })
    }

    fn ends(&mut self, op: usize) {
        let here = self.here();
        match self.code.ops.get_mut(op) {
            Some(Op::If { to, .. } | Op::IfAny { to, .. } | Op::Jump { to }) => *to = here,
            Some(Op::List { list, .. }) => {
                if let Some(list) = self.code.lists.get_mut(*list as usize) {
                    list.end = here;
                }
            }
            _ => {}
        }
    }

    fn making(&mut self) -> Making<'_> {
        let Code { tables, defaults, .. } = &mut self.code;
        Making { layout: self.layout, tables, defaults, slots: &mut self.levels.slots }
    }

    fn add_common(&mut self, at: u32) {
        self.op(Op::Common { at });
    }
}

impl<'a> Walk<'a> {
    /// The program of a layout whose values have these frames.
    pub(crate) fn code(layout: &'a Layout, frames: &'a Frames) -> Option<Code> {
        let code = Code::default();
        let (ahead, presence) = (Vec::new(), None);
        let mut walk =
            Walk { layout, frames, code, ahead, is_open: false, presence, levels: Levels::default(), orders: 0 };
        (walk.code.words, walk.code.places) = (frames.words(frames.root), frames.get(frames.root).places);
        walk.node(layout.root, frames.root, 0)?;
        walk.op(Op::End);
        Some(walk.code)
    }

    /// Octets that come before the next operation.
    pub(super) fn ahead(&mut self, front: u8, number: u64) {
        let (word, octets) = head_word::<5>(number);
        let word = (u64::from(front) << 56 | word).to_be_bytes();
        self.ahead.extend_from_slice(&word[..octets]);
    }

    /// Those that go with an operation; operations of their own have the others.
    pub(super) fn key(&mut self) -> Key {
        while self.ahead.len() > Key::AHEAD {
            let now = self.ahead.len().min(4);
            self.literal(now);
        }
        let ahead = core::mem::take(&mut self.ahead);
        Key::new(&ahead).unwrap_or_default()
    }

    fn literal(&mut self, octets: usize) {
        let first: Vec<u8> = self.ahead.drain(..octets).collect();
        self.is_open = false;
        self.code.ops.extend(Key::new(&first).map(|key| Op::Literal { key }));
    }

    /// All of them as operations.
    pub(super) fn flush(&mut self) {
        while !self.ahead.is_empty() {
            self.literal(self.ahead.len().min(4));
        }
    }

    pub(super) fn op(&mut self, op: Op) -> usize {
        self.flush();
        self.is_open = false;
        self.code.ops.push(op);
        self.code.ops.len() - 1
    }

    /// A number at a slot; its presence bit is at another one.
    pub(super) fn run(&mut self, slot: u32, presence: Option<u32>, field: Field) {
        let field = Field { key: self.key(), ..field };
        let first = self.code.fields.len() as u32;
        self.code.fields.push(field);
        let is_same = self.presence.is_none() || presence.is_none() || self.presence == presence;
        match self.code.ops.last_mut() {
            Some(Op::Run { slot: start, presence: bits, count, .. })
                if self.is_open && is_same && *start + *count == slot =>
            {
                *count += 1;
                self.presence = self.presence.or(presence);
                *bits = self.presence.unwrap_or(*start);
            }
            _ => {
                self.op(Op::Run { slot, presence: presence.unwrap_or(slot), first, count: 1 });
                (self.is_open, self.presence) = (true, presence);
            }
        }
    }

    /// A value at a slot.
    pub(super) fn node(&mut self, node: NodeId, frame: FrameId, slot: u32) -> Option<()> {
        if self.code.ops.len() + self.code.fields.len() > MOST_STEPS {
            return None;
        }
        if let Some(field) = self.number(node, frame) {
            self.run(slot, None, field);
            return Some(());
        }
        if self.frames.get(frame).is_recursive {
            return self.call(node, |walk| walk.content(node, frame, 0));
        }
        self.content(node, frame, slot)
    }

    pub(super) fn content(&mut self, node: NodeId, frame: FrameId, slot: u32) -> Option<()> {
        let layout = self.layout;
        let item = match layout.node(node) {
            Node::Cbor(item) => item,
            &Node::Scope { record, slots } => return self.scope(slots, |walk| walk.content(record, frame, slot)),
            &Node::Key { node, slot: of, keys } => {
                self.node(node, frame, slot)?;
                return self.selects(of, keys, slot);
            }
            &Node::Contained { string, content, .. } => {
                return self.nested(|walk| walk.contained(string, content, frame, slot));
            }
            _ => return None,
        };
        let leaf = match (item, &self.frames.get(frame).form) {
            (CborNode::Nothing, Form::Null) => {
                self.ahead.push(0xf6);
                return Some(());
            }
            (CborNode::Map { .. }, Form::Record(slots)) => {
                return self.nested(|walk| walk.record(item, slots, slot));
            }
            (&CborNode::Choice { alternatives, .. }, Form::Choice(slots)) => {
                return self.nested(|walk| walk.choice(alternatives, slots, slot));
            }
            (CborNode::Array { .. }, &Form::List(element)) => {
                return self.nested(|walk| walk.list(item, element, slot));
            }
            (&CborNode::Embedded { slot: of, rows }, Form::Opaque(opaque)) => {
                return self.nested(|walk| walk.open_type((of, rows), opaque, slot));
            }
            (&CborNode::Oid { relative }, Form::Oid) => {
                self.ahead(0xc0, if relative { tag::RELATIVE_OID } else { tag::OID });
                Leaf::String(0x40, Strings::Oid)
            }
            (&CborNode::Item { values, .. }, Form::Enumerated) => Leaf::Item(layout.item_numbers(values).collect()),
            (CborNode::Float, Form::Real) => Leaf::Float,
            (&CborNode::Bits { fixed: Some(bits), .. }, Form::Bits) => {
                Leaf::String(0x40, Strings::FixedBits(bits as usize))
            }
            (&CborNode::Bits { fixed: None, lower, upper, trim }, Form::Bits) => {
                Leaf::String(0x40, Strings::Bits { lower, upper, is_trimmed: trim })
            }
            (&CborNode::Octets { lower, upper }, Form::Octets) => Leaf::String(0x40, Strings::Octets { lower, upper }),
            (&CborNode::Text { lower, upper, alphabet }, Form::Text) => {
                Leaf::String(0x60, Strings::text(layout, (lower, upper), alphabet))
            }
            _ => return None,
        };
        self.leaf(slot, leaf)
    }

    pub(super) fn leaf(&mut self, slot: u32, leaf: Leaf) -> Option<()> {
        self.code.leaves.push(leaf);
        let (key, leaf) = (self.key(), self.code.leaves.len() as u32 - 1);
        self.op(Op::Leaf { slot, leaf, key });
        Some(())
    }

    /// A number that a run may have.
    pub(super) fn number(&self, node: NodeId, frame: FrameId) -> Option<Field> {
        let field = |lower: i128, upper: i128| {
            let (lower, upper) = bounds(lower, upper)?;
            Some(Field { lower, base: lower, range: upper.wrapping_sub(lower) as u64, ..Field::default() })
        };
        match (self.layout.node(node), &self.frames.get(frame).form) {
            (Node::Cbor(CborNode::Truth), Form::Boolean) => Some(Field { zero: 0xf4, ..field(0, 1)? }),
            (&Node::Cbor(CborNode::Integer { lower, upper }), Form::Integer | Form::Unsigned) => {
                // Those that stand for no bound.
                let lower = if lower == i128::MIN { i64::MIN.into() } else { lower };
                field(lower, if upper == i128::MAX { i64::MAX.into() } else { upper })
            }
            (&Node::Cbor(CborNode::Item { values, .. }), Form::Enumerated) => {
                let (first, last) = ascending(self.layout.item_numbers(values))?;
                Some(Field { base: 0, ..field(first.into(), last.into())? })
            }
            _ => None,
        }
    }

    /// A value at the slot of its record or choice.
    pub(super) fn at(&mut self, node: NodeId, place: &Slot, slot: u32) -> Option<()> {
        let slot = slot + place.at;
        if !place.is_outside {
            return self.node(node, place.frame, slot);
        }
        let Frame { words, places, .. } = *self.frames.get(place.frame);
        self.op(Op::Enter { slot, words, places });
        self.within(|walk| walk.node(node, place.frame, 0))?;
        self.op(Op::Leave);
        Some(())
    }

    fn choice(&mut self, alternatives: Span, slots: &[Slot], slot: u32) -> Option<()> {
        let layout = self.layout;
        let first = self.code.alternatives.len();
        self.code.alternatives.resize(first + slots.len(), Alternative::default());
        self.ahead(0xa0, 1);
        let key = self.key();
        self.op(Op::Choose { slot, first: first as u32, count: slots.len() as u32, key });
        let mut ends = Vec::new();
        for (at, one) in layout.alternatives(alternatives).iter().enumerate() {
            let to = self.here();
            let entry = self.code.alternatives.get_mut(first + at)?;
            (entry.alternative, entry.to) = (one.alternative, to);
            self.code.alternatives.get_mut(first + one.alternative as usize)?.place = at as u32;
            self.at(one.node, slots.get(one.alternative as usize)?, slot)?;
            ends.push(self.jump());
        }
        ends.into_iter().for_each(|end| self.ends(end));
        Some(())
    }

    fn list(&mut self, item: &CborNode, frame: FrameId, slot: u32) -> Option<()> {
        let &CborNode::Array { lower, upper, element, sorted } = item else { return None };
        let &Frame { words, places, .. } = self.frames.get(frame);
        let order = sorted.then_some(self.orders);
        if order.is_some_and(|order| order >= ORDERS || self.levels.is_in_function()) {
            return None;
        }
        let (key, order) = (self.key(), order.map(|order| order as u8));
        self.code.lists.push(List { key, lower, upper, words, places, order, end: 0 });
        let list = self.op(Op::List { slot, list: self.code.lists.len() as u32 - 1 });
        let body = self.here();
        self.orders += usize::from(sorted);
        self.within(|walk| walk.node(element, frame, 0))?;
        self.orders -= usize::from(sorted);
        if let Some(list) = order {
            self.op(Op::Order { list });
        }
        self.op(Op::Next { words, body });
        self.ends(list);
        Some(())
    }
}
