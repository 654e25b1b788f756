//! Makes a program from a layout.

use roadwire_layout::{
    CharacterSet, Count as LayoutCount, Extent, Form as WordForm, Layout, Member, Node, NodeId, Presence, Span, Width,
};

use super::code::{Code, Count, Field, NONE, Op, Text, Units};
use crate::frame::{Form, Frame, FrameId, Frames, Slot};
use crate::place::LEVELS;

/// More operations and fields than this are not worth their memory: the layout has parts that are
/// in many places.
const MOST_STEPS: usize = 1 << 16;

/// The most bits of a field.
const MOST_BITS: u32 = 57;

pub(crate) struct Walk<'a> {
    layout: &'a Layout,
    frames: &'a Frames,
    code: Code,
    /// Whether the next field may continue the last run: no operation continues between them.
    is_open: bool,
    /// How many frames and lists are entered.
    levels: usize,
    /// How many types are around this one, as the interpreter counts them.
    depth: usize,
}

impl<'a> Walk<'a> {
    /// The program of a layout whose values have these frames.
    pub(crate) fn code(layout: &'a Layout, frames: &'a Frames) -> Option<Code> {
        let mut walk = Walk { layout, frames, code: Code::default(), is_open: false, levels: 0, depth: 0 };
        (walk.code.words, walk.code.places) = (frames.words(frames.root), frames.get(frames.root).places);
        walk.node(layout.root, frames.root, 0, 0)?;
        walk.op(Op::End);
        Some(walk.code)
    }

    fn op(&mut self, op: Op) -> usize {
        self.is_open = false;
        self.code.ops.push(op);
        self.code.ops.len() - 1
    }

    /// The operation that comes next, at which others may continue.
    fn here(&mut self) -> u32 {
        self.is_open = false;
        self.code.ops.len() as u32
    }

    fn field(&mut self, slot: u32, field: Field) {
        let (at, width) = (self.code.fields.len() as u32, u32::from(field.width));
        self.code.fields.push(field);
        match self.code.ops.last_mut() {
            Some(Op::Run { slot: start, count, bits, .. }) if self.is_open && *start + *count == slot => {
                *count += 1;
                *bits += width;
            }
            _ => {
                self.op(Op::Run { slot, first: at, count: 1, bits: width });
                self.is_open = true;
            }
        }
    }

    /// A value at a slot; `ahead` is how many zero bits come before it.
    fn node(&mut self, node: NodeId, frame: FrameId, slot: u32, ahead: u32) -> Option<()> {
        let layout = self.layout;
        if self.code.ops.len() + self.code.fields.len() > MOST_STEPS {
            return None;
        }
        match (layout.node(node), &self.frames.get(frame).form) {
            (Node::Null, Form::Null) => Some(()),
            (Node::Boolean { bits: 1 }, Form::Boolean) => {
                self.field(slot, offset(1, 0, 1)?);
                Some(())
            }
            (&Node::Word { width, form: WordForm::Offset, lower, upper }, Form::Integer) => {
                self.field(slot, offset(bits(width)? + ahead, lower, upper)?);
                Some(())
            }
            (&Node::Extension { root, .. }, Form::Integer) => self.node(root, frame, slot, ahead + 1),
            (&Node::Enumerated { width, root, additions, ordinals, .. }, Form::Enumerated) => {
                let width = bits(width)? + u32::from(additions.is_some());
                self.mapped(slot, offset(width, 0, i128::from(root) - 1)?, layout.numbers(ordinals).to_vec());
                Some(())
            }
            (Node::Record { .. }, Form::Record(slots)) => self.nested(|walk| walk.record(node, slots, slot)),
            (Node::Choice { .. }, Form::Choice(slots)) => self.nested(|walk| walk.choice(node, slots, slot)),
            (&Node::List { ref extent, element, sorted: false }, &Form::List(frame)) => {
                self.nested(|walk| walk.list(extent, element, frame, slot))
            }
            (Node::Bits { extent, trim, .. }, Form::Bits) => {
                let is_kept = trim.is_none() || extent.count == LayoutCount::Fixed;
                if is_kept { self.string(slot, extent, Units::Bits) } else { None }
            }
            (Node::Octets { extent }, Form::Octets) => self.string(slot, extent, Units::Octets),
            (Node::Characters { extent, characters }, Form::Text) => {
                let units = self.characters(characters)?;
                self.string(slot, extent, units)
            }
            (&Node::Text { utf8: true, lower, upper, alphabet: Span { count: 0, .. } }, Form::Text) => {
                let count = Count::Determinant { lower: 0, upper: u64::MAX };
                self.text(slot, Text { count, units: Units::Utf8(lower, upper) })
            }
            _ => None,
        }
    }

