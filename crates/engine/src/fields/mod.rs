//! Fields: Protocol Buffers.

pub(crate) mod decode;
pub(crate) mod encode;
