//! The schemas that only papers have, printed or reconstructed: types, and codecs for each set of
//! encoding rules, generated at build time from `schemas/`.
//!
//! Invariants: all types and codecs are generated from the schemas in `schemas/`; each schema names
//! its paper, and whether its form is the paper's, reconstructed or ours.
//!
//! Absent on purpose: messages that stations send (`messages` has them), and figures of papers,
//! which `studies/` has.
//!
//! ```
//! use roadwire_engine::Message;
//! use roadwire_layout::Uper;
//! use roadwire_papers::certificate_2017::Certificate;
//!
//! let mut octets = [0; 512];
//! let length = Message::<Uper>::encode(&Certificate::default(), &mut octets)?;
//! let mut certificate = Certificate::default();
//! Message::<Uper>::decode(&mut certificate, &octets[..length])?;
//! assert_eq!(certificate, Certificate::default());
//! # Ok::<(), roadwire_wire::Error<'static>>(())
//! ```
#![forbid(unsafe_code)]
// Names come from the papers.
#![allow(non_camel_case_types)]

extern crate alloc;

use roadwire_messages::Schema;

include!(concat!(env!("OUT_DIR"), "/schemas.rs"));
