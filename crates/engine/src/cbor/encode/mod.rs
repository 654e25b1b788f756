//! Encoding data items (RFC 8949) in the one form that is deterministic (§4.2.1).
//!
//! One octet is left for the head of a byte string around an item, and the item is moved if the
//! head takes more.

use roadwire_layout::{Alternative, CborNode, Node, NodeId};
use roadwire_wire::rt::cbor::{self, major, tag};
use roadwire_wire::{Data, ErrorKind, Rejected, Scalar, Unknown};

use crate::encode::{Encoder, Family};

mod leaf;
mod map;

/// CBOR.
#[derive(Default)]
pub(crate) struct Cbor;

impl Family for Cbor {
    #[inline(never)]
    fn node<'n>(encoder: &mut Encoder<'n, '_, '_, Self>, id: NodeId, value: &dyn Data) -> Result<(), Rejected> {
        let node = encoder.layout.node(id);
        match node {
            Node::Cbor(node) => encoder.item_of(node, value),
            _ => encoder.of_any_family(node, value),
        }
    }
}

impl<'n> Encoder<'n, '_, '_, Cbor> {
    #[inline(never)]
    fn item_of(&mut self, node: &'n CborNode, value: &dyn Data) -> Result<(), Rejected> {
        match *node {
            CborNode::Map { .. } => self.map(node, value),
            CborNode::Choice { .. } => self.choice_of_items(node, value),
            CborNode::Array { .. } => self.array_of_items(node, value),
            CborNode::Embedded { .. } => self.embedded(node, value),
            _ => self.leaf_item(node, value),
        }
    }

    fn head(&mut self, major: u8, number: u64) -> Result<(), Rejected> {
        cbor::put_head(&mut self.writer, major, number)
    }

    fn string(&mut self, major: u8, octets: &[u8]) -> Result<(), Rejected> {
        self.head(major, octets.len() as u64)?;
        self.writer.put_octets(octets)
    }

    fn size(&mut self, size: u64, lower: u64, upper: u64) -> Result<(), Rejected> {
        if lower <= size && size <= upper { Ok(()) } else { Err(self.fail(ErrorKind::Size { size, lower, upper })) }
    }

    /// An unknown item of a later version, after its key, as received.
    #[cold]
    #[inline(never)]
    fn later(&mut self, key: u64, unknown: &Unknown) -> Result<(), Rejected> {
        if cbor::skip(&unknown.octets, cbor::DEEPEST) != Ok(unknown.octets.len()) {
            return self.mismatch("with an unknown addition or alternative that is one data item");
        }
        self.head(major::UNSIGNED, key)?;
        self.writer.put_octets(&unknown.octets)
    }

    #[inline(never)]
    fn choice_of_items(&mut self, node: &'n CborNode, value: &dyn Data) -> Result<(), Rejected> {
        let Some((which, content)) = value.alternative() else { return self.later_alternative(node, value) };
        let alternative = self.open_choice_of_items(node, which)?;
        self.alternative(alternative, content)?;
        self.depth -= 1;
        Ok(())
    }

    #[inline(never)]
    fn open_choice_of_items(&mut self, node: &'n CborNode, which: usize) -> Result<&'n Alternative, Rejected> {
        let CborNode::Choice { alternatives, .. } = *node else { return Err(Rejected) };
        self.descend()?;
        let layout = self.layout;
        let all = layout.alternatives(alternatives);
        let found = all.iter().enumerate().find(|(_, one)| one.alternative as usize == which);
        let Some((key, alternative)) = found else {
            return Err(self.fail(ErrorKind::ChoiceIndex { index: which as u64, count: all.len() as u64 }));
        };
        self.head(major::MAP, 1)?;
        self.head(major::UNSIGNED, key as u64)?;
        Ok(alternative)
    }

    #[cold]
    #[inline(never)]
    fn later_alternative(&mut self, node: &CborNode, value: &dyn Data) -> Result<(), Rejected> {
        let CborNode::Choice { alternatives, root, extensible } = *node else { return self.misplaced() };
        match value.unknown() {
            [unknown] if extensible && unknown.index >= alternatives.count.saturating_sub(root) => {
                self.head(major::MAP, 1)?;
                self.later(u64::from(root) + u64::from(unknown.index), unknown)
            }
            _ => self.mismatch("a CHOICE with one of its alternatives"),
        }
    }

    #[inline(never)]
    fn array_of_items(&mut self, node: &'n CborNode, value: &dyn Data) -> Result<(), Rejected> {
        let CborNode::Array { element, sorted, .. } = *node else { return self.misplaced() };
        let count = self.open_array_of_items(node, value)?;
        if sorted {
            return self.sorted_elements(element, count, value);
        }
        for at in 0..count {
            self.list_element(element, at, value)?;
        }
        self.depth -= 1;
        Ok(())
    }

    #[inline(never)]
    fn open_array_of_items(&mut self, node: &CborNode, value: &dyn Data) -> Result<usize, Rejected> {
        let CborNode::Array { lower, upper, .. } = *node else { return Err(Rejected) };
        self.descend()?;
        let Some(count) = value.length() else {
            return Err(self.fail(ErrorKind::Mismatch { expected: "a list" }));
        };
        self.size(count as u64, lower, upper)?;
        self.head(major::ARRAY, count as u64)?;
        Ok(count)
    }

    /// An open type: a value of the type that its key selects, or octets.
    #[inline(never)]
    fn embedded(&mut self, node: &'n CborNode, value: &dyn Data) -> Result<(), Rejected> {
        let CborNode::Embedded { slot, rows } = *node else { return self.misplaced() };
        self.head(major::TAG, tag::EMBEDDED)?;
        let Some((row, content)) = value.alternative() else { return self.embedded_octets(value) };
        let inner = self.row(slot, rows, row)?;
        self.descend()?;
        self.writer.put(0, 8)?;
        let start = self.writer.position() / 8;
        self.node(inner, content)?;
        self.depth -= 1;
        self.in_output(|output, end| cbor::close(output, start, end))
    }

    fn embedded_octets(&mut self, value: &dyn Data) -> Result<(), Rejected> {
        match value.scalar() {
            Scalar::Octets(octets) => self.string(major::OCTETS, octets),
            _ => self.mismatch("the octets of an open type"),
        }
    }
}
