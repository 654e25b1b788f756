//! JER: text that is the same for any value, and the values between its pieces. Text is only
//! written: a reader takes members in any order and any white space, and that is the interpreter's.
//!
//! Brackets, names and commas between two values are one text, so that records inside records are
//! runs as well. Text before a member that may be the first of its object begins with a comma,
//! which is left out right after an opening bracket; so is that before an element of a list.

mod code;
mod digits;
mod encode;
mod opaque;
mod out;
mod walk;

pub(crate) use code::Code;
pub(crate) use encode::encode;
pub(crate) use walk::Walk;
