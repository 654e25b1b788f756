//! rasn's encoding rules as types.

use ::rasn::error::{DecodeError, EncodeError};
use ::rasn::{Decode, Encode};

/// One set of encoding rules.
pub(crate) trait RuleSet: 'static {
    /// Encodes into the buffer, over its old content.
    fn encode<T: Encode>(value: &T, buffer: &mut Vec<u8>) -> Result<(), EncodeError>;
    /// Decodes a whole message.
    fn decode<T: Decode>(octets: &[u8]) -> Result<T, DecodeError>;
}

macro_rules! octets {
    ($($name:ident $module:ident)*) => { $(
        pub(crate) struct $name;

        impl RuleSet for $name {
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

/// For text, a buffer cannot be reused.
pub(super) struct Xer;

impl RuleSet for Xer {
    fn encode<T: Encode>(value: &T, buffer: &mut Vec<u8>) -> Result<(), EncodeError> {
        *buffer = ::rasn::xer::encode(value)?;
        Ok(())
    }

    fn decode<T: Decode>(octets: &[u8]) -> Result<T, DecodeError> {
        ::rasn::xer::decode(octets)
    }
}

/// For text, a buffer cannot be reused.
pub(super) struct Jer;

impl RuleSet for Jer {
    fn encode<T: Encode>(value: &T, buffer: &mut Vec<u8>) -> Result<(), EncodeError> {
        *buffer = ::rasn::jer::encode(value)?.into_bytes();
        Ok(())
    }

    fn decode<T: Decode>(octets: &[u8]) -> Result<T, DecodeError> {
        // JSON must be UTF-8; the check is part of the work.
        ::rasn::jer::decode(std::str::from_utf8(octets).unwrap_or_default())
    }
}

/// `with_rules!(rules, E => expression)`: the expression with the type `E` for these rules.
macro_rules! with_rules {
    ($rules:expr, $e:ident => $body:expr) => {
        with_rules!(
            $rules, $e => $body;
            Uper Aper Oer Coer Ber Der Cer Xer Jer;
            Cxer Exer Protobuf Exi ExiDefault ExiMerged ExiFlat ExiSplit Tls Cbor
        )
    };
    ($rules:expr, $e:ident => $body:expr; $($type:ident)*; $($none:ident)*) => {
        match $rules {
            $(roadwire_layout::Rules::$type => { type $e = crate::rasn::rules::$type; $body })*
            none @ ($(roadwire_layout::Rules::$none)|*) => Err(Absent(format!("rasn has no {none}"))),
        }
    };
}
pub(super) use with_rules;