    /// A field whose numbers on the tape are those of a table, if it is not empty.
    fn mapped(&mut self, slot: u32, field: Field, map: Vec<u32>) {
        if (0..).zip(&map).all(|(index, to)| index == *to) {
            return self.field(slot, field);
        }
        let at = self.code.fields.len() as u32;
        self.code.fields.push(field);
        self.code.maps.push(map);
        let map = self.code.maps.len() as u32 - 1;
        self.op(Op::Mapped { slot, field: at, map });
    }

    /// A type that has others inside: the interpreter refuses a message of more levels.
    fn nested(&mut self, inside: impl FnOnce(&mut Self) -> Option<()>) -> Option<()> {
        self.depth += 1;
        if self.depth > roadwire_model::Value::MAX_DEPTH {
            return None;
        }
        inside(self)?;
        self.depth -= 1;
        Some(())
    }

    fn record(&mut self, node: NodeId, slots: &[Slot], slot: u32) -> Option<()> {
        let Node::Record { extensible, bitmap, padding: 0, members, .. } = *self.layout.node(node) else { return None };
        let members = self.layout.members(members);
        self.defaults(members, slots, slot)?;
        if extensible || bitmap > 0 {
            let width = u32::from(bitmap) + u32::from(extensible);
            self.field(slot, offset(width, 0, (1i128 << bitmap) - 1)?);
        }
        let (mut left, mut rest) = (bitmap, members);
        while let Some((first, later)) = rest.split_first() {
            if first.presence == Presence::Mandatory {
                self.at(first.node, slots.get(first.component as usize)?, slot)?;
                rest = later;
                continue;
            }
            let group = rest.iter().take_while(|member| member.presence != Presence::Mandatory).count();
            let (optional, later) = rest.split_at(group);
            self.optional(optional, slots, slot, &mut left)?;
            rest = later;
        }
        Some(())
    }

    /// Components that may be absent, `left` of which have a bit in the bitmap.
    fn optional(&mut self, members: &[Member], slots: &[Slot], slot: u32, left: &mut u16) -> Option<()> {
        let bits = members.iter().map(|member| slots.get(member.component as usize)?.bit);
        let bits = bits.collect::<Option<Vec<u8>>>()?;
        let mask = bits.iter().fold(0u64, |mask, bit| mask | 1 << bit);
        let none = (members.len() > 1).then(|| self.op(Op::IfAny { slot, mask, to: 0 }));
        for (member, bit) in members.iter().zip(bits) {
            *left = left.checked_sub(1)?;
            // A SET has its components in another order.
            if u16::from(bit) != *left {
                return None;
            }
            let absent = self.op(Op::If { slot, bit, to: 0 });
            self.at(member.node, slots.get(member.component as usize)?, slot)?;
            self.ends(absent);
        }
        none.into_iter().for_each(|none| self.ends(none));
        Some(())
    }

    /// Where an operation continues elsewhere, that is here.
    fn ends(&mut self, op: usize) {
        let here = self.here();
        if let Some(Op::If { to, .. } | Op::IfAny { to, .. } | Op::Jump { to } | Op::List { end: to, .. }) =
            self.code.ops.get_mut(op)
        {
            *to = here;
        }
    }

    /// A value at the slot of its record or choice.
    fn at(&mut self, node: NodeId, place: &Slot, slot: u32) -> Option<()> {
        let slot = slot + place.at;
        if !place.is_outside {
            return self.node(node, place.frame, slot, 0);
        }
        let Frame { words, places, .. } = *self.frames.get(place.frame);
        self.op(Op::Enter { slot, words, places });
        self.within(|walk| walk.node(node, place.frame, 0, 0))?;
        self.op(Op::Leave);
        Some(())
    }

