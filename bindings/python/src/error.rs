//! Errors as `roadwire.Error`.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use roadwire::{CodecError, Diagnostics, UnknownSchema, UnknownType};

/// What `roadwire.Error` says.
#[derive(Debug, Default)]
pub(crate) struct Problem {
    /// What is wrong, without the place.
    pub(crate) what: String,
    pub(crate) code: String,
    pub(crate) bit: Option<usize>,
    pub(crate) path: String,
    /// The octet of the input.
    pub(crate) offset: Option<usize>,
    /// The row of a batch.
    pub(crate) row: Option<usize>,
}

impl Problem {
    pub(crate) fn new(code: impl Into<String>, what: impl Into<String>) -> Self {
        Problem { code: code.into(), what: what.into(), ..Problem::default() }
    }

    /// The same once more.
    pub(crate) fn again(&self) -> Self {
        let Problem { what, code, bit, path, offset, row } = self;
        Problem { what: what.clone(), code: code.clone(), bit: *bit, path: path.clone(), offset: *offset, row: *row }
    }

    /// The codec's error; `input` is what was decoded, if anything was.
    pub(crate) fn of(error: &CodecError, input: &[u8]) -> Self {
        let offset = match error {
            CodecError::Text(text) => place(input, text.line, text.column),
            error => error.bit().map(|bit| bit / 8),
        };
        Problem {
            what: error.what(),
            code: error.code().to_owned(),
            bit: error.bit(),
            path: error.path().to_owned(),
            offset,
            row: None,
        }
    }

    /// The message for people: what and where.
    pub(crate) fn message(&self) -> String {
        let mut text = self.what.clone();
        match (self.bit, self.offset) {
            (Some(bit), _) => text.push_str(&format!(", at bit {bit}")),
            (None, Some(offset)) => text.push_str(&format!(", at octet {offset}")),
            (None, None) => {}
        }
        if !self.path.is_empty() {
            text.push_str(&format!(", in {}", self.path));
        }
        if let Some(row) = self.row {
            text.push_str(&format!(", in row {row}"));
        }
        text
    }
}

/// The octet at a line and a column in characters, both from 1.
fn place(text: &[u8], line: usize, column: usize) -> Option<usize> {
    let lines = line.checked_sub(1)?;
    let start = match lines.checked_sub(1) {
        None => 0,
        Some(nth) => text.iter().enumerate().filter(|(_, octet)| **octet == b'\n').nth(nth)?.0 + 1,
    };
    let rest = std::str::from_utf8(text.get(start..)?).ok()?;
    Some(start + rest.char_indices().nth(column.checked_sub(1)?).map_or(rest.len(), |(at, _)| at))
}

impl From<Problem> for PyErr {
    fn from(problem: Problem) -> Self {
        static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        Python::attach(|py| match CLASS.import(py, "roadwire._error", "Error") {
            Ok(class) => {
                let arguments =
                    (problem.message(), problem.code, problem.bit, problem.path, problem.offset, problem.row);
                PyErr::from_type(class.clone(), arguments)
            }
            Err(error) => error,
        })
    }
}

impl From<UnknownSchema> for Problem {
    fn from(error: UnknownSchema) -> Self {
        let names: Vec<&str> = roadwire::SCHEMAS.iter().map(|schema| schema.name).collect();
        let close =
            names.iter().filter_map(|name| Some((roadwire_source::distance_within(&error.name, name, 4)?, *name)));
        let hint = match close.min() {
            Some((_, name)) => format!("; did you mean `{name}`?"),
            None => format!("; there are {}", names.join(", ")),
        };
        Problem::new("schema.unknown", format!("{error}{hint}"))
    }
}

impl From<UnknownType> for Problem {
    fn from(error: UnknownType) -> Self {
        Problem::new(error.code(), error.with_names())
    }
}

impl From<Diagnostics> for Problem {
    fn from(found: Diagnostics) -> Self {
        Problem::new(found.code(), found.render().trim_end())
    }
}
