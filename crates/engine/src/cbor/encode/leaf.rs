//! Encoding the leaves.

use roadwire_layout::{CborNode, Span};
use roadwire_wire::rt::TwosComplement;
use roadwire_wire::rt::cbor::{self, major, simple, tag};
use roadwire_wire::{Data, ErrorKind, Rejected, Scalar};

use super::Cbor;
use crate::bits::{bits_of, without_zeros};
use crate::encode::Encoder;
use crate::wide;

impl Encoder<'_, '_, '_, Cbor> {
    #[inline(never)]
    pub(crate) fn leaf_item(&mut self, node: &CborNode, value: &dyn Data) -> Result<(), Rejected> {
        if let CborNode::Integer { .. } | CborNode::WideInteger { .. } = node {
            return self.integer_item(node, value);
        }
        let scalar = value.scalar();
        match (*node, scalar) {
            (CborNode::Truth, Scalar::Boolean(truth)) => {
                self.writer.put(u64::from(if truth { simple::TRUE } else { simple::FALSE }), 8)
            }
            (CborNode::Truth, _) => self.mismatch("a BOOLEAN"),
            (CborNode::Nothing, Scalar::Null) => self.writer.put(simple::NULL.into(), 8),
            (CborNode::Nothing, _) => self.mismatch("NULL"),
            (CborNode::Item { values, extensible, .. }, Scalar::Enumerated(ordinal)) => {
                let number = self.number_of_item(values, extensible, ordinal)?;
                self.put_integer(number.into())
            }
            (CborNode::Item { .. }, _) => self.mismatch("an ENUMERATED"),
            (CborNode::Float, Scalar::Real(real)) => {
                let (information, bits, width) = cbor::shortest(real);
                self.writer.put(u64::from(major::SIMPLE << 5 | information), 8)?;
                self.writer.put_wide(bits, width)
            }
            (CborNode::Float, _) => self.mismatch("a REAL"),
            (CborNode::Bits { .. }, _) => self.bits_item(node, scalar),
            (CborNode::Octets { lower, upper }, Scalar::Octets(octets)) => {
                self.size(octets.len() as u64, lower, upper)?;
                self.string(major::OCTETS, octets)
            }
            (CborNode::Octets { .. }, _) => self.mismatch("an OCTET STRING"),
            (CborNode::Text { .. }, Scalar::Text(text)) => self.text_item(node, text),
            (CborNode::Text { .. }, _) => self.mismatch("a character string"),
            (CborNode::Oid { relative }, Scalar::Oid(contents)) => {
                self.head(major::TAG, if relative { tag::RELATIVE_OID } else { tag::OID })?;
                self.string(major::OCTETS, contents)
            }
            (CborNode::Oid { .. }, _) => self.mismatch("an object identifier"),
            _ => self.misplaced(),
        }
    }

    #[inline(never)]
    fn integer_item(&mut self, node: &CborNode, value: &dyn Data) -> Result<(), Rejected> {
        match (*node, value.integer().map(i128::from)) {
            (CborNode::Integer { lower, upper }, Some(number)) if lower <= number && number <= upper => {
                self.put_integer(number)
            }
            _ => self.other_integer(node, value.scalar()),
        }
    }

    /// A number of more than 64 bits, or an error.
    #[cold]
    #[inline(never)]
    fn other_integer(&mut self, node: &CborNode, scalar: Scalar<'_>) -> Result<(), Rejected> {
        let narrow;
        let octets = match scalar {
            Scalar::Integer(value) => {
                narrow = TwosComplement::signed(value);
                narrow.octets()
            }
            Scalar::WideInteger(octets) => wide::shortest(octets),
            _ => return self.mismatch("an INTEGER"),
        };
        let number = TwosComplement::read_signed(octets);
        match (*node, number) {
            (CborNode::Integer { lower, upper }, Some(value)) if value < lower || value > upper => {
                return Err(self.fail(ErrorKind::IntegerRange { value, lower, upper }));
            }
            (CborNode::Integer { lower, upper }, None) => {
                let negative = octets.first().is_some_and(|first| first & 0x80 != 0);
                if if negative { lower != i128::MIN } else { upper != i128::MAX } {
                    return Err(self.fail(ErrorKind::IntegerWidth));
                }
            }
            (CborNode::WideInteger { lower, upper }, _) => {
                let bound = |bound: Span| Some(bound).filter(|bound| bound.count > 0);
                if let Some(kind) = wide::outside(self.layout, octets, bound(lower), bound(upper)) {
                    return Err(self.fail(kind));
                }
            }
            _ => {}
        }
        match number {
            Some(number) => self.put_integer(number),
            None => self.bignum(octets),
        }
    }

    fn put_integer(&mut self, number: i128) -> Result<(), Rejected> {
        let major = if number < 0 { major::NEGATIVE } else { major::UNSIGNED };
        match u64::try_from(cbor::magnitude(number)) {
            Ok(magnitude) => self.head(major, magnitude),
            Err(_) => self.bignum(TwosComplement::signed(number).octets()),
        }
    }

    /// RFC 8949 §3.4.3: a number beyond 64 bits, or its complement, without leading zero octets.
    #[cold]
    #[inline(never)]
    fn bignum(&mut self, octets: &[u8]) -> Result<(), Rejected> {
        let sign = if octets.first().is_some_and(|first| first & 0x80 != 0) { 0xff } else { 0 };
        let zeros = octets.iter().take_while(|octet| **octet == sign).count();
        let magnitude = octets.get(zeros..).unwrap_or(&[]);
        self.head(major::TAG, if sign == 0 { tag::POSITIVE_BIGNUM } else { tag::NEGATIVE_BIGNUM })?;
        self.head(major::OCTETS, magnitude.len() as u64)?;
        magnitude.iter().try_for_each(|octet| self.writer.put(u64::from(octet ^ sign), 8))
    }

    #[inline(never)]
    fn bits_item(&mut self, node: &CborNode, scalar: Scalar<'_>) -> Result<(), Rejected> {
        let CborNode::Bits { fixed, lower, upper, trim } = *node else { return self.misplaced() };
        let mut word = [0; 8];
        let Some((octets, given)) = bits_of(scalar, &mut word) else {
            return self.mismatch("a BIT STRING");
        };
        let (mut sent, mut bits) = (given, given);
        if trim {
            sent = without_zeros(octets, given);
            bits = sent.max(usize::try_from(lower).unwrap_or(usize::MAX));
        }
        self.size(bits as u64, lower, upper)?;
        let unused = (bits.wrapping_neg() % 8) as u64;
        let whole = bits.div_ceil(8) as u64;
        if fixed.is_some() {
            self.head(major::OCTETS, whole)?;
        } else {
            self.head(major::OCTETS, whole + 1)?;
            self.writer.put(unused, 8)?;
        }
        self.writer.put_bits(octets, sent)?;
        // Zero bits that the size requires, and those that fill the last octet.
        let mut zeros = bits - sent + unused as usize;
        while zeros > 0 {
            let now = zeros.min(32);
            self.writer.put(0, now as u32)?;
            zeros -= now;
        }
        Ok(())
    }

    #[inline(never)]
    fn text_item(&mut self, node: &CborNode, text: &str) -> Result<(), Rejected> {
        let CborNode::Text { lower, upper, alphabet } = *node else { return self.misplaced() };
        if lower > 0 || upper < u64::MAX {
            self.size(text.chars().count() as u64, lower, upper)?;
        }
        let ranges = self.layout.numbers(alphabet);
        if !ranges.is_empty() {
            let permitted = |code: u32| ranges.chunks_exact(2).any(|range| range[0] <= code && code <= range[1]);
            if let Some(code) = text.chars().map(u32::from).find(|code| !permitted(*code)) {
                return Err(self.fail(ErrorKind::Alphabet { code }));
            }
        }
        self.string(major::TEXT, text.as_bytes())
    }
}
