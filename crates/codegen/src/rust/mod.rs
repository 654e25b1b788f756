//! Prints plans as Rust.

mod conditions;
mod numbers;
pub(crate) mod octets;
mod places;
mod statements;

use crate::plan::{Block, Way};
use crate::source::Source;
use crate::types::Types;

/// Prints the statements of a function's body.
fn print(types: &Types<'_>, way: Way, block: &Block, out: &mut Source) {
    Printer { types, way, out }.block(block);
}

/// A function's body being printed.
struct Printer<'p, 'm> {
    types: &'p Types<'m>,
    way: Way,
    out: &'p mut Source,
}
