//! The type inside an open type, selected by the component to which its table constraint links
//! (X.682 §10).

use roadwire_wire::Data;

use crate::data::equal;
use crate::types::{Component, Kind, Model, Presence, Table, TypeId};

/// A SEQUENCE or SET that contains the current value, and those around it.
pub(crate) struct Scope<'s> {
    pub(crate) outer: Option<&'s Scope<'s>>,
    pub(crate) id: TypeId,
    pub(crate) data: &'s dyn Data,
}

/// The row whose value the linked component has.
pub(crate) fn row_of(model: &Model, table: &Table, scope: Option<&Scope<'_>>) -> Option<usize> {
    let scope = std::iter::successors(scope, |scope| scope.outer).nth(table.level as usize)?;
    let (mut id, mut data) = (scope.id, scope.data);
    for name in &table.link {
        let (index, component) = find(model, id, name)?;
        data = match (data.component(index), &component.presence) {
            (Some(inner), _) => inner,
            (None, Presence::Default(value)) => value,
            (None, _) => return None,
        };
        id = component.type_id;
    }
    if table.link.is_empty() { None } else { select(model, table, id, data) }
}

pub(crate) fn select(model: &Model, table: &Table, id: TypeId, value: &dyn Data) -> Option<usize> {
    table.rows.iter().position(|(row, _)| equal(model, id, row, value))
}

pub(crate) fn find<'m>(model: &'m Model, id: TypeId, name: &str) -> Option<(usize, &'m Component)> {
    match &model.get(id).kind {
        Kind::Sequence { components, .. } => {
            components.iter().enumerate().find(|(_, component)| component.name == name)
        }
        Kind::External(inner) => find(model, *inner, name),
        _ => None,
    }
}
