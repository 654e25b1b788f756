//! A recursive type must have a finite value: there must be a vector or a case in the recursion.

use roadwire_model::{Kind, Presence, QualifiedName, TypeId};

use super::Resolver;
use crate::ast::Definition;

impl Resolver<'_, '_> {
    pub(super) fn check_finite(&mut self, definitions: &[Definition]) {
        let mut finite = vec![false; self.model.types.len()];
        loop {
            let mut changed = false;
            for (at, this) in self.model.types.iter().enumerate() {
                let of = |id: &TypeId| finite.get(id.0 as usize).copied().unwrap_or(true);
                let ends = match &this.kind {
                    Kind::Sequence { components, .. } => components
                        .iter()
                        .all(|component| component.presence == Presence::Optional || of(&component.type_id)),
                    Kind::SequenceOf { element, size, .. } => size.lower == 0 || of(element),
                    Kind::Choice { alternatives, .. } => alternatives.iter().any(|one| of(&one.type_id)),
                    _ => true,
                };
                if ends && !finite[at] {
                    finite[at] = true;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        for definition in definitions {
            let name = QualifiedName { module: self.module.to_owned(), name: definition.name.text.clone() };
            let id = self.model.definitions.get(&name);
            if id.is_some_and(|id| !finite[id.0 as usize]) {
                let what = format!("`{}` contains itself without an end", definition.name.text);
                self.sink.error("tls.infinite", definition.name.span, what);
            }
        }
    }
}
