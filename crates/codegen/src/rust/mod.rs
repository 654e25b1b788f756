//! Prints plans as Rust.

mod conditions;
mod numbers;
pub(crate) mod octets;
mod places;
mod statements;
pub(crate) mod text;
pub(crate) mod vectors;

use crate::plan::{Block, Way};
use crate::source::Source;
use crate::types::Types;

/// Prints the statements of a function's body.
fn print(types: &Types<'_>, way: Way, cursor: Cursor, block: &Block, out: &mut Source) {
    Printer { types, way, cursor, suffix: "", out }.block(block);
}

/// Where a function is in the message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cursor {
    /// At octet `at` of `output`, or of `input` up to `end`.
    Octets,
    /// At octet `at` of `output`, or at the start of what is left of the input, `r`.
    Rest,
    /// In the writer `w` or the reader `r`.
    Text,
}

/// A function's body being printed.
struct Printer<'p, 'm> {
    types: &'p Types<'m>,
    way: Way,
    cursor: Cursor,
    /// What ends the names of parts' functions.
    suffix: &'p str,
    out: &'p mut Source,
}
