//! Encoding: alternatives selected by tags (X.696 §20).

use crate::encode::Family;
use roadwire_layout::{Span, tag};
use roadwire_wire::rt::octet;
use roadwire_wire::{Data, Reader, Rejected};

use crate::encode::Encoder;

impl<F: Family> Encoder<'_, '_, '_, F> {
    /// Writes the tag of alternative `at`. An untagged CHOICE writes the tag of its own alternative
    /// itself.
    #[inline(never)]
    pub(crate) fn put_tag_of(&mut self, tags: Span, at: usize) -> Result<(), Rejected> {
        let pairs = self.layout.numbers(tags).chunks_exact(2);
        match pairs.map(|pair| (pair[0], pair[1])).find(|(_, place)| *place as usize == at) {
            Some((tag, _)) => octet::put_tag(&mut self.writer, tag),
            None => Ok(()),
        }
    }

    /// An alternative of a later version, with a tag that no alternative of this version has.
    #[cold]
    #[inline(never)]
    pub(crate) fn unknown_tagged(&mut self, tags: Span, value: &dyn Data) -> Result<(), Rejected> {
        if let [unknown] = value.unknown() {
            let mut reader = Reader::new(&unknown.octets);
            let tag = octet::take_tag(&mut reader);
            let is_new =
                |tag: u32| self.layout.numbers(tags).chunks_exact(2).all(|pair| pair[0] != tag || pair[0] == tag::ANY);
            let content = unknown.octets.get(reader.position() / 8..).unwrap_or(&[]);
            if tag.is_ok_and(is_new) && octet::is_open_type(content) {
                return self.writer.put_octets(&unknown.octets);
            }
        }
        if !cfg!(feature = "alloc") && !value.unknown().is_empty() {
            // It has not been kept.
            return Err(self.not_built("alloc"));
        }
        self.mismatch("a CHOICE with one of its alternatives")
    }
}
