//! CBOR.

pub(crate) mod decode;
pub(crate) mod encode;
