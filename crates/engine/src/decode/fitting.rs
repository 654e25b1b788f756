//! Decoding: contents that may not fit their type
//! ([`Layout::for_open_reading`](roadwire_layout::Layout)).

use roadwire_layout::Node;
use roadwire_wire::{Data, Rejected};

use crate::decode::{Decoder, Family};
use crate::listener::Listener;

impl<'n, L: Listener, F: Family> Decoder<'n, '_, '_, '_, L, F> {
    /// The content if it can be decoded, otherwise its octets. With a listener, a content that fits
    /// is decoded twice: the listener is called only for one that fits.
    #[cold]
    #[inline(never)]
    pub(crate) fn fitting(&mut self, node: &'n Node, value: &mut dyn Data) -> Result<(), Rejected> {
        let Node::Fitting { content, octets } = *node else { return self.misplaced() };
        let before = (self.elements, self.heap);
        let no_listener = &mut ();
        let mut attempt = self.silent(self.slots.clone(), self.family.clone(), no_listener);
        let fits = attempt.node(content, value).is_ok();
        if fits && L::ACTIVE {
            (self.elements, self.heap) = before;
            return self.node(content, value);
        }
        // An attempt that failed counts against the limits.
        (self.elements, self.heap) = (attempt.elements, attempt.heap);
        if !fits {
            return self.node(octets, value);
        }
        (self.reader, self.slots, self.family) = (attempt.reader, attempt.slots, attempt.family);
        Ok(())
    }
}
