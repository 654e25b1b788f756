//! Events: EXI.

pub(crate) mod decode;
pub(crate) mod encode;
