//! The meaning of a leaf's bits: its value, and its name in the module.

use roadwire_model::{Kind, Model, Oid, TypeId};
use roadwire_wire::{Scalar, Step, number_of_unknown_item};
use serde_json::{Number, Value as Json};

use crate::octets::write_hex;

/// A value, and the module's name for it.
pub(crate) struct Meaning {
    /// As JSON.
    pub(crate) value: Json,
    /// Named number, enumeration item, named bits that are set.
    pub(crate) words: Option<String>,
}

/// The type of a component, alternative or element.
pub(crate) fn child(model: &Model, ty: TypeId, step: Step<'_>) -> Option<TypeId> {
    match (&model.get(ty).kind, step) {
        (Kind::Sequence { components, .. }, Step::Name(name)) => {
            components.iter().find(|component| component.name == name).map(|component| component.type_id)
        }
        (Kind::Choice { alternatives, .. }, Step::Name(name)) => {
            alternatives.iter().find(|alternative| alternative.name == name).map(|alternative| alternative.type_id)
        }
        (Kind::SequenceOf { element, .. }, Step::Index(_)) => Some(*element),
        (Kind::External(sequence), _) if *sequence != ty => child(model, *sequence, step),
        _ => None,
    }
}

/// A leaf's value. `item` is the enumeration item's name.
pub(crate) fn of(model: &Model, ty: Option<TypeId>, scalar: Scalar<'_>, item: &str) -> Meaning {
    let kind = ty.map(|ty| &model.get(ty).kind);
    let (value, words) = match scalar {
        Scalar::Unset | Scalar::Null => (Json::Null, None),
        Scalar::Boolean(value) => (value.into(), None),
        Scalar::Integer(value) => (integer(value), named_number(kind, value)),
        Scalar::WideInteger(octets) => (format!("0x{}", write_hex(octets)).into(), None),
        Scalar::Enumerated(ordinal) if item.is_empty() => match number_of_unknown_item(ordinal) {
            Some(number) => (format!("({number})").into(), None),
            None => (ordinal.into(), None),
        },
        Scalar::Enumerated(_) => (item.into(), None),
        Scalar::Real(value) => (Number::from_f64(value).map_or_else(|| value.to_string().into(), Json::Number), None),
        Scalar::Word(word) => {
            let octets = word.to_octets();
            let bits = usize::from(word.bits);
            bit_string(kind, octets.get(..bits.div_ceil(8)).unwrap_or_default(), bits)
        }
        Scalar::Bits(octets, bits) => bit_string(kind, octets, bits),
        Scalar::Octets(octets) => (write_hex(octets).into(), None),
        Scalar::Text(text) => (text.into(), None),
        Scalar::Oid(contents) => (oid(kind, contents).into(), None),
    };
    Meaning { value, words }
}

/// A JSON number if readers keep it exact, otherwise its digits.
fn integer(value: i128) -> Json {
    match (i64::try_from(value), u64::try_from(value)) {
        (Ok(value), _) => value.into(),
        (_, Ok(value)) => value.into(),
        _ => value.to_string().into(),
    }
}

fn named_number(kind: Option<&Kind>, value: i128) -> Option<String> {
    let Some(Kind::Integer { named, .. }) = kind else { return None };
    named.iter().find(|(_, number)| i128::try_from(number) == Ok(value)).map(|(name, _)| name.clone())
}

fn bit_string(kind: Option<&Kind>, octets: &[u8], bits: usize) -> (Json, Option<String>) {
    let words = match kind {
        Some(Kind::BitString { named, .. }) => {
            let set = |at: u64| {
                let at = usize::try_from(at).ok().filter(|at| *at < bits);
                at.and_then(|at| octets.get(at / 8).map(|octet| octet >> (7 - at % 8) & 1 == 1)).unwrap_or(false)
            };
            let names: Vec<&str> = named.iter().filter(|(_, at)| set(*at)).map(|(name, _)| name.as_str()).collect();
            (!names.is_empty()).then(|| names.join(" "))
        }
        _ => None,
    };
    (write_hex(octets).into(), words)
}

fn oid(kind: Option<&Kind>, contents: &[u8]) -> String {
    match (Oid::from_contents(contents), kind) {
        (Some(oid), Some(Kind::RelativeOid)) => oid.relative_text(),
        (Some(oid), _) => oid.absolute_text(),
        (None, _) => write_hex(contents),
    }
}
