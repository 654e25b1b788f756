//! The laboratory of roadwire: it re-runs the published encoding studies and decides for every
//! published figure whether it is reproduced. Implementations are measured through
//! `roadwire-peers`, by `roadwire-measure`; only this crate knows what the papers say.
//!
//! Invariants: a cell is measured only after it has passed the gate, and an empty cell says why.
//! Tables and verdicts are made from the records alone. A fitted quantity is called a fit.
//!
//! Absent on purpose: codecs and their drivers (`peers`), clocks and counters (`measure`), and
//! claims of papers as code: they are data in `studies/`.
//!
//! [`run`] is the entry point.

pub mod bench;
pub mod claims;
pub mod confirmed;
pub mod corpus;
mod csv;
pub mod experiment;
pub mod gate;
mod gzip;
mod interpreted;
pub mod libraries;
pub mod measured;
pub mod messages;
pub mod nesting;
pub mod noise;
mod number;
pub mod owner;
pub mod probe;
mod processes;
pub mod processors;
mod progress;
pub mod properties;
pub mod quantity;
pub mod ranking;
pub mod rates;
pub mod record;
pub mod report;
mod rules;
mod run;
mod small;
pub mod studies;
pub mod study;
mod time_of_day;
pub mod verdict;

pub use measured::Recorded;
pub use noise::Variance;
pub use progress::{Progress, Silent};
pub use record::Method;
pub use run::{Form, LabError, Outcome, StudyOptions, list, run};
pub use studies::certificates::Station;
