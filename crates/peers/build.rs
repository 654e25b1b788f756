//! Records the versions of the implementations that are linked; and runs quick-protobuf's generator to write that library's types.

use std::env;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use pb_rs::ConfigBuilder;
use pb_rs::types::FileDescriptor;
use roadwire_frontend::Source;

fn main() -> Result<(), Box<dyn Error>> {
    quick_protobuf("cam", "etsi/cam-1.4.1.asn", "CAM-PDU-Descriptions.CAM")?;
    quick_protobuf("denm", "etsi/denm-1.3.1.asn", "DENM-PDU-Descriptions.DENM")?;
    note_versions();
    Ok(())
}

/// Writes NAME.rs from the schema that `roadwire schema --to proto` prints for the module.
fn quick_protobuf(name: &str, module: &str, pdu: &str) -> Result<(), Box<dyn Error>> {
    let file = Path::new("../messages/schemas").join(module);
    println!("cargo::rerun-if-changed={}", file.display());
    let source = Source::new(module, fs::read_to_string(&file)?);
    let model = roadwire_frontend::compile(&[source]).map_err(|errors| errors.render())?.model;
    let schema =
        roadwire_layout::proto_schema(&model, model.find(pdu).ok_or("no such type")?, roadwire_layout::Choices::OneOf)?;
    // Its types do not show whether a required field was present. Header and body, which a receiver must check, are the first two.
    let schema = schema.replacen("required", "optional", 2);
    let folder = PathBuf::from(env::var_os("OUT_DIR").ok_or("no OUT_DIR")?);
    let (proto, rust) = (folder.join(name).with_extension("proto"), folder.join(name).with_extension("rs"));
    fs::write(&proto, schema)?;
    let settings = ConfigBuilder::new(&[proto], Some(&rust), None, &[folder])?.single_module(true).headers(false);
    Ok(FileDescriptor::run(&settings.build())?)
}

fn note_versions() {
    // The exact version that is linked is in the lock file.
    let lock = "../../Cargo.lock";
    println!("cargo::rerun-if-changed={lock}");
    println!("cargo::rerun-if-changed=build.rs");
    let text = fs::read_to_string(lock).unwrap_or_default();
    let version = |name: &str| {
        let package = text.split_once(&format!("name = \"{name}\"\nversion = \""))?.1;
        Some(package.split_once('"')?.0.to_string())
    };
    println!("cargo::rustc-env=PEERS_RASN={}", version("rasn").unwrap_or_else(|| "0.30".into()));
    println!("cargo::rustc-env=PEERS_PROST={}", version("prost").unwrap_or_else(|| "0.14".into()));
    println!("cargo::rustc-env=PEERS_MINICBOR={}", version("minicbor").unwrap_or_else(|| "2".into()));
    println!("cargo::rustc-env=PEERS_QUICK_PROTOBUF={}", version("quick-protobuf").unwrap_or_else(|| "0.8".into()));
}
