//! Generates the types and codecs of the studies' messages, from the schemas of `crates/messages`
//! and `crates/papers`, as these have them; and prints the types of rasn and prost, as
//! `crates/peers` does. In a folder `c` it generates the same codecs in C.

#[allow(dead_code, reason = "not all types of peers are here")]
#[path = "../../crates/peers/build/types.rs"]
mod types;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

use roadwire_codegen::{C_RUNTIME, generate_c};
use roadwire_layout::Rules;
use roadwire_schemas::Schema;

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

/// Types as `messages.txt` names them, each with its schema, its name there, and the rules of its
/// messages.
const IN_C: [(&str, &str, &str, &[Rules]); 8] = [
    ("cam", "cam-1.3.0", "CAM", &[Rules::Uper, Rules::Protobuf, Rules::ExiDefault, Rules::Der]),
    ("denm", "denm-1.3.1", "DENM", &[Rules::Uper, Rules::Protobuf, Rules::ExiDefault, Rules::Der]),
    ("envelope-2014", "etsi-envelope-2015", "SecuredMessage2014", &[Rules::Uper, Rules::Protobuf, Rules::ExiDefault]),
    ("envelope-2015", "etsi-envelope-2015", "SecuredMessage", &[Rules::Uper, Rules::Protobuf, Rules::ExiDefault]),
    ("envelope-binary", "ts103097-1.1.1", "SecuredMessage", &[Rules::Tls]),
    ("dot2-original", "dot2-original-2015", "SecuredData", &[Rules::Uper, Rules::Oer]),
    ("dot2-p", "dot2-p-2015", "SecuredData", &[Rules::Uper]),
    ("dot2-binary", "ieee1609dot2-2013", "SecuredData", &[Rules::Tls]),
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
        for schema in &chosen {
            write_c(schema, &target.join("c"))?;
        }
    }
    for (peer, schema) in PEERS {
        let file = format!("{peer}_{}.rs", schema.replace(['-', '.'], "_"));
        fs::write(target.join(file), types::print(peer, schema)?)?;
    }
    println!("cargo::rerun-if-changed=../../crates/peers/build");
    Ok(())
}

/// The C of a schema's messages: a folder for each type, with `message.h` that lists its codecs.
/// All decoders have an arena there, whether they take memory or not.
fn write_c(schema: &Schema, folder: &Path) -> Result<(), Box<dyn Error>> {
    let (model, roots) = schema.compile()?;
    for (name, _, pdu, rules) in IN_C.iter().filter(|(_, of, ..)| *of == schema.name) {
        let at = schema.pdus.iter().position(|one| one.rsplit('.').next() == Some(pdu)).ok_or("no such type")?;
        let root = roots[at];
        let generated = generate_c(&model, &[root], rules, ("generated", "c"))?;
        let message = generated.messages.first().ok_or("no message")?;
        let type_name = &message.name;
        let (mut about, mut codecs) =
            (format!("#include \"generated.h\"\n#define MESSAGE {type_name}\n"), String::new());
        for one in *rules {
            let function = one.name().replace('-', "_");
            let [suffix, argument, unused] =
                if message.takes_memory(*one) { ["_in", "arena, ", ""] } else { ["", "", "(void)arena; "] };
            about += &format!(
                "static inline ptrdiff_t decode_{function}(MESSAGE *value, const uint8_t *in, size_t size, rw_arena *arena, rw_error *error)\n\
                 {{\n    {unused}return {type_name}_decode_{function}{suffix}(value, in, size, {argument}error);\n}}\n"
            );
            codecs += &format!(" ONE(\"{one}\", {type_name}_encode_{function}, decode_{function})");
        }
        about += &format!("#define EACH_CODEC(ONE){codecs}\n");
        let of_type = folder.join(name);
        fs::create_dir_all(&of_type)?;
        let files = [("generated.h", &generated.header), ("generated.c", &generated.source), ("message.h", &about)];
        for (file, text) in files {
            fs::write(of_type.join(file), text)?;
        }
        fs::write(of_type.join("roadwire_rt.h"), C_RUNTIME)?;
    }
    Ok(())
}
