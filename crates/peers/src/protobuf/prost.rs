//! prost, with types that are printed from the schema that `roadwire schema --to proto` writes
//! (`build/prost.rs`).
//!
//! It treats a missing required field as zero; so the presence of header and body, which a receiver
//! must check, is checked here. It does not check ranges.

use std::fmt;

use ::prost::{DecodeError, Message};

use super::{Library, Types};

#[allow(warnings, clippy::all, clippy::pedantic, reason = "printed; the names are those of the schema")]
mod printed {
    pub mod cam {
        include!(concat!(env!("OUT_DIR"), "/prost_cam_1_4_1.rs"));
    }
    pub mod denm {
        include!(concat!(env!("OUT_DIR"), "/prost_denm_1_3_1.rs"));
    }
}
use printed::cam::CAM;
use printed::denm::DENM;

/// The library.
pub struct Prost;

impl Library for Prost {
    const NAME: &'static str = "prost";
    const VERSION: &'static str = env!("PEERS_PROST");
    const ALLOCATION: &'static str = "lists and strings when decoding";
    const VALIDATION: &'static str = "lengths; no ranges, and of required fields two";
    type Cam = CAM;
    type Denm = DENM;
}

/// A message that must have header and body.
trait Complete: Message + Default + 'static {
    fn is_complete(&self) -> bool;
}

impl Complete for CAM {
    fn is_complete(&self) -> bool {
        self.header.is_some() && self.cam.is_some()
    }
}

impl Complete for DENM {
    fn is_complete(&self) -> bool {
        self.header.is_some() && self.denm.is_some()
    }
}

/// The error.
pub enum Refused {
    Decode(DecodeError),
    Full,
    Incomplete,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::Decode(error) => error.fmt(f),
            Refused::Full => f.write_str("the output buffer is full"),
            Refused::Incomplete => f.write_str("header or body is missing"),
        }
    }
}

impl<T: Complete> Types for T {
    type Of<'a> = T;
    type Error = Refused;

    #[inline]
    fn decode(octets: &[u8]) -> Result<T, Refused> {
        let message = <T as Message>::decode(octets).map_err(Refused::Decode)?;
        if message.is_complete() { Ok(message) } else { Err(Refused::Incomplete) }
    }

    #[inline]
    fn encode(message: &T, buffer: &mut Vec<u8>) -> Result<(), Refused> {
        <T as Message>::encode(message, buffer).map_err(|_| Refused::Full)
    }
}
