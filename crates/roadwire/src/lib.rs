//! Road messages, in every encoding that is used for them.
//!
//! Invariants: generated code gives the interpreter's answer, or leaves the message to it. No input
//! causes a panic, and nesting and memory have limits. An error has a code, a place and a field. No
//! unsafe code but that of `roadwire-lanes`, which modules of run time use.
//!
//! Absent on purpose: files and printing, signatures (`roadwire-security`), recorded traffic
//! (`roadwire-capture`), and the laboratory.
//!
//! A message is a plain Rust type. [`Encoded`] decodes and encodes it under the given encoding
//! rules:
//!
//! ```
//! # #[cfg(all(feature = "cam", feature = "uper"))] {
//! use roadwire::cam_1_4_1::Cam;
//! use roadwire::{Encoded, Uper};
//!
//! // A CAM as received.
//! let octets = [
//!     0x02, 0x02, 0x84, 0xdb, 0x8a, 0x10, 0x42, 0xa6, 0x00, 0xfa, 0x5e, 0x7a, 0xa1, 0x8e, 0xa5, 0xce, 0xac, 0x81, 0x90,
//!     0x19, 0x00, 0x00, 0x3b, 0x79, 0x12, 0x80,
//! ];
//! let mut cam = Cam::from_octets::<Uper>(&octets)?;
//! assert_eq!(cam.header.station_id, 0x84db_8a10);
//!
//! // The same message from another station, as octets.
//! cam.header.station_id = 1001;
//! let other = cam.to_octets::<Uper>()?;
//! assert_eq!(other[2..6], 1001_u32.to_be_bytes());
//! assert_eq!(other[6..], octets[6..]);
//!
//! // Errors have the bit and the field.
//! let cut = Cam::from_octets::<Uper>(&octets[..16]).unwrap_err();
//! assert_eq!(cut.kind.code(), "input.truncated");
//! assert_eq!(cut.path.to_string(), "cam.camParameters.basicContainer.referencePosition.longitude");
//! # }
//! # Ok::<(), roadwire::Error<'static>>(())
//! ```
//!
//! Programs that get a schema at run time use [`Schema`], and a [`Transcoder`] before it if they
//! convert many shipped messages; a [`Guesser`] finds out what octets of unknown origin are.
//! Programs that must not allocate, or that decode into an existing message, call
//! [`Message::encode`] and [`Message::decode`], which write into the caller's buffer and message.
//!
//! # Features
//!
//! - `messages` (default): the shipped messages, one module for each version of a standard, with
//!   codecs for all encodings. They take minutes to compile. A program that needs only some
//!   messages and encodings names these instead: `cam`, `denm`, `cpm`, `vam`, `infrastructure`,
//!   `ieee1609dot2`, `ts103097`, `ts102941`; `uper` and all other rules by their names. [`SCHEMAS`]
//!   has the text of all schemas in any case, also of those that have no module: [`Schema`] has
//!   codecs for them. What CAM, DENM, CPM and VAM of all versions have is in the trait [`Station`].
//! - `schema` (default): [`Schema`], which includes the compiler.
//! - `columns`: `roadwire-columns` takes what is on a [`Tape`] at once, several times as fast, and
//!   its rows are encoded without a tree of values.
#![forbid(unsafe_code)]

#[cfg(feature = "schema")]
mod codec;
#[cfg(feature = "schema")]
mod foreign;
#[cfg(all(feature = "schema", feature = "shipped"))]
mod guess;
#[cfg(feature = "schema")]
mod inspect;
#[cfg(any(feature = "schema", feature = "shipped"))]
mod kept;
#[cfg(feature = "schema")]
mod open;
#[cfg(all(feature = "schema", feature = "columns"))]
mod rows;
#[cfg(feature = "schema")]
mod schema;
#[cfg(feature = "shipped")]
mod station;
#[cfg(feature = "schema")]
mod tapes;
#[cfg(feature = "schema")]
mod tops;
#[cfg(feature = "shipped")]
mod transcoder;

pub use roadwire_engine::{Limits, Message};
pub use roadwire_layout::{RuleSet, Rules, UnknownRules};
pub use roadwire_wire::{Error, ErrorKind};

#[cfg(feature = "schema")]
pub use codec::{Codec, CodecError};
#[cfg(all(feature = "schema", feature = "shipped"))]
pub use guess::{Guess, Guesser, Nearest};
#[cfg(feature = "schema")]
pub use inspect::{BitRun, Inspector, Measured, Shown};
#[cfg(feature = "schema")]
pub use open::{Check, Checked, Violation};
#[cfg(feature = "schema")]
pub use roadwire_frontend::{Allow, Diagnostics, Source, UnknownAllowance};
#[cfg(feature = "shipped")]
pub use roadwire_messages::*;
#[cfg(feature = "schema")]
pub use roadwire_model::check::Offending;
#[cfg(feature = "schema")]
pub use roadwire_model::{TypeId, Value};
#[cfg(feature = "schema")]
pub use roadwire_program::{Cursor, Tape};
#[cfg(all(feature = "schema", feature = "columns"))]
pub use rows::RowEncoder;
#[cfg(feature = "schema")]
pub use schema::{Schema, UnknownSchema, UnknownType};
#[cfg(feature = "shipped")]
pub use station::{Position, Station, Time};
#[cfg(feature = "shipped")]
pub use transcoder::Transcoder;

#[cfg(not(feature = "shipped"))]
macro_rules! markers {
    ($($rules:ident)*) => { pub use roadwire_layout::{$($rules),*}; };
}
#[cfg(not(feature = "shipped"))]
roadwire_layout::for_each_rules!(markers);

/// Encodes and decodes a message, with the encoding rules given at the call.
pub trait Encoded: Sized {
    /// Decodes a message. Octets after it are ignored.
    ///
    /// # Errors
    /// The first fault, with its bit and its field.
    fn from_octets<R>(octets: &[u8]) -> Result<Self, Error<'static>>
    where
        Self: Message<R>,
    {
        let mut message = Self::default();
        message.decode(octets)?;
        Ok(message)
    }

    /// Encodes the message.
    ///
    /// # Errors
    /// A value outside its constraint, with the field.
    fn to_octets<R>(&self) -> Result<Vec<u8>, Error<'static>>
    where
        Self: Message<R>,
    {
        self.encode_to_vec(MOST)
    }
}

impl<T: Sized> Encoded for T {}

/// The most octets of an encoded value.
const MOST: usize = 64 << 20;
