//! Failures of commands, and how they are reported.

use std::io;
use std::path::Path;

pub(crate) use roadwire_recording::Place;
use roadwire_recording::{self as recording, Error};
use serde_json::{Map, Value as Json};

/// The exit codes that scripts rely on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// All done.
    Done = 0,
    /// The input was refused, or a study's gate failed.
    Refused = 1,
    /// Wrong usage.
    Usage = 2,
}

/// Why a command ended early: what, where, and what to do.
#[derive(Debug)]
pub(crate) struct Failure(Box<Details>);

#[derive(Debug, Default)]
struct Details {
    kind: Kind,
    /// Stable identity, such as `integer.range`.
    code: String,
    /// The message, in one line.
    what: String,
    place: Place,
    /// The advice to the user.
    advice: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Kind {
    #[default]
    Refused,
    Usage,
    /// Already reported; only the exit code is left.
    Told,
    /// The reader of our output has closed the pipe.
    ClosedPipe,
}

impl Failure {
    fn new(kind: Kind, code: String, what: String) -> Self {
        Failure(Box::new(Details { kind, code, what, ..Details::default() }))
    }

    /// The input was refused: exit code 1.
    pub(crate) fn refused(code: impl Into<String>, what: impl Into<String>) -> Self {
        Failure::new(Kind::Refused, code.into(), what.into())
    }

    /// Wrong usage: exit code 2.
    pub(crate) fn usage(code: impl Into<String>, what: impl Into<String>) -> Self {
        Failure::new(Kind::Usage, code.into(), what.into())
    }

    /// The input was refused, which has been reported.
    pub(crate) fn told() -> Self {
        Failure::new(Kind::Told, String::new(), String::new())
    }

    /// A file or stream that could not be read or written.
    pub(crate) fn io(doing: &str, path: &Path, error: &io::Error) -> Self {
        Error::io(doing, path, error).into()
    }

    /// Adds what to do.
    pub(crate) fn advise(mut self, advice: impl Into<String>) -> Self {
        self.0.advice = Some(advice.into());
        self
    }

    /// Adds where it happened.
    pub(crate) fn at(mut self, place: Place) -> Self {
        self.0.place = place;
        self
    }

    /// Adds the file, unless one is known.
    pub(crate) fn in_file(mut self, name: &str) -> Self {
        self.0.place.file.get_or_insert_with(|| name.to_owned());
        self
    }

    /// Sets the line of the input, for a failure that counted lines only within this line.
    pub(crate) fn on_line(mut self, line: u64) -> Self {
        self.0.place.line = self.0.place.line.map(|_| line);
        self
    }

    /// Sets the line of the input, for a failure in a value that is a line.
    pub(crate) fn in_line(mut self, line: u64) -> Self {
        self.0.place.line = Some(line);
        self
    }

    /// The exit code.
    pub(crate) fn exit(&self) -> Exit {
        match self.0.kind {
            Kind::Refused | Kind::Told => Exit::Refused,
            Kind::Usage => Exit::Usage,
            Kind::ClosedPipe => Exit::Done,
        }
    }

    /// Reports it on stderr, unless it has been reported or the pipe is closed.
    pub(crate) fn tell(&self, json: bool) {
        match self.0.kind {
            Kind::Told | Kind::ClosedPipe => {}
            _ if json => tell_line(&self.to_json().to_string()),
            _ => {
                let mut text = format!("roadwire: {}", self.line());
                if let Some(advice) = &self.0.advice {
                    text.push_str("\n  help: ");
                    text.push_str(advice);
                }
                tell_line(&text);
            }
        }
    }

    /// The message and the place in one line, to be printed instead of a converted line.
    pub(crate) fn line(&self) -> String {
        self.0.place.line(&self.0.what)
    }

    /// The same as an object.
    pub(crate) fn to_json(&self) -> Json {
        let mut error = Map::new();
        let mut put = |name: &str, value: Option<Json>| {
            if let Some(value) = value {
                error.insert(name.to_owned(), value);
            }
        };
        put("code", Some(self.0.code.as_str().into()));
        put("message", Some(self.0.what.as_str().into()));
        put("bit", self.0.place.bit.map(Json::from));
        put("path", self.0.place.path.as_deref().map(Json::from));
        put("file", self.0.place.file.as_deref().map(Json::from));
        put("line", self.0.place.line.map(Json::from));
        put("column", self.0.place.column.map(Json::from));
        put("help", self.0.advice.as_deref().map(Json::from));
        put("exit", Some((self.exit() as u8).into()));
        Json::Object(Map::from_iter([("error".to_owned(), Json::Object(error))]))
    }
}

/// Of a recording, a file or an expression.
impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let Error { kind, code, what, place, advice } = error;
        let kind = match kind {
            recording::Kind::Refused => Kind::Refused,
            recording::Kind::Usage => Kind::Usage,
            recording::Kind::ClosedPipe => Kind::ClosedPipe,
        };
        Failure(Box::new(Details { kind, code, what, place, advice }))
    }
}

/// Prints one line on stderr. If that fails, it cannot be reported.
pub(crate) fn tell_line(text: &str) {
    use io::Write as _;
    let _ = writeln!(io::stderr(), "{text}");
}
