//! Shared by the front ends: source text with its lines, positions in it, and diagnostics.
//!
//! Invariants: any octets can be read as text, with the encoding that was assumed. Findings are in
//! the order of the sources, and at most 200 errors and 200 warnings are kept. A place has a line
//! and a column.
//!
//! Absent on purpose: grammars, the reading of files, and printing.
//!
//! ```
//! use roadwire_source::{Sink, Source, SourceText, Span};
//!
//! let file = SourceText::decode(&Source::new("demo.asn", "Speed ::= INTEGR"));
//! let mut sink = Sink::default();
//! sink.error("asn1.name.unknown", Span { file: 0, start: 10, end: 16 }, "there is no `INTEGR`");
//! let found = sink.finish(&[file]);
//! assert_eq!((found.0[0].line, found.0[0].column), (1, 11));
//! assert!(found.render().contains("1 | Speed ::= INTEGR\n  |           ^^^^^^\n"), "{}", found.render());
//! ```
#![forbid(unsafe_code)]

mod allow;
mod diagnostic;
mod encoding;
mod text;

pub use allow::{Allow, UnknownAllowance};
pub use diagnostic::{Diagnostic, Diagnostics, Outcome, Reported, Severity, Sink};
pub use roadwire_wire::names::{distance_within, nearest};
pub use text::{MAX_TEXT, Source, SourceText, Span, beyond_limit};

use roadwire_model::Model;

/// The result of compiling accepted modules.
#[derive(Debug, Clone)]
pub struct Compiled {
    /// The types and values.
    pub model: Model,
    /// The warnings.
    pub warnings: Diagnostics,
    /// The notes: constraints that are not checked on values.
    pub notes: Diagnostics,
}
