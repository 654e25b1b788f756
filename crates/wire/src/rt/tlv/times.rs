//! Times of X.680 §38 as straight-line code writes and reads them (X.690 §8.26): text without what
//! is the same in every value.

use super::{length_octets, put_octets};
use crate::data::{Data, Shape};
use crate::error::Rejected;

/// Writes the digits of a text that has the form of a pattern, in which zeros stand for digits.
///
/// # Errors
/// Another form, or the output is full.
#[inline(never)]
pub fn put_digits(output: &mut [u8], at: usize, tag: u8, text: &str, pattern: &[u8]) -> Result<usize, Rejected> {
    let fits = |(form, octet): (&u8, &u8)| if *form == b'0' { octet.is_ascii_digit() } else { form == octet };
    if pattern.len() != text.len() || !pattern.iter().zip(text.as_bytes()).all(fits) {
        return Err(Rejected);
    }
    let digits = || pattern.iter().zip(text.as_bytes()).filter(|(form, _)| **form == b'0');
    let at = put_octets(output, at, &[tag, digits().count() as u8])?;
    digits().try_fold(at, |at, (_, digit)| put_octets(output, at, &[*digit]))
}

/// Reads such digits into a text.
///
/// # Errors
/// Other octets, more or fewer of them, or the text is full.
#[inline(never)]
pub fn take_digits(text: &mut dyn Data, octets: &[u8], pattern: &[u8]) -> Result<(), Rejected> {
    let mut digits = octets.iter();
    let begun = text.begin(Shape::Text);
    let is_whole = pattern.iter().all(|form| match form {
        b'0' => digits.next().is_some_and(|digit| digit.is_ascii_digit() && text.push_char(char::from(*digit))),
        other => text.push_char(char::from(*other)),
    });
    if begun && is_whole && digits.next().is_none() { Ok(()) } else { Err(Rejected) }
}

/// Writes a duration without its first letter (§8.26.4).
///
/// # Errors
/// Another form, or the output is full.
#[inline(never)]
pub fn put_duration(output: &mut [u8], at: usize, tag: u8, text: &str) -> Result<usize, Rejected> {
    let rest = text.strip_prefix('P').filter(|rest| rest.bytes().all(is_visible)).ok_or(Rejected)?;
    let at = put_octets(output, at, &[tag])?;
    let at = put_octets(output, at, length_octets(rest.len()).as_slice())?;
    put_octets(output, at, rest.as_bytes())
}

/// Reads a duration into a text.
///
/// # Errors
/// Other characters, or the text is full.
#[inline(never)]
pub fn take_duration(text: &mut dyn Data, octets: &[u8]) -> Result<(), Rejected> {
    let begun = text.begin(Shape::Text) && text.push_char('P');
    let is_whole = octets.iter().all(|octet| is_visible(*octet) && text.push_char(char::from(*octet)));
    if begun && is_whole { Ok(()) } else { Err(Rejected) }
}

fn is_visible(octet: u8) -> bool {
    matches!(octet, b' '..=b'~')
}
