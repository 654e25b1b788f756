//! Every published vector through generated C, both ways. The vectors are recorded material outside
//! the project; without them the tests report that they were skipped.

#[path = "../../constructs/tests/support/c99.rs"]
#[allow(dead_code, reason = "other tests use all of it")]
mod c99;
#[path = "../../source/tests/support/shared.rs"]
mod shared;
#[path = "../../constructs/tests/support/mod.rs"]
mod support;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use c99::{Message, held};
use roadwire_capture::file::Reader;
use roadwire_frontend::{Source, compile};
use roadwire_layout::{Layout, Rules, lower_without_contents};
use roadwire_model::Model;
use roadwire_notation::Notation;
use serde_json::Value as Json;

/// A file of vectors, their schema and its message.
const FILES: [(&str, &str, &str); 4] = [
    ("cam-1.4.1.jsonl", "cam-1.4.1", "CAM"),
    ("denm-1.3.1.jsonl", "denm-1.3.1", "DENM"),
    ("certificate-ts103097-1.3.1.jsonl", "ieee1609dot2-2017", "Certificate"),
    ("ieee1609dot2data-ts103097-1.3.1.jsonl", "ieee1609dot2-2017", "Ieee1609Dot2Data"),
];

fn model(name: &str) -> (Model, Vec<String>) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("messages/schemas");
    let schemas = roadwire_schemas::read(&folder).unwrap();
    let schema = schemas.iter().find(|schema| schema.name == name).unwrap();
    let sources: Vec<Source> =
        schema.files.iter().map(|file| Source::new(file.display().to_string(), fs::read(file).unwrap())).collect();
    let model = compile(&sources).unwrap_or_else(|errors| panic!("{name}: {}", errors.render())).model;
    (model, schema.pdus.clone())
}

