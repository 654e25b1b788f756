//! Constraints that a value breaks, as objects.

use roadwire::{Offending, Violation};
use serde_json::{Value as Json, json};

/// As an array of objects: `docs/violations.md` has their members.
#[must_use]
pub fn to_json(violations: &[Violation]) -> Json {
    violations.iter().map(one_to_json).collect()
}

fn one_to_json(of: &Violation) -> Json {
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
