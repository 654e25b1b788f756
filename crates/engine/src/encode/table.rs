//! Encoding: open types whose type another component selects.

use roadwire_layout::{Node, NodeId, Span};
use roadwire_wire::{Data, ErrorKind, Rejected};

use crate::encode::{Encoder, Family};

impl<'n, F: Family> Encoder<'n, '_, '_, F> {
    /// An open type: a value of the type that its key selects, or octets.
    #[inline(never)]
    pub(crate) fn table(&mut self, node: &'n Node, value: &dyn Data) -> Result<(), Rejected> {
        let Node::Table { slot, rows } = *node else { return self.misplaced() };
        let Some((row, content)) = value.alternative() else { return self.leaf(&Node::Open, value) };
        let inner = self.row(slot, rows, row)?;
        self.descend()?;
        let start = self.begin_open_type()?;
        self.node(inner, content)?;
        self.depth -= 1;
        self.close_open_type(start)
    }

    /// The type in a row. The key may still follow; if it has selected a row other than the
    /// value's, this is an error.
    #[inline(never)]
    pub(crate) fn row(&mut self, slot: u32, rows: Span, row: usize) -> Result<NodeId, Rejected> {
        match self.layout.numbers(rows).get(row) {
            Some(inner) if self.slots.admits(slot, row) => Ok(NodeId(*inner)),
            _ => Err(self.fail(ErrorKind::Mismatch { expected: "of the type that its identifier selects" })),
        }
    }

    #[inline(never)]
    pub(crate) fn key(&mut self, node: &'n Node, value: &dyn Data) -> Result<(), Rejected> {
        let Node::Key { node, slot, keys } = *node else { return self.misplaced() };
        self.node(node, value)?;
        if self.slots.select(self.layout, slot, keys, value) {
            return Ok(());
        }
        self.mismatch("of the value that selects the type of its content")
    }

    #[inline(never)]
    pub(crate) fn scope(&mut self, node: &'n Node, value: &dyn Data) -> Result<(), Rejected> {
        let Node::Scope { record, slots } = *node else { return self.misplaced() };
        let outer = self.slots.enter(self.layout.numbers(slots));
        self.node(record, value)?;
        self.slots.leave(self.layout.numbers(slots), &outer);
        Ok(())
    }
}
