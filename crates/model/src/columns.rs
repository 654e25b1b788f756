//! How many columns a type has, where each of its leaves is one and each type with parts has one
//! beside those of its parts.

use std::collections::HashMap;

use crate::types::{Kind, Model, TypeId};

/// The most columns of a type.
pub const MOST: usize = 100_000;

/// How many columns types have. Each type is counted once.
#[derive(Debug)]
pub struct ColumnCounts<'m> {
    model: &'m Model,
    /// Nothing for a type that is being counted, or contains itself, or has too many.
    counted: HashMap<TypeId, Option<usize>>,
}

impl<'m> ColumnCounts<'m> {
    /// Of types of this model.
    #[must_use]
    pub fn new(model: &'m Model) -> Self {
        ColumnCounts { model, counted: HashMap::new() }
    }

    /// The columns of a type, its own first: one for a leaf; for a list its own and those of an
    /// element; for a SEQUENCE, SET or CHOICE its own and those of all components or alternatives,
    /// in textual order; for an open type its own, those of the types of its table, and one for
    /// octets; for a string with CONTAINING its own, those of the type in it, and one for octets.
    /// Nothing for a type that contains itself, or has more than [`MOST`].
    ///
    /// # Panics
    /// On a type id of another model.
    pub fn of(&mut self, ty: TypeId) -> Option<usize> {
        let ty = self.model.untagged(ty);
        if let Some(known) = self.counted.get(&ty) {
            return *known;
        }
        self.counted.insert(ty, None);
        let count = self.count(ty).filter(|count| *count <= MOST);
        self.counted.insert(ty, count);
        count
    }

    fn count(&mut self, ty: TypeId) -> Option<usize> {
        let model = self.model;
        match &model.get(ty).kind {
            Kind::External(inner) if *inner != ty => self.of(*inner),
            Kind::Sequence { components, .. } if !components.is_empty() => {
                self.all(components.iter().map(|component| component.type_id), 1)
            }
            Kind::Choice { alternatives, .. } if !alternatives.is_empty() => {
                self.all(alternatives.iter().map(|alternative| alternative.type_id), 1)
            }
            Kind::Open { table } => {
                let rows = table.iter().flat_map(|table| &table.rows);
                self.all(rows.map(|(_, inner)| *inner), 2)
            }
            Kind::BitString { contains: Some(inner), .. } | Kind::OctetString { contains: Some(inner), .. } => {
                self.all([*inner].into_iter(), 2)
            }
            Kind::SequenceOf { element, .. } => self.all([*element].into_iter(), 1),
            _ => Some(1),
        }
    }

    fn all(&mut self, mut parts: impl Iterator<Item = TypeId>, own: usize) -> Option<usize> {
        parts.try_fold(own, |sum, part| Some(sum + self.of(part)?)).filter(|sum| *sum <= MOST)
    }
}
