//! CBOR: runs of items after their keys, and the operations between them.
//!
//! Octets that do not depend on the value (keys, and the heads of maps without optional parts) are
//! one with what follows them, so that records inside records are runs as well. No length is
//! written before its content: a map's head counts presence bits.

mod code;
mod decode;
mod encode;
mod map;
mod opaque;
mod walk;

pub(crate) use code::Code;
pub(crate) use decode::decode;
pub(crate) use encode::encode;
pub(crate) use walk::Walk;
