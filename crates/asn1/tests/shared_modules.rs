//! The published modules, if the folder with them is next to the project.

#[path = "../../source/tests/support/shared.rs"]
mod shared;

use std::path::PathBuf;

use roadwire_asn1::{Source, compile};
use roadwire_model::{Kind, Model};

fn folder() -> Option<PathBuf> {
    shared::shared("modules")
}

fn source(folder: &std::path::Path, name: &str) -> Source {
    Source::new(name, std::fs::read(folder.join(name)).unwrap())
}

fn taken(names: &[&str]) -> Option<Model> {
    let folder = folder()?;
    let sources: Vec<Source> = names.iter().map(|n| source(&folder, n)).collect();
    match compile(&sources) {
        Ok(compiled) => {
            assert!(compiled.warnings.is_empty(), "{}", compiled.warnings);
            Some(compiled.model)
        }
        Err(diagnostics) => panic!("{diagnostics}"),
    }
}

#[test]
fn cam_and_denm_are_taken_in_any_order() {
    let Some(model) = taken(&["EN302637-3v131-DENM.asn", "TS102894-2v131-CDD.asn", "EN302637-2v141-CAM.asn"]) else {
        return;
    };
    let cam = model.find("CAM-PDU-Descriptions.CAM").unwrap();
    assert!(matches!(&model.get(cam).kind, Kind::Sequence { components, .. } if components.len() == 2));
    assert!(model.find("DENM").is_some());
}

#[test]
fn ieee_1609_dot_2_and_ts_103_097_are_taken() {
    let Some(model) = taken(&["TS103097v131.asn", "IEEE1609dot2.asn", "IEEE1609dot2BaseTypes.asn"]) else {
        return;
    };
    assert!(model.find("EtsiTs103097Data-SignedExternalPayload").is_some());
}

#[test]
fn parameterised_types_of_ts_103_097_can_be_used() {
    let Some(folder) = folder() else {
        return;
    };
    let user = "User DEFINITIONS AUTOMATIC TAGS ::= BEGIN
        IMPORTS EtsiTs103097Data-Signed{}, EtsiTs103097Data-SignedAndEncrypted{} FROM EtsiTs103097Module;
        A ::= EtsiTs103097Data-Signed{Content}
        B ::= SEQUENCE { b EtsiTs103097Data-SignedAndEncrypted{INTEGER (0..7)} }
        Content ::= SEQUENCE { x NULL }
        END";
    let mut sources = vec![Source::new("user.asn", user)];
    for name in ["TS103097v131.asn", "IEEE1609dot2.asn", "IEEE1609dot2BaseTypes.asn"] {
        sources.push(source(&folder, name));
    }
    let model = compile(&sources).unwrap_or_else(|e| panic!("{e}")).model;
    // Inner subtyping is not PER-visible: the type is encoded as in IEEE 1609.2.
    let plain = model.find("IEEE1609dot2.Ieee1609Dot2Data").unwrap();
    assert_eq!(model.get(model.find("User.A").unwrap()).kind, model.get(plain).kind);
}

#[test]
fn study_templates_are_taken_with_their_switches_set() {
    let Some(folder) = folder() else {
        return;
    };
    let text = |name: &str| std::fs::read_to_string(folder.join("study").join(name)).unwrap();
    let envelope = text("etsi-envelope.asn");
    for (message_type, name) in [("OPTIONAL", "OCTET STRING (SIZE (0..32))"), ("", "UTF8String")] {
        let set = envelope.replace("@MSGTYPE@", message_type).replace("@NAME@", name);
        compile(&[Source::new("etsi-envelope.asn", set)]).unwrap_or_else(|e| panic!("{e}"));
    }
    let common = text("dot2-common.inc");
    for (name, spacer) in [("dot2-original.asn", ""), ("dot2-p.asn", "spacer INTEGER (0..255),")] {
        let whole = format!("{}{}END\n", text(name), common.replace("@ESP@", spacer));
        compile(&[Source::new(name, whole)]).unwrap_or_else(|e| panic!("{e}"));
    }
}

#[test]
fn study_modules_in_one_piece_are_taken() {
    for name in ["dot2-original-full.asn", "dot2-p-full.asn", "hammi-listing1.asn"] {
        taken(&[&format!("study/{name}")]);
    }
}
