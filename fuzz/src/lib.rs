//! Properties that must hold for any input, as functions that panic if they do not: each is a fuzz
//! target, and all of them run from a fixed seed without a fuzzer in `tests/short_run.rs`.
#![forbid(unsafe_code)]

mod asn1;
mod borrowing;
mod distribution;
mod generated;
mod interpreted;
mod known_differences;
pub mod mutate;
mod notation;
mod presentation;
mod programs;
mod recorded;
mod same;
mod schema;
mod secured;
pub mod seeded;
pub mod seeds;
mod subject;
mod today;
mod wrong;

/// Codecs of `schemas/kitchen-sink.asn`.
#[allow(clippy::all, non_camel_case_types, missing_docs)]
pub mod kitchen_sink {
    include!(concat!(env!("OUT_DIR"), "/kitchen_sink.rs"));
}

/// The same with types that borrow their strings from the input.
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

/// The table from which they are made.
#[allow(dead_code, reason = "the module of tags is for tests")]
#[path = "../../crates/constructs/src/lib.rs"]
mod table;

/// Certificates and messages of both versions of TS 103 097 V1, as in the tests of
/// `crates/security`.
#[allow(dead_code, clippy::unwrap_used)]
#[path = "../../crates/security/tests/common/mod.rs"]
mod signed;

use roadwire_layout::Rules;

pub use asn1::asn1_text;
pub use distribution::distribution_read;
pub use presentation::presentation_text;
pub use recorded::{file_read, frame_dissected};
pub use roadwire_layout::Family;
pub use schema::{presentation as presentation_subjects, subjects};
pub use secured::message_verified;
pub use subject::Subject;
pub use today::message_of_today_verified;

/// The first octet picks a schema; the rest is JER text.
pub fn notation_read(input: &[u8]) {
    if let Some((which, text)) = input.split_first() {
        schema::pick(*which).text(&String::from_utf8_lossy(text));
    }
}

/// The first octet picks a schema and one of the family's rules; the rest is a message.
pub fn message_decoded(family: Family, input: &[u8]) {
    let rules: Vec<Rules> = family.rules().collect();
    if let Some((which, message)) = input.split_first() {
        let rules = rules[usize::from(which / schema::PICKS) % rules.len()];
        schema::pick_for(rules, *which).octets(rules, message);
    }
}

/// The first octet picks a schema, the second one of all rules; the rest says how to make a value,
/// and how to corrupt it.
pub fn value_encoded(input: &[u8]) {
    if let [which, rules, recipe @ ..] = input {
        let all = Rules::ALL;
        let rules = all[usize::from(*rules) % all.len()];
        let subject = schema::pick_for(rules, *which);
        let value = wrong::value(subject.model(), subject.root(), recipe);
        subject.value(rules, &value);
    }
}

/// The body of a fuzz target: the fuzzer's if there is one; otherwise a program that checks the
/// files given on its command line, one input each.
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

/// Runs a check on each file given on the command line.
///
/// # Errors
/// A file that cannot be read.
pub fn on_files(check: impl Fn(&[u8])) -> std::io::Result<()> {
    for name in std::env::args_os().skip(1) {
        check(&std::fs::read(name)?);
    }
    Ok(())
}
