//! Strings that contain the encoding of a value (X.682 §11).
//!
//! The content is a complete encoding, however the string is written: in fragments, in segments, or
//! without a length. So the string is processed by itself.

use alloc::vec;
use alloc::vec::Vec;
use core::num::NonZeroUsize;

use roadwire_layout::{CborNode, Family as RulesFamily, LengthForm, Node, NodeId, TlvNode};
use roadwire_wire::{Data, Reader, Rejected, Scalar, Shape, Writer};

use crate::decode::{self, Decoder};
use crate::encode::{self, Encoder};
use crate::listener::{Listener, What};

/// A BIT STRING or an OCTET STRING.
#[derive(Default)]
struct Contents {
    octets: Vec<u8>,
    /// Whether it is a BIT STRING, and of how many bits.
    bits: Option<usize>,
}

impl Contents {
    /// How many bits there are.
    fn count(&self) -> usize {
        self.bits.unwrap_or(self.octets.len() * 8)
    }
}

impl Data for Contents {
    fn scalar(&self) -> Scalar<'_> {
        self.bits.map_or(Scalar::Octets(&self.octets), |bits| Scalar::Bits(&self.octets, bits))
    }

    fn begin(&mut self, shape: Shape) -> bool {
        self.octets.clear();
        self.bits = (shape == Shape::Bits).then_some(0);
        matches!(shape, Shape::Bits | Shape::Octets)
    }

    fn extend_octets(&mut self, count: usize) -> Option<&mut [u8]> {
        let start = self.octets.len();
        self.octets.resize(start + count, 0);
        self.octets.get_mut(start..)
    }

    fn extend_bits(&mut self, count: usize) -> Option<&mut [u8]> {
        let bits = self.bits.filter(|bits| bits % 8 == 0)?;
        self.bits = Some(bits + count);
        self.extend_octets(count.div_ceil(8))
    }
}

impl<'n, 'a, L: Listener, F: decode::Family> Decoder<'n, 'a, '_, '_, L, F> {
    /// The value that a string contains, if `value` can hold one, or the string.
    #[inline(never)]
    pub(crate) fn contained(&mut self, node: &'n Node, value: &mut dyn Data) -> Result<(), Rejected> {
        let Node::Contained { string, content, .. } = *node else { return self.misplaced() };
        if self.is_untold(content) {
            return self.node(string, value);
        }
        let Some(place) = value.choose(0) else { return self.node(string, value) };
        let before = self.reader;
        let contents = self.contents(string)?;
        let start = before.position();
        // A BIT STRING may have as many bits as the content takes, without those that fill up an
        // octet (as in TS 25.331).
        if contents.bits.is_none() && (contents.octets.len() as u64) < self.layout.least_octets() {
            return self.empty_open_type(start);
        }
        self.descend()?;
        match self.place_of(&contents, before) {
            Some(reader) => self.content_in_place(content, &contents, start, reader, place)?,
            None => self.content_apart(content, &contents, start, place)?,
        }
        self.depth -= 1;
        Ok(())
    }

    /// Whether the content is an open type whose type no table gives: the string then stays
    /// undecoded. (RFC 5912 has such a signature, whose octets are not even an
    /// encoding.)
    fn is_untold(&self, content: NodeId) -> bool {
        let (slot, rows) = match *self.layout.node(content) {
            Node::Open => return true,
            Node::Table { slot, rows }
            | Node::Tlv(TlvNode::Open { slot, rows })
            | Node::Cbor(CborNode::Embedded { slot, rows }) => (slot, rows),
            _ => return false,
        };
        self.slots.selected(slot).is_none_or(|row| self.layout.numbers(rows).get(row).is_none())
    }

    /// Reads a string by itself, without calls of the listener.
    fn contents(&mut self, string: NodeId) -> Result<Contents, Rejected> {
        let mut contents = Contents::default();
        let (slots, family) = (core::mem::take(&mut self.slots), core::mem::take(&mut self.family));
        let no_listener = &mut ();
        let mut silent = self.silent(slots, family, no_listener);
        silent.explanation = self.explanation.as_deref_mut();
        let done = silent.node(string, &mut contents);
        (self.reader, self.elements, self.heap) = (silent.reader, silent.elements, silent.heap);
        (self.slots, self.family) = (silent.slots, silent.family);
        done.map(|()| contents)
    }

