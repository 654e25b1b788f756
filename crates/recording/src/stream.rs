//! A recording as a stream of batches, for programs other than the command: the columns of its
//! frames, with the octets of their messages.

use std::io::{self, BufReader, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread::{self, JoinHandle};

use roadwire_capture::file::Part;
use roadwire_columns::arrays::{RecordBatch, RecordBatchReader};
use roadwire_columns::fields::{ArrowError, SchemaRef};

use crate::in_order::MOST_JOBS;
use crate::input::Source;
use crate::{Error, Frames, Made, Pieces, Records, Schemas, Verification, VerificationOptions, Walk};

/// Batches that wait to be taken.
const AHEAD: usize = 2;
/// Octets that are asked for at once, of a source that the caller reads.
const ASKED: usize = 1 << 20;

/// The frames of a recording in columns, those that `capture --to arrow` has beside
/// `message.value`. They are worked on by a thread of its own, a few batches ahead, so that memory
/// is bounded.
pub struct CaptureStream {
    schema: SchemaRef,
    /// The batch that was read to see whether the file can be read.
    first: Option<Batch>,
    rest: Receiver<Event>,
    /// Of a recording that is no file.
    source: Option<Supply>,
    /// Ends when there is nothing left to read.
    thread: Option<JoinHandle<()>>,
}

/// The frames of a recording to read, and how.
#[derive(Clone, Debug, Default)]
pub struct CaptureOptions {
    /// Whether signed messages have a verdict, and by which rules.
    pub verification: VerificationOptions,
    /// Not all of the file.
    pub part: Option<Part>,
    /// So many threads work on it: one at least, and no more than 1024.
    pub jobs: usize,
    /// The columns that the batches have, in the order of records; without it, all.
    pub columns: Option<Vec<String>>,
    /// Only frames with a message of this schema.
    pub message: Option<String>,
    /// Only frames of which this is true: an expression as of `capture --where`.
    pub filter: Option<String>,
}

type Batch = Result<RecordBatch, StreamError>;

/// A message of the thread.
enum Event {
    Batch(Batch),
    /// It asks for so many octets of the source.
    Wants(usize),
}

/// A source that is read where batches are taken: some may be read by no other thread.
struct Supply {
    source: Source,
    octets: Sender<io::Result<Vec<u8>>>,
}

/// Why a recording is not read, or not to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StreamError {
    /// Stable, such as `file.io`.
    pub code: String,
    /// The message, with the place.
    pub message: String,
}

impl CaptureOptions {
    /// The columns of the batches.
    ///
    /// # Errors
    /// Options that do not fit together: `columns.unknown` for a column that frames do not have;
    /// `schema.unknown` for a message that recordings do not have; `where.syntax` and the like for
    /// an expression that has no sense.
    pub fn schema(&self) -> Result<SchemaRef, StreamError> {
        let schemas = Schemas::new();
        self.walk(&schemas)?;
        Ok(RecordBatch::from(self.frames()?.finish(None)?).schema())
    }

    fn frames(&self) -> Result<Frames, Error> {
        Frames::of(self.columns.as_deref())
    }

    fn walk<'a>(&self, schemas: &'a Schemas) -> Result<Walk<'a>, Error> {
        let walk = Walk::new(schemas, Records::Frames(self.frames()?)).of_message(self.message.as_deref())?;
        walk.filtered(self.filter.as_deref(), self.verification.is_asked_for())
    }
}

impl CaptureStream {
    /// Opens a recording: pcap or pcapng, gzipped or not.
    ///
    /// # Errors
    /// The file cannot be read, or is no recording; a file of trusted certificates is none; a part
    /// is to be verified; or as of [`CaptureOptions::schema`].
    pub fn open(path: &Path, options: &CaptureOptions) -> Result<Self, StreamError> {
        let (path, part) = (path.to_owned(), options.part.clone().unwrap_or_else(Part::whole));
        Self::start(options, None, |_| move |blocks| Pieces::of_part(path, part, blocks))
    }

