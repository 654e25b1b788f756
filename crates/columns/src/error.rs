//! Errors for types and values that have no columns.

use std::fmt;

/// Why a type has no columns, or a value no row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnsError {
    /// Stable, such as `columns.recursive`.
    pub code: &'static str,
    /// The message.
    pub message: String,
    /// The field, from the outside in; empty for the message itself.
    pub path: String,
}

impl ColumnsError {
    pub(crate) fn new(code: &'static str, message: impl Into<String>) -> Self {
        ColumnsError { code, message: message.into(), path: String::new() }
    }

    /// Whether a column cannot hold the value.
    pub(crate) fn is_of_value(&self) -> bool {
        matches!(self.code, "columns.range" | "columns.value")
    }

    /// With a field around it.
    pub(crate) fn within(mut self, name: &str) -> Self {
        let rest = std::mem::take(&mut self.path);
        self.path =
            if rest.is_empty() || rest.starts_with('[') { format!("{name}{rest}") } else { format!("{name}.{rest}") };
        self
    }

    /// With a list around it, of which this element has it.
    pub(crate) fn at(self, index: usize) -> Self {
        self.within(&format!("[{index}]"))
    }
}

impl fmt::Display for ColumnsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if self.path.is_empty() { Ok(()) } else { write!(f, ", in {}", self.path) }
    }
}

impl std::error::Error for ColumnsError {}
