//! The published modules, where the folder with them is beside the project.

use std::path::PathBuf;

use roadwire_asn1::{Source, compile};
use roadwire_model::{Kind, Model};

fn folder() -> Option<PathBuf> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/modules");
    if path.is_dir() {
        return Some(path);
    }
    println!("skipped: {} is not there", path.display());
    None
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
fn study_modules_in_one_piece_are_taken() {
    for name in ["dot2-original-full.asn", "dot2-p-full.asn", "hammi-listing1.asn"] {
        taken(&[&format!("study/{name}")]);
    }
}
