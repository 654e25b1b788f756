//! Object identifiers as numbers with dots between them; in memory they are contents octets (X.690
//! §8.19, §8.20).

use alloc::vec;
use alloc::vec::Vec;

use roadwire_wire::rt::decimal::{self, Decimal};
use roadwire_wire::rt::push_subidentifier;
use roadwire_wire::{ErrorKind, Rejected, faults};

use crate::wide;

const FORM: ErrorKind = ErrorKind::Malformed(faults::json::OID);
const START: ErrorKind = ErrorKind::Malformed(faults::json::OID_START);

/// The error for a number of `octets` octets, too wide for decimal text.
#[cold]
pub(crate) fn too_wide(octets: usize) -> ErrorKind {
    ErrorKind::TooLong { length: octets as u64, limit: decimal::MAX_OCTETS as u64 }
}

/// The error for a number of `digits` digits, too wide to be read.
#[cold]
pub(crate) fn too_many_digits(digits: usize) -> ErrorKind {
    ErrorKind::TooLong { length: digits as u64, limit: decimal::MAX_DIGITS as u64 }
}

/// Why an object identifier is not written.
pub(crate) enum Fault {
    /// The caller's output refuses it.
    Output,
    Is(ErrorKind),
}

impl From<Rejected> for Fault {
    fn from(Rejected: Rejected) -> Self {
        Fault::Output
    }
}

/// Contents octets from text, one arc after the other.
pub(crate) struct Arcs {
    relative: bool,
    contents: Vec<u8>,
    count: usize,
    top: u32,
}

impl Arcs {
    pub(crate) fn new(relative: bool) -> Self {
        Arcs { relative, contents: Vec::new(), count: 0, top: 0 }
    }

    /// Parses decimal numbers with dots between them: `1.2.840`.
    pub(crate) fn push_characters(&mut self, text: impl Iterator<Item = char>) -> Result<(), ErrorKind> {
        let mut digits: Vec<u8> = Vec::new();
        for character in text.chain(core::iter::once('.')) {
            if character == '.' {
                self.push(&digits)?;
                digits.clear();
                continue;
            }
            if digits.len() > decimal::MAX_DIGITS {
                return Err(too_many_digits(digits.len()));
            }
            digits.push(u8::try_from(character).map_err(|_| FORM)?);
        }
        Ok(())
    }

    /// The same without leading zeros; each number may have a name: `iso(1).2.840`.
    pub(crate) fn push_named(&mut self, text: &[u8]) -> Result<(), ErrorKind> {
        for part in text.split(|octet| *octet == b'.') {
            let digits = match part.strip_suffix(b")") {
                Some(named) => {
                    let open = named.iter().position(|octet| *octet == b'(').ok_or(FORM)?;
                    named.get(open + 1..).unwrap_or(&[])
                }
                None => part,
            };
            if digits.len() > 1 && digits.first() == Some(&b'0') {
                return Err(FORM);
            }
            self.push(digits)?;
        }
        Ok(())
    }

    fn push(&mut self, digits: &[u8]) -> Result<(), ErrorKind> {
        if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
            return Err(FORM);
        }
        let zeros = digits.iter().take_while(|digit| **digit == b'0').count().min(digits.len() - 1);
        let arc = digits.get(zeros..).unwrap_or(&[]);
        match (self.relative, self.count) {
            (false, 0) => match arc {
                [first @ b'0'..=b'2'] => self.top = u32::from(first - b'0'),
                _ => return Err(START),
            },
            (false, 1) => {
                // X.690 §8.19.4: the first two are one number.
                if self.top < 2 && decimal::parse_integer(arc).is_none_or(|second| second >= 40) {
                    return Err(START);
                }
                self.append(arc, 40 * self.top)?;
            }
            _ => self.append(arc, 0)?,
        }
        self.count += 1;
        Ok(())
    }

    /// X.690 §8.19.2: appends the sum of a number and `plus`, in groups of seven bits.
    fn append(&mut self, arc: &[u8], plus: u32) -> Result<(), ErrorKind> {
        if let Some(number) = decimal::parse_integer(arc).filter(|number| *number < i128::MAX / 2) {
            push_subidentifier(&mut self.contents, number.unsigned_abs() + u128::from(plus));
            return Ok(());
        }
        let number = decimal::parse_wide(arc).ok_or_else(|| too_many_digits(arc.len()))?;
        let number = wide::add(&number, &[0, plus as u8]);
        let bit = |at: usize| {
            let octet = number.len().checked_sub(at / 8 + 1).and_then(|place| number.get(place));
            octet.map_or(0, |octet| octet >> (at % 8) & 1)
        };
        let top = (0..number.len() * 8).rev().find(|at| bit(*at) == 1).unwrap_or(0);
        for group in (0..=top / 7).rev() {
            let value = (0..7).fold(0, |value, at| value | bit(group * 7 + at) << at);
            self.contents.push(value | if group > 0 { 0x80 } else { 0 });
        }
        Ok(())
    }

    pub(crate) fn finish(self) -> Result<Vec<u8>, ErrorKind> {
        if self.count < 2 && !self.relative { Err(START) } else { Ok(self.contents) }
    }
}

