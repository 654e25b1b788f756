//! Open types in memory. One with a table is a CHOICE of the types in its rows, and of octets for
//! all else: an unknown identifier, or one that does not precede the open type on the wire.

use std::collections::HashSet;

use roadwire_model::{Alternative, Kind, Model, Table, Type, TypeId, Value};

use crate::names::{distinct, type_name, variant_name};
use crate::types::Types;

/// The alternative for octets.
pub(crate) const OCTETS: &str = "Octets";

/// A copy of a model in which each open type with a table is such a CHOICE: an alternative for each
/// row, in their order, and then octets.
pub(crate) fn with_choices(model: &Model) -> Model {
    let mut copy = model.clone();
    let octets = copy.add(Type {
        name: None,
        reference: None,
        tags: Vec::new(),
        instructions: Default::default(),
        kind: Kind::Open { table: None },
    });
    for this in &mut copy.types {
        let Kind::Open { table: Some(table) } = &this.kind else { continue };
        if table.rows.is_empty() {
            continue;
        }
        let alternative = |name: String, type_id: TypeId| Alternative { name, type_id, addition: false };
        let mut taken = HashSet::from([OCTETS.to_owned()]);
        let rows = table.rows.iter().map(|(_, id)| alternative(distinct(row_name(model, *id), &mut taken), *id));
        let mut alternatives: Vec<Alternative> = rows.collect();
        alternatives.push(alternative(OCTETS.into(), octets));
        this.kind = Kind::Choice { alternatives, extensible: false };
    }
    copy
}

/// The name of a row's alternative: that of its type.
fn row_name(model: &Model, id: TypeId) -> String {
    let this = model.get(id);
    match this.name.as_ref().or(this.reference.as_ref()) {
        Some(name) => variant_name(&type_name(&name.name)),
        None => this.kind.name().split([' ', '-']).map(|word| type_name(&word.to_uppercase())).collect(),
    }
}

impl<'m> Types<'m> {
    /// The table of an open type that is an enum of its types.
    pub(crate) fn table(&self, id: TypeId) -> Option<&'m Table> {
        let id = self.canonical(id);
        match (&self.source.types.get(id.0 as usize)?.kind, self.kind(id)) {
            (Kind::Open { table }, Kind::Choice { .. }) => table.as_ref(),
            _ => None,
        }
    }

    /// Whether it is an open type that is an enum of its types.
    pub(crate) fn is_open(&self, id: TypeId) -> bool {
        self.table(id).is_some()
    }

    /// The type of a row of an open type that is an enum of its types; that of its octets after the
    /// last one.
    pub(crate) fn row(&self, open: TypeId, at: usize) -> TypeId {
        match self.kind(open) {
            Kind::Choice { alternatives, .. } => alternatives.get(at).map_or(open, |one| one.type_id),
            _ => open,
        }
    }

    /// Whether a value of a type has one of an open type in it.
    pub(crate) fn has_content(&self, id: TypeId, value: &Value) -> bool {
        match (&self.model.get(id).kind, value) {
            (Kind::Open { .. }, _) => true,
            _ if self.is_open(id) => true,
            (kind, Value::Choice(..)) if kind.contained().is_some() => true,
            (Kind::External(inner), value) => self.has_content(*inner, value),
            (Kind::Sequence { components, .. }, Value::Sequence { components: values, .. }) => {
                let given = components.iter().zip(values);
                given
                    .into_iter()
                    .any(|(one, value)| value.as_ref().is_some_and(|value| self.has_content(one.type_id, value)))
            }
            (Kind::SequenceOf { element, .. }, Value::List(values)) => {
                values.iter().any(|value| self.has_content(*element, value))
            }
            (Kind::Choice { alternatives, .. }, Value::Choice(which, value)) => {
                alternatives.get(*which as usize).is_some_and(|one| self.has_content(one.type_id, value))
            }
            _ => false,
        }
    }
}
