//! Other implementations as separate programs, with the protocol of `peers/README.md`.

mod cell;
mod running;
mod set;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::{env, fs};

use roadwire_layout::Rules;
use serde::Deserialize;

use crate::content::{Message, Schema};
use crate::roadwire::Toed;
use crate::{Engine, Kind, TimedRegion};
use cell::ProgramCell;
use roadwire_files::{PrivateFolder, output_of};
use roadwire_layout::Choices;
use roadwire_measure::cell::{Absent, Cell, Transcode};
use running::Running;
use set::SET;

/// `peer.toml`. It has a name, or variants that have names.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Description {
    name: Option<String>,
    origin: String,
    build: PathBuf,
    timed_region: TimedRegion,
    #[serde(default)]
    variants: Vec<Variant>,
}

/// One of several programs that a peer's script builds.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Variant {
    name: String,
    /// For the script, after its folders.
    #[serde(default)]
    arguments: Vec<String>,
}

impl Description {
    fn variants(&self) -> Result<Vec<Variant>, String> {
        match (&self.name, self.variants.is_empty()) {
            (Some(name), true) => Ok(vec![Variant { name: name.clone(), arguments: Vec::new() }]),
            (None, false) => Ok(self.variants.clone()),
            (Some(_), false) => Err("it has a name and variants: expected one of them".into()),
            (None, true) => Err("it has neither a name nor variants: expected one of them".into()),
        }
    }
}

/// An implementation that is a program.
pub struct Program {
    name: String,
    origin: String,
    timed_region: TimedRegion,
    /// The program and its version, or why there is none.
    built: Result<(PathBuf, String), String>,
    /// Where it was built.
    _folder: Arc<PrivateFolder>,
}

/// Builds all peers that a folder describes, in the order of their folders' names.
///
/// # Errors
/// A folder that cannot be read, or a description that is wrong. A peer that cannot be built is not
/// an error: it is absent.
pub fn peers(folder: &Path) -> Result<Vec<Box<dyn Engine>>, String> {
    let told = |path: &Path, why: &dyn std::fmt::Display| format!("{}: {why}", path.display());
    let entries = fs::read_dir(folder).map_err(|error| told(folder, &error))?;
    let mut folders: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    folders.retain(|path| path.join("peer.toml").is_file());
    folders.sort();
    let temporary = env::temp_dir();
    let made = PrivateFolder::new_in(&temporary, "roadwire-peers-").map_err(|error| told(&temporary, &error))?;
    let temporary = Arc::new(made);
    let schemas = temporary.path().join("schemas");
    write_schemas(&schemas).map_err(|error| told(&schemas, &error))?;
    let mut peers: Vec<Box<dyn Engine>> = Vec::new();
    let mut names = BTreeSet::new();
    for path in folders {
        let toml = path.join("peer.toml");
        let text = fs::read_to_string(&toml).map_err(|error| told(&toml, &error))?;
        let about: Description = toml::from_str(&text).map_err(|error| told(&toml, &error))?;
        for Variant { name, arguments } in about.variants().map_err(|why| told(&toml, &why))? {
            if !names.insert(name.clone()) {
                return Err(told(&toml, &format!("another peer is called {name}")));
            }
            let built = build(&path.join(&about.build), &temporary.path().join(&name), &schemas, &arguments);
            let (origin, timed_region) = (about.origin.clone(), about.timed_region.clone());
            peers.push(Box::new(Program { name, origin, timed_region, built, _folder: temporary.clone() }));
        }
    }
    Ok(peers)
}

/// The schemas of which other programs have messages.
const SCHEMAS: [Schema; 6] =
    [Schema::Cam130, Schema::Cam141, Schema::Denm120, Schema::Denm131, Schema::Envelope2014, Schema::Envelope2015];

/// The name of a schema for a program: the two envelopes are of one schema, and have two names.
fn named(schema: Schema) -> &'static str {
    if schema == Schema::Envelope2014 { "etsi-envelope-2014" } else { schema.name() }
}

