//! `roadwire study`: the laboratory, and its hidden `probe`.

use std::ffi::OsString;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::Instant;

use roadwire_lab::{Form, LabError, Method, Outcome, Progress, Station, StudyOptions};
use serde_json::json;

use crate::args::{ProbeArgs, StudyArgs, TimingMethod};
use crate::distribution;
use crate::failure::{Exit, Failure, tell_line};
use crate::output;
use crate::progress::Bar;
use crate::schema::Schema;

pub(crate) fn run(args: &StudyArgs, json: bool) -> Result<Exit, Failure> {
    let mut out = output::stdout()?.lock();
    if args.list {
        return list(&mut out, json);
    }
    if (args.send.is_some() || args.receive.is_some()) && args.names != ["certificates"] {
        return Err(Failure::usage("study.station", "--send and --receive are of the study `certificates` alone"));
    }
    let distribution = args.distribution.as_deref().map(|path| distribution_of(path, &args.names)).transpose()?;
    if let Some(path) = &args.corpus {
        // Fails now, not after minutes of measuring.
        std::fs::File::open(path).map_err(|error| Failure::io("read", path, &error))?;
    }
    let options = StudyOptions {
        studies: args.names.clone(),
        quick: args.quick,
        out: Some(args.out.clone()),
        form: match json {
            true => Form::Json,
            false if args.verbose => Form::Tables,
            false => Form::Summary,
        },
        method: match args.method {
            TimingMethod::Batched => Method::Batched,
            TimingMethod::Paper => Method::Paper,
        },
        corpus: args.corpus.clone(),
        distribution,
        material: args.material.clone(),
        peers: args.peers.clone(),
        with: args.with.clone(),
        processors: processors(),
        seed: args.seed,
        largest: args.certificates,
        station: match (&args.send, args.receive) {
            (Some(address), _) => Some(Station::Sender(address.clone())),
            (None, port) => port.map(Station::Receiver),
        },
        probe: probe_command(),
    };
    let (bar, began) = (Bar::new(), Instant::now());
    let outcome = roadwire_lab::run(&options, &mut out, &bar).map_err(failure);
    bar.clear();
    let outcome = outcome?;
    if !json {
        let (page, took) = (args.out.join("index.html"), began.elapsed().as_secs());
        let told = format!(
            "Report: {} (open it in a browser); tables and data beside it.\n{} min {} s: {}",
            page.display(),
            took / 60,
            took % 60,
            bar.stages()
        );
        writeln!(out, "{told}").map_err(|error| failure(LabError::Output(error)))?;
    }
    out.flush().map_err(|error| failure(LabError::Output(error)))?;
    tell(&outcome, json);
    Ok(if outcome.passed() { Exit::Done } else { Exit::Refused })
}

/// The text of a file of distributions for the certificate study.
fn distribution_of(path: &Path, names: &[String]) -> Result<String, Failure> {
    if !names.is_empty() && !names.iter().any(|name| name == "certificates") {
        return Err(Failure::usage("study.distribution", "--distribution is for the study `certificates`"));
    }
    let schema = Schema::of_name("certificate-2017")?;
    let certificate = schema.type_id(None)?;
    Ok(distribution::read(path, &schema, certificate)?.0)
}

/// Runs measured functions for an external measuring tool.
pub(crate) fn probe(args: &ProbeArgs) -> Result<Exit, Failure> {
    let mut out = output::stdout()?.lock();
    let done = match args.times {
        true => roadwire_lab::probe::times(args.own.as_deref(), &mut io::stdin().lock(), &mut out),
        false => roadwire_lab::probe::run(args.own.as_deref(), &args.messages, &mut out),
    };
    done.map_err(|e| failure(LabError::Output(e)))?;
    Ok(Exit::Done)
}

/// The repository's folder with the program for other processors; `None` where this program was not
/// built, or is no longer.
fn processors() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../processors");
    folder.join("run").is_file().then_some(folder)
}

/// How this program is started again to reach [`probe`]; empty where it cannot be found.
pub(crate) fn probe_command() -> Vec<OsString> {
    std::env::current_exe().map_or_else(|_| Vec::new(), |program| vec![program.into(), "probe".into()])
}

fn list(out: &mut dyn io::Write, json: bool) -> Result<Exit, Failure> {
    if json {
        for study in roadwire_lab::study::all().map_err(|why| failure(LabError::Internal(why)))? {
            let object = json!({ "study": study.name, "title": study.title, "citation": study.citation, "figures": study.published.len() });
            writeln!(out, "{object}").map_err(|error| failure(LabError::Output(error)))?;
        }
    } else {
        roadwire_lab::list(out).map_err(failure)?;
    }
    out.flush().map_err(|error| failure(LabError::Output(error)))?;
    Ok(Exit::Done)
}

/// Reports failures, and where the files are.
fn tell(outcome: &Outcome, json: bool) {
    let files: Vec<String> = outcome.written.iter().map(|path| path.display().to_string()).collect();
    let corpus_failures = outcome.corpus.as_ref().map_or(0, |corpus| corpus.failed);
    if json {
        let told =
            json!({ "written": files, "gate_failures": outcome.gate_failures, "corpus_failures": corpus_failures });
        tell_line(&told.to_string());
        return;
    }
    for why in &outcome.gate_failures {
        tell_line(&format!("roadwire: a cell failed: {why}"));
    }
    if corpus_failures > 0 {
        tell_line(&format!(
            "roadwire: {corpus_failures} recorded {} not come back the same; the report lists them",
            if corpus_failures == 1 { "message did" } else { "messages did" }
        ));
    }
}

pub(crate) fn failure(error: LabError) -> Failure {
    match error {
        LabError::Output(error) => Failure::io("write to", Path::new("stdout"), &error),
        LabError::File(path, error) => Failure::io("use", &path, &error),
        LabError::UnknownStudy(..) => {
            Failure::usage("study.unknown", error.to_string()).advise("`roadwire study --list` lists them")
        }
        LabError::NoMessages(..) => Failure::refused("corpus.empty", error.to_string())
            .advise("give UPER octets, a message on each line: hex digits, or JSON objects with a `uper` member"),
        LabError::Experiment(..) => Failure::refused("study.experiment", error.to_string()),
        LabError::Records(_) => Failure::usage("study.with", error.to_string())
            .advise("give the folder that an earlier `roadwire study` wrote with --out"),
        LabError::Study(_) => Failure::usage("study.folder", error.to_string())
            .advise("`studies/etsi-2014` in roadwire's repository is an example of such a folder"),
        LabError::Peers(_) => Failure::usage("study.peers", error.to_string())
            .advise("the folder has a folder with a peer.toml for each of them"),
        LabError::Internal(_) => Failure::refused("study.internal", error.to_string()),
    }
}

impl Progress for Bar {
    fn step(&self, what: &str, done: usize, total: usize) {
        self.stage(what, done, total);
    }

    fn end(&self) {
        Bar::end(self);
    }
}
