//! The laboratory of roadwire: it re-runs the published encoding studies and says for every published
//! figure whether it is reproduced. The only crate that knows the papers.
//!
//! [`run`] is the way in; [`engine::Codec`] is what an implementation provides to be measured.

pub mod certificates;
pub mod claims;
pub mod content;
pub mod corpus;
pub mod engine;
pub mod engines;
pub mod files;
pub mod gate;
pub mod hex;
pub mod ieee1609;
pub mod measure;
pub mod nesting;
pub mod plot;
pub mod probe;
pub mod properties;
pub mod quantity;
pub mod rates;
pub mod record;
pub mod recorded;
pub mod report;
mod run;
pub mod stdio;
pub mod study;
mod time_of_day;
pub mod verdict;

pub use record::Method;
pub use run::{LabError, Outcome, Progress, Silent, StudyOptions, list, run};
