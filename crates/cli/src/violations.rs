//! Constraints that a value breaks, although its encoding can be read: for people, and as objects.

use roadwire::{Offending, Violation};
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
        object.insert("violations".to_owned(), all_to_json(violations));
        return tell_line(&Json::Object(object).to_string());
    }
    let line = line.map_or_else(String::new, |line| format!(":{line}"));
    for violation in violations {
        let text: String = violation.to_string().chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        tell_line(&format!("roadwire: {file}{line}: violation: {text}"));
    }
}

/// As an array of objects.
pub(crate) fn all_to_json(violations: &[Violation]) -> Json {
    violations.iter().map(to_json).collect()
}

fn to_json(of: &Violation) -> Json {
    let value = match &of.value {
        None => Json::Null,
        Some(Offending::Text(text)) => json!(text),
        Some(Offending::Number(number)) => match (i64::try_from(number), u64::try_from(number)) {
            (Ok(number), _) => json!(number),
            (_, Ok(number)) => json!(number),
            _ => json!(number.to_string()),
        },
    };
    json!({
        "path": of.path,
        "at": of.at,
        "value": value,
        "constraint": of.constraint,
        "code": of.code,
        "message": of.message,
    })
}
