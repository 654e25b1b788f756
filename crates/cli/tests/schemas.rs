//! The shipped schemas say what the published modules say: their layouts are equal.

use std::path::PathBuf;

use roadwire_asn1::{Source, compile};
use roadwire_layout::{Layout, Rules, lower};
use roadwire_messages::SCHEMAS;

/// The published modules, where they are there. They are test input and not part of the project.
fn published(file: &str) -> Option<Source> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/modules").join(file);
    let bytes = std::fs::read(&path).ok();
    if bytes.is_none() {
        println!("skipped: no published module {file}");
    }
    Some(Source::new(file, bytes?))
}

fn layout(sources: &[Source], pdu: &str) -> Layout {
    let model = compile(sources).unwrap_or_else(|found| panic!("{}", found.render())).model;
    let id = model.find(pdu).expect("the PDU");
    lower(&model, id, Rules::Uper).expect("a layout")
}

fn shipped(name: &str) -> (Vec<Source>, &'static str) {
    let schema = SCHEMAS.iter().find(|schema| schema.name == name).expect("a shipped schema");
    (schema.modules.iter().map(|(file, text)| Source::new(*file, *text)).collect(), schema.pdu)
}

#[track_caller]
fn equal(name: &str, message: &str, change: impl Fn(String) -> String) {
    let (Some(message), Some(container)) = (published(message), published("TS102894-2v131-CDD.asn")) else { return };
    let container = Source::new(container.name, change(String::from_utf8(container.bytes).expect("UTF-8")));
    let (sources, pdu) = shipped(name);
    assert!(layout(&sources, pdu) == layout(&[message, container], pdu), "the layout of {name} differs");
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

#[test]
fn layouts_of_different_versions_are_told_apart() {
    let [old, new] = ["cam-1.3.0", "cam-1.4.1"].map(|name| {
        let (sources, pdu) = shipped(name);
        layout(&sources, pdu)
    });
    assert!(old != new);
}

#[test]
fn every_schema_compiles_without_a_warning() {
    for schema in SCHEMAS {
        let (sources, _) = shipped(schema.name);
        let compiled = compile(&sources).unwrap_or_else(|found| panic!("{}", found.render()));
        assert!(compiled.warnings.is_empty(), "{}", compiled.warnings.render());
    }
}
