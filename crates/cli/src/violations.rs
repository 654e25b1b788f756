//! Constraints that a value breaks, although its encoding can be read: for people, and as an
//! object.

use roadwire::Violation;
use roadwire_recording::on_one_line;
use roadwire_recording::violations::to_json;
use serde_json::{Map, Value as Json, json};

use crate::failure::tell_line;

/// Lists violations on stderr.
pub(crate) fn tell(violations: &[Violation], file: &str, json: bool) {
    lines(violations, file, None, json).iter().for_each(|text| tell_line(text));
}

/// Violations as lines for stderr: of a line of the input, if it has lines.
pub(crate) fn lines(violations: &[Violation], file: &str, line: Option<u64>, json: bool) -> Vec<String> {
    if violations.is_empty() {
        return Vec::new();
    }
    if json {
        let mut object = Map::from_iter([("file".to_owned(), json!(file))]);
        object.extend(line.map(|line| ("line".to_owned(), json!(line))));
        object.insert("violations".to_owned(), to_json(violations));
        return vec![Json::Object(object).to_string()];
    }
    let line = line.map_or_else(String::new, |line| format!(":{line}"));
    let one = |violation: &Violation| {
        let text = on_one_line(&violation.to_string());
        format!("roadwire: {file}{line}: violation: {text}")
    };
    violations.iter().map(one).collect()
}
