//! Problems of frames.

use roadwire::CodecError;
use roadwire_capture::Dissection;
use roadwire_capture::file::FileError;
use roadwire_model::check::Violation;

use crate::Error;

/// What is wrong with a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    pub(crate) code: String,
    pub(crate) message: String,
    pub(crate) at: String,
}

impl Problem {
    /// With its headers; nothing if all of them were read.
    pub(crate) fn of_headers(found: &Dissection<'_>) -> Option<Problem> {
        found.problem.map(|problem| Problem {
            code: problem.code().to_owned(),
            message: problem.fault.text().to_owned(),
            at: format!("octet {}", problem.octet),
        })
    }

    /// With its block in the file.
    pub(crate) fn of_file(error: &FileError) -> Problem {
        Problem {
            code: error.code().to_owned(),
            message: error.fault.text().to_owned(),
            at: format!("octet {} of the file", error.octet),
        }
    }

    /// With the constraints of its message.
    pub(crate) fn of_violation(first: &Violation) -> Problem {
        Problem::in_message(first.code.to_owned(), first.message.clone(), None, &first.path)
    }

    fn in_message(code: String, message: String, bit: Option<usize>, path: &str) -> Problem {
        let bit = bit.map_or("the message".to_owned(), |bit| format!("bit {bit} of the message"));
        let at = if path.is_empty() { bit } else { format!("{bit}, {path}") };
        Problem { code, message, at }
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
        Problem::in_message(error.code().to_owned(), error.what(), error.bit(), error.path())
    }
}

/// Of a message whose schema or columns cannot be had.
impl From<Error> for Problem {
    fn from(error: Error) -> Problem {
        let path = error.place.path.unwrap_or_default();
        Problem::in_message(error.code, error.what, error.place.bit, &path)
    }
}
