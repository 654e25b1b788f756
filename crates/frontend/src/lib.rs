//! Compiles module text in any language that roadwire reads to a model: ASN.1, or the presentation
//! language of IEEE 1609.2-2013 and TS 103 097 V1.
//!
//! Invariants: the first file decides the language of all. Every error has a code and a place, as
//! in the two front ends.
//!
//! Absent on purpose: parsing and resolving, which the front ends do, and the reading of files.
//!
//! ```
//! use roadwire_frontend::{Source, compile};
//!
//! let asn1 = "Demo DEFINITIONS ::= BEGIN Motion ::= SEQUENCE { speed INTEGER (0..16383) } END";
//! let compiled = compile(&[Source::new("demo.asn", asn1)]).unwrap();
//! assert!(compiled.model.find("Demo.Motion").is_some());
//!
//! let presentation = "struct { uint16 speed; } Motion;";
//! let compiled = compile(&[Source::new("demo.tls", presentation)]).unwrap();
//! assert!(compiled.model.find("Motion").is_some());
//!
//! let broken = "Demo DEFINITIONS ::= BEGIN\nMotion ::= Sped\nEND";
//! let found = compile(&[Source::new("demo.asn", broken)]).unwrap_err();
//! assert_eq!((found.0[0].code, found.0[0].line), ("asn1.name.unknown", 2));
//! ```
#![forbid(unsafe_code)]

pub use roadwire_asn1::ReduceError;
pub use roadwire_source::{Allow, Compiled, Diagnostic, Diagnostics, Severity, Source, UnknownAllowance};

use roadwire_presentation::is_presentation;

/// Compiles files of one language, recognised by their extension (`.asn`, `.asn1`, `.tls`) or by
/// their first words, into one model.
///
/// # Errors
/// All errors and warnings, in the order of the sources; at least one is an error. The first file
/// determines the language; a file in another language is read as if it were in this one.
pub fn compile(sources: &[Source]) -> Result<Compiled, Diagnostics> {
    if sources.first().is_some_and(is_presentation) {
        roadwire_presentation::compile(sources)
    } else {
        roadwire_asn1::compile(sources)
    }
}

/// An error at the definition `name` of module `module`; empty if these modules do not define it.
#[must_use]
pub fn error_at(sources: &[Source], module: &str, name: &str, code: &'static str, message: &str) -> Diagnostics {
    if sources.first().is_some_and(is_presentation) {
        roadwire_presentation::error_at(sources, name, code, message)
    } else {
        roadwire_asn1::error_at(sources, module, name, code, message)
    }
}

/// Modules in ASN.1 reduced to what some definitions reach, and printed in one layout, without
/// comments: see [`roadwire_asn1::reduce`].
///
/// ```
/// use roadwire_frontend::{Source, reduce};
///
/// let text = "Demo DEFINITIONS AUTOMATIC TAGS ::= BEGIN Other ::= NULL  Speed::=INTEGER(0..16383) -- 0.01 m/s -- END";
/// let reduced = reduce(&[Source::new("demo.asn", text)], &["Speed"]).unwrap();
/// assert_eq!(reduced, "Demo DEFINITIONS AUTOMATIC TAGS ::= BEGIN\n\nSpeed ::= INTEGER (0..16383)\n\nEND\n");
/// ```
///
/// # Errors
/// Modules with errors or in another language, or a name that is not that of one definition.
pub fn reduce(sources: &[Source], names: &[&str]) -> Result<String, ReduceError> {
    roadwire_asn1::reduce(sources, names)
}

/// Whether files are in the presentation language, as [`compile`] decides it.
#[must_use]
pub fn is_presentation_language(sources: &[Source]) -> bool {
    sources.first().is_some_and(is_presentation)
}
