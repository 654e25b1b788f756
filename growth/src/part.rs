//! The measured cases: ways in which an input can be large.

use roadwire_layout::Rules;

/// One of each family of rules for ASN.1; and aligned PER and CER, which fragment long values
/// differently.
pub const RULES: [Rules; 10] = [
    Rules::Uper,
    Rules::Aper,
    Rules::Oer,
    Rules::Ber,
    Rules::Cer,
    Rules::Xer,
    Rules::Jer,
    Rules::Protobuf,
    Rules::Exi,
    Rules::Cbor,
];

/// The work on one input.
pub struct Work {
    /// How long the input is.
    pub octets: usize,
    /// Does the work, and returns the outcome: `taken`, or the code of the error.
    pub run: Box<dyn Fn() -> &'static str>,
}

/// One way in which an input can be large, under one set of rules or in one language.
pub struct Part {
    /// The family.
    pub family: &'static str,
    /// The rules or the language, and the work.
    pub name: String,
    /// Makes an input of about this many octets.
    pub make: Box<dyn Fn(usize) -> Work>,
}
