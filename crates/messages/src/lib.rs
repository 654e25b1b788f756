//! The shipped messages: types, and codecs for each set of encoding rules, generated at build time
//! from `schemas/`.
//!
//! Invariants: all types and codecs are generated from the schemas in this package; none is edited
//! by hand. What straight-line code cannot do, the interpreter does, with the same result. No
//! unsafe code.
//!
//! Absent on purpose: compilers (a program links none), the published text of standards, and
//! schemas that only papers have.
//!
//! ```
//! # #[cfg(all(feature = "cam", feature = "uper"))] {
//! use roadwire_engine::Message;
//! use roadwire_messages::Uper;
//! use roadwire_messages::cam_1_4_1::Cam;
//!
//! let cam = Cam::default();
//! let mut buffer = [0; 64];
//! let error = Message::<Uper>::encode(&cam, &mut buffer).unwrap_err();
//! assert!(error.to_string().contains("headingConfidence"), "{error}");
//! # }
//! ```
//!
//! # Features
//!
//! Messages, with all their versions, are features (`cam`, `denm`, `cpm`, `vam`, `infrastructure`
//! for IVIM, SPATEM, MAPEM, SREM, SSEM and RTCMEM, `ieee1609dot2`, `ts103097`, `ts102941`), and so
//! are sets of encoding rules (`uper`, `jer` and all others by their names). All are on by default;
//! each costs compile time, and a program that has a CAM in UPER compiles `cam` and `uper` alone.
//! `no_std`: without `alloc`, which messages without a bound bring, the program needs no allocator,
//! and has no [`cam_2_3_1`] and no [`denm_2_3_1`].
//!
//! The text of all schemas is in [`SCHEMAS`] whatever the features are: the interpreter has codecs
//! for them.
#![no_std]
#![forbid(unsafe_code)]
// Names come from the standards.
#![allow(non_camel_case_types)]

#[cfg(feature = "alloc")]
extern crate alloc;

macro_rules! markers {
    ($($rules:ident)*) => { pub use roadwire_layout::{$($rules),*}; };
}
roadwire_layout::for_each_rules!(markers);

/// A schema that roadwire ships.
#[derive(Clone, Copy, Debug)]
pub struct Schema {
    /// Its name, as on the command line.
    pub name: &'static str,
    /// The standard and its version.
    pub standard: &'static str,
    /// Its title.
    pub title: &'static str,
    /// Its PDUs, as `Module.Type`; the first is the one that is meant where none is named.
    pub pdus: &'static [&'static str],
    /// Its modules: file name and text.
    pub modules: &'static [(&'static str, &'static str)],
}

impl Schema {
    /// The PDU that is meant where none is named, as `Module.Type`.
    #[must_use]
    pub fn pdu(&self) -> &'static str {
        self.pdus.first().copied().unwrap_or_default()
    }
}

include!(concat!(env!("OUT_DIR"), "/schemas.rs"));
