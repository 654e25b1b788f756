//! Open types in memory. One with a table is a CHOICE of the types in its rows, and of octets for
//! all else: an unknown identifier, or one that does not precede the open type on the wire.

use roadwire_model::{Alternative, Kind, Model, Table, Type, TypeId, Value};

use crate::types::Types;

/// A copy of a model in which each open type with a table is such a CHOICE: an alternative for each
/// row, in their order, and then octets. `names` are the names of all these.
pub fn with_choices(model: &Model, names: impl Fn(&Table) -> Vec<String>) -> Model {
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
        let types = table.rows.iter().map(|(_, id)| *id).chain([octets]);
        let alternatives = names(table).into_iter().zip(types).map(|(name, id)| alternative(name, id)).collect();
        this.kind = Kind::Choice { alternatives, extensible: false };
    }
    copy
}

impl<'m> Types<'m> {
    /// The table of an open type that is an enum of its types.
    pub fn table(&self, id: TypeId) -> Option<&'m Table> {
        let id = self.canonical(id);
        match (&self.source.types.get(id.0 as usize)?.kind, self.kind(id)) {
            (Kind::Open { table }, Kind::Choice { .. }) => table.as_ref(),
            _ => None,
        }
    }

    /// Whether it is an open type that is an enum of its types.
    pub fn is_open(&self, id: TypeId) -> bool {
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
