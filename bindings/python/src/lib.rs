//! The compiled part of the Python package `roadwire`: `roadwire._native`. Its documentation for
//! users is in `python/roadwire`.
//!
//! Invariants: an object whose Python type does not suit its ASN.1 type is refused, never
//! converted. A refused message or schema raises `roadwire.Error` with a code. Columns are filled
//! without a Python object for each row.
//!
//! Absent on purpose: codecs and formats of its own: all are those of the Rust crates.

mod arrow;
mod batch;
mod capture;
mod encode_batch;
mod error;
mod fill;
mod guess;
mod inspect;
mod memory;
mod node;
mod objects;
mod schema;
mod security;
mod selection;
mod source;
mod structure;
mod suggest;
mod unknown;
mod violations;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use roadwire::{Rules, SCHEMAS};

#[pymodule]
mod _native {
    #[pymodule_export]
    use super::arrow::{ArrowSchema, RecordBatch};
    #[pymodule_export]
    use super::capture::{CapturePart, CaptureReader, capture_parts, capture_schema, read_capture};
    #[pymodule_export]
    use super::encode_batch::OctetArray;
    #[pymodule_export]
    use super::guess::guess;
    #[pymodule_export]
    use super::schema::{Schema, compile, schema};
    #[pymodule_export]
    use super::security::{Verifier, microseconds, sign};
    #[pymodule_export]
    use super::suggest::nearest;
    #[pymodule_export]
    use super::{main, rules, schemas};
}

/// The schemas that roadwire ships: names, and what each is.
///
/// >>> import roadwire
/// >>> roadwire.schemas()["cam-1.4.1"]
/// 'ETSI EN 302 637-2 V1.4.1: Cooperative Awareness Message (deployed)'
#[pyfunction]
fn schemas(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let all = PyDict::new(py);
    SCHEMAS
        .iter()
        .try_for_each(|schema| all.set_item(schema.name, format!("{}: {}", schema.standard, schema.title)))?;
    Ok(all)
}

/// The encoding rules: names, and what each is.
///
/// >>> import roadwire
/// >>> list(roadwire.rules())[:4]
/// ['uper', 'aper', 'oer', 'coer']
#[pyfunction]
fn rules(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let all = PyDict::new(py);
    Rules::ALL.into_iter().try_for_each(|rules| all.set_item(rules.name(), rules.title()))?;
    Ok(all)
}

/// The command `roadwire`: does what the arguments ask for, of which the first is the program's
/// name, and returns the exit code.
#[pyfunction]
fn main(py: Python<'_>, arguments: Vec<std::ffi::OsString>) -> u8 {
    py.detach(|| roadwire_cli::main(arguments))
}
