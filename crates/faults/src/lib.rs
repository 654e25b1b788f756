//! Faults of other implementations, each with an input that has the same cause: `faults.toml`.
//! Tests in Rust, C and Python read the table, and `docs/faults.md` shows it with what happens
//! here.
//!
//! Invariants: each fault has an identifier under which it was published, and a test of its name in
//! Rust, in Python, and in C where its type has C. An input gives a value that can be encoded
//! again, or an error with a code and a place.
//!
//! Absent on purpose: faults that have no counterpart here, such as those of a user interface, and
//! anything for programs: only tests use this crate.
#![forbid(unsafe_code)]

use roadwire_engine::Message;
use roadwire_wire::Error;

mod table;

pub use table::{Fault, Here, Inside, Signed, TEXT, Table, hexadecimal, shortened, table};

/// The most octets that a value has again.
pub const ROOM: usize = 1 << 20;

/// Decodes and encodes octets by generated code: decodes the first ones, then the second ones into
/// the same value, and encodes that.
pub type Again = fn(Option<&[u8]>, &[u8]) -> Result<(usize, Vec<u8>), Error<'static>>;

fn again<M: Message<E>, E>(first: Option<&[u8]>, octets: &[u8]) -> Result<(usize, Vec<u8>), Error<'static>> {
    let mut value = M::default();
    if let Some(first) = first {
        value.decode(first)?;
    }
    let bits = value.decode(octets)?;
    Ok((bits, value.encode_to_vec(ROOM)?))
}

/// Generated code for a fault's type, or why there is none.
#[must_use]
pub fn generated(name: &str) -> Option<Result<Again, &'static str>> {
    generated::ALL.iter().find(|(of, _)| *of == name).map(|(_, made)| *made)
}

#[allow(missing_docs, unreachable_pub, dead_code, unused, clippy::all)]
mod generated {
    use super::{Again, again};

    include!(concat!(env!("OUT_DIR"), "/generated.rs"));
}
