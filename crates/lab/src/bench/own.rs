//! A user's messages: a type of modules, and values of it. Processes that measure them read them
//! from a file.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use roadwire_frontend::Source;
use roadwire_model::{Model, TypeId};
use roadwire_peers::Engine;
use roadwire_peers::content::{Message, Schema};
use roadwire_peers::roadwire::shipped;
use serde::{Deserialize, Serialize};

use super::engines::{AtRunTime, Compiled, Generated, Way};
use crate::probe::Bench;
use crate::record::Record;

/// A type and values of it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Own {
    /// The schema in records: `cam-1.4.1`, or the module of the type.
    pub schema: String,
    /// Whether `schema` is one that has a name.
    pub is_named: bool,
    /// The modules.
    pub modules: Vec<Module>,
    /// The type, as `Module.Type`.
    pub type_name: String,
    /// The values, as JER text.
    pub values: Vec<String>,
    /// A program with generated code for the type, or why there is none. Messages of named schemas
    /// that have generated code need none.
    pub(super) program: Result<PathBuf, String>,
}

/// A file of modules.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Module {
    name: String,
    bytes: Vec<u8>,
    allowed: Vec<String>,
}

impl From<&Source> for Module {
    fn from(source: &Source) -> Self {
        let allowed = source.allowed.iter().map(ToString::to_string).collect();
        Module { name: source.name.clone(), bytes: source.bytes.clone(), allowed }
    }
}

impl From<&Module> for Source {
    fn from(module: &Module) -> Self {
        let allowed: Vec<_> = module.allowed.iter().filter_map(|one| one.parse().ok()).collect();
        Source::new(module.name.clone(), module.bytes.clone()).allowing(&allowed)
    }
}

/// The place of a message among the user's values, from 0.
pub(super) fn place(message: &str) -> Option<usize> {
    message.strip_prefix(NAME)?.parse::<usize>().ok()?.checked_sub(1)
}

/// The start of messages' names.
const NAME: &str = "value-";

impl Own {
    /// Values of a type of a schema.
    #[must_use]
    pub fn new(schema: String, is_named: bool, sources: &[Source], type_name: String, values: Vec<String>) -> Self {
        let modules = sources.iter().map(Module::from).collect();
        Own { schema, is_named, modules, type_name, values, program: Err(NO_PROGRAM.into()) }
    }

    pub(crate) fn read(path: &Path) -> io::Result<Own> {
        Ok(serde_json::from_slice(&fs::read(path)?)?)
    }

    /// Engines and messages, in this process.
    ///
    /// # Errors
    /// The modules do not have the type. Does not happen for those that were compiled before.
    pub(crate) fn bench(&self) -> Result<Bench, String> {
        Ok(self.bench_of(Arc::new(self.compiled()?)))
    }

    /// The same with modules that are compiled already.
    pub(super) fn bench_of(&self, compiled: Arc<Compiled>) -> Bench {
        let mut engines: Vec<Box<dyn Engine>> = vec![
            Box::new(Generated::new(self, Arc::clone(&compiled))),
            Box::new(AtRunTime::new(Arc::clone(&compiled), Way::Program)),
            Box::new(AtRunTime::new(compiled, Way::Interpreter)),
        ];
        let known = self.known();
        if known.is_some() {
            engines.extend(roadwire_peers::all().into_iter().filter(|engine| engine.origin() != "roadwire"));
        }
        let name = |at: usize| format!("{NAME}{}", at + 1);
        let message = |(at, jer): (usize, &String)| Message::own(name(at), known.unwrap_or(Schema::Own), jer.clone());
        Bench { engines, messages: self.values.iter().enumerate().map(message).collect() }
    }

    /// The schema, if other implementations have it.
    pub(super) fn known(&self) -> Option<Schema> {
        let is_pdu =
            |schema: &Schema| schema.model().is_ok_and(|(model, root)| model.find(&self.type_name) == Some(root));
        Schema::ALL.into_iter().find(|schema| self.is_named && schema.name() == self.schema).filter(is_pdu)
    }

    /// Whether its generated code is in this program.
    pub(super) fn is_shipped(&self) -> bool {
        self.is_named && shipped::is_shipped(&self.schema, &self.type_name)
    }

    /// The octets of a record's message as hex digits, if they are few enough for an argument of a
    /// program.
    pub(super) fn hex(&self, compiled: &Compiled, record: &Record) -> Option<String> {
        const MOST: usize = 50_000;
        let value = self.values.get(place(&record.message)?)?;
        let octets = compiled.interpreted(record.rules).ok()?.octets(value).ok()?;
        (octets.len() <= MOST).then(|| roadwire_peers::hex::encode(&octets))
    }

    /// The modules, compiled.
    ///
    /// # Errors
    /// As for [`Own::bench`].
    pub(super) fn compiled(&self) -> Result<Compiled, String> {
        let sources: Vec<Source> = self.modules.iter().map(Source::from).collect();
        let model: Model = roadwire_frontend::compile(&sources).map_err(|errors| errors.render())?.model;
        let root: TypeId = model.find(&self.type_name).ok_or_else(|| format!("there is no {}", self.type_name))?;
        Ok(Compiled { model, root })
    }
}

/// The reason that is shown for modules of the user without `--source`.
const NO_PROGRAM: &str =
    "generated code for modules of your own is compiled: give --source DIR, a checkout of roadwire; it needs cargo";
