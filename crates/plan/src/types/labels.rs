//! Names of types for errors and reports.

use roadwire_model::{Kind, TypeId};

use crate::types::Types;

impl<'m> Types<'m> {
    /// The names of the components or alternatives of `holder` with a type.
    pub fn labels(&self, holder: TypeId, part: TypeId) -> Vec<&'m str> {
        let is_it = |id: TypeId| self.canonical(id) == self.canonical(part);
        self.parts(holder).into_iter().filter(|(_, id)| is_it(*id)).map(|(name, _)| name).collect()
    }

    /// The names and types of a type's components or alternatives.
    pub(crate) fn parts(&self, id: TypeId) -> Vec<(&'m str, TypeId)> {
        match self.kind(id) {
            Kind::Sequence { components, .. } => components.iter().map(|one| (&*one.name, one.type_id)).collect(),
            Kind::Choice { alternatives, .. } => alternatives.iter().map(|one| (&*one.name, one.type_id)).collect(),
            _ => Vec::new(),
        }
    }

    /// A type's name in its module; otherwise that of its use in a type with a name.
    pub fn named(&self, id: TypeId) -> Option<String> {
        let id = self.canonical(id);
        if let Some(name) = &self.model.get(id).name {
            return Some(name.name.clone());
        }
        self.order.iter().find_map(|holder| {
            let name = &self.model.get(*holder).name.as_ref()?.name;
            self.labels(*holder, id).first().map(|label| format!("{name}.{label}"))
        })
    }

    /// The name of a type in an error.
    pub(super) fn label(&self, id: TypeId) -> String {
        self.named(id).unwrap_or_else(|| self.kind(id).name().to_owned())
    }
}
