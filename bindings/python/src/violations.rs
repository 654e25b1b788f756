//! Constraints that a decoded value breaks, as dicts.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt, PyList};
use roadwire::{Offending, Violation};

/// A dict for each, with the members of a record's `violations`.
pub(crate) fn list<'py>(py: Python<'py>, violations: &[Violation]) -> PyResult<Bound<'py, PyList>> {
    let dicts: Vec<Bound<'py, PyDict>> = violations.iter().map(|one| dict(py, one)).collect::<PyResult<_>>()?;
    PyList::new(py, dicts)
}

fn dict<'py>(py: Python<'py>, of: &Violation) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("path", &of.path)?;
    if let Some(at) = of.at {
        dict.set_item("at", at)?;
    }
    match &of.value {
        Some(Offending::Text(text)) => dict.set_item("value", text)?,
        Some(Offending::Number(number)) => {
            dict.set_item("value", py.get_type::<PyInt>().call1((number.to_string(),))?)?;
        }
        None => {}
    }
    dict.set_item("constraint", &of.constraint)?;
    dict.set_item("code", of.code)?;
    dict.set_item("message", &of.message)?;
    Ok(dict)
}
