//! Numbers in the text of times.

use super::MOST_DIGITS;

/// The digits that a text begins with, at least one, and the rest.
pub(super) fn digits(text: &str) -> Option<(&str, &str)> {
    let end = text.find(|character: char| !character.is_ascii_digit()).unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

/// The number in the first `count` characters, which must be digits, and the rest.
pub(super) fn exactly(text: &str, count: usize) -> Option<(i64, &str)> {
    let (number, rest) = text.split_at_checked(count)?;
    Some((all_digits(number)?, rest))
}

/// The number in the `count` characters of a text, which must be digits.
pub(super) fn all(text: &str, count: usize) -> Option<i64> {
    exactly(text, count).filter(|(_, rest)| rest.is_empty()).map(|(number, _)| number)
}

/// The number that a text of digits is, if it is not longer than any is.
pub(super) fn all_digits(text: &str) -> Option<i64> {
    let fits = text.len() <= MOST_DIGITS && text.bytes().all(|octet| octet.is_ascii_digit());
    text.parse().ok().filter(|_| fits)
}
