//! `roadwire capture`: recorded traffic, a record for each frame.

use std::collections::BTreeMap;
use std::path::Path;

use roadwire_capture::file::{FileError, Frame, Reader};
#[cfg(feature = "columns")]
use roadwire_columns::Format;
use serde_json::json;

use crate::args::CaptureArgs;
#[cfg(feature = "columns")]
use crate::args::Records;
use crate::failure::{Exit, Failure, tell_line};
use crate::filter::{self, Filter};
use crate::identity;
use crate::input;
use crate::output::Output;
use crate::parts;
use crate::progress::{Bar, Counted};
use crate::recognition::{Candidate, Recognition, Schemas};
use crate::record::{self, Heading, Layers, Problem, Record};
use crate::schema::Schema;
#[cfg(feature = "columns")]
use crate::tables::{self, Row, Tables};
use crate::traffic::Traffic;
use crate::verification::Verification;

/// Octets of a file whose progress is shown, in MiB.
const LONG: u64 = 16 << 20;
/// Octets that are written at once, where nobody waits for a frame.
const BLOCK: usize = 64 << 10;

pub(crate) fn run(args: &CaptureArgs, json: bool) -> Result<Exit, Failure> {
    for path in &args.files {
        identity::check_different(path, args.output.as_deref())?;
    }
    if let (Some(folder), false) = (&args.report, args.force) {
        Traffic::check_new(folder)?;
    }
    let mut schemas = Schemas::new();
    if !args.modules.is_empty() {
        schemas = schemas.with_own(Schema::from_files(&args.modules, json)?, args.type_name.as_deref())?;
    }
    let recognition = Recognition::new(&schemas);
    let mut run = Run {
        filter: filter(args.filter.as_deref(), &recognition)?,
        recognition,
        verification: Verification::new(args.verify, &args.trust)?,
        traffic: args.report.as_ref().map(|_| Traffic::default()),
        sink: Sink::new(args)?,
        bar: Bar::new(),
        summary: Summary::default(),
    };
    let mut exit = Exit::Done;
    for path in &args.files {
        let read = run.file(path);
        run.bar.clear();
        let read = read?;
        run.sink.flush()?;
        if let Err(failure) = read {
            // What has been read counts, and other files are read.
            failure.tell(json);
            exit = if exit == Exit::Usage { exit } else { failure.exit() };
        }
    }
    run.sink.finish()?;
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
    traffic: Option<Traffic>,
    filter: Option<Filter>,
    sink: Sink,
    bar: Bar,
    summary: Summary,
}

impl Run<'_> {
    /// Reads a file.
    ///
    /// # Errors
    /// Outer: records cannot be written. Inner: the file cannot be read, or not to its end.
    fn file(&mut self, path: &Path) -> Result<Result<(), Failure>, Failure> {
        let name = input::display_name(path);
        // From a pipe, a frame is written as soon as it has come.
        let is_live = !path.metadata().is_ok_and(|found| found.is_file());
        let source = match input::open(path) {
            Ok(source) => source,
            Err(failure) => return Ok(Err(failure)),
        };
        let (source, read) = Counted::new(source);
        let mut reader = Reader::new(source);
        let length = path.metadata().map_or(0, |found| found.len());
        while let Some(next) = reader.next_frame() {
            if length >= LONG && !is_live {
                self.bar.show(&name, (read.get() >> 20) as usize, (length >> 20) as usize);
            }
            match next {
                Ok(frame) => self.frame(&name, &frame)?,
                Err(error) if error.goes_on => self.packet(&name, &error)?,
                Err(error) => return Ok(Err(input::unread(path, error))),
            }
            if is_live {
                self.sink.flush_lines()?;
            }
        }
        Ok(Ok(()))
    }

    fn frame(&mut self, name: &str, frame: &Frame<'_>) -> Result<(), Failure> {
        let found = frame.dissect();
        let link = record::link(frame.link_type, &found);
        let heading = Heading { file: name, frame: frame.number, time: frame.time, link: Some(&link) };
        let mut problem = Problem::of_headers(&found);
        let octets = found.message();
        let port = found.btp.map(|btp| btp.port());
        let facility = octets.filter(|_| found.wsmp.is_none());
        // What a message contains is part of its verdict.
        let early = facility.filter(|_| self.verification.needs_parts(&found));
        let place = early.map(|octets| self.recognition.place(port, octets));
        let known = place.as_ref().and_then(|place| self.recognition.taken((*place.as_ref().ok()?)?));
        let parts = known.map_or(Vec::new(), |known| parts::of(known));
        // Those that are left out have certificates, too.
        let report = self.verification.report(&found, &parts, frame.time);
        let layers = Layers { found: &found, report: report.as_ref() };
        if let Some(filter) = &mut self.filter {
            filter.headers(|look| {
                record::heading(look, &heading);
                record::layers(look, &layers);
            });
            match octets {
                Some(octets) => filter.candidates(octets, &candidates(&self.recognition, port, facility)),
                None => look_at_problem(filter, problem.as_ref()),
            }
            if filter.is_wanted() == Some(false) {
                self.summary.left_out += 1;
                return Ok(());
            }
        }
        let mut known = None;
        if let Some(octets) = facility {
            match place.unwrap_or_else(|| self.recognition.place(port, octets)) {
                Ok(place) => known = place.and_then(|place| self.recognition.taken(place)),
                Err(failure) => problem = Some(Problem::of_message(&failure)),
            }
        }
        if let Some(filter) = &mut self.filter {
            if let Some(of) = known.as_deref().and_then(|known| candidate(known).ok().zip(Some(known.message()))) {
                filter.message(&of.0, of.1);
            }
            look_at_problem(filter, problem.as_ref());
            if filter.is_wanted() != Some(true) {
                self.summary.left_out += 1;
                return Ok(());
            }
        }
        if let Some(traffic) = &mut self.traffic {
            let message = known.as_deref().zip(octets);
            traffic.frame(&found, frame.time, message, report.as_ref().map(|report| report.verdict.name()));
        }
        let written = self.sink.record(&heading, Some(layers), octets, known.as_deref_mut(), problem.as_ref())?;
        if let Some(unwritten) = written {
            (known, problem) = (None, Some(unwritten));
        }
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
        Ok(())
    }

    /// A packet in a whole block, which cannot be read.
    fn packet(&mut self, name: &str, error: &FileError) -> Result<(), Failure> {
        let heading = Heading { file: name, frame: error.frame, time: None, link: None };
        let problem = Problem::of_file(error);
        if let Some(filter) = &mut self.filter {
            filter.headers(|look| record::heading(look, &heading));
            look_at_problem(filter, Some(&problem));
            if filter.is_wanted() != Some(true) {
                self.summary.left_out += 1;
                return Ok(());
            }
        }
        self.sink.record(&heading, None, None, None, Some(&problem))?;
        self.summary.frames += 1;
        self.summary.count("problems", error.code());
        Ok(())
    }
}

