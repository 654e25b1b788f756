//! rasn, with the types that `crates/peers` has for it.

#[allow(warnings, clippy::all, clippy::pedantic, reason = "printed; the names are those of ASN.1")]
mod cam {
    use ::rasn::prelude::*;

    include!(concat!(env!("OUT_DIR"), "/rasn_cam_1_3_0.rs"));
}
#[allow(warnings, clippy::all, clippy::pedantic, reason = "printed; the names are those of ASN.1")]
mod denm {
    use ::rasn::prelude::*;

    include!(concat!(env!("OUT_DIR"), "/rasn_denm_1_3_1.rs"));
}

use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use ::rasn::error::{DecodeError, EncodeError};

use crate::Codec;

/// A type of rasn's under UPER.
pub struct Rasn<T>(PhantomData<T>);

/// The CAM and the DENM, whose types are private to this module.
pub trait Type: Sized + 'static {
    fn encode(&self, buffer: &mut Vec<u8>) -> Result<(), EncodeError>;
    fn decode(octets: &[u8]) -> Result<Self, DecodeError>;
}

macro_rules! types {
    ($($name:ident $type:ty;)*) => { $(
        pub struct $name($type);

        impl Type for $name {
            // Not inlined: it would be compiled for the program as well, which takes half a minute.
            fn encode(&self, buffer: &mut Vec<u8>) -> Result<(), EncodeError> {
                ::rasn::uper::encode_buf(&self.0, buffer)
            }

            fn decode(octets: &[u8]) -> Result<Self, DecodeError> {
                ::rasn::uper::decode(octets).map($name)
            }
        }
    )* };
}
types! {
    RasnCam cam::CAM;
    RasnDenm denm::DENM;
}

/// rasn's errors, formatted only when needed.
pub enum Refused {
    Encode(EncodeError),
    Decode(DecodeError),
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::Encode(error) => error.fmt(f),
            Refused::Decode(error) => error.fmt(f),
        }
    }
}

impl<T: Type> Codec for Rasn<T> {
    type Message<'a> = T;
    type Error = Refused;

    #[inline]
    fn encode(message: &T, buffer: &mut Vec<u8>) -> Result<usize, Refused> {
        buffer.clear();
        message.encode(buffer).map_err(Refused::Encode)?;
        Ok(buffer.len())
    }

    #[inline]
    fn decode(octets: &[u8], place: &mut Option<T>) -> Result<(), Refused> {
        *place = Some(T::decode(octets).map_err(Refused::Decode)?);
        Ok(())
    }
}
