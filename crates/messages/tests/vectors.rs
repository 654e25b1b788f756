//! Every published vector through the interpreter (over dynamic values and over generated types)
//! and the generated code, both ways. The vectors are recorded material outside the project;
//! without them the tests report that they were skipped.

mod common;

use common::{Fixture, fixtures, hex, rows};
use roadwire_layout::{Rules, Uper};
use serde_json::Value as Json;

/// The shipped messages under one set of rules, and the name of the vectors' field with their
/// octets.
struct Fixtures {
    rules: Rules,
    fixtures: Vec<Box<dyn Fixture>>,
}

/// All sets of rules for which the messages have codecs.
fn all() -> Vec<Fixtures> {
    macro_rules! all {
        ($($rules:ident)*) => { vec![$(Fixtures { rules: Rules::$rules, fixtures: fixtures::<roadwire_layout::$rules>() }),*] };
    }
    all!(Uper Aper Oer Coer Ber Der Cer Xer Cxer Exer Jer)
}

impl Fixtures {
    /// Runs `check` on each row of a vector file.
    fn each(&self, file: &str, check: impl Fn(Rules, &dyn Fixture, &Json)) {
        let Some(rows) = rows(file) else { return };
        for row in &rows {
            let wanted = row["type"].as_str().unwrap();
            let fixture =
                self.fixtures.iter().find(|one| one.name() == wanted && one.is_deployed()).expect("a fixture");
            check(self.rules, fixture.as_ref(), row);
        }
        assert!(!rows.is_empty(), "{file} has no rows");
    }
}

/// Rules without their own vectors are only tested by a round trip.
fn both_ways(rules: Rules, fixture: &dyn Fixture, row: &Json) {
    let id = row["id"].as_str().unwrap();
    let value = row["value"].to_string();
    let wanted = wanted(rules, row);
    for codec in fixture.codecs() {
        let encoded = codec.encode(&value).unwrap_or_else(|error| panic!("{id}: {rules}: {}: {error}", codec.name()));
        if let (Some(wanted), false) = (&wanted, rules == Rules::Der && has_zero_bits(fixture, row)) {
            assert!(encoded == *wanted, "{id}: {rules}: {} encodes {encoded:02x?}, not {wanted:02x?}", codec.name());
        }
        let decoded: Json = serde_json::from_str(&codec.decode(wanted.as_ref().unwrap_or(&encoded)).unwrap()).unwrap();
        assert_eq!(decoded, row["value"], "{id}: {rules}: {} decodes", codec.name());
    }
}

/// The implementations that made the vectors write BER forms under DER.
fn wanted(rules: Rules, row: &Json) -> Option<Vec<u8>> {
    // Extended XER is basic XER where there are no encoding instructions.
    let field = if rules == Rules::Ber { Rules::Der } else { rules };
    let field = if field == Rules::Exer { Rules::Xer } else { field };
    let written = row[field.name()].as_str()?;
    if field != Rules::Xer {
        return Some(hex(written));
    }
    // White space has been removed from the text, and so also from strings.
    let is_whole = !row["value"].to_string().contains(' ');
    is_whole.then(|| written.as_bytes().to_vec())
}

/// Whether a bit string with named bits ends in zeros. X.690 §11.2.2 removes them, whatever the
/// size; the implementations that made the vectors write them. Our encoding is then that of BER
/// without these bits, at most six in each of these bit strings: as many octets or fewer.
fn has_zero_bits(fixture: &dyn Fixture, row: &Json) -> bool {
    let (vector, value) = (hex(row["der"].as_str().unwrap()), row["value"].to_string());
    fixture.codecs().iter().any(|codec| {
        let encoded = codec.encode(&value).unwrap();
        assert_eq!(codec.recode(&vector).as_ref(), Ok(&encoded), "{}: {}", row["id"], codec.name());
        let differing = vector.iter().zip(&encoded).filter(|(a, b)| a != b).count();
        assert!(encoded.len() <= vector.len() && (encoded.len() < vector.len() || differing <= 4));
        encoded != vector
    })
}

#[test]
fn cam_vectors_both_ways() {
    all().iter().for_each(|one| one.each("cam-1.4.1.jsonl", both_ways));
}

