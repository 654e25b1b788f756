//! Object identifiers: contents octets (X.690 §8.19, §8.20) and numbers with dots between.

use alloc::string::String;
use alloc::vec::Vec;

use crate::decimal::{self, Line};
use crate::wide;

/// The numbers of contents octets: calls `put` with the text of each, dots included. `None` where they are not contents octets, or have numbers too wide for decimal.
pub(crate) fn write<E>(
    contents: &[u8],
    relative: bool,
    mut put: impl FnMut(&str) -> Result<(), E>,
) -> Option<Result<(), E>> {
    if contents.last().is_none_or(|last| last & 0x80 != 0) {
        return None;
    }
    let mut is_first = true;
    for subidentifier in contents.split_inclusive(|octet| octet & 0x80 == 0) {
        let done = if subidentifier.len() > 17 {
            wide_number(subidentifier, is_first, relative).map(|text| put(&text))?
        } else {
            let mut number = subidentifier.iter().fold(0u128, |number, octet| number << 7 | u128::from(octet & 0x7f));
            let mut line = Line::<48>::default();
            if is_first && !relative {
                // X.690 §8.19.4: the first two are one number.
                let first = (number / 40).min(2);
                line.natural(first);
                number -= first * 40;
            }
            if !(is_first && relative) {
                line.push(b'.');
            }
            line.natural(number);
            put(line.text())
        };
        if done.is_err() {
            return Some(done);
        }
        is_first = false;
    }
    Some(Ok(()))
}

/// A number beyond 119 bits, with what is in front of it.
#[cold]
fn wide_number(subidentifier: &[u8], is_first: bool, relative: bool) -> Option<String> {
    let bits = subidentifier.len() * 7;
    let mut octets = alloc::vec![0u8; bits / 8 + 2];
    let last = octets.len() - 1;
    for (at, octet) in subidentifier.iter().rev().enumerate() {
        let shifted = u16::from(octet & 0x7f) << (at * 7 % 8);
        octets[last - at * 7 / 8] |= shifted as u8;
        octets[last - at * 7 / 8 - 1] |= (shifted >> 8) as u8;
    }
    let mut text = String::new();
    match (is_first, relative) {
        (true, false) => {
            octets = wide::subtract(&octets, &[80]);
            text.push_str("2.");
        }
        (true, true) => {}
        (false, _) => text.push('.'),
    }
    text.push_str(&decimal::write(wide::shortest(&octets))?);
    Some(text)
}

/// Contents octets from numbers with dots between, each perhaps with a name: `iso(1).2.840`. `None` for anything else.
pub(crate) fn read(text: &[u8], relative: bool) -> Option<Vec<u8>> {
    let mut contents = Vec::new();
    let mut first = None;
    for (at, part) in text.split(|octet| *octet == b'.').enumerate() {
        let digits = digits(part)?;
        let small = core::str::from_utf8(digits).ok()?.parse::<u128>().ok().filter(|number| *number < u128::MAX - 80);
        match (at, relative, small, first) {
            (0, false, Some(arc), _) if arc <= 2 => first = Some(arc),
            (1, false, Some(arc), Some(first)) if first == 2 || arc < 40 => push(arc + first * 40, &mut contents),
            (1, false, None, Some(2)) => push_wide(&wide::add(&decimal::read(false, digits)?, &[80]), &mut contents),
            (0 | 1, false, _, _) => return None,
            (_, _, Some(arc), _) => push(arc, &mut contents),
            (_, _, None, _) => push_wide(&decimal::read(false, digits)?, &mut contents),
        }
    }
    (!contents.is_empty()).then_some(contents)
}

/// The digits of `840` or `us(840)`.
fn digits(part: &[u8]) -> Option<&[u8]> {
    let digits = match part.strip_suffix(b")") {
        Some(named) => named.get(named.iter().position(|octet| *octet == b'(')? + 1..)?,
        None => part,
    };
    let is_number = digits.iter().all(u8::is_ascii_digit) && (digits.len() == 1 || digits.first() != Some(&b'0'));
    (is_number && !digits.is_empty()).then_some(digits)
}

/// X.690 §8.19.2: seven bits at a time.
fn push(number: u128, contents: &mut Vec<u8>) {
    let groups = (128 - number.leading_zeros()).div_ceil(7).max(1);
    for group in (0..groups).rev() {
        let more = if group > 0 { 0x80 } else { 0 };
        contents.push((number >> (7 * group)) as u8 & 0x7f | more);
    }
}

#[cold]
fn push_wide(octets: &[u8], contents: &mut Vec<u8>) {
    let octets = wide::shortest_unsigned(octets);
    let bit = |at: usize| {
        octets
            .len()
            .checked_sub(at / 8 + 1)
            .and_then(|place| octets.get(place))
            .map_or(0, |octet| octet >> (at % 8) & 1)
    };
    let bits = (0..octets.len() * 8).rev().find(|at| bit(*at) == 1).map_or(1, |at| at + 1);
    let groups = bits.div_ceil(7);
    for group in (0..groups).rev() {
        let value = (0..7).fold(0, |value, at| value | bit(group * 7 + at) << at);
        contents.push(value | if group > 0 { 0x80 } else { 0 });
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::String;

    use super::{read, write};

    #[test]
    fn numbers_there_and_back() {
        let wide = "2.123456789012345678901234567890123456789012345.1";
        for (text, relative) in [
            ("1.2.840.113549", false),
            ("2.999", false),
            ("0.39", false),
            ("2.25.329800735698586629295641978511506172918", false),
            (wide, false),
            ("5", true),
            ("0.99999999999999999999999999999999999999999999999999", true),
        ] {
            let contents = read(text.as_bytes(), relative).unwrap();
            let mut found = String::new();
            let put = |part: &str| -> Result<(), ()> {
                found.push_str(part);
                Ok(())
            };
            assert_eq!(write(&contents, relative, put), Some(Ok(())));
            assert_eq!(found, text);
        }
        assert_eq!(read(b"iso(1).2.us(840)", false), read(b"1.2.840", false));
        for wrong in ["", "1", "3.1", "1.40", "1..2", "1.02", "a.b", "1.2.", "1.2.-3", "1.2.x()"] {
            assert_eq!(read(wrong.as_bytes(), false), None, "{wrong}");
        }
    }
}
