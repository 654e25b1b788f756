//! From `-s NAME` or `-m FILE...` to a model and the type that is meant.

use std::path::{Path, PathBuf};

use roadwire_frontend::{Compiled, Source, compile};
use roadwire_messages::SCHEMAS;
use roadwire_model::{Kind, Model, QualifiedName, TypeId};

use crate::args::SchemaChoice;
use crate::diagnostics;
use crate::failure::Failure;
use crate::input;
use crate::tops::tops;

/// A model and what its PDUs are, where that is known.
pub(crate) struct Schema {
    pub(crate) model: Model,
    /// The modules' text.
    sources: Vec<Source>,
    /// As `Module.Type`; the first is meant where none is named.
    pdus: &'static [&'static str],
}

impl Schema {
    /// What the command line asks for.
    ///
    /// # Errors
    /// An unknown schema name, a file that cannot be read, or modules with errors, which are told.
    pub(crate) fn load(choice: &SchemaChoice, json: bool) -> Result<Self, Failure> {
        match &choice.schema {
            Some(name) => Schema::shipped(name, json),
            None => Schema::from_files(&choice.modules, json),
        }
    }

    /// A schema that roadwire ships.
    pub(crate) fn shipped(name: &str, json: bool) -> Result<Self, Failure> {
        let shipped = SCHEMAS.iter().find(|schema| schema.name == name).ok_or_else(|| unknown(name))?;
        let sources: Vec<Source> = shipped.modules.iter().map(|(file, text)| Source::new(*file, *text)).collect();
        Ok(Schema { model: compile_told(&sources, json)?.model, sources, pdus: shipped.pdus })
    }

    /// The user's own modules.
    pub(crate) fn from_files(files: &[PathBuf], json: bool) -> Result<Self, Failure> {
        let sources = read_sources(files)?;
        let compiled = compile_told(&sources, json)?;
        diagnostics::tell_all(&compiled.warnings, json);
        Ok(Schema { model: compiled.model, sources, pdus: &[] })
    }

    /// The type by name, or the schema's first PDU.
    pub(crate) fn type_id(&self, name: Option<&str>) -> Result<TypeId, Failure> {
        match (name, self.pdus) {
            (Some(name), _) => self.named(name),
            (None, [pdu, ..]) => self.named(pdu),
            (None, []) => self.only_pdu(),
        }
    }

    /// The types by names; without any, all PDUs: those of a shipped schema, or the types that no other type contains.
    pub(crate) fn types(&self, names: &[String]) -> Result<Vec<TypeId>, Failure> {
        match (names, self.pdus) {
            ([], []) => Ok(self.unreferenced().into_iter().map(|(_, id)| id).collect()),
            ([], pdus) => pdus.iter().map(|pdu| self.named(pdu)).collect(),
            (names, _) => names.iter().map(|name| self.named(name)).collect(),
        }
    }

    fn named(&self, name: &str) -> Result<TypeId, Failure> {
        if let Some(id) = self.model.find(name) {
            return Ok(id);
        }
        let same: Vec<String> =
            self.model.definitions.keys().filter(|key| key.name == name).map(ToString::to_string).collect();
        Err(if same.is_empty() {
            let alike = self.alike(name);
            let list = "`roadwire list types` with the same -s or -m lists them";
            Failure::usage("type.unknown", format!("there is no type `{name}` in these modules")).advise(
                if alike.is_empty() { list.to_owned() } else { format!("did you mean {}? {list}", alike.join(" or ")) },
            )
        } else {
            Failure::usage("type.ambiguous", format!("several modules have a type `{name}`"))
                .advise(format!("name the module: {}", same.join(", ")))
        })
    }

    /// Types whose name differs in case, hyphens or the module only.
    fn alike(&self, name: &str) -> Vec<String> {
        const SHOWN: usize = 3;
        let plain = |name: &str| name.replace(['-', '_'], "").to_ascii_lowercase();
        let wanted = plain(name.rsplit('.').next().unwrap_or(name));
        let alike = self.model.definitions.keys().filter(|key| plain(&key.name) == wanted);
        alike.take(SHOWN).map(|key| format!("`{key}`")).collect()
    }

    /// The one type that no other type contains; where several are, the one with components.
    fn only_pdu(&self) -> Result<TypeId, Failure> {
        let mut tops = self.unreferenced();
        let has_components =
            |id: &TypeId| matches!(self.model.get(*id).kind, Kind::Sequence { .. } | Kind::Choice { .. });
        if tops.iter().any(|(_, id)| has_components(id)) {
            tops.retain(|(_, id)| has_components(id));
        }
        match tops.as_slice() {
            [(_, id)] => Ok(*id),
            _ => {
                const SHOWN: usize = 8;
                let mut names: Vec<String> = tops.iter().take(SHOWN).map(|(name, _)| name.to_string()).collect();
                if tops.len() > SHOWN {
                    names.push("…".to_owned());
                }
                let failure = Failure::usage("type.which", "these modules have no one PDU: say which type is meant");
                Err(if names.is_empty() {
                    failure.advise("add -t TYPE; `roadwire list types` lists the types")
                } else {
                    failure.advise(format!("add -t with one of {}", names.join(", ")))
                })
            }
        }
    }

    /// Type assignments that no other type contains, by name.
    pub(crate) fn unreferenced(&self) -> Vec<(&QualifiedName, TypeId)> {
        tops(&self.model)
    }

    /// The input is refused for what a type is: tells where it is defined.
    pub(crate) fn refuse_type(&self, name: &QualifiedName, code: &'static str, what: &str, json: bool) -> Failure {
        let found = roadwire_frontend::error_at(&self.sources, &name.module, &name.name, code, what);
        if found.is_empty() {
            return Failure::refused(code, what);
        }
        diagnostics::tell_all(&found, json);
        Failure::told()
    }
}

fn unknown(name: &str) -> Failure {
    let names: Vec<&str> = SCHEMAS.iter().map(|schema| schema.name).collect();
    Failure::usage("schema.unknown", format!("there is no schema `{name}`"))
        .advise(format!("roadwire ships {}; your own modules are read with -m FILE", names.join(", ")))
}

/// Reads module files; `-` is stdin.
pub(crate) fn read_sources(files: &[PathBuf]) -> Result<Vec<Source>, Failure> {
    files.iter().map(|file| read_source(file)).collect()
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

fn compile_told(sources: &[Source], json: bool) -> Result<Compiled, Failure> {
    compile(sources).map_err(|found| {
        diagnostics::tell_all(&found, json);
        Failure::told()
    })
}
