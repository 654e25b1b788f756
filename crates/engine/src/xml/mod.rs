//! XML: X.693.

pub(crate) mod decode;
pub(crate) mod encode;
