//! Prints plans as Rust.

mod assign;
pub(crate) mod bits;
mod calls;
mod conditions;
mod events;
mod functions;
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

use std::fmt::Debug;

use roadwire_model::TypeId;

use crate::names::snake;
use crate::rust_types::RustTypes;
use crate::source::Source;
use roadwire_plan::Way;

/// Stands for what no printer has: generated code then says so when it is compiled.
fn no_text(of: &impl Debug) -> String {
    format!("compile_error!({:?})", format!("no printer has {of:?}"))
}

/// The name of a part in those of its functions.
fn part_name(types: &RustTypes<'_>, cursor: Cursor, id: TypeId) -> String {
    match cursor {
        Cursor::Bits | Cursor::Whole => types.name(id).to_owned(),
        Cursor::Octets | Cursor::Rest | Cursor::Text => snake(types.name(id)),
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
    /// The suffix of the names of parts' functions.
    suffix: &'p str,
    out: &'p mut Source,
}
