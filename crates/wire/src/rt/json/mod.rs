//! JSON text (RFC 8259): where its tokens end, and what they mean.

mod characters;
mod reader;
mod real;
mod scan;
mod writer;

use core::iter::Peekable;

pub use characters::{Characters, Piece, Quoted, pieces};
pub use real::{SPECIAL_REALS, real_text};
pub use scan::{Fault, MAX_NESTING, number, skip, space, string, string_if, word};

/// The number N in a name `...N`, which stands for an addition that the module has no name for.
/// Such names are this project's addition to JER (X.697).
#[must_use]
pub fn reserved_index(name: impl Iterator<Item = char>) -> Option<u32> {
    let mut name = name.peekable();
    after(&mut name, "...")?;
    let index = digits(&mut name)?;
    name.next().is_none().then(|| u32::try_from(index).ok())?
}

/// The number N in a name `...(N)`, which stands for an enumeration item of which only the number
/// is known: it is another addition to JER.
#[must_use]
pub fn reserved_number(name: impl Iterator<Item = char>) -> Option<i64> {
    let mut name = name.peekable();
    after(&mut name, "...(")?;
    let negative = name.next_if_eq(&'-').is_some();
    // There is no minus zero.
    let number = digits(&mut name).filter(|number| *number != 0 || !negative)?;
    after(&mut name, ")")?;
    name.next().is_none().then_some(if negative { -number } else { number })
}

/// Reads a text that must be there.
fn after(name: &mut Peekable<impl Iterator<Item = char>>, text: &str) -> Option<()> {
    text.chars().try_for_each(|wanted| name.next_if_eq(&wanted).map(drop))
}

/// Reads a number without zeros in front.
fn digits(name: &mut Peekable<impl Iterator<Item = char>>) -> Option<i64> {
    let mut digit = || name.next_if(char::is_ascii_digit)?.to_digit(10);
    let mut number = i64::from(digit()?);
    while let Some(next) = digit() {
        number = number.checked_mul(10).filter(|before| *before != 0)?.checked_add(next.into())?;
    }
    Some(number)
}

#[cfg(test)]
mod tests {
    use super::{reserved_index, reserved_number};

    #[test]
    fn reserved_names_are_canonical() {
        let index = |name: &str| reserved_index(name.chars());
        assert_eq!((index("...0"), index("...17"), index("...4294967295")), (Some(0), Some(17), Some(u32::MAX)));
        for other in ["", "...", "..1", "...01", "...+1", "...-1", "...4294967296", "...1x", "a"] {
            assert_eq!(index(other), None, "{other}");
        }
    }

    #[test]
    fn numbers_of_items_are_canonical() {
        let number = |name: &str| reserved_number(name.chars());
        assert_eq!((number("...(0)"), number("...(17)"), number("...(-1)")), (Some(0), Some(17), Some(-1)));
        for other in ["", "...", "...5", "...()", "...(05)", "...(-0)", "...(5", "...(5) ", "...(+5)", "...(a)", "(5)"]
        {
            assert_eq!(number(other), None, "{other}");
        }
        assert_eq!(number("...(99999999999999999999)"), None);
    }
}
