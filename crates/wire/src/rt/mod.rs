//! Functions that generated code and the interpreter call: the primitive codings of each family,
//! and helpers. They may change with each version, as generated code does.
//!
//! Four families have their commonest forms twice: in `straight` (`tlv::field`) for generated code,
//! which has the position in a register, stores eight octets where fewer are meant, and rejects
//! what is rare without a reason; and on a [`Reader`](crate::Reader) and [`Writer`](crate::Writer)
//! for the interpreter, which needs no room beyond the message and says what is wrong. Rare forms
//! exist once, and tests hold both against each other.

pub mod cbor;
pub(crate) mod cold;
pub mod constraint;
pub mod decimal;
pub mod events;
pub mod fields;
pub(crate) mod fixed;
pub(crate) mod integer;
pub mod json;
pub(crate) mod line;
pub mod octet;
pub(crate) mod octet_reader;
pub(crate) mod oid;
pub(crate) mod order;
pub mod packed;
pub(crate) mod pattern;
pub(crate) mod places;
pub(crate) mod real;
pub mod text;
pub mod time;
pub mod tlv;
pub mod varint;
pub mod vectors;
pub(crate) mod words;
pub mod xml;

pub use cold::rare;
pub use fixed::{head_at, set_at};
pub use integer::TwosComplement;
pub use line::Line;
pub use octet_reader::{OctetReader, array_at, number_at};
pub use oid::is_oid;
#[cfg(feature = "alloc")]
pub use oid::push_subidentifier;
pub use order::Order;
pub use pattern::{Pattern, PatternStep};
pub use places::Places;
pub use real::RealContents;
pub use words::{put_octets, window};

pub use crate::list::fill_text;
pub use crate::reader::read_at;
