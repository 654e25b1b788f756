//! IEEE 1609.2 and TS 103 097 under the octet encoding rules, by the published modules: vectors on
//! which independent implementations agree, and certificates and a trust list that are in use. All
//! of these are recorded material outside the project; without it the tests are skipped.

mod common;

use std::fs;

use common::shared::shared;
use common::{hex, rows};
use roadwire_asn1::{Source, compile};
use roadwire_layout::{Layout, Rules, lower};
use roadwire_model::{Model, TypeId, Value};
use roadwire_notation::Notation;
use serde_json::Value as Json;

struct Subject {
    model: Model,
    root: TypeId,
    layout: Layout,
}

impl Subject {
    fn new(name: &str, rules: Rules) -> Option<Self> {
        let folder = shared("modules")?;
        let files = ["TS103097v131.asn", "IEEE1609dot2.asn", "IEEE1609dot2BaseTypes.asn"];
        let sources = files.map(|file| Source::new(file, fs::read(folder.join(file)).unwrap()));
        let model = compile(&sources).unwrap_or_else(|errors| panic!("{}", errors.render())).model;
        let root = model.find(name).unwrap();
        let layout = lower(&model, root, rules).unwrap();
        Some(Subject { model, root, layout })
    }

    fn decode(&self, octets: &[u8]) -> Result<Value, String> {
        let mut value = Value::Unset;
        let bits = roadwire_engine::decode(&self.layout, octets, &mut value).map_err(|error| error.to_string())?;
        if bits == octets.len() * 8 { Ok(value) } else { Err(format!("{bits} bits of {} octets", octets.len())) }
    }

    fn encode(&self, value: &Value) -> Result<Vec<u8>, String> {
        roadwire_engine::encode_to_vec(&self.layout, value, 1 << 20).map_err(|error| error.to_string())
    }

    fn both_ways(&self, rules: Rules, row: &Json) {
        let (id, text) = (row["id"].as_str().unwrap(), row["value"].to_string());
        let wanted = hex(row[rules.name()].as_str().unwrap());
        let decoded = self.decode(&wanted).unwrap_or_else(|error| panic!("{id}: {error}"));
        assert_eq!(self.encode(&decoded).as_deref(), Ok(&wanted[..]), "{id} again in {rules}");
        // With additions, these are of a later version than our module, which can only keep them.
        if row["category"] == "ext" {
            return;
        }
        let value =
            Notation::new(&self.model, self.root).unwrap().read(&text).unwrap_or_else(|error| panic!("{id}: {error}"));
        assert_eq!(self.encode(&value).as_deref(), Ok(&wanted[..]), "{id} in {rules}");
        let decoded = Notation::new(&self.model, self.root).unwrap().write(&decoded).unwrap();
        assert_eq!(serde_json::from_str::<Json>(&decoded).unwrap(), row["value"], "{id} from {rules}");
    }
}

fn vectors(file: &str, root: &str) {
    let Some(rows) = rows(file) else { return };
    for rules in [Rules::Oer, Rules::Coer] {
        let Some(subject) = Subject::new(root, rules) else { return };
        let known: Vec<&Json> = rows.iter().filter(|row| row[rules.name()].is_string()).collect();
        known.iter().for_each(|row| subject.both_ways(rules, row));
        let whole = known.iter().filter(|row| row["category"] != "ext").count();
        assert!(whole >= 40, "{file}: {whole} of {} in {rules}", known.len());
    }
}

#[test]
fn certificate_vectors_both_ways() {
    vectors("certificate-ts103097-1.3.1.jsonl", "EtsiTs103097Certificate");
}

#[test]
fn secured_message_vectors_both_ways() {
    vectors("ieee1609dot2data-ts103097-1.3.1.jsonl", "Ieee1609Dot2Data");
}

#[test]
fn certificates_in_use_come_out_as_they_went_in() {
    let Some(folder) = shared("captures/certificates/bc-java") else { return };
    let Some(subject) = Subject::new("EtsiTs103097Certificate", Rules::Coer) else { return };
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut count = 0;
    for file in files.filter(|file| file.extension().is_some_and(|extension| extension == "oer")) {
        recode(&subject, &file);
        count += 1;
    }
    assert_eq!(count, 58);
}

#[test]
fn a_trust_list_and_its_certificate_come_out_as_they_went_in() {
    for (file, root) in
        [("CE4CF6C19BFED720.oer", "Ieee1609Dot2Data"), ("E7A4B2B045E7ACF9.oer", "EtsiTs103097Certificate")]
    {
        let Some(file) = shared(&format!("captures/certificates/rasn/{file}")) else { return };
        let Some(subject) = Subject::new(root, Rules::Coer) else { return };
        recode(&subject, &file);
    }
}

/// A hundred and fifty nested lists in place of a trust list are refused: the depth has a limit.
#[test]
fn nested_beyond_the_limit_is_an_error() {
    let Some(file) = shared("captures/certificates/rasn/CE4CF6C19BFED720_with_recursion_depth150.oer") else { return };
    let Some(subject) = Subject::new("Ieee1609Dot2Data", Rules::Coer) else { return };
    let error = subject.decode(&fs::read(file).unwrap()).unwrap_err();
    assert!(error.contains("nested deeper"), "{error}");
}

fn recode(subject: &Subject, file: &std::path::Path) {
    let octets = fs::read(file).unwrap();
    let value = subject.decode(&octets).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    assert_eq!(subject.encode(&value).as_deref(), Ok(&octets[..]), "{}", file.display());
}
