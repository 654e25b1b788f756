//! Module text of any language that roadwire reads, to a model: ASN.1, or the presentation language of IEEE 1609.2-2013 and TS 103 097 V1.
#![forbid(unsafe_code)]

pub use roadwire_source::{Compiled, Diagnostic, Diagnostics, Severity, Source};

use roadwire_presentation::is_presentation;

/// Compiles files of one language, told by the ending of their names (`.asn`, `.asn1`, `.tls`) or by what they begin with, into one model.
///
/// # Errors
/// All that is wrong with them, warnings included, in the order of the sources; at least one is an error. A file of another language than the first one's is read as if it were in that
/// of the first.
pub fn compile(sources: &[Source]) -> Result<Compiled, Diagnostics> {
    if sources.first().is_some_and(is_presentation) {
        roadwire_presentation::compile(sources)
    } else {
        roadwire_asn1::compile(sources)
    }
}

/// An error about what module `module` defines as `name`, with its place; none where these modules do not.
#[must_use]
pub fn error_at(sources: &[Source], module: &str, name: &str, code: &'static str, message: &str) -> Diagnostics {
    if sources.first().is_some_and(is_presentation) {
        roadwire_presentation::error_at(sources, name, code, message)
    } else {
        roadwire_asn1::error_at(sources, module, name, code, message)
    }
}
