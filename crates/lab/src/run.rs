//! Running studies: gate, measure, record, report.

use std::ffi::OsString;
use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::corpus::{self, Corpus};
use crate::experiment::{Asked, Findings, Request};
use crate::measured::{Measured, Recorded};
use crate::processors::{self, Emulated};
use crate::progress::Progress;
use crate::record::{self, Method, Record, Run};
use crate::report::folder::publish;
use crate::report::{Report, page};
use crate::studies::certificates::Station;
use crate::studies::{EXPERIMENTS, experiment};
use crate::study::{self, Study};
use crate::time_of_day;
use roadwire_files::PrivateFolder;
use roadwire_measure::machine::Machine;
use roadwire_measure::random::Random;
use roadwire_peers::Engine;

/// The form of the text that a run writes to its stream.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Form {
    /// How far the papers hold, and which encoding to take: at most 45 lines.
    #[default]
    Summary,
    /// All tables.
    Tables,
    /// Everything, as JSON lines.
    Json,
}

/// The options of a run.
#[derive(Debug, Clone, Default)]
pub struct StudyOptions {
    /// Names of studies; none means all.
    pub studies: Vec<String>,
    /// Fewer messages and rounds: under half a minute on a slow machine.
    pub quick: bool,
    /// The folder for the report, its records, tables and figures; without it no files are written.
    pub out: Option<PathBuf>,
    /// The form of the text on the stream.
    pub form: Form,
    /// How time is taken.
    pub method: Method,
    /// A file of recorded messages.
    pub corpus: Option<PathBuf>,
    /// A folder with material of others that a study reads, such as the documents of `json-2022`;
    /// `None` leaves it to the study.
    pub material: Option<PathBuf>,
    /// A folder that describes other implementations as separate programs (see `peers/README.md`).
    pub peers: Option<PathBuf>,
    /// The text of a file of distributions (`docs/distributions.md`), by which the certificate
    /// study draws certificates beside the paper's.
    pub distribution: Option<String>,
    /// Folders of reports of earlier runs, mainly on other machines, whose records are shown next
    /// to this run's.
    pub with: Vec<PathBuf>,
    /// The folder `processors` of the repository, whose program measures on other processors;
    /// `None` leaves these out.
    pub processors: Option<PathBuf>,
    /// Seed of all random orders and draws; none takes one from the time of day.
    pub seed: Option<u64>,
    /// The largest size of an experiment with several; `None` leaves it to the study.
    pub largest: Option<u64>,
    /// The part of this program, if the certificate study's certificates are exchanged with another
    /// one, which then has the same studies and seed.
    pub station: Option<Station>,
    /// Program and arguments that reach [`crate::probe::run`], for counting instructions; empty
    /// leaves them out.
    pub probe: Vec<OsString>,
}

/// The result of a run.
#[derive(Debug)]
pub struct Outcome {
    /// Existing cells that did not pass the gate, or whose measured calls did not do what they
    /// should have; and missing cells that roadwire must have.
    pub gate_failures: Vec<String>,
    /// Recorded traffic.
    pub corpus: Option<Corpus>,
    /// The findings of the studies' experiments.
    pub findings: Vec<Box<dyn Findings>>,
    /// Files that were written.
    pub written: Vec<PathBuf>,
}

impl Outcome {
    /// The records of messages under encoding rules: one for each cell and direction.
    pub fn records(&self) -> &[Record] {
        Measured::of(&self.findings, &[]).records
    }

    /// Whether every cell passed the gate, every recorded message was unchanged, and all timed work
    /// was done.
    pub fn passed(&self) -> bool {
        self.gate_failures.is_empty() && self.corpus.as_ref().is_none_or(|c| c.failed == 0)
    }
}

/// Why a run failed.
#[derive(Debug)]
pub enum LabError {
    /// No study has this name; the known names.
    UnknownStudy(String, Vec<String>),
    /// A folder with an invalid study.
    Study(String),
    /// An experiment failed: its name, and why.
    Experiment(String, String),
    /// A file could not be read or written.
    File(PathBuf, io::Error),
    /// The report could not be written to its stream.
    Output(io::Error),
    /// A corpus without a single CAM or DENM, and what was in it.
    NoMessages(PathBuf, String),
    /// An earlier run's records cannot be read.
    Records(String),
    /// The folder of other implementations is invalid.
    Peers(String),
    /// A fault in the laboratory's own files.
    Internal(String),
}

