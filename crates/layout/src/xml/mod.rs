//! **XML**: elements, attributes and text (X.693).

mod bounds;
#[cfg(feature = "lower")]
mod lower;
mod node;

#[cfg(feature = "lower")]
pub(crate) use lower::{leaves, lower, names};
pub use node::{XmlNode, XmlSpace};
