//! What must hold for any input, as functions that panic where it does not: each is a fuzz target, and all of them run from a
//! fixed seed without a fuzzer in `tests/short_run.rs`.
#![forbid(unsafe_code)]

mod asn1;
mod excused;
mod family;
mod generated;
mod interpreted;
mod lent;
pub mod mutate;
mod notation;
mod presentation;
mod same;
mod schema;
mod secured;
pub mod seeds;
mod wrong;

/// Codecs of `schemas/kitchen-sink.asn`.
#[allow(clippy::all, non_camel_case_types, missing_docs)]
pub mod kitchen_sink {
    include!(concat!(env!("OUT_DIR"), "/kitchen_sink.rs"));
}

/// Those whose types borrow their strings from the input.
#[allow(clippy::all, non_camel_case_types, missing_docs)]
pub mod borrowed {
    include!(concat!(env!("OUT_DIR"), "/borrowed.rs"));
}

/// Codecs of `schemas/tags.asn`.
#[allow(clippy::all, non_camel_case_types, missing_docs)]
pub mod tags {
    include!(concat!(env!("OUT_DIR"), "/tags.rs"));
}

/// Codecs of every leaf in every extent and presence.
#[allow(clippy::all, non_camel_case_types, missing_docs, unreachable_code, unused_comparisons)]
pub mod constructs {
    include!(concat!(env!("OUT_DIR"), "/constructs.rs"));
}

/// The table that they come from.
#[path = "../../crates/constructs/src/lib.rs"]
mod table;

/// Certificates and messages of both versions of TS 103 097 V1, as the tests of `crates/security` make them.
#[allow(dead_code, clippy::unwrap_used)]
#[path = "../../crates/security/tests/common/mod.rs"]
mod signed;

use roadwire_layout::Rules;

pub use asn1::asn1_text;
pub use family::Family;
pub use presentation::presentation_text;
pub use schema::{Subject, presentation as presentation_subjects, subjects};
pub use secured::message_verified;

/// The first octet picks a schema; the rest is JER text.
pub fn notation_read(input: &[u8]) {
    if let Some((which, text)) = input.split_first() {
        schema::pick(*which).text(&String::from_utf8_lossy(text));
    }
}

/// The first octet picks a schema and one of the family's rules; the rest is a message.
pub fn message_decoded(family: Family, input: &[u8]) {
    let rules = family.rules();
    if let (Some((which, message)), false) = (input.split_first(), rules.is_empty()) {
        let rules = rules[usize::from(which / schema::PICKS) % rules.len()];
        schema::pick_for(rules, *which).octets(rules, message);
    }
}

/// The first octet picks a schema, the second one of all rules; the rest says how to make a value, and how to spoil it.
pub fn value_encoded(input: &[u8]) {
    if let [which, rules, recipe @ ..] = input {
        let all = Rules::ALL;
        let rules = all[usize::from(*rules) % all.len()];
        let subject = schema::pick_for(rules, *which);
        let value = wrong::value(subject.model(), subject.root(), recipe);
        subject.value(rules, &value);
    }
}

/// The body of a fuzz target: the fuzzer's where there is one; else a program that checks the files named on its command line, one input each.
#[macro_export]
macro_rules! target {
    ($check:expr) => {
        #[cfg(fuzzing)]
        libfuzzer_sys::fuzz_target!(|input: &[u8]| ($check)(input));

        #[cfg(not(fuzzing))]
        fn main() -> std::io::Result<()> {
            $crate::on_files($check)
        }
    };
}

/// Runs a check on each file named on the command line.
///
/// # Errors
/// A file that cannot be read.
pub fn on_files(check: impl Fn(&[u8])) -> std::io::Result<()> {
    for name in std::env::args_os().skip(1) {
        check(&std::fs::read(name)?);
    }
    Ok(())
}
