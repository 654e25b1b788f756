//! Makes a program from a layout.

use roadwire_layout::tlv::item_values;
use roadwire_layout::{Contents, Layout, Node, NodeId, Span, TlvNode};
use roadwire_wire::rt::TwosComplement;
use roadwire_wire::rt::tlv::{self, Identifier};

use super::code::{ALWAYS, Choice, Code, Field, List, Op, Tag, Text, Units};
use crate::frame::{Form, Frame, FrameId, Frames, Slot};
use crate::levels::{Leveled, Levels, MOST_STEPS};
use crate::rows::{Making, Selecting};

/// How many identifiers and lengths may be around a value. A type has up to 100 levels, each mostly
/// with one tag.
pub(super) const OPEN: usize = 128;

/// The most contents octets of a string that is not written in segments (X.690 §9.2).
const SEGMENT: usize = 1000;

/// The most zero bits that a decoder adds to a bit string.
const MOST_ZEROS: u64 = 1 << 10;

/// The most tags of an untagged CHOICE: in one that has others inside, they are listed for each.
const MOST_TAGS: usize = 256;

pub(crate) struct Walk<'a> {
    pub(super) layout: &'a Layout,
    pub(super) frames: &'a Frames,
    pub(super) code: Code,
    /// Whether the next field may continue the last run: no operation continues between them.
    is_open: bool,
    /// The slot with the presence bits of the record.
    pub(super) presence: u32,
    levels: Levels,
    /// How many contents are open.
    pub(super) opened: usize,
}

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
        if let Some(Op::If { to, .. } | Op::NotDefault { to, .. } | Op::Jump { to } | Op::List { end: to, .. }) =
            self.code.ops.get_mut(op)
        {
            *to = here;
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
        let mut walk = Walk { layout, frames, code, is_open: false, presence: 0, levels: Levels::default(), opened: 0 };
        (walk.code.words, walk.code.places) = (frames.words(frames.root), frames.get(frames.root).places);
        walk.node(layout.root, frames.root, 0, ALWAYS)?;
        walk.op(Op::End);
        Some(walk.code)
    }

    pub(super) fn op(&mut self, op: Op) -> usize {
        self.is_open = false;
        self.code.ops.push(op);
        self.code.ops.len() - 1
    }

    /// A value at a slot; if it is one that runs have, it may have a presence bit.
    pub(super) fn node(&mut self, node: NodeId, frame: FrameId, slot: u32, bit: u8) -> Option<()> {
        if self.code.ops.len() + self.code.fields.len() > MOST_STEPS {
            return None;
        }
        if !self.frames.get(frame).is_recursive {
            return self.content(node, frame, slot, bit);
        }
        self.call(node, |walk| {
            let outer = std::mem::replace(&mut walk.presence, 0);
            walk.content(node, frame, 0, ALWAYS)?;
            walk.presence = outer;
            Some(())
        })
    }

    pub(super) fn content(&mut self, node: NodeId, frame: FrameId, slot: u32, bit: u8) -> Option<()> {
        let layout = self.layout;
        let node = match layout.node(node) {
            Node::Tlv(node) => node,
            &Node::Scope { record, slots } => return self.scope(slots, |walk| walk.content(record, frame, slot, bit)),
            &Node::Key { node, slot: of, keys } => {
                self.content(node, frame, slot, bit)?;
                return self.selects(of, keys, slot);
            }
            &Node::Contained { string, content, .. } => {
                return self.nested(|walk| walk.contained(string, content, frame, slot));
            }
            _ => return None,
        };
        match (node, &self.frames.get(frame).form) {
            (&TlvNode::Tagged { identifier, contents, indefinite }, _) => {
                self.open(identifier, indefinite, |walk| walk.content(contents, frame, slot, ALWAYS))
            }
            (&TlvNode::Primitive { identifier, contents, indefinite }, form) => {
                let tag = self.prefix(identifier);
                self.primitive(tag, contents, form, (slot, bit), indefinite)
            }
            (TlvNode::Record { .. }, Form::Record(slots)) => self.nested(|walk| walk.record(node, slots, slot)),
            (TlvNode::Choice { .. }, Form::Choice(slots)) => self.nested(|walk| walk.choice(node, slots, slot)),
            (TlvNode::List { .. }, &Form::List(frame)) => self.nested(|walk| walk.list(node, frame, slot)),
            (&TlvNode::Open { slot: of, rows }, Form::Opaque(opaque)) => {
                self.nested(|walk| walk.open_type((of, rows), opaque, slot))
            }
            _ => None,
        }
    }

    /// Contents after an identifier and a length.
    pub(super) fn open(
        &mut self,
        identifier: Identifier,
        indefinite: bool,
        contents: impl FnOnce(&mut Self) -> Option<()>,
    ) -> Option<()> {
        self.opened += 1;
        if self.opened > OPEN {
            return None;
        }
        let tag = self.prefix(identifier);
        self.op(Op::Open { tag, indefinite });
        contents(self)?;
        self.op(Op::Close { indefinite });
        self.opened -= 1;
        Some(())
    }

    /// All octets of an identifier but the last one, which is returned.
    fn prefix(&mut self, identifier: Identifier) -> u8 {
        let octets = tlv::identifier_octets(identifier);
        let (last, before) = octets.as_slice().split_last().unwrap_or((&0, &[]));
        if !before.is_empty() {
            self.code.tags.push(tag(identifier));
            self.op(Op::Prefix { tag: self.code.tags.len() as u32 - 1, count: before.len() as u8 });
        }
        *last
    }

    fn primitive(
        &mut self,
        tag: u8,
        contents: Contents,
        form: &Form,
        (slot, bit): (u32, u8),
        indefinite: bool,
    ) -> Option<()> {
        let mut number = |lower: i64, upper: i64, is_truth| {
            let range = u64::try_from(i128::from(upper) - i128::from(lower)).ok()?;
            self.field(Field { lower, range, slot, tag, bit, is_truth });
            Some(())
        };
        match (contents, form) {
            (Contents::Boolean, Form::Boolean) => return number(-1, 0, true),
            (Contents::Integer { lower, upper }, Form::Integer | Form::Unsigned) => return number(lower, upper, false),
            (Contents::WideInteger { lower, upper }, Form::Integer | Form::Unsigned) => {
                let (lower, upper) = wide_bounds(self.layout, lower, upper)?;
                self.field(Field { lower, range: upper.wrapping_sub(lower) as u64, slot, tag, bit, is_truth: false });
                return Some(());
            }
            _ if bit != ALWAYS => return None,
            (Contents::Enumerated { values, .. }, Form::Enumerated) => return self.item(tag, values, slot),
            (Contents::Null, Form::Null) => {
                self.op(Op::Null { tag });
                return Some(());
            }
            _ => {}
        }
        let (lower, upper, units) = match (contents, form) {
            (Contents::Bits { lower, upper, trim }, Form::Bits) => {
                if trim.is_some() && lower > MOST_ZEROS {
                    return None;
                }
                (lower, upper, Units::Bits(trim))
            }
            (Contents::Octets { lower, upper }, Form::Octets) => (lower, upper, Units::Octets),
            (Contents::Characters { lower, upper, width: 1, alphabet }, Form::Text) => {
                (lower, upper, Units::Characters(Box::new(self.characters(alphabet))))
            }
            (Contents::Utf8 { lower, upper }, Form::Text) => (lower, upper, Units::Utf8),
            (Contents::Real, Form::Real) => (0, u64::MAX, Units::Real),
            (Contents::Oid { .. }, Form::Oid) => (0, u64::MAX, Units::Oid),
            _ => return None,
        };
        let most = if indefinite && contents.segments().is_some() { SEGMENT } else { usize::MAX };
        self.code.strings.push(Text { tag, most, lower, upper, units });
        self.op(Op::Text { slot, text: self.code.strings.len() as u32 - 1 });
        Some(())
    }

    fn field(&mut self, field: Field) {
        let first = self.code.fields.len() as u32;
        self.code.fields.push(field);
        match self.code.ops.last_mut() {
            Some(Op::Run { count, .. }) if self.is_open => *count += 1,
            _ => {
                self.op(Op::Run { slot: self.presence, first, count: 1 });
                self.is_open = true;
            }
        }
    }

    /// Items whose numbers are their ordinals are numbers.
    fn item(&mut self, tag: u8, values: Span, slot: u32) -> Option<()> {
        let items: Vec<(i64, u32)> = item_values(self.layout, values).collect();
        let (first, last) = (items.first()?.0, items.last()?.0);
        let range = u64::try_from(i128::from(last) - i128::from(first)).ok()?;
        let field = Field { lower: first, range, slot, tag, bit: ALWAYS, is_truth: false };
        if (0..).zip(&items).all(|(at, (number, ordinal))| at == *number && at == i64::from(*ordinal)) {
            self.field(field);
            return Some(());
        }
        let at = self.code.fields.len() as u32;
        self.code.fields.push(field);
        self.code.items.push(items);
        self.op(Op::Item { field: at, items: self.code.items.len() as u32 - 1 });
        Some(())
    }

    /// A bit for each character of ASCII that is permitted; the interpreter takes others.
    fn characters(&self, alphabet: Span) -> u128 {
        let pairs = self.layout.numbers(alphabet).chunks_exact(2);
        pairs.flat_map(|pair| pair[0]..=pair[1].min(0x7f)).fold(0, |set, code| set | 1 << code)
    }

    /// A value at the slot of its record or choice.
    pub(super) fn at(&mut self, node: NodeId, place: &Slot, slot: u32) -> Option<()> {
        let slot = slot + place.at;
        if !place.is_outside {
            return self.node(node, place.frame, slot, ALWAYS);
        }
        let Frame { words, places, .. } = *self.frames.get(place.frame);
        self.op(Op::Enter { slot, words, places });
        self.within(|walk| walk.node(node, place.frame, 0, ALWAYS))?;
        self.op(Op::Leave);
        Some(())
    }

    /// The tags that a value may begin with.
    pub(super) fn tags(&self, node: NodeId) -> Option<Vec<Tag>> {
        let (mut tags, mut open) = (Vec::new(), vec![node]);
        while let Some(node) = open.pop() {
            match *self.layout.node(node) {
                Node::Tlv(TlvNode::Tagged { identifier, .. } | TlvNode::Primitive { identifier, .. }) => {
                    tags.push(tag(identifier));
                }
                Node::Tlv(TlvNode::Choice { alternatives, .. }) => {
                    open.extend(self.layout.alternatives(alternatives).iter().map(|one| one.node));
                }
                Node::Key { node, .. } | Node::Scope { record: node, .. } | Node::Contained { string: node, .. } => {
                    open.push(node);
                }
                _ => return None,
            }
            if tags.len() + open.len() > MOST_TAGS {
                return None;
            }
        }
        Some(tags)
    }

    fn choice(&mut self, node: &TlvNode, slots: &[Slot], slot: u32) -> Option<()> {
        let TlvNode::Choice { alternatives, .. } = *node else { return None };
        let alternatives = self.layout.alternatives(alternatives);
        let mut choice = Choice { tags: Vec::new(), targets: vec![u32::MAX; slots.len()] };
        for one in alternatives {
            choice.tags.extend(self.tags(one.node)?.into_iter().map(|tag| (tag, one.alternative)));
        }
        let at = self.code.choices.len();
        self.code.choices.push(choice);
        self.op(Op::Choose { slot, choice: at as u32 });
        let mut ends = Vec::new();
        for one in alternatives {
            let which = one.alternative as usize;
            let here = self.here();
            *self.code.choices.get_mut(at)?.targets.get_mut(which)? = here;
            self.at(one.node, slots.get(which)?, slot)?;
            ends.push(self.jump());
        }
        ends.into_iter().for_each(|end| self.ends(end));
        Some(())
    }

    fn list(&mut self, node: &TlvNode, frame: FrameId, slot: u32) -> Option<()> {
        let TlvNode::List { lower, upper, element, sorted } = *node else { return None };
        let Frame { words: words @ 1.., places, .. } = *self.frames.get(frame) else { return None };
        // The operation before it opens the contents.
        let indefinite = matches!(self.code.ops.last(), Some(Op::Open { indefinite: true, .. }));
        self.code.lists.push(List { lower, upper, words, places, indefinite });
        let list = self.op(Op::List { slot, list: self.code.lists.len() as u32 - 1, end: 0 });
        let body = self.here();
        self.within(|walk| walk.node(element, frame, 0, ALWAYS))?;
        self.op(Op::Next { words, body });
        self.ends(list);
        if sorted {
            self.op(Op::Sort);
        }
        Some(())
    }
}

fn tag(identifier: Identifier) -> Tag {
    let octets = tlv::identifier_octets(identifier);
    let word = octets.as_slice().iter().rev().fold(0, |word, octet| word >> 8 | u64::from(*octet) << 56);
    let mask = u64::MAX << (64 - 8 * octets.as_slice().len());
    Tag { word, mask: mask & !(u64::from(tlv::CONSTRUCTED) << 32) }
}

/// Bounds within 64 bits: the interpreter takes numbers beyond them. If bounds are much wider, it
/// takes them all.
fn wide_bounds(layout: &Layout, lower: Option<Span>, upper: Option<Span>) -> Option<(i64, i64)> {
    let bound = |span: Option<Span>, without: i64| match span {
        Some(span) => {
            let bound = TwosComplement::read_signed(layout.octets(span))?;
            let is_near = bound.unsigned_abs() <= 1 << 64;
            is_near.then(|| bound.clamp(i64::MIN.into(), i64::MAX.into()) as i64)
        }
        None => Some(without),
    };
    Some((bound(lower, i64::MIN)?, bound(upper, i64::MAX)?)).filter(|(lower, upper)| lower <= upper)
}
