//! Errors as `roadwire.Error`.

use std::io::ErrorKind;
use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use roadwire::{CodecError, Diagnostics, UnknownSchema, UnknownType};

/// The content of a `roadwire.Error`.
#[derive(Debug, Default)]
pub(crate) struct Problem {
    /// The message, without the place.
    pub(crate) what: String,
    pub(crate) code: String,
    pub(crate) bit: Option<usize>,
    /// Line and column of that bit in text.
    pub(crate) line_column: Option<(usize, usize)>,
    pub(crate) path: String,
    /// The octet of the input.
    pub(crate) offset: Option<usize>,
    /// The row of a batch.
    pub(crate) row: Option<usize>,
    /// A file that does not exist.
    pub(crate) missing_file: Option<String>,
}

impl Problem {
    pub(crate) fn new(code: impl Into<String>, what: impl Into<String>) -> Self {
        Problem { code: code.into(), what: what.into(), ..Problem::default() }
    }

    /// The same, known to be of one of these files if one of them does not exist.
    pub(crate) fn of_files<'f>(self, files: impl IntoIterator<Item = &'f PathBuf>) -> Self {
        if self.code != "file.io" {
            return self;
        }
        let is_missing = |file: &&PathBuf| file.metadata().is_err_and(|error| error.kind() == ErrorKind::NotFound);
        let missing_file = files.into_iter().find(is_missing).map(|file| file.display().to_string());
        Problem { missing_file, ..self }
    }

    /// The same once more.
    pub(crate) fn again(&self) -> Self {
        let Problem { what, code, bit, line_column, path, offset, row, missing_file } = self;
        Problem {
            what: what.clone(),
            code: code.clone(),
            bit: *bit,
            line_column: *line_column,
            path: path.clone(),
            offset: *offset,
            row: *row,
            missing_file: missing_file.clone(),
        }
    }

    /// The codec's error; `input` is the decoded octets, if there are any.
    pub(crate) fn of(error: &CodecError, input: &[u8]) -> Self {
        let offset = match error {
            CodecError::Text(text) => place(input, text.line, text.column),
            error => error.bit().map(|bit| bit / 8),
        };
        Problem {
            what: error.what(),
            code: error.code().to_owned(),
            bit: error.bit(),
            line_column: error.line_and_column().filter(|_| error.bit().is_some()),
            path: error.path().to_owned(),
            offset,
            ..Problem::default()
        }
    }

    /// The message for people: what and where.
    pub(crate) fn message(&self) -> String {
        let mut text = self.what.clone();
        match (self.line_column, self.bit, self.offset) {
            (Some((line, column)), Some(bit), _) => {
                text.push_str(&format!(", at line {line}, column {column} (bit {bit})"));
            }
            (_, Some(bit), _) => text.push_str(&format!(", at bit {bit}")),
            (_, None, Some(offset)) => text.push_str(&format!(", at octet {offset}")),
            (_, None, None) => {}
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
        static NOT_FOUND: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        if let Some(name) = &problem.missing_file {
            let arguments = (problem.message(), name.clone());
            return Python::attach(|py| match NOT_FOUND.import(py, "roadwire._error", "FileNotFound") {
                Ok(class) => PyErr::from_type(class.clone(), arguments),
                Err(error) => error,
            });
        }
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
        let mut what = error.with_names();
        if error.alike.is_empty() {
            let names: Vec<&str> = roadwire::SCHEMAS.iter().map(|schema| schema.name).collect();
            what = format!("{what}; there are {}", names.join(", "));
        }
        Problem::new("schema.unknown", what)
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
