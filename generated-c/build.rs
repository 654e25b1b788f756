//! Generates the Rust codecs of a CAM and a DENM, from the schemas of `crates/messages` as these
//! have them.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

use roadwire_layout::Rules;

const SCHEMAS: [&str; 2] = ["cam-1.4.1", "denm-1.3.1"];
const RULES: [Rules; 4] = [Rules::Uper, Rules::Oer, Rules::Der, Rules::Protobuf];
const FOLDER: &str = "../crates/messages/schemas";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed={FOLDER}");
    let target = PathBuf::from(env::var_os("OUT_DIR").ok_or("no OUT_DIR")?);
    let mut chosen = roadwire_schemas::read(Path::new(FOLDER))?;
    let (schemas, rules) = match env::var_os("CARGO_FEATURE_ALL") {
        Some(_) => (&SCHEMAS[..], &RULES[..]),
        None => (&SCHEMAS[..1], &RULES[..1]),
    };
    chosen.retain(|schema| schemas.contains(&schema.name.as_str()));
    for schema in &mut chosen {
        schema.rules = rules.to_vec();
    }
    roadwire_schemas::write(&chosen, &target, |feature| feature.parse().map_or(true, |of: Rules| rules.contains(&of)))?;
    // The macro of all messages is not wanted.
    fs::remove_file(target.join("schemas.rs"))?;
    Ok(())
}
