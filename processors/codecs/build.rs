//! Generates the types and codecs of the studies' messages, from the schemas of `crates/messages` and `crates/papers`, as these have them.

use std::env;
use std::error::Error;
use std::path::{Path, PathBuf};

use roadwire_layout::Rules;

/// Where schemas are, and which of them the studies encode.
const SCHEMAS: [(&str, &[&str]); 2] = [
    ("../../crates/messages/schemas", &["cam-1.3.0", "denm-1.3.1", "ts103097-1.1.1"]),
    ("../../crates/papers/schemas", &["etsi-envelope-2015"]),
];

/// The rules of the studies' figures and tables.
const RULES: [Rules; 4] = [Rules::Uper, Rules::Protobuf, Rules::ExiDefault, Rules::Tls];

fn main() -> Result<(), Box<dyn Error>> {
    let target = PathBuf::from(env::var_os("OUT_DIR").ok_or("no OUT_DIR")?);
    let mut chosen = Vec::new();
    for (folder, names) in SCHEMAS {
        println!("cargo::rerun-if-changed={folder}");
        let schemas = roadwire_schemas::read(Path::new(folder))?;
        chosen.extend(schemas.into_iter().filter(|schema| names.contains(&schema.name.as_str())));
    }
    let is_on = |feature: &str| feature.parse().map_or(true, |rules: Rules| RULES.contains(&rules));
    roadwire_schemas::write(&chosen, &target, is_on)
}
