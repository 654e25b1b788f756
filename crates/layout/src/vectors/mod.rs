//! **Vectors**: structs, and vectors after their lengths in octets, as in TLS (TS 103 097 V1, IEEE
//! 1609.2-2013).

mod bounds;
#[cfg(feature = "lower")]
mod lower;
mod node;

#[cfg(feature = "lower")]
pub(crate) use lower::lower;
pub use node::{Sort, Test, VectorNode};