#[test]
fn denm_vectors_both_ways() {
    all().iter().for_each(|one| one.each("denm-1.3.1.jsonl", both_ways));
}

/// The rules of the vectors that exist only for UPER.
fn uper() -> Fixtures {
    Fixtures { rules: Rules::Uper, fixtures: fixtures::<Uper>() }
}

/// Octets of a later version decode to the part known to this version, and are unchanged when
/// encoded again.
#[test]
fn forward_compatibility_vectors() {
    uper().each("forward-compat.jsonl", |_, fixture, row| {
        let (id, octets) = (row["id"].as_str().unwrap(), hex(row["uper"].as_str().unwrap()));
        for codec in fixture.codecs() {
            let text = codec.decode(&octets).unwrap_or_else(|error| panic!("{id}: {}: {error}", codec.name()));
            let decoded: Json = serde_json::from_str(&text).unwrap();
            assert_eq!(without_unknown(decoded), row["value"], "{id}: {} decodes", codec.name());
            assert_eq!(codec.recode(&octets).as_deref(), Ok(&octets[..]), "{id}: {} keeps additions", codec.name());
        }
    });
}

/// Removes roadwire's own member for unknown additions.
fn without_unknown(value: Json) -> Json {
    match value {
        Json::Object(members) => Json::Object(
            members
                .into_iter()
                .filter(|(name, _)| !name.starts_with("..."))
                .map(|(name, v)| (name, without_unknown(v)))
                .collect(),
        ),
        Json::Array(elements) => Json::Array(elements.into_iter().map(without_unknown).collect()),
        other => other,
    }
}

#[test]
fn invalid_values_are_refused_with_their_path() {
    all().iter().for_each(|one| one.each("invalid-values.jsonl", refused));
}

fn refused(rules: Rules, fixture: &dyn Fixture, row: &Json) {
    let (id, reason) = (row["id"].as_str().unwrap(), row["reason"].as_str().unwrap());
    let steps: Vec<&str> = row["path"].as_str().unwrap().split('/').collect();
    let field = steps.iter().rev().find(|step| step.parse::<u32>().is_err()).unwrap();
    // A fixed-size bit string in JER is its octets, so one zero bit too many cannot be written down
    // there, and these bit strings have named bits: trailing zero bits carry no meaning (X.680
    // §22.7), and an encoder takes off what the size does not allow (X.691 §16.2). asn1tools, which
    // refuses them, is wrong. A one bit too many is refused.
    if let (Some(bits), true) = (bits_too_many(reason), codecs_accept(fixture, &row["value"])) {
        let with_bits = fixture.encode_with_bits(&row["value"].to_string(), &steps).unwrap();
        let plain = fixture.codecs()[0].encode(&row["value"].to_string());
        assert_eq!(with_bits(bits, false), plain, "{id}");
        let error = with_bits(bits, true).expect_err(id);
        assert!(error.contains(field) && error.contains(&format!("size {bits}")), "{id}: {error}");
        return;
    }
    for codec in fixture.codecs() {
        let error =
            codec.encode(&row["value"].to_string()).expect_err(&format!("{id}: {rules}: {}: {row}", codec.name()));
        assert!(error.contains(field), "{id}: {}: `{error}` does not name {field}", codec.name());
    }
}

fn bits_too_many(reason: &str) -> Option<usize> {
    reason.strip_prefix("BIT STRING too long (")?.strip_suffix(')')?.parse().ok()
}

fn codecs_accept(fixture: &dyn Fixture, value: &Json) -> bool {
    fixture.codecs().iter().all(|codec| codec.encode(&value.to_string()).is_ok())
}

#[test]
fn truncated_and_flipped_octets_give_an_error_or_a_value() {
    uper().each("truncated.jsonl", |_, fixture, row| {
        let (id, octets) = (row["id"].as_str().unwrap(), hex(row["uper"].as_str().unwrap()));
        let results: Vec<_> = fixture.codecs().iter().map(|codec| codec.decode(&octets)).collect();
        assert!(results.windows(2).all(|pair| pair[0] == pair[1]), "{id}: codecs disagree: {results:?}");
        if id.ends_with("-trunc") {
            assert!(results[0].is_err(), "{id}: a message cut short was accepted");
        }
    });
}
