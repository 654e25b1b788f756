//! Random values as a sender of some version of the type writes them.

use crate::types::{Field, Kind, Model, Presence, TypeId};
use crate::value::Value;

/// Removes the gaps among extension additions of a random value: all additions after an absent
/// mandatory one are absent too, as in every value from a sender of some version of the type.
/// `false` if an open type has random octets although an identifier selects its type (X.682 §10.7):
/// no sender has such a value.
///
/// # Panics
/// On a type id of another model.
#[must_use]
pub fn as_sent(model: &Model, id: TypeId, value: &mut Value) -> bool {
    close_gaps(model, id, value);
    !misplaced_octets(model, id, value)
}

/// Removes the extension additions that follow an absent mandatory one, in the value and all inside
/// it.
fn close_gaps(model: &Model, id: TypeId, value: &mut Value) {
    match (&model.get(id).kind, value) {
        (Kind::SequenceOf { element, .. }, Value::List(list)) => {
            list.iter_mut().for_each(|one| close_gaps(model, *element, one));
        }
        (Kind::Choice { alternatives, .. }, Value::Choice(index, inner)) => {
            if let Some(alternative) = alternatives.get(*index as usize) {
                close_gaps(model, alternative.type_id, inner);
            }
        }
        (Kind::Sequence { components: known, .. }, Value::Sequence { components, .. }) => {
            let mut gap = false;
            for at in 0..known.len() {
                match (known[at].field, &mut components[at]) {
                    (Field::Root, Some(inner)) => close_gaps(model, known[at].type_id, inner),
                    (Field::Root, None) => {}
                    (_, place @ Some(_)) if gap => *place = None,
                    (_, Some(inner)) => close_gaps(model, known[at].type_id, inner),
                    (_, None) => gap |= known[at].presence == Presence::Mandatory,
                }
            }
        }
        (Kind::Open { table: Some(table) }, Value::Choice(row, inner)) => {
            if let Some((_, id)) = table.rows.get(*row as usize) {
                close_gaps(model, *id, inner);
            }
        }
        _ => {}
    }
}

/// Whether an open type contains random octets although an identifier selects its type (X.682
/// §10.7).
fn misplaced_octets(model: &Model, id: TypeId, value: &Value) -> bool {
    match (&model.get(id).kind, value) {
        (Kind::SequenceOf { element, .. }, Value::List(list)) => {
            list.iter().any(|one| misplaced_octets(model, *element, one))
        }
        (Kind::Choice { alternatives, .. }, Value::Choice(index, inner)) => alternatives
            .get(*index as usize)
            .is_some_and(|alternative| misplaced_octets(model, alternative.type_id, inner)),
        (Kind::Sequence { components: known, .. }, Value::Sequence { components, .. }) => {
            known.iter().zip(components).any(|(component, inner)| {
                let Some(inner) = inner else { return false };
                let is_known = model.selected(component).is_some_and(|by| {
                    let beside = known.iter().position(|other| other.name == by.link[0]);
                    let identifier = beside.and_then(|at| components.get(at)?.as_ref());
                    identifier.is_some_and(|identifier| by.rows.iter().any(|(row, _)| row == identifier))
                });
                is_known && holds_octets(inner) || misplaced_octets(model, component.type_id, inner)
            })
        }
        (Kind::Open { table: Some(table) }, Value::Choice(row, inner)) => {
            table.rows.get(*row as usize).is_some_and(|(_, id)| misplaced_octets(model, *id, inner))
        }
        _ => false,
    }
}

/// Whether the value of an open type, or one of a list of them, is octets.
fn holds_octets(value: &Value) -> bool {
    match value {
        Value::OctetString(_) => true,
        Value::List(list) => list.iter().any(|one| matches!(one, Value::OctetString(_))),
        _ => false,
    }
}
