//! Problems of frames.

use roadwire::CodecError;
use roadwire_capture::Dissection;
use roadwire_capture::file::FileError;
use roadwire_model::check::Violation;

use crate::Error;

/// A fault in a frame, and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    pub(crate) code: String,
    pub(crate) message: String,
    /// In units, from 0.
    pub(crate) at: Option<u64>,
    pub(crate) unit: Unit,
    /// The field of the message, from the outside in; empty if it is the whole message, or not in a
    /// message.
    pub(crate) path: String,
}

/// The unit of a place, and where counting starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    /// From the frame's first octet; for a packet that cannot be read, from the file's.
    Octet,
    /// From the message's first bit.
    Bit,
}

impl Unit {
    pub(crate) const NAMES: [&str; 2] = ["octet", "bit"];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Unit::Octet => "octet",
            Unit::Bit => "bit",
        }
    }
}

impl Problem {
    /// With its headers; nothing if all of them were read.
    pub(crate) fn of_headers(found: &Dissection<'_>) -> Option<Problem> {
        found.problem.map(|problem| {
            Problem::at_octet(problem.code().to_owned(), problem.fault.text().to_owned(), problem.octet as u64)
        })
    }

    /// With its time, which no text of RFC 3339 has.
    pub(crate) fn of_time() -> Problem {
        Problem {
            code: "frame.time".to_owned(),
            message: "the time of the frame is not in the years 0000 to 9999".to_owned(),
            at: None,
            unit: Unit::Octet,
            path: String::new(),
        }
    }

    /// With its block in the file.
    pub(crate) fn of_file(error: &FileError) -> Problem {
        Problem::at_octet(error.code().to_owned(), error.fault.text().to_owned(), error.octet)
    }

    /// With the constraints of its message.
    pub(crate) fn of_violation(first: &Violation) -> Problem {
        Problem::in_message(first.code.to_owned(), first.message.clone(), None, first.path.clone())
    }

    fn at_octet(code: String, message: String, octet: u64) -> Problem {
        Problem { code, message, at: Some(octet), unit: Unit::Octet, path: String::new() }
    }

    fn in_message(code: String, message: String, bit: Option<usize>, path: String) -> Problem {
        Problem { code, message, at: bit.map(|bit| bit as u64), unit: Unit::Bit, path }
    }
}

/// Of a message that has no value.
impl From<CodecError> for Problem {
    fn from(error: CodecError) -> Problem {
        if let CodecError::Broken(violations) = &error {
            if let Some(first) = violations.first() {
                return Problem::of_violation(first);
            }
        }
        let path = error.path().to_owned();
        Problem::in_message(error.code().to_owned(), error.what(), error.bit(), path)
    }
}

/// Of a message whose schema or columns cannot be had.
impl From<Error> for Problem {
    fn from(error: Error) -> Problem {
        Problem::in_message(error.code, error.what, error.place.bit, error.place.path.unwrap_or_default())
    }
}
