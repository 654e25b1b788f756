//! Encoding: a SET OF in the order of its elements' encodings (X.693 §9.7).

use alloc::vec::Vec;

use roadwire_layout::NodeId;
use roadwire_wire::{Data, Rejected, Writer};

use super::Encoder;

impl<'n> Encoder<'n, '_, '_> {
    /// Writes the elements, and puts them into order. Heap is used only where they were not in it.
    #[inline(never)]
    pub(super) fn sorted_elements(&mut self, node: NodeId, count: usize, value: &dyn Data) -> Result<(), Rejected> {
        self.markup_begins()?;
        let start = self.octets_written();
        let mut ends = Vec::new();
        for at in 0..count {
            self.xml_element(node, at, value)?;
            ends.push(self.octets_written());
        }
        self.depth -= 1;
        let (output, end) = core::mem::take(&mut self.writer).into_octets()?;
        if let Some(written) = output.get_mut(start..end) {
            sort(written, ends.iter().map(|end| end - start));
        }
        self.writer = Writer::resume(output, end, 0, 0);
        Ok(())
    }

    fn octets_written(&self) -> usize {
        self.writer.position() / 8
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
    // UTF-8 octets are in the order of the characters' codes; one that another begins with comes first (§9.7.3).
    elements.sort_unstable();
    let sorted: Vec<u8> = elements.concat();
    written.iter_mut().zip(sorted).for_each(|(place, octet)| *place = octet);
}
