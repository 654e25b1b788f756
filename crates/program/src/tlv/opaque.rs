//! Makes the program of open types, and of strings with contents.

use roadwire_layout::{Contents, Node, NodeId, ONLY, Span, TlvNode};

use super::code::{Op, Text, Units};
use super::walk::Walk;
use crate::frame::{Form, FrameId, Opaque};
use crate::rows::Selecting;

impl Walk<'_> {
    /// A value of the type in a row, or of any type (X.690 §8.15).
    pub(super) fn open_type(&mut self, (of, rows): (u32, Span), opaque: &Opaque, slot: u32) -> Option<()> {
        let (layout, slots) = (self.layout, &opaque.slots);
        let selected = (rows.count > 0).then_some(of);
        self.rows(
            (slot, selected),
            (layout.numbers(rows), slots.len()),
            |walk, row, node| walk.inside(|walk| walk.at(node, slots.get(row)?, slot)),
            |walk| {
                let (lower, upper, units) = (0, u64::MAX, Units::Element);
                walk.code.strings.push(Text { tag: 0, most: usize::MAX, lower, upper, units });
                walk.op(Op::Text { slot: slot + Opaque::AT as u32, text: walk.code.strings.len() as u32 - 1 });
                Some(())
            },
        )
    }

    /// An OCTET STRING of any size, and the value in it.
    pub(super) fn contained(&mut self, string: NodeId, content: NodeId, frame: FrameId, slot: u32) -> Option<()> {
        let layout = self.layout;
        let (&Node::Tlv(TlvNode::Primitive { identifier, contents, indefinite: false }), Form::Opaque(opaque)) =
            (layout.node(string), &self.frames.get(frame).form)
        else {
            return None;
        };
        let is_known = !matches!(layout.node(content), Node::Tlv(TlvNode::Open { .. }));
        if !is_known || !matches!(contents, Contents::Octets { lower: 0, upper: u64::MAX }) {
            return None;
        }
        let slots = &opaque.slots;
        self.rows(
            (slot, Some(ONLY)),
            (&[content.0], slots.len()),
            |walk, row, node| {
                walk.inside(|walk| walk.open(identifier, false, |walk| walk.at(node, slots.get(row)?, slot)))
            },
            // Its only row is always selected.
            |_| None,
        )
    }

    /// A row, which may have no program.
    fn inside(&mut self, row: impl FnOnce(&mut Self) -> Option<()>) -> Option<()> {
        let (presence, opened) = (self.presence, self.opened);
        let done = row(self);
        (self.presence, self.opened) = (presence, opened);
        done
    }
}
