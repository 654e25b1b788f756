//! Types that borrow from the input.

use roadwire_model::{Kind, TypeId};

use crate::types::{Repr, Types};

impl<'m> Types<'m> {
    /// Recursive types have no order, so this repeats until nothing new is found.
    pub(super) fn find_lending(&mut self) {
        loop {
            let found: Vec<TypeId> =
                self.order.iter().copied().filter(|id| !self.lends(*id) && self.begins_to_lend(*id)).collect();
            if found.is_empty() {
                return;
            }
            self.lending.extend(found);
        }
    }

    pub(super) fn begins_to_lend(&self, id: TypeId) -> bool {
        match (self.repr(id), self.kind(id)) {
            (Repr::LentOctets | Repr::LentText, _) => true,
            (Repr::List { element, .. }, _) => self.lends(*element),
            (_, Kind::Sequence { components, .. }) => components.iter().any(|one| self.lends(one.type_id)),
            (_, Kind::Choice { alternatives, .. }) => alternatives.iter().any(|one| self.lends(one.type_id)),
            _ => false,
        }
    }

    /// Whether it contains something borrowed from the input.
    pub fn lends(&self, id: TypeId) -> bool {
        self.lending.contains(&self.canonical(id))
    }
}
