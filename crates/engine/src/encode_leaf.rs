//! Encoding: the leaves.

use roadwire_layout::{CharacterSet, Extent, Node, NodeId, Span};
use roadwire_wire::per::{self, Length};
use roadwire_wire::{Data, ErrorKind, RealContents, Rejected, Scalar, TwosComplement};

use crate::encode::{Counted, Encoder};
use crate::wide;

impl Encoder<'_, '_> {
    #[inline(never)]
    pub(crate) fn leaf(&mut self, id: NodeId, value: &dyn Data) -> Result<(), Rejected> {
        let scalar = value.scalar();
        match *self.layout.node(id) {
            Node::Word { bits, lower, upper } => self.word(bits, lower, upper, scalar),
            Node::Enumerated { bits, root, additions, ordinals, .. } => {
                self.enumerated(bits, root, additions, ordinals, scalar)
            }
            Node::Boolean => match scalar {
                Scalar::Boolean(value) => self.writer.put_bit(value),
                _ => self.mismatch("a BOOLEAN"),
            },
            Node::Null => match scalar {
                Scalar::Null => Ok(()),
                _ => self.mismatch("NULL"),
            },
            Node::Bits { extent, trim } => self.bits(&extent, trim, scalar),
            Node::Octets { extent } => match scalar {
                Scalar::Octets(octets) => self.units(&extent, octets, 8, octets.len()),
                _ => self.mismatch("an OCTET STRING"),
            },
            Node::Characters { extent, characters } => match scalar {
                Scalar::Text(text) => self.characters(&extent, characters, text),
                _ => self.mismatch("a character string"),
            },
            Node::Text { utf8, lower, upper } => match scalar {
                Scalar::Text(text) => self.text(utf8, lower, upper, text),
                _ => self.mismatch("a character string"),
            },
            Node::Integer { lower } => self.integer(lower, scalar),
            Node::WideWord { bits, lower, upper } => self.wide_word(bits, lower, upper, scalar),
            Node::WideInteger { lower } => self.wide_integer(lower, scalar),
            Node::Real => match scalar {
                Scalar::Real(value) => self.counted_octets(RealContents::of(value).octets()),
                _ => self.mismatch("a REAL"),
            },
            Node::Oid { .. } => match scalar {
                Scalar::Oid(contents) => self.counted_octets(contents),
                _ => self.mismatch("an object identifier"),
            },
            Node::Open => match scalar {
                Scalar::Octets([]) => self.counted_octets(&[0]),
                Scalar::Octets(octets) => self.counted_octets(octets),
                _ => self.mismatch("the octets of an open type"),
            },
            // Structure, which `node` has handled.
            Node::Record { .. } | Node::Choice { .. } | Node::List { .. } | Node::Extension { .. } => {
                self.mismatch("a leaf")
            }
        }
    }

    fn mismatch(&mut self, expected: &'static str) -> Result<(), Rejected> {
        Err(self.fail(ErrorKind::Mismatch { expected }))
    }

    fn word(&mut self, bits: u8, lower: i128, upper: i128, scalar: Scalar<'_>) -> Result<(), Rejected> {
        match scalar {
            Scalar::Integer(value) if lower <= value && value <= upper => {
                self.writer.put_wide((value - lower) as u64, u32::from(bits))
            }
            Scalar::Integer(value) => Err(self.fail(ErrorKind::IntegerRange { value, lower, upper })),
            Scalar::WideInteger(_) => Err(self.fail(ErrorKind::IntegerWidth)),
            _ => self.mismatch("an INTEGER"),
        }
    }

    fn enumerated(
        &mut self,
        bits: u8,
        root: u32,
        additions: Option<u32>,
        ordinals: Span,
        scalar: Scalar<'_>,
    ) -> Result<(), Rejected> {
        let Scalar::Enumerated(ordinal) = scalar else { return self.mismatch("an ENUMERATED") };
        if ordinal < root {
            let ordinals = self.layout.numbers(ordinals);
            let index = match ordinals.iter().position(|other| *other == ordinal) {
                Some(index) => index as u64,
                None => u64::from(ordinal),
            };
            return self.writer.put(index, u32::from(bits) + u32::from(additions.is_some()));
        }
        if additions.is_none() {
            return Err(self.fail(ErrorKind::EnumerationIndex { index: u64::from(ordinal), count: u64::from(root) }));
        }
        self.writer.put_bit(true)?;
        per::put_small(&mut self.writer, u64::from(ordinal - root))
    }

    /// X.691 §16: trailing zero bits of a string with named bits are left off, or added up to the least size (§16.2, §16.3).
    fn bits(&mut self, extent: &Extent, trim: bool, scalar: Scalar<'_>) -> Result<(), Rejected> {
        let word;
        let (octets, mut bits): (&[u8], usize) = match scalar {
            Scalar::Bits(octets, bits) if bits.div_ceil(8) <= octets.len() => (octets, bits),
            Scalar::Word(of) => {
                word = of.to_octets();
                (&word, usize::from(of.bits))
            }
            _ => return self.mismatch("a BIT STRING"),
        };
        if trim {
            while bits > 0 && octets[(bits - 1) / 8] >> (7 - (bits - 1) % 8) & 1 == 0 {
                bits -= 1;
            }
            bits = bits.max(usize::try_from(extent.lower).unwrap_or(usize::MAX));
        }
        self.units(extent, octets, 1, bits)
    }

