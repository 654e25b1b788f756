//! Constraints that a value breaks, although its encoding can be read: for people, and as an object.

use roadwire::Violation;
use roadwire_recording::violations::to_json;
use serde_json::{Map, Value as Json, json};

use crate::failure::tell_line;

/// Lists violations on stderr: of a line of the input, if it has lines.
pub(crate) fn tell(violations: &[Violation], file: &str, line: Option<u64>, json: bool) {
    if violations.is_empty() {
        return;
    }
    if json {
        let mut object = Map::from_iter([("file".to_owned(), json!(file))]);
        object.extend(line.map(|line| ("line".to_owned(), json!(line))));
        object.insert("violations".to_owned(), to_json(violations));
        return tell_line(&Json::Object(object).to_string());
    }
    let line = line.map_or_else(String::new, |line| format!(":{line}"));
    for violation in violations {
        let text: String = violation.to_string().chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        tell_line(&format!("roadwire: {file}{line}: violation: {text}"));
    }
}
