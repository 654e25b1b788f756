//! Parts of a value that are octets of its original encoding, and so have no meaning in another.

use roadwire_model::{Kind, Model, TypeId, Value};

/// The path of the first unknown extension addition, or of the first open type with unknown
/// content.
pub(crate) fn find(model: &Model, id: TypeId, value: &Value) -> Option<String> {
    let mut path = Vec::new();
    look(model, id, value, &mut path).then(|| path.iter().rev().map(String::as_str).collect::<String>())
}

/// Whether there is one; `path` is built from the inside out. Values nest no deeper than the
/// decoders' limit.
fn look(model: &Model, id: TypeId, value: &Value, path: &mut Vec<String>) -> bool {
    let mut inside = |id, value, step: &dyn Fn() -> String| {
        let found = look(model, id, value, path);
        if found {
            let nested = path.last().is_some_and(|last| !last.starts_with('['));
            if nested {
                path.push(".".into());
            }
            path.push(step());
        }
        found
    };
    match (&model.get(id).kind, value) {
        (Kind::External(inner), _) => look(model, *inner, value, path),
        (Kind::Sequence { components, .. }, Value::Sequence { components: values, unknown }) => {
            !unknown.is_empty()
                || components.iter().zip(values).any(|(component, value)| {
                    value.as_ref().is_some_and(|value| inside(component.type_id, value, &|| component.name.clone()))
                })
        }
        (Kind::SequenceOf { element, .. }, Value::List(values)) => {
            values.iter().enumerate().any(|(at, value)| inside(*element, value, &|| format!("[{at}]")))
        }
        (Kind::Choice { alternatives, .. }, Value::Choice(which, value)) => {
            alternatives.get(*which as usize).is_some_and(|one| inside(one.type_id, value, &|| one.name.clone()))
        }
        (Kind::Open { table: Some(table) }, Value::Choice(row, value)) => {
            table.rows.get(*row as usize).is_some_and(|(_, id)| look(model, *id, value, path))
        }
        (kind, Value::Choice(_, value)) if kind.contained().is_some() => {
            kind.contained().is_some_and(|id| look(model, id, value, path))
        }
        (Kind::Open { .. }, Value::OctetString(_)) | (Kind::Choice { .. }, Value::UnknownChoice(_)) => true,
        _ => false,
    }
}
