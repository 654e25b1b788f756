//! Types that borrow from the input.

use roadwire_model::TypeId;

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
        match self.repr(id) {
            Repr::LentOctets | Repr::LentText => true,
            Repr::List { element, .. } => self.lends(*element),
            _ => self.parts(id).into_iter().any(|(_, part)| self.lends(part)),
        }
    }

    /// Whether it contains something borrowed from the input.
    pub fn lends(&self, id: TypeId) -> bool {
        self.lending.contains(&self.canonical(id))
    }
}
