//! The folder with the documents: for each one a folder with `asn1/schema.asn`, `asn1/value.json`
//! (JER) and, for some, `asn1/octets.bin` of another compiler.

use std::fs;
use std::io;
use std::path::Path;

use roadwire_frontend::{Allow, Source, compile};
use roadwire_model::{Model, TypeId};

/// The type of a document in its schema.
const ROOT: &str = "Main";

/// A document with its schema.
pub(super) struct Document {
    /// The schema.
    pub(super) model: Model,
    /// The document's type.
    pub(super) root: TypeId,
    /// Its value as JER.
    pub(super) jer: String,
    /// The octets that the authors' compiler wrote, if they exist.
    pub(super) compiled: Option<Vec<u8>>,
}

impl Document {
    /// The document with this name.
    ///
    /// # Errors
    /// The file that is missing or invalid, and why.
    pub(super) fn read(folder: &Path, name: &str) -> Result<Document, String> {
        let folder = folder.join(name).join("asn1");
        let text = |file: &str| {
            let path = folder.join(file);
            fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))
        };
        // Some modules have names with underscores.
        let source = Source::new(format!("{name}.asn"), text("schema.asn")?).allowing(&[Allow::Underscores]);
        let model = compile(&[source]).map_err(|faults| format!("{name}: {faults}"))?.model;
        let root = model.find(ROOT).ok_or_else(|| format!("{name}: its schema has no type {ROOT}"))?;
        let compiled = match fs::read(folder.join("octets.bin")) {
            Ok(octets) => Some(octets),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(format!("{name}: octets.bin: {error}")),
        };
        Ok(Document { model, root, jer: text("value.json")?, compiled })
    }
}
