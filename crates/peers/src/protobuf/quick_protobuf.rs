//! quick-protobuf, with the types that its own generator writes from the schema that
//! `roadwire schema --to proto` prints.
//!
//! Strings and octet strings of a decoded message are borrowed from the input. It checks neither
//! the presence of required fields nor ranges; header and body are therefore optional in the
//! schema, and their presence is checked here.

use std::fmt;

use ::quick_protobuf::{BytesReader, Error, MessageRead, MessageWrite, Writer};

use super::{Library, Types};

#[allow(warnings, clippy::all, clippy::pedantic, reason = "its generator's")]
mod generated {
    pub mod cam {
        include!(concat!(env!("OUT_DIR"), "/quick_protobuf_cam_1_4_1.rs"));
    }
    pub mod denm {
        include!(concat!(env!("OUT_DIR"), "/quick_protobuf_denm_1_3_1.rs"));
    }
}

/// The library.
pub struct QuickProtobuf;

impl Library for QuickProtobuf {
    const NAME: &'static str = "quick-protobuf";
    const VERSION: &'static str = env!("PEERS_QUICK_PROTOBUF");
    const ALLOCATION: &'static str = "lists when decoding";
    const VALIDATION: &'static str = "lengths; no ranges, and of required fields two";
    type Cam = Cam;
    type Denm = Denm;
}

/// The error.
pub enum Refused {
    Library(Error),
    Incomplete,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::Library(error) => error.fmt(f),
            Refused::Incomplete => f.write_str("header or body is missing"),
        }
    }
}

macro_rules! types {
    ($name:ident, $generated:ty, $body:ident) => {
        pub struct $name;

        impl Types for $name {
            type Of<'a> = $generated;
            type Error = Refused;

            #[inline]
            fn decode(octets: &[u8]) -> Result<Self::Of<'_>, Refused> {
                let mut reader = BytesReader::from_bytes(octets);
                let message = Self::Of::from_reader(&mut reader, octets).map_err(Refused::Library)?;
                if message.header.is_some() && message.$body.is_some() { Ok(message) } else { Err(Refused::Incomplete) }
            }

            #[inline]
            fn encode(message: &Self::Of<'_>, buffer: &mut Vec<u8>) -> Result<(), Refused> {
                message.write_message(&mut Writer::new(buffer)).map_err(Refused::Library)
            }
        }
    };
}
types!(Cam, generated::cam::CAM<'a>, cam);
types!(Denm, generated::denm::DENM<'a>, denm);
