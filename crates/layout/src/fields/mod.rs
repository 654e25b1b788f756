//! **Fields**: values after field numbers, in any order (Protocol Buffers).

mod bounds;
#[cfg(feature = "lower")]
mod lower;
mod node;

#[cfg(feature = "lower")]
pub(crate) use lower::lower;
#[cfg(feature = "lower")]
pub use lower::{Choices, proto_schema};
pub use node::{FieldNode, Key, Sign};
