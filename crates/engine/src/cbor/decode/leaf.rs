//! Decoding the leaves.

use alloc::vec::Vec;

use roadwire_layout::{CborNode, Items, Span};
use roadwire_wire::rt::TwosComplement;
use roadwire_wire::rt::cbor::{self, major, tag};
use roadwire_wire::{BitWord, Data, ErrorKind, Rejected, Scalar, Shape, faults};

use super::Cbor;
use crate::bits::without_zeros;
use crate::decode::Decoder;
use crate::listener::{Listener, What};
use crate::wide;

impl<'n, L: Listener> Decoder<'n, '_, '_, '_, L, Cbor> {
    #[inline(never)]
    pub(crate) fn leaf_item(&mut self, node: &'n CborNode, value: &mut dyn Data) -> Result<(), Rejected> {
        match *node {
            CborNode::Integer { .. } | CborNode::WideInteger { .. } => self.integer_item(node, value),
            CborNode::Item { values, items, extensible } => self.enumerated_item((values, items, extensible), value),
            CborNode::Truth | CborNode::Nothing | CborNode::Float => self.simple_item(node, value),
            CborNode::Text { .. } => self.text_item(node, value),
            CborNode::Octets { lower, upper } => self.octets_within(lower, upper, What::Value(""), value),
            CborNode::Bits { .. } => self.bits_item(node, value),
            CborNode::Oid { relative } => {
                self.take_tag(if relative { tag::RELATIVE_OID } else { tag::OID })?;
                let octets = self.take_string(major::OCTETS)?;
                self.set_oid(self.reader.position() - octets.len() * 8, octets, value)
            }
            _ => self.misplaced(),
        }
    }

    #[inline(never)]
    fn integer_item(&mut self, node: &'n CborNode, value: &mut dyn Data) -> Result<(), Rejected> {
        let (at, head) = self.take_head()?;
        let number = i128::from(head.number);
        match head.major {
            major::UNSIGNED => self.set_number(at, node, number, value),
            major::NEGATIVE => self.set_number(at, node, !number, value),
            major::TAG => self.bignum(at, head.number, node, value),
            _ => Err(self.other_kind(at, "an integer")),
        }
    }

    /// Sets a number that began at bit `at`.
    fn set_number(&mut self, at: usize, node: &CborNode, number: i128, value: &mut dyn Data) -> Result<(), Rejected> {
        match *node {
            CborNode::Integer { lower, upper } if number < lower || number > upper => {
                return Err(self.fail_at(ErrorKind::IntegerRange { value: number, lower, upper }, at));
            }
            CborNode::WideInteger { lower, upper } => {
                self.is_within(at, TwosComplement::signed(number).octets(), lower, upper)?;
            }
            _ => {}
        }
        self.show(at, What::Value(""), Scalar::Integer(number));
        self.set_word(at, number, value)
    }

    fn is_within(&mut self, at: usize, number: &[u8], lower: Span, upper: Span) -> Result<(), Rejected> {
        let bound = |bound: Span| Some(bound).filter(|bound| bound.count > 0);
        match wide::outside(self.layout, number, bound(lower), bound(upper)) {
            Some(kind) => Err(self.fail_at(kind, at)),
            None => Ok(()),
        }
    }

    /// RFC 8949 §3.4.3: a number, or its complement, of more than 64 bits.
    #[cold]
    #[inline(never)]
    fn bignum(&mut self, at: usize, tag: u64, node: &CborNode, value: &mut dyn Data) -> Result<(), Rejected> {
        let sign = match tag {
            tag::POSITIVE_BIGNUM => 0,
            tag::NEGATIVE_BIGNUM => 0xff,
            _ => return Err(self.no_cbor_tag(at, tag, &[tag::POSITIVE_BIGNUM, tag::NEGATIVE_BIGNUM])),
        };
        let (start, head) = self.take_head()?;
        if head.major != major::OCTETS {
            return Err(self.other_kind(start, "a byte string"));
        }
        let length = usize::try_from(head.number).unwrap_or(usize::MAX);
        let Some(octets) = self.left().get(..length) else { return self.too_few_octets(length) };
        self.reader.skip(octets.len() * 8)?;
        if octets.len() <= 8 || octets.first() == Some(&0) {
            return Err(self.fail_at(ErrorKind::Malformed(faults::cbor::BIGNUM), at));
        }
        let number: Vec<u8> = core::iter::once(sign).chain(octets.iter().map(|octet| octet ^ sign)).collect();
        if let Some(number) = TwosComplement::read_signed(&number) {
            return self.set_number(at, node, number, value);
        }
        let number = wide::shortest(&number);
        match *node {
            CborNode::Integer { lower, upper } => {
                let outside = if sign == 0 { upper != i128::MAX } else { lower != i128::MIN };
                if outside {
                    return Err(self.fail_at(ErrorKind::IntegerWidth, at));
                }
            }
            CborNode::WideInteger { lower, upper } => self.is_within(at, number, lower, upper)?,
            _ => return self.misplaced(),
        }
        self.set(at, Scalar::WideInteger(number), value)
    }

    #[inline(never)]
    fn enumerated_item(&mut self, items: (Span, Items, bool), value: &mut dyn Data) -> Result<(), Rejected> {
        let (at, head) = self.take_head()?;
        let number = match head.major {
            major::UNSIGNED => i128::from(head.number),
            major::NEGATIVE => !i128::from(head.number),
            _ => return Err(self.other_kind(at, "an integer")),
        };
        match i64::try_from(number) {
            Ok(number) => self.set_numbered(at, number, items, value),
            Err(_) => Err(self.fail_at(ErrorKind::EnumerationNumber { number }, at)),
        }
    }

    #[inline(never)]
    fn simple_item(&mut self, node: &CborNode, value: &mut dyn Data) -> Result<(), Rejected> {
        let (at, head) = self.take_head()?;
        let scalar = match (node, head.major, head.information) {
            (CborNode::Truth, major::SIMPLE, 20) => Scalar::Boolean(false),
            (CborNode::Truth, major::SIMPLE, 21) => Scalar::Boolean(true),
            (CborNode::Nothing, major::SIMPLE, 22) => Scalar::Null,
            (CborNode::Float, major::SIMPLE, cbor::HALF..) => match cbor::value_of(head.information, head.number) {
                Ok(real) => Scalar::Real(real),
                Err(cbor::Fault::Malformed(what)) => return Err(self.fail_at(ErrorKind::Malformed(what), at)),
                Err(_) => return Err(self.other_simple(at, node)),
            },
            _ => return Err(self.other_simple(at, node)),
        };
        self.set(at, scalar, value)
    }

    #[inline(never)]
    fn text_item(&mut self, node: &CborNode, value: &mut dyn Data) -> Result<(), Rejected> {
        let CborNode::Text { lower, upper, alphabet } = *node else { return self.misplaced() };
        let octets = self.take_string(major::TEXT)?;
        let at = self.reader.position() - octets.len() * 8;
        let Ok(text) = core::str::from_utf8(octets) else {
            return Err(self.fail_at(ErrorKind::Malformed(faults::cbor::TEXT), at));
        };
        if !value.begin(Shape::Text) {
            return self.mismatch("a place for a character string");
        }
        let ranges = self.layout.numbers(alphabet);
        let permitted =
            |code: u32| ranges.is_empty() || ranges.chunks_exact(2).any(|range| range[0] <= code && code <= range[1]);
        let mut size = 0;
        for character in text.chars() {
            let code = u32::from(character);
            size += 1;
            if size > upper {
                return Err(self.fail_at(ErrorKind::Size { size, lower, upper }, at));
            }
            if !permitted(code) {
                return Err(self.fail_at(ErrorKind::Alphabet { code }, at));
            }
            if !value.push_char(character) {
                return self.full(size);
            }
        }
        if size < lower {
            return Err(self.fail_at(ErrorKind::Size { size, lower, upper }, at));
        }
        if L::ACTIVE {
            self.show(at, What::Value(""), value.scalar());
        }
        Ok(())
    }

    /// A byte string of this many octets.
    #[inline(never)]
    pub(crate) fn octets_within(
        &mut self,
        lower: u64,
        upper: u64,
        what: What<'_>,
        value: &mut dyn Data,
    ) -> Result<(), Rejected> {
        let octets = self.take_string(major::OCTETS)?;
        let (at, size) = (self.reader.position() - octets.len() * 8, octets.len() as u64);
        if size < lower || size > upper {
            return Err(self.fail_at(ErrorKind::Size { size, lower, upper }, at));
        }
        if !value.begin(Shape::Octets) {
            return self.mismatch("a place for octets");
        }
        match value.extend_octets(octets.len()) {
            Some(place) if place.len() == octets.len() => place.copy_from_slice(octets),
            _ => return self.full(size),
        }
        self.show(at, what, Scalar::Octets(octets));
        Ok(())
    }

    #[inline(never)]
    fn bits_item(&mut self, node: &CborNode, value: &mut dyn Data) -> Result<(), Rejected> {
        let CborNode::Bits { fixed, lower, upper, trim } = *node else { return self.misplaced() };
        let whole = self.take_string(major::OCTETS)?;
        let at = self.reader.position() - whole.len() * 8;
        let (octets, bits) = match (fixed, whole.split_first()) {
            (Some(bits), _) if bits.div_ceil(8) == whole.len() as u64 => (whole, bits as usize),
            (Some(_), _) => (whole, whole.len() * 8),
            (None, Some((unused @ 0..=7, octets))) if *unused == 0 || !octets.is_empty() => {
                (octets, octets.len() * 8 - usize::from(*unused))
            }
            (None, _) => {
                return Err(self.other_contents(faults::shared::UNUSED_BITS, at, whole.get(..1).unwrap_or(&[])));
            }
        };
        let size = bits as u64;
        if size < lower || size > upper {
            return Err(self.fail_at(ErrorKind::Size { size, lower, upper }, at));
        }
        if without_zeros(octets, octets.len() * 8) > bits {
            return Err(self.fail_at(ErrorKind::Malformed(faults::cbor::BITS_UNUSED), at));
        }
        if trim && size > lower && without_zeros(octets, bits) < bits {
            return Err(self.fail_at(ErrorKind::Malformed(faults::cbor::BITS_ZEROS), at));
        }
        if upper <= 64 {
            return match BitWord::from_octets(octets, bits) {
                Some(word) => self.set_bit_word(at, word, value),
                None => self.misplaced(),
            };
        }
        if !value.begin(Shape::Bits) {
            return self.mismatch("a place for a BIT STRING");
        }
        match value.extend_bits(bits) {
            Some(place) if place.len() == octets.len() => place.copy_from_slice(octets),
            _ => return self.full(size),
        }
        self.show(at, What::Value(""), Scalar::Bits(octets, bits));
        Ok(())
    }
}