/// Where records go.
enum Sink {
    Lines {
        output: Output,
        /// Records that have not been written yet.
        lines: String,
    },
    #[cfg(feature = "columns")]
    Tables(Tables),
    /// Nowhere: there is a report alone.
    Nothing,
}

impl Sink {
    fn new(args: &CaptureArgs) -> Result<Sink, Failure> {
        let output = args.output.as_deref();
        if args.report.is_some() && output.is_none() {
            return Ok(Sink::Nothing);
        }
        #[cfg(feature = "columns")]
        if let Some(format) = match args.to {
            Records::Jsonl => None,
            Records::Csv => Some(Format::Csv),
            Records::Parquet => Some(Format::Parquet),
            Records::Arrow => Some(Format::Arrow),
        } {
            return Ok(Sink::Tables(Tables::new(format, output, args.force)));
        }
        let mut output = Output::open(output, args.force)?;
        output.keep_as_written()?;
        Ok(Sink::Lines { output, lines: String::new() })
    }

    /// Writes a record. A message that cannot be written is left as octets, with the problem that is returned.
    fn record(
        &mut self,
        heading: &Heading<'_>,
        layers: Option<Layers<'_>>,
        octets: Option<&[u8]>,
        mut known: Option<&mut Candidate<'_>>,
        problem: Option<&Problem>,
    ) -> Result<Option<Problem>, Failure> {
        let mut unwritten = None;
        match self {
            Sink::Lines { lines, .. } => {
                if let (Some(octets), Some(candidate)) = (octets, known.as_deref_mut()) {
                    unwritten = candidate.write_json(octets).err().map(|failure| Problem::of_message(&failure));
                }
                let mut record = Record::open(lines);
                record::heading(&mut record, heading);
                if let Some(layers) = &layers {
                    record::layers(&mut record, layers);
                }
                if let Some(octets) = octets {
                    record.message(octets, known.as_deref().filter(|_| unwritten.is_none()));
                }
                if let Some(problem) = unwritten.as_ref().or(problem) {
                    record::problem(&mut record, problem);
                }
                record.close();
                lines.push('\n');
                if lines.len() >= BLOCK {
                    self.flush_lines()?;
                }
            }
            #[cfg(feature = "columns")]
            Sink::Tables(tables) => {
                let row = Row { heading, layers, octets, known: known.as_deref(), problem };
                if let Err(error) = tables.push(&row)? {
                    let problem = Problem::of_message(&tables::refused(&error));
                    tables
                        .push(&Row { known: None, problem: Some(&problem), ..row })?
                        .map_err(|e| tables::refused(&e))?;
                    unwritten = Some(problem);
                }
            }
            Sink::Nothing => {}
        }
        Ok(unwritten)
    }

    /// Writes the lines that have not been written yet.
    fn flush_lines(&mut self) -> Result<(), Failure> {
        match self {
            Sink::Lines { output, lines } if !lines.is_empty() => {
                output.write(lines.as_bytes())?;
                lines.clear();
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// At the end of a file.
    fn flush(&mut self) -> Result<(), Failure> {
        match self {
            Sink::Lines { .. } => self.flush_lines(),
            #[cfg(feature = "columns")]
            Sink::Tables(tables) => tables.flush(),
            Sink::Nothing => Ok(()),
        }
    }

    fn finish(mut self) -> Result<(), Failure> {
        self.flush()?;
        match self {
            Sink::Lines { output, .. } => output.finish(),
            #[cfg(feature = "columns")]
            Sink::Tables(tables) => tables.finish(),
            Sink::Nothing => Ok(()),
        }
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
