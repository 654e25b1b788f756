//! Running studies: gate, measure, record, report.

mod workbench;

use std::collections::HashMap;
use std::ffi::OsString;
use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::certificates::{self, Certificates};
use crate::content::Message;
use crate::corpus::{self, Corpus};
use crate::engine::Engine;
use crate::engines;
use crate::files::PrivateFolder;
use crate::ieee1609::{self, Ieee1609};
use crate::measure::callgrind;
use crate::measure::machine::Machine;
use crate::measure::random::Random;
use crate::probe::Visit;
use crate::record::{self, Method, Record, Run};
use crate::recorded::Recorded;
use crate::report::folder::publish;
use crate::report::{Report, page};
use crate::study::{self, Study};
use crate::time_of_day;
use crate::verdict::Measured;
use workbench::Workbench;

/// What is asked for.
#[derive(Debug, Clone, Default)]
pub struct StudyOptions {
    /// Names of studies; none means all.
    pub studies: Vec<String>,
    /// Fewer messages and rounds: under half a minute on a slow machine.
    pub quick: bool,
    /// The folder for the report, its records, tables and figures; none writes no files.
    pub out: Option<PathBuf>,
    /// JSON lines instead of tables.
    pub json: bool,
    /// How time is taken.
    pub method: Method,
    /// A file of recorded messages.
    pub corpus: Option<PathBuf>,
    /// A folder that describes other implementations as programs of their own (see `peers/README.md`).
    pub peers: Option<PathBuf>,
    /// Folders of reports of earlier runs, whose records stand beside this run's: of other machines, most of all.
    pub with: Vec<PathBuf>,
    /// Seed of all random orders and draws; none takes one from the time of day.
    pub seed: Option<u64>,
    /// The most certificates that an experiment exchanges; none leaves it to the study.
    pub certificates: Option<u64>,
    /// Program and arguments that reach [`crate::probe::run`], for counting instructions; empty
    /// leaves them out.
    pub probe: Vec<OsString>,
}

/// What came of it.
#[derive(Debug)]
pub struct Outcome {
    /// One for each cell and direction.
    pub records: Vec<Record>,
    /// Cells that an engine has and that did not pass the gate, or whose measured calls did not do what they should have; and cells that
    /// roadwire has to have and has not.
    pub gate_failures: Vec<String>,
    /// Recorded traffic.
    pub corpus: Option<Corpus>,
    /// The certificate study, if it was among those that were run.
    pub certificates: Option<Certificates>,
    /// The study of IEEE 1609.2, likewise.
    pub secured_data: Option<Ieee1609>,
    /// Files that were written.
    pub written: Vec<PathBuf>,
}

impl Outcome {
    /// Whether every cell passed the gate, every recorded message came back the same, and all that was timed was done.
    pub fn passed(&self) -> bool {
        self.gate_failures.is_empty() && self.corpus.as_ref().is_none_or(|c| c.failed == 0)
    }
}

/// Hears how far a run is. Nothing is drawn here.
pub trait Progress {
    /// `done` of `total` steps of the stage `what`; `total` is 0 where it is not known.
    fn step(&self, what: &str, done: usize, total: usize);
}

/// A [`Progress`] that hears nothing.
pub struct Silent;

impl Progress for Silent {
    fn step(&self, _what: &str, _done: usize, _total: usize) {}
}

/// Why a run could not be made.
#[derive(Debug)]
pub enum LabError {
    /// No study has this name; the names that there are.
    UnknownStudy(String, Vec<String>),
    /// Certificates could not be exchanged.
    Exchange(io::Error),
    /// A file could not be read or written.
    File(PathBuf, io::Error),
    /// The report could not be written to its stream.
    Output(io::Error),
    /// A corpus without a single CAM or DENM, and what was in it.
    NoMessages(PathBuf, String),
    /// An earlier run's records cannot be read.
    Records(String),
    /// The folder of other implementations is not what it should be.
    Peers(String),
    /// A fault in the laboratory's own files.
    Internal(String),
}

impl fmt::Display for LabError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LabError::UnknownStudy(name, known) => {
                write!(f, "no study is called {name}; there are {}", known.join(", "))
            }
            LabError::Exchange(e) => write!(f, "certificates could not be exchanged over the loopback interface: {e}"),
            LabError::File(path, e) => write!(f, "{}: {e}", path.display()),
            LabError::Output(e) => write!(f, "cannot write the report: {e}"),
            LabError::NoMessages(path, why) => write!(f, "{}: no CAM or DENM in it: {why}", path.display()),
            LabError::Peers(why) | LabError::Records(why) => f.write_str(why),
            LabError::Internal(why) => write!(f, "the laboratory's own files: {why}"),
        }
    }
}

