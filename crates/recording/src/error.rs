//! Why a recording, an output or an expression is refused: what, where, and what to do.

use std::fmt;
use std::io;
use std::path::Path;

#[cfg(feature = "columns")]
use roadwire_columns::ColumnsError;

/// Why work on a recording ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// Whose fault it is.
    pub kind: Kind,
    /// Stable identity, such as `file.io`.
    pub code: String,
    /// The message, in one line.
    pub what: String,
    /// Where it is.
    pub place: Place,
    /// The advice to the user.
    pub advice: Option<String>,
}

/// Whose fault an error is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The input is refused.
    Refused,
    /// Wrong usage: a file that does not exist, an expression that cannot be read.
    Usage,
    /// The reader of the output has closed the pipe, which is not reported.
    ClosedPipe,
}

/// Where it is, as far as known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Bit offset in the message.
    pub bit: Option<usize>,
    /// Field path from the message's root.
    pub path: Option<String>,
    /// File or `stdin`.
    pub file: Option<String>,
    /// Line from 1.
    pub line: Option<u64>,
    /// Column from 1.
    pub column: Option<u64>,
}

impl Error {
    fn new(kind: Kind, code: impl Into<String>, what: impl Into<String>) -> Self {
        Error { kind, code: code.into(), what: what.into(), place: Place::default(), advice: None }
    }

    /// The input is refused.
    #[must_use]
    pub fn refused(code: impl Into<String>, what: impl Into<String>) -> Self {
        Error::new(Kind::Refused, code, what)
    }

    /// Wrong usage.
    #[must_use]
    pub fn usage(code: impl Into<String>, what: impl Into<String>) -> Self {
        Error::new(Kind::Usage, code, what)
    }

    /// A file or stream that cannot be read or written; `doing` says which, as in
    /// `cannot read FILE`.
    #[must_use]
    pub fn io(doing: &str, path: &Path, error: &io::Error) -> Self {
        let kind = if error.kind() == io::ErrorKind::BrokenPipe { Kind::ClosedPipe } else { Kind::Usage };
        Error::new(kind, "file.io", format!("cannot {doing} {}: {error}", path.display()))
    }

    /// An output that cannot be opened.
    #[must_use]
    pub fn of_output(path: &Path, error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::AlreadyExists => Error::usage("file.exists", format!("{} is there already", path.display()))
                .advise("choose another name, or write over it with --force"),
            _ => Error::io("write to", path, error),
        }
    }

    /// Adds what to do.
    #[must_use]
    pub fn advise(mut self, advice: impl Into<String>) -> Self {
        self.advice = Some(advice.into());
        self
    }

    /// Adds where it is.
    #[must_use]
    pub fn at(mut self, place: Place) -> Self {
        self.place = place;
        self
    }

    /// Adds the file, unless one is known.
    #[must_use]
    pub fn in_file(mut self, name: &str) -> Self {
        self.place.file.get_or_insert_with(|| name.to_owned());
        self
    }
}

/// The message and the place, in one line.
impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.place.line(&self.what))
    }
}

impl std::error::Error for Error {}

impl Place {
    /// A text about this place, in one line with the place around it.
    #[must_use]
    pub fn line(&self, what: &str) -> String {
        let mut text = String::new();
        if let Some(file) = &self.file {
            text.push_str(file);
            for number in [self.line, self.column].into_iter().flatten() {
                text.push_str(&format!(":{number}"));
            }
            text.push_str(": ");
        } else if let (Some(line), Some(column)) = (self.line, self.column) {
            text.push_str(&format!("{line}:{column}: "));
        }
        text.push_str(what);
        if let Some(bit) = self.bit {
            text.push_str(&format!(" at bit {bit}"));
        }
        if let Some(path) = &self.path {
            text.push_str(&format!(" in {path}"));
        }
        on_one_line(&text)
    }
}

/// The text on one line, whatever the input put into it: control characters become spaces.
#[must_use]
pub fn on_one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

#[cfg(feature = "columns")]
impl From<ColumnsError> for Error {
    fn from(error: ColumnsError) -> Self {
        let path = (!error.path.is_empty()).then(|| error.path.clone());
        Error::refused(error.code, error.message).at(Place { path, ..Place::default() })
    }
}

#[cfg(feature = "columns")]
impl From<roadwire_columns::fields::ArrowError> for Error {
    fn from(error: roadwire_columns::fields::ArrowError) -> Self {
        Error::refused("columns.arrow", error.to_string())
    }
}
