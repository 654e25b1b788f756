//! From a type to its layout: selects the rules. Each family's lowering is in its own folder.

use roadwire_model::{Language, Model, TypeId};

use crate::build::Builder;
use crate::error::LowerError;
use crate::{Family, Layout, Rules, cbor, events, fields, json, octet, packed, tlv, vectors, xml};

/// Lowers a type to its layout under `rules`.
///
/// # Errors
/// A type that the rules do not define, or that roadwire does not support under them.
pub fn lower(model: &Model, type_id: TypeId, rules: Rules) -> Result<Layout, LowerError> {
    with(Builder::new(model), type_id, rules)
}

/// The layout for messages in memory that hold strings, and not what these contain: for the same
/// octets, with fewer nodes.
///
/// # Errors
/// As [`lower`], except for what is in strings.
pub fn lower_without_contents(model: &Model, type_id: TypeId, rules: Rules) -> Result<Layout, LowerError> {
    let mut builder = Builder::new(model);
    builder.contents = false;
    with(builder, type_id, rules)
}

fn with(builder: Builder<'_>, type_id: TypeId, rules: Rules) -> Result<Layout, LowerError> {
    let model = builder.model;
    check_language(model.language, rules)?;
    match rules.family() {
        Family::Packed => packed::lower(builder, type_id, rules),
        Family::Octet => octet::lower(builder, type_id, rules),
        Family::Tlv => tlv::lower(builder, type_id, rules),
        Family::Fields => fields::lower(builder, type_id),
        Family::Events => events::lower(model, type_id, rules),
        Family::Xml => xml::lower(builder, type_id, rules),
        Family::Json => json::lower(builder, type_id),
        Family::Vectors => vectors::lower(model, type_id),
        Family::Cbor => cbor::lower(builder, type_id),
    }
}

/// Refuses rules that the types of a language do not have.
fn check_language(language: Language, rules: Rules) -> Result<(), LowerError> {
    let message = match language {
        Language::Asn1 if rules.family() == Family::Vectors => {
            "this encoding is for modules in the presentation language, and this one is in ASN.1"
        }
        Language::Presentation if has_tags(rules) => "a module in the presentation language has no tags",
        Language::Asn1 | Language::Presentation => return Ok(()),
    };
    Err(LowerError { message: message.into() })
}

/// Whether the encoding contains tags.
fn has_tags(rules: Rules) -> bool {
    matches!(rules.family(), Family::Octet | Family::Tlv)
}
