//! The front end's diagnostics, as text for people or as objects.

use roadwire_frontend::{Diagnostic, Diagnostics};
use serde_json::json;

use crate::failure::tell_line;

/// The most that are shown at once to human readers.
const SHOWN: usize = 20;

/// Prints them on stderr, in order: all of them as objects, or the first of them as text.
pub(crate) fn tell_all(found: &Diagnostics, json: bool) {
    if json {
        found.iter().for_each(|diagnostic| tell_line(&to_json(diagnostic).to_string()));
        return;
    }
    for diagnostic in found.iter().take(SHOWN) {
        tell_line(&format!("roadwire: {}", diagnostic.render()));
    }
    if found.len() > SHOWN {
        tell_line(&format!("roadwire: and {} more; --json lists them", found.len() - SHOWN));
    }
}

fn to_json(diagnostic: &Diagnostic) -> serde_json::Value {
    let mut told = json!({
        "code": diagnostic.code,
        "message": diagnostic.message,
        "file": diagnostic.file,
        "line": diagnostic.line,
        "column": diagnostic.column,
        "length": diagnostic.length,
        "source": diagnostic.source_line,
    });
    let mut add = |key: &str, value| {
        if let Some(told) = told.as_object_mut() {
            told.insert(key.to_owned(), value);
        }
    };
    if let Some(note) = &diagnostic.note {
        add("help", json!(note));
    }
    if let Some(rule) = &diagnostic.rule {
        add("rule", json!(rule));
    }
    if !diagnostic.taken_by.is_empty() {
        add("taken_by", json!(diagnostic.taken_by));
    }
    json!({ diagnostic.severity.name(): told })
}