/// Calls `put` with the text of contents octets, piece by piece.
pub(crate) fn write(
    contents: &[u8],
    relative: bool,
    mut put: impl FnMut(&[u8]) -> Result<(), Rejected>,
) -> Result<(), Fault> {
    let malformed = || Fault::Is(ErrorKind::Mismatch { expected: "an object identifier" });
    if contents.last().is_none_or(|last| last & 0x80 != 0) {
        return Err(malformed());
    }
    let mut is_first = true;
    for subidentifier in contents.split_inclusive(|octet| octet & 0x80 == 0) {
        if subidentifier.first() == Some(&0x80) {
            return Err(malformed());
        }
        let starts = is_first && !relative;
        if !is_first {
            put(b".")?;
        }
        is_first = false;
        if subidentifier.len() > 18 {
            write_wide(subidentifier, starts, &mut put)?;
            continue;
        }
        let mut number = subidentifier.iter().fold(0i128, |number, octet| number << 7 | i128::from(octet & 0x7f));
        if starts {
            let top = (number / 40).min(2);
            put(Decimal::of(top).octets())?;
            put(b".")?;
            number -= 40 * top;
        }
        put(Decimal::of(number).octets())?;
    }
    Ok(())
}

/// A subidentifier of more than 126 bits.
#[cold]
fn write_wide(
    subidentifier: &[u8],
    starts: bool,
    put: &mut impl FnMut(&[u8]) -> Result<(), Rejected>,
) -> Result<(), Fault> {
    let mut number = vec![0u8; subidentifier.len() * 7 / 8 + 2];
    let last = number.len() - 1;
    for (at, octet) in subidentifier.iter().rev().enumerate() {
        let shifted = u16::from(octet & 0x7f) << (at * 7 % 8);
        number[last - at * 7 / 8] |= shifted as u8;
        number[last - at * 7 / 8 - 1] |= (shifted >> 8) as u8;
    }
    if starts {
        put(b"2.")?;
        number = wide::subtract(&number, &[80]);
    }
    let number = wide::shortest(&number);
    let digits = decimal::wide_digits(number).ok_or_else(|| Fault::Is(too_wide(number.len())))?;
    Ok(put(&digits)?)
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::String;

    use super::*;

    fn read(text: &str, relative: bool) -> Result<Vec<u8>, ErrorKind> {
        let mut arcs = Arcs::new(relative);
        arcs.push_characters(text.chars())?;
        arcs.finish()
    }

    fn read_named(text: &str) -> Result<Vec<u8>, ErrorKind> {
        let mut arcs = Arcs::new(false);
        arcs.push_named(text.as_bytes())?;
        arcs.finish()
    }

    fn text(contents: &[u8], relative: bool) -> Option<String> {
        let mut found = Vec::new();
        let put = |piece: &[u8]| {
            found.extend_from_slice(piece);
            Ok(())
        };
        write(contents, relative, put).ok()?;
        String::from_utf8(found).ok()
    }

    #[test]
    fn numbers_there_and_back() {
        let wide = "2.123456789012345678901234567890123456789012345.1";
        let widest = format!("2.5.{}", "7".repeat(9863));
        for (numbers, relative) in [
            ("1.2.840.113549", false),
            ("2.999", false),
            ("0.39", false),
            ("2.25.329800735698586629295641978511506172918", false),
            ("2.85070591730234615865843651857942052863", false),
            ("2.170141183460469231731687303715884105727", false),
            (wide, false),
            (&widest, false),
            ("5", true),
            ("0.99999999999999999999999999999999999999999999999999", true),
        ] {
            let contents = read(numbers, relative).unwrap();
            assert_eq!(text(&contents, relative).as_deref(), Some(numbers));
        }
        assert_eq!(read_named("iso(1).2.us(840)"), read("1.2.840", false));
        assert_eq!(read("1.002", false), read("1.2", false));
        for wrong in ["", "1", "3.1", "1.40", "1..2", "1.02", "a.b", "1.2.", "1.2.-3", "1.2.x()"] {
            assert!(matches!(read_named(wrong), Err(ErrorKind::Malformed(_))), "{wrong}");
        }
    }

    #[test]
    fn wider_numbers_than_decimal_has_are_refused() {
        let refused = |text: &str| matches!(read(text, true), Err(ErrorKind::TooLong { limit: 9864, .. }));
        assert!(refused(&"9".repeat(9864)) && refused(&"1".repeat(9865)) && refused(&"0".repeat(9866)));
        // 4681 octets of seven bits are a number of 4096 octets.
        let mut contents = vec![0xff; 4681];
        contents[4680] = 0x7f;
        assert!(text(&contents, true).is_some());
        contents.insert(0, 0x83);
        let refused = write(&contents, true, |_| Ok(()));
        assert!(matches!(refused, Err(Fault::Is(ErrorKind::TooLong { length: 4097, limit: 4096 }))));
        assert_eq!(text(&[0x80, 1], true), None);
    }
}
