//! The **plan**: what an encoder and a decoder of one type do under one set of encoding rules, as
//! data: statements over places, numbers and conditions.
//!
//! ```
//! use roadwire_layout::Rules;
//! use roadwire_plan::{Block, Entry, Options, Pdu, Planner, Stmt, Stream, Types, Way};
//! # use roadwire_frontend::{Source, compile};
//!
//! let text = "Demo DEFINITIONS AUTOMATIC TAGS ::= BEGIN
//!     Motion ::= SEQUENCE { speed INTEGER (0..16383), lane INTEGER (1..14) OPTIONAL }
//! END";
//! let model = compile(&[Source::new("demo.asn", text)]).unwrap().model;
//! let motion = model.find("Demo.Motion").unwrap();
//! let types = Types::collect(&model, &model, &[motion], Options::default()).unwrap();
//! let pdus = Pdu::all(&types, &[motion], Rules::Uper).unwrap();
//! let start = pdus[0].start().unwrap();
//! let plan = Planner::new(&pdus[0]).function(Way::Encode, Entry::General, (motion, start));
//! // The presence bit and the 14 bits of the speed are one chunk.
//! let is_chunk = |one: &Stmt| matches!(one, Stmt::Stream(Stream::PutChunk { bits: 15, .. }));
//! assert!(plan.block.iter().any(is_chunk));
//! // Nothing of it but rare forms is left to the interpreter.
//! assert!(plan.given_up.is_empty());
//! ```
//!
//! [`Types`] says how each type is held in memory. A walk (`walk`, a file for each family) makes a
//! plan from a layout and these types, and passes (`pass`) improve it: bits and octets that follow
//! each other become one word, bounds are checked once for several values. [`Planner`] does both
//! for one function after the other.
//!
//! Invariants: the same types and layouts give the same plans. A plan has the usual forms of a
//! message alone; it rejects what is wrong or rare, and [`GivenUp`] says which parts it leaves to
//! the interpreter. Types that nest deeper than a message may, and those that take much code, have
//! functions of their own, so that a plan grows with the module.
//!
//! Absent on purpose: names and text of a target language, which printers have
//! (`roadwire-codegen`), and whatever carries a plan out. A statement says what is done to a place,
//! and not how memory is laid out there. Errors are absent: the interpreter finds out what is
//! wrong.
#![forbid(unsafe_code)]

mod error;
mod options;
mod pass;
mod pdu;
mod plain;
mod plan;
mod planner;
mod types;
mod usual;
mod walk;
mod work;

pub use error::PlanError;
pub use options::{Integers, OpenTypes, Options};
pub use pdu::{MOST_LEVELS, Pdu};
pub use plan::{
    Amount, Arg, Bit, Block, Cbor, Codes, Coding, Component, Cond, Count, Element, Event, Events, Fields, Form, Int,
    Mover, Num, NumberForm, Pattern, Place, Prim, Range, Reason, Repeat, Root, Selector, Size, Slot, Step, Stmt, Store,
    Str, Stream, Text, TimeForm, TimePart, Tlv, Units, Unknown, Until, Value, Var, Vectors, Way, Wide,
};
pub use planner::{Entry, GivenUp, Plan, Planner};
pub use types::open::with_choices;
pub use types::{Repr, Storage, Types};
pub use usual::{Part, commonest};
pub use work::Work;