#[track_caller]
fn rows(file: &str) -> Option<Vec<Json>> {
    let text = shared::shared_text(&format!("vectors/{file}"))?;
    Some(text.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

fn octets(row: &Json, field: &str) -> Option<Vec<u8>> {
    let text = row[field].as_str()?;
    Some((0..text.len() / 2).map(|at| u8::from_str_radix(&text[at * 2..at * 2 + 2], 16).unwrap()).collect())
}

/// The messages of a schema's PDU, and the interpreter's layout and notation for it.
struct Subject {
    model: Model,
    layout: Layout,
    notation: Notation,
    message: Message,
}

impl Subject {
    fn new(schema: &str, name: &str, rules: Rules) -> Subject {
        let (model, pdus) = model(schema);
        let pdu = pdus.iter().find(|pdu| pdu.rsplit('.').next() == Some(name)).unwrap();
        let root = model.find(pdu).unwrap();
        let message = Message::new(&model, pdu, root, rules).unwrap_or_else(|error| panic!("{pdu}: {error}"));
        let layout = lower_without_contents(&model, root, rules).unwrap();
        let notation = Notation::new(&model, root).unwrap();
        Subject { model, layout, notation, message }
    }

    /// Holds C against the interpreter for octets; returns how many each takes.
    fn held(self, (rules, name): (Rules, &str), octets: &[Vec<u8>]) -> [usize; 2] {
        let with = [self.message];
        let taken = held(&self.model, rules, name, &with, |_| octets.to_vec());
        taken.into_values().next().unwrap_or_default()
    }
}

/// C takes the octets of all vectors, and those that the interpreter writes for their values.
fn takes_all(rules: Rules) {
    for (file, schema, name) in FILES {
        let Some(rows) = rows(file) else { return };
        let subject = Subject::new(schema, name, rules);
        let of = |row: &Json| {
            let value = subject.notation.read(&row["value"].to_string());
            // With additions, these are of a later version than the module.
            assert!(value.is_ok() || row["category"] == "ext", "{}: {value:?}", row["id"]);
            let written = value.ok().map(|value| roadwire_engine::encode_to_vec(&subject.layout, &value, 1 << 17));
            [octets(row, rules.name()), written.map(|written| written.unwrap_or_else(|error| panic!("{error}")))]
        };
        let all: Vec<_> = rows.iter().flat_map(of).flatten().collect();
        let [taken, by_c] = subject.held((rules, &format!("vectors-{schema}-{name}")), &all);
        println!("{name} under {rules}: {by_c} of {taken} of {}", all.len());
        assert_eq!([taken, by_c], [all.len(); 2], "{name} under {rules}");
    }
}

/// Holds C against the interpreter for the CAMs and DENMs of a file; `check` gets how many
/// there are, how many the interpreter takes, and how many C does.
fn holds(rules: Rules, file: &str, check: impl Fn([usize; 3]) -> bool) {
    let Some(rows) = rows(file) else { return };
    for (schema, name) in [("cam-1.4.1", "CAM"), ("denm-1.3.1", "DENM")] {
        let rows = rows.iter().filter(|row| row["type"] == name);
        let all: Vec<_> = rows.filter_map(|row| octets(row, rules.name())).collect();
        let [taken, by_c] = Subject::new(schema, name, rules).held((rules, &format!("{file}-{name}")), &all);
        println!("{name} under {rules}: {by_c} of {taken} of {}", all.len());
        assert!(check([all.len(), taken, by_c]), "{name} under {rules}: {by_c} of {taken} of {}", all.len());
    }
}

/// C takes messages of a later version, and writes them again as they were.
#[test]
fn later_versions() {
    for rules in [Rules::Uper, Rules::Aper, Rules::Ber] {
        holds(rules, "forward-compat.jsonl", |[all, taken, by_c]| all == taken && all == by_c);
    }
}

/// C refuses messages that are cut short, or have another bit, where the interpreter does, for the
/// same reason.
#[test]
fn damaged() {
    holds(Rules::Uper, "truncated.jsonl", |[all, taken, by_c]| taken == by_c && taken < all);
}

/// The schema and the message of a port.
const PORTS: [(u16, &str, &str); 7] = [
    (2001, "cam-1.4.1", "CAM"),
    (2002, "denm-1.3.1", "DENM"),
    (2003, "mapem-2.1.1", "MAPEM"),
    (2004, "spatem-2.1.1", "SPATEM"),
    (2007, "srem-2.1.1", "SREM"),
    (2008, "ssem-2.1.1", "SSEM"),
    (2009, "cpm-2.1.1", "CollectivePerceptionMessage"),
];

/// C takes recorded messages and signed envelopes, and writes them again as they were.
#[test]
fn recorded() {
    let (mut messages, mut envelopes) = (BTreeMap::<u16, Vec<Vec<u8>>>::new(), Vec::new());
    for name in shared::RECORDINGS {
        let Some(path) = shared::shared(&format!("captures/{name}")) else { return };
        let mut reader = Reader::new(fs::File::open(path).unwrap());
        while let Some(frame) = reader.next_frame() {
            let frame = frame.unwrap();
            let found = frame.dissect();
            envelopes.extend(found.envelope_octets().map(<[u8]>::to_vec));
            if let (Some(btp), Some(message)) = (found.btp, found.message()) {
                messages.entry(btp.port()).or_default().push(message.to_vec());
            }
        }
    }
    let messages = PORTS.map(|(port, schema, name)| (schema, name, Rules::Uper, messages.remove(&port).unwrap()));
    let envelopes = ("ieee1609dot2-2017", "Ieee1609Dot2Data", Rules::Coer, envelopes);
    for (schema, name, rules, all) in messages.into_iter().chain([envelopes]) {
        let [taken, by_c] = Subject::new(schema, name, rules).held((rules, &format!("recorded-{name}")), &all);
        println!("{name}: {by_c} of {taken} of {}", all.len());
        assert!(taken == by_c && taken > 0, "{name}: {by_c} of {taken} of {}", all.len());
    }
}

c99::in_each_rules!(takes_all);
