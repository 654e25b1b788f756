//! prost, with the types that `crates/peers` has for it.

#[allow(warnings, clippy::all, clippy::pedantic, reason = "printed; the names are those of the schema")]
mod cam {
    include!(concat!(env!("OUT_DIR"), "/prost_cam_1_4_1.rs"));
}
#[allow(warnings, clippy::all, clippy::pedantic, reason = "printed; the names are those of the schema")]
mod denm {
    include!(concat!(env!("OUT_DIR"), "/prost_denm_1_3_1.rs"));
}

use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use ::prost::{DecodeError, EncodeError, Message};

pub use cam::CAM as ProstCam;
pub use denm::DENM as ProstDenm;

use crate::Codec;

/// A type of prost's.
pub struct Prost<T>(PhantomData<T>);

/// A message that must have header and body.
pub trait Complete: Sized + 'static {
    fn is_complete(&self) -> bool;
    fn write(&self, buffer: &mut Vec<u8>) -> Result<(), EncodeError>;
    fn read(octets: &[u8]) -> Result<Self, DecodeError>;
}

macro_rules! complete {
    ($($type:ty: $body:ident;)*) => { $(
        impl Complete for $type {
            fn is_complete(&self) -> bool {
                self.header.is_some() && self.$body.is_some()
            }

            // Not inlined: it would be compiled for the program as well.
            fn write(&self, buffer: &mut Vec<u8>) -> Result<(), EncodeError> {
                self.encode(buffer)
            }

            fn read(octets: &[u8]) -> Result<Self, DecodeError> {
                Self::decode(octets)
            }
        }
    )* };
}
complete! {
    ProstCam: cam;
    ProstDenm: denm;
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

impl<T: Complete> Codec for Prost<T> {
    type Message<'a> = T;
    type Error = Refused;

    #[inline]
    fn encode(message: &T, buffer: &mut Vec<u8>) -> Result<usize, Refused> {
        buffer.clear();
        message.write(buffer).map_err(|_| Refused::Full)?;
        Ok(buffer.len())
    }

    #[inline]
    fn decode(octets: &[u8], place: &mut Option<T>) -> Result<(), Refused> {
        let message = T::read(octets).map_err(Refused::Decode)?;
        if !message.is_complete() {
            return Err(Refused::Incomplete);
        }
        *place = Some(message);
        Ok(())
    }
}
