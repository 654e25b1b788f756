//! What must hold for any input, as functions that panic where it does not: each is a fuzz target, and all of them run from a
//! fixed seed without a fuzzer in `tests/short_run.rs`.
#![forbid(unsafe_code)]

mod asn1;
pub mod mutate;
mod schema;
pub mod seeds;
mod text;
mod uper;
mod wrong;

/// Codecs of `schemas/kitchen-sink.asn`.
#[allow(clippy::all, non_camel_case_types, missing_docs)]
pub mod kitchen_sink {
    include!(concat!(env!("OUT_DIR"), "/kitchen_sink.rs"));
}

pub use asn1::asn1_text;
pub use schema::{Subject, subjects};

/// The first octet picks a schema; the rest is JER text.
pub fn jer_text(input: &[u8]) {
    if let Some((which, text)) = input.split_first() {
        schema::pick(*which).jer_text(&String::from_utf8_lossy(text));
    }
}

/// The first octet picks a schema; the rest is a message.
pub fn octets_decoded(input: &[u8]) {
    if let Some((which, octets)) = input.split_first() {
        schema::pick(*which).octets(octets);
    }
}

/// The first octet picks a schema; the rest says how to make a value, and how to spoil it.
pub fn values_encoded(input: &[u8]) {
    if let Some((which, recipe)) = input.split_first() {
        let subject = schema::pick(*which);
        let value = wrong::value(subject.model(), subject.root(), recipe);
        subject.value(&value);
    }
}

/// Runs a check on each file named on the command line.
///
/// # Errors
/// A file that cannot be read.
pub fn on_files(check: fn(&[u8])) -> std::io::Result<()> {
    for name in std::env::args_os().skip(1) {
        check(&std::fs::read(name)?);
    }
    Ok(())
}
