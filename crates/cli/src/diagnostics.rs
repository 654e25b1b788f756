//! The front end's diagnostics, as text for people or as objects.

use roadwire_asn1::Diagnostic;
use serde_json::json;

use crate::failure::tell_line;

/// Tells them on stderr, in order.
pub(crate) fn tell_all<'a>(found: impl Iterator<Item = &'a Diagnostic>, json: bool) {
    for diagnostic in found {
        if json {
            tell_line(&to_json(diagnostic).to_string());
        } else {
            tell_line(&format!("roadwire: {}", diagnostic.render()));
        }
    }
}

fn to_json(diagnostic: &Diagnostic) -> serde_json::Value {
    json!({ diagnostic.severity.name(): {
        "code": diagnostic.code,
        "message": diagnostic.message,
        "file": diagnostic.file,
        "line": diagnostic.line,
        "column": diagnostic.column,
        "length": diagnostic.length,
        "source": diagnostic.source_line,
        "help": diagnostic.note,
    }})
}
