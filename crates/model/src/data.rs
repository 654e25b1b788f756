//! How codecs read and fill dynamic values, and when two values are equal.

use roadwire_wire::{Data, Part, Scalar, Shape, Unknown};

use crate::types::{Kind, Model, Presence, TypeId};
use crate::value::{Integer, Oid, Value};

/// A `Value` takes any shape: the caller checks that it fits a type. Fill a fresh
/// [`Value::Unset`].
///
/// An open type is filled like an OCTET STRING when its content stays octets, and like a CHOICE of
/// its table's rows when the inner type is known.
impl Data for Value {
    roadwire_wire::cannot_append!();

    fn scalar(&self) -> Scalar<'_> {
        match self {
            Value::Null => Scalar::Null,
            Value::Boolean(value) => Scalar::Boolean(*value),
            Value::Integer(value) => value.scalar(),
            Value::Enumerated(ordinal) => Scalar::Enumerated(*ordinal),
            Value::Real(value) => Scalar::Real(*value),
            Value::BitString { octets, bits } => Scalar::Bits(octets, *bits),
            Value::OctetString(octets) => Scalar::Octets(octets),
            Value::Oid(oid) => Scalar::Oid(oid.contents()),
            Value::Text(text) => Scalar::Text(text),
            _ => Scalar::Unset,
        }
    }

    fn integer(&self) -> Option<i64> {
        match self {
            Value::Integer(value) => value.to_i128().and_then(|value| i64::try_from(value).ok()),
            _ => None,
        }
    }

    fn component(&self, index: usize) -> Option<&dyn Data> {
        match self {
            Value::Sequence { components, .. } => components.get(index)?.as_ref().map(|value| value as &dyn Data),
            _ => None,
        }
    }

    fn is_record(&self, extensible: bool) -> bool {
        matches!(self, Value::Sequence { unknown, .. } if extensible || unknown.is_empty())
    }

    fn length(&self) -> Option<usize> {
        match self {
            Value::List(elements) => Some(elements.len()),
            _ => None,
        }
    }

    fn element(&self, index: usize) -> Option<&dyn Data> {
        match self {
            Value::List(elements) => elements.get(index).map(|value| value as &dyn Data),
            _ => None,
        }
    }

    fn alternative(&self) -> Option<(usize, &dyn Data)> {
        match self {
            Value::Choice(index, value) => Some((*index as usize, &**value)),
            _ => None,
        }
    }

    fn unknown(&self) -> &[Unknown] {
        match self {
            Value::Sequence { unknown, .. } => unknown,
            Value::UnknownChoice(unknown) => std::slice::from_ref(unknown),
            _ => &[],
        }
    }

    fn place(&self) -> usize {
        size_of::<Value>()
    }

    fn begin(&mut self, shape: Shape) -> bool {
        let empty = match shape {
            Shape::Record(count) => Value::sequence((0..count).map(|_| None)),
            Shape::List => Value::List(Vec::new()),
            Shape::Bits => Value::BitString { octets: Vec::new(), bits: 0 },
            Shape::Octets => Value::OctetString(Vec::new()),
            Shape::Text => Value::Text(String::new()),
        };
        fill(self, empty);
        true
    }

    fn set(&mut self, scalar: Scalar<'_>) -> bool {
        let leaf = match scalar {
            Scalar::Unset => return false,
            Scalar::Null => Value::Null,
            Scalar::Boolean(value) => Value::Boolean(value),
            Scalar::Integer(value) => Value::Integer(value.into()),
            Scalar::WideInteger(octets) => Value::Integer(Integer::from_twos_complement(octets)),
            Scalar::Enumerated(ordinal) => Value::Enumerated(ordinal),
            Scalar::Real(value) => Value::Real(value),
            Scalar::Word(word) => Value::bit_string(&word.to_octets(), usize::from(word.bits.min(64))),
            Scalar::Bits(octets, bits) if octets.len() >= bits.div_ceil(8) => Value::bit_string(octets, bits),
            Scalar::Bits(..) => return false,
            Scalar::Octets(octets) => Value::OctetString(octets.to_vec()),
            Scalar::Text(text) => Value::Text(text.to_owned()),
            Scalar::Oid(contents) => match Oid::from_contents(contents) {
                Some(oid) => Value::Oid(oid),
                None => return false,
            },
        };
        fill(self, leaf);
        true
    }

    fn set_integer(&mut self, value: i64) -> bool {
        fill(self, Value::Integer(value.into()));
        true
    }

    fn component_mut(&mut self, index: usize) -> Option<&mut dyn Data> {
        match self {
            Value::Sequence { components, .. } => {
                let place = components.get_mut(index)?;
                Some(place.get_or_insert(Value::Unset))
            }
            _ => None,
        }
    }

    fn push(&mut self) -> Option<&mut dyn Data> {
        match self {
            Value::List(elements) => {
                elements.try_reserve(1).ok()?;
                elements.push(Value::Unset);
                elements.last_mut().map(|value| value as &mut dyn Data)
            }
            _ => None,
        }
    }

    fn choose(&mut self, index: usize) -> Option<&mut dyn Data> {
        fill(self, Value::Choice(u32::try_from(index).ok()?, Box::new(Value::Unset)));
        match self {
            Value::Choice(_, value) => Some(&mut **value),
            _ => None,
        }
    }

    fn keep(&mut self, new: Unknown) -> bool {
        match self {
            Value::Sequence { unknown, .. } => {
                let ascending = unknown.last().is_none_or(|last| last.index < new.index);
                if ascending {
                    unknown.push(new);
                }
                ascending
            }
            _ => {
                *self = Value::UnknownChoice(new);
                true
            }
        }
    }

    fn extend_bits(&mut self, count: usize) -> Option<&mut [u8]> {
        match self {
            Value::BitString { octets, bits } if *bits % 8 == 0 => {
                *bits = bits.checked_add(count)?;
                extend(octets, count.div_ceil(8))
            }
            _ => None,
        }
    }

    fn extend_octets(&mut self, count: usize) -> Option<&mut [u8]> {
        match self {
            Value::OctetString(octets) => extend(octets, count),
            _ => None,
        }
    }

    fn push_char(&mut self, character: char) -> bool {
        match self {
            Value::Text(text) => {
                text.push(character);
                true
            }
            _ => false,
        }
    }
}

