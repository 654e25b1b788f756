//! Which type is inside an open type, by the component that its table constraint links to (X.682 §10).

use roadwire_wire::Data;

use crate::data::equal;
use crate::types::{Component, Kind, Model, Presence, Table, TypeId};

/// A SEQUENCE or SET that holds the value at hand, and those around it.
pub(crate) struct Scope<'s> {
    pub(crate) outer: Option<&'s Scope<'s>>,
    pub(crate) id: TypeId,
    pub(crate) data: &'s dyn Data,
}

/// The row whose value the linked component has.
pub(crate) fn row_of(model: &Model, table: &Table, scope: Option<&Scope<'_>>) -> Option<usize> {
    let mut scopes = std::iter::successors(scope, |scope| scope.outer);
    let scope = match table.level {
        Some(level) => scopes.nth(level as usize),
        None => scopes.filter(|scope| has(model, scope.id, &table.link)).last(),
    }?;
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

/// Whether the type has the component that a link leads to.
pub(crate) fn has(model: &Model, id: TypeId, link: &[String]) -> bool {
    let mut id = Some(id);
    for name in link {
        id = id.and_then(|id| find(model, id, name)).map(|(_, component)| component.type_id);
    }
    id.is_some() && !link.is_empty()
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