impl std::error::Error for LabError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            LabError::File(_, e) | LabError::Output(e) | LabError::Exchange(e) => Some(e),
            _ => None,
        }
    }
}

/// Lists the studies: name, title, figures.
///
/// # Errors
/// When `out` cannot be written.
pub fn list(out: &mut dyn Write) -> Result<(), LabError> {
    for study in study::all().map_err(LabError::Internal)? {
        let (name, figures) = (&study.name, study.published.len());
        writeln!(out, "{name}  {} ({figures} published figures)", study.title).map_err(LabError::Output)?;
    }
    Ok(())
}

/// Runs studies and writes the report to `out` and, if asked, into a folder.
///
/// # Errors
/// [`LabError`]. A cell that fails its gate or a recorded message that comes back changed is not an
/// error but part of the [`Outcome`].
pub fn run(options: &StudyOptions, out: &mut dyn Write, progress: &dyn Progress) -> Result<Outcome, LabError> {
    let studies = choose(&options.studies)?;
    let seed = options.seed.unwrap_or_else(Random::seed_from_time);
    let mut random = Random::new(seed);
    let mut engines = engines::all();
    if let Some(folder) = &options.peers {
        progress.step("peers", 0, 1);
        engines.extend(engines::program::peers(folder).map_err(LabError::Peers)?);
    }
    let run = Run {
        started: time_of_day::now(),
        roadwire: env!("CARGO_PKG_VERSION").into(),
        seed,
        method: options.method,
        quick: options.quick,
        machine: Machine::here(),
    };

    // What the user gave comes first: nobody wants to hear of it after minutes of measuring.
    if let Some(folder) = &options.out {
        writable(folder)?;
    }
    let others = options.with.iter().map(|path| Recorded::read(path)).collect::<Result<Vec<_>, _>>();
    let others = others.map_err(LabError::Records)?;
    let corpus = match &options.corpus {
        None => None,
        Some(path) => Some(read_corpus(path, &engines, &mut random, progress)?),
    };

    let mut bench = Workbench::set_up(&engines, &messages(&studies, options.quick), progress);
    let alone: Vec<&str> = studies.iter().flat_map(|study| study.alone.iter().map(String::as_str)).collect();
    bench.expect_own(&engines, &alone);
    let mut records = bench.records(&run, &engines);
    let contents: Vec<(&str, &str)> = studies.iter().flat_map(Study::contents).collect();
    bench.time(&mut records, &contents, &mut random, progress);
    bench.memory(&mut records, &engines, progress);
    instructions(&mut records, &options.probe, progress);

    let certificates = exchange(&studies, &run, options, progress)?;
    let mut gate_failures = bench.gate_failures;
    gate_failures.extend(corpus.iter().flat_map(|corpus| corpus.miscounted.iter().cloned()));
    gate_failures.extend(certificates.iter().flat_map(Certificates::failures));

    let secured_data = match studies.iter().any(|study| study.secured_data) {
        true => Some(ieee1609::measured::run(&run, progress).map_err(LabError::Internal)?),
        false => None,
    };
    gate_failures.extend(secured_data.iter().flat_map(|study| study.failures.iter().cloned()));

    let measured = Measured {
        records: &records,
        certificates: certificates.as_ref(),
        secured_data: secured_data.as_ref(),
        others: &others,
    };
    let report = Report { studies: &studies, measured, corpus: corpus.as_ref() };
    let lines = record::to_lines(&records).map_err(|e| LabError::Internal(e.to_string()))?;
    let text = if options.json { report.json(&lines) } else { report.plain() };
    out.write_all(text.as_bytes()).map_err(LabError::Output)?;
    let written = match &options.out {
        None => Vec::new(),
        Some(folder) => write_files(folder, &report, &lines, &run.started)?,
    };
    Ok(Outcome { gate_failures, records, corpus, certificates, secured_data, written })
}

/// The certificate study, if it is among the studies.
fn exchange(
    studies: &[Study],
    run: &Run,
    options: &StudyOptions,
    progress: &dyn Progress,
) -> Result<Option<Certificates>, LabError> {
    let Some(settings) = studies.iter().find_map(|study| study.exchange.as_ref()) else {
        return Ok(None);
    };
    let mut numbers = if run.quick { settings.quick.clone() } else { settings.certificates.clone() };
    if let Some(most) = options.certificates {
        numbers.retain(|n| *n < most);
        numbers.push(most);
    }
    certificates::run(run, &numbers, progress).map(Some).map_err(LabError::Exchange)
}

