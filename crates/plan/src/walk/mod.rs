//! Walks over layouts make plans, a file for each family with both directions side by side.

pub(crate) mod cbor;
mod delimited;
pub(crate) mod fields;
pub(crate) mod json;
pub(crate) mod keys;
mod open;
pub(crate) mod packed;
mod text;
pub(crate) mod tlv;
pub(crate) mod vectors;
mod walker;
mod wide;
pub(crate) mod xml;
