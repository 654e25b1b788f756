//! **CBOR** (RFC 8949): maps whose keys are numbers, arrays and leaves, in the one form that is
//! deterministic (§4.2.1).

mod bounds;
#[cfg(feature = "lower")]
mod cddl;
#[cfg(feature = "lower")]
mod lower;
mod node;

#[cfg(feature = "lower")]
pub use cddl::cddl_schema;
#[cfg(feature = "lower")]
pub(crate) use lower::lower;
pub use node::CborNode;
