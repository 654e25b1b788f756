//! Recordings: the contents of each frame, as records, tables and columns.
//!
//! Invariants: records have the same order and content on any number of cores. Records, tables and
//! columns take bounded memory, however long a recording is. A frame without a message has a
//! reason.
//!
//! Absent on purpose: printing and options of the command line, the parsing of headers (`capture`),
//! and the rules of signatures (`security`).
//!
//! A recording is read in pieces ([`Pieces`]), on several cores ([`read`]). Each frame is
//! dissected, the message in it is recognised, its signature may be verified ([`Verification`]),
//! and it becomes a line, a row of a table, or columns ([`Records`]). Nothing here prints.
#![forbid(unsafe_code)]

mod answers;
mod contents;
mod counted;
mod error;
mod fields;
mod filter;
pub mod in_order;
pub mod input;
pub mod lengths;
mod lines;
mod notes;
pub mod octets;
mod pieces;
mod problem;
mod reading;
mod recognition;
mod record;
mod records;
#[cfg(test)]
mod signed_frames;
#[cfg(feature = "columns")]
mod stream;
mod summary;
#[cfg(feature = "columns")]
mod tables;
pub mod verification;
pub mod violations;
mod walk;

pub use answers::{Answer, answers};
pub use contents::of_signed as contents_of_signed;
pub use error::{Error, Kind, Place, on_one_line};
pub use lines::Lines;
pub use notes::{Judged, Note, Unknown};
pub use pieces::{Piece, Pieces};
pub use reading::read;
pub use recognition::Schemas;
pub use record::security_of;
pub use records::{Made, Records};
#[cfg(feature = "columns")]
pub use roadwire_columns::Format;
#[cfg(feature = "columns")]
pub use stream::{CaptureOptions, CaptureStream, StreamError};
pub use summary::Summary;
#[cfg(feature = "columns")]
pub use tables::{Builders, Frames, Rows, Tables};
pub use verification::{Verification, VerificationOptions};
pub use walk::{Walk, Walked};
