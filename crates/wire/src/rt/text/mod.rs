//! Text as straight-line code writes and reads it: constants, and values between them. What is
//! specific to a notation is in [`json`](crate::rt::json) and [`xml`](crate::rt::xml).

mod arcs;
pub(crate) mod digits;
mod reader;
mod writer;

#[cfg(feature = "alloc")]
pub use arcs::fill_arcs;
pub use digits::{fill, octet_of};
pub(crate) use reader::fit;
pub use reader::{TextReader, fits};
pub use writer::TextWriter;
