//! A file object of Python as a source of octets.

use std::io::{self, Read};
use std::sync::{Arc, Mutex};

use pyo3::exceptions::{PyException, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::schema::lock;

/// The exception that reading raised, for the error that comes of it.
pub(crate) type Raised = Arc<Mutex<Option<PyErr>>>;

/// Reads by the object's `read`.
pub(crate) struct FileObject {
    object: Py<PyAny>,
    raised: Raised,
    /// Whether it is closed at its end: it was opened for this.
    closes: bool,
}

impl FileObject {
    pub(crate) fn new(object: Py<PyAny>, closes: bool) -> Self {
        FileObject { object, raised: Raised::default(), closes }
    }

    pub(crate) fn raised(&self) -> Raised {
        Arc::clone(&self.raised)
    }

    fn read_octets(&self, py: Python<'_>, into: &mut [u8]) -> PyResult<usize> {
        let object = self.object.bind(py);
        let read = object.call_method1("read", (into.len(),))?;
        let octets = match read.cast::<PyBytes>() {
            Ok(octets) => octets.clone(),
            // Such as a memoryview; a number would become so many octets.
            Err(_) if read.hasattr("__len__")? && !read.is_instance_of::<pyo3::types::PyString>() => {
                py.get_type::<PyBytes>().call1((read,))?.cast_into::<PyBytes>()?
            }
            Err(_) => {
                let found = read.get_type().name()?.to_string();
                let what = format!("expected a file object whose read returns bytes, found {found}: open it as binary");
                return Err(PyTypeError::new_err(what));
            }
        };
        let octets = octets.as_bytes();
        let Some(place) = into.get_mut(..octets.len()) else {
            return Err(PyValueError::new_err("the file object's read returned more octets than it was asked for"));
        };
        place.copy_from_slice(octets);
        if self.closes && octets.is_empty() {
            object.call_method0("close")?;
        }
        Ok(octets.len())
    }
}

impl Read for FileObject {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        Python::attach(|py| self.read_octets(py, into)).map_err(|error| {
            let text = error.to_string();
            *lock(&self.raised) = Some(error);
            io::Error::other(text)
        })
    }
}

/// The error that a recording's error becomes: with the file object's exception as its cause, or
/// that itself where it is none of the file, such as an interrupt.
pub(crate) fn caused(py: Python<'_>, error: PyErr, raised: &Raised) -> PyErr {
    let Some(cause) = lock(raised).take() else { return error };
    if !cause.is_instance_of::<PyException>(py) || cause.is_instance_of::<PyTypeError>(py) {
        return cause;
    }
    error.set_cause(py, Some(cause));
    error
}
