//! Packed and octet: PER (X.691) and OER (X.696), whose values are encoded one after the other.
//! Events and vectors share the leaves.

pub(crate) mod decode;
pub(crate) mod encode;
