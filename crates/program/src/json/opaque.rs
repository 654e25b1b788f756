//! Makes the program of open types, and of strings with contents.

use roadwire_layout::{JsonNode, Node, NodeId, ONLY};

use super::code::Leaf;
use super::walk::Walk;
use crate::frame::{Form, FrameId, Opaque};
use crate::rows::Selecting;

impl Walk<'_> {
    /// A value of the type in a row, or octets as digits.
    pub(super) fn open_type(&mut self, selected: Option<u32>, nodes: &[u32], opaque: &Opaque, slot: u32) -> Option<()> {
        let slots = &opaque.slots;
        self.rows(
            (slot, selected),
            (nodes, slots.len()),
            |walk, row, node| walk.inside(|walk| walk.at(node, slots.get(row)?, slot)),
            |walk| walk.leaf(slot + Opaque::AT as u32, Leaf::Digits { lower: 0, upper: u64::MAX }),
        )
    }

    /// A string, or an object with the value in it.
    pub(super) fn contained(&mut self, string: NodeId, content: NodeId, frame: FrameId, slot: u32) -> Option<()> {
        let layout = self.layout;
        let (Form::Opaque(opaque), Node::Json(JsonNode::Digits { .. })) =
            (&self.frames.get(frame).form, layout.node(string))
        else {
            return None;
        };
        let slots = &opaque.slots;
        self.rows(
            (slot, Some(ONLY)),
            (&[content.0], slots.len()),
            |walk, row, node| {
                walk.inside(|walk| {
                    walk.put(b"{\"containing\":");
                    walk.at(node, slots.get(row)?, slot)?;
                    walk.put(b"}");
                    Some(())
                })
            },
            // Its only row is always selected.
            |_| None,
        )
    }

    /// A row, which may have no program.
    fn inside(&mut self, row: impl FnOnce(&mut Self) -> Option<()>) -> Option<()> {
        let done = row(self);
        if done.is_none() {
            self.ahead.clear();
            self.has_comma = false;
        }
        done
    }
}
