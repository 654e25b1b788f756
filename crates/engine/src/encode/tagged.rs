//! Encoding: alternatives that are told by tags (X.696 §20).

use roadwire_layout::{Span, tag};
use roadwire_wire::{Data, Reader, Rejected, oer};

use super::Encoder;

impl Encoder<'_, '_, '_> {
    /// Writes the tag of the alternative in place `at`. One that is a CHOICE without a tag of its own writes that of its alternative itself.
    #[inline(never)]
    pub(super) fn put_tag_of(&mut self, tags: Span, at: usize) -> Result<(), Rejected> {
        let pairs = self.layout.numbers(tags).chunks_exact(2);
        match pairs.map(|pair| (pair[0], pair[1])).find(|(_, place)| *place as usize == at) {
            Some((tag, _)) => oer::put_tag(&mut self.writer, tag),
            None => Ok(()),
        }
    }

    /// An alternative of a later version, with a tag that none of this version's has.
    #[cold]
    #[inline(never)]
    pub(super) fn unknown_tagged(&mut self, tags: Span, value: &dyn Data) -> Result<(), Rejected> {
        if let [unknown] = value.unknown() {
            let mut reader = Reader::new(&unknown.octets);
            let tag = oer::take_tag(&mut reader);
            let is_new =
                |tag: u32| self.layout.numbers(tags).chunks_exact(2).all(|pair| pair[0] != tag || pair[0] == tag::ANY);
            let content = unknown.octets.get(reader.position() / 8..).unwrap_or(&[]);
            if tag.is_ok_and(is_new) && oer::is_open_type(content) {
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
