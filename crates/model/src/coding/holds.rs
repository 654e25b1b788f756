//! When a conditional component is present.

use roadwire_wire::{Data, Scalar};

use super::{Among, Test};
use crate::data::bits;

impl Test {
    /// Whether it holds for a value of the SEQUENCE, which may be incomplete.
    #[must_use]
    pub fn holds(&self, sequence: &dyn Data) -> bool {
        let is_one = sequence.component(self.component as usize).is_some_and(|value| self.among.holds(value));
        is_one != self.negated
    }
}

impl Among {
    /// Whether a value is one of them.
    #[must_use]
    pub fn holds(&self, value: &dyn Data) -> bool {
        let is = |wanted: &[u32], found: Option<usize>| found.is_some_and(|found| wanted.contains(&(found as u32)));
        match (self, value.scalar()) {
            (Among::Items(items), Scalar::Enumerated(ordinal)) => items.contains(&ordinal),
            (Among::Numbers(numbers), Scalar::Integer(value)) => numbers.iter().any(|one| i128::from(*one) == value),
            (Among::Bits(wanted), scalar) => bits(scalar).is_some_and(|(octets, _)| {
                let is_set =
                    |bit: &u32| octets.get(*bit as usize / 8).is_some_and(|octet| octet >> (7 - bit % 8) & 1 == 1);
                wanted.iter().any(is_set)
            }),
            (Among::Alternatives(wanted), _) => is(wanted, value.alternative().map(|(at, _)| at)),
            (Among::Elements(wanted), _) => (0..value.length().unwrap_or(0))
                .filter_map(|at| value.element(at))
                .any(|element| is(wanted, element.alternative().map(|(at, _)| at))),
            _ => false,
        }
    }
}
