//! Types and values in ASN.1's words, for comments.

use roadwire_model::{IntegerRange, Kind, Size, Value};

/// The name of a kind of type, with its constraint.
pub(super) fn kind(kind: &Kind) -> String {
    match kind {
        Kind::Integer { range: bounds, .. } => format!("INTEGER{}", range(bounds)),
        Kind::BitString { size, .. } | Kind::OctetString { size, .. } | Kind::String { size, .. } => {
            format!("{}{}", kind.name(), sized(size))
        }
        Kind::SequenceOf { set, size, .. } => {
            format!("{}{} OF", if *set { "SET" } else { "SEQUENCE" }, sized(size))
        }
        _ => kind.name().into(),
    }
}

fn range(range: &IntegerRange) -> String {
    let bound = |bound: &Option<roadwire_model::BigInt>, none: &str| {
        bound.as_ref().map_or(none.to_owned(), ToString::to_string)
    };
    if *range == IntegerRange::default() {
        return String::new();
    }
    let more = if range.extensible { ", ..." } else { "" };
    match (bound(&range.lower, "MIN"), bound(&range.upper, "MAX")) {
        (lower, upper) if lower == upper => format!(" ({lower}{more})"),
        (lower, upper) => format!(" ({lower}..{upper}{more})"),
    }
}

fn sized(of: &Size) -> String {
    if *of == Size::default() { String::new() } else { format!(" ({})", size(of)) }
}

/// A size constraint.
pub(super) fn size(size: &Size) -> String {
    let more = if size.extensible { ", ..." } else { "" };
    match (size.fixed(), size.upper) {
        (Some(fixed), _) => format!("SIZE ({fixed}{more})"),
        (None, Some(upper)) => format!("SIZE ({}..{upper}{more})", size.lower),
        (None, None) => format!("SIZE ({}..MAX{more})", size.lower),
    }
}

/// A value on one line; without the parts of a structured value.
pub(super) fn value(value: &Value) -> String {
    match value {
        Value::Boolean(value) => if *value { "TRUE" } else { "FALSE" }.into(),
        Value::Integer(value) => value.to_string(),
        Value::Enumerated(ordinal) => format!("item {ordinal}"),
        Value::Real(value) => format!("{value:?}"),
        Value::OctetString(octets) => octets.iter().map(|octet| format!("{octet:02X}")).collect(),
        Value::Text(text) => format!("{text:?}"),
        Value::Oid(oid) => oid.to_string(),
        _ => "{ ... }".into(),
    }
}
