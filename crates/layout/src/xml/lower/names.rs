//! Names of elements.

use std::borrow::Cow;

use roadwire_model::{Kind, Model, TypeId};

/// The name of a type: its reference, or otherwise the name in X.680 Table 4.
pub(crate) fn of_type(model: &Model, id: TypeId) -> String {
    let this = model.get(id);
    match this.known_as() {
        Some(name) => safe(&name.name).into_owned(),
        None => built_in(model, &this.kind),
    }
}

/// X.680 §14.2: XML reserves names that begin with `xml`.
pub(crate) fn safe(name: &str) -> Cow<'_, str> {
    match name.get(..3) {
        Some(start) if start.eq_ignore_ascii_case("xml") => Cow::Owned(format!("_{name}")),
        _ => Cow::Borrowed(name),
    }
}

/// X.680 §16.2, Table 4. (An open type has no name there.)
fn built_in(model: &Model, kind: &Kind) -> String {
    match kind {
        Kind::Open { .. } => "OPEN_TYPE".into(),
        Kind::External(inner) => match model.get(*inner).name.as_ref().map(|name| name.name.as_str()) {
            Some("EmbeddedPdv") => "EMBEDDED_PDV".into(),
            Some("CharacterString") => "CHARACTER_STRING".into(),
            _ => "EXTERNAL".into(),
        },
        _ => kind.name().replace([' ', '-'], "_"),
    }
}
