//! From `-s NAME` or `-m FILE...` to a model and a type.

use std::path::{Path, PathBuf};

use roadwire::{SCHEMAS, Source, UnknownSchema, UnknownType};
use roadwire_frontend::ReduceError;
use roadwire_model::{Model, QualifiedName, TypeId};

use crate::args::{Reading, SchemaChoice};
use crate::diagnostics;
use crate::failure::Failure;
use crate::input;

/// A schema, as selected on the command line.
pub(crate) struct Schema {
    pub(crate) schema: roadwire::Schema,
}

impl Schema {
    /// Loads the schema selected on the command line.
    ///
    /// # Errors
    /// An unknown schema name, a file that cannot be read, or modules with errors, which are
    /// reported.
    pub(crate) fn load(choice: &SchemaChoice, json: bool) -> Result<Self, Failure> {
        match &choice.schema {
            Some(name) => Schema::of_name(name),
            None => Schema::from_files(&choice.modules, &choice.reading, json),
        }
    }

    /// A schema that has a name.
    pub(crate) fn of_name(name: &str) -> Result<Self, Failure> {
        let entry = named().find(|entry| entry.name == name).ok_or_else(|| unknown(name))?;
        // Cannot fail: tests compile all of them.
        Ok(Schema { schema: roadwire::Schema::listed(entry).map_err(|_| unknown(name))? })
    }

    /// The user's own modules.
    pub(crate) fn from_files(files: &[PathBuf], reading: &Reading, json: bool) -> Result<Self, Failure> {
        let schema = roadwire::Schema::compile(read_sources(files, reading)?).map_err(|found| {
            diagnostics::tell_all(&found, json);
            Failure::told()
        })?;
        diagnostics::tell_all(schema.warnings(), json);
        Ok(Schema { schema })
    }

    /// The abstract syntax.
    pub(crate) fn model(&self) -> &Model {
        self.schema.model()
    }

    /// The type by name, or the schema's first PDU.
    pub(crate) fn type_id(&self, name: Option<&str>) -> Result<TypeId, Failure> {
        self.schema.find(name).map_err(unknown_type)
    }

    /// The name of a type assignment.
    pub(crate) fn name_of(&self, type_id: TypeId) -> Option<&QualifiedName> {
        self.model().definitions.iter().find(|(_, one)| **one == type_id).map(|(name, _)| name)
    }

    /// The types by names; without any, all PDUs: those of a shipped schema, or the types that no
    /// other type contains.
    pub(crate) fn types(&self, names: &[String]) -> Result<Vec<TypeId>, Failure> {
        if names.is_empty() {
            return self.schema.pdus().map_err(unknown_type);
        }
        names.iter().map(|name| self.type_id(Some(name))).collect()
    }

    /// The names of the types that are meant where none is named: the PDUs of a shipped schema, or
    /// the one PDU.
    pub(crate) fn default_types(&self) -> Result<Vec<String>, Failure> {
        let ids = match self.schema.has_pdus() {
            true => self.schema.pdus().map_err(unknown_type)?,
            false => vec![self.type_id(None)?],
        };
        Ok(ids.iter().filter_map(|id| self.name_of(*id)).map(ToString::to_string).collect())
    }

    pub(crate) fn is_presentation_language(&self) -> bool {
        roadwire_frontend::is_presentation_language(self.schema.sources())
    }

    /// The modules reduced to what these definitions reach.
    pub(crate) fn reduce(&self, names: &[&str]) -> Result<String, Failure> {
        roadwire_frontend::reduce(self.schema.sources(), names).map_err(|error| match error {
            // The name may be that of no definition, or of several.
            ReduceError::Unknown(name) => match self.type_id(Some(&name)) {
                Err(failure) => failure,
                Ok(_) => Failure::usage("type.ambiguous", format!("several modules define `{name}`")),
            },
            ReduceError::Modules(_) | ReduceError::Unprintable(_) => {
                Failure::refused("type.no-schema", error.to_string())
            }
        })
    }

    /// Type assignments that no other type contains, by name.
    pub(crate) fn unreferenced(&self) -> Vec<(&QualifiedName, TypeId)> {
        self.schema.unreferenced()
    }

    /// Refuses the input because of a type, and reports where it is defined.
    pub(crate) fn refuse_type(&self, name: &QualifiedName, code: &'static str, what: &str, json: bool) -> Failure {
        let found = roadwire_frontend::error_at(self.schema.sources(), &name.module, &name.name, code, what);
        if found.is_empty() {
            return Failure::refused(code, what);
        }
        diagnostics::tell_all(&found, json);
        Failure::told()
    }
}

/// The schemas that have names: those that roadwire ships, and with the laboratory those that only
/// papers have.
pub(crate) fn named() -> impl Iterator<Item = &'static roadwire_messages::Schema> {
    #[cfg(feature = "lab")]
    let papers = roadwire_papers::SCHEMAS;
    #[cfg(not(feature = "lab"))]
    let papers = &[];
    SCHEMAS.iter().chain(papers)
}

fn unknown(name: &str) -> Failure {
    let error = UnknownSchema::new(name, named().map(|schema| schema.name));
    let list = "`roadwire list schemas` lists all; your own modules are read with -m FILE";
    Failure::usage("schema.unknown", error.to_string()).advise(match did_you_mean(&error.alike) {
        Some(question) => format!("{question} {list}"),
        None => list.to_owned(),
    })
}

pub(crate) fn unknown_type(error: UnknownType) -> Failure {
    let (what, code) = (error.to_string(), error.code());
    match error {
        UnknownType::None { alike, .. } => {
            let list = "`roadwire list types` with the same -s or -m lists them";
            let advice = match did_you_mean(&alike) {
                Some(question) => format!("{question} {list}"),
                None => list.to_owned(),
            };
            Failure::usage(code, what).advise(advice)
        }
        UnknownType::Several { types, .. } => {
            Failure::usage(code, what).advise(format!("name the module: {}", types.join(", ")))
        }
        UnknownType::NoPdu { tops } if tops.is_empty() => {
            Failure::usage(code, what).advise("add -t TYPE; `roadwire list types` lists the types")
        }
        UnknownType::NoPdu { mut tops } => {
            const SHOWN: usize = 8;
            if tops.len() > SHOWN {
                tops.truncate(SHOWN);
                tops.push("…".to_owned());
            }
            Failure::usage(code, what).advise(format!("add -t with one of {}", tops.join(", ")))
        }
    }
}

/// A question for names that may be meant.
fn did_you_mean(names: &[String]) -> Option<String> {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    (!names.is_empty()).then(|| format!("did you mean {}?", names.join(" or ")))
}

/// Reads module files; `-` is stdin.
pub(crate) fn read_sources(files: &[PathBuf], reading: &Reading) -> Result<Vec<Source>, Failure> {
    files.iter().map(|file| Ok(read_source(file)?.allowing(&reading.allow))).collect()
}

fn read_source(file: &Path) -> Result<Source, Failure> {
    let (name, bytes) = (input::display_name(file), input::read_all(file)?);
    // Text in UTF-16 has a byte order mark; no other text has NUL.
    let utf16 = bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff");
    if !utf16 && bytes.contains(&0) {
        let failure = Failure::refused("module.binary", "the file is binary, not the text of modules");
        return Err(failure.in_file(&name).advise("give files with ASN.1 (`Name DEFINITIONS ... ::= BEGIN ... END`) or the presentation language (`struct { ... } Name;`) in them"));
    }
    Ok(Source::new(name, bytes))
}
