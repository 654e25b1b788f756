//! Object identifiers as numbers with dots between: in memory they are contents octets (X.690 §8.19, §8.20).

use alloc::vec::Vec;

use roadwire_wire::json::{self, Decimal};

const FORM: &str = "arcs are decimal numbers with dots between, as in 1.2.840";
const START: &str = "an object identifier starts 0.0 to 0.39, 1.0 to 1.39, or 2 and any number";

/// Contents octets from text.
pub(crate) fn contents(text: impl Iterator<Item = char>, relative: bool) -> Result<Vec<u8>, &'static str> {
    let mut contents = Vec::new();
    let mut digits: Vec<u8> = Vec::new();
    let (mut arcs, mut top) = (0usize, 0u8);
    for character in text.chain(core::iter::once('.')) {
        if character != '.' {
            let digit = u8::try_from(character).ok().filter(u8::is_ascii_digit).ok_or(FORM)?;
            if digits.len() >= json::MAX_DIGITS {
                return Err("an arc of more than 100000 digits");
            }
            digits.push(digit);
            continue;
        }
        if digits.is_empty() {
            return Err(FORM);
        }
        let zeros = digits.iter().take_while(|digit| **digit == b'0').count().min(digits.len() - 1);
        let arc = digits.get(zeros..).unwrap_or(&[]);
        match (relative, arcs) {
            (false, 0) => match arc {
                [first @ b'0'..=b'2'] => top = first - b'0',
                _ => return Err(START),
            },
            (false, 1) => {
                let small = json::parse_integer(arc).filter(|second| *second < 40);
                if top < 2 && small.is_none() {
                    return Err(START);
                }
                append(&mut contents, arc, 40 * u32::from(top));
            }
            _ => append(&mut contents, arc, 0),
        }
        arcs += 1;
        digits.clear();
    }
    if arcs < 2 && !relative { Err(START) } else { Ok(contents) }
}

/// Appends a subidentifier: the number and `plus`, in base 128.
fn append(contents: &mut Vec<u8>, arc: &[u8], plus: u32) {
    let mut octets = json::parse_wide(arc);
    let mut carry = plus;
    for octet in octets.iter_mut().rev() {
        let sum = u32::from(*octet) + carry;
        *octet = sum as u8;
        carry = sum >> 8;
    }
    // From the least significant end, seven bits at a time.
    let bits = octets.len() * 8;
    let bit = |at: usize| octets.get(octets.len() - 1 - at / 8).map_or(0, |octet| octet >> (at % 8) & 1);
    let top = (0..bits).rev().find(|at| bit(*at) == 1).unwrap_or(0);
    for group in (0..=top / 7).rev() {
        let value = (0..7).filter(|at| group * 7 + at < bits).fold(0, |value, at| value | bit(group * 7 + at) << at);
        contents.push(value | if group > 0 { 0x80 } else { 0 });
    }
}

/// Hands the text of contents octets on, piece by piece; `None` where they are none.
pub(crate) fn text<E>(
    contents: &[u8],
    relative: bool,
    mut put: impl FnMut(&[u8]) -> Result<(), E>,
) -> Option<Result<(), E>> {
    if contents.last().is_none_or(|last| last & 0x80 != 0) {
        return None;
    }
    let mut first = true;
    for arc in contents.split_inclusive(|octet| octet & 0x80 == 0) {
        if arc.first() == Some(&0x80) {
            return None;
        }
        let done = if first && !relative { put_first(arc, &mut put) } else { put_arc(arc, !first, &mut put) };
        if done.is_err() {
            return Some(done);
        }
        first = false;
    }
    Some(Ok(()))
}

/// The first subidentifier is two arcs.
fn put_first<E>(arc: &[u8], put: &mut impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
    let small = if arc.len() <= 18 { number(arc) } else { i128::MAX };
    let top = (small / 40).min(2);
    put(Decimal::of(top).octets())?;
    put(b".")?;
    if arc.len() <= 18 {
        return put(Decimal::of(small - 40 * top).octets());
    }
    let mut octets = signed(arc);
    let mut borrow = 80u32;
    for octet in octets.iter_mut().rev() {
        let (value, less) = octet.overflowing_sub(borrow as u8);
        *octet = value;
        borrow = u32::from(less);
    }
    put(&json::wide_digits(&octets))
}

fn put_arc<E>(arc: &[u8], dot: bool, put: &mut impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
    if dot {
        put(b".")?;
    }
    if arc.len() <= 18 { put(Decimal::of(number(arc)).octets()) } else { put(&json::wide_digits(&signed(arc))) }
}

/// A subidentifier of up to 126 bits.
fn number(arc: &[u8]) -> i128 {
    arc.iter().fold(0, |value, octet| value << 7 | i128::from(octet & 0x7f))
}

/// A subidentifier of any size, as two's complement octets.
fn signed(arc: &[u8]) -> Vec<u8> {
    let bits = arc.len() * 7;
    let mut octets = alloc::vec![0u8; bits / 8 + 1];
    let count = octets.len();
    for (group, octet) in arc.iter().rev().enumerate() {
        for at in (0..7).filter(|at| octet >> at & 1 == 1) {
            let bit = group * 7 + at;
            if let Some(place) = octets.get_mut(count - 1 - bit / 8) {
                *place |= 1 << (bit % 8);
            }
        }
    }
    octets
}
