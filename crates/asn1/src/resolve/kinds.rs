//! Kinds of types: compatibility and cost.

use roadwire_model::{Kind, Presence, StringKind, Value};

/// Whether values of one kind can be values of the other (X.680 Annex B).
pub(super) fn compatible(from: &Kind, to: &Kind) -> bool {
    match (from, to) {
        (Kind::String { kind: a, .. }, Kind::String { kind: b, .. }) => character_sets(*a) == character_sets(*b),
        _ => same_sort(from, to),
    }
}

/// Whether a subtype of one kind can constrain the other. Published modules constrain a
/// GeneralString by IA5String.
pub(super) fn same_sort(a: &Kind, b: &Kind) -> bool {
    match (a, b) {
        (Kind::String { .. }, Kind::String { .. }) => true,
        (Kind::Iri { relative: a }, Kind::Iri { relative: b }) => a == b,
        (Kind::Sequence { set: a, .. }, Kind::Sequence { set: b, .. })
        | (Kind::SequenceOf { set: a, .. }, Kind::SequenceOf { set: b, .. }) => a == b,
        _ => std::mem::discriminant(a) == std::mem::discriminant(b),
    }
}

/// Character string types whose values can be values of each other have the same one (X.680 Annex
/// B.5): those of ISO/IEC 10646, and each of the others for itself.
fn character_sets(kind: StringKind) -> StringKind {
    match kind {
        StringKind::Utf8
        | StringKind::Numeric
        | StringKind::Printable
        | StringKind::Ia5
        | StringKind::Visible
        | StringKind::Universal
        | StringKind::Bmp => StringKind::Universal,
        StringKind::Teletex => StringKind::Teletex,
        StringKind::Videotex => StringKind::Videotex,
        StringKind::General => StringKind::General,
        // ObjectDescriptor is a GraphicString with a tag (X.680 §48.1).
        StringKind::Graphic | StringKind::ObjectDescriptor => StringKind::Graphic,
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

/// How many values a value consists of.
pub(super) fn count(value: &Value) -> usize {
    match value {
        Value::Sequence { components, .. } => 1 + components.iter().map(|c| c.as_ref().map_or(1, count)).sum::<usize>(),
        Value::List(list) => 1 + list.iter().map(count).sum::<usize>(),
        Value::Choice(_, inner) => 1 + count(inner),
        Value::OctetString(octets) => 1 + octets.len() / 16,
        Value::BitString { octets, .. } => 1 + octets.len() / 16,
        Value::Text(text) => 1 + text.len() / 16,
        _ => 1,
    }
}
