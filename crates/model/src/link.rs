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
    let scopes = std::iter::successors(scope, |scope| scope.outer);
    let scope = governing(model, table, scopes, |scope| scope.id)?;
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

/// Where a table's link starts: of the scopes around the open type, from the inside out, as many up as the link has dots; without dots the outermost one of the type definition that the open
/// type stands in (X.682 §10.7), or one farther out where that has no such component.
pub(crate) fn governing<S: Copy>(
    model: &Model,
    table: &Table,
    mut scopes: impl Iterator<Item = S>,
    id: impl Fn(S) -> TypeId,
) -> Option<S> {
    if let Some(level) = table.level {
        return scopes.nth(level as usize);
    }
    let scopes: Vec<S> = scopes.collect();
    let defined = |scope: &S| {
        let this = model.get(id(*scope));
        this.name.is_some() || this.reference.is_some()
    };
    let (inside, outside) = scopes.split_at(scopes.iter().position(defined).map_or(scopes.len(), |at| at + 1));
    let all = inside.iter().rev().chain(outside.iter().rev());
    all.copied().find(|scope| has(model, id(*scope), &table.link))
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
