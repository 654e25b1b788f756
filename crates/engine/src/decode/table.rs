//! Decoding: open types whose type another component selects.

use roadwire_layout::{Node, NodeId};
use roadwire_wire::{Data, ErrorKind, Rejected, faults};

use crate::decode::{Decoder, Family};
use crate::listener::Listener;
use crate::packed::decode::open::Content;

impl<'n, L: Listener, F: Family> Decoder<'n, '_, '_, '_, L, F> {
    /// An open type: a value of the type that its key selects, if `value` can hold one, or octets.
    #[inline(never)]
    pub(crate) fn table(&mut self, node: &'n Node, value: &mut dyn Data) -> Result<(), Rejected> {
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
    pub(crate) fn key(&mut self, node: &'n Node, value: &mut dyn Data) -> Result<(), Rejected> {
        let Node::Key { node, slot, keys } = *node else { return self.misplaced() };
        let at = self.reader.position();
        self.node(node, value)?;
        if self.slots.select(self.layout, slot, keys, value) {
            return Ok(());
        }
        Err(self.fail_at(ErrorKind::Malformed(faults::shared::OPEN_TYPE_IDENTIFIER), at))
    }

    #[inline(never)]
    pub(crate) fn scope(&mut self, node: &'n Node, value: &mut dyn Data) -> Result<(), Rejected> {
        let Node::Scope { record, slots } = *node else { return self.misplaced() };
        let outer = self.slots.enter(self.layout.numbers(slots));
        self.node(record, value)?;
        self.slots.leave(self.layout.numbers(slots), &outer);
        Ok(())
    }
}
