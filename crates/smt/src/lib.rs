//! Proofs of plans: what an encoder and a decoder of one type do (`roadwire-plan`), as scripts in
//! SMT-LIB 2 (logic `QF_BV`), for all values at once.
//!
//! ```
//! use roadwire_smt::{Sentence, Setting, proofs};
//! # use roadwire_frontend::{Source, compile};
//! # use roadwire_layout::Rules;
//!
//! let text = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
//!     Motion ::= SEQUENCE { speed INTEGER (0..16383), lane INTEGER (1..14) OPTIONAL }
//! END";
//! let model = compile(&[Source::new("m.asn", text)]).unwrap().model;
//! let root = model.find("M.Motion").unwrap();
//! let setting =
//!     Setting { model: &model, root, rules: Rules::Uper, assume: &|_| None, change: &|_, _| (), any_octets: false };
//! let (proofs, assumed) = proofs(&setting).unwrap();
//! assert!(assumed.is_empty());
//! let same = proofs.iter().find(|proof| proof.sentence == Sentence::Same).unwrap();
//! // A solver answers `unsat`: no value differs after both ways.
//! assert!(same.script.ends_with("(check-sat)\n"));
//! ```
//!
//! The statements of the encoder are carried out with a symbol for each number of the value; what
//! is written is a list of bits, of which some depend on conditions. The statements of the decoder
//! read that list. Where a condition divides what is done, both ways are taken, and states at the
//! same place of the input become one again: no path is left out, and none has to be listed.
//!
//! Invariants: the plans are those that printers print, after walks and passes; numbers are modulo
//! 2^64, as in the C that is printed of them. A statement, number or condition without a meaning
//! here is an error that names it. All that is assumed of a value is listed with its proofs. Bits
//! beyond the end, places in memory that were not set and unknown additions may be anything.
//!
//! Absent on purpose: the printers and the runtime, so a proof says nothing of a fault in the text
//! of C or Rust, or in a primitive (this crate has its own meaning of each one); solvers; the
//! interpreter; lists and strings without a bound, which need an assumption of a size.
#![forbid(unsafe_code)]

mod number;
mod open;
mod planted;
mod proof;
mod rope;
mod run;
mod state;
mod step;
mod stream;
mod subjects;
mod term;
mod tlv;
mod value;

pub use planted::{PLANTED, Planted};
pub use proof::{Proof, Sentence, Setting, proofs};
pub use run::{Assume, Change, Outcome};
pub use subjects::{Restriction, SUBJECTS, Subject};
