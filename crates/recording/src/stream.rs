//! A recording as a stream of batches, for programs other than the command: the columns of its
//! frames, with the octets of their messages.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

use roadwire_capture::file::Part;
use roadwire_columns::arrays::{RecordBatch, RecordBatchReader};
use roadwire_columns::fields::{ArrowError, SchemaRef};

use crate::in_order::MOST_JOBS;
use crate::{Error, Frames, Made, Pieces, Records, Schemas, Verification, VerificationOptions, Walk};

/// Batches that wait to be taken.
const AHEAD: usize = 2;

/// The frames of a recording in columns, those that `capture --to arrow` has beside
/// `message.value`. They are read by a thread of its own, a few batches ahead, so that memory is
/// bounded.
pub struct CaptureStream {
    schema: SchemaRef,
    /// The batch that was read to see whether the file can be read.
    first: Option<Batch>,
    rest: Receiver<Batch>,
    /// Ends when there is nothing left to read.
    thread: Option<JoinHandle<()>>,
}

/// The parts of a recording to read, and how.
#[derive(Clone, Debug, Default)]
pub struct CaptureOptions {
    /// Whether signed messages have a verdict, and by which rules.
    pub verification: VerificationOptions,
    /// Not all of the file.
    pub part: Option<Part>,
    /// So many threads work on it: one at least, and no more than 1024.
    pub jobs: usize,
}

type Batch = Result<RecordBatch, StreamError>;

/// Why a recording is not read, or not to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StreamError {
    /// Stable, such as `file.io`.
    pub code: String,
    /// The message, with the place.
    pub message: String,
}

impl CaptureStream {
    /// Opens a recording: pcap or pcapng, gzipped or not.
    ///
    /// # Errors
    /// The file cannot be read, or is no recording; a file of trusted certificates is none; a part
    /// is to be verified.
    pub fn open(path: &Path, options: &CaptureOptions) -> Result<Self, StreamError> {
        let schema = RecordBatch::from(Frames::new().finish(None)?).schema();
        let (sender, rest) = sync_channel(AHEAD);
        let (path, options) = (path.to_owned(), options.clone());
        let reader = thread::Builder::new().spawn(move || {
            if let Err(Stop::Failed(error)) = read(path, &options, &sender) {
                // The stream may have been dropped.
                let _ = sender.send(Err(error.into()));
            }
        });
        let thread = reader.map_err(|error| Error::usage("file.io", format!("cannot start a thread: {error}")))?;
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

impl From<Error> for StreamError {
    fn from(error: Error) -> Self {
        StreamError { message: error.to_string(), code: error.code }
    }
}

/// Why no more is read.
enum Stop {
    Failed(Error),
    /// The stream was dropped, or has the error already.
    Done,
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Stop::Failed(error)
    }
}

/// Reads all frames, and sends them in batches. It ends when the receiver is gone.
fn read(path: PathBuf, options: &CaptureOptions, sender: &SyncSender<Batch>) -> Result<(), Stop> {
    let schemas = Schemas::new();
    let is_whole = options.part.is_none();
    if !is_whole && options.verification.is_asked_for() {
        let what = "who signed a message is known from those before it, and a part has not all of them";
        return Err(Error::usage("capture.part", what).advise("verify the whole file").into());
    }
    let verification = Verification::new(&options.verification, &schemas)?;
    let records = || Records::Frames(Frames::new());
    let jobs = options.jobs.clamp(1, MOST_JOBS.into());
    let walks = (0..jobs).map(|_| Walk::new(&schemas, records()));
    let pieces = Pieces::of_part(path, options.part.clone().unwrap_or_else(Part::whole), records().blocks(jobs));
    crate::read(pieces, verification, walks.collect(), |piece, walked| {
        if let Made::Frames(Some(rows)) = walked.records {
            sender.send(Ok(rows.into())).map_err(|_| Stop::Done)?;
        }
        // An error ends the stream.
        piece.error.map_or(Ok(()), |error| Err(Stop::Failed(error)))
    })
}
