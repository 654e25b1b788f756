//! Makes the program of open types, and of strings with contents.

use roadwire_layout::{Node, NodeId, ONLY};

use super::code::{Key, Leaf};
use super::walk::Walk;
use crate::frame::Opaque;
use crate::rows::Selecting;
use crate::strings::Strings;

impl Walk<'_> {
    /// The message of a row, or of a string's content, after a key and its length; or octets.
    pub(super) fn opaque(&mut self, node: NodeId, key: Key, opaque: &Opaque, slot: u32) -> Option<()> {
        let (layout, slots) = (self.layout, &opaque.slots);
        let (selected, nodes) = match *layout.node(node) {
            Node::Open => (None, &[][..]),
            Node::Table { slot, rows } => (Some(slot), layout.numbers(rows)),
            Node::Contained { string, ref content, .. } => {
                let is_known = !matches!(layout.node(*content), Node::Open | Node::Table { .. });
                let is_any = matches!(layout.node(string), Node::Octets { extent }
                    if (extent.lower, extent.upper) == (0, u64::MAX));
                if !is_known || !is_any {
                    return None;
                }
                (Some(ONLY), core::slice::from_ref(&content.0))
            }
            _ => return None,
        };
        self.rows(
            (slot, selected),
            (nodes, slots.len()),
            |walk, row, node| {
                let (place, lengths) = (slots.get(row)?, walk.lengths);
                let message = |walk: &mut Self, slot| walk.message(node, (place.frame, slot));
                let done = walk.open(key, |walk| walk.inside(place, slot + place.at, message));
                walk.lengths = lengths;
                done
            },
            |walk| {
                let octets = Strings::Octets { lower: 0, upper: u64::MAX };
                walk.leaf(slot + Opaque::AT as u32, key, Leaf::String(octets))
            },
        )
    }
}
