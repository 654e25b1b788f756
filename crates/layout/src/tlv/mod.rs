//! **TLV**: values after an identifier and a length (X.690: BER, DER, CER).

mod bounds;
mod contents;
#[cfg(feature = "lower")]
mod lower;
mod node;

pub use bounds::item_values;
pub use contents::Contents;
#[cfg(feature = "lower")]
pub(crate) use lower::lower;
pub use node::{Order, TlvNode};