    /// Reads a recording that is no file, under the name that its records have. The source is read
    /// by the thread that takes batches, and by no other.
    ///
    /// # Errors
    /// As of [`open`](CaptureStream::open).
    pub fn of_source(
        name: &str,
        source: impl Read + Send + 'static,
        options: &CaptureOptions,
    ) -> Result<Self, StreamError> {
        if options.part.is_some() {
            return Err(Error::usage("capture.part", "only a file has parts").into());
        }
        let (sender, octets) = channel();
        let (name, supply) = (name.to_owned(), Supply { source: Box::new(source), octets: sender });
        Self::start(options, Some(supply), |events| {
            let asking = Asking { events: events.clone(), octets };
            let source = Box::new(BufReader::with_capacity(ASKED, asking));
            move |blocks| Pieces::of_source(&name, source, blocks)
        })
    }

    fn start<P: FnOnce(usize) -> Pieces + Send + 'static>(
        options: &CaptureOptions,
        source: Option<Supply>,
        pieces: impl FnOnce(&SyncSender<Event>) -> P,
    ) -> Result<Self, StreamError> {
        let schema = options.schema()?;
        let (sender, rest) = sync_channel(AHEAD);
        let (pieces, options) = (pieces(&sender), options.clone());
        let reader = thread::Builder::new().spawn(move || {
            if let Err(Stop::Failed(error)) = read(pieces, &options, &sender) {
                // The stream may have been dropped.
                let _ = sender.send(Event::Batch(Err(error.into())));
            }
        });
        let thread = reader.map_err(|error| Error::usage("file.io", format!("cannot start a thread: {error}")))?;
        let mut stream = CaptureStream { schema, first: None, rest, source, thread: Some(thread) };
        stream.first = stream.receive().transpose()?.map(Ok);
        Ok(stream)
    }

    /// The next batch from the thread, which gets the octets that it asks for.
    fn receive(&mut self) -> Option<Batch> {
        loop {
            match self.rest.recv().ok()? {
                Event::Batch(batch) => return Some(batch),
                Event::Wants(most) => self.source.as_mut()?.serve(most),
            }
        }
    }
}

impl Supply {
    fn serve(&mut self, most: usize) {
        let mut octets = vec![0; most];
        let read = self.source.read(&mut octets).map(|count| {
            octets.truncate(count);
            octets
        });
        // A thread that has ended takes none.
        let _ = self.octets.send(read);
    }
}

/// The thread's end of a source.
struct Asking {
    events: SyncSender<Event>,
    octets: Receiver<io::Result<Vec<u8>>>,
}

impl Read for Asking {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let dropped = || io::Error::other("the stream was dropped");
        self.events.send(Event::Wants(into.len())).map_err(|_| dropped())?;
        let octets = self.octets.recv().map_err(|_| dropped())??;
        let count = octets.len().min(into.len());
        into.iter_mut().zip(&octets).for_each(|(into, octet)| *into = *octet);
        Ok(count)
    }
}

impl Iterator for CaptureStream {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.first.take().or_else(|| self.receive());
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
        let mut message = error.to_string();
        let is_of_option = |prefix| error.code.starts_with(prefix);
        if ["where.", "columns.unknown", "schema.unknown"].into_iter().any(is_of_option) {
            // Options of the command; here they have their names alone.
            let advice = error.advice.map(|advice| format!("; {advice}")).unwrap_or_default();
            message = (message + &advice).replace("--where", "where").replace("--verify", "verify");
        }
        StreamError { message, code: error.code }
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
fn read(
    pieces: impl FnOnce(usize) -> Pieces,
    options: &CaptureOptions,
    sender: &SyncSender<Event>,
) -> Result<(), Stop> {
    let schemas = Schemas::new();
    if options.part.is_some() && options.verification.is_asked_for() {
        let what = "who signed a message is known from those before it, and a part has not all of them";
        return Err(Error::usage("capture.part", what).advise("verify the whole file").into());
    }
    let verification = Verification::new(&options.verification, &schemas)?;
    let jobs = options.jobs.clamp(1, MOST_JOBS.into());
    let walks = (0..jobs).map(|_| options.walk(&schemas)).collect::<Result<_, _>>()?;
    let pieces = pieces(Records::Frames(Frames::new()).blocks(jobs));
    crate::read(pieces, verification, walks, |piece, walked| {
        if let Made::Frames(Some(rows)) = walked.records {
            sender.send(Event::Batch(Ok(rows.into()))).map_err(|_| Stop::Done)?;
        }
        // An error ends the stream.
        piece.error.map_or(Ok(()), |error| Err(Stop::Failed(error)))
    })
}