/// Makes the report's folder, and sees that files can be made in it.
fn writable(folder: &Path) -> Result<(), LabError> {
    fs::create_dir_all(folder)
        .and_then(|()| PrivateFolder::new_in(folder, ".roadwire-").map(drop))
        .map_err(|e| LabError::File(folder.into(), e))
}

fn read_corpus(
    path: &Path,
    engines: &[Box<dyn Engine>],
    random: &mut Random,
    progress: &dyn Progress,
) -> Result<Corpus, LabError> {
    let mut step = |line| progress.step("corpus", usize::try_from(line).unwrap_or(usize::MAX), 0);
    let corpus = corpus::run(path, engines, random, &mut step).map_err(|e| LabError::File(path.into(), e))?;
    if corpus.classes.is_empty() {
        let why = match (&corpus.unreadable_why, corpus.messages) {
            (Some(why), _) => why.clone(),
            (None, 0) => "the file is empty".into(),
            (None, others) => format!("{others} messages of other types"),
        };
        return Err(LabError::NoMessages(path.into(), why));
    }
    Ok(corpus)
}

fn choose(names: &[String]) -> Result<Vec<Study>, LabError> {
    let all = study::all().map_err(LabError::Internal)?;
    let known: Vec<String> = all.iter().map(|study| study.name.clone()).collect();
    if let Some(name) = names.iter().find(|name| !known.contains(name)) {
        return Err(LabError::UnknownStudy(name.clone(), known));
    }
    Ok(all.into_iter().filter(|study| names.is_empty() || names.contains(&study.name)).collect())
}

/// The studies' messages and rules, each once, in the order of the content.
fn messages(studies: &[Study], quick: bool) -> Vec<(&'static Message, String)> {
    let mut chosen = Vec::new();
    for message in crate::content::MESSAGES {
        for study in studies {
            let names = if quick { &study.quick } else { &study.messages };
            if !names.iter().any(|name| name == message.id) {
                continue;
            }
            for rules in &study.rules {
                let is_there = chosen.iter().any(|(m, r): &(&Message, String)| m.id == message.id && r == rules);
                if !is_there && message.under(rules).is_some() {
                    chosen.push((message, rules.clone()));
                }
            }
        }
    }
    chosen
}

/// Counts instructions of all cells in one start of valgrind.
fn instructions(records: &mut [Record], probe: &[OsString], progress: &dyn Progress) {
    if records.is_empty() {
        return;
    }
    progress.step("instructions", 0, 1);
    let mut names: Vec<String> = Vec::new();
    for record in records.iter().filter(|record| record.absent.is_none()) {
        let name = format!("{}:{}", record.message, record.rules);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let counts: Result<HashMap<Visit, u64>, String> = callgrind::instructions(probe, &names);
    for record in records.iter_mut().filter(|r| r.absent.is_none() && !r.repeat) {
        let visit = Visit {
            engine: record.engine.clone(),
            message: record.message.clone(),
            rules: record.rules.clone(),
            direction: record.direction,
        };
        match &counts {
            Ok(counts) => record.instructions = counts.get(&visit).copied(),
            Err(why) => record.missing.push(format!("instructions: {why}")),
        }
    }
    progress.step("instructions", 1, 1);
}

/// The report's files in their folder, and their paths.
fn write_files(folder: &Path, report: &Report<'_>, lines: &str, started: &str) -> Result<Vec<PathBuf>, LabError> {
    let figures = report.figures();
    let markdown = report.markdown(&figures);
    let mut files = vec![("report.md".to_string(), markdown.clone())];
    if !report.measured.records.is_empty() {
        files.push(("records.jsonl".to_string(), lines.to_string()));
    }
    if let Some(corpus) = report.corpus {
        let text = serde_json::to_string_pretty(corpus).map_err(|e| LabError::Internal(e.to_string()))?;
        files.push(("corpus.json".to_string(), text + "\n"));
    }
    if let Some(certificates) = report.measured.certificates {
        let text = serde_json::to_string_pretty(certificates).map_err(|e| LabError::Internal(e.to_string()))?;
        files.push(("certificates.json".to_string(), text + "\n"));
    }
    if let Some(messages) = report.measured.secured_data {
        let text = serde_json::to_string_pretty(messages).map_err(|e| LabError::Internal(e.to_string()))?;
        files.push(("ieee1609.json".to_string(), text + "\n"));
    }
    files.extend(report.csv());
    let names: Vec<String> =
        files.iter().map(|(name, _)| name).chain(figures.iter().map(|one| &one.name)).cloned().collect();
    files.push(("index.html".to_string(), page::html(&markdown, &figures, &names)));
    files.extend(figures.into_iter().map(|figure| (figure.name, figure.svg)));
    publish(folder, &files, started).map_err(|e| LabError::File(folder.into(), e))
}
