//! BER, DER and CER: values after identifiers and lengths (X.690).
//!
//! An encoder leaves one octet for a length and moves contents that need more, as the interpreter
//! and straight-line code do: a walk from the end of the value would need a second program.

mod code;
mod decode;
mod encode;
mod opaque;
mod record;
mod strings;
mod walk;

pub(crate) use code::Code;
pub(crate) use decode::decode;
pub(crate) use encode::encode;
pub(crate) use walk::Walk;

/// How many octets a number takes (X.690 §8.3.2).
#[inline(always)]
const fn octets_of(number: i64) -> u32 {
    // Setting the lowest bit changes nothing, and avoids a special case for zero.
    (64 - ((number ^ (number >> 63)) as u64 | 1).leading_zeros()) / 8 + 1
}
