//! The laboratory of roadwire: it re-runs the published encoding studies and says for every published
//! figure whether it is reproduced. The only crate that knows the papers.

pub mod content;
pub mod engine;
pub mod engines;
pub mod hex;
