//! A user's messages in every encoding, measured like those of the studies: the gate, time in
//! several processes, memory, instructions.
//!
//! [`run`] is the entry point.

mod engines;
mod files;
pub(crate) mod own;
mod program;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{env, fs};

use roadwire_files::PrivateFolder;
use roadwire_layout::Rules;
use roadwire_measure::machine::Machine;
use roadwire_measure::random::Random;
use roadwire_peers::content::{Message, Schema};
use roadwire_peers::program::peers;

pub use engines::{GENERATED, INTERPRETER, PROGRAM};
pub use files::publish;
pub use own::Own;

use crate::messages;
use crate::probe::Bench;
use crate::progress::Progress;
use crate::record::{Method, Record, Run};
use crate::run::LabError;
use crate::time_of_day;

/// The options of a measurement.
#[derive(Debug, Clone)]
pub struct BenchOptions {
    /// The messages.
    pub own: Own,
    /// The encoding rules, as far as the type has an encoding under them.
    pub rules: Vec<Rules>,
    /// A folder that describes other implementations as separate programs (see `peers/README.md`).
    pub peers: Option<PathBuf>,
    /// A [checkout](missing_in_checkout) of roadwire, with which generated code is compiled for a
    /// type that has none in this program.
    pub source: Option<PathBuf>,
    /// Fewer samples.
    pub quick: bool,
    /// Seed of all random orders and draws; none takes one from the time of day.
    pub seed: Option<u64>,
    /// Program and arguments that reach [`crate::probe::run`]; without them times are those of one
    /// process, and instructions are not counted.
    pub probe: Vec<OsString>,
}

/// The results of a measurement.
#[derive(Debug, Clone)]
pub struct Benched {
    /// The run.
    pub run: Run,
    /// A record for each codec, message, encoding and direction. Messages are called `value-1` and
    /// so on.
    pub records: Vec<Record>,
    /// Codecs that did not pass the gate, or whose measured calls did not do what they should have.
    pub failures: Vec<String>,
    /// Requests that could not be met, or were not needed, with the reason.
    pub notes: Vec<String>,
}

/// The place of a record's message among the user's values, from 0.
#[must_use]
pub fn value_of(record: &Record) -> Option<usize> {
    own::place(&record.message)
}

/// The first missing file that a folder needs as a checkout of roadwire for compiling generated
/// code; `None` if it has all.
#[must_use]
pub fn missing_in_checkout(source: &Path) -> Option<PathBuf> {
    program::missing(source)
}

/// Measures a user's messages.
///
/// # Errors
/// Other implementations whose folder is wrong; files that cannot be written.
pub fn run(options: BenchOptions, progress: &dyn Progress) -> Result<Benched, LabError> {
    let BenchOptions { mut own, rules, .. } = options;
    let compiled = Arc::new(own.compiled().map_err(LabError::Internal)?);
    let rules = compiled.encodings(&rules);
    let seed = options.seed.unwrap_or_else(Random::seed_from_time);
    let (method, machine) = (Method::Batched, Machine::here());
    let roadwire = env!("CARGO_PKG_VERSION").to_owned();
    let run = Run { started: time_of_day::now(), roadwire, seed, method, quick: options.quick, machine };

    let mut notes = Vec::new();
    let program = match &options.source {
        Some(_) if own.is_shipped() => {
            notes.push(format!("--source is not needed: this program has the generated code of {}", own.schema));
            None
        }
        Some(source) => {
            let program = program::build(source, &compiled, &rules, progress);
            own.program = program.as_ref().map(|program| program.path.clone()).map_err(String::clone);
            program.ok()
        }
        None => None,
    };
    let (temporary, mut probe) = (env::temp_dir(), options.probe);
    let folder = PrivateFolder::new_in(&temporary, "roadwire-bench-").map_err(|e| LabError::File(temporary, e))?;
    let file = folder.path().join("messages.json");
    let text = serde_json::to_string(&own).map_err(|error| LabError::Internal(error.to_string()))?;
    fs::write(&file, text).map_err(|error| LabError::File(file.clone(), error))?;
    if !probe.is_empty() {
        probe.extend(["--own".into(), file.into()]);
    }

    let Bench { mut engines, messages } = own.bench_of(Arc::clone(&compiled));
    let mut asked = Vec::new();
    match (&options.peers, own.known()) {
        (None, _) => {}
        (Some(_), None) => {
            let known = Schema::ALL.map(Schema::name).join(", ");
            notes.push(format!("absent: peers: other implementations have the messages of {known} alone"));
        }
        (Some(folder), Some(_)) => {
            progress.step("peers", 0, 1);
            asked = peers(folder).map_err(LabError::Peers)?;
        }
    }
    let names: Vec<String> = asked.iter().map(|engine| engine.name().to_owned()).collect();
    engines.extend(asked);
    let cells: Vec<(&'static Message, Rules)> =
        messages.iter().flat_map(|message| rules.iter().map(|rules| (*message, *rules))).collect();
    let (mut records, failures) = messages::of_user(&run, &engines, &cells, &probe, progress);
    records.iter_mut().for_each(|record| record.schema.clone_from(&own.schema));
    for name in names {
        let mut of_it = records.iter().filter(|record| record.engine == name);
        if of_it.clone().all(|record| record.absent.is_some()) {
            notes.extend(of_it.find_map(|record| record.absent.as_ref()).map(|why| format!("absent: {name}: {why}")));
        }
    }
    if let Some(program) = program {
        let counted = program::count(&program.path, &mut records, &|record| own.hex(&compiled, record));
        notes.extend(counted.err().map(|why| format!("absent: instructions of generated code: {why}")));
    }
    Ok(Benched { run, records, failures, notes })
}
