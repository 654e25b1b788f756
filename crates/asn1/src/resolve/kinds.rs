//! Kinds of types: likeness, cost.

use roadwire_model::{Kind, Presence};

use super::values::count;

/// Whether values of one kind can be values of the other.
pub(super) fn same_sort(a: &Kind, b: &Kind) -> bool {
    match (a, b) {
        (Kind::String { .. }, Kind::String { .. }) => true,
        (Kind::Sequence { set: a, .. }, Kind::Sequence { set: b, .. })
        | (Kind::SequenceOf { set: a, .. }, Kind::SequenceOf { set: b, .. }) => a == b,
        _ => std::mem::discriminant(a) == std::mem::discriminant(b),
    }
}

/// How much a copy of a type costs.
pub(super) fn weight(kind: &Kind) -> usize {
    match kind {
        Kind::Sequence { components, .. } => components
            .iter()
            .map(|c| match &c.presence {
                Presence::Default(value) => 1 + count(value),
                _ => 1,
            })
            .sum(),
        Kind::Choice { alternatives, .. } => alternatives.len(),
        Kind::Enumerated(items) => items.root.len() + items.additions.len(),
        Kind::Integer { named, .. } => 1 + named.len(),
        Kind::BitString { named, .. } => 1 + named.len(),
        Kind::Open { table: Some(table) } => table.rows.len(),
        _ => 1,
    }
}
