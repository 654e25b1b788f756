//! Names of types for errors and reports.

use roadwire_model::{Kind, TypeId};

use crate::types::Types;

impl<'m> Types<'m> {
    /// The names of the components or alternatives of `holder` with a type.
    pub fn labels(&self, holder: TypeId, part: TypeId) -> Vec<&'m str> {
        let is_it = |id: TypeId| self.canonical(id) == self.canonical(part);
        match self.kind(holder) {
            Kind::Sequence { components, .. } => {
                components.iter().filter(|one| is_it(one.type_id)).map(|one| one.name.as_str()).collect()
            }
            Kind::Choice { alternatives, .. } => {
                alternatives.iter().filter(|one| is_it(one.type_id)).map(|one| one.name.as_str()).collect()
            }
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
