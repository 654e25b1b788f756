//! Differences that are not errors.

use roadwire_layout::Rules;
use roadwire_model::check::Violation;
use roadwire_model::{Kind, Model, TypeId, Value};
use roadwire_wire::{Error, ErrorKind, Unknown};

use roadwire_layout::Family;

/// Whether codecs do not detect a violation: they do not check the form of times and the values of
/// object sets; an upper bound of more than 128 bits without a lower one is not supported in
/// layouts yet, and under JER no bound of more than 128 bits is. Constraints on REAL's mantissa and
/// exponent are only visible in octet encodings. In EXI an element's name selects an open type's
/// content, whatever the identifier.
pub(crate) fn unseen(rules: Rules, violation: &Violation) -> bool {
    let has_wide_bound = || {
        let range = violation.message.split_once("(range ").map_or("", |(_, range)| range);
        range.split("..").any(|bound| bound.trim_start_matches('-').len() > 38)
    };
    violation.code == "text.form"
        || rules.family() != Family::Octet && violation.code == "real.range"
        || violation.message.contains("object set")
        || violation.message.contains("range MIN..1000000000")
        || rules.family() == Family::Events && violation.message.contains("identifier selects")
        || rules.family() == Family::Json && violation.code == "integer.range" && has_wide_bound()
}

/// Whether a value is refused only because of its size.
pub(crate) fn limit(error: &Error<'_>) -> bool {
    match error.kind {
        ErrorKind::OutputFull { .. } | ErrorKind::TooDeep { .. } | ErrorKind::Memory { .. } => true,
        ErrorKind::TooLong { length, limit } => length > limit,
        _ => false,
    }
}

/// Whether an encoding has no form for a value. XML has none for these two characters, escaped or
/// not. EXI has no minus zero. The schemas of EXI have no values outside extensible roots, and an
/// object identifier's numbers have a limit. In Protocol Buffers an integer whose range is
/// extensible has 64 bits.
pub(crate) fn unwritable(rules: Rules, error: &Error<'_>) -> bool {
    match error.kind {
        ErrorKind::Alphabet { code: 0xfffe | 0xffff } => rules.family() == Family::Xml,
        ErrorKind::IntegerWidth => rules == Rules::Protobuf || rules.family() == Family::Events,
        ErrorKind::IntegerRange { lower, upper, .. } => {
            let is_64_bits = lower == i64::MIN.into() && upper == i64::MAX.into();
            rules.family() == Family::Events || rules == Rules::Protobuf && is_64_bits
        }
        ErrorKind::Mismatch { expected: "a REAL other than minus zero" } => rules.family() == Family::Events,
        ErrorKind::Size { .. } | ErrorKind::Missing => rules.family() == Family::Events,
        _ => false,
    }
}

/// Whether an error is caused by the generated type.
pub(crate) fn out_of_room(error: &Error<'_>) -> bool {
    matches!(error.kind, ErrorKind::IntegerWidth | ErrorKind::Capacity { .. })
}

/// Whether it may contain an open type, an unknown alternative or an addition without octets: an
/// encoding has at least one.
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

/// Whether it contains an unknown addition or alternative, which may be shorter than any known one.
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

/// Whether a part of it has a meaning only in its original encoding: something unknown, or an open
/// type with octets. Packed encodings number unknown parts and allow any octets for them. Octet
/// encodings have a value for an item and a tag for an alternative. In the others, its own content
/// shows where it begins and ends.
pub(crate) fn holds_encoded(family: Family, model: &Model, id: TypeId, value: &Value) -> bool {
    let inside = |id: TypeId, value: &Value| holds_encoded(family, model, id, value);
    let octets = !matches!(family, Family::Packed | Family::Octet);
    match (&model.get(id).kind, value) {
        (_, Value::UnknownChoice(_)) => family != Family::Packed,
        (Kind::Enumerated(items), Value::Enumerated(ordinal)) => {
            family != Family::Packed && *ordinal as usize >= items.root.len() + items.additions.len()
        }
        // Octets of a known type are decoded as this type.
        (Kind::Open { table }, Value::OctetString(_)) => octets || table.is_some(),
        // Its type is selected by another part of the value.
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
