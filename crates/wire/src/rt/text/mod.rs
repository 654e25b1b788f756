//! Text as straight-line code writes and reads it: constants, and values between them. What is specific to a notation is in [`json`](crate::rt::json) and [`xml`](crate::rt::xml).

pub(crate) mod digits;
mod reader;
mod writer;

pub use digits::{fill, octet_of};
pub use reader::{TextReader, fits};
pub use writer::TextWriter;
