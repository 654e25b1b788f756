//! The **Layout**: the transfer syntax of one type under one set of encoding rules, as a plain data structure.
//!
//! `lower(model, type, rules)` makes one; the interpreter walks it, the generator writes that walk out as source. Everything roadwire knows about an
//! encoding is in that encoding's lowering file (`per.rs`, ...); [`node`] has the few kinds of nodes they all lower to.
#![cfg_attr(not(feature = "lower"), no_std)]
#![forbid(unsafe_code)]
#![cfg_attr(
    not(feature = "alloc"),
    allow(dead_code, unreachable_pub, reason = "how many bits nodes take is for `Properties`, which allocate")
)]

#[cfg(feature = "alloc")]
extern crate alloc;

pub mod contents;
mod event;
mod fields;
mod json;
pub mod node;
mod pool;
pub mod presentation;
#[cfg(feature = "alloc")]
pub mod properties;
mod rules;
mod stretch;
mod xml;

#[cfg(feature = "lower")]
mod ber;
#[cfg(feature = "lower")]
mod build;
#[cfg(feature = "lower")]
mod exi;
#[cfg(feature = "lower")]
mod jer;
#[cfg(feature = "lower")]
mod lower;
#[cfg(feature = "lower")]
mod oer;
#[cfg(feature = "lower")]
mod per;
#[cfg(feature = "lower")]
mod protobuf;
#[cfg(feature = "lower")]
mod structure;
#[cfg(feature = "lower")]
mod tables;
#[cfg(feature = "lower")]
mod times;
#[cfg(feature = "lower")]
mod tls;
#[cfg(feature = "lower")]
mod xer;

pub use contents::Contents;
pub use event::{EventNode, Number};
pub use fields::{FieldNode, Key, Sign};
pub use json::{JsonNode, Others};
pub use node::{
    Addition, Alternative, CharacterSet, Count, Default, Extent, Form, GROUP, Layout, Lengths, Member, Name, Node,
    NodeId, Order, Presence, Span, Width, tag,
};
pub use pool::Cow;
pub use presentation::PresentationNode;
#[cfg(feature = "alloc")]
pub use properties::{PresenceTold, Properties};
pub use rules::{
    Aper, Ber, Cer, Coer, Cxer, Der, Exer, Exi, ExiDefault, ExiMerged, ExiSplit, Jer, Oer, Protobuf, RuleSet, Rules,
    Tls, UnknownRules, Uper, Xer,
};
pub use xml::{XmlNode, XmlSpace};

#[cfg(feature = "lower")]
pub use exi::xml_schema;
#[cfg(feature = "lower")]
pub use jer::value_notation;
#[cfg(feature = "lower")]
pub use lower::{LowerError, lower};
#[cfg(feature = "lower")]
pub use protobuf::proto_schema;
