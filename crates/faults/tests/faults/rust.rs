//! The interpreter and generated code on the input of each fault.

use roadwire_faults::{Fault, Here, ROOM, generated, shortened, table};
use roadwire_layout::{Layout, lower};
use roadwire_measure::heap;
use roadwire_model::{Value, check};
use roadwire_notation::Notation;
use roadwire_security::dot2::ProfileChoice;
use roadwire_security::{Fault as Reason, Report, Verifier};
use roadwire_wire::{Error, ErrorKind};

use crate::{Subject, fault};

include!(concat!(env!("OUT_DIR"), "/tests.rs"));

fn replay(name: &str) {
    let fault = fault(name);
    let found = happens(&fault);
    assert_eq!(found.here, fault.here, "here = {}", found.as_toml());
}

#[test]
fn genuine_message_is_valid() {
    let report = verify(&roadwire_faults::hexadecimal(&table().signed.message));
    assert_eq!(report.verdict.name(), "valid", "{:?}", report.fault);
}

/// The result, and an error's words.
pub(crate) struct Found {
    pub(crate) here: Here,
    pub(crate) words: String,
}

/// Decodes the input of a fault.
pub(crate) fn happens(fault: &Fault) -> Found {
    match Subject::of(fault) {
        Some(subject) => decoded(fault, &subject),
        None if fault.change.is_some() => verdict(&verify(&fault.input())),
        None => compiled(fault),
    }
}

fn decoded(fault: &Fault, subject: &Subject) -> Found {
    let layout = lower(&subject.model, subject.root, subject.rules).expect("a layout");
    let (first, input) = (fault.before(), fault.input());
    let mut value = Value::Unset;
    if let Some(first) = &first {
        roadwire_engine::decode(&layout, first, &mut value).expect("the message before is right");
    }
    let mut read = Ok(0);
    let heap = heap::measure(|| read = roadwire_engine::decode(&layout, &input, &mut value)).expect("it is counted");
    // docs/limits.md; strings take at most four times their octets besides.
    let most = (512 + 4) * input.len() + (16 << 20);
    assert!(heap.peak as usize <= most, "{} octets of heap for {} octets", heap.peak, input.len());
    let found = match &read {
        Ok(bits) => taken(subject, &layout, &input, *bits, &value),
        Err(error) => refused(error),
    };
    let again = generated(&fault.name).expect("the table and the code are of the same text");
    // A list of itself has no type in memory.
    let Ok(again) = again else { return found };
    match (again(first.as_deref(), &input), read) {
        (Ok((bits, octets)), Ok(read)) => {
            assert_eq!(bits, read);
            assert_eq!(Ok(octets), roadwire_engine::encode_to_vec(&layout, &value, ROOM));
        }
        (Err(error), Err(read)) => assert_eq!(error.to_string(), read.to_string()),
        (by_code, read) => panic!("generated code: {by_code:?}; the interpreter: {read:?}"),
    }
    found
}

/// A value: all of the input is used, and it can be encoded again.
fn taken(subject: &Subject, layout: &Layout, input: &[u8], bits: usize, value: &Value) -> Found {
    assert_eq!(layout.octets_of(bits), input.len(), "all octets are used");
    let octets = roadwire_engine::encode_to_vec(layout, value, ROOM).expect("a value can be encoded");
    let mut again = Value::Unset;
    roadwire_engine::decode(layout, &octets, &mut again).expect("and decoded");
    assert_eq!(again, *value);
    let text = Notation::new(&subject.model, subject.root).expect("JER has it").write(value);
    let text = text.unwrap_or_else(|error| error.code.to_owned());
    let mut room = vec![0; ROOM];
    let canonical = match roadwire_engine::decode_canonical(layout, input, &mut Value::Unset, &mut room) {
        Ok(_) => None,
        Err(error) if error.kind == ErrorKind::NotCanonical => Some(error.bit),
        Err(error) => panic!("{error}"),
    };
    let broken = check::decoded(&subject.model, subject.root, value);
    let (breaks, words) = match broken.first() {
        Some(found) => (format!("{} in {}", found.code, found.path), found.message.clone()),
        None => Default::default(),
    };
    Found { here: Here::Taken { value: shortened(&text), breaks, canonical }, words }
}

fn refused(error: &Error<'_>) -> Found {
    let (code, bit, path) = (error.kind.code().to_owned(), error.bit, error.path.to_string());
    Found { here: Here::Refused { code, bit, path }, words: error.message().to_string() }
}

fn compiled(fault: &Fault) -> Found {
    let source = roadwire_asn1::Source::new("fault.asn", fault.asn1.as_str());
    let errors = roadwire_asn1::compile(&[source]).expect_err("the module is refused");
    let codes = errors.iter().map(|error| error.code.to_owned()).collect();
    let words: Vec<String> = errors.iter().map(|error| error.message.clone()).collect();
    Found { here: Here::Module { codes }, words: words.join("; ") }
}

/// The report of a receiver that trusts the root.
fn verify(message: &[u8]) -> Report {
    let mut verifier = Verifier::new();
    verifier.trust(&roadwire_faults::hexadecimal(&table().signed.root)).expect("a root");
    verifier.set_profile(ProfileChoice::None);
    verifier.verify(message, None)
}

fn verdict(report: &Report) -> Found {
    let reason = report.fault.as_ref().map(Reason::to_string).unwrap_or_default();
    Found { here: Here::Verdict { verdict: report.verdict.name().to_owned(), reason }, words: String::new() }
}

impl Found {
    /// As it is written in the table.
    fn as_toml(&self) -> String {
        match &self.here {
            Here::Refused { code, bit, path } if path.is_empty() => format!("{{ code = {code:?}, bit = {bit} }}"),
            Here::Refused { code, bit, path } => format!("{{ code = {code:?}, bit = {bit}, path = {path:?} }}"),
            Here::Taken { value, breaks, canonical } => {
                let breaks = if breaks.is_empty() { String::new() } else { format!(", breaks = {breaks:?}") };
                let canonical = canonical.map(|bit| format!(", canonical = {bit}")).unwrap_or_default();
                format!("{{ value = '{value}'{breaks}{canonical} }}")
            }
            Here::Module { codes } => format!("{{ codes = {codes:?} }}"),
            Here::Verdict { verdict, reason } => format!("{{ verdict = {verdict:?}, reason = {reason:?} }}"),
        }
    }
}
