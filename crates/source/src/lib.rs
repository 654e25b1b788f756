//! What the front ends share: source text with its lines, places in it, and what there is to say about it.
#![forbid(unsafe_code)]

mod diagnostic;
mod text;

pub use diagnostic::{Diagnostic, Diagnostics, Outcome, Reported, Severity, Sink, distance_within};
pub use text::{MAX_TEXT, Source, SourceText, Span, beyond_limit};

use roadwire_model::Model;

/// What came out of modules that were taken.
#[derive(Debug, Clone)]
pub struct Compiled {
    /// The types and values.
    pub model: Model,
    /// What was doubtful.
    pub warnings: Diagnostics,
    /// What is to be known: constraints that are not checked on values.
    pub notes: Diagnostics,
}
