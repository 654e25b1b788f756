//! Types and values in ASN.1's words, for comments.

use roadwire_model::{IntegerRange, Kind, Size, StringKind, TimeKind, Value};

/// What a type is, with its constraint.
pub(super) fn kind(kind: &Kind) -> String {
    match kind {
        Kind::Boolean => "BOOLEAN".into(),
        Kind::Null => "NULL".into(),
        Kind::Integer { range: bounds, .. } => format!("INTEGER{}", range(bounds)),
        Kind::Enumerated(_) => "ENUMERATED".into(),
        Kind::Real { .. } => "REAL".into(),
        Kind::BitString { size: bits, .. } => format!("BIT STRING{}", sized(bits)),
        Kind::OctetString { size: octets, .. } => format!("OCTET STRING{}", sized(octets)),
        Kind::ObjectIdentifier => "OBJECT IDENTIFIER".into(),
        Kind::RelativeOid => "RELATIVE-OID".into(),
        Kind::Iri { relative: false } => "OID-IRI".into(),
        Kind::Iri { relative: true } => "RELATIVE-OID-IRI".into(),
        Kind::String { kind, size, .. } => format!("{}{}", string(*kind), sized(size)),
        Kind::Time { kind, .. } => time(*kind).into(),
        Kind::Sequence { set: false, .. } => "SEQUENCE".into(),
        Kind::Sequence { set: true, .. } => "SET".into(),
        Kind::SequenceOf { set, size, .. } => {
            format!("{}{} OF", if *set { "SET" } else { "SEQUENCE" }, sized(size))
        }
        Kind::Choice { .. } => "CHOICE".into(),
        Kind::Open { .. } => "open type".into(),
        Kind::External(_) => "EXTERNAL".into(),
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

fn string(kind: StringKind) -> &'static str {
    match kind {
        StringKind::Utf8 => "UTF8String",
        StringKind::Numeric => "NumericString",
        StringKind::Printable => "PrintableString",
        StringKind::Ia5 => "IA5String",
        StringKind::Visible => "VisibleString",
        StringKind::Teletex => "TeletexString",
        StringKind::Videotex => "VideotexString",
        StringKind::Graphic => "GraphicString",
        StringKind::General => "GeneralString",
        StringKind::Universal => "UniversalString",
        StringKind::Bmp => "BMPString",
        StringKind::ObjectDescriptor => "ObjectDescriptor",
    }
}

fn time(kind: TimeKind) -> &'static str {
    match kind {
        TimeKind::Utc => "UTCTime",
        TimeKind::Generalized => "GeneralizedTime",
        TimeKind::Time => "TIME",
        TimeKind::Date => "DATE",
        TimeKind::TimeOfDay => "TIME-OF-DAY",
        TimeKind::DateTime => "DATE-TIME",
        TimeKind::Duration => "DURATION",
    }
}

/// A value on one line; of one that consists of others, that it does.
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
