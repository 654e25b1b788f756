//! The compiled part of the Python package `roadwire`: `roadwire._native`. Its documentation for users is in `python/roadwire`.

mod arrow;
mod batch;
mod error;
mod fill;
mod node;
mod objects;
mod schema;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use roadwire::{Rules, SCHEMAS};

#[pymodule]
mod _native {
    #[pymodule_export]
    use super::arrow::{ArrowSchema, RecordBatch};
    #[pymodule_export]
    use super::schema::{Schema, compile, schema};
    #[pymodule_export]
    use super::{rules, schemas};
}

/// The schemas that roadwire ships: names, and what each is.
#[pyfunction]
fn schemas(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let all = PyDict::new(py);
    SCHEMAS
        .iter()
        .try_for_each(|schema| all.set_item(schema.name, format!("{}: {}", schema.standard, schema.title)))?;
    Ok(all)
}

/// The encoding rules: names, and what each is.
#[pyfunction]
fn rules(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let all = PyDict::new(py);
    Rules::ALL.into_iter().try_for_each(|rules| all.set_item(rules.name(), rules.title()))?;
    Ok(all)
}
