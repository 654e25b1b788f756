//! Encoding: values in a stream of events.

use super::Events;
use roadwire_layout::{EventNode, Items, Number, Span};
use roadwire_wire::rt::{events, varint};
use roadwire_wire::{ErrorKind, Rejected, Scalar};

use crate::bits::{bits_of, without_zeros};
use crate::encode::Encoder;
use crate::wide;

impl<'n> Encoder<'n, '_, '_, Events> {
    #[inline(never)]
    pub(crate) fn event_scalar(&mut self, node: &'n EventNode, scalar: Scalar<'_>) -> Result<(), Rejected> {
        match (*node, scalar) {
            (EventNode::Integer { range, number }, _) => self.bounded_number(range, number, scalar),
            (EventNode::ItemNumber { values, items, number }, Scalar::Enumerated(ordinal)) => {
                self.item_of_number(values, items, number, ordinal)
            }
            (EventNode::Octets { lower, upper }, Scalar::Octets(octets)) => {
                self.size_within(octets.len() as u64, lower, upper)?;
                varint::put(&mut self.writer, octets.len() as u64)?;
                self.writer.put_octets(octets)
            }
            (EventNode::Bits { lower, upper, trim, .. }, _) => {
                self.event_bits([lower, upper], trim, 0, scalar).map(|_| ())
            }
            (EventNode::Text { lower, upper, alphabet }, Scalar::Text(text)) => {
                self.event_text([lower, upper], alphabet, text)
            }
            (EventNode::Real, Scalar::Real(real)) => self.event_real(real),
            (EventNode::Arcs { relative }, Scalar::Oid(contents)) => self.event_arcs(relative, contents),
            (EventNode::ItemNumber { .. }, _) => self.mismatch("an ENUMERATED"),
            (EventNode::Octets { .. }, _) => self.mismatch("an OCTET STRING"),
            (EventNode::Text { .. }, _) => self.mismatch("a character string"),
            (EventNode::Real, _) => self.mismatch("a REAL"),
            (EventNode::Arcs { .. }, _) => self.mismatch("an object identifier"),
            _ => self.misplaced(),
        }
    }

    pub(crate) fn size_within(&mut self, size: u64, lower: u64, upper: u64) -> Result<(), Rejected> {
        if lower <= size && size <= upper { Ok(()) } else { Err(self.fail(ErrorKind::Size { size, lower, upper })) }
    }

    fn item_of_number(&mut self, values: Span, items: Items, number: Number, ordinal: u32) -> Result<(), Rejected> {
        let pair = self.layout.numbers(values).get(ordinal as usize * 2..).and_then(|rest| rest.first_chunk::<2>());
        match pair {
            Some(pair) => self.put_number(number, wide::item_number(*pair).into()),
            None => Err(self.fail(ErrorKind::EnumerationIndex { index: ordinal.into(), count: items.len().into() })),
        }
    }

    /// Writes bits after a code of `code` bits, and after their attribute unless the size is fixed.
    /// Returns whether the element has ended because there are no bits.
    #[inline(never)]
    pub(crate) fn event_bits(
        &mut self,
        [lower, upper]: [u64; 2],
        trim: bool,
        code: u8,
        scalar: Scalar<'_>,
    ) -> Result<bool, Rejected> {
        let mut word = [0; 8];
        let Some((octets, mut bits)) = bits_of(scalar, &mut word) else {
            return self.mismatch("a BIT STRING").map(|()| true);
        };
        if trim {
            bits = without_zeros(octets, bits).max(usize::try_from(lower).unwrap_or(usize::MAX));
        }
        self.size_within(bits as u64, lower, upper)?;
        let unused = bits.wrapping_neg() % 8;
        if lower != upper {
            self.writer.put(unused as u64, 3)?;
            if bits == 0 && code > 0 {
                self.end_of_empty(code)?;
                return Ok(true);
            }
            self.writer.put(0, u32::from(code))?;
        }
        varint::put(&mut self.writer, bits.div_ceil(8) as u64)?;
        self.writer.put_bits(octets, bits)?;
        self.writer.put(0, unused as u32)?;
        Ok(false)
    }

    /// §8.5.4.4.1: an element without characters has no event for them. Its end is the first code
    /// of the second level.
    pub(crate) fn end_of_empty(&mut self, code: u8) -> Result<(), Rejected> {
        self.writer.put(1, u32::from(code))?;
        self.writer.put(0, u32::from(EventNode::SECOND_PART))
    }

    /// §7.1.11, §7.1.6: the number of arcs, and then each arc.
    #[inline(never)]
    fn event_arcs(&mut self, relative: bool, contents: &[u8]) -> Result<(), Rejected> {
        if contents.last().is_none_or(|last| last & 0x80 != 0) {
            return self.mismatch("an object identifier");
        }
        if events::has_wide_arc(contents) {
            return Err(self.fail(ErrorKind::IntegerWidth));
        }
        events::put_arcs(&mut self.writer, contents, relative)
    }
}

/// Whether a bit string has no bits; with `trim`, trailing zeros do not count.
pub(crate) fn has_no_bits(scalar: Scalar<'_>, trim: bool) -> bool {
    let mut word = [0; 8];
    bits_of(scalar, &mut word).is_some_and(|(octets, bits)| if trim { without_zeros(octets, bits) } else { bits } == 0)
}
