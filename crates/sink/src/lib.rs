//! Constructs that road messages do not have, in three modules with types and codecs: tests of the
//! generator use them, and nothing else.
//!
//! Invariants: all three modules are generated anew with each build: with parts as functions, with
//! borrowed strings, and with checks when decoding.
//!
//! Absent on purpose: messages of the road, and users other than tests.
#![forbid(unsafe_code)]
#![allow(clippy::all, missing_docs, non_camel_case_types)]

extern crate alloc;

macro_rules! generated {
    ($($(#[doc = $what:literal])* $name:ident)*) => { $(
        $(#[doc = $what])*
        pub mod $name {
            include!(concat!(env!("OUT_DIR"), "/", stringify!($name), ".rs"));
        }
    )* };
}

generated! {
    /// The types of [`SINK`].
    sink
    /// The same with each part as a function; otherwise only large types that are used more than
    /// once are functions.
    functions
    /// The same with strings borrowed from the input.
    borrowed
    /// The types of [`OPEN`].
    open
    /// The same with each part as a function, in a box, and also checked when decoded.
    open_functions
    /// The same with strings borrowed from the input.
    open_borrowed
    /// The types of [`CONSTRAINTS`], checked when they are encoded.
    constraints
    /// The same, also checked when they are decoded.
    constraints_all
    /// The same with strings that the input lends, and a part that programs hear of.
    constraints_borrowed
}

/// Every construct once or more.
pub const SINK: &str = include_str!("../sink.asn");

/// Open types with tables.
pub const OPEN: &str = include_str!("../open.asn");

/// Constraints that no encoding sees.
pub const CONSTRAINTS: &str = include_str!("../constraints.asn");

/// The generated text of [`constraints_all`].
pub const CONSTRAINTS_ALL: &str = include_str!(concat!(env!("OUT_DIR"), "/constraints_all.rs"));
