//! The parts of OER that PER does not have (X.696): alternatives selected by tags.

pub(crate) mod decode;
pub(crate) mod encode;
