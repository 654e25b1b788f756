//! The **Model**: abstract syntax after all names, parameters, information objects and constraints
//! are resolved. It is independent of encodings. A front end makes it; lowering turns one of its
//! types into a layout.
//!
//! Invariants: a [`TypeId`] is valid in the model that it comes from alone. Constraints are
//! resolved: effective ones, and those that only checks use. Random values satisfy all constraints.
//!
//! Absent on purpose: bits and octets, syntax trees, and places in source text.
//!
//! ```
//! use roadwire_model::{Kind, Value, check};
//! # use roadwire_asn1::{Source, compile};
//!
//! let text = "Demo DEFINITIONS AUTOMATIC TAGS ::= BEGIN
//!     Motion ::= SEQUENCE { speed INTEGER (0..16383), lane INTEGER (1..14) OPTIONAL }
//! END";
//! let model = compile(&[Source::new("demo.asn", text)]).unwrap().model;
//! let motion = model.find("Demo.Motion").unwrap();
//! let Kind::Sequence { components, .. } = &model.get(motion).kind else { unreachable!() };
//! assert_eq!(components[1].name, "lane");
//!
//! let lane = components[1].type_id;
//! assert!(check::value(&model, lane, &Value::Integer(3.into())).is_empty());
//! assert_eq!(check::value(&model, lane, &Value::Integer(15.into())).len(), 1);
//! ```
//!
//! - [`types`]: [`Model`], [`Type`], [`Kind`] and effective constraints
//! - [`coding`]: properties of types that only the presentation language has
//! - [`columns`]: how many columns a type has
//! - [`value`]: [`Value`], a dynamic value of any type
//! - [`check`]: which constraints a value breaks
//! - [`order`]: which vectors are not in the order that their type requires
//! - [`random`]: random values that satisfy all constraints
#![forbid(unsafe_code)]

pub mod check;
pub mod coding;
pub mod columns;
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
pub use roadwire_wire::rt::PatternStep;
pub use roadwire_wire::rt::time::Settings;
pub use roadwire_wire::{BitWord, Data, Scalar, Shape};
pub use types::{
    Alternative, Component, Enumerators, Field, Kind, Language, Model, Presence, QualifiedName, StringKind, Table, Tag,
    TagClass, TimeKind, Type, TypeId,
};
pub use value::{Integer, Oid, Unknown, Value};
