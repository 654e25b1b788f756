//! Constraints that a value breaks, as objects.

use roadwire::{Offending, Violation};
use serde_json::{Value as Json, json};

/// As an array of objects: `docs/violations.md` has their members.
#[must_use]
pub fn to_json(violations: &[Violation]) -> Json {
    violations.iter().map(one_to_json).collect()
}

fn one_to_json(of: &Violation) -> Json {
    let mut object = json!({"path": of.path, "constraint": of.constraint, "code": of.code, "message": of.message});
    if let Some(at) = of.at {
        object["at"] = at.into();
    }
    if let Some(value) = &of.value {
        object["value"] = value_to_json(value);
    }
    object
}

/// Numbers of more than 64 bits are text.
fn value_to_json(value: &Offending) -> Json {
    match value {
        Offending::Text(text) => json!(text),
        Offending::Number(number) => match (i64::try_from(number), u64::try_from(number)) {
            (Ok(number), _) => json!(number),
            (_, Ok(number)) => json!(number),
            _ => json!(number.to_string()),
        },
    }
}
