//! How much a value says: the bits that tell it from the other values of its type.
//!
//! An encoding is longer than that by tags, lengths, padding and numbers that no field may have.
//! Octets that are something else agree with all these by chance only: `n` such bits in one of 2ⁿ
//! cases.

use roadwire_model::{Alphabet, BigInt, Component, Enumerators, Field, Integer, IntegerRange, Kind, Model, Presence};
use roadwire_model::{Size, StringKind, TypeId, Unknown, Value};

/// Bits of a flag that nearly always has this value: no additions, no value outside the root.
const USUAL: f64 = 0.2;
/// Bits of the same flag with the other value.
const RARE: f64 = 3.0;
/// Bits of a time: a second of a century.
const TIME: f64 = 32.0;

/// The information of a value in bits.
pub(super) fn bits(model: &Model, id: TypeId, value: &Value) -> f64 {
    match (&model.get(id).kind, value) {
        (Kind::Boolean, _) => 1.0,
        (Kind::Integer { range, .. }, Value::Integer(value)) => integer(range, value),
        (Kind::Enumerated(items), Value::Enumerated(ordinal)) => enumerated(items, *ordinal),
        (Kind::Real { .. }, _) => 64.0,
        (kind, Value::Choice(_, content)) if kind.contained().is_some() => {
            kind.contained().map_or(0.0, |id| bits(model, id, content))
        }
        (Kind::BitString { size, .. }, Value::BitString { bits, .. }) => count(*size, *bits) + *bits as f64,
        (Kind::OctetString { size, .. }, Value::OctetString(octets)) => count(*size, octets.len()) + of_octets(octets),
        (Kind::ObjectIdentifier | Kind::RelativeOid, Value::Oid(oid)) => 4.0 * oid.to_string().len() as f64,
        (Kind::String { kind, size, alphabet, .. }, Value::Text(text)) => {
            let characters = text.chars().count();
            count(*size, characters) + characters as f64 * character(*kind, alphabet.as_ref())
        }
        (Kind::Iri { .. }, Value::Text(text)) => length(text.len()) + of_octets(text.as_bytes()),
        (Kind::Time { .. }, _) => TIME,
        (Kind::Sequence { components, extensible, .. }, Value::Sequence { components: values, unknown }) => {
            sequence(model, components, *extensible, values, unknown)
        }
        (Kind::SequenceOf { element, size, .. }, Value::List(values)) => {
            count(*size, values.len()) + values.iter().map(|value| bits(model, *element, value)).sum::<f64>()
        }
        (Kind::Choice { alternatives, .. }, Value::Choice(which, content)) => {
            let inside = alternatives.get(*which as usize).map_or(0.0, |one| bits(model, one.type_id, content));
            (alternatives.len().max(1) as f64).log2() + inside
        }
        (Kind::Choice { alternatives, .. }, Value::UnknownChoice(one)) => {
            (alternatives.len().max(1) as f64).log2() + of_unknown(one)
        }
        // Its key says which row it is.
        (Kind::Open { table: Some(table) }, Value::Choice(row, content)) => {
            table.rows.get(*row as usize).map_or(0.0, |(_, id)| bits(model, *id, content))
        }
        (Kind::Open { .. }, Value::OctetString(octets)) => length(octets.len()) + of_octets(octets),
        (Kind::External(inner), value) => bits(model, *inner, value),
        _ => 0.0,
    }
}

fn integer(range: &IntegerRange, value: &Integer) -> f64 {
    let value = value.to_bigint();
    let inside = range.lower.as_ref().is_none_or(|lower| *lower <= value)
        && range.upper.as_ref().is_none_or(|upper| value <= *upper);
    let flag = match range.extensible {
        true if inside => USUAL,
        true => RARE,
        false => 0.0,
    };
    flag + match (&range.lower, &range.upper) {
        (Some(lower), Some(upper)) if inside => log2(&(upper - lower + 1_u8)),
        _ => {
            let octets = value.bits().div_ceil(8) as usize;
            length(octets) + 8.0 * octets as f64
        }
    }
}

fn log2(count: &BigInt) -> f64 {
    u64::try_from(count).map_or(count.bits() as f64, |count| (count as f64).log2())
}

fn enumerated(items: &Enumerators, ordinal: u32) -> f64 {
    let root = items.root.len();
    let flag = match items.extensible {
        true if (ordinal as usize) < root => USUAL,
        true => RARE,
        false => 0.0,
    };
    match (ordinal as usize).checked_sub(root) {
        None => flag + (root.max(1) as f64).log2(),
        // Of an addition, six bits tell which one (X.691 §11.6).
        Some(_) => flag + 6.0,
    }
}

fn sequence(
    model: &Model,
    components: &[Component],
    extensible: bool,
    values: &[Option<Value>],
    unknown: &[Unknown],
) -> f64 {
    let is_root = |component: &Component| matches!(component.field, Field::Root);
    let mut all = 0.0;
    let mut has_additions = !unknown.is_empty();
    for (component, value) in components.iter().zip(values) {
        has_additions |= !is_root(component) && value.is_some();
        all += match (&component.presence, value) {
            (Presence::Mandatory, _) => 0.0,
            // Both are a bit in the root, and additions are rare.
            (Presence::Optional | Presence::Default(_), _) if is_root(component) => 1.0,
            _ => 0.0,
        };
        all += value.as_ref().map_or(0.0, |value| bits(model, component.type_id, value));
    }
    if extensible || has_additions {
        all += if has_additions { RARE + 8.0 } else { USUAL };
    }
    all + unknown.iter().map(of_unknown).sum::<f64>()
}

fn of_unknown(unknown: &Unknown) -> f64 {
    8.0 + length(unknown.octets.len()) + of_octets(&unknown.octets)
}

/// Bits of a size within its constraint.
fn count(size: Size, count: usize) -> f64 {
    let inside = (size.root().0..=size.root().1).contains(&(count as u64));
    let flag = match size.extensible {
        true if inside => USUAL,
        true => RARE,
        false => 0.0,
    };
    flag + match size.upper {
        // Of a wide range, small sizes are the usual ones.
        Some(upper) if inside => ((upper - size.lower) as f64 + 1.0).log2().min(length(count)),
        _ => length(count),
    }
}

/// Bits of a length without a bound: those of a length determinant that are not its form (X.691
/// §11.9.3).
fn length(count: usize) -> f64 {
    match count {
        ..128 => 7.0,
        128..16_384 => 14.0,
        _ => (count as f64).log2() + 1.0,
    }
}

/// Octets of any content.
fn of_octets(octets: &[u8]) -> f64 {
    8.0 * octets.len() as f64
}

/// Bits of a character: of its alphabet, or of the characters of its type (X.680 §41).
fn character(kind: StringKind, alphabet: Option<&Alphabet>) -> f64 {
    let characters = match kind {
        StringKind::Numeric => 11,
        StringKind::Printable => 74,
        StringKind::Visible => 95,
        StringKind::Ia5 => 128,
        StringKind::Bmp => 65_536,
        StringKind::Universal => 0x11_0000,
        _ => 256,
    };
    (alphabet.map_or(characters, Alphabet::count).max(1) as f64).log2()
}
