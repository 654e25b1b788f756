//! JSON: X.697.

pub(crate) mod decode;
pub(crate) mod encode;
