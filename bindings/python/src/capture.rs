//! `roadwire.read_capture`: recorded traffic as an Arrow stream.

use std::path::PathBuf;
use std::sync::Mutex;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyType};
use roadwire_capture::file::{Part, parts};
use roadwire_columns::fields::SchemaRef;
use roadwire_recording::{CaptureOptions, CaptureStream, StreamError, VerificationOptions};

use crate::arrow::{ArrowSchema, RecordBatch, schema_capsule, stream_capsule};
use crate::error::Problem;
use crate::schema::lock;
use crate::security::{digest_of, profile_choice};
use crate::selection::{Frames, Selected, Selection};
use crate::source::{FileObject, Raised, caused};

/// Recorded traffic in columns: see `roadwire.read_capture`. `source` is a path or a file object,
/// which is closed at its end if `closes`; `name` is the file that rows name.
#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "as many as the function in Python has")]
#[pyo3(signature = (source, name, closes, selection, verify, trust, profile, crl, revoke, part, jobs))]
pub(crate) fn read_capture(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    name: Option<String>,
    closes: bool,
    selection: Selected<'_>,
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
    let selection = Selection::new(py, selection)?;
    let options = CaptureOptions { verification, part, jobs: jobs.into(), ..selection.options() };
    let rows = selection.rows(&options)?;
    let (stream, raised) = match name {
        Some(name) => {
            let object = FileObject::new(source.clone().unbind(), closes);
            let raised = object.raised();
            let stream = py.detach(|| CaptureStream::of_source(&name, object, &options));
            let files = options.verification.files();
            (stream.map_err(|error| caused(py, Problem::from(error).of_files(files).into(), &raised))?, raised)
        }
        None => {
            let path: PathBuf = source.extract()?;
            let stream = py.detach(|| CaptureStream::open(&path, &options));
            let files = [&path].into_iter().chain(options.verification.files());
            (stream.map_err(|error| Problem::from(error).of_files(files))?, Raised::default())
        }
    };
    let schema = rows.schema();
    Ok(CaptureReader { schema, stream: Mutex::new(Some(Frames::new(stream, rows))), raised })
}

/// The columns of `read_capture` with these options, which are checked.
#[pyfunction]
pub(crate) fn capture_schema(py: Python<'_>, selection: Selected<'_>, verify: bool) -> PyResult<ArrowSchema> {
    let selection = Selection::new(py, selection)?;
    let verification = VerificationOptions { verify, ..VerificationOptions::default() };
    let options = CaptureOptions { verification, ..selection.options() };
    Ok(ArrowSchema(selection.rows(&options)?.schema()))
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
    stream: Mutex<Option<Frames>>,
    raised: Raised,
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
            Some(stream) => Ok(stream.next_batch()),
            None => Err(()),
        });
        match next.map_err(|()| taken())? {
            None => Ok(None),
            Some(Ok(batch)) => Ok(Some(RecordBatch(batch))),
            Some(Err(error)) => Err(caused(py, error, &self.raised)),
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
