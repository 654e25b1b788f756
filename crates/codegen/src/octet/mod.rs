//! Straight-line code for parts of OER that PER does not have (X.696): lengths and numbers in whole octets.

pub(crate) mod decode;
pub(crate) mod encode;
