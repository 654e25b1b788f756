//! Generates the types and codecs of the studies' messages, from the schemas of `crates/messages`
//! and `crates/papers`, as these have them; and prints the types of rasn and prost, as
//! `crates/peers` does.

#[allow(dead_code, reason = "not all types of peers are here")]
#[path = "../../crates/peers/build/types.rs"]
mod types;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

use roadwire_layout::Rules;

/// Schemas that are encoded under the same rules: the folder with them, their names, and the rules
/// of the studies' figures and tables.
struct Group {
    folder: &'static str,
    schemas: &'static [&'static str],
    rules: &'static [Rules],
}

const MESSAGES: &str = "../../crates/messages/schemas";
const PAPERS: &str = "../../crates/papers/schemas";
const ETSI: &[Rules] = &[Rules::Uper, Rules::Protobuf, Rules::ExiDefault, Rules::Tls];
const IEEE: &[Rules] = &[Rules::Uper, Rules::Oer, Rules::Tls];
const GROUPS: [Group; 4] = [
    Group { folder: MESSAGES, schemas: &["cam-1.3.0", "denm-1.3.1", "ts103097-1.1.1"], rules: ETSI },
    Group { folder: PAPERS, schemas: &["etsi-envelope-2015"], rules: ETSI },
    Group { folder: MESSAGES, schemas: &["ieee1609dot2-2013"], rules: IEEE },
    Group { folder: PAPERS, schemas: &["dot2-original-2015", "dot2-p-2015"], rules: IEEE },
];

/// Peers, and the schemas of which they have types.
const PEERS: [(&str, &str); 4] =
    [("rasn", "cam-1.3.0"), ("rasn", "denm-1.3.1"), ("prost", "cam-1.4.1"), ("prost", "denm-1.3.1")];

fn main() -> Result<(), Box<dyn Error>> {
    let target = PathBuf::from(env::var_os("OUT_DIR").ok_or("no OUT_DIR")?);
    for folder in [MESSAGES, PAPERS] {
        println!("cargo::rerun-if-changed={folder}");
    }
    for Group { folder, schemas, rules } in GROUPS {
        let mut chosen = roadwire_schemas::read(Path::new(folder))?;
        chosen.retain(|schema| schemas.contains(&schema.name.as_str()));
        let is_on = |feature: &str| feature.parse().map_or(true, |of: Rules| rules.contains(&of));
        roadwire_schemas::write(&chosen, &target, is_on)?;
    }
    for (peer, schema) in PEERS {
        let file = format!("{peer}_{}.rs", schema.replace(['-', '.'], "_"));
        fs::write(target.join(file), types::print(peer, schema)?)?;
    }
    println!("cargo::rerun-if-changed=../../crates/peers/build");
    Ok(())
}
