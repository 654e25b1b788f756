//! The **Model**: abstract syntax after all names, parameters, information objects and constraints are
//! resolved. It knows nothing of bits. A front end makes it; lowering turns one of its types into a layout.
//!
//! - [`types`]: [`Model`], [`Type`], [`Kind`] and effective constraints
//! - [`coding`]: what only the presentation language says of a type
//! - [`value`]: [`Value`], a dynamic value of any type
//! - [`check`]: which constraints a value breaks
//! - [`order`]: which vectors are not in the order that their type asks for
//! - [`random`]: values that break none
#![forbid(unsafe_code)]

pub mod check;
pub mod coding;
pub mod constraint;
pub mod data;
mod link;
pub mod order;
pub mod random;
mod repertoire;
pub mod types;
pub mod value;

pub use coding::{Among, Coding, Length, Order, Test, Vector};
pub use constraint::{
    Alphabet, Bound, Constraint, Expression, Inner, InnerPresence, IntegerRange, RealParts, Size, ValueSet,
};
pub use num_bigint::BigInt;
pub use roadwire_wire::time::Settings;
pub use roadwire_wire::{BitWord, Data, Scalar, Shape};
pub use types::{
    Alternative, Component, Enumerators, Field, Kind, Model, Presence, QualifiedName, StringKind, Table, Tag, TagClass,
    TimeKind, Type, TypeId,
};
pub use value::{Integer, Oid, Unknown, Value};
