//! rasn's encoding rules as types.

use ::rasn::error::{DecodeError, EncodeError};
use ::rasn::{Decode, Encode};

/// One set of encoding rules.
pub(crate) trait Rules: 'static {
    /// Encodes into the buffer, over what is in it.
    fn encode<T: Encode>(value: &T, buffer: &mut Vec<u8>) -> Result<(), EncodeError>;
    /// Decodes a whole message.
    fn decode<T: Decode>(octets: &[u8]) -> Result<T, DecodeError>;
}

macro_rules! octets {
    ($($name:ident $module:ident)*) => { $(
        pub(crate) struct $name;

        impl Rules for $name {
            #[inline]
            fn encode<T: Encode>(value: &T, buffer: &mut Vec<u8>) -> Result<(), EncodeError> {
                buffer.clear();
                ::rasn::$module::encode_buf(value, buffer)
            }

            #[inline]
            fn decode<T: Decode>(octets: &[u8]) -> Result<T, DecodeError> {
                ::rasn::$module::decode(octets)
            }
        }
    )* };
}
octets!(Uper uper Aper aper Oer oer Coer coer Ber ber Der der Cer cer);

/// Text has no way to use a buffer again.
pub(super) struct Xer;

impl Rules for Xer {
    fn encode<T: Encode>(value: &T, buffer: &mut Vec<u8>) -> Result<(), EncodeError> {
        *buffer = ::rasn::xer::encode(value)?;
        Ok(())
    }

    fn decode<T: Decode>(octets: &[u8]) -> Result<T, DecodeError> {
        ::rasn::xer::decode(octets)
    }
}

/// Likewise.
pub(super) struct Jer;

impl Rules for Jer {
    fn encode<T: Encode>(value: &T, buffer: &mut Vec<u8>) -> Result<(), EncodeError> {
        *buffer = ::rasn::jer::encode(value)?.into_bytes();
        Ok(())
    }

    fn decode<T: Decode>(octets: &[u8]) -> Result<T, DecodeError> {
        // What is not UTF-8 is no JSON either; looking is part of the work.
        ::rasn::jer::decode(std::str::from_utf8(octets).unwrap_or_default())
    }
}

/// `with_rules!(rules, E => expression)`: the expression with the type `E` for the rules of that name.
macro_rules! with_rules {
    ($rules:expr, $e:ident => $body:expr) => {
        with_rules!($rules, $e => $body; "uper" Uper "aper" Aper "oer" Oer "coer" Coer "ber" Ber "der" Der "cer" Cer "xer" Xer "jer" Jer)
    };
    ($rules:expr, $e:ident => $body:expr; $($name:literal $type:ident)*) => {
        match $rules {
            $($name => { type $e = crate::engines::rasn::rules::$type; $body })*
            other => Err(Absent(format!("rasn has no {other}"))),
        }
    };
}
pub(super) use with_rules;
