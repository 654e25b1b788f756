//! Open types, and strings with contents.

use roadwire_layout::{Count as LayoutCount, Extent, Node, NodeId, ONLY};

use super::Walk;
use crate::frame::{FrameId, Opaque};
use crate::packed::code::{Count, Text, Units};
use crate::rows::Selecting;

impl Walk<'_> {
    /// A record whose components select rows, or such a component.
    pub(super) fn selecting(&mut self, node: NodeId, frame: FrameId, slot: u32) -> Option<()> {
        match *self.layout.node(node) {
            Node::Scope { record, slots } => self.scope(slots, |walk| walk.content(record, frame, slot)),
            Node::Key { node, slot: of, keys } => {
                let (fields, numbers) = (self.code.fields.len(), self.code.numbers.len());
                let strings = self.code.strings.len();
                self.content(node, frame, slot)?;
                // A later part depends on it.
                self.code.fields.get_mut(fields..)?.iter_mut().for_each(|field| field.selects = true);
                self.code.numbers.get_mut(numbers..)?.iter_mut().for_each(|number| number.selects = true);
                self.code.strings.get_mut(strings..)?.iter_mut().for_each(|text| text.selects = true);
                self.selects(of, keys, slot)
            }
            _ => None,
        }
    }

    /// The rows of an open type, or the content of a string, and octets that are not known.
    pub(super) fn opaque(&mut self, node: NodeId, opaque: &Opaque, slot: u32) -> Option<()> {
        let (layout, slots) = (self.layout, &opaque.slots);
        let at = slot + Opaque::AT as u32;
        let row = |walk: &mut Self, row: usize, node| walk.open(|walk| walk.at(node, slots.get(row)?, slot));
        let octets = |walk: &mut Self| {
            let count = Count::Determinant { lower: layout.least_octets(), upper: u64::MAX };
            walk.text(at, Text { count, units: Units::Octets, trim: None, is_aligned: false, selects: false })
        };
        match *layout.node(node) {
            Node::Open => self.rows((slot, None), (&[], slots.len()), row, octets),
            Node::Table { slot: of, rows } => {
                self.rows((slot, Some(of)), (layout.numbers(rows), slots.len()), row, octets)
            }
            Node::Contained { string, content, .. } => {
                let is_known = !matches!(layout.node(content), Node::Open | Node::Table { .. });
                let is_any = matches!(layout.node(string), Node::Octets { extent } if is_unbounded(extent));
                if !is_known || !is_any {
                    return None;
                }
                self.rows((slot, Some(ONLY)), (&[content.0], slots.len()), row, octets)
            }
            _ => None,
        }
    }
}

/// Whether any number of octets may come, after a length determinant alone.
fn is_unbounded(extent: &Extent) -> bool {
    let Extent { lower, upper, count, extensible, .. } = *extent;
    (lower, upper, count, extensible) == (0, u64::MAX, LayoutCount::Determinant, false)
}
