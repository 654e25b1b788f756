//! The **Layout**: the transfer syntax of one type under one set of encoding rules, as a plain data
//! structure.
//!
//! Invariants: a layout is plain data. Its nodes are in flat tables and refer to each other by
//! index, and it needs the model no more. Properties are computed without recursion, so that types
//! may nest as deep as modules say.
//!
//! Absent on purpose: values and octets. Nothing here encodes or decodes; the interpreter and the
//! generator do, from the same layout.
//!
//! ```
//! # #[cfg(feature = "lower")] {
//! use roadwire_layout::{Properties, Rules, lower};
//! # use roadwire_frontend::{Source, compile};
//!
//! let text = "Demo DEFINITIONS AUTOMATIC TAGS ::= BEGIN
//!     Motion ::= SEQUENCE { speed INTEGER (0..16383), lane INTEGER (1..14) OPTIONAL }
//! END";
//! let model = compile(&[Source::new("demo.asn", text)]).unwrap().model;
//! let layout = lower(&model, model.find("Demo.Motion").unwrap(), Rules::Uper).unwrap();
//! assert_eq!(layout.nodes.len(), 3);
//! // One bit says whether there is a lane; speed has 14, and lane 4.
//! let bits = Properties::of(&layout).message;
//! assert_eq!((bits.fewest, bits.most), (15, Some(19)));
//! # }
//! ```
//!
//! `lower(model, type, rules)` makes one; the interpreter walks it, and the generator writes the
//! same walk as source code. [`rules`](Rules) has a row for each set of encoding rules; each family
//! has a folder with its node kinds and its lowering, and [`node`] has the kinds that several
//! families share.
#![cfg_attr(not(feature = "lower"), no_std)]
#![forbid(unsafe_code)]

#[cfg(feature = "alloc")]
extern crate alloc;

#[cfg(feature = "alloc")]
pub mod cbor;
#[cfg(feature = "alloc")]
pub mod events;
#[cfg(feature = "alloc")]
pub mod fields;
mod index;
#[cfg(feature = "alloc")]
pub mod json;
#[cfg(feature = "alloc")]
mod length_bounds;
pub mod node;
#[cfg(feature = "alloc")]
mod octet;
#[cfg(feature = "alloc")]
mod packed;
mod pool;
#[cfg(feature = "alloc")]
pub mod properties;
mod rules;
#[cfg(feature = "alloc")]
pub mod tlv;
#[cfg(feature = "alloc")]
mod unbounded;
#[cfg(feature = "alloc")]
pub mod vectors;
#[cfg(feature = "alloc")]
pub mod xml;

#[cfg(feature = "lower")]
mod build;
#[cfg(feature = "alloc")]
mod contents;
#[cfg(feature = "lower")]
mod error;
mod lookup;
#[cfg(feature = "lower")]
mod lower;
mod names;
#[cfg(feature = "lower")]
mod open;
#[cfg(feature = "lower")]
mod structure;
#[cfg(feature = "lower")]
mod tables;
#[cfg(feature = "lower")]
mod times;

#[cfg(feature = "alloc")]
pub use cbor::CborNode;
#[cfg(feature = "alloc")]
pub use events::{EventNode, Number};
#[cfg(feature = "alloc")]
pub use fields::{FieldNode, Key, Sign};
#[cfg(feature = "alloc")]
pub use json::{JsonNode, Others};
pub use node::{
    Addition, Alternative, Bound, CharacterSet, Count, Default, Extent, Form, GROUP, Items, Layout, LengthForm, Member,
    Name, Node, NodeId, ONLY, Presence, Span, Trim, Width, tag,
};
pub use pool::Cow;
#[cfg(feature = "alloc")]
pub use properties::{Bits, PresenceTold, Properties};
pub use rules::{
    Aper, Ber, Cbor, Cer, Coer, Cxer, Der, Exer, Exi, ExiDefault, ExiFlat, ExiMerged, ExiSplit, Family, Jer, Oer,
    Protobuf, RuleSet, Rules, Tls, UnknownRules, Uper, Xer,
};
#[cfg(feature = "alloc")]
pub use tlv::{Contents, Order, TlvNode};
#[cfg(feature = "alloc")]
pub use vectors::VectorNode;
#[cfg(feature = "alloc")]
pub use xml::{XmlNode, XmlSpace};

#[cfg(feature = "lower")]
pub use cbor::cddl_schema;
#[cfg(feature = "lower")]
pub use error::LowerError;
#[cfg(feature = "lower")]
pub use events::{row_elements, xml_schema};
#[cfg(feature = "lower")]
pub use fields::{Choices, proto_schema};
#[cfg(feature = "lower")]
pub use json::value_notation;
#[cfg(feature = "lower")]
pub use lower::{lower, lower_without_contents};
