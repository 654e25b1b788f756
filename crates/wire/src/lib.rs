//! What ends up in a vehicle: bit readers and writers, the primitive codings, errors, and [`Data`], the one
//! trait by which in-memory messages hand their fields to the interpreter.
//!
//! `no_std`; depends on `arrayvec` only; allocates only for unknown extension additions and unbounded values.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod bits;
pub mod characters;
pub mod constraint;
mod data;
pub mod decimal;
mod eight;
mod error;
mod extensible;
pub mod groups;
mod head;
mod inline;
mod integer;
pub mod json;
mod lent;
mod list;
pub mod oer;
pub mod ones;
mod pattern;
pub mod per;
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

pub use bits::{BitString, BitWord};
pub use data::{Data, Element, Scalar, Shape};
pub use eight::{put_octets, window};
pub use error::{Error, ErrorKind, Names, Path, Rejected, Step};
pub use extensible::{ExtensibleList, Places};
pub use head::{head_at, set_at};
pub use inline::InlineOctets;
pub use integer::TwosComplement;
pub use lent::{LentOctets, LentText};
pub use list::{List, OctetString, Octets, Oid, Text, fill_text};
pub use pattern::{Pattern, PatternStep};
pub use rare::rare;
pub use reader::{Reader, read_at};
pub use real::RealContents;
pub use rest::{OctetReader, array_at, number_at};
pub use tap::Tap;
pub use unknown::{Additions, Unknown};
pub use writer::Writer;

pub use arrayvec;
