//! Prints plans as Rust.

mod assign;
pub(crate) mod bits;
mod calls;
mod conditions;
mod events;
mod numbers;
pub(crate) mod octets;
mod places;
mod rows;
pub(crate) mod shared;
mod statements;
mod stream;
mod stream_numbers;
mod stream_strings;
pub(crate) mod text;
pub(crate) mod vectors;

use roadwire_model::TypeId;

use crate::names::snake;
use crate::rust_types::RustTypes;
use crate::source::Source;
use roadwire_plan::{Block, Way};

/// Prints the statements of a function's body.
fn print(types: &RustTypes<'_>, way: Way, cursor: Cursor, block: &Block, out: &mut Source) {
    Printer { types, way, cursor, suffix: "", out }.block(block);
}

/// The suffix of the names of a type's functions.
fn function(types: &RustTypes<'_>, id: TypeId) -> String {
    snake(types.name(id))
}

/// A recursive type checks that all levels of its body are left; enclosing types have left room for
/// all others.
fn enough_levels(types: &RustTypes<'_>, id: TypeId, out: &mut Source) {
    if types.is_recursive(id) {
        out.refuse_if(&format!("levels < {}", types.levels(id)));
    }
}

/// Where a function is in the message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cursor {
    /// At octet `at` of `output`, or of `input` up to `end`.
    Octets,
    /// At octet `at` of `output`, or at the start of what is left of the input, `r`.
    Rest,
    /// In the writer `w` or the reader `r` of text; of bits; of whole octets.
    Text,
    Bits,
    Whole,
}

/// A function's body being printed.
struct Printer<'p, 'm> {
    types: &'p RustTypes<'m>,
    way: Way,
    cursor: Cursor,
    /// What ends the names of parts' functions.
    suffix: &'p str,
    out: &'p mut Source,
}
