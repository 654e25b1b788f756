//! Makes the program of open types, and of strings with contents.

use roadwire_layout::{CborNode, Node, NodeId, ONLY, Span};
use roadwire_wire::rt::cbor::tag;

use super::code::{Leaf, Op};
use super::walk::Walk;
use crate::frame::{Form, FrameId, Opaque};
use crate::levels::Leveled;
use crate::rows::Selecting;
use crate::strings::Strings;

impl Walk<'_> {
    /// An encoded data item (RFC 8949 §3.4.5.1): of the type in a row, or any.
    pub(super) fn open_type(&mut self, (of, rows): (u32, Span), opaque: &Opaque, slot: u32) -> Option<()> {
        self.ahead(0xc0, tag::EMBEDDED);
        let selected = (rows.count > 0).then_some(of);
        self.embedded(selected, self.layout.numbers(rows), opaque, slot)
    }

    /// A byte string of any size, and the value in it.
    pub(super) fn contained(&mut self, string: NodeId, content: NodeId, frame: FrameId, slot: u32) -> Option<()> {
        let layout = self.layout;
        let Form::Opaque(opaque) = &self.frames.get(frame).form else { return None };
        let is_known = !matches!(layout.node(content), Node::Cbor(CborNode::Embedded { .. }));
        let is_any = matches!(layout.node(string), Node::Cbor(CborNode::Octets { lower: 0, upper: u64::MAX }));
        if is_known && is_any { self.embedded(Some(ONLY), &[content.0], opaque, slot) } else { None }
    }

    fn embedded(&mut self, selected: Option<u32>, nodes: &[u32], opaque: &Opaque, slot: u32) -> Option<()> {
        let slots = &opaque.slots;
        self.rows(
            (slot, selected),
            (nodes, slots.len()),
            |walk, row, node| {
                let orders = walk.orders;
                walk.op(Op::Embed);
                let done = walk.within(|walk| walk.at(node, slots.get(row)?, slot));
                if done.is_none() {
                    walk.ahead.clear();
                    walk.orders = orders;
                }
                done?;
                walk.op(Op::Embedded);
                Some(())
            },
            |walk| {
                let octets = Strings::Octets { lower: 0, upper: u64::MAX };
                walk.leaf(slot + Opaque::AT as u32, Leaf::String(0x40, octets))
            },
        )
    }
}
