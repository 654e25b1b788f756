//! Whether the elements of vectors are in the order that their type requires. Decoders accept any
//! order: it is a rule on content.

use roadwire_wire::Data;

use crate::check::Violation;
use crate::coding::{Coding, Order};
use crate::types::{Kind, Model, TypeId};
use crate::value::Value;

/// Finds every vector whose elements are not in ascending order of their types, or with two of the
/// same type.
///
/// # Panics
/// On a type id of another model.
#[must_use]
pub fn violations(model: &Model, id: TypeId, value: &dyn Data) -> Vec<Violation> {
    let mut found = Vec::new();
    visit(model, id, value, &mut String::new(), 0, &mut found);
    found
}

fn visit(model: &Model, id: TypeId, value: &dyn Data, path: &mut String, depth: usize, found: &mut Vec<Violation>) {
    if depth > Value::MAX_DEPTH {
        return;
    }
    let mut inside = |step: &str, id: TypeId, value: &dyn Data| {
        let length = path.len();
        if !path.is_empty() && !step.starts_with('[') {
            path.push('.');
        }
        path.push_str(step);
        visit(model, id, value, path, depth + 1, found);
        path.truncate(length);
    };
    match &model.get(id).kind {
        Kind::Sequence { components, .. } => {
            for (at, component) in components.iter().enumerate() {
                if let Some(inner) = value.component(at) {
                    inside(&component.name, component.type_id, inner);
                }
            }
        }
        Kind::Choice { alternatives, .. } => {
            if let Some((at, inner)) = value.alternative() {
                if let Some(alternative) = alternatives.get(at) {
                    inside(&alternative.name, alternative.type_id, inner);
                }
            }
        }
        Kind::SequenceOf { element, .. } => {
            let length = value.length().unwrap_or(0);
            for at in 0..length {
                if let Some(inner) = value.element(at) {
                    inside(&format!("[{at}]"), *element, inner);
                }
            }
            if let Some(Coding::Vector(vector)) = model.codings.get(&id) {
                if let Some(order) = &vector.order {
                    let out = out_of_order(model, *element, order, value);
                    found.extend(out.map(|(at, message)| Violation {
                        path: format!("{path}[{at}]"),
                        message: message.into(),
                        code: "vector.order",
                        value: None,
                        constraint: String::new(),
                    }));
                }
            }
        }
        _ => {}
    }
}

/// The first element that is not in order. Elements of unknown types are skipped.
fn out_of_order(model: &Model, element: TypeId, order: &Order, value: &dyn Data) -> Option<(usize, &'static str)> {
    let Some(Coding::Choice { numbers, .. }) = model.codings.get(&element) else { return None };
    let mut before: Option<Option<u64>> = None;
    for at in 0..value.length().unwrap_or(0) {
        let Some((which, _)) = value.element(at).and_then(|element| element.alternative()) else { continue };
        // `None` is before every number.
        let place = if order.first == Some(which as u32) { None } else { numbers.get(which).copied() };
        match before {
            Some(last) if last == place => return Some((at, "a second element of this type")),
            Some(last) if last > place => return Some((at, "an element of a type that comes before the last one's")),
            _ => before = Some(place),
        }
    }
    None
}