    /// A string of `count` units of `width` bits; units past the octets' end are zero.
    fn units(&mut self, extent: &Extent, octets: &[u8], width: usize, count: usize) -> Result<(), Rejected> {
        match self.extent(extent, count as u64)? {
            Counted::Told => self.writer.put_bits(octets, count * width),
            Counted::ByDeterminant => {
                let mut at = 0;
                loop {
                    let length = per::put_length(&mut self.writer, count - at)?;
                    let (Length::Last(units) | Length::Fragment(units)) = length;
                    // Fragments are multiples of 16K units, so that each begins at an octet.
                    let rest = octets.get(at * width / 8..).unwrap_or(&[]);
                    self.writer.put_bits(rest, units * width)?;
                    at += units;
                    if let Length::Last(_) = length {
                        return Ok(());
                    }
                }
            }
        }
    }

    fn characters(&mut self, extent: &Extent, coding: CharacterSet, text: &str) -> Result<(), Rejected> {
        let count = text.chars().count();
        let mut counted = self.extent(extent, count as u64)?;
        let mut characters = text.chars();
        let mut left = count;
        loop {
            let (now, more) = match counted {
                Counted::Told => (left, false),
                Counted::ByDeterminant => match per::put_length(&mut self.writer, left)? {
                    Length::Last(units) => (units, false),
                    Length::Fragment(units) => (units, true),
                },
            };
            for character in characters.by_ref().take(now) {
                let Some(code) =
                    per::place_of(u32::from(character), coding.indexed, self.layout.numbers(coding.alphabet))
                else {
                    return Err(self.fail(ErrorKind::Alphabet { code: u32::from(character) }));
                };
                self.writer.put(u64::from(code), u32::from(coding.bits))?;
            }
            left -= now;
            if !more {
                return Ok(());
            }
            counted = Counted::ByDeterminant;
        }
    }

    fn text(&mut self, utf8: bool, lower: u64, upper: u64, text: &str) -> Result<(), Rejected> {
        let count = text.chars().count() as u64;
        if count < lower || count > upper {
            return Err(self.fail(ErrorKind::Size { size: count, lower, upper }));
        }
        if utf8 {
            return self.counted_octets(text.as_bytes());
        }
        if let Some(character) = text.chars().find(|character| u32::from(*character) > 0xff) {
            return Err(self.fail(ErrorKind::Alphabet { code: u32::from(character) }));
        }
        let octets: alloc::vec::Vec<u8> = text.chars().map(|character| u32::from(character) as u8).collect();
        self.counted_octets(&octets)
    }

    /// X.691 §11.7, §11.8
    fn integer(&mut self, lower: Option<i128>, scalar: Scalar<'_>) -> Result<(), Rejected> {
        match (scalar, lower) {
            (Scalar::Integer(value), None) => self.counted_octets(TwosComplement::signed(value).octets()),
            (Scalar::Integer(value), Some(lower)) if value >= lower => {
                self.counted_octets(TwosComplement::unsigned(value.wrapping_sub(lower) as u128).octets())
            }
            (Scalar::Integer(value), Some(lower)) => {
                Err(self.fail(ErrorKind::IntegerRange { value, lower, upper: i128::MAX }))
            }
            (Scalar::WideInteger(octets), None) => self.counted_octets(wide::shortest(octets)),
            (Scalar::WideInteger(octets), Some(lower)) => self.offset(octets, &lower.to_be_bytes()),
            _ => self.mismatch("an INTEGER"),
        }
    }

    fn wide_integer(&mut self, lower: Span, scalar: Scalar<'_>) -> Result<(), Rejected> {
        let lower = self.layout.octets(lower);
        match with_octets(scalar, |octets| octets.to_vec()) {
            Some(octets) => self.offset(&octets, lower),
            None => self.mismatch("an INTEGER"),
        }
    }

    /// A semi-constrained number: its unsigned offset.
    fn offset(&mut self, octets: &[u8], lower: &[u8]) -> Result<(), Rejected> {
        let offset = wide::subtract(octets, lower);
        if offset[0] & 0x80 != 0 {
            return Err(self.fail(ErrorKind::IntegerWidth));
        }
        self.counted_octets(wide::shortest_unsigned(&offset))
    }

    fn wide_word(&mut self, bits: u32, lower: Span, upper: Span, scalar: Scalar<'_>) -> Result<(), Rejected> {
        let (lower, upper) = (self.layout.octets(lower), self.layout.octets(upper));
        let Some(octets) = with_octets(scalar, |octets| octets.to_vec()) else { return self.mismatch("an INTEGER") };
        if wide::compare(&octets, lower).is_lt() || wide::compare(&octets, upper).is_gt() {
            return Err(self.fail(ErrorKind::IntegerWidth));
        }
        let offset = wide::subtract(&octets, lower);
        let bits = bits as usize;
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
pub(crate) fn with_octets<T>(scalar: Scalar<'_>, with: impl FnOnce(&[u8]) -> T) -> Option<T> {
    match scalar {
        Scalar::Integer(value) => Some(with(TwosComplement::signed(value).octets())),
        Scalar::WideInteger(octets) => Some(with(octets)),
        _ => None,
    }
}
