//! Makes a program from a layout.

use std::collections::HashMap;

use roadwire_layout::{Items, JsonNode, Layout, Member, Node, NodeId, Presence, Span};

use super::code::{CHUNK, Code, Field, Kind, Leaf, List, Op, Text};
use crate::frame::{Form, FrameId, Frames, Slot};
use crate::group::Group;
use crate::levels::{Leveled, Levels, MOST_STEPS};
use crate::rows::{Making, Selecting};
use crate::strings::Strings;

/// Where the names of a BOOLEAN are; those of an enumeration are at their place in the layout.
const TRUTH: Items = Items::at(u32::MAX, 2);

pub(crate) struct Walk<'a> {
    pub(super) layout: &'a Layout,
    pub(super) frames: &'a Frames,
    code: Code,
    /// Text that is the same for any value, and that no operation has yet; and whether it begins
    /// with a comma that is left out after an opening bracket.
    pub(super) ahead: Vec<u8>,
    pub(super) has_comma: bool,
    /// Where the names of items are, by their place in the layout.
    names: HashMap<u32, u32>,
    /// Whether the next field may continue the last run: no operation continues between them. And
    /// the slot of that one's presence bits, if it has any.
    is_open: bool,
    presence: Option<u32>,
    levels: Levels,
}

/// The members before a member of an object.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    None,
    /// All of them may be absent.
    Maybe,
    Some,
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
        let text = self.text();
        self.add(Op::Jump { to: 0, text })
    }

    fn ends(&mut self, op: usize) {
        let here = self.here();
        match self.code.ops.get_mut(op) {
            Some(Op::If { to, .. } | Op::IfOther { to, .. } | Op::Jump { to, .. }) => *to = here,
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
        let Node::Json(JsonNode::Document { content }) = *layout.node(layout.root) else { return None };
        let mut walk = Walk {
            layout,
            frames,
            code: Code::default(),
            ahead: Vec::new(),
            has_comma: false,
            names: HashMap::new(),
            is_open: false,
            presence: None,
            levels: Levels::default(),
        };
        walk.node(content, frames.root, 0)?;
        walk.op(Op::End);
        walk.code.octets.extend([0; CHUNK]);
        Some(walk.code)
    }

    /// Stores a text.
    fn stored(&mut self, octets: &[u8], has_comma: bool) -> Text {
        let start = self.code.octets.len() as u32;
        self.code.octets.extend_from_slice(octets);
        Text { start, octets: octets.len() as u32, has_comma }
    }

    /// The text that goes with an operation.
    fn text(&mut self) -> Text {
        let ahead = core::mem::take(&mut self.ahead);
        let has_comma = core::mem::take(&mut self.has_comma);
        self.stored(&ahead, has_comma)
    }

    pub(super) fn put(&mut self, text: &[u8]) {
        self.ahead.extend_from_slice(text);
    }

    /// Text after a comma, which is left out after an opening bracket.
    fn put_after_comma(&mut self, text: &[u8]) {
        self.flush();
        self.put(text);
        self.has_comma = true;
    }

    /// The text before this place as an operation.
    fn flush(&mut self) {
        if !self.ahead.is_empty() {
            let text = self.text();
            self.add(Op::Literal { text });
        }
    }

    /// An operation after the text before it.
    fn op(&mut self, op: Op) -> usize {
        self.flush();
        self.add(op)
    }

    /// An operation that has that text, or is the same before and after it.
    fn add(&mut self, op: Op) -> usize {
        self.is_open = false;
        self.code.ops.push(op);
        self.code.ops.len() - 1
    }

    /// A field at a slot; its presence bit is at another one.
    fn run(&mut self, slot: u32, presence: Option<u32>, field: Field) {
        let field = Field { text: self.text(), ..field };
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
                self.add(Op::Run { slot, presence: presence.unwrap_or(slot), first, count: 1 });
                (self.is_open, self.presence) = (true, presence);
            }
        }
    }

    /// A value at a slot.
    fn node(&mut self, node: NodeId, frame: FrameId, slot: u32) -> Option<()> {
        let texts = (self.code.octets.len() + self.ahead.len()) / 64;
        if self.code.ops.len() + self.code.fields.len() + texts > MOST_STEPS {
            return None;
        }
        if let Some(field) = self.field(node, frame) {
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
        let node = match layout.node(node) {
            Node::Json(node) => node,
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
        let leaf = match (node, &self.frames.get(frame).form) {
            (JsonNode::Nothing, Form::Null) => {
                self.put(b"null");
                return Some(());
            }
            (JsonNode::Object { .. }, Form::Record(slots)) => {
                return self.nested(|walk| walk.object(node, slots, slot));
            }
            (&JsonNode::Single { alternatives, .. }, Form::Choice(slots)) => {
                return self.nested(|walk| walk.single(alternatives, slots, slot));
            }
            (JsonNode::Array { .. }, &Form::List(element)) => {
                return self.nested(|walk| walk.array(node, element, slot));
            }
            (&JsonNode::Selected { slot: of, rows }, Form::Opaque(opaque)) => {
                return self.nested(|walk| walk.open_type(Some(of), layout.numbers(rows), opaque, slot));
            }
            (JsonNode::OpenDigits, Form::Opaque(opaque)) => {
                return self.nested(|walk| walk.open_type(None, &[], opaque, slot));
            }
            (&JsonNode::Dotted { relative }, Form::Oid) => Leaf::Dotted { relative },
            (&JsonNode::Digits { lower, upper }, Form::Octets) => Leaf::Digits { lower, upper },
            (&JsonNode::BitDigits { fixed, lower, upper, .. }, Form::Bits) => Leaf::Bits { fixed, lower, upper },
            (&JsonNode::Quoted { lower: 0, upper: u64::MAX, alphabet }, Form::Text) if alphabet.count == 0 => {
                Leaf::Quoted(None)
            }
            (&JsonNode::Quoted { lower, upper, alphabet }, Form::Text) => {
                Leaf::Quoted(Some(Strings::text(layout, (lower, upper), alphabet)))
            }
            (JsonNode::Float, Form::Real) => Leaf::Float,
            _ => return None,
        };
        self.leaf(slot, leaf)
    }

    pub(super) fn leaf(&mut self, slot: u32, leaf: Leaf) -> Option<()> {
        self.code.leaves.push(leaf);
        let (text, leaf) = (self.text(), self.code.leaves.len() as u32 - 1);
        self.add(Op::Leaf { slot, leaf, text });
        Some(())
    }

    /// A value that a run may have.
    fn field(&mut self, node: NodeId, frame: FrameId) -> Option<Field> {
        let Node::Json(node) = self.layout.node(node) else { return None };
        let number = |kind, lower: i128, upper: i128| {
            let range = u64::try_from(upper.checked_sub(lower)?).ok()?;
            let (text, always, bit, has_bit, names) = (Text::default(), 0, 0, false, 0);
            Some(Field { text, always, kind, bit, has_bit, names, lower: lower as u64, range })
        };
        match (node, &self.frames.get(frame).form) {
            (&JsonNode::Number { lower, upper }, Form::Integer) => {
                number(Kind::Signed, lower.max(i64::MIN.into()), upper.min(i64::MAX.into()))
            }
            (&JsonNode::Number { lower, upper }, Form::Unsigned) => {
                number(Kind::Unsigned, lower.max(0), upper.min(u64::MAX.into()))
            }
            (JsonNode::Truth, Form::Boolean) => {
                let names = self.names(TRUTH, &[b"false", b"true"]);
                Some(Field { names, ..number(Kind::Name, 0, 1)? })
            }
            (&JsonNode::Item { items, .. }, Form::Enumerated) => {
                let layout = self.layout;
                let texts = layout.items.get(items.range())?.iter().map(|name| layout.json_string(*name));
                let names = self.names(items, &texts.collect::<Vec<_>>());
                Some(Field { names, ..number(Kind::Name, 0, i128::from(items.len()) - 1)? })
            }
            _ => None,
        }
    }

    /// Where the names of items are.
    fn names(&mut self, place: Items, texts: &[&[u8]]) -> u32 {
        if let Some(known) = self.names.get(&place.start()) {
            return *known;
        }
        let first = self.code.names.len() as u32;
        for text in texts {
            let text = self.stored(text, false);
            self.code.names.push(text);
        }
        self.names.insert(place.start(), first);
        first
    }

    /// A value at the slot of its record or choice.
    pub(super) fn at(&mut self, node: NodeId, place: &Slot, slot: u32) -> Option<()> {
        let slot = slot + place.at;
        if !place.is_outside {
            return self.node(node, place.frame, slot);
        }
        self.add(Op::Enter { slot });
        self.within(|walk| walk.node(node, place.frame, 0))?;
        self.add(Op::Leave);
        Some(())
    }

    fn object(&mut self, node: &JsonNode, slots: &[Slot], slot: u32) -> Option<()> {
        let &JsonNode::Object { members, groups, .. } = node else { return None };
        let members = self.layout.members(members);
        for group in self.layout.groups(groups) {
            let group = Group::new(members.get(group)?, slots)?;
            if group.can_be_half() {
                self.add(Op::Whole { presence: slot, group });
            }
        }
        self.put(b"{");
        let mut before = Before::None;
        for member in members {
            let place = slots.get(member.component as usize)?;
            match place.bit {
                None => self.name(member, before),
                Some(bit) => self.optional(member, (place, bit), slot, before)?,
            }
            before = match (place.bit, before) {
                (None, _) | (_, Before::Some) => Before::Some,
                _ => Before::Maybe,
            };
            if place.bit.is_none() {
                self.at(member.node, place, slot)?;
            }
        }
        self.put(b"}");
        Some(())
    }

    /// The name of a member.
    fn name(&mut self, member: &Member, before: Before) {
        let name = self.layout.json_name(member.name, before == Before::None);
        if before == Before::Maybe { self.put_after_comma(name) } else { self.put(name) }
    }

    /// A member that may be absent. The text before it is written in any case.
    fn optional(&mut self, member: &Member, (place, bit): (&Slot, u8), slot: u32, before: Before) -> Option<()> {
        let at = slot + place.at;
        let absent = match member.presence {
            Presence::Default(default) => {
                let value = self.code.defaults.add(self.layout, default)?;
                self.op(Op::IfOther { presence: slot, bit, slot: at, value, to: 0 })
            }
            _ => {
                if let Some(field) = self.field(member.node, place.frame) {
                    let always = if before == Before::Maybe { 0 } else { self.ahead.len() as u32 };
                    self.name(member, before);
                    self.run(at, Some(slot), Field { bit, has_bit: true, always, ..field });
                    return Some(());
                }
                let text = self.text();
                self.add(Op::If { presence: slot, bit, to: 0, text })
            }
        };
        self.name(member, before);
        self.at(member.node, place, slot)?;
        self.ends(absent);
        Some(())
    }

    /// A CHOICE: an object with one member.
    fn single(&mut self, alternatives: Span, slots: &[Slot], slot: u32) -> Option<()> {
        let first = self.code.alternatives.len();
        self.code.alternatives.resize(first + slots.len(), 0);
        let text = self.text();
        self.add(Op::Choose { slot, first: first as u32, count: slots.len() as u32, text });
        let mut ends = Vec::new();
        for (at, one) in self.layout.alternatives(alternatives).iter().enumerate() {
            *self.code.alternatives.get_mut(first + one.alternative as usize)? = self.here();
            self.put(b"{");
            self.put(self.layout.json_name(one.name, true));
            self.at(one.node, slots.get(one.alternative as usize)?, slot)?;
            if at + 1 < alternatives.count as usize {
                let text = self.text();
                ends.push(self.add(Op::Jump { to: 0, text }));
            }
        }
        ends.into_iter().for_each(|end| self.ends(end));
        self.put(b"}");
        Some(())
    }

    fn array(&mut self, node: &JsonNode, frame: FrameId, slot: u32) -> Option<()> {
        let &JsonNode::Array { lower, upper, element } = node else { return None };
        self.put(b"[");
        let text = self.text();
        self.code.lists.push(List { text, lower, upper, end: 0 });
        let list = self.add(Op::List { slot, list: self.code.lists.len() as u32 - 1 });
        let body = self.here();
        self.put_after_comma(b",");
        self.within(|walk| walk.node(element, frame, 0))?;
        let text = self.text();
        self.add(Op::Next { words: self.frames.words(frame), body, text });
        self.ends(list);
        self.put(b"]");
        Some(())
    }
}
