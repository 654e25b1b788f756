//! Encoding: integers of more than 128 bits.

use roadwire_layout::{Form, Node, Span, Width};
use roadwire_wire::rt::TwosComplement;
use roadwire_wire::{Data, ErrorKind, Rejected, Scalar};

use crate::encode::{Encoder, Family};
use crate::wide;

impl<F: Family> Encoder<'_, '_, '_, F> {
    #[inline(never)]
    pub(crate) fn heap_leaf(&mut self, node: &Node, value: &dyn Data) -> Result<(), Rejected> {
        match *node {
            Node::WideWord { width, lower, upper } => self.wide_word(width, lower, upper, value.scalar()),
            Node::WideInteger { form, lower, upper } => self.wide_integer(form, lower, upper, value.scalar()),
            _ => self.misplaced(),
        }
    }

    #[inline(never)]
    fn wide_integer(&mut self, form: Form, lower: Span, upper: Span, scalar: Scalar<'_>) -> Result<(), Rejected> {
        let (lower, upper) = (self.layout.octets(lower), self.layout.octets(upper));
        match with_octets(scalar, |octets| octets.to_vec()) {
            Some(octets) => self.long_integer(form, lower, upper, &octets),
            None => self.mismatch("an INTEGER"),
        }
    }

    /// A number with bounds of any size; no octets are an error.
    pub(crate) fn long_integer(
        &mut self,
        form: Form,
        lower: &[u8],
        upper: &[u8],
        octets: &[u8],
    ) -> Result<(), Rejected> {
        let below = !lower.is_empty() && wide::compare(octets, lower).is_lt();
        if below || !upper.is_empty() && wide::compare(octets, upper).is_gt() {
            return Err(self.fail(ErrorKind::IntegerWidth));
        }
        match form {
            Form::Offset => self.counted_octets(wide::shortest_unsigned(&wide::subtract(octets, lower))),
            Form::Unsigned => self.counted_octets(wide::shortest_unsigned(octets)),
            Form::Signed => self.counted_octets(wide::shortest(octets)),
        }
    }

    #[inline(never)]
    fn wide_word(&mut self, width: Width, lower: Span, upper: Span, scalar: Scalar<'_>) -> Result<(), Rejected> {
        let (lower, upper) = (self.layout.octets(lower), self.layout.octets(upper));
        let Some(octets) = with_octets(scalar, |octets| octets.to_vec()) else { return self.mismatch("an INTEGER") };
        if wide::compare(&octets, lower).is_lt() || wide::compare(&octets, upper).is_gt() {
            return Err(self.fail(ErrorKind::IntegerWidth));
        }
        let offset = wide::subtract(&octets, lower);
        let bits = match width {
            Width::Anywhere(bits) | Width::Aligned(bits) => bits as usize,
            Width::Counted { bits, aligned } => {
                let octets = wide::shortest_unsigned(&offset).len();
                self.put_octet_count(octets, bits, aligned)?;
                octets * 8
            }
        };
        if !matches!(width, Width::Anywhere(_)) {
            self.writer.align()?;
        }
        // The offset's low `bits` bits, left-aligned in octets.
        let mut aligned = alloc::vec![0u8; bits.div_ceil(8)];
        for at in 0..bits {
            let place = bits - 1 - at;
            let octet = offset.len().checked_sub(place / 8 + 1).map_or(0, |octet| offset[octet]);
            aligned[at / 8] |= (octet >> (place % 8) & 1) << (7 - at % 8);
        }
        self.writer.put_bits(&aligned, bits)
    }
}

/// Calls `with` with the two's complement octets of an integer.
fn with_octets<T>(scalar: Scalar<'_>, with: impl FnOnce(&[u8]) -> T) -> Option<T> {
    match scalar {
        Scalar::Integer(value) => Some(with(TwosComplement::signed(value).octets())),
        Scalar::WideInteger(octets) => Some(with(octets)),
        _ => None,
    }
}
