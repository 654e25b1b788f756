//! The shipped messages: types, and codecs for each set of encoding rules, generated at build time from `schemas/`.
//!
//! ```
//! use roadwire_engine::Message;
//! use roadwire_messages::cam_1_4_1::Cam;
//! use roadwire_messages::Uper;
//!
//! let cam = Cam::default();
//! let mut buffer = [0; 64];
//! let error = Message::<Uper>::encode(&cam, &mut buffer).unwrap_err();
//! assert!(error.to_string().contains("headingConfidence"), "{error}");
//! ```
#![forbid(unsafe_code)]
// Names come from the standards.
#![allow(non_camel_case_types)]

extern crate alloc;

pub use roadwire_layout::{Aper, Ber, Cer, Coer, Cxer, Der, Exer, Jer, Oer, Uper, Xer};

/// A schema that roadwire ships.
#[derive(Clone, Copy, Debug)]
pub struct Schema {
    /// Its name, as on the command line.
    pub name: &'static str,
    /// The standard and its version.
    pub standard: &'static str,
    /// What it is.
    pub title: &'static str,
    /// Its one PDU, as `Module.Type`.
    pub pdu: &'static str,
    /// Its modules: file name and text.
    pub modules: &'static [(&'static str, &'static str)],
}

include!(concat!(env!("OUT_DIR"), "/schemas.rs"));
