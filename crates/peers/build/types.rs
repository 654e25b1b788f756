//! Types of other implementations, printed from roadwire's model: by the build script for the
//! compiler, and by the example `types` for a reader.

mod prost;
mod rasn;
mod synta;

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use roadwire_frontend::Source;
use roadwire_layout::Choices;
use roadwire_model::{Model, TypeId};
use roadwire_schemas::Schema;

/// The folders of schemas, each with a list. (`processors` also has these types.)
pub(crate) fn folders() -> [PathBuf; 2] {
    let above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let crates = above.map(|folder| folder.join("crates")).find(|folder| folder.is_dir()).unwrap_or_default();
    ["messages/schemas", "papers/schemas"].map(|folder| crates.join(folder))
}

/// The types that `peer` (rasn, prost, synta) has for the first message of a schema.
pub(crate) fn print(peer: &str, schema: &str) -> Result<String, Box<dyn Error>> {
    let of_model = |types: fn(&Model, TypeId) -> Result<String, String>| {
        let (model, root, _) = model(schema)?;
        Ok(types(&model, root)?)
    };
    match peer {
        "rasn" => of_model(rasn::types),
        "prost" => Ok(prost::types(&proto(schema)?)),
        "synta" => of_model(synta::types),
        other => Err(format!("no types are printed for {other}: rasn, prost or synta?").into()),
    }
}

/// `wanted`, or with a number after it if a type already has this name.
fn free_name(wanted: &str, names: &BTreeMap<TypeId, String>) -> String {
    let distinct = |count: u32| if count == 1 { wanted.to_owned() } else { format!("{wanted}{count}") };
    let is_free = |name: &String| names.values().all(|taken| taken != name);
    (1..).map(distinct).find(is_free).unwrap_or_default()
}

/// A message as a schema of Protocol Buffers for libraries that do not show whether a required
/// field was present: header and body, which a receiver must check, are its first two fields.
pub(crate) fn proto(schema: &str) -> Result<String, Box<dyn Error>> {
    let (model, root, _) = model(schema)?;
    Ok(roadwire_layout::proto_schema(&model, root, Choices::OneOf)?.replacen("required", "optional", 2))
}

/// The model of a schema, its first message, and its entry in the list.
pub(crate) fn model(name: &str) -> Result<(Model, TypeId, Schema), Box<dyn Error>> {
    for folder in folders() {
        let schemas = roadwire_schemas::read(&folder)?;
        let Some(schema) = schemas.iter().find(|schema| schema.name == name) else { continue };
        let source = |file: &PathBuf| Ok(Source::new(file.display().to_string(), fs::read(file)?));
        let sources = schema.files.iter().map(source).collect::<Result<Vec<_>, std::io::Error>>()?;
        let model = roadwire_frontend::compile(&sources).map_err(|errors| errors.render())?.model;
        let root = model.find(&schema.pdus[0]).ok_or("no such type")?;
        return Ok((model, root, schema.clone()));
    }
    Err(format!("there is no schema {name}: `roadwire list schemas`").into())
}
