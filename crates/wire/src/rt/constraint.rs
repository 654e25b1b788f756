//! Building blocks of generated constraint checks, for constraints that no encoding rules take into
//! account (X.680 §51).

use crate::bits::{BitWord, without_zeros};
use crate::data::Scalar;
use crate::error::{Error, ErrorKind};
use crate::path::{Names, Path};
use crate::rt::pattern::Pattern;
use crate::rt::time::{Settings, Time};

/// The reaction of a check to a broken constraint. A check is first run with `()`, which gives
/// only yes or no. If the value fails, the check is run again with an [`Error`], whose path is
/// filled from the inside out.
pub trait Trail {
    /// The value breaks a constraint, whose text in the module is `text`. `number` is the value if
    /// it is an integer.
    fn breaks(&mut self, text: &'static str, number: Option<i128>);
    /// The value is inside a component or alternative, whose name is at `place` in `names`.
    fn inside(&mut self, names: &'static dyn Names, place: u32);
    /// The value is inside an element of a list.
    fn element(&mut self, index: usize);
}

impl Trail for () {
    #[inline(always)]
    fn breaks(&mut self, _: &'static str, _: Option<i128>) {}

    #[inline(always)]
    fn inside(&mut self, _: &'static dyn Names, _: u32) {}

    #[inline(always)]
    fn element(&mut self, _: usize) {}
}

impl Trail for Error<'static> {
    fn breaks(&mut self, text: &'static str, number: Option<i128>) {
        self.kind = ErrorKind::Constraint { text, number };
    }

    fn inside(&mut self, names: &'static dyn Names, place: u32) {
        self.path.prepend_name(names, place);
    }

    fn element(&mut self, index: usize) {
        self.path.prepend_index(index as u32);
    }
}

/// Runs a failed check again, to find out what is wrong.
#[cold]
#[inline(never)]
pub fn explain(check: impl FnOnce(&mut Error<'static>) -> bool) -> Error<'static> {
    let kind = ErrorKind::Constraint { text: "", number: None };
    let mut error = Error { kind, bit: 0, path: Path::root() };
    check(&mut error);
    error
}

/// Whether an integer is in one of these ranges; an absent bound admits all.
#[must_use]
pub fn is_in_ranges(scalar: Scalar<'_>, ranges: &[(Option<i128>, Option<i128>)]) -> bool {
    match scalar {
        Scalar::Integer(number) => ranges.iter().any(|(lower, upper)| {
            lower.is_none_or(|lower| lower <= number) && upper.is_none_or(|upper| number <= upper)
        }),
        // Beyond all bounds of 128 bits.
        Scalar::WideInteger([0x80..=0xff, ..]) => ranges.iter().any(|(lower, _)| lower.is_none()),
        Scalar::WideInteger(_) => ranges.iter().any(|(_, upper)| upper.is_none()),
        _ => false,
    }
}

/// Whether a bit string equals the first `bits` bits of `octets`. If `named`, trailing zero bits do
/// not count (X.680 §22.7).
#[must_use]
pub fn is_bits(scalar: Scalar<'_>, octets: &[u8], bits: usize, named: bool) -> bool {
    let word;
    let (mine, count) = match scalar {
        Scalar::Word(value) => {
            word = value.to_octets();
            (&word[..usize::from(value.bits.min(64)).div_ceil(8)], usize::from(value.bits))
        }
        Scalar::Bits(octets, bits) => (octets, bits),
        _ => return true,
    };
    (named || count == bits) && trimmed(mine) == trimmed(octets)
}

fn trimmed(octets: &[u8]) -> &[u8] {
    octets.get(..octets.iter().rposition(|octet| *octet != 0).map_or(0, |last| last + 1)).unwrap_or(&[])
}

/// The number of significant bits of a bit string with named bits: all but trailing zero bits
/// (X.680 §22.7).
#[must_use]
pub fn meaningful_bits(scalar: Scalar<'_>) -> u64 {
    match scalar {
        Scalar::Word(BitWord { value, bits }) => u64::from(bits).saturating_sub(value.trailing_zeros().into()),
        Scalar::Bits(octets, _) => without_zeros(octets) as u64,
        _ => 0,
    }
}

/// Whether the size of a string (in bits, octets or characters) is in one of the ranges; anything
/// else passes.
#[must_use]
pub fn is_of_size(scalar: Scalar<'_>, sizes: &[(u64, u64)]) -> bool {
    let size = match scalar {
        Scalar::Word(word) => u64::from(word.bits),
        Scalar::Bits(_, bits) => bits as u64,
        Scalar::Octets(octets) => octets.len() as u64,
        Scalar::Text(text) => text.chars().count() as u64,
        _ => return true,
    };
    sizes.iter().any(|(least, most)| (*least..=*most).contains(&size))
}

/// Whether all characters of a text are in one of the ranges of code points; anything other than
/// text passes.
#[must_use]
pub fn is_of_alphabet(scalar: Scalar<'_>, ranges: &[(u32, u32)]) -> bool {
    let Scalar::Text(text) = scalar else { return true };
    text.chars().all(|one| ranges.iter().any(|(first, last)| (*first..=*last).contains(&u32::from(one))))
}

/// Whether a pattern matches all of a text; anything other than text passes.
#[must_use]
pub fn matches(scalar: Scalar<'_>, pattern: &Pattern<'_>) -> bool {
    match scalar {
        Scalar::Text(text) => pattern.matches(text),
        _ => true,
    }
}

/// Whether a time has one of these sets of property settings; anything other than a time passes.
#[must_use]
pub fn has_settings(scalar: Scalar<'_>, settings: &[Settings]) -> bool {
    match scalar {
        Scalar::Text(text) => Time::read(text).is_none_or(|time| settings.iter().any(|one| one.admits(&time))),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn named_bits_are_compared_without_trailing_zeros() {
        let word = |value, bits| Scalar::Word(BitWord { value, bits });
        assert!(is_bits(word(0b100, 3), &[0x80], 1, true) && !is_bits(word(0b100, 3), &[0x80], 1, false));
        assert!(is_bits(word(0, 8), &[], 0, true) && !is_bits(word(1, 8), &[], 0, true));
        assert!(is_bits(Scalar::Bits(&[0x80, 0], 9), &[0x80], 1, true));
        assert_eq!(meaningful_bits(word(0b100, 3)), 1);
        assert_eq!(meaningful_bits(word(0, 3)), 0);
        assert_eq!(meaningful_bits(Scalar::Bits(&[0xff, 0x20, 0], 24)), 11);
    }

    #[test]
    fn sizes_are_in_characters() {
        assert!(is_of_size(Scalar::Text("äö"), &[(0, 0), (2, 2)]) && !is_of_size(Scalar::Text("a"), &[(0, 0), (2, 2)]));
    }
}