    fn within(&mut self, inside: impl FnOnce(&mut Self) -> Option<()>) -> Option<()> {
        self.levels += 1;
        if self.levels >= LEVELS {
            return None;
        }
        inside(self)?;
        self.levels -= 1;
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

    fn choice(&mut self, node: NodeId, slots: &[Slot], slot: u32) -> Option<()> {
        let Node::Choice { extensible, width, root, alternatives, tags: Span { count: 0, .. } } =
            *self.layout.node(node)
        else {
            return None;
        };
        let alternatives = self.layout.alternatives(alternatives).get(..root as usize)?;
        let field = offset(bits(width)? + u32::from(extensible), 0, i128::from(root) - 1)?;
        self.mapped(slot, field, alternatives.iter().map(|one| one.alternative).collect());
        let first = self.code.targets.len();
        // By alternative in textual order; those beyond the root go nowhere.
        self.code.targets.resize(first + slots.len(), u32::MAX);
        self.op(Op::Choose { slot, first: first as u32, count: slots.len() as u32 });
        let mut ends = Vec::new();
        for one in alternatives {
            let at = one.alternative as usize;
            *self.code.targets.get_mut(first + at)? = self.here();
            self.at(one.node, slots.get(at)?, slot)?;
            ends.push(self.op(Op::Jump { to: 0 }));
        }
        ends.into_iter().for_each(|end| self.ends(end));
        Some(())
    }

    fn list(&mut self, extent: &Extent, element: NodeId, frame: FrameId, slot: u32) -> Option<()> {
        let Frame { words: words @ 1.., places, .. } = *self.frames.get(frame) else { return None };
        let count = self.count(extent)?;
        self.code.counts.push(count);
        let count = self.code.counts.len() as u32 - 1;
        let list = self.op(Op::List { slot, count, words, places, end: 0 });
        let body = self.here();
        self.within(|walk| walk.node(element, frame, 0, 0))?;
        self.op(Op::Next { words, body });
        self.ends(list);
        Some(())
    }

    fn count(&mut self, extent: &Extent) -> Option<Count> {
        let ahead = u32::from(extent.extensible);
        let (lower, upper) = (i128::from(extent.lower), i128::from(extent.upper));
        match extent.count {
            LayoutCount::Fixed => Some(Count::Field(offset(ahead, lower, lower)?)),
            LayoutCount::Field(width) => Some(Count::Field(offset(bits(width)? + ahead, lower, upper)?)),
            LayoutCount::Determinant => {
                if extent.extensible {
                    self.op(Op::Zero);
                }
                Some(Count::Determinant { lower: extent.lower, upper: extent.upper })
            }
            LayoutCount::InOctets | LayoutCount::Quantity => None,
        }
    }

    fn string(&mut self, slot: u32, extent: &Extent, units: Units) -> Option<()> {
        let count = self.count(extent)?;
        self.text(slot, Text { count, units })
    }

    fn text(&mut self, slot: u32, text: Text) -> Option<()> {
        self.code.strings.push(text);
        let text = self.code.strings.len() as u32 - 1;
        self.op(Op::Text { slot, text });
        Some(())
    }

    fn characters(&self, set: &CharacterSet) -> Option<Units> {
        let (mut characters, mut indexes) = (Box::new([NONE; 128]), Box::new([NONE; 128]));
        let mut index = 0u8;
        for pair in self.layout.numbers(set.alphabet).chunks_exact(2) {
            for code in pair[0]..=pair[1].min(0x100) {
                let code = u8::try_from(code).ok().filter(u8::is_ascii)?;
                let at = if set.indexed { index } else { code };
                *characters.get_mut(usize::from(at))? = code;
                *indexes.get_mut(usize::from(code))? = at;
                index += 1;
            }
        }
        (1..=7).contains(&set.bits).then_some(Units::Characters { bits: set.bits, characters, indexes })
    }
}

/// How many bits a number takes that is not aligned.
fn bits(width: Width) -> Option<u32> {
    match width {
        Width::Anywhere(bits) => Some(bits),
        _ => None,
    }
}

fn offset(width: u32, lower: i128, upper: i128) -> Option<Field> {
    let range = u64::try_from(upper.checked_sub(lower)?).ok()?;
    i64::try_from(upper).ok()?;
    let lower = i64::try_from(lower).ok()?;
    (width <= MOST_BITS).then_some(Field { lower, range, width: width as u8 })
}
