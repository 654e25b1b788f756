//! Values of real messages, through the ASN.1 front end and JER. The vectors are next to the
//! workspace; without them the tests report this and pass.

#[path = "../../source/tests/support/shared.rs"]
mod shared;

use std::path::PathBuf;

use roadwire_asn1::Source;
use roadwire_model::random::{Generator, Rng, Settings};
use roadwire_model::{Model, TypeId, Value, check};
use roadwire_notation::Notation;

fn workspace() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn lines(name: &str) -> Option<Vec<serde_json::Value>> {
    let text = shared::shared_text(&format!("vectors/{name}"))?;
    Some(text.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

fn compile(files: &[PathBuf]) -> Model {
    let source = |file: &PathBuf| Source::new(file.to_string_lossy(), std::fs::read(file).unwrap());
    let sources: Vec<Source> = files.iter().map(source).collect();
    roadwire_asn1::compile(&sources).unwrap_or_else(|errors| panic!("{}", errors.render())).model
}

fn shipped(name: &str, of: &str) -> (Model, TypeId) {
    let model = compile(&[workspace().join("crates/messages/schemas/etsi").join(name)]);
    let id = model.find(of).unwrap();
    (model, id)
}

/// Only called if there are vectors of it.
fn security(of: &str) -> (Model, TypeId) {
    let modules = shared::shared("modules").expect("the vectors are there");
    let model =
        compile(&["IEEE1609dot2BaseTypes.asn", "IEEE1609dot2.asn", "TS103097v131.asn"].map(|name| modules.join(name)));
    let id = model.find(of).unwrap();
    (model, id)
}

/// Reads every value, writes it, and compares the two texts as JSON.
fn there_and_back(file: &str, schema: impl Fn(&str) -> (Model, TypeId)) {
    let Some(lines) = lines(file) else { return };
    let schemas = ["CAM", "DENM", "CERT"].map(|name| (name, std::cell::OnceCell::new()));
    for line in &lines {
        let name = line["type"].as_str().unwrap();
        let (_, cell) = schemas.iter().find(|(known, _)| *known == name).unwrap();
        let (model, id, notation) = cell.get_or_init(|| {
            let (model, id) = schema(name);
            let notation = Notation::new(&model, id).unwrap();
            (model, id, notation)
        });
        let text = line["value"].to_string();
        let value = notation.read(&text).unwrap_or_else(|error| panic!("{}: {error}", line["id"]));
        assert_eq!(check::value(model, *id, &value), [], "{}", line["id"]);
        for written in [notation.write(&value).unwrap(), notation.write_pretty(&value).unwrap()] {
            let written: serde_json::Value = serde_json::from_str(&written).unwrap();
            assert_eq!(written, line["value"], "{}", line["id"]);
        }
    }
    println!("{file}: {} values", lines.len());
}

fn message(name: &str) -> (Model, TypeId) {
    match name {
        "CAM" => shipped("cam-1.4.1.asn", "CAM"),
        _ => shipped("denm-1.3.1.asn", "DENM"),
    }
}

#[test]
fn messages_are_read_and_written_back() {
    there_and_back("cam-1.4.1.jsonl", message);
    there_and_back("denm-1.3.1.jsonl", message);
    there_and_back("forward-compat.jsonl", message);
}

#[test]
fn certificates_are_read_and_written_back() {
    there_and_back("certificate-ts103097-1.3.1.jsonl", |_| security("IEEE1609dot2.Certificate"));
}

/// Some vectors are of a later version of the module, with these extension additions.
const LATER: [&str; 3] = ["sha384HashedData", "reserved", "pduFunctionalType"];

#[test]
fn envelopes_are_read_and_written_back_and_what_a_later_version_adds_is_refused_by_name_when_strict() {
    let Some(lines) = lines("ieee1609dot2data-ts103097-1.3.1.jsonl") else { return };
    let (model, id) = security("IEEE1609dot2.Ieee1609Dot2Data");
    let (notation, strict) = (Notation::new(&model, id).unwrap(), Notation::strict(&model, id).unwrap());
    let mut later = 0;
    for line in &lines {
        let text = line["value"].to_string();
        match strict.read(&text) {
            Ok(value) => {
                // The implementations that made the vectors do not check WITH COMPONENTS: some
                // payloads are empty.
                assert_eq!(check::effective(&model, id, &value), [], "{}", line["id"]);
                let written = notation.write(&value).unwrap();
                assert_eq!(
                    serde_json::from_str::<serde_json::Value>(&written).unwrap(),
                    line["value"],
                    "{}",
                    line["id"]
                );
            }
            Err(error) => {
                later += 1;
                assert!(
                    LATER.iter().any(|name| error.message.contains(&format!("`{name}`"))),
                    "{}: {error}",
                    line["id"]
                );
                assert!(error.path.starts_with("content.signedData.tbsData."), "{error}");
            }
        }
    }
    println!("{} values, {later} of a later version", lines.len());
    assert!(later * 2 < lines.len());
}

#[test]
fn invalid_values_are_refused_on_reading_or_by_the_check_with_their_path() {
    let Some(lines) = lines("invalid-values.jsonl") else { return };
    let (cam, denm) = (message("CAM"), message("DENM"));
    let mut undetectable = 0;
    for line in &lines {
        let (model, id) = if line["type"] == "CAM" { &cam } else { &denm };
        let expected =
            line["path"].as_str().unwrap().split('/').fold(String::new(), |path, step| match step.parse::<u32>() {
                Ok(index) => format!("{path}[{index}]"),
                Err(_) if path.is_empty() => step.to_owned(),
                Err(_) => format!("{path}.{step}"),
            });
        let found = match Notation::new(model, *id).unwrap().read(&line["value"].to_string()) {
            Err(error) => error.path,
            Ok(value) => match &check::value(model, *id, &value)[..] {
                [violation] => violation.path.clone(),
                // The number of octets is right for the correct number of bits: in JER this is a
                // valid value.
                [] if line["reason"].as_str().unwrap().starts_with("BIT STRING too long") => {
                    undetectable += 1;
                    continue;
                }
                other => panic!("{}: {}: {other:?}", line["id"], line["reason"]),
            },
        };
        assert_eq!(found, expected, "{}: {}", line["id"], line["reason"]);
    }
    assert!(undetectable <= 4, "{undetectable}");
}

#[test]
fn random_messages_break_no_constraint_and_survive_jer() {
    for (name, of) in
        [("cam-1.3.0.asn", "CAM"), ("cam-1.4.1.asn", "CAM"), ("denm-1.2.0.asn", "DENM"), ("denm-1.3.1.asn", "DENM")]
    {
        let (model, id) = shipped(name, of);
        let generator = Generator::new(&model, Settings { unknown: 5, ..Settings::default() });
        let mut rng = Rng::new(2015);
        for _ in 0..100 {
            let value = generator.value(id, &mut rng);
            assert_eq!(check::value(&model, id, &value), [], "{name}");
            let text = Notation::new(&model, id).unwrap().write(&value).unwrap();
            assert_eq!(Notation::new(&model, id).unwrap().read(&text).unwrap(), value, "{name}: {text}");
        }
    }
}

/// Every type of the modules, from mandatory-only to full, including open types.
#[test]
fn random_values_of_every_type_survive_jer() {
    if lines("truncated.jsonl").is_none() {
        return;
    }
    let (model, _) = security("IEEE1609dot2.Certificate");
    for settings in [
        Settings { open_types: true, ..Settings::default() },
        Settings { optional: 0, extensions: 0, ..Settings::default() },
    ] {
        let generator = Generator::new(&model, Settings { budget: 200, ..settings });
        let mut rng = Rng::new(1609);
        for id in model.definitions.values() {
            for _ in 0..10 {
                let value: Value = generator.value(*id, &mut rng);
                assert_eq!(check::value(&model, *id, &value), [], "{:?}", model.get(*id).name);
                let text = Notation::new(&model, *id).unwrap().write(&value).unwrap();
                assert_eq!(Notation::new(&model, *id).unwrap().read(&text).unwrap(), value, "{text}");
            }
        }
    }
}
