//! What is wrong with a JER text, or with a value that has none.

use std::fmt;

/// An error in a JER text, or in a value that is to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JerError {
    /// Its identity, stable: `json.…` for text that is not JSON, `jer.…` for JSON that is not JER; the
    /// others (`component.missing`, `value.mismatch`, `limit.depth`, `integer.width`, `size.capacity`) are those of encoders.
    pub code: &'static str,
    /// What is wrong, in one line.
    pub message: String,
    /// The line, counted from 1; 0 for a value that is written.
    pub line: usize,
    /// The column in characters, counted from 1; 0 for a value that is written.
    pub column: usize,
    /// The field, such as `cam.camParameters.basicContainer.stationType` or `list[3].item`; empty for the whole.
    pub path: String,
}

impl fmt::Display for JerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 0 {
            write!(f, "{}:{}: ", self.line, self.column)?;
        }
        f.write_str(&self.message)?;
        if self.path.is_empty() { Ok(()) } else { write!(f, " in {}", self.path) }
    }
}

impl std::error::Error for JerError {}

/// An error on its way out: where in the text as an offset, the path's steps from the inside out.
#[derive(Debug)]
pub(super) struct Fault {
    code: &'static str,
    message: String,
    offset: Option<usize>,
    steps: Vec<Step>,
}

#[derive(Debug)]
enum Step {
    Name(String),
    Index(usize),
}

pub(super) type Outcome<T = ()> = Result<T, Box<Fault>>;

impl Fault {
    /// In a value that is written.
    pub(super) fn new(code: &'static str, message: impl Into<String>) -> Box<Self> {
        Box::new(Fault { code, message: message.into(), offset: None, steps: Vec::new() })
    }

    /// In a text, at an offset in octets.
    pub(super) fn at(offset: usize, code: &'static str, message: impl Into<String>) -> Box<Self> {
        Box::new(Fault { code, message: message.into(), offset: Some(offset), steps: Vec::new() })
    }

    pub(super) fn into_error(self, text: &str) -> JerError {
        let (line, column) = match self.offset {
            None => (0, 0),
            Some(offset) => {
                let before = text.as_bytes().get(..offset).unwrap_or(text.as_bytes());
                let start = before.iter().rposition(|octet| *octet == b'\n').map_or(0, |newline| newline + 1);
                let line = 1 + before.iter().filter(|octet| **octet == b'\n').count();
                // Octets that continue a character of UTF-8 are no column of their own.
                let column = before.iter().skip(start).filter(|octet| **octet & 0xc0 != 0x80).count();
                (line, 1 + column)
            }
        };
        let mut path = String::new();
        for step in self.steps.iter().rev() {
            match step {
                Step::Name(name) if path.is_empty() => path.push_str(name),
                Step::Name(name) => path.extend([".", name]),
                Step::Index(index) => path.push_str(&format!("[{index}]")),
            }
        }
        JerError { code: self.code, message: self.message, line, column, path }
    }
}

/// Adds to an error, on its way out, where it comes from.
pub(super) trait Within {
    fn within(self, name: &str) -> Self;
    fn within_element(self, index: usize) -> Self;
}

impl<T> Within for Outcome<T> {
    fn within(mut self, name: &str) -> Self {
        if let Err(fault) = &mut self {
            fault.steps.push(Step::Name(name.to_owned()));
        }
        self
    }

    fn within_element(mut self, index: usize) -> Self {
        if let Err(fault) = &mut self {
            fault.steps.push(Step::Index(index));
        }
        self
    }
}
