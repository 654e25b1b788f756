//! Makes a program from a layout.

use roadwire_layout::{Count, FieldNode, Layout, Member, Node, NodeId, Presence, Sign, Span, Trim};

use super::code::{Alternative, Code, Elements, Field, Key, Leaf, List, Op};
use crate::frame::{Form, Frame, FrameId, Frames, Slot};
use crate::group::Group;
use crate::levels::{Leveled, Levels, MOST_STEPS};
use crate::numbers::{ascending, bounds};
use crate::place::LEVELS;
use crate::rows::{Making, Selecting};
use crate::strings::Strings;

pub(crate) struct Walk<'a> {
    pub(super) layout: &'a Layout,
    frames: &'a Frames,
    code: Code,
    /// Whether the next field may continue the last run: no operation continues between them.
    is_open: bool,
    levels: Levels,
    /// How many lengths are around this place.
    pub(super) lengths: usize,
}

/// Where a value goes: its frame, and its slot there.
type Target = (FrameId, u32);

impl Leveled for Walk<'_> {
    fn levels(&mut self) -> &mut Levels {
        &mut self.levels
    }

    fn here(&mut self) -> u32 {
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
        let mut walk = Walk { layout, frames, code, is_open: false, levels: Levels::default(), lengths: 0 };
        (walk.code.words, walk.code.places) = (frames.words(frames.root), frames.get(frames.root).places);
        walk.message(layout.root, (frames.root, 0))?;
        walk.op(Op::End);
        Some(walk.code)
    }

    fn op(&mut self, op: Op) -> usize {
        self.is_open = false;
        self.code.ops.push(op);
        self.code.ops.len() - 1
    }

    fn run(&mut self, slot: u32, presence: u32, field: Field) {
        let first = self.code.fields.len() as u32;
        self.code.fields.push(field);
        match self.code.ops.last_mut() {
            Some(Op::Run { slot: start, presence: same, count, .. })
                if self.is_open && *start + *count == slot && *same == presence =>
            {
                *count += 1;
            }
            _ => {
                self.op(Op::Run { slot, presence, first, count: 1 });
                self.is_open = true;
            }
        }
    }

    /// Fields up to the end.
    pub(super) fn message(&mut self, node: NodeId, (frame, slot): Target) -> Option<()> {
        if self.code.ops.len() + self.code.fields.len() > MOST_STEPS {
            return None;
        }
        if self.frames.get(frame).is_recursive {
            return self.call(node, |walk| walk.fields(node, (frame, 0)));
        }
        self.fields(node, (frame, slot))
    }

    fn fields(&mut self, node: NodeId, (frame, slot): Target) -> Option<()> {
        let layout = self.layout;
        match (layout.node(node), &self.frames.get(frame).form) {
            (Node::Null, Form::Null) => Some(()),
            (&Node::Scope { record, slots }, _) => self.scope(slots, |walk| walk.fields(record, (frame, slot))),
            (&Node::Fields(FieldNode::Message { members, groups, .. }), Form::Record(slots)) => {
                self.nested(|walk| walk.record((layout.members(members), groups), slots, slot))
            }
            (&Node::Fields(FieldNode::Choice { alternatives, .. }), Form::Choice(slots)) => {
                self.nested(|walk| walk.choice(alternatives, slots, slot))
            }
            (&Node::Fields(FieldNode::Wrapped { field }), _) => {
                self.nested(|walk| match (layout.field(field)?, &walk.frames.get(frame).form) {
                    (&FieldNode::Single { key, content }, _) => walk.content(content, Key::new(key)?, (frame, slot)),
                    (list, &Form::List(element)) => walk.list(list, element, slot),
                    _ => None,
                })
            }
            _ => None,
        }
    }

    /// A value after a key.
    fn content(&mut self, node: NodeId, key: Key, (frame, slot): Target) -> Option<()> {
        if let Some(field) = self.number(node, frame) {
            self.run(slot, slot, Field { key, ..field });
            return Some(());
        }
        let layout = self.layout;
        let leaf = match (layout.node(node), &self.frames.get(frame).form) {
            (Node::Table { .. } | Node::Open | Node::Contained { .. }, Form::Opaque(opaque)) => {
                return self.nested(|walk| walk.opaque(node, key, opaque, slot));
            }
            (Node::Oid { .. }, Form::Oid) => Leaf::String(Strings::Oid),
            (&Node::Fields(FieldNode::Delimited { content }), form) => match (layout.node(content), form) {
                (Node::Bits { extent, .. }, Form::Bits) => Leaf::String(Strings::FixedBits(extent.lower as usize)),
                _ => return self.delimited(content, key, (frame, slot)),
            },
            (&Node::Fields(FieldNode::Item { values, .. }), Form::Enumerated) => {
                Leaf::Item(layout.item_numbers(values).collect())
            }
            (&Node::Fields(FieldNode::Flags { lower, upper, trim }), Form::Bits) => {
                Leaf::Flags { lower, upper, is_trimmed: trim }
            }
            (Node::Fields(FieldNode::Double), Form::Real) => Leaf::Double,
            (&Node::Integer { lower, upper, .. }, Form::Integer | Form::Unsigned) => {
                let (lower, upper) = {
                    let (lower, upper) = (layout.bound(lower), layout.bound(upper));
                    bounds(lower.unwrap_or(i64::MIN.into()), upper.unwrap_or(i64::MAX.into()))?
                };
                Leaf::Contents { lower, upper }
            }
            (Node::Bits { extent, trim, .. }, Form::Bits) if extent.count == Count::InOctets => {
                let (lower, upper) = (extent.lower, extent.upper);
                Leaf::String(Strings::Bits { lower, upper, is_trimmed: *trim != Trim::NONE })
            }
            (Node::Octets { extent }, Form::Octets) => {
                Leaf::String(Strings::Octets { lower: extent.lower, upper: extent.upper })
            }
            (&Node::Text { utf8: true, lower, upper, alphabet }, Form::Text) => {
                Leaf::String(Strings::text(layout, (lower, upper), alphabet))
            }
            _ => return None,
        };
        self.leaf(slot, key, leaf)
    }

    pub(super) fn leaf(&mut self, slot: u32, key: Key, leaf: Leaf) -> Option<()> {
        self.code.leaves.push(leaf);
        let leaf = self.code.leaves.len() as u32 - 1;
        self.op(Op::Leaf { slot, leaf, key });
        Some(())
    }

    fn delimited(&mut self, content: NodeId, key: Key, target: Target) -> Option<()> {
        self.open(key, |walk| walk.message(content, target))
    }

    /// A content after a key and its length.
    pub(super) fn open(&mut self, key: Key, content: impl FnOnce(&mut Self) -> Option<()>) -> Option<()> {
        self.lengths += 1;
        if self.lengths >= LEVELS {
            return None;
        }
        self.op(Op::Open { key });
        content(self)?;
        self.op(Op::Close);
        self.lengths -= 1;
        Some(())
    }

    /// A number that a run may have.
    fn number(&self, node: NodeId, frame: FrameId) -> Option<Field> {
        let field = |lower: i128, upper: i128| {
            let (lower, upper) = bounds(lower, upper)?;
            Some(Field { lower, base: lower, range: upper.wrapping_sub(lower) as u64, ..Field::default() })
        };
        match (self.layout.node(node), &self.frames.get(frame).form) {
            (Node::Fields(FieldNode::Truth), Form::Boolean) => field(0, 1),
            (&Node::Fields(FieldNode::Number { sign, lower, upper }), Form::Integer | Form::Unsigned) => {
                Some(Field { zigzag: u8::from(sign == Sign::Zigzag), ..field(lower, upper)? })
            }
            (&Node::Fields(FieldNode::Item { values, .. }), Form::Enumerated) => {
                let (first, last) = ascending(self.layout.item_numbers(values))?;
                Some(Field { base: 0, ..field(first.into(), last.into())? })
            }
            _ => None,
        }
    }

    fn record(&mut self, (members, groups): (&'a [Member], Span), slots: &[Slot], slot: u32) -> Option<()> {
        let layout = self.layout;
        self.defaults(members, slots, slot)?;
        let place = |member: &Member| slots.get(member.component as usize);
        let (mut until, mut none) = (0, None);
        for (at, member) in members.iter().enumerate() {
            if at >= until {
                none.take().into_iter().for_each(|none| self.ends(none));
                let rest = members.get(at..)?;
                let group = rest.iter().map_while(|one| Some((one, 1u64 << place(one)?.bit?))).collect::<Vec<_>>();
                let is_many = group.iter().filter(|(one, _)| !self.is_run(one, slots)).count() > 1;
                let mask = group.iter().fold(0, |mask, (_, bit)| mask | bit);
                until = at + group.len().max(1);
                none = is_many.then(|| self.op(Op::IfAny { presence: slot, mask, to: 0 }));
            }
            self.member(member, place(member)?, slot)?;
        }
        none.into_iter().for_each(|none| self.ends(none));
        for group in layout.groups(groups) {
            let group = Group::new(members.get(group)?, slots)?;
            if group.can_be_half() {
                self.op(Op::Whole { presence: slot, group });
            }
        }
        Some(())
    }

    /// Whether a component goes into a run.
    fn is_run(&self, member: &Member, slots: &[Slot]) -> bool {
        let (field, place) = (self.layout.field(member.node), slots.get(member.component as usize));
        matches!((field, place), (Some(FieldNode::Single { content, .. }), Some(place))
            if self.number(*content, place.frame).is_some())
    }

    fn member(&mut self, member: &Member, place: &Slot, presence: u32) -> Option<()> {
        let (mut node, mut keys) = (member.node, Vec::new());
        while let &Node::Key { node: inner, slot, keys: rows } = self.layout.node(node) {
            keys.push((slot, rows));
            node = inner;
        }
        let field = self.layout.field(node)?;
        let (number, FieldNode::Single { key, .. } | FieldNode::Repeated { key, .. }) = (
            match *field {
                FieldNode::Single { content, .. } => self.number(content, place.frame),
                _ => None,
            },
            *field,
        ) else {
            return None;
        };
        let key = Key::new(key)?;
        let selects =
            |walk: &mut Self| keys.iter().try_for_each(|(of, rows)| walk.selects(*of, *rows, presence + place.at));
        // One that selects nothing where it is absent has an operation of its own.
        if let Some(number) = number.filter(|_| keys.is_empty() || place.bit.is_none()) {
            let (bit, is_optional) = (place.bit.unwrap_or(0), place.bit.is_some());
            self.run(presence + place.at, presence, Field { key, bit, is_optional, ..number });
            return selects(self);
        }
        let Some(bit) = place.bit else {
            self.at(field, key, place, presence)?;
            return selects(self);
        };
        let is_left = matches!(field, FieldNode::Repeated { .. });
        let absent = self.op(Op::If { presence, bit, key, is_left, to: 0 });
        self.at(field, if is_left { key } else { Key::default() }, place, presence)?;
        selects(self)?;
        self.ends(absent);
        Some(())
    }

    /// A value at the slot of its record or choice.
    fn at(&mut self, field: &FieldNode, key: Key, place: &Slot, slot: u32) -> Option<()> {
        let slot = slot + place.at;
        let value = |walk: &mut Self, slot| match (field, &walk.frames.get(place.frame).form) {
            (FieldNode::Single { content, .. }, _) => walk.content(*content, key, (place.frame, slot)),
            (list, &Form::List(element)) => walk.list(list, element, slot),
            _ => None,
        };
        self.inside(place, slot, value)
    }

    /// A value that may be in a frame elsewhere.
    pub(super) fn inside(
        &mut self,
        place: &Slot,
        slot: u32,
        value: impl FnOnce(&mut Self, u32) -> Option<()>,
    ) -> Option<()> {
        if !place.is_outside {
            return value(self, slot);
        }
        let Frame { words, places, .. } = *self.frames.get(place.frame);
        self.op(Op::Enter { slot, words, places });
        self.within(|walk| value(walk, 0))?;
        self.op(Op::Leave);
        Some(())
    }

    /// An encoder does not send a component that has its DEFAULT.
    fn defaults(&mut self, members: &[Member], slots: &[Slot], slot: u32) -> Option<()> {
        for member in members {
            let Presence::Default(default) = member.presence else { continue };
            let place = slots.get(member.component as usize)?;
            let value = self.code.defaults.add(self.layout, default)?;
            self.op(Op::NotDefault { presence: slot, bit: place.bit?, slot: slot + place.at, value });
        }
        Some(())
    }

    fn choice(&mut self, alternatives: Span, slots: &[Slot], slot: u32) -> Option<()> {
        let layout = self.layout;
        let first = self.code.alternatives.len();
        self.code.alternatives.resize(first + slots.len(), Alternative::default());
        self.op(Op::Choose { slot, first: first as u32, count: slots.len() as u32 });
        let mut ends = Vec::new();
        for (at, one) in layout.alternatives(alternatives).iter().enumerate() {
            let field = layout.field(one.node)?;
            let &FieldNode::Single { key, .. } = field else { return None };
            // A decoder finds it by its number.
            if key >> 3 != at as u32 + 1 {
                return None;
            }
            let to = self.here();
            let entry = self.code.alternatives.get_mut(first + at)?;
            (entry.key, entry.alternative, entry.to) = (Key::new(key)?, one.alternative, to);
            self.code.alternatives.get_mut(first + one.alternative as usize)?.place = at as u32;
            self.at(field, Key::default(), slots.get(one.alternative as usize)?, slot)?;
            ends.push(self.jump());
        }
        ends.into_iter().for_each(|end| self.ends(end));
        Some(())
    }

    fn list(&mut self, node: &FieldNode, frame: FrameId, slot: u32) -> Option<()> {
        let &FieldNode::Repeated { key, element, lower, upper, packed } = node else { return None };
        let (key, &Frame { words, places, .. }) = (Key::new(key)?, self.frames.get(frame));
        let elements = match self.layout.node(element) {
            _ if !packed => Elements::Keyed,
            Node::Fields(FieldNode::Double) => Elements::Doubles,
            _ => Elements::Varints,
        };
        self.code.lists.push(List { key, elements, lower, upper, words, places, end: 0 });
        let list = self.op(Op::List { slot, list: self.code.lists.len() as u32 - 1 });
        let body = self.here();
        let key = if packed { Key::default() } else { key };
        self.nested(|walk| walk.within(|walk| walk.content(element, key, (frame, 0))))?;
        self.op(Op::Next { words, body });
        if packed {
            self.op(Op::Close);
        }
        self.ends(list);
        Some(())
    }
}
