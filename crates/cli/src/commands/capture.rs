//! `roadwire capture`: recorded traffic, a record for each frame.

use std::collections::BTreeMap;
use std::path::Path;

use roadwire_capture::file::{FileError, Frame, Reader};
use serde_json::json;

use crate::args::CaptureArgs;
use crate::failure::{Exit, Failure, tell_line};
use crate::filter::{self, Filter};
use crate::identity;
use crate::input;
use crate::output::Output;
use crate::recognition::{Candidate, Recognition, Schemas};
use crate::record::{self, Heading, Problem, Record};
use crate::traffic::Traffic;
use crate::verification::Verification;

/// Octets that are written at once, where nobody waits for a frame.
const BLOCK: usize = 64 << 10;

pub(crate) fn run(args: &CaptureArgs, json: bool) -> Result<Exit, Failure> {
    for path in &args.files {
        identity::check_different(path, args.output.as_deref())?;
    }
    if let (Some(folder), false) = (&args.report, args.force) {
        Traffic::check_new(folder)?;
    }
    let schemas = Schemas::new();
    let recognition = Recognition::new(&schemas);
    let mut run = Run {
        filter: filter(args.filter.as_deref(), &recognition)?,
        recognition,
        verification: Verification::new(args.verify, &args.trust)?,
        output: Output::open(args.output.as_deref(), args.force)?,
        lines: String::new(),
        are_records_wanted: args.report.is_none() || args.output.is_some(),
        traffic: args.report.as_ref().map(|_| Traffic::default()),
        summary: Summary::default(),
    };
    run.output.keep_as_written()?;
    let mut exit = Exit::Done;
    for path in &args.files {
        let read = run.file(path);
        run.write()?;
        if let Err(failure) = read {
            // What has been read counts, and other files are read; a closed pipe ends it all.
            if failure.exit() == Exit::Done {
                return Err(failure);
            }
            failure.tell(json);
            exit = if exit == Exit::Usage { exit } else { failure.exit() };
        }
    }
    run.output.finish()?;
    if let (Some(folder), Some(traffic)) = (&args.report, &run.traffic) {
        let names: Vec<String> = args.files.iter().map(|path| input::display_name(path)).collect();
        traffic.write(folder, &names, args.force)?;
    }
    run.summary.tell(args.files.len(), json);
    Ok(exit)
}

struct Run<'a> {
    recognition: Recognition<'a>,
    verification: Verification,
    filter: Option<Filter>,
    output: Output,
    /// Records that have not been written yet.
    lines: String,
    are_records_wanted: bool,
    traffic: Option<Traffic>,
    summary: Summary,
}

impl Run<'_> {
    fn file(&mut self, path: &Path) -> Result<(), Failure> {
        let name = input::display_name(path);
        // From a pipe, a frame is written as soon as it has come.
        let is_live = !path.metadata().is_ok_and(|found| found.is_file());
        let mut reader = Reader::new(input::open(path)?);
        while let Some(next) = reader.next_frame() {
            match next {
                Ok(frame) => self.frame(&name, &frame),
                Err(error) if error.goes_on => self.packet(&name, &error),
                Err(error) => return Err(refused(path, &name, error)),
            }
            if is_live || self.lines.len() >= BLOCK {
                self.write()?;
            }
        }
        Ok(())
    }

    fn write(&mut self) -> Result<(), Failure> {
        if self.are_records_wanted && !self.lines.is_empty() {
            self.output.write(self.lines.as_bytes())?;
        }
        self.lines.clear();
        Ok(())
    }

    fn frame(&mut self, name: &str, frame: &Frame<'_>) {
        let found = frame.dissect();
        let link = record::link(frame.link_type, &found);
        let heading = Heading { file: name, frame: frame.number, time: frame.time, link: Some(&link) };
        let mut problem = found.problem.map(|problem| Problem {
            code: problem.code().to_owned(),
            message: problem.fault.text().to_owned(),
            at: format!("octet {}", problem.octet),
        });
        let octets = found.message();
        let port = found.btp.map(|btp| btp.port());
        let facility = octets.filter(|_| found.wsmp.is_none());
        // Those that are left out have certificates, too.
        let report = self.verification.report(&found, frame.time);
        if let Some(filter) = &mut self.filter {
            filter.headers(|look| {
                record::heading(look, &heading);
                record::layers(look, &found, report.as_ref());
            });
            match octets {
                Some(octets) => filter.candidates(octets, &candidates(&self.recognition, port, facility)),
                None => look_at_problem(filter, problem.as_ref()),
            }
            if filter.is_wanted() == Some(false) {
                self.summary.left_out += 1;
                return;
            }
        }
        let mut known = None;
        if let Some(octets) = facility {
            match self.recognition.recognize(port, octets) {
                Ok(candidate) => known = candidate,
                Err(failure) => problem = Some(of_message(&failure)),
            }
        }
        if let Some(filter) = &mut self.filter {
            if let Some(of) = known.as_deref().and_then(|known| candidate(known).ok().zip(Some(known.message()))) {
                filter.message(&of.0, of.1);
            }
            look_at_problem(filter, problem.as_ref());
            if filter.is_wanted() != Some(true) {
                self.summary.left_out += 1;
                return;
            }
        }
        if let Some(traffic) = &mut self.traffic {
            let message = known.as_deref().zip(octets);
            traffic.frame(&found, frame.time, message, report.as_ref().map(|report| report.verdict.name()));
        }
        if let (true, Some(octets), Some(candidate)) = (self.are_records_wanted, octets, known.as_deref_mut()) {
            if let Err(failure) = candidate.write_json(octets) {
                (known, problem) = (None, Some(of_message(&failure)));
            }
        }
        let mut record = Record::open(&mut self.lines);
        record::heading(&mut record, &heading);
        record::layers(&mut record, &found, report.as_ref());
        if let Some(octets) = octets {
            record.message(octets, known.as_deref());
        }
        if let Some(problem) = &problem {
            record::problem(&mut record, problem);
        }
        record.close();
        self.lines.push('\n');
        let summary = &mut self.summary;
        summary.frames += 1;
        summary.count("link", &link);
        if let Some(common) = &found.common {
            summary.count("packets", common.packet_type.name());
        }
        if let Some(envelope) = &found.envelope {
            summary.count("security", record::format(envelope, &found));
        }
        if let Some(report) = &report {
            summary.count("verdicts", report.verdict.name());
        }
        if octets.is_some() {
            let unknown = if problem.is_some() { "refused" } else { "unknown" };
            summary.count("messages", known.map_or(unknown, |known| known.name));
        }
        if let Some(problem) = &problem {
            summary.count("problems", &problem.code);
        }
    }

    /// A packet in a whole block, which cannot be read.
    fn packet(&mut self, name: &str, error: &FileError) {
        let heading = Heading { file: name, frame: error.frame, time: None, link: None };
        let at = format!("octet {} of the file", error.octet);
        let problem = Problem { code: error.code().to_owned(), message: error.fault.text().to_owned(), at };
        if let Some(filter) = &mut self.filter {
            filter.headers(|look| record::heading(look, &heading));
            look_at_problem(filter, Some(&problem));
            if filter.is_wanted() != Some(true) {
                self.summary.left_out += 1;
                return;
            }
        }
        let mut record = Record::open(&mut self.lines);
        record::heading(&mut record, &heading);
        record::problem(&mut record, &problem);
        record.close();
        self.lines.push('\n');
        self.summary.frames += 1;
        self.summary.count("problems", error.code());
    }
}

