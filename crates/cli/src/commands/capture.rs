//! `roadwire capture`: recorded traffic, a record for each frame.

use std::path::Path;
use std::sync::Arc;

use roadwire_recording::in_order::cores;
#[cfg(feature = "columns")]
use roadwire_recording::{Builders, Format, Tables};
use roadwire_recording::{Lines, Made, Piece, Pieces, Records, Schemas, Summary, Verification, Walk};

use crate::args::{CaptureArgs, Checksum, Records as To};
use crate::failure::{Exit, Failure, tell_line};
use crate::identity;
use crate::input;
use crate::output::Output;
use crate::progress::Bar;
use crate::schema::{self, Schema};
use crate::traffic::Traffic;

/// Octets of a file whose progress is shown, in MiB.
const LONG: u64 = 16 << 20;
/// Octets of files up to which threads are not worth it.
const SHORT: u64 = 1 << 20;

pub(crate) fn run(args: &CaptureArgs, json: bool) -> Result<Exit, Failure> {
    for path in &args.files {
        identity::check_different(path, args.output.as_deref())?;
    }
    if let Some(folder) = &args.report {
        Traffic::check(folder, &args.files, args.force)?;
    }
    let mut schemas = Schemas::new();
    if !args.modules.is_empty() {
        let own = Schema::from_files(&args.modules, &args.reading, json)?.schema;
        schemas = schemas.with_own(own, args.type_name.as_deref()).map_err(schema::unknown_type)?;
    }
    let options = args.verification.options(args.verify);
    let lines = Lines::default();
    let walk = |_| {
        let walk = Walk::new(&schemas, records(args, &lines)).noting(args.report.is_some());
        let walk = walk.ignoring_checksum(args.checksum == Checksum::Ignore);
        walk.filtered(args.filter.as_deref(), options.is_asked_for())
    };
    let walks = (0..jobs(args)).map(walk).collect::<Result<Vec<_>, _>>()?;
    let verification = Verification::new(&options, &schemas)?;
    let mut sink = Sink::new(args)?;
    let mut traffic = args.report.as_ref().map(|_| Traffic::default());
    let (bar, mut summary, mut exit) = (Bar::new(), Summary::default(), Exit::Done);
    let mut inputs = Inputs::default();
    let read = roadwire_recording::read(
        Pieces::new(args.files.clone(), records(args, &lines).blocks(jobs(args))),
        verification,
        walks,
        |piece, walked| {
            let (read, length) = piece.progress;
            if length >= LONG {
                bar.show(&piece.file, (read >> 20) as usize, (length >> 20) as usize);
            }
            inputs.add(&piece, walked.summary.read());
            sink.write(walked.records)?;
            summary.add(walked.summary);
            if let Some(traffic) = &mut traffic {
                walked.notes.into_iter().for_each(|note| traffic.add(note));
            }
            if piece.is_last {
                bar.clear();
                sink.flush()?;
            }
            if let Some(failure) = piece.error.map(Failure::from) {
                // The frames read so far count, and the other files are read.
                failure.tell(json);
                exit = if exit == Exit::Usage { exit } else { failure.exit() };
            }
            Ok::<_, Failure>(())
        },
    );
    bar.clear();
    read?;
    let exists = sink.replaces();
    if inputs.permit(exists) {
        sink.finish()?;
    }
    exit = inputs.report(args.output.as_deref().filter(|_| exists), exit, json);
    if let (Some(folder), Some(traffic)) = (&args.report, &traffic) {
        let exists = Traffic::is_in(folder);
        if inputs.permit(exists) {
            let names: Vec<String> = args.files.iter().map(|path| input::display_name(path)).collect();
            traffic.write(folder, &names, args.force)?;
        }
        exit = inputs.report(Some(folder.as_path()).filter(|_| exists), exit, json);
    }
    tell(&summary, args.files.len(), json);
    Ok(exit)
}

/// The result of reading the files: whether an existing output may be replaced.
#[derive(Default)]
struct Inputs {
    frames: u64,
    /// Of the file that is being read.
    current: u64,
    /// The first file of which nothing could be read.
    unread: Option<Arc<str>>,
    /// The first file that could not be read to its end.
    damaged: Option<Arc<str>>,
}

impl Inputs {
    fn add(&mut self, piece: &Piece, frames: u64) {
        self.frames += frames;
        self.current += frames;
        if piece.error.is_some() {
            let first = if self.current == 0 { &mut self.unread } else { &mut self.damaged };
            first.get_or_insert_with(|| Arc::clone(&piece.file));
        }
        if piece.is_last {
            self.current = 0;
        }
    }

