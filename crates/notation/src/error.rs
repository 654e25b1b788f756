//! Errors in a text, or in a value that cannot be written: with line and column, what was found,
//! and what was expected.

use std::fmt;

use roadwire_layout::{JsonNode, Layout, Node};
use roadwire_wire::rt::json::{self, Quoted};
use roadwire_wire::{Error, ErrorKind, Path, Step};

use crate::names::{clip, hint};
use crate::unknown::unknown_members;

/// An error in a text, or in a value that is to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotationError {
    /// Its identity, stable ([`ErrorKind::code`]): `json.…` for text that is not JSON, `jer.…` for
    /// JSON that is not JER; the others are those of all codecs.
    pub code: &'static str,
    /// The message, in one line.
    pub message: String,
    /// The line, counted from 1; 0 for a value that is written.
    pub line: usize,
    /// The column in characters, counted from 1; 0 for a value that is written.
    pub column: usize,
    /// The field, such as `cam.camParameters.basicContainer.stationType` or `list[3].item`; empty
    /// for the whole.
    pub path: String,
}

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 0 {
            write!(f, "{}:{}: ", self.line, self.column)?;
        }
        f.write_str(&self.message)?;
        // The message names an absent component; where it is absent is the record.
        let place = match self.code == ErrorKind::Missing.code() {
            true => self.path.rsplit_once('.').map_or("", |(record, _)| record),
            false => self.path.as_str(),
        };
        if place.is_empty() { Ok(()) } else { write!(f, " in {place}") }
    }
}

impl std::error::Error for NotationError {}

impl NotationError {
    /// An error of decoding.
    pub(crate) fn reading(layout: &Layout, text: &[u8], error: &Error<'_>) -> Self {
        let at = (error.bit / 8).min(text.len());
        let (line, column) = error.line_and_column(text);
        NotationError { line, column, message: message(layout, text, at, error), ..NotationError::writing(error) }
    }

    pub(crate) fn plain(kind: ErrorKind) -> Self {
        NotationError::writing(&Error { kind, bit: 0, path: Path::root() })
    }

    /// An error of encoding.
    pub(crate) fn writing(error: &Error<'_>) -> Self {
        let message = match (error.kind, error.path.steps().last()) {
            (ErrorKind::Missing, Some(Step::Name(name))) => format!("mandatory component `{name}` is absent"),
            _ => error.message().to_string(),
        };
        NotationError { code: error.kind.code(), message, line: 0, column: 0, path: error.path.to_string() }
    }
}

fn message(layout: &Layout, text: &[u8], at: usize, error: &Error<'_>) -> String {
    let named = || json::string_if(text, at).map_or(String::new(), |(name, _)| characters(name));
    match error.kind {
        ErrorKind::Mismatch { expected } => format!("expected {expected}, found {}", value_at(text, at)),
        ErrorKind::Malformed(fault) => match fault.code() {
            "json.syntax" if fault.text().starts_with("expected") => format!("{fault}, {}", character_at(text, at)),
            "json.syntax" => {
                let word = text.get(at..json::word(text, at)).unwrap_or(&[]);
                format!("`{}` is {fault}", clip(&String::from_utf8_lossy(word)))
            }
            "jer.member.duplicate" | "jer.member.unknown" => format!("{fault}: `{}`", clip(&named())),
            _ => NotationError::writing(error).message,
        },
        ErrorKind::UnknownName { fault, node } => {
            let (name, known) = (named(), known_names(layout, node));
            let what = fault.text().trim_end_matches(" of this name");
            format!("{what} `{}`{}", clip(&name), hint(&name, known.iter().copied()))
        }
        ErrorKind::IntegerWidth => {
            let end = json::number(text, at).unwrap_or(at);
            let digits = String::from_utf8_lossy(text.get(at..end).unwrap_or(&[]));
            format!("{} does not fit into the in-memory type", clip(&digits))
        }
        ErrorKind::Missing => {
            let message = NotationError::writing(error).message;
            match unknown_members(layout, text, at, error.path.steps()) {
                names if names.is_empty() => message,
                names => format!("{message}; there is no component `{}`", names.join("`, `")),
            }
        }
        _ => NotationError::writing(error).message,
    }
}

/// The names that are allowed in place of an unknown one.
fn known_names(layout: &Layout, node: u32) -> Vec<&str> {
    match layout.nodes.get(node as usize) {
        Some(Node::Json(JsonNode::Object { members, .. })) => {
            layout.members(*members).iter().map(|one| layout.name(one.name)).collect()
        }
        Some(Node::Json(JsonNode::Single { alternatives, .. })) => {
            layout.alternatives(*alternatives).iter().map(|one| layout.name(one.name)).collect()
        }
        Some(Node::Json(JsonNode::Item { items, .. })) => {
            layout.items.get(items.range()).unwrap_or(&[]).iter().map(|name| layout.name(*name)).collect()
        }
        _ => Vec::new(),
    }
}

fn value_at(text: &[u8], at: usize) -> String {
    let rest = |end: usize| clip(&String::from_utf8_lossy(text.get(at..end).unwrap_or(&[])));
    match text.get(at) {
        Some(b'[') => "an array".to_owned(),
        Some(b'{') => "an object".to_owned(),
        Some(b'"') => match json::string_if(text, at) {
            Some((string, _)) => format!("the string \"{}\"", clip(string.raw)),
            None => "a string".to_owned(),
        },
        Some(b'-' | b'0'..=b'9') => rest(json::number(text, at).unwrap_or(at + 1)),
        Some(b'a'..=b'z' | b'A'..=b'Z') => rest(json::word(text, at)),
        _ => character_at(text, at),
    }
}

fn character_at(text: &[u8], at: usize) -> String {
    let rest = text.get(at..).unwrap_or(&[]);
    let whole = String::from_utf8_lossy(rest.get(..rest.len().min(4)).unwrap_or(&[]));
    match whole.chars().next() {
        None => "the text ends".to_owned(),
        Some(character) => format!("found {character:?}"),
    }
}

fn characters(name: Quoted<'_>) -> String {
    name.characters().collect()
}
