//! From a type to its layout: the choice of rules. What an encoding looks like is in its own file.

use roadwire_model::{Model, TypeId};

use crate::{Layout, Rules, ber, exi, jer, oer, per, protobuf, tls, xer};

/// Why a type has no layout under some rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LowerError {
    /// What is the matter.
    pub message: String,
}

impl std::fmt::Display for LowerError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for LowerError {}

/// Lowers a type to its layout under `rules`.
///
/// # Errors
/// Rules without a lowering, or a type that the rules do not define or roadwire does not lower yet.
pub fn lower(model: &Model, type_id: TypeId, rules: Rules) -> Result<Layout, LowerError> {
    if !model.codings.is_empty() && has_tags(rules) {
        return Err(LowerError { message: "a module in the presentation language has no tags".into() });
    }
    match rules {
        Rules::Uper | Rules::Aper => per::lower(model, type_id, rules),
        Rules::Oer | Rules::Coer => oer::lower(model, type_id, rules),
        Rules::Ber | Rules::Der | Rules::Cer => ber::lower(model, type_id, rules),
        Rules::Jer => jer::lower(model, type_id),
        Rules::Xer | Rules::Cxer | Rules::Exer => xer::lower(model, type_id, rules),
        Rules::Exi | Rules::ExiDefault | Rules::ExiMerged | Rules::ExiSplit => exi::lower(model, type_id, rules),
        Rules::Protobuf => protobuf::lower(model, type_id),
        Rules::Tls => tls::lower(model, type_id),
    }
}

/// Whether types are told apart by their tags.
fn has_tags(rules: Rules) -> bool {
    matches!(rules, Rules::Oer | Rules::Coer | Rules::Ber | Rules::Der | Rules::Cer)
}
