//! Generates the types of a CAM, and its codec under the rules given by a feature.

use std::error::Error;
use std::path::Path;
use std::{env, fs};

use roadwire_asn1::Source;
use roadwire_layout::Rules;

fn main() -> Result<(), Box<dyn Error>> {
    let file = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("../../crates/messages/schemas/etsi/cam-1.4.1.asn");
    println!("cargo::rerun-if-changed={}", file.display());
    let source = Source::new(file.display().to_string(), fs::read(&file)?);
    let compiled = roadwire_asn1::compile(&[source]).map_err(|diagnostics| diagnostics.render())?;
    let root = compiled.model.find("CAM-PDU-Descriptions.CAM").ok_or("no CAM")?;
    let is_on = |rules: &Rules| env::var_os(format!("CARGO_FEATURE_{}", rules.name().to_uppercase())).is_some();
    let rules = Rules::ALL.into_iter().find(is_on).ok_or("no rules: ask for a feature such as uper")?;
    let code = roadwire_codegen::generate(&compiled.model, &[root], &[rules], Default::default())?.source;
    let code = format!("{code}\n/// The rules.\npub use roadwire_layout::{rules:?} as Rules;\n");
    fs::write(Path::new(&env::var("OUT_DIR")?).join("cam.rs"), code)?;
    Ok(())
}