    /// Whether the output is written. An existing one is replaced only if something was read of
    /// every file, and there was a frame; a new one is made unless nothing could be read.
    fn permit(&self, exists: bool) -> bool {
        match exists {
            true => self.unread.is_none() && self.frames > 0,
            false => self.unread.is_none() || self.frames > 0,
        }
    }

    /// Reports what became of an existing output, if that is not all that was asked for; and
    /// returns the exit code.
    fn report(&self, existing: Option<&Path>, exit: Exit, json: bool) -> Exit {
        let Some(path) = existing else { return exit };
        let path = path.display();
        let (code, what) = match (&self.unread, &self.damaged) {
            (Some(file), _) => ("file.kept", format!("{path} is left as it was: {file} could not be read")),
            _ if self.frames == 0 => ("file.kept", format!("{path} is left as it was: no frame was read")),
            (None, Some(file)) => ("file.partial", format!("{path} is replaced, by what could be read of {file}")),
            (None, None) => return exit,
        };
        let failure = Failure::refused(code, what);
        failure.tell(json);
        if exit == Exit::Done { failure.exit() } else { exit }
    }
}

/// On stderr: stdout has records alone.
fn tell(summary: &Summary, files: usize, json: bool) {
    match json {
        true => tell_line(&summary.to_json(files).to_string()),
        false => summary.lines(files).iter().for_each(|line| tell_line(line)),
    }
}

/// As many as are asked for. A pipe is read by one: its frames are written as they come.
fn jobs(args: &CaptureArgs) -> usize {
    if args.files.iter().any(|path| input::is_live(path)) {
        return 1;
    }
    let octets: u64 = args.files.iter().filter_map(|path| path.metadata().ok()).map(|found| found.len()).sum();
    args.jobs.map_or_else(|| if octets < SHORT { 1 } else { cores() }, usize::from)
}

/// The form of the output.
fn records(args: &CaptureArgs, lines: &Lines) -> Records {
    match args.to.unwrap_or(To::Jsonl) {
        _ if args.report.is_some() && args.output.is_none() => Records::Nothing,
        To::Jsonl => Records::Lines(lines.clone()),
        #[cfg(feature = "columns")]
        To::Csv | To::Parquet | To::Arrow => Records::Tables(Builders::default()),
    }
}

/// Where records go.
enum Sink {
    Lines(Output),
    #[cfg(feature = "columns")]
    Tables(Tables),
    /// Nowhere: there is a report alone.
    Nothing,
}

impl Sink {
    fn new(args: &CaptureArgs) -> Result<Sink, Failure> {
        let output = args.output.as_deref();
        if args.report.is_some() && output.is_none() {
            return match args.to {
                None => Ok(Sink::Nothing),
                Some(_) => Err(Failure::usage("usage.output", "with --report, records are written to a file only")
                    .advise("add --output FILE, or leave --to off")),
            };
        }
        #[cfg(feature = "columns")]
        if let Some(format) = match args.to.unwrap_or(To::Jsonl) {
            To::Jsonl => None,
            To::Csv => Some(Format::Csv),
            To::Parquet => Some(Format::Parquet),
            To::Arrow => Some(Format::Arrow),
        } {
            return Ok(Sink::Tables(Tables::new(format, output, args.force, &args.files)));
        }
        let mut output = Output::open(output, args.force)?;
        output.keep_as_written()?;
        Ok(Sink::Lines(output))
    }

    fn write(&mut self, records: Made) -> Result<(), Failure> {
        match (self, records) {
            (Sink::Lines(output), Made::Lines(lines)) => lines.write(|text| output.write(text.as_bytes())),
            #[cfg(feature = "columns")]
            (Sink::Tables(tables), Made::Tables(rows)) => {
                Ok(rows.into_iter().try_for_each(|rows| tables.push(rows))?)
            }
            _ => Ok(()),
        }
    }

    /// At the end of a file.
    fn flush(&mut self) -> Result<(), Failure> {
        match self {
            #[cfg(feature = "columns")]
            Sink::Tables(tables) => Ok(tables.flush()?),
            Sink::Lines(_) | Sink::Nothing => Ok(()),
        }
    }

    /// Whether there is an existing output, which is not changed unless this one is finished.
    fn replaces(&self) -> bool {
        match self {
            Sink::Lines(output) => output.replaces(),
            #[cfg(feature = "columns")]
            Sink::Tables(tables) => tables.replaces(),
            Sink::Nothing => false,
        }
    }

    fn finish(self) -> Result<(), Failure> {
        match self {
            Sink::Lines(output) => output.finish(),
            #[cfg(feature = "columns")]
            Sink::Tables(tables) => Ok(tables.finish()?),
            Sink::Nothing => Ok(()),
        }
    }
}
