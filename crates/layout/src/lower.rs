//! From a type to its layout: selects the rules. Each family's lowering is in its own folder.

use roadwire_model::{Model, TypeId};

use crate::error::LowerError;
use crate::{Family, Layout, Rules, cbor, events, fields, json, octet, packed, tlv, vectors, xml};

/// Lowers a type to its layout under `rules`.
///
/// # Errors
/// A type that the rules do not define, or that roadwire does not support under them.
pub fn lower(model: &Model, type_id: TypeId, rules: Rules) -> Result<Layout, LowerError> {
    if !model.codings.is_empty() && has_tags(rules) {
        return Err(LowerError { message: "a module in the presentation language has no tags".into() });
    }
    match rules.family() {
        Family::Packed => packed::lower(model, type_id, rules),
        Family::Octet => octet::lower(model, type_id, rules),
        Family::Tlv => tlv::lower(model, type_id, rules),
        Family::Fields => fields::lower(model, type_id),
        Family::Events => events::lower(model, type_id, rules),
        Family::Xml => xml::lower(model, type_id, rules),
        Family::Json => json::lower(model, type_id),
        Family::Vectors => vectors::lower(model, type_id),
        Family::Cbor => cbor::lower(model, type_id),
    }
}

/// Whether the encoding contains tags.
fn has_tags(rules: Rules) -> bool {
    matches!(rules.family(), Family::Octet | Family::Tlv)
}
