//! What generated code and the interpreter call: the primitive codings of each family, and helpers.
//! It may change with each version, as the code that is generated does.

pub mod cbor;
pub mod constraint;
pub mod decimal;
pub(crate) mod eight;
pub mod events;
pub mod fields;
pub(crate) mod head;
pub(crate) mod integer;
pub mod json;
pub(crate) mod line;
pub mod octet;
pub(crate) mod oid;
pub(crate) mod order;
pub mod packed;
pub(crate) mod pattern;
pub(crate) mod places;
pub(crate) mod rare;
pub(crate) mod real;
pub(crate) mod rest;
pub mod text;
pub mod time;
pub mod tlv;
pub mod varint;
pub mod vectors;
pub mod xml;

pub use eight::{put_octets, window};
pub use head::{head_at, set_at};
pub use integer::TwosComplement;
pub use line::Line;
pub use oid::is_oid;
#[cfg(feature = "alloc")]
pub use oid::push_subidentifier;
pub use pattern::{Pattern, PatternStep};
pub use places::Places;
pub use rare::rare;
pub use real::RealContents;
pub use rest::{OctetReader, array_at, number_at};

pub use crate::list::fill_text;
pub use crate::reader::read_at;
