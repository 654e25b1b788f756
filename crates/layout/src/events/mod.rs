//! **Events**: a stream of events, each after a code that selects it among the possible ones (EXI,
//! in five mappings).

mod bounds;
#[cfg(feature = "lower")]
mod lower;
mod node;

#[cfg(feature = "lower")]
pub(crate) use lower::lower;
#[cfg(feature = "lower")]
pub use lower::{row_elements, xml_schema};
pub use node::{EventNode, Number};