impl fmt::Display for LabError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LabError::UnknownStudy(name, known) => {
                let known = known.join(", ");
                write!(f, "no study is called {name}, and no folder of that name has a study.toml; there are {known}")
            }
            LabError::Experiment(name, why) => write!(f, "{name}: {why}"),
            LabError::File(path, e) => write!(f, "{}: {e}", path.display()),
            LabError::Output(e) => write!(f, "cannot write the report: {e}"),
            LabError::NoMessages(path, why) => write!(f, "{}: no CAM or DENM in it: {why}", path.display()),
            LabError::Peers(why) | LabError::Records(why) | LabError::Study(why) => f.write_str(why),
            LabError::Internal(why) => write!(f, "the laboratory's own files: {why}"),
        }
    }
}

impl std::error::Error for LabError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            LabError::File(_, e) | LabError::Output(e) => Some(e),
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
/// [`LabError`]. A cell that fails its gate or a recorded message that is changed is not an
/// error but part of the [`Outcome`].
pub fn run(options: &StudyOptions, out: &mut dyn Write, progress: &dyn Progress) -> Result<Outcome, LabError> {
    let studies = choose(&options.studies)?;
    let seed = options.seed.unwrap_or_else(Random::seed_from_time);
    let mut random = Random::new(seed);
    let mut engines = roadwire_peers::all();
    if let Some(folder) = &options.peers {
        progress.step("peers", 0, 1);
        engines.extend(roadwire_peers::program::peers(folder).map_err(LabError::Peers)?);
    }
    let run = Run {
        started: time_of_day::now(),
        roadwire: env!("CARGO_PKG_VERSION").into(),
        seed,
        method: options.method,
        quick: options.quick,
        machine: Machine::here(),
    };

    // Check the user's input first: errors should not appear after minutes of measuring.
    if let Some(folder) = &options.out {
        writable(folder)?;
    }
    let (mut others, emulated_before) = others(&options.with).map_err(LabError::Records)?;
    let corpus = match &options.corpus {
        None => None,
        Some(path) => Some(read_corpus(path, &engines, &mut random, progress)?),
    };

    let mut findings = experiments(&studies, &run, &engines, options, progress)?;
    let mut gate_failures: Vec<String> = findings.iter().flat_map(|found| found.failures()).collect();
    gate_failures.extend(corpus.iter().flat_map(|corpus| corpus.miscounted.iter().cloned()));

    let emulated = emulated(&studies, &findings, &run, options, progress);
    gate_failures.extend(emulated.failures.iter().cloned());
    // This run's counts come first: those of other reports add what it has not.
    for cell in emulated.cells.iter().chain(&others.iter().flat_map(Recorded::cells).collect::<Vec<_>>()) {
        let refused = findings.iter_mut().map(|found| found.take(cell)).filter_map(Result::err);
        gate_failures.extend(refused.map(|why| format!("{}: {why}", cell.processor)));
    }
    others.extend(Recorded::by_machine([&emulated.records[..], &emulated_before].concat()));
    let measured =
        Measured { emulated: &emulated.records, absent: &emulated.absent, ..Measured::of(&findings, &others) };
    let report = Report::new(&studies, measured, corpus.as_ref());
    let text = match options.form {
        Form::Summary => report.first(),
        Form::Tables => report.plain(),
        Form::Json => report.json().map_err(|e| LabError::Internal(e.to_string()))?,
    };
    progress.end();
    out.write_all(text.as_bytes()).map_err(LabError::Output)?;
    let written = match &options.out {
        None => Vec::new(),
        Some(folder) => write_files(folder, &report, &run.started)?,
    };
    Ok(Outcome { gate_failures, corpus, findings, written })
}

/// The runs whose reports are in these folders, and their records on emulated processors.
fn others(folders: &[PathBuf]) -> Result<(Vec<Recorded>, Vec<Record>), String> {
    let (mut others, mut emulated) = (Vec::new(), Vec::new());
    for folder in folders {
        others.push(Recorded::read(folder)?);
        emulated.extend(Recorded::read_processors(folder)?);
    }
    Ok((others, emulated))
}

/// Other processors, for studies of papers that have several.
fn emulated(
    studies: &[Study],
    findings: &[Box<dyn Findings>],
    run: &Run,
    options: &StudyOptions,
    progress: &dyn Progress,
) -> Emulated {
    let absent = |why: &str| Emulated { absent: vec![why.into()], ..Emulated::default() };
    if !studies.iter().any(|study| study.processors) {
        return Emulated::default();
    }
    match &options.processors {
        _ if options.quick => absent("Other processors are left out by `--quick`."),
        None => absent("Other processors are left out: the repository's folder `processors` is not here."),
        Some(folder) => processors::run(folder, run, Measured::of(findings, &[]).records, progress),
    }
}

