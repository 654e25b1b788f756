//! Decoding: parts that are assembled or kept on the heap.

use alloc::vec::Vec;
use core::num::NonZeroUsize;

use roadwire_layout::{Form, Node, Span, Width};
use roadwire_wire::rt::packed::{self, Length};
use roadwire_wire::rt::{RealContents, TwosComplement, octet};
use roadwire_wire::{Data, ErrorKind, Reader, Rejected, Scalar, Shape, Unknown, Writer, faults};

use super::extent::Chunk;
use super::open::Content;
use crate::decode::{Decoder, Family};
use crate::families;
use crate::listener::{Listener, What};
use crate::wide;

/// Unknown additions, and open types in fragments.
impl<'n, L: Listener, F: Family> Decoder<'n, '_, '_, '_, L, F> {
    /// Keeps an unknown addition or alternative.
    #[cold]
    #[inline(never)]
    pub(crate) fn unknown(&mut self, index: u32, there: bool, value: &mut dyn Data) -> Result<(), Rejected> {
        let mut unknown = Unknown { index, octets: Vec::new() };
        if there {
            self.keep_open_type(&mut unknown.octets)?;
        }
        if value.keep(unknown) { Ok(()) } else { self.mismatch("a type that can keep unknown additions") }
    }

    /// Keeps an alternative of a later version: its tag, and the open type.
    #[cold]
    #[inline(never)]
    pub(crate) fn unknown_tagged(&mut self, node: &'n Node, tag: u32, value: &mut dyn Data) -> Result<(), Rejected> {
        let Node::Choice { root, alternatives, .. } = *node else { return self.misplaced() };
        let mut scratch = [0u8; 8];
        let mut writer = Writer::new(&mut scratch);
        octet::put_tag(&mut writer, tag)?;
        let length = writer.finish()?;
        let mut unknown =
            Unknown { index: alternatives.count - root, octets: scratch.iter().take(length).copied().collect() };
        self.keep_open_type(&mut unknown.octets)?;
        if value.keep(unknown) { Ok(()) } else { self.mismatch("a type that can keep unknown alternatives") }
    }

    /// Keeps an addition that has been read.
    pub(crate) fn keep_unknown(&mut self, index: u32, octets: &[u8], value: &mut dyn Data) -> Result<(), Rejected> {
        if value.keep(Unknown { index, octets: Vec::from(octets) }) {
            Ok(())
        } else {
            self.mismatch("a type that can keep unknown additions")
        }
    }

    /// The same from 16K octets on: the fragments are reassembled first. The listener is called for
    /// the fragments, and then for their content as items of no bits, since a length determinant
    /// may be in the middle of a value.
    #[cold]
    #[inline(never)]
    pub(crate) fn open_fragments(&mut self, content: Content<'n>, value: &mut dyn Data) -> Result<(), Rejected> {
        let start = self.reader;
        let mut octets = Vec::new();
        self.open_octets(&mut octets)?;
        let end = self.detached.or(NonZeroUsize::new(self.reader.position()));
        let done = self.apart(&octets, end, F::default(), |nested| {
            nested.content(content, value)?;
            nested.end_of_content(0)
        });
        if let (Err(Rejected), Some(Some(error))) = (done, &mut self.explanation) {
            error.bit = position_in_fragments(start, error.bit);
        }
        done
    }

    /// Reads an open type's octets, length included.
    pub(crate) fn open_octets(&mut self, octets: &mut Vec<u8>) -> Result<(), Rejected> {
        loop {
            let chunk = self.next_chunk()?;
            let at = self.reader.position();
            let start = octets.len();
            self.append_octets(chunk, octets)?;
            if (octets.len() as u64) < self.layout.least_octets() {
                return self.empty_open_type(at);
            }
            self.show(at, What::Unknown, Scalar::Octets(octets.get(start..).unwrap_or(&[])));
            if !chunk.more {
                return Ok(());
            }
        }
    }

    /// Reads an open type to be kept, in the form that [`Unknown`](roadwire_wire::Unknown)
    /// describes.
    pub(crate) fn keep_open_type(&mut self, octets: &mut Vec<u8>) -> Result<(), Rejected> {
        if !families::is_octet(self.layout) {
            return self.open_octets(octets);
        }
        let mut content = Vec::new();
        self.open_octets(&mut content)?;
        let mut scratch = [0u8; 16];
        let mut writer = Writer::new(&mut scratch);
        octet::put_length(&mut writer, content.len())?;
        let length = writer.finish()?;
        octets.extend(scratch.iter().take(length));
        octets.append(&mut content);
        Ok(())
    }

    pub(crate) fn append_octets(&mut self, chunk: Chunk, octets: &mut Vec<u8>) -> Result<(), Rejected> {
        let units = chunk.units as usize;
        // Before any memory is allocated.
        if self.reader.need(units * 8).is_err() {
            return self.truncated(units * 8);
        }
        let start = octets.len();
        octets.resize(start + units, 0);
        self.reader.take_octets(octets.get_mut(start..).unwrap_or(&mut []))
    }
}

