//! `roadwire capture`: recorded traffic, a record for each frame.

use roadwire_recording::in_order::cores;
#[cfg(feature = "columns")]
use roadwire_recording::{Builders, Format, Tables};
use roadwire_recording::{Made, Pieces, Records, Schemas, Summary, Verification, Walk};

use crate::args::{CaptureArgs, ProfileArg, Records as To};
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
    if let (Some(folder), false) = (&args.report, args.force) {
        Traffic::check_new(folder)?;
    }
    let mut schemas = Schemas::new();
    if !args.modules.is_empty() {
        let own = Schema::from_files(&args.modules, &args.reading, json)?.schema;
        schemas = schemas.with_own(own, args.type_name.as_deref()).map_err(schema::unknown_type)?;
    }
    let walk = |_| {
        let walk = Walk::new(&schemas, records(args)).noting(args.report.is_some());
        walk.filtered(args.filter.as_deref())
    };
    let walks = (0..jobs(args)).map(walk).collect::<Result<Vec<_>, _>>()?;
    // The option names a file each time: none is no trust asked for.
    let trust = Some(args.trust.as_slice()).filter(|files| !files.is_empty());
    let verification = Verification::new(args.verify, trust, ProfileArg::choice(args.profile), &schemas)?;
    let mut sink = Sink::new(args)?;
    let mut traffic = args.report.as_ref().map(|_| Traffic::default());
    let (bar, mut summary, mut exit) = (Bar::new(), Summary::default(), Exit::Done);
    let read = roadwire_recording::read(
        Pieces::new(args.files.clone(), records(args).blocks()),
        verification,
        walks,
        |piece, walked| {
            let (read, length) = piece.progress;
            if length >= LONG {
                bar.show(&piece.file, (read >> 20) as usize, (length >> 20) as usize);
            }
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
                // What has been read counts, and other files are read.
                failure.tell(json);
                exit = if exit == Exit::Usage { exit } else { failure.exit() };
            }
            Ok::<_, Failure>(())
        },
    );
    bar.clear();
    read?;
    sink.finish()?;
    if let (Some(folder), Some(traffic)) = (&args.report, &traffic) {
        let names: Vec<String> = args.files.iter().map(|path| input::display_name(path)).collect();
        traffic.write(folder, &names, args.force)?;
    }
    tell(&summary, args.files.len(), json);
    Ok(exit)
}

/// On stderr: what is on stdout is records alone.
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

/// What frames become.
fn records(args: &CaptureArgs) -> Records {
    match args.to.unwrap_or(To::Jsonl) {
        _ if args.report.is_some() && args.output.is_none() => Records::Nothing,
        To::Jsonl => Records::Lines(String::new()),
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
            return Ok(Sink::Tables(Tables::new(format, output, args.force)));
        }
        let mut output = Output::open(output, args.force)?;
        output.keep_as_written()?;
        Ok(Sink::Lines(output))
    }

    fn write(&mut self, records: Made) -> Result<(), Failure> {
        match (self, records) {
            (Sink::Lines(output), Made::Lines(lines)) if !lines.is_empty() => output.write(lines.as_bytes()),
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

    fn finish(self) -> Result<(), Failure> {
        match self {
            Sink::Lines(output) => output.finish(),
            #[cfg(feature = "columns")]
            Sink::Tables(tables) => Ok(tables.finish()?),
            Sink::Nothing => Ok(()),
        }
    }
}
