//! Protocol Buffers: runs of fields, each of which may be absent, and the operations between them.
//!
//! A decoder takes fields in the order in which an encoder writes them, and rejects others. An
//! encoder leaves one octet for the length of a message, and moves what is inside if its length
//! takes more: most take one, and to know lengths before would be a second walk of the value.

mod code;
mod decode;
mod encode;
mod list;
mod opaque;
mod walk;

pub(crate) use code::Code;
pub(crate) use decode::decode;
pub(crate) use encode::encode;
pub(crate) use walk::Walk;
