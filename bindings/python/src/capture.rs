//! `roadwire.read_capture`: recorded traffic as an Arrow stream.

use std::path::PathBuf;
use std::sync::Mutex;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyType};
use roadwire_capture::file::{Part, parts};
use roadwire_columns::arrays::RecordBatchReader as _;
use roadwire_columns::fields::SchemaRef;
use roadwire_recording::{CaptureOptions, CaptureStream, StreamError, VerificationOptions};

use crate::arrow::{ArrowSchema, RecordBatch, schema_capsule, stream_capsule};
use crate::error::Problem;
use crate::schema::lock;
use crate::security::{digest_of, profile_choice};

/// Recorded traffic in columns, a row for each frame: an object with `__arrow_c_stream__`, which
/// pyarrow, polars, DuckDB and others read, and an iterator of record batches. It can be read once.
///
/// The columns are those of the frames: `file`, `frame`, `time`, `link`, `geonetworking`,
/// `security`, `btp`, `message` (schema, type, rules, octets) and `problem`; docs/arrow.md has
/// their units. Values of messages are made by `Schema.decode_batch` from `message.octets`, for the
/// rows of one `message.schema`.
///
/// With `verify`, signed messages have a verdict in `security.verdict`. `trust` are files of
/// trusted certificates, in COER: verdicts need a chain of certificates up to one of them. With an
/// empty list no signer is trusted: signed messages are untrusted at best. `profile` is `"etsi"` if
/// all messages of IEEE 1609.2 must keep the profile of TS 103 097, and `"none"` if none must;
/// without it, those in GeoNetworking and those of ETSI's applications must. `crl` are files of
/// signed lists of revoked certificates (IEEE 1609.2), whose signers need a chain to a trusted
/// certificate as well, and `revoke` are certificates that are no longer trusted: their HashedId8
/// or HashedId10, as octets or in hex. Messages with a revoked certificate in their chain are
/// invalid. All of these verify, also without `verify`.
///
/// With `part`, one of `capture_parts`, its frames alone are read, with the numbers that they have
/// in the file. A part is not verified: who signed a message is known from those before it.
///
/// `jobs` threads work on it, on as many cores; rows are the same, in the same order.
///
/// Raises `Error`: `file.io` for a file that cannot be read, and the fault of one that is not a
/// pcap or pcapng; `capture.part` for a part that is to be verified.
#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "as many as the function in Python has")]
#[pyo3(
    signature = (path, verify=false, *, trust=None, profile=None, crl=None, revoke=None, part=None, jobs=1)
)]
pub(crate) fn read_capture(
    py: Python<'_>,
    path: PathBuf,
    verify: bool,
    trust: Option<Vec<PathBuf>>,
    profile: Option<&str>,
    crl: Option<Vec<PathBuf>>,
    revoke: Option<Vec<Bound<'_, PyAny>>>,
    part: Option<PyRef<'_, CapturePart>>,
    jobs: u16,
) -> PyResult<CaptureReader> {
    let part = part.map(|part| part.part.clone());
    let revoked = revoke.iter().flatten().map(digest_of).collect::<PyResult<_>>()?;
    let profile = profile.map(profile_choice).transpose()?;
    let verification = VerificationOptions { verify, trust, profile, crl: crl.unwrap_or_default(), revoked };
    let options = CaptureOptions { verification, part, jobs: jobs.into() };
    let stream = py.detach(|| CaptureStream::open(&path, &options));
    let stream = stream
        .map_err(|error| Problem::from(error).of_files([&path].into_iter().chain(options.verification.files())))?;
    Ok(CaptureReader { schema: stream.schema(), stream: Mutex::new(Some(stream)) })
}

/// Cuts a recording into parts of at least so many octets, but for the last one, which are read
/// apart from each other: on several cores or machines. All parts, one after the other, have the
/// rows of the file. A gzipped file is one part.
///
/// The file is read once. Raises `Error`: `file.io` for a file that cannot be read.
#[pyfunction]
#[pyo3(signature = (path, octets=67_108_864))]
pub(crate) fn capture_parts(py: Python<'_>, path: PathBuf, octets: u64) -> PyResult<Vec<CapturePart>> {
    let parts = py.detach(|| parts(&path, octets));
    let parts = parts.map_err(|error| {
        Problem::new("file.io", format!("cannot read {}: {error}", path.display())).of_files([&path])
    })?;
    Ok(parts.into_iter().map(|part| CapturePart { path: path.clone(), part }).collect())
}

/// A part of a recording: for `read_capture`, here or in another process.
#[pyclass(frozen, eq, module = "roadwire")]
#[derive(Clone, PartialEq)]
pub(crate) struct CapturePart {
    path: PathBuf,
    part: Part,
}

type Place = (u64, u64);

#[pymethods]
impl CapturePart {
    #[new]
    fn new(path: PathBuf, described: Vec<Place>, records: Place, first_frame: u64) -> Self {
        let described = described.into_iter().map(|(start, end)| start..end).collect();
        CapturePart { path, part: Part { described, records: records.0..records.1, first_frame } }
    }

    /// The file, as it was given.
    #[getter]
    fn path(&self) -> PathBuf {
        self.path.clone()
    }

    /// The number of its first frame, from 1 in the file.
    #[getter]
    fn first_frame(&self) -> u64 {
        self.part.first_frame
    }

    /// How many octets of the file it has; up to its end for the last one.
    #[getter]
    fn octets(&self) -> u64 {
        let length = self.path.metadata().map_or(0, |found| found.len());
        self.part.records.end.min(length).saturating_sub(self.part.records.start)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (PathBuf, Vec<Place>, Place, u64)) {
        let Part { described, records, first_frame } = &self.part;
        let described = described.iter().map(|place| (place.start, place.end)).collect();
        let arguments = (self.path.clone(), described, (records.start, records.end), *first_frame);
        (py.get_type::<CapturePart>(), arguments)
    }

    fn __repr__(&self) -> String {
        let Part { records, first_frame, .. } = &self.part;
        let end = if records.end == u64::MAX { "the end".to_owned() } else { records.end.to_string() };
        format!(
            "<roadwire.CapturePart {}, octets {} to {end}, from frame {first_frame}>",
            self.path.display(),
            records.start
        )
    }
}

/// A recording that is being read.
#[pyclass(frozen, module = "roadwire")]
pub(crate) struct CaptureReader {
    schema: SchemaRef,
    /// Nothing once another library reads it.
    stream: Mutex<Option<CaptureStream>>,
}

#[pymethods]
impl CaptureReader {
    #[getter]
    fn schema(&self) -> ArrowSchema {
        ArrowSchema(self.schema.clone())
    }

    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<RecordBatch>> {
        let next = py.detach(|| match lock(&self.stream).as_mut() {
            Some(stream) => Ok(stream.next()),
            None => Err(()),
        });
        match next.map_err(|()| taken())? {
            None => Ok(None),
            Some(Ok(batch)) => Ok(Some(RecordBatch(batch))),
            Some(Err(error)) => Err(Problem::from(error).into()),
        }
    }

    fn __repr__(&self) -> &'static str {
        "<roadwire.CaptureReader>"
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema_capsule(py, &*self.schema)
    }

    /// A request for another schema is ignored, as the interface allows.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        let stream = lock(&self.stream).take().ok_or_else(taken)?;
        stream_capsule(py, Box::new(stream))
    }
}

fn taken() -> PyErr {
    PyValueError::new_err("the recording has been read: open it again")
}

impl From<StreamError> for Problem {
    fn from(error: StreamError) -> Self {
        Problem::new(error.code, error.message)
    }
}
