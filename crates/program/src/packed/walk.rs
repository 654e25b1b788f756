//! Makes a program from a layout.

mod choice;
mod leaf;
mod opaque;
mod record;
mod string;

use std::sync::atomic::{AtomicU64, Ordering};

use roadwire_layout::{Extent, Family, Layout, LengthForm, Node, NodeId};

use super::code::{Code, Field, Op};
use crate::frame::{Form, Frame, FrameId, Frames, Slot};
use crate::levels::{Leveled, Levels, MOST_STEPS};
use crate::rows::Making;

/// The number of the next program.
static PROGRAMS: AtomicU64 = AtomicU64::new(1);

pub(crate) struct Walk<'a> {
    layout: &'a Layout,
    frames: &'a Frames,
    code: Code,
    /// Whether the next field may continue the last run: no operation continues between them.
    is_open: bool,
    levels: Levels,
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
        if let Some(
            Op::If { to, .. }
            | Op::IfAny { to, .. }
            | Op::Additions { to, .. }
            | Op::Addition { to, .. }
            | Op::Jump { to }
            | Op::List { end: to, .. },
        ) = self.code.ops.get_mut(op)
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
        let mut walk = Walk { layout, frames, code: Code::default(), is_open: false, levels: Levels::default() };
        walk.code.id = PROGRAMS.fetch_add(1, Ordering::Relaxed);
        walk.code.is_octet = layout.rules.family() == Family::Octet;
        walk.code.is_aligned = layout.length_form == LengthForm::Aligned;
        (walk.code.words, walk.code.places) = (frames.words(frames.root), frames.get(frames.root).places);
        walk.node(layout.root, frames.root, 0)?;
        walk.op(Op::End);
        Some(walk.code)
    }

    fn op(&mut self, op: Op) -> usize {
        self.is_open = false;
        self.code.ops.push(op);
        self.code.ops.len() - 1
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

    /// A value at a slot.
    fn node(&mut self, node: NodeId, frame: FrameId, slot: u32) -> Option<()> {
        if self.code.ops.len() + self.code.fields.len() > MOST_STEPS {
            return None;
        }
        let Frame { is_recursive, .. } = *self.frames.get(frame);
        if is_recursive {
            return self.call(node, |walk| walk.content(node, frame, 0));
        }
        self.content(node, frame, slot)
    }

    fn content(&mut self, node: NodeId, frame: FrameId, slot: u32) -> Option<()> {
        match (self.layout.node(node), &self.frames.get(frame).form) {
            (Node::Scope { .. } | Node::Key { .. }, _) => self.selecting(node, frame, slot),
            (Node::Table { .. } | Node::Open | Node::Contained { .. }, Form::Opaque(opaque)) => {
                self.nested(|walk| walk.opaque(node, opaque, slot))
            }
            (Node::Record { .. }, Form::Record(slots)) => self.nested(|walk| walk.record(node, slots, slot)),
            (Node::Choice { .. }, Form::Choice(slots)) => self.nested(|walk| walk.choice(node, slots, slot)),
            (&Node::List { ref extent, element, sorted }, &Form::List(frame)) => {
                self.nested(|walk| walk.list((extent, sorted), element, frame, slot))
            }
            (_, form) => self.leaf(node, form, slot, 0),
        }
    }

    /// A value at the slot of its record or choice.
    fn at(&mut self, node: NodeId, place: &Slot, slot: u32) -> Option<()> {
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

    fn list(&mut self, (extent, is_sorted): (&Extent, bool), element: NodeId, frame: FrameId, slot: u32) -> Option<()> {
        let Frame { words: words @ 1.., places, .. } = *self.frames.get(frame) else { return None };
        let count = self.count(extent)?;
        self.code.counts.push(count);
        let count = self.code.counts.len() as u32 - 1;
        let list = self.op(Op::List { slot, count, words, places, end: 0, is_sorted });
        let body = self.here();
        self.within(|walk| walk.node(element, frame, 0))?;
        self.op(Op::Next { words, body });
        self.ends(list);
        Some(())
    }
}
