//! A recording as a stream of batches, for programs other than the command: the columns of its frames, with the octets of their messages.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

use roadwire_capture::file::{Frame, Reader};
use roadwire_columns::arrays::{RecordBatch, RecordBatchReader};
use roadwire_columns::fields::{ArrowError, Schema, SchemaRef};

use crate::failure::Failure;
use crate::input;
use crate::parts;
use crate::recognition::{Recognition, Schemas};
use crate::record::{self, Heading, Layers, Problem};
use crate::tables::{Frames, Row};
use crate::verification::Verification;

/// The most rows of a batch, and octets of frames after which one ends.
const MOST_ROWS: usize = 1 << 14;
const MOST_OCTETS: usize = 2 << 20;
/// Batches that wait to be taken.
const AHEAD: usize = 2;

/// The frames of a recording in columns, those that `capture --to arrow` has beside `message.value`. They are read by a thread of its own, a few batches ahead, so that memory is bounded.
pub struct CaptureStream {
    schema: SchemaRef,
    /// What was looked at to see whether the file can be read.
    first: Option<Batch>,
    rest: Receiver<Batch>,
    /// Ends when there is nothing left to read.
    thread: Option<JoinHandle<()>>,
}

type Batch = Result<RecordBatch, StreamError>;

/// Why a recording is not read, or not to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StreamError {
    /// Stable, such as `file.io`.
    pub code: String,
    /// What is wrong, and where.
    pub message: String,
}

impl CaptureStream {
    /// Opens a recording: pcap or pcapng, gzipped or not. With `verify`, signed messages have a verdict.
    ///
    /// # Errors
    /// The file cannot be read, or is no recording.
    pub fn open(path: &Path, verify: bool) -> Result<Self, StreamError> {
        let schema = batch(&mut Frames::new())?.schema();
        let (sender, rest) = sync_channel(AHEAD);
        let path = path.to_owned();
        let thread = thread::spawn(move || {
            if let Err(failure) = read(path, verify, &sender) {
                // Nobody may be left to hear it.
                let _ = sender.send(Err(failure.into()));
            }
        });
        match rest.recv().ok() {
            Some(Err(error)) => Err(error),
            first => Ok(CaptureStream { schema, first, rest, thread: Some(thread) }),
        }
    }
}

impl Iterator for CaptureStream {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.first.take().or_else(|| self.rest.recv().ok());
        let Some(next) = next else {
            // A thread that has not ended well has not read all.
            let is_whole = self.thread.take().is_none_or(|thread| thread.join().is_ok());
            return (!is_whole).then(|| Err(ArrowError::ComputeError("the recording was not read to its end".into())));
        };
        Some(next.map_err(|error| ArrowError::ExternalError(Box::new(error))))
    }
}

impl RecordBatchReader for CaptureStream {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}

impl std::fmt::Debug for CaptureStream {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CaptureStream").finish_non_exhaustive()
    }
}

impl std::fmt::Display for StreamError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} [{}]", self.message, self.code)
    }
}

impl std::error::Error for StreamError {}

impl From<Failure> for StreamError {
    fn from(failure: Failure) -> Self {
        StreamError { code: failure.code().to_owned(), message: failure.line() }
    }
}

/// Reads all frames, and sends them in batches. It ends when nobody takes them any more.
fn read(path: PathBuf, verify: bool, sender: &SyncSender<Batch>) -> Result<(), Failure> {
    let name = input::display_name(&path);
    let schemas = Schemas::new();
    let mut run = Run {
        name: &name,
        recognition: Recognition::new(&schemas),
        verification: Verification::new(verify, &[])?,
        frames: Frames::new(),
        octets: 0,
    };
    let mut reader = Reader::new(input::open(&path)?);
    while let Some(next) = reader.next_frame() {
        match next {
            Ok(frame) => run.frame(&frame),
            Err(error) if error.goes_on => {
                let heading = Heading { file: run.name, frame: error.frame, time: None, link: None };
                let problem = Problem::of_file(&error);
                let row = Row { heading: &heading, layers: None, octets: None, known: None, problem: Some(&problem) };
                run.frames.push(&row);
            }
            Err(error) => {
                run.send(sender)?;
                return Err(input::unread(&path, error));
            }
        }
        if (run.frames.rows() >= MOST_ROWS || run.octets >= MOST_OCTETS) && !run.send(sender)? {
            return Ok(());
        }
    }
    run.send(sender).map(drop)
}

struct Run<'a> {
    name: &'a str,
    recognition: Recognition<'a>,
    verification: Verification,
    frames: Frames,
    /// Of the frames in this batch.
    octets: usize,
}

impl Run<'_> {
    fn frame(&mut self, frame: &Frame<'_>) {
        let found = frame.dissect();
        let link = record::link(frame.link_type, &found);
        let heading = Heading { file: self.name, frame: frame.number, time: frame.time, link: Some(&link) };
        let mut problem = Problem::of_headers(&found);
        let octets = found.message();
        let port = found.btp.map(|btp| btp.port());
        let facility = octets.filter(|_| found.wsmp.is_none());
        let place = facility.map_or(Ok(None), |octets| self.recognition.place(port, octets));
        let known = match place {
            Ok(place) => place.and_then(|place| self.recognition.taken(place)),
            Err(failure) => {
                problem = Some(Problem::of_message(&failure));
                None
            }
        };
        let parts = match &known {
            Some(known) if self.verification.needs_parts(&found) => parts::of(known),
            _ => Vec::new(),
        };
        let report = self.verification.report(&found, &parts, frame.time);
        let layers = Some(Layers { found: &found, report: report.as_ref() });
        let (known, problem) = (known.as_deref(), problem.as_ref());
        self.frames.push(&Row { heading: &heading, layers, octets, known, problem });
        self.octets += found.frame.len();
    }

    /// Sends what there is; whether it was taken.
    fn send(&mut self, sender: &SyncSender<Batch>) -> Result<bool, Failure> {
        self.octets = 0;
        Ok(self.frames.rows() == 0 || sender.send(Ok(batch(&mut self.frames)?)).is_ok())
    }
}

fn batch(frames: &mut Frames) -> Result<RecordBatch, Failure> {
    let rows = frames.finish(None)?;
    let schema = Arc::new(Schema::new(rows.fields().clone()));
    RecordBatch::try_new(schema, rows.into_parts().1)
        .map_err(|error| Failure::refused("columns.arrow", error.to_string()))
}