/// Leaves.
impl<'n, L: Listener, F: Family> Decoder<'n, '_, '_, '_, L, F> {
    #[inline(never)]
    pub(crate) fn heap_leaf(&mut self, node: &Node, value: &mut dyn Data) -> Result<(), Rejected> {
        match *node {
            Node::WideWord { width, lower, upper } => self.wide_word(width, lower, upper, value),
            Node::WideInteger { form, lower, upper } => self.wide_integer(form, lower, upper, value),
            Node::Real => self.real(value),
            Node::Oid { .. } => self.oid(value),
            Node::Open => self.open_leaf(value),
            _ => self.misplaced(),
        }
    }

    /// An integer of more than eight octets, which begins with `first`.
    #[cold]
    #[inline(never)]
    pub(crate) fn long_integer(
        &mut self,
        first: Chunk,
        form: Form,
        (lower, upper): (&[u8], &[u8]),
        value: &mut dyn Data,
    ) -> Result<(), Rejected> {
        let at = self.reader.position();
        let mut octets = Vec::new();
        self.more_octets(first, &mut octets)?;
        self.wide_number(at, form, lower, upper, octets, value)
    }

    #[inline(never)]
    fn wide_integer(&mut self, form: Form, lower: Span, upper: Span, value: &mut dyn Data) -> Result<(), Rejected> {
        let (at, octets) = self.counted_octets()?;
        let (lower, upper) = (self.layout.octets(lower), self.layout.octets(upper));
        self.wide_number(at, form, lower, upper, octets, value)
    }

    #[inline(never)]
    fn real(&mut self, value: &mut dyn Data) -> Result<(), Rejected> {
        let (at, contents) = self.counted_octets()?;
        match RealContents::read(&contents) {
            Ok(real) => self.set(at, Scalar::Real(real), value),
            Err(kind) => Err(self.fail_at(kind, at)),
        }
    }

    #[inline(never)]
    fn oid(&mut self, value: &mut dyn Data) -> Result<(), Rejected> {
        let (at, contents) = self.counted_octets()?;
        self.set_oid(at, &contents, value)
    }

    #[inline(never)]
    fn open_leaf(&mut self, value: &mut dyn Data) -> Result<(), Rejected> {
        if !value.begin(Shape::Octets) {
            return self.mismatch("a place for an open type");
        }
        let mut octets = Vec::new();
        self.open_octets(&mut octets)?;
        match value.extend_octets(octets.len()) {
            Some(place) if place.len() == octets.len() => {
                place.copy_from_slice(&octets);
                Ok(())
            }
            _ => self.full(octets.len() as u64),
        }
    }

    /// Sets an integer of any size that began at bit `at`, with bounds of any size; no octets are
    /// an error.
    #[cold]
    fn wide_number(
        &mut self,
        at: usize,
        form: Form,
        lower: &[u8],
        upper: &[u8],
        octets: Vec<u8>,
        value: &mut dyn Data,
    ) -> Result<(), Rejected> {
        if octets.is_empty() {
            return Err(self.fail_at(ErrorKind::Malformed(faults::shared::INTEGER_EMPTY), at));
        }
        let octets = match form {
            Form::Signed => octets,
            Form::Unsigned => unsigned(&octets),
            Form::Offset => wide::add(&unsigned(&octets), lower),
        };
        let shortest = wide::shortest(&octets);
        let below = !lower.is_empty() && wide::compare(shortest, lower).is_lt();
        let above = !upper.is_empty() && wide::compare(shortest, upper).is_gt();
        match TwosComplement::read_signed(shortest) {
            _ if below || above => Err(self.fail_at(ErrorKind::IntegerWidth, at)),
            Some(number) => self.set(at, Scalar::Integer(number), value),
            None => self.set(at, Scalar::WideInteger(shortest), value),
        }
    }

    #[inline(never)]
    fn wide_word(&mut self, width: Width, lower: Span, upper: Span, value: &mut dyn Data) -> Result<(), Rejected> {
        let bits = match width {
            Width::Anywhere(bits) | Width::Aligned(bits) => bits as usize,
            Width::Counted { bits, aligned } => self.take_octet_count(bits, aligned)? as usize * 8,
        };
        if !matches!(width, Width::Anywhere(_)) {
            self.align()?;
        }
        let at = self.reader.position();
        if self.reader.need(bits).is_err() {
            return self.truncated(bits);
        }
        // Right-aligned: the odd bits first.
        let mut octets = alloc::vec![0u8; bits.div_ceil(8)];
        let odd = bits % 8;
        if odd > 0 {
            octets[0] = self.take(odd as u32)? as u8;
        }
        if let Some(whole) = octets.get_mut(usize::from(odd > 0)..) {
            self.reader.take_octets(whole)?;
        }
        let sum = wide::add(&unsigned(&octets), self.layout.octets(lower));
        let shortest = wide::shortest(&sum);
        if wide::compare(shortest, self.layout.octets(upper)).is_gt() {
            return Err(self.fail_at(ErrorKind::IntegerWidth, at));
        }
        let scalar = match TwosComplement::read_signed(shortest) {
            Some(number) => Scalar::Integer(number),
            None => Scalar::WideInteger(shortest),
        };
        self.set(at, scalar, value)
    }

    /// Reads octets after their length determinant, and where their last fragment began.
    fn counted_octets(&mut self) -> Result<(usize, Vec<u8>), Rejected> {
        let chunk = self.next_chunk()?;
        let mut octets = Vec::new();
        let at = self.reader.position();
        self.more_octets(chunk, &mut octets)?;
        Ok((if chunk.more { self.reader.position() } else { at }, octets))
    }

    fn more_octets(&mut self, first: Chunk, octets: &mut Vec<u8>) -> Result<(), Rejected> {
        let mut chunk = first;
        loop {
            self.append_octets(chunk, octets)?;
            if !chunk.more {
                return Ok(());
            }
            chunk = self.next_chunk()?;
        }
    }
}

/// The position in the message of bit `bit` of an open type's content; `reader` is at the first of
/// its length determinants.
fn position_in_fragments(mut reader: Reader<'_>, bit: usize) -> usize {
    let mut left = bit;
    while let Ok(Length::Fragment(octets)) = packed::take_length(&mut reader) {
        if left < octets * 8 || reader.skip(octets * 8).is_err() {
            break;
        }
        left -= octets * 8;
    }
    reader.position() + left
}

/// An unsigned number's octets as two's complement.
fn unsigned(octets: &[u8]) -> Vec<u8> {
    let mut number = alloc::vec![0];
    number.extend_from_slice(octets);
    number
}
