//! The encoding rules by their one spelling.

use core::fmt;
use core::str::FromStr;

/// A set of encoding rules. Its name is the same in code, on the command line, in file names, JSON and reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Rules {
    /// Packed, unaligned (X.691)
    Uper,
    /// Packed, aligned (X.691)
    Aper,
    /// Octet (X.696)
    Oer,
    /// Canonical octet (X.696)
    Coer,
    /// Basic (X.690)
    Ber,
    /// Distinguished (X.690)
    Der,
    /// Canonical (X.690)
    Cer,
    /// Basic XML (X.693)
    Xer,
    /// Canonical XML (X.693)
    Cxer,
    /// Extended XML (X.693)
    Exer,
    /// JSON (X.697)
    Jer,
    /// Protocol Buffers
    Protobuf,
    /// EXI, strict
    Exi,
    /// EXI, default fidelity
    ExiDefault,
    /// EXI, default fidelity, nesting merged
    ExiMerged,
    /// EXI, strict, wide integers split
    ExiSplit,
    /// The TLS-style binary of TS 103 097 v1 and IEEE 1609.2-2013
    Tls,
}

impl Rules {
    /// All, in the order in which they are listed to people.
    pub const ALL: [Rules; 17] = [
        Rules::Uper,
        Rules::Aper,
        Rules::Oer,
        Rules::Coer,
        Rules::Ber,
        Rules::Der,
        Rules::Cer,
        Rules::Xer,
        Rules::Cxer,
        Rules::Exer,
        Rules::Jer,
        Rules::Protobuf,
        Rules::Exi,
        Rules::ExiDefault,
        Rules::ExiMerged,
        Rules::ExiSplit,
        Rules::Tls,
    ];

    /// The one spelling.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Rules::Uper => "uper",
            Rules::Aper => "aper",
            Rules::Oer => "oer",
            Rules::Coer => "coer",
            Rules::Ber => "ber",
            Rules::Der => "der",
            Rules::Cer => "cer",
            Rules::Xer => "xer",
            Rules::Cxer => "cxer",
            Rules::Exer => "exer",
            Rules::Jer => "jer",
            Rules::Protobuf => "protobuf",
            Rules::Exi => "exi",
            Rules::ExiDefault => "exi-default",
            Rules::ExiMerged => "exi-merged",
            Rules::ExiSplit => "exi-split",
            Rules::Tls => "tls",
        }
    }
}

impl Rules {
    /// The family that they belong to: a feature of `roadwire-engine`, which is the interpreter of its layouts.
    #[must_use]
    pub const fn family(self) -> &'static str {
        match self {
            Rules::Uper => "packed",
            Rules::Aper => "aligned",
            Rules::Oer | Rules::Coer => "octet",
            Rules::Ber | Rules::Der | Rules::Cer => "tlv",
            Rules::Protobuf => "fields",
            Rules::Exi | Rules::ExiDefault | Rules::ExiMerged | Rules::ExiSplit => "events",
            Rules::Xer | Rules::Cxer | Rules::Exer => "xml",
            Rules::Jer => "json",
            Rules::Tls => "vectors",
        }
    }

    /// Whether types of ASN.1 have layouts under them: all but the presentation language's own.
    #[must_use]
    pub const fn is_for_asn1(self) -> bool {
        !matches!(self, Rules::Tls)
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that no rules have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownRules;

impl fmt::Display for UnknownRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unknown encoding rules; known are")?;
        Rules::ALL.iter().try_for_each(|rules| write!(f, " {rules}"))
    }
}

impl core::error::Error for UnknownRules {}

impl FromStr for Rules {
    type Err = UnknownRules;

    fn from_str(name: &str) -> Result<Self, UnknownRules> {
        Rules::ALL.into_iter().find(|rules| rules.name() == name).ok_or(UnknownRules)
    }
}

/// Rules as a type: what generated codecs are told apart by.
pub trait RuleSet {
    /// Which rules.
    const RULES: Rules;
}

macro_rules! rule_sets {
    ($($name:ident)*) => { $(
        #[doc = concat!("[`Rules::", stringify!($name), "`] as a type.")]
        #[derive(Clone, Copy, Debug)]
        pub struct $name;

        impl RuleSet for $name {
            const RULES: Rules = Rules::$name;
        }
    )* };
}
rule_sets!(Uper Aper Oer Coer Ber Der Cer Xer Cxer Exer Jer Protobuf Exi ExiDefault ExiMerged ExiSplit Tls);
