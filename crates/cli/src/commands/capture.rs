//! `roadwire capture`: recorded traffic, a record for each frame.

use std::collections::BTreeMap;
use std::path::Path;

use roadwire_capture::file::{FileError, Frame, Reader};
use serde_json::json;

use crate::args::CaptureArgs;
use crate::failure::{Exit, Failure, tell_line};
use crate::identity;
use crate::input;
use crate::output::Output;
use crate::recognition::{Recognition, Schemas};
use crate::record::{self, Problem, Record};
use crate::verification::Verification;

/// Octets that are written at once, where nobody waits for a frame.
const BLOCK: usize = 64 << 10;

pub(crate) fn run(args: &CaptureArgs, json: bool) -> Result<Exit, Failure> {
    for path in &args.files {
        identity::check_different(path, args.output.as_deref())?;
    }
    let schemas = Schemas::new();
    let mut run = Run {
        recognition: Recognition::new(&schemas),
        verification: Verification::new(args.verify, &args.trust)?,
        output: Output::open(args.output.as_deref(), args.force)?,
        lines: String::new(),
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
    run.summary.tell(args.files.len(), json);
    Ok(exit)
}

struct Run<'a> {
    recognition: Recognition<'a>,
    verification: Verification,
    output: Output,
    /// Records that have not been written yet.
    lines: String,
    summary: Summary,
}

impl Run<'_> {
    fn file(&mut self, path: &Path) -> Result<(), Failure> {
        let name = input::display_name(path);
        let name_json = serde_json::Value::from(name.as_str()).to_string();
        // From a pipe, a frame is written as soon as it has come.
        let is_live = !path.metadata().is_ok_and(|found| found.is_file());
        let mut reader = Reader::new(input::open(path)?);
        while let Some(next) = reader.next_frame() {
            match next {
                Ok(frame) => self.frame(&name_json, &frame),
                Err(error) if error.goes_on => self.packet(&name_json, &error),
                Err(error) => return Err(refused(path, &name, error)),
            }
            if is_live || self.lines.len() >= BLOCK {
                self.write()?;
            }
        }
        Ok(())
    }

    fn write(&mut self) -> Result<(), Failure> {
        if !self.lines.is_empty() {
            self.output.write(self.lines.as_bytes())?;
            self.lines.clear();
        }
        Ok(())
    }

    fn frame(&mut self, name: &str, frame: &Frame<'_>) {
        let found = frame.dissect();
        let summary = &mut self.summary;
        let link = record::link(frame.link_type, &found);
        let mut problem = found.problem.map(|problem| Problem {
            code: problem.code().to_owned(),
            message: problem.fault.text().to_owned(),
            at: format!("octet {}", problem.octet),
        });
        let mut record = Record::open(&mut self.lines);
        record.number("file", name);
        record.number("frame", frame.number);
        if let Some(time) = frame.time {
            record.plain("time", time);
        }
        record.plain("link", &link);
        let report = self.verification.report(&found, frame.time);
        record.layers(&found, report.as_ref());
        if let Some(octets) = found.message() {
            let port = found.btp.map(|btp| btp.port());
            let is_facility = found.wsmp.is_none();
            let recognized = if is_facility { self.recognition.recognize(port, octets) } else { Ok(None) };
            match recognized {
                Ok(known) => {
                    record.message(octets, known.as_ref());
                    summary.count("messages", known.map_or("unknown", |known| known.schema));
                }
                Err(failure) => {
                    record.message(octets, None);
                    summary.count("messages", "refused");
                    problem = Some(of_message(&failure));
                }
            }
        }
        if let Some(problem) = &problem {
            record.problem(problem);
            summary.count("problems", &problem.code);
        }
        record.close();
        self.lines.push('\n');
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
    }

    /// A packet in a whole block, which cannot be read.
    fn packet(&mut self, name: &str, error: &FileError) {
        let mut record = Record::open(&mut self.lines);
        record.number("file", name);
        record.number("frame", error.frame);
        let at = format!("octet {} of the file", error.octet);
        record.problem(&Problem { code: error.code().to_owned(), message: error.fault.text().to_owned(), at });
        record.close();
        self.lines.push('\n');
        self.summary.frames += 1;
        self.summary.count("problems", error.code());
    }
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
            tell_line(&json!({ "frames": self.frames, "files": files, "counts": self.counts }).to_string());
            return;
        }
        let plural = |count: u64, noun: &str| format!("{count} {noun}{}", if count == 1 { "" } else { "s" });
        tell_line(&format!("{} in {}", plural(self.frames, "frame"), plural(files as u64, "file")));
        for what in ["link", "packets", "security", "verdicts", "messages", "problems"] {
            let Some(counts) = self.counts.get(what) else { continue };
            let told: Vec<String> = counts.iter().map(|(name, count)| format!("{name} {count}")).collect();
            tell_line(&format!("  {what:<9} {}", told.join(", ")));
        }
    }
}
