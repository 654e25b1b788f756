//! Encoding: a SET OF in the order of its elements' encodings (X.693 §9.7, X.696 §31.8).

use alloc::vec::Vec;

use roadwire_layout::{Node, NodeId};
use roadwire_wire::{Data, Rejected, Writer};

use crate::encode::{Encoder, Family};

impl<'n, F: Family> Encoder<'n, '_, '_, F> {
    #[inline(never)]
    pub(crate) fn sorted_list(&mut self, node: &'n Node, value: &dyn Data) -> Result<(), Rejected> {
        let Node::List { element, .. } = *node else { return self.misplaced() };
        let count = self.open_list(node, value)?.units;
        self.sorted_elements(element, count, value)
    }

    /// Writes the elements, each of whole octets, and sorts them. Uses heap only if they were not
    /// sorted.
    #[inline(never)]
    pub(crate) fn sorted_elements(&mut self, node: NodeId, count: usize, value: &dyn Data) -> Result<(), Rejected> {
        let octets = |encoder: &Self| encoder.writer.position() / 8;
        let (start, mut ends) = (octets(self), Vec::new());
        for at in 0..count {
            self.list_element(node, at, value)?;
            ends.push(octets(self));
        }
        self.depth -= 1;
        let (output, end) = core::mem::take(&mut self.writer).into_octets()?;
        if let Some(written) = output.get_mut(start..end) {
            sort(written, ends.iter().map(|end| end - start));
        }
        self.writer = Writer::resume(output, end, 0, 0);
        Ok(())
    }
}

fn sort(written: &mut [u8], ends: impl Iterator<Item = usize>) {
    let mut elements: Vec<&[u8]> = Vec::new();
    let mut start = 0;
    for end in ends {
        elements.push(written.get(start..end).unwrap_or_default());
        start = end;
    }
    if elements.windows(2).all(|pair| pair[0] <= pair[1]) {
        return;
    }
    // In XML, octets of UTF-8 are in the order of the characters' codes, and an element that
    // another begins with comes first (X.693 §9.7.3). In OER none is a prefix of another, so the
    // padding of a shorter encoding does not matter.
    elements.sort_unstable();
    let sorted: Vec<u8> = elements.concat();
    written.iter_mut().zip(sorted).for_each(|(place, octet)| *place = octet);
}
