//! Decoding: contents octets of values that are not composed of others (X.690 §8.2 to §8.26).

use super::Tlv;
use roadwire_layout::tlv::item_values;
use roadwire_layout::{Contents, Items, Name, Span};
use roadwire_wire::rt::packed;
use roadwire_wire::rt::{RealContents, TwosComplement};
use roadwire_wire::{Data, ErrorKind, Rejected, Scalar, Shape, faults};

use crate::decode::Decoder;
use crate::listener::{Listener, What};
use crate::records::time_of;
use crate::times::FORM;
use crate::wide;

impl<'n, 'a, L: Listener> Decoder<'n, 'a, '_, '_, L, Tlv> {
    /// The octets that the reader is restricted to.
    pub(crate) fn primitive_octets(&mut self) -> Result<&'a [u8], Rejected> {
        if self.family.indefinite {
            // X.690 §8.1.3.2
            return Err(self.fail(ErrorKind::Malformed(faults::tlv::LENGTH_INDEFINITE)));
        }
        let octets = self.left();
        self.reader.skip(octets.len() * 8)?;
        Ok(octets)
    }

    #[inline(never)]
    pub(crate) fn leaf_contents(&mut self, leaf: &'n Contents, value: &mut dyn Data) -> Result<(), Rejected> {
        let at = self.reader.position();
        let octets = self.primitive_octets()?;
        match *leaf {
            Contents::Integer { lower, upper } => self.narrow(at, octets, (lower, upper), value),
            Contents::Enumerated { values, items, extensible } => {
                self.item_of(at, octets, (values, items, extensible), value)
            }
            Contents::Null if octets.is_empty() => self.set(at, Scalar::Null, value),
            Contents::Null => Err(self.other_length(faults::tlv::NULL, at, octets)),
            Contents::Boolean => match octets {
                [octet] => self.set(at, Scalar::Boolean(*octet != 0), value),
                _ => Err(self.other_length(faults::tlv::BOOLEAN, at, octets)),
            },
            Contents::WideInteger { lower, upper } => self.wide_integer_contents(at, octets, (lower, upper), value),
            Contents::Real => match RealContents::read(octets) {
                Ok(real) => self.set(at, Scalar::Real(real), value),
                Err(ErrorKind::Malformed(fault)) => Err(self.other_contents(fault, at, octets)),
                Err(kind) => Err(self.fail_at(kind, at)),
            },
            Contents::Oid { .. } => self.set_oid(at, octets, value),
            Contents::Bits { lower, upper, trim } => self.bit_contents(at, octets, (lower, upper, trim), value),
            Contents::Octets { lower, upper } => self.octet_contents(at, octets, (lower, upper), value),
            _ => self.text_contents(leaf, at, octets, value),
        }
    }

    #[inline(never)]
    fn narrow(&mut self, at: usize, octets: &[u8], bounds: (i64, i64), value: &mut dyn Data) -> Result<(), Rejected> {
        let number = match shortest(octets) {
            Some(octets) if octets.len() <= 8 => two_s_complement(octets),
            Some(octets) => return self.not_narrow(at, TwosComplement::read_signed(octets), bounds),
            None => return Err(self.other_contents(faults::tlv::NUMBER, at, octets)),
        };
        if number < bounds.0 || number > bounds.1 {
            return self.not_narrow(at, Some(number.into()), bounds);
        }
        self.show(at, What::Value(""), Scalar::Integer(number.into()));
        if value.set_integer(number) { Ok(()) } else { Err(self.fail_at(ErrorKind::IntegerWidth, at)) }
    }

    #[cold]
    #[inline(never)]
    fn not_narrow(&mut self, at: usize, value: Option<i128>, bounds: (i64, i64)) -> Result<(), Rejected> {
        let (lower, upper) = (bounds.0.into(), bounds.1.into());
        let range = |value| ErrorKind::IntegerRange { value, lower, upper };
        Err(self.fail_at(value.map_or(ErrorKind::IntegerWidth, range), at))
    }

    #[inline(never)]
    fn wide_integer_contents(
        &mut self,
        at: usize,
        octets: &[u8],
        (lower, upper): (Option<Span>, Option<Span>),
        value: &mut dyn Data,
    ) -> Result<(), Rejected> {
        if shortest(octets).is_none() {
            return Err(self.other_contents(faults::tlv::NUMBER, at, octets));
        }
        if let Some(kind) = wide::outside(self.layout, octets, lower, upper) {
            return Err(self.fail_at(kind, at));
        }
        let scalar = TwosComplement::read_signed(octets).map_or(Scalar::WideInteger(octets), Scalar::Integer);
        self.set(at, scalar, value)
    }

    #[inline(never)]
    fn item_of(
        &mut self,
        at: usize,
        octets: &[u8],
        (values, names, extensible): (Span, Items, bool),
        value: &mut dyn Data,
    ) -> Result<(), Rejected> {
        let number = match shortest(octets) {
            Some(octets) if octets.len() <= 8 => two_s_complement(octets),
            Some(_) => return Err(self.fail_at(ErrorKind::IntegerWidth, at)),
            None => return Err(self.other_contents(faults::tlv::NUMBER, at, octets)),
        };
        let all = item_values(self.layout, values);
        let known = all.clone().find(|(item, _)| *item == number).map(|(_, ordinal)| ordinal);
        self.set_known_or_later(at, number, known, (names, extensible), all, value)
    }

    #[inline(never)]
    fn octet_contents(
        &mut self,
        at: usize,
        octets: &[u8],
        (lower, upper): (u64, u64),
        value: &mut dyn Data,
    ) -> Result<(), Rejected> {
        let size = octets.len() as u64;
        if size < lower || size > upper {
            return Err(self.fail_at(ErrorKind::Size { size, lower, upper }, at));
        }
        if !value.begin(Shape::Octets) {
            return self.mismatch("a place for an OCTET STRING");
        }
        match value.extend_octets(octets.len()) {
            Some(place) if place.len() == octets.len() => place.copy_from_slice(octets),
            _ => return self.full(size),
        }
        self.show(at, What::Value(""), Scalar::Octets(octets));
        Ok(())
    }

    #[inline(never)]
    fn text_contents(
        &mut self,
        leaf: &Contents,
        at: usize,
        octets: &[u8],
        value: &mut dyn Data,
    ) -> Result<(), Rejected> {
        if !value.begin(Shape::Text) {
            return self.mismatch("a place for a character string");
        }
        match *leaf {
            Contents::Characters { lower, upper, width, alphabet } => {
                self.characters_by_code(at, octets, (lower, upper, usize::from(width)), alphabet, value)?;
            }
            Contents::Utf8 { lower, upper } => {
                let Ok(text) = core::str::from_utf8(octets) else {
                    return Err(self.fail_at(ErrorKind::Text("not valid UTF-8"), at));
                };
                let size = text.chars().count() as u64;
                if size < lower || size > upper {
                    return Err(self.fail_at(ErrorKind::Size { size, lower, upper }, at));
                }
                self.push_text(text.chars(), value)?;
            }
            Contents::UtcTime | Contents::GeneralizedTime | Contents::Duration => {
                if let Some(other) = octets.iter().find(|octet| !matches!(octet, b' '..=b'~')) {
                    return Err(self.fail_at(ErrorKind::Alphabet { code: u32::from(*other) }, at));
                }
                let first = if *leaf == Contents::Duration { "P" } else { "" };
                self.push_text(first.chars().chain(octets.iter().map(|octet| char::from(*octet))), value)?;
            }
            Contents::Time { settings, .. } => {
                let text = core::str::from_utf8(octets).ok();
                let Some(text) = text.filter(|text| time_of(self.layout, settings, text).is_some()) else {
                    return Err(self.fail_at(FORM, at));
                };
                self.push_text(text.chars(), value)?;
            }
            Contents::Digits { pattern } => self.digits(at, octets, pattern, value)?,
            _ => return self.misplaced(),
        }
        if L::ACTIVE {
            self.show(at, What::Value(""), value.scalar());
        }
        Ok(())
    }

    fn push_text(&mut self, mut text: impl Iterator<Item = char>, value: &mut dyn Data) -> Result<(), Rejected> {
        let mut size = 0;
        text.try_for_each(|character| {
            size += 1;
            if value.push_char(character) { Ok(()) } else { self.full(size) }
        })
    }

    fn characters_by_code(
        &mut self,
        at: usize,
        octets: &[u8],
        (lower, upper, width): (u64, u64, usize),
        alphabet: Span,
        value: &mut dyn Data,
    ) -> Result<(), Rejected> {
        let characters = octets.chunks_exact(width.max(1));
        if !characters.remainder().is_empty() {
            return Err(self.fail_at(ErrorKind::Malformed(faults::shared::CHARACTER), at));
        }
        let size = characters.len() as u64;
        if size < lower || size > upper {
            return Err(self.fail_at(ErrorKind::Size { size, lower, upper }, at));
        }
        let alphabet = self.layout.numbers(alphabet);
        for (place, character) in characters.enumerate() {
            let code = character.iter().fold(0u32, |code, octet| code << 8 | u32::from(*octet));
            let Some(character) = packed::code_of(code, false, alphabet).and_then(char::from_u32) else {
                return Err(self.fail_at(ErrorKind::Alphabet { code }, at + place * width * 8));
            };
            if !value.push_char(character) {
                return self.full(size);
            }
        }
        Ok(())
    }

    fn digits(&mut self, at: usize, octets: &[u8], pattern: Name, value: &mut dyn Data) -> Result<(), Rejected> {
        let pattern = self.layout.name(pattern);
        let mut digits = octets.iter().copied();
        for form in pattern.chars() {
            let character = match form {
                '0' => digits.next().filter(u8::is_ascii_digit).map(char::from),
                other => Some(other),
            };
            let Some(character) = character else {
                return Err(self.fail_at(ErrorKind::Text("not the digits of its time type"), at));
            };
            if !value.push_char(character) {
                return self.full(pattern.len() as u64);
            }
        }
        if digits.next().is_some() {
            return Err(self.fail_at(ErrorKind::Text("more digits than its time type has"), at));
        }
        Ok(())
    }
}

/// X.690 §8.3.2: the octets of a number, if there are no more than it needs.
fn shortest(octets: &[u8]) -> Option<&[u8]> {
    match octets {
        [] => None,
        [0, second, ..] if second & 0x80 == 0 => None,
        [0xff, second, ..] if second & 0x80 != 0 => None,
        _ => Some(octets),
    }
}

/// A number of one to eight octets.
fn two_s_complement(octets: &[u8]) -> i64 {
    let sign = if octets.first().is_some_and(|first| first & 0x80 != 0) { -1 } else { 0 };
    octets.iter().fold(sign, |number, octet| number << 8 | i64::from(*octet))
}
