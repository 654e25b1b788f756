//! What ends up in a vehicle: bit readers and writers, the primitive codings, errors, and [`Data`], the one
//! trait by which in-memory messages hand their fields to the interpreter.
//!
//! `no_std`; depends on `arrayvec` only; allocates only for unknown extension additions and unbounded values. Without its feature `alloc` it does not allocate at all, and a program needs
//! no allocator: types without a bound are then missing ([`OctetString`], [`BitString`], [`Oid`], `Vec`, `String`), lists have no place beyond the size that their type names
//! ([`ExtensibleList`]), and unknown extension additions are not kept ([`Additions`]).
//!
//! The functions that readers and writers spend their time in are `inline(always)`, but not on microcontrollers (32 bits, no operating system): there a shift of 64 bits is some ten instructions, room
//! for code is little, and a call costs less.
#![no_std]
#![forbid(unsafe_code)]

#[cfg(any(test, feature = "alloc"))]
extern crate alloc;

mod bits;
pub mod characters;
pub mod constraint;
mod data;
pub mod decimal;
mod eight;
mod error;
#[cfg(feature = "alloc")]
mod extensible;
pub mod groups;
mod head;
mod inline;
mod integer;
pub mod json;
#[cfg(feature = "alloc")]
mod lent;
mod list;
pub mod oer;
pub mod ones;
mod pattern;
pub mod per;
mod places;
mod rare;
mod reader;
mod real;
mod rest;
mod tap;
pub mod text;
pub mod time;
pub mod tlv;
mod unknown;
pub mod varint;
mod writer;
pub mod xml;

#[cfg(feature = "alloc")]
pub use bits::BitString;
pub use bits::BitWord;
pub use data::{Data, Element, Scalar, Shape};
pub use eight::{put_octets, window};
pub use error::{Error, ErrorKind, Names, Path, Rejected, Step};
#[cfg(feature = "alloc")]
pub use extensible::ExtensibleList;
pub use head::{head_at, set_at};
pub use inline::InlineOctets;
pub use integer::TwosComplement;
#[cfg(feature = "alloc")]
pub use lent::{LentOctets, LentText};
#[cfg(not(feature = "alloc"))]
pub use list::ExtensibleList;
pub use list::{List, Octets, Text, fill_text};
#[cfg(feature = "alloc")]
pub use list::{OctetString, Oid};
pub use pattern::{Pattern, PatternStep};
pub use places::Places;
pub use rare::rare;
pub use reader::{Reader, read_at};
pub use real::RealContents;
pub use rest::{OctetReader, array_at, number_at};
pub use tap::Tap;
pub use unknown::{Additions, Kept, Unknown};
pub use writer::Writer;

pub use arrayvec;