/// The modules that roadwire ships and those of papers, and the schemas of XML and Protocol Buffers
/// that it derives from those of the studies.
fn write_schemas(folder: &Path) -> std::io::Result<()> {
    let [modules, papers, xml, proto, proto_optional] =
        ["etsi", "papers", "xsd", "proto", "proto-optional"].map(|kind| folder.join(kind));
    [&modules, &papers, &xml, &proto, &proto_optional].into_iter().try_for_each(fs::create_dir_all)?;
    for (folder, schemas) in [(&modules, roadwire_messages::SCHEMAS), (&papers, roadwire_papers::SCHEMAS)] {
        let mut files = schemas.iter().flat_map(|schema| schema.modules);
        files.try_for_each(|(name, text)| fs::write(folder.join(name), text))?;
    }
    for schema in SCHEMAS {
        let (model, root) = schema.model().map_err(std::io::Error::other)?;
        for (folder, choices) in [(&proto, Choices::OneOf), (&proto_optional, Choices::Optional)] {
            let text = roadwire_layout::proto_schema(&model, root, choices).map_err(std::io::Error::other)?;
            fs::write(folder.join(format!("{}.proto", named(schema))), text)?;
        }
        for rules in [Rules::Exi, Rules::ExiDefault, Rules::ExiMerged, Rules::ExiFlat, Rules::ExiSplit] {
            let text = roadwire_layout::xml_schema(&model, root, rules).map_err(std::io::Error::other)?;
            fs::write(xml.join(format!("{}-{rules}.xsd", named(schema))), text)?;
        }
    }
    Ok(())
}

/// The cell of a program that is started with these arguments: rules, message, schema. It loads the
/// octets.
///
/// # Errors
/// It does not start, or does not have the message.
pub fn cell(program: &Path, arguments: [&str; 3], octets: &[u8]) -> Result<Box<dyn Cell>, Absent> {
    let run = Running::start(program, arguments).map_err(|error| Absent(format!("{}: {error}", program.display())))?;
    Ok(Box::new(ProgramCell::new(run, octets).map_err(Absent)?))
}

/// Builds a peer in a folder, and returns the program and its version.
fn build(script: &Path, folder: &Path, schemas: &Path, arguments: &[String]) -> Result<(PathBuf, String), String> {
    let output = fs::canonicalize(script)
        .and_then(|script| output_of(Command::new(script).arg(folder).arg(schemas).args(arguments)))
        .map_err(|error| format!("{}: {error}", script.display()))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut lines = text.lines();
    match (output.status.success(), lines.next()) {
        (true, Some(program)) => Ok((program.into(), lines.next().unwrap_or("unknown").into())),
        _ => {
            let why = String::from_utf8_lossy(&output.stderr);
            Err(format!("cannot be built here: {}", why.lines().last().unwrap_or("it does not say why")))
        }
    }
}

impl Program {
    /// Starts it with its arguments, and loads the message. It does not support JER: it gets our
    /// octets, and the gate then compares its octets with those of others.
    fn loaded(
        &self,
        arguments: [&str; 3],
        ours: impl FnOnce() -> Result<Box<dyn Cell>, Absent>,
    ) -> Result<Box<dyn Cell>, Absent> {
        let (program, _) = self.built.as_ref().map_err(|why| Absent(why.clone()))?;
        let octets = ours()?.bytes().map_err(Absent)?;
        let told = |Absent(why)| Absent(format!("{} has no {} of this message: {why}", self.name, arguments[0]));
        cell(program, arguments, &octets).map_err(told)
    }
}

impl Engine for Program {
    fn name(&self) -> &str {
        &self.name
    }

    fn version(&self) -> &str {
        self.built.as_ref().map_or("", |(_, version)| version)
    }

    fn kind(&self) -> Kind {
        Kind::Peer
    }

    fn origin(&self) -> &str {
        &self.origin
    }

    fn timed_region(&self) -> TimedRegion {
        self.timed_region.clone()
    }

    fn cell(&self, message: &Message, rules: Rules) -> Result<Box<dyn Cell>, Absent> {
        self.loaded([rules.name(), message.id, named(message.schema)], || Toed.cell(message, rules))
    }

    fn cell_of(&self, schema: Schema, rules: Rules, jer: &str) -> Result<Box<dyn Cell>, Absent> {
        self.loaded([rules.name(), SET, schema.name()], || Toed.cell_of(schema, rules, jer))
    }

    fn transcoder(&self, schema: Schema, rules: Rules) -> Result<Box<dyn Transcode>, Absent> {
        set::transcoder(self, schema, rules)
    }
}
