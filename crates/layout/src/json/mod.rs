//! **JSON** (X.697).

mod bounds;
#[cfg(feature = "lower")]
mod lower;
mod node;

#[cfg(feature = "lower")]
pub(crate) use lower::lower;
#[cfg(feature = "lower")]
pub use lower::value_notation;
pub use node::{JsonNode, Others};