/// Runs the studies' experiments, each once.
fn experiments(
    studies: &[Study],
    run: &Run,
    engines: &[Box<dyn Engine>],
    options: &StudyOptions,
    progress: &dyn Progress,
) -> Result<Vec<Box<dyn Findings>>, LabError> {
    if let Some(study) = studies.iter().find(|study| experiment(&study.experiment).is_none()) {
        return Err(LabError::Internal(format!("{}: no experiment is called {}", study.name, study.experiment)));
    }
    let mut findings = Vec::new();
    for experiment in EXPERIMENTS {
        let studies = studies.iter().filter(|study| study.experiment == experiment.name());
        let requests: Vec<Request<'_>> = studies.map(|study| study.request(run.quick)).collect();
        if requests.is_empty() {
            continue;
        }
        let asked = Asked {
            requests: &requests,
            engines,
            probe: &options.probe,
            largest: options.largest,
            station: options.station.as_ref(),
            distribution: options.distribution.as_deref(),
            material: options.material.as_deref(),
        };
        let found = experiment.run(run, &asked, progress);
        findings.push(found.map_err(|why| LabError::Experiment(experiment.name().into(), why))?);
    }
    Ok(findings)
}

/// Creates the report's folder, and checks that it is writable.
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
    let mut chosen: Vec<Study> =
        all.into_iter().filter(|study| names.is_empty() || names.contains(&study.name)).collect();
    for name in names.iter().filter(|name| !known.contains(name)) {
        if !Path::new(name).join("study.toml").is_file() {
            return Err(LabError::UnknownStudy(name.clone(), known));
        }
        let study = study::from_folder(Path::new(name)).map_err(LabError::Study)?;
        // Otherwise their files would have the same names.
        if chosen.iter().any(|other| other.name == study.name) {
            return Err(LabError::Study(format!(
                "{name}: another study of this run has the same name, {}",
                study.name
            )));
        }
        chosen.push(study);
    }
    Ok(chosen)
}

/// The report's files in their folder, and their paths.
fn write_files(folder: &Path, report: &Report<'_>, started: &str) -> Result<Vec<PathBuf>, LabError> {
    let figures = report.figures();
    let markdown = report.markdown(&figures);
    let mut files = vec![("report.md".to_string(), markdown.clone())];
    if let Some(corpus) = report.corpus {
        let text = serde_json::to_string_pretty(corpus).map_err(|e| LabError::Internal(e.to_string()))?;
        files.push(("corpus.json".to_string(), text + "\n"));
    }
    for found in report.measured.findings {
        let Some(experiment) = experiment(found.experiment()).filter(|_| found.run().is_some()) else { continue };
        files.push((experiment.file(), found.recorded().map_err(|e| LabError::Internal(e.to_string()))?));
    }
    let emulated = report.measured.emulated;
    if !emulated.is_empty() {
        let lines = record::to_lines(emulated).map_err(|e| LabError::Internal(e.to_string()))?;
        files.push((processors::FILE.into(), lines));
    }
    files.extend(report.data().into_iter().map(|file| (file.file(), file.table.csv())));
    let names: Vec<String> =
        files.iter().map(|(name, _)| name).chain(figures.iter().map(|one| &one.name)).cloned().collect();
    files.push(("index.html".to_string(), page::html(report, &figures, &names)));
    files.extend(figures.into_iter().map(|figure| (figure.name, figure.plot.svg())));
    publish(folder, &files, started).map_err(|e| LabError::File(folder.into(), e))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Silent;

    /// The study's folder contains only data.
    #[test]
    fn a_study_is_a_folder_and_its_experiment_is_a_file() {
        let folder = PrivateFolder::new_in(&std::env::temp_dir(), "roadwire-dice-").unwrap();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        write(
            "study.toml",
            "name = 'die'\ntitle = 'How a die falls'\ncitation = 'Nobody, 2026'\nexperiment = 'dice'\nmessages = []\nquick = []\nrules = []\n\
             [[tables]]\nid = '1'\ntitle = 'Sixes'\n",
        );
        write(
            "published.csv",
            "table,row,column,unit,value,where,ours,fit,counted,note\n1,die,throws,,60,p. 1,dice:throws,,,\n1,die,share,,9,p. 1,dice:sixes / dice:throws,,,\n",
        );
        let report = folder.path().join("report");
        let options = StudyOptions {
            studies: vec![folder.path().display().to_string()],
            largest: Some(60),
            form: Form::Tables,
            seed: Some(7),
            out: Some(report.clone()),
            ..StudyOptions::default()
        };
        let mut text = Vec::new();
        let outcome = run(&options, &mut text, &Silent).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert!(outcome.passed() && text.contains("Throws of a die"), "{text}");
        assert!(text.contains("1 reproduced") && text.contains("1 differs"), "{text}");
        let recorded = Recorded::read(&report).unwrap();
        assert_eq!(recorded.measured().findings("dice").unwrap().run().unwrap().seed, 7);
    }
}
