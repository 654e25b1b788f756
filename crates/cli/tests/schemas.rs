//! The shipped schemas are equivalent to the published modules: their layouts are equal.

#[path = "../../source/tests/support/shared.rs"]
mod shared;

use roadwire_frontend::{Source, compile};
use roadwire_layout::{Layout, Rules, lower};
use roadwire_messages::{SCHEMAS, Schema};
use roadwire_model::Model;

/// The published modules, if present. They are test input and not part of the project.
fn published(file: &str) -> Option<Source> {
    let path = shared::shared(&format!("modules/{file}"))?;
    Some(Source::new(file, std::fs::read(path).expect("a file that can be read")))
}

fn model(sources: &[Source]) -> Model {
    compile(sources).unwrap_or_else(|found| panic!("{}", found.render())).model
}

/// A type's layouts under all rules under which it has one.
fn layouts(model: &Model, name: &str) -> Vec<Layout> {
    let id = model.find(name).unwrap_or_else(|| panic!("no type {name}"));
    let works = Rules::ALL.into_iter().filter(|rules| rules.is_for_asn1());
    works.map(|rules| lower(model, id, rules).unwrap_or_else(|error| panic!("{name}: {error}"))).collect()
}

fn shipped(name: &str) -> (Vec<Source>, &'static str) {
    let schema = SCHEMAS.iter().find(|schema| schema.name == name).expect("a shipped schema");
    (sources(schema), schema.pdu())
}

fn sources(schema: &Schema) -> Vec<Source> {
    schema.modules.iter().map(|(file, text)| Source::new(*file, *text)).collect()
}

#[track_caller]
fn equal(name: &str, message: &str, change: impl Fn(String) -> String) {
    let (Some(message), Some(container)) = (published(message), published("TS102894-2v131-CDD.asn")) else { return };
    let container = Source::new(container.name, change(String::from_utf8(container.bytes).expect("UTF-8")));
    let (sources, pdu) = shipped(name);
    let (shipped, published) = (model(&sources), model(&[message, container]));
    assert!(layouts(&shipped, pdu) == layouts(&published, pdu), "the layout of {name} differs");
}

#[test]
fn the_deployed_versions_equal_the_published_modules() {
    equal("cam-1.4.1", "EN302637-2v141-CAM.asn", |text| text);
    equal("denm-1.3.1", "EN302637-3v131-DENM.asn", |text| text);
}

#[test]
fn the_studied_versions_differ_only_in_the_curvature() {
    equal("denm-1.2.0", "EN302637-3v131-DENM.asn", |text| text);
    equal("cam-1.3.0", "EN302637-2v141-CAM.asn", |text| {
        let changed = text.replace("unavailable(1023)} (-1023..1023)", "unavailable(30001)} (-30000..30001)");
        assert_ne!(changed, text);
        changed
    });
}

/// Instances of the parameterised types of TS 103 097, with arbitrary data.
const INSTANCES: &str = "Instances DEFINITIONS AUTOMATIC TAGS ::= BEGIN
    IMPORTS EtsiTs103097Data-Signed{}, EtsiTs103097Data-Encrypted{}, EtsiTs103097Data-SignedAndEncrypted{} FROM EtsiTs103097Module;
    Content ::= SEQUENCE { one INTEGER, other BOOLEAN }
    Signed ::= EtsiTs103097Data-Signed {Content}
    Encrypted ::= EtsiTs103097Data-Encrypted {Content}
    Both ::= EtsiTs103097Data-SignedAndEncrypted {Content}
    END";

#[test]
fn every_type_of_1609_2_and_ts_103_097_equals_the_published_one() {
    let files = ["IEEE1609dot2.asn", "IEEE1609dot2BaseTypes.asn", "TS103097v131.asn"];
    let Some(mut published) = files.into_iter().map(published).collect::<Option<Vec<_>>>() else { return };
    let (mut sources, _) = shipped("ts103097-1.3.1");
    [&mut published, &mut sources].into_iter().for_each(|set| set.push(Source::new("instances.asn", INSTANCES)));
    let (shipped, published) = (model(&sources), model(&published));
    let names = |model: &Model| model.definitions.keys().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(names(&shipped), names(&published));
    for name in names(&published) {
        assert!(layouts(&shipped, &name) == layouts(&published, &name), "the layout of {name} differs");
    }
}

#[test]
fn layouts_of_different_versions_are_told_apart() {
    let [old, new] = ["cam-1.3.0", "cam-1.4.1"].map(|name| {
        let (sources, pdu) = shipped(name);
        layouts(&model(&sources), pdu)
    });
    assert!(old.iter().zip(&new).all(|(old, new)| old != new));
}

/// A constraint takes additions away (X.680 §50.8), as in the published modules.
const DROPPED: [(&str, usize); 6] =
    [("cam-2.3.1", 1), ("denm-2.2.1", 2), ("denm-2.3.1", 2), ("cpm-2.1.1", 2), ("vam-2.2.1", 1), ("vam-2.3.1", 1)];

#[test]
fn schemas_have_no_warnings_but_those_of_the_published_modules() {
    #[cfg(feature = "lab")]
    let papers = roadwire_papers::SCHEMAS;
    #[cfg(not(feature = "lab"))]
    let papers = &[];
    let mut dropped = Vec::new();
    for schema in SCHEMAS.iter().chain(papers) {
        let compiled = compile(&sources(schema)).unwrap_or_else(|found| panic!("{}", found.render()));
        let others = compiled.warnings.iter().filter(|one| one.code != "asn1.extension.dropped");
        assert_eq!(others.map(ToString::to_string).collect::<Vec<_>>(), [""; 0], "{}", schema.name);
        if !compiled.warnings.is_empty() {
            dropped.push((schema.name, compiled.warnings.len()));
        }
    }
    assert_eq!(dropped, DROPPED);
}
