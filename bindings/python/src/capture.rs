//! `roadwire.read_capture`: recorded traffic as an Arrow stream.

use std::path::PathBuf;
use std::sync::Mutex;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use roadwire_cli::{CaptureStream, StreamError};
use roadwire_columns::arrays::RecordBatchReader as _;
use roadwire_columns::fields::{ArrowError, SchemaRef};

use crate::arrow::{ArrowSchema, RecordBatch, schema_capsule, stream_capsule};
use crate::error::Problem;
use crate::schema::lock;

/// Recorded traffic in columns, a row for each frame: an object with `__arrow_c_stream__`, which pyarrow, polars, DuckDB and others
/// read, and an iterator of record batches. It can be read once.
///
/// The columns are those of the frames: `file`, `frame`, `time`, `link`, `geonetworking`, `security`, `btp`, `message` (schema, type,
/// rules, octets) and `problem`; docs/arrow.md has their units. Values of messages are made by `Schema.decode_batch` from
/// `message.octets`, for the rows of one `message.schema`.
///
/// With `verify`, signed messages have a verdict in `security.verdict`.
///
/// Raises `Error`: `file.io` for a file that cannot be read, and what is wrong with one that is no pcap or pcapng.
#[pyfunction]
#[pyo3(signature = (path, verify=false))]
pub(crate) fn read_capture(py: Python<'_>, path: PathBuf, verify: bool) -> PyResult<CaptureReader> {
    let stream = py.detach(|| CaptureStream::open(&path, verify)).map_err(Problem::from)?;
    Ok(CaptureReader { schema: stream.schema(), stream: Mutex::new(Some(stream)) })
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
            Some(Err(error)) => Err(problem(error).into()),
        }
    }

    fn __repr__(&self) -> &'static str {
        "<roadwire.CaptureReader>"
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema_capsule(py, &*self.schema)
    }

    /// What is requested is another schema: as the interface allows, it is not looked at.
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

fn problem(error: ArrowError) -> Problem {
    match error {
        ArrowError::ExternalError(error) => match error.downcast::<StreamError>() {
            Ok(error) => (*error).into(),
            Err(error) => Problem::new("columns.arrow", error.to_string()),
        },
        error => Problem::new("columns.arrow", error.to_string()),
    }
}
