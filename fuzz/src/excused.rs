//! What is no fault.

use roadwire_layout::Rules;
use roadwire_model::check::Violation;
use roadwire_model::{Kind, Model, TypeId, Value};
use roadwire_wire::{Error, ErrorKind, Unknown};

use crate::family::Family;

/// Whether codecs do not see a violation: the form of times and what object sets admit is not theirs to check; an upper bound beyond 128 bits without a lower
/// one has no place in layouts yet, and under JER none beyond 128 bits has. Constraints on REAL's mantissa and exponent are visible to octet encodings only.
/// In EXI an element's name tells an open type's content, whatever the identifier says.
pub(crate) fn unseen(rules: Rules, violation: &Violation) -> bool {
    let has_wide_bound = || {
        let range = violation.message.split_once("(range ").map_or("", |(_, range)| range);
        range.split("..").any(|bound| bound.trim_start_matches('-').len() > 38)
    };
    violation.code == "text.form"
        || Family::of(rules) != Family::Oer && violation.code == "real.range"
        || violation.message.contains("object set")
        || violation.message.contains("range MIN..1000000000")
        || Family::of(rules) == Family::Exi && violation.message.contains("identifier selects")
        || Family::of(rules) == Family::Jer && violation.code == "integer.range" && has_wide_bound()
}

/// Whether a value is refused for its mere size.
pub(crate) fn limit(error: &Error<'_>) -> bool {
    match error.kind {
        ErrorKind::OutputFull { .. } | ErrorKind::TooDeep { .. } | ErrorKind::Memory { .. } => true,
        ErrorKind::TooLong { length, limit } => length > limit,
        _ => false,
    }
}

/// Whether an encoding has no form for a value. XML has none for these two characters, escaped or not. EXI has no minus zero. The schemas of EXI have no values outside extensible
/// roots, and an object identifier's numbers have a limit. In Protocol Buffers an integer whose range is extensible has 64 bits.
pub(crate) fn unwritable(rules: Rules, error: &Error<'_>) -> bool {
    match error.kind {
        ErrorKind::Alphabet { code: 0xfffe | 0xffff } => Family::of(rules) == Family::Xer,
        ErrorKind::IntegerWidth => rules == Rules::Protobuf || Family::of(rules) == Family::Exi,
        ErrorKind::IntegerRange { lower, upper, .. } => {
            let is_64_bits = lower == i64::MIN.into() && upper == i64::MAX.into();
            Family::of(rules) == Family::Exi || rules == Rules::Protobuf && is_64_bits
        }
        ErrorKind::Mismatch { expected: "a REAL other than minus zero" } => Family::of(rules) == Family::Exi,
        ErrorKind::Size { .. } | ErrorKind::Missing => Family::of(rules) == Family::Exi,
        _ => false,
    }
}

/// Whether an error is the generated type's own.
pub(crate) fn out_of_room(error: &Error<'_>) -> bool {
    matches!(error.kind, ErrorKind::IntegerWidth | ErrorKind::Capacity { .. })
}

/// Whether there may be an open type, an unknown alternative or an addition without octets in it: an encoding has at least one.
pub(crate) fn holds_empty(value: &Value) -> bool {
    let empty = |unknown: &Unknown| unknown.octets.is_empty();
    match value {
        Value::OctetString(octets) => octets.is_empty(),
        Value::Sequence { components, unknown } => {
            components.iter().flatten().any(holds_empty) || unknown.iter().any(empty)
        }
        Value::List(elements) => elements.iter().any(holds_empty),
        Value::Choice(_, inner) => holds_empty(inner),
        Value::UnknownChoice(unknown) => empty(unknown),
        _ => false,
    }
}

/// Whether there is an unknown addition or alternative in it, which may be shorter than any that is known.
pub(crate) fn holds_unknown(value: &Value) -> bool {
    match value {
        Value::Sequence { components, unknown } => {
            !unknown.is_empty() || components.iter().flatten().any(holds_unknown)
        }
        Value::List(elements) => elements.iter().any(holds_unknown),
        Value::Choice(_, inner) => holds_unknown(inner),
        Value::UnknownChoice(_) => true,
        _ => false,
    }
}

/// Whether something in it has a meaning only in the encoding that it was decoded from: what is not known, or an open type that holds octets. Packed
/// encodings number what is not known and carry any octets for it. Octet encodings have a value for an item and a tag for an alternative.
/// The others mark where it begins and ends by what it is.
pub(crate) fn holds_encoded(family: Family, model: &Model, id: TypeId, value: &Value) -> bool {
    let inside = |id: TypeId, value: &Value| holds_encoded(family, model, id, value);
    let octets = !matches!(family, Family::Per | Family::Oer);
    match (&model.get(id).kind, value) {
        (_, Value::UnknownChoice(_)) => family != Family::Per,
        (Kind::Enumerated(items), Value::Enumerated(ordinal)) => {
            family != Family::Per && *ordinal as usize >= items.root.len() + items.additions.len()
        }
        // Octets of a known type are read as that.
        (Kind::Open { table }, Value::OctetString(_)) => octets || table.is_some(),
        // Of a type that another part of the value selects.
        (Kind::Open { table }, _) => octets && table.is_some(),
        (Kind::Sequence { components, .. }, Value::Sequence { components: values, unknown }) => {
            let mut each = components.iter().zip(values);
            octets && !unknown.is_empty()
                || each.any(|(component, value)| value.as_ref().is_some_and(|value| inside(component.type_id, value)))
        }
        (Kind::SequenceOf { element, .. }, Value::List(elements)) => elements.iter().any(|one| inside(*element, one)),
        (Kind::Choice { alternatives, .. }, Value::Choice(which, value)) => {
            alternatives.get(*which as usize).is_some_and(|one| inside(one.type_id, value))
        }
        (Kind::External(inner), value) => inside(*inner, value),
        _ => false,
    }
}
