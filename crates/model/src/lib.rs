//! The **Model**: abstract syntax after all names, parameters, information objects and constraints are
//! resolved. It knows nothing of bits. A front end makes it; lowering turns one of its types into a layout.
//!
//! - [`types`]: [`Model`], [`Type`], [`Kind`] and effective constraints
//! - [`value`]: [`Value`], a dynamic value of any type
#![forbid(unsafe_code)]

pub mod constraint;
pub mod data;
pub mod types;
pub mod value;

pub use constraint::{Alphabet, Bound, IntegerRange, Size};
pub use num_bigint::BigInt;
pub use types::{
    Alternative, Component, Enumerators, Field, Kind, Model, Presence, QualifiedName, StringKind, Table, Tag, TagClass,
    TimeKind, Type, TypeId,
};
pub use value::{Integer, Oid, Unknown, Value};