/// Puts a value in place of another one. Decoders fill fresh values, which own nothing: for these
/// it saves the call that drops the old value.
#[inline(always)]
fn fill(place: &mut Value, new: Value) {
    match place {
        Value::Unset => std::mem::forget(std::mem::replace(place, new)),
        _ => *place = new,
    }
}

fn extend(octets: &mut Vec<u8>, count: usize) -> Option<&mut [u8]> {
    let start = octets.len();
    octets.try_reserve(count).ok()?;
    octets.resize(start + count, 0);
    octets.get_mut(start..)
}

/// Whether two holders of values of one type hold the same abstract value: whatever their
/// representations; an absent component equals one at its DEFAULT, and trailing zero bits of named
/// bits do not count (X.680 §22.7). The elements of a SET OF are compared in their order.
///
/// # Panics
/// On a type id of another model.
#[must_use]
pub fn equal(model: &Model, id: TypeId, a: &dyn Data, b: &dyn Data) -> bool {
    equal_parts(model, id, a, b)
}

/// The same for values that are read by value.
pub(crate) fn equal_parts(model: &Model, id: TypeId, a: impl Part, b: impl Part) -> bool {
    match &model.get(id).kind {
        Kind::External(inner) => equal_parts(model, *inner, a, b),
        Kind::Sequence { components, .. } => {
            a.unknown() == b.unknown()
                && components.iter().enumerate().all(|(index, component)| {
                    let default: Option<&dyn Data> = match &component.presence {
                        Presence::Default(value) => Some(value),
                        _ => None,
                    };
                    let id = component.type_id;
                    match (a.component(index), b.component(index)) {
                        (Some(a), Some(b)) => equal_parts(model, id, a, b),
                        (Some(a), None) => default.is_some_and(|b| equal_parts(model, id, a, b)),
                        (None, Some(b)) => default.is_some_and(|a| equal_parts(model, id, a, b)),
                        (None, None) => true,
                    }
                })
        }
        Kind::SequenceOf { element, .. } => {
            a.length() == b.length()
                && (0..a.length().unwrap_or(0)).all(|index| match (a.element(index), b.element(index)) {
                    (Some(a), Some(b)) => equal_parts(model, *element, a, b),
                    _ => false,
                })
        }
        Kind::Choice { alternatives, .. } => {
            let inner = |index: usize| alternatives.get(index).map(|alternative| alternative.type_id);
            a.unknown() == b.unknown() && equal_inside(model, inner, a, b)
        }
        Kind::Open { table } => {
            let inner = |index: usize| table.as_ref()?.rows.get(index).map(|row| row.1);
            equal_inside(model, inner, a, b)
        }
        Kind::BitString { contains: Some(_), .. } | Kind::OctetString { contains: Some(_), .. }
            if a.alternative().is_some() =>
        {
            equal_inside(model, |_| model.get(id).kind.contained(), a, b)
        }
        Kind::BitString { named, .. } => equal_bits(a.scalar(), b.scalar(), !named.is_empty()),
        Kind::Real { .. } => match (a.scalar(), b.scalar()) {
            // NaN equals itself, and minus zero differs from zero (X.680 §21.5).
            (Scalar::Real(a), Scalar::Real(b)) => a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan(),
            _ => false,
        },
        Kind::Integer { .. } => integer(a.scalar()).is_some_and(|a| integer(b.scalar()) == Some(a)),
        _ => a.scalar() != Scalar::Unset && a.scalar() == b.scalar(),
    }
}

fn equal_inside(model: &Model, inner: impl Fn(usize) -> Option<TypeId>, a: impl Part, b: impl Part) -> bool {
    match (a.alternative(), b.alternative()) {
        (Some((at, a)), Some((other, b))) if at == other => inner(at).is_some_and(|id| equal_parts(model, id, a, b)),
        (None, None) => a.scalar() == b.scalar(),
        _ => false,
    }
}

/// The number in a scalar, if there is one.
pub(crate) fn integer(scalar: Scalar<'_>) -> Option<Integer> {
    match scalar {
        Scalar::Integer(value) => Some(value.into()),
        Scalar::WideInteger(octets) => Some(Integer::from_twos_complement(octets)),
        _ => None,
    }
}

/// The bits in a scalar, if there are any: octets with unused bits zero, and how many bits.
pub(crate) fn bits(scalar: Scalar<'_>) -> Option<(Vec<u8>, usize)> {
    let mut value = Value::Unset;
    match (scalar, value.set(scalar), value) {
        (Scalar::Word(_) | Scalar::Bits(..), true, Value::BitString { octets, bits }) => Some((octets, bits)),
        _ => None,
    }
}

fn equal_bits(a: Scalar<'_>, b: Scalar<'_>, named: bool) -> bool {
    match (bits(a), bits(b)) {
        (Some((mut a, a_bits)), Some((mut b, b_bits))) => {
            if !named && a_bits != b_bits {
                return false;
            }
            for octets in [&mut a, &mut b] {
                octets.truncate(octets.iter().rposition(|octet| *octet != 0).map_or(0, |last| last + 1));
            }
            a == b
        }
        _ => false,
    }
}
