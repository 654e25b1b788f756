//! Records the versions of the implementations that are linked; and writes their types: those of
//! rasn, prost and synta by printers of our own, quick-protobuf's and hampi's by their own
//! generators.

#[cfg(feature = "full")]
#[path = "build/full.rs"]
mod full;
#[path = "build/types.rs"]
mod types;

use std::env;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use pb_rs::ConfigBuilder;
use pb_rs::types::FileDescriptor;

/// The schemas of which rasn has types.
const RASN: [&str; 6] =
    ["cam-1.3.0", "cam-1.4.1", "denm-1.3.1", "certificate-2017", "dot2-original-2015", "dot2-p-2015"];
/// Those of which libraries for Protocol Buffers have types. Other versions differ in bounds, which
/// these do not know.
const PROTOBUF: [&str; 2] = ["cam-1.4.1", "denm-1.3.1"];

fn main() -> Result<(), Box<dyn Error>> {
    let target = PathBuf::from(env::var_os("OUT_DIR").ok_or("no OUT_DIR")?);
    RASN.iter().try_for_each(|schema| write(&target, "rasn", schema, types::print("rasn", schema)?))?;
    PROTOBUF.iter().try_for_each(|schema| write(&target, "prost", schema, types::print("prost", schema)?))?;
    PROTOBUF.iter().try_for_each(|schema| quick_protobuf(&target, schema))?;
    #[cfg(feature = "full")]
    full::write_all(&target)?;
    for folder in types::folders() {
        println!("cargo::rerun-if-changed={}", folder.display());
    }
    println!("cargo::rerun-if-changed=build");
    note_versions();
    Ok(())
}

/// Writes the types of a peer for a schema.
fn write(target: &Path, peer: &str, schema: &str, text: String) -> Result<(), Box<dyn Error>> {
    let file = format!("{peer}_{}.rs", schema.replace(['-', '.'], "_"));
    Ok(fs::write(target.join(file), text)?)
}

fn quick_protobuf(target: &Path, schema: &str) -> Result<(), Box<dyn Error>> {
    let name = format!("quick_protobuf_{}", schema.replace(['-', '.'], "_"));
    let (proto, rust) = (target.join(&name).with_extension("proto"), target.join(&name).with_extension("rs"));
    fs::write(&proto, types::proto(schema)?)?;
    let settings =
        ConfigBuilder::new(&[proto], Some(&rust), None, &[target.into()])?.single_module(true).headers(false);
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
    println!("cargo::rustc-env=PEERS_HAMPI={}", version("asn1-codecs").unwrap_or_else(|| "0.7".into()));
    println!("cargo::rustc-env=PEERS_SYNTA={}", version("synta").unwrap_or_else(|| "0.5".into()));
    println!("cargo::rustc-env=PEERS_PROST={}", version("prost").unwrap_or_else(|| "0.14".into()));
    println!("cargo::rustc-env=PEERS_MINICBOR={}", version("minicbor").unwrap_or_else(|| "2".into()));
    println!("cargo::rustc-env=PEERS_QUICK_PROTOBUF={}", version("quick-protobuf").unwrap_or_else(|| "0.8".into()));
}
