//! Families of encodings. Messages of one say little about how to make those of another; so each has a corpus of its own.

use roadwire_layout::Rules;

/// Encoding rules whose messages look alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Packed: X.691
    Per,
    /// Octet: X.696
    Oer,
    /// By tag and length: X.690
    Ber,
    /// XML: X.693
    Xer,
    /// JSON: X.697
    Jer,
    /// Streams of events: EXI
    Exi,
    /// The presentation language's
    Tls,
    /// Those beside the ASN.1 standards
    Other,
}

impl Family {
    /// All.
    pub const ALL: [Family; 8] =
        [Family::Per, Family::Oer, Family::Ber, Family::Xer, Family::Jer, Family::Exi, Family::Tls, Family::Other];

    /// The one of these rules.
    #[must_use]
    pub fn of(rules: Rules) -> Self {
        match rules {
            Rules::Uper | Rules::Aper => Family::Per,
            Rules::Oer | Rules::Coer => Family::Oer,
            Rules::Ber | Rules::Der | Rules::Cer => Family::Ber,
            Rules::Xer | Rules::Cxer | Rules::Exer => Family::Xer,
            Rules::Jer => Family::Jer,
            Rules::Exi | Rules::ExiDefault | Rules::ExiMerged | Rules::ExiSplit => Family::Exi,
            Rules::Tls => Family::Tls,
            _ => Family::Other,
        }
    }

    /// The fuzz target of its decoders.
    #[must_use]
    pub fn target(self) -> &'static str {
        match self {
            Family::Per => "decode_per",
            Family::Oer => "decode_oer",
            Family::Ber => "decode_ber",
            Family::Xer => "decode_xer",
            Family::Jer => "decode_jer",
            Family::Exi => "decode_exi",
            Family::Tls => "decode_tls",
            Family::Other => "decode_other",
        }
    }

    /// Those of its rules that have layouts.
    #[must_use]
    pub fn rules(self) -> Vec<Rules> {
        Rules::ALL.into_iter().filter(|rules| Family::of(*rules) == self).collect()
    }

    /// Whether a message that lost its last octet may still be one.
    pub(crate) fn is_text(self) -> bool {
        matches!(self, Family::Xer | Family::Jer)
    }
}
