//! The part that ends up in a vehicle: bit readers and writers, the primitive codings, errors, and
//! [`Data`], the one trait through which the interpreter reads and fills messages in memory.
//!
//! ```
//! use roadwire_wire::{Reader, Rejected, Writer};
//!
//! // A speed in 14 bits, and a lane in 4.
//! let mut octets = [0; 4];
//! let mut writer = Writer::new(&mut octets);
//! writer.put(1200, 14)?;
//! writer.put(2, 4)?;
//! assert_eq!(writer.finish()?, 3);
//! assert_eq!(octets[..3], [0x12, 0xc0, 0x80]);
//!
//! let mut reader = Reader::new(&octets[..3]);
//! assert_eq!((reader.take(14)?, reader.take(4)?), (1200, 2));
//! // Readers have no words for what is wrong: the interpreter finds it out.
//! assert_eq!(reader.take(14), Err(Rejected));
//! # Ok::<(), Rejected>(())
//! ```
//!
//! Generated code and the interpreter also call functions of a hidden module, `rt`, which may
//! change with each version.
//!
//! Invariants: a reader never reads past its input, nor a writer past its output, and neither
//! panics. What cannot be read or written is [`Rejected`], or an [`Error`] with bit and path.
//!
//! Absent on purpose: layouts, and the types of any module.
//!
//! `no_std`; depends on `arrayvec` only; allocates only for unknown extension additions and
//! unbounded values. Without its feature `alloc` it does not allocate at all, and a program needs
//! no allocator: types without a bound are then missing ([`OctetString`], [`BitString`], [`Oid`],
//! `Vec`, `String`), lists cannot grow beyond the size in their type ([`ExtensibleList`]), and
//! unknown extension additions are not kept ([`Additions`]).
//!
//! The hot functions of readers and writers are `inline(always)`, but not on microcontrollers (32
//! bits, no operating system): there a 64-bit shift is some ten instructions, space for code is
//! scarce, and a call costs less.
#![no_std]
#![forbid(unsafe_code)]

#[cfg(any(test, feature = "alloc"))]
extern crate alloc;

mod bits;
#[cfg(feature = "alloc")]
mod borrowed;
#[cfg(feature = "columns")]
pub mod column;
mod data;
mod error;
#[cfg(feature = "alloc")]
mod extensible;
pub mod faults;
mod inline;
mod integer;
mod item;
mod list;
pub mod names;
mod part;
mod parts;
mod path;
mod reader;
#[cfg(feature = "columns")]
mod rows;
#[doc(hidden)]
pub mod rt;
mod tap;
mod unexpected;
mod unknown;
mod writer;

#[cfg(feature = "alloc")]
pub use bits::BitString;
pub use bits::BitWord;
#[cfg(feature = "alloc")]
pub use borrowed::{LentOctets, LentText};
#[cfg(feature = "columns")]
pub use column::{Cells, Column, Source, SourceCells};
pub use data::{Data, Element, Scalar, Shape};
pub use error::{Error, ErrorKind, Rejected};
#[cfg(feature = "alloc")]
pub use extensible::ExtensibleList;
pub use faults::Fault;
pub use inline::InlineOctets;
pub use integer::Integer;
pub use item::{number_of_unknown_item, ordinal_of_unknown_item};
#[cfg(not(feature = "alloc"))]
pub use list::ExtensibleList;
pub use list::{List, Octets, Text};
#[cfg(feature = "alloc")]
pub use list::{OctetString, Oid};
pub use part::Part;
pub use parts::{Parts, fill_leaf};
#[doc(hidden)]
pub use parts::{forget_unknown, keep_content, keep_unknown, no_tape, put_content, put_unknown};
pub use path::{Names, Path, Step};
pub use reader::Reader;
pub use tap::Tap;
pub use unexpected::{Few, Form, Piece, Thing, Unexpected};
pub use unknown::{Additions, Kept, Unknown};
pub use writer::Writer;

pub use arrayvec;
