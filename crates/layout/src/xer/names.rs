//! Names of elements.

use std::borrow::Cow;

use roadwire_model::{Kind, Model, StringKind, TimeKind, TypeId};

/// The name of a type: its reference, or where it has none the one that X.680 Table 4 gives it.
pub(crate) fn of_type(model: &Model, id: TypeId) -> String {
    let this = model.get(id);
    match this.name.as_ref().or(this.reference.as_ref()) {
        Some(name) => safe(&name.name).into_owned(),
        None => built_in(model, &this.kind).to_owned(),
    }
}

/// X.680 §14.2: XML keeps names that begin with `xml` for itself.
pub(crate) fn safe(name: &str) -> Cow<'_, str> {
    match name.get(..3) {
        Some(start) if start.eq_ignore_ascii_case("xml") => Cow::Owned(format!("_{name}")),
        _ => Cow::Borrowed(name),
    }
}

/// X.680 §16.2, Table 4. (An open type has no name there.)
fn built_in(model: &Model, kind: &Kind) -> &'static str {
    match kind {
        Kind::Boolean => "BOOLEAN",
        Kind::Null => "NULL",
        Kind::Integer { .. } => "INTEGER",
        Kind::Enumerated(_) => "ENUMERATED",
        Kind::Real { .. } => "REAL",
        Kind::BitString { .. } => "BIT_STRING",
        Kind::OctetString { .. } => "OCTET_STRING",
        Kind::ObjectIdentifier => "OBJECT_IDENTIFIER",
        Kind::RelativeOid => "RELATIVE_OID",
        Kind::Iri { relative: false } => "OID_IRI",
        Kind::Iri { relative: true } => "RELATIVE_OID_IRI",
        Kind::String { kind, .. } => match kind {
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
        },
        Kind::Time { kind, .. } => match kind {
            TimeKind::Utc => "UTCTime",
            TimeKind::Generalized => "GeneralizedTime",
            TimeKind::Time => "TIME",
            TimeKind::Date => "DATE",
            TimeKind::TimeOfDay => "TIME_OF_DAY",
            TimeKind::DateTime => "DATE_TIME",
            TimeKind::Duration => "DURATION",
        },
        Kind::Sequence { set: false, .. } => "SEQUENCE",
        Kind::Sequence { set: true, .. } => "SET",
        Kind::SequenceOf { set: false, .. } => "SEQUENCE_OF",
        Kind::SequenceOf { set: true, .. } => "SET_OF",
        Kind::Choice { .. } => "CHOICE",
        Kind::Open { .. } => "OPEN_TYPE",
        Kind::External(inner) => match model.get(*inner).name.as_ref().map(|name| name.name.as_str()) {
            Some("EmbeddedPdv") => "EMBEDDED_PDV",
            Some("CharacterString") => "CHARACTER_STRING",
            _ => "EXTERNAL",
        },
    }
}
