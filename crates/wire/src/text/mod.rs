//! Text as straight-line code writes and reads it: constants, and values between them. What a notation has of its own is with that notation: [`json`](crate::json), [`xml`](crate::xml).

pub(crate) mod digits;
mod reader;
mod writer;

pub use digits::{fill, octet_of};
pub use reader::{TextReader, fits};
pub use writer::TextWriter;
