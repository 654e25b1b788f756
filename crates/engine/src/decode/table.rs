//! Decoding: open types whose type another component selects.

use roadwire_layout::{Node, NodeId};
use roadwire_wire::{Data, ErrorKind, Rejected};

use super::Decoder;
use super::open::Content;
use crate::listener::Listener;

impl<'n, L: Listener> Decoder<'n, '_, '_, '_, L> {
    /// An open type: what its key selects where there is a place for it, or octets.
    #[inline(never)]
    pub(super) fn table(&mut self, node: &'n Node, value: &mut dyn Data) -> Result<(), Rejected> {
        let Node::Table { slot, rows } = *node else { return self.misplaced() };
        if let Some(row) = self.slots.fill(slot) {
            let inner = self.layout.numbers(rows).get(row).copied();
            if let Some((inner, content)) = inner.zip(value.choose(row)) {
                self.descend()?;
                self.open(Content::Node(NodeId(inner)), content)?;
                self.depth -= 1;
                return Ok(());
            }
        }
        self.leaf(&Node::Open, value)
    }

    #[inline(never)]
    pub(super) fn key(&mut self, node: &'n Node, value: &mut dyn Data) -> Result<(), Rejected> {
        let Node::Key { node, slot, keys } = *node else { return self.misplaced() };
        let at = self.reader.position();
        self.node(node, value)?;
        if self.slots.select(self.layout, slot, keys, value) {
            return Ok(());
        }
        Err(self.fail_at(
            ErrorKind::Malformed("an identifier that selects another type than the content before it has"),
            at,
        ))
    }

    #[inline(never)]
    pub(super) fn scope(&mut self, node: &'n Node, value: &mut dyn Data) -> Result<(), Rejected> {
        let Node::Scope { record, slots } = *node else { return self.misplaced() };
        let outer = self.slots.enter(self.layout.numbers(slots));
        self.node(record, value)?;
        self.slots.leave(self.layout.numbers(slots), &outer);
        Ok(())
    }
}
