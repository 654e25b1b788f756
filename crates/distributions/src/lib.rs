//! Random values of a type, seeded, whose parts are drawn as a file says.
//!
//! Invariants: the whole file is checked before the first value. The same file and seed give the
//! same values. Every value keeps all constraints of its type; if many tries fail, that is an
//! error.
//!
//! Absent on purpose: octets (values are encoded elsewhere), and any source of random numbers but
//! the caller's.
//!
//! The file is TOML, with a `[[component]]` for each part that it describes. Everything else is
//! drawn by the generator of the tests ([`roadwire_model::random`]).
//!
//! ```
//! use roadwire_distributions::{Distributions, Values};
//! use roadwire_model::random::Rng;
//! use roadwire_notation::Notation;
//!
//! let module = "Demo DEFINITIONS AUTOMATIC TAGS ::= BEGIN
//!     Motion ::= SEQUENCE { speed INTEGER (0..16383), lane INTEGER (1..14) OPTIONAL }
//! END";
//! let model = roadwire_asn1::compile(&[roadwire_asn1::Source::new("demo.asn", module)]).unwrap().model;
//! let motion = model.find("Motion").unwrap();
//!
//! let file = r#"
//!     [[component]]
//!     path = "speed"
//!     uniform = { from = 1200, to = 1300 }
//!     [[component]]
//!     path = "lane"
//!     present = 1.0
//!     values = [2, 3]
//! "#;
//! let distributions = Distributions::read(file, &model, motion).unwrap();
//! let values = Values::new(&model, motion, distributions);
//! let value = values.next(&mut Rng::new(1)).unwrap();
//! let text = Notation::new(&model, motion).unwrap().write(&value).unwrap();
//! assert!(text.starts_with(r#"{"speed":12"#) && text.contains(r#""lane":"#), "{text}");
//!
//! let error = Distributions::read("[[component]]\npath = \"sped\"\nvalue = 1", &model, motion).unwrap_err();
//! assert_eq!((error.line, error.column), (2, 8));
//! assert!(error.message.contains("did you mean `speed`?"), "{error}");
//! ```
#![forbid(unsafe_code)]

mod draw;
mod file;
mod path;
mod values;

use std::collections::BTreeMap;
use std::fmt;

use draw::{Draw, Length};

pub use values::{Unmet, Values};

/// How parts of a type's values are drawn.
#[derive(Clone, Debug, Default)]
pub struct Distributions {
    root: Node,
}

/// How one part is drawn, and the parts in it by their places: of components, of alternatives, and
/// 0 for the elements of a list.
#[derive(Clone, Debug, Default)]
struct Node {
    draw: Option<Draw>,
    /// The probability that a component is present.
    present: Option<f64>,
    length: Option<Length>,
    parts: BTreeMap<usize, Node>,
}

/// Why a file cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invalid {
    /// Stable: `distribution.syntax`, `distribution.path`, `distribution.value` or
    /// `distribution.kind`.
    pub code: &'static str,
    /// The message: the expected text, and the text that was found.
    pub message: String,
    /// The line in the file, from 1.
    pub line: usize,
    /// The column, in characters from 1.
    pub column: usize,
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for Invalid {}
