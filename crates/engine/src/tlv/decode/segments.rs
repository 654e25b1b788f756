//! Decoding: strings in segments (X.690 §8.6.4, §8.7.3, §8.23.6).

use super::Tlv;
use alloc::vec::Vec;
use core::num::NonZeroUsize;

use roadwire_layout::Contents;
use roadwire_wire::rt::tlv::{self, Identifier};
use roadwire_wire::{Data, ErrorKind, Rejected, Scalar, faults};

use super::Frame;
use crate::decode::Decoder;
use crate::listener::{Listener, What};

/// The identifier of a segment of a bit string.
const BITS: Identifier = 3;

/// A reassembled string.
struct Whole {
    octets: Vec<u8>,
    /// A segment of a bit string does not fill its last octet, so no other segment may follow.
    ended: bool,
}

impl<'n, L: Listener> Decoder<'n, '_, '_, '_, L, Tlv> {
    /// A value that is not composed of others, or a string in segments.
    #[inline(never)]
    pub(crate) fn primitive(
        &mut self,
        wanted: Identifier,
        leaf: &'n Contents,
        value: &mut dyn Data,
    ) -> Result<(), Rejected> {
        let at = self.reader.position();
        let found = self.take_identifier()?;
        if found == wanted {
            let frame = self.enter()?;
            self.leaf_contents(leaf, value)?;
            self.family.indefinite = frame.indefinite;
            self.reader.leave(frame.outer);
            return Ok(());
        }
        match leaf.segments() {
            Some(segment) if found == wanted | tlv::CONSTRUCTED => self.in_segments(leaf, segment, value),
            _ => Err(self.other_tag(found, wanted, at)),
        }
    }

    /// Reassembles the segments. The listener is called for the segments, and then for the value as
    /// an item of no bits.
    #[cold]
    #[inline(never)]
    fn in_segments(&mut self, leaf: &'n Contents, segment: Identifier, value: &mut dyn Data) -> Result<(), Rejected> {
        let start = self.reader.position();
        let mut whole = Whole { octets: Vec::new(), ended: false };
        if segment == BITS {
            whole.octets.push(0);
        }
        let frame = self.enter()?;
        self.segments(segment, &mut whole)?;
        self.close_value(&frame)?;
        let end = self.detached.or(NonZeroUsize::new(self.reader.position()));
        let mut nested = self.nested(&whole.octets, end, Tlv::default());
        let done = nested.leaf_contents(leaf, value);
        let slots = nested.slots;
        self.slots = slots;
        if let (Err(Rejected), Some(Some(error))) = (done, &mut self.explanation) {
            error.bit = start;
        }
        done
    }

    fn segments(&mut self, segment: Identifier, whole: &mut Whole) -> Result<(), Rejected> {
        while !self.at_end()? {
            let at = self.reader.position();
            let found = self.take_identifier()?;
            if found == segment {
                let frame = self.enter()?;
                self.segment(segment, whole)?;
                self.leave_segment(&frame);
            } else if found == segment | tlv::CONSTRUCTED {
                self.descend()?;
                let frame = self.enter()?;
                self.segments(segment, whole)?;
                self.close_value(&frame)?;
                self.depth -= 1;
            } else {
                return Err(self.other_segment(found, segment, at));
            }
        }
        Ok(())
    }

    fn leave_segment(&mut self, frame: &Frame) {
        self.family.indefinite = frame.indefinite;
        self.reader.leave(frame.outer);
    }

    fn segment(&mut self, segment: Identifier, whole: &mut Whole) -> Result<(), Rejected> {
        let at = self.reader.position();
        let contents = match self.primitive_octets()? {
            contents if segment != BITS => contents,
            [unused @ 0..=7, bits @ ..] if !whole.ended && (*unused == 0 || !bits.is_empty()) => {
                whole.ended = *unused > 0;
                if let Some(first) = whole.octets.first_mut() {
                    *first = *unused;
                }
                bits
            }
            _ => return Err(self.fail_at(ErrorKind::Malformed(faults::tlv::SEGMENT_UNUSED), at)),
        };
        whole.octets.extend_from_slice(contents);
        self.show(at, What::Value(""), Scalar::Octets(contents));
        Ok(())
    }
}