    /// Where the bits of a string that has just been read begin, if they are in one piece at the
    /// end of what it took; with aligned lengths, at an octet border.
    fn place_of(&self, contents: &Contents, mut reader: Reader<'a>) -> Option<Reader<'a>> {
        let bits = contents.count();
        // Only packed rules have no padding after the bits.
        if bits % 8 != 0 && self.layout.rules.family() != RulesFamily::Packed {
            return None;
        }
        let skipped = (self.reader.position() - reader.position()).checked_sub(bits)?;
        reader.skip(skipped).ok()?;
        if self.layout.length_form == LengthForm::Aligned && reader.position() % 8 != 0 {
            return None;
        }
        let mut content = reader;
        let mut left = bits;
        let is_next = |octet: &u8| {
            let count = left.min(8);
            left -= count;
            content.take(count as u32) == Ok(u64::from(*octet) >> (8 - count))
        };
        contents.octets.iter().all(is_next).then_some(reader)
    }

    /// Decodes a content that is where `reader` is. The string began at bit `start`.
    fn content_in_place(
        &mut self,
        content: NodeId,
        contents: &Contents,
        start: usize,
        reader: Reader<'a>,
        value: &mut dyn Data,
    ) -> Result<(), Rejected> {
        let after = core::mem::replace(&mut self.reader, reader);
        let family = core::mem::take(&mut self.family);
        let at = self.reader.position();
        if at > start {
            self.show(start, What::OpenLength(contents.octets.len()), Scalar::Unset);
        }
        self.reader.enter(contents.count())?;
        self.node(content, value)?;
        self.end_of_content(at)?;
        (self.reader, self.family) = (after, family);
        Ok(())
    }

    /// Decodes a content whose octets are not in one piece. The listener is called for the string,
    /// and then for the content as items of no bits.
    #[cold]
    #[inline(never)]
    fn content_apart(
        &mut self,
        content: NodeId,
        contents: &Contents,
        start: usize,
        value: &mut dyn Data,
    ) -> Result<(), Rejected> {
        self.show(start, What::Unknown, Scalar::Octets(&contents.octets));
        let end = self.detached.or(NonZeroUsize::new(self.reader.position()));
        let done = self.apart(&contents.octets, end, F::default(), |nested| {
            nested.reader.enter(contents.count())?;
            nested.node(content, value)?;
            nested.end_of_content(0)
        });
        if let (Err(Rejected), Some(Some(error))) = (done, &mut self.explanation) {
            error.bit = start;
        }
        done
    }
}

impl<'n, F: encode::Family> Encoder<'n, '_, '_, F> {
    /// A value that a string contains, or the string.
    #[inline(never)]
    pub(crate) fn contained(&mut self, node: &'n Node, value: &dyn Data) -> Result<(), Rejected> {
        let Node::Contained { string, content, bits } = *node else { return self.misplaced() };
        let Some((0, inner)) = value.alternative() else { return self.node(string, value) };
        self.descend()?;
        let contents = self.contents(content, inner, bits)?;
        self.depth -= 1;
        self.node(string, &contents)
    }

    /// Writes the content where the string will be, and takes it away.
    fn contents(&mut self, content: NodeId, value: &dyn Data, is_bits: bool) -> Result<Contents, Rejected> {
        let start = self.writer.position();
        if self.layout.length_form == LengthForm::Aligned {
            self.writer.align()?;
        }
        let at = self.writer.position();
        self.node(content, value)?;
        let bits = self.writer.position() - at;
        let octets = (bits as u64).div_ceil(8).max(self.layout.least_octets()) as usize;
        self.writer.align()?;
        self.writer.flush()?;
        let (output, _) = core::mem::take(&mut self.writer).into_octets()?;
        let mut contents = Contents { octets: vec![0; octets], bits: is_bits.then_some(octets * 8) };
        let mut reader = Reader::new(output);
        reader.advance_to(at);
        let done = reader.take_bits(&mut contents.octets, bits);
        // The bits before the string may share an octet with it.
        let (stored, fill) = (start / 8, (start % 8) as u32);
        let waiting = output.get(stored).map_or(0, |octet| u64::from(*octet) >> (8 - fill));
        self.writer = Writer::resume(output, stored, waiting, fill);
        done?;
        Ok(contents)
    }
}