/// The filter that is asked for.
fn filter(text: Option<&str>, recognition: &Recognition<'_>) -> Result<Option<Filter>, Failure> {
    text.map(|text| Filter::new(text, recognition.all().iter().map(candidate))).transpose()
}

/// The schemas that a message may be of. One that cannot be read, which does not happen, is none.
fn candidates<'a>(
    recognition: &Recognition<'a>,
    port: Option<u16>,
    octets: Option<&[u8]>,
) -> Vec<filter::Candidate<'a>> {
    let candidates = octets.into_iter().flat_map(|octets| recognition.candidates(port, octets));
    candidates.filter_map(|one| candidate(one).ok()).collect()
}

fn candidate<'a>(of: &Candidate<'a>) -> Result<filter::Candidate<'a>, Failure> {
    let (model, type_id) = of.types()?;
    Ok(filter::Candidate { schema: of.name, type_name: of.type_name, model, type_id })
}

fn look_at_problem(filter: &mut Filter, problem: Option<&Problem>) {
    filter.problem(|look| {
        if let Some(problem) = problem {
            record::problem(look, problem);
        }
    });
}

fn refused(path: &Path, name: &str, error: FileError) -> Failure {
    match &error.source {
        Some(source) => Failure::io("read", path, source),
        None => Failure::refused(error.code(), error.to_string()).in_file(name),
    }
}

fn of_message(failure: &Failure) -> Problem {
    let (code, message, place) = failure.parts();
    let bit = place.bit.map_or("the message".to_owned(), |bit| format!("bit {bit} of the message"));
    let at = place.path.as_ref().map_or(bit.clone(), |path| format!("{bit}, {path}"));
    Problem { code: code.to_owned(), message: message.to_owned(), at }
}

/// How many frames there were of each kind.
#[derive(Default)]
struct Summary {
    frames: u64,
    /// By `--where`.
    left_out: u64,
    counts: BTreeMap<&'static str, BTreeMap<String, u64>>,
}

impl Summary {
    fn count(&mut self, what: &'static str, name: &str) {
        let counts = self.counts.entry(what).or_default();
        match counts.get_mut(name) {
            Some(count) => *count += 1,
            None => drop(counts.insert(name.to_owned(), 1)),
        }
    }

    /// On stderr: what is on stdout is records alone.
    fn tell(&self, files: usize, json: bool) {
        if json {
            let mut told = json!({ "frames": self.frames, "files": files, "counts": self.counts });
            if self.left_out > 0 {
                told["left_out"] = self.left_out.into();
            }
            tell_line(&told.to_string());
            return;
        }
        let plural = |count: u64, noun: &str| format!("{count} {noun}{}", if count == 1 { "" } else { "s" });
        let left_out = match self.left_out {
            0 => String::new(),
            count => format!(", and {count} that --where left out"),
        };
        tell_line(&format!("{} in {}{left_out}", plural(self.frames, "frame"), plural(files as u64, "file")));
        for what in ["link", "packets", "security", "verdicts", "messages", "problems"] {
            let Some(counts) = self.counts.get(what) else { continue };
            let told: Vec<String> = counts.iter().map(|(name, count)| format!("{name} {count}")).collect();
            tell_line(&format!("  {what:<9} {}", told.join(", ")));
        }
    }
}
