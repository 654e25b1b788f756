//! The interface of a codec for the program that runs it and for the linker.

use alloc::vec::Vec;
use core::fmt::Display;

/// One message type under one set of encoding rules in one implementation.
pub trait Codec: 'static {
    /// The message in memory. It may borrow from the octets it was decoded from.
    type Message<'a>;
    /// The implementation's own error.
    type Error: Display;

    /// Encodes into the buffer from its start; the number of octets. The buffer has room for any
    /// message: as octets that are overwritten, or as capacity, as [`Codec::buffer`] makes it.
    ///
    /// # Errors
    /// The implementation's own.
    fn encode(message: &Self::Message<'_>, buffer: &mut Vec<u8>) -> Result<usize, Self::Error>;

    /// Decodes into a place that holds the last message decoded there, or none yet.
    ///
    /// # Errors
    /// The implementation's own.
    fn decode<'a>(octets: &'a [u8], place: &mut Option<Self::Message<'a>>) -> Result<(), Self::Error>;

    /// As [`Codec::encode`], without code that an implementation has apart for rare forms and for
    /// errors.
    fn encode_alone(message: &Self::Message<'_>, buffer: &mut Vec<u8>) -> Option<usize> {
        Self::encode(message, buffer).ok()
    }

    /// As [`Codec::decode`], likewise.
    fn decode_alone<'a>(octets: &'a [u8], place: &mut Option<Self::Message<'a>>) -> bool {
        Self::decode(octets, place).is_ok()
    }

    /// A buffer for [`Codec::encode`].
    fn buffer() -> Vec<u8> {
        Vec::with_capacity(8192)
    }
}

/// Calls a macro with all codecs: the engine's name in records, the name of the type, the rules,
/// and the [`Codec`].
#[macro_export]
macro_rules! each_codec {
    ($each:ident) => {
        $each! {
            "roadwire-toed" "cam" "uper" $crate::StraightLine<$crate::types::cam_1_3_0::Cam, $crate::rules::Uper>;
            "roadwire-soed" "cam" "uper" $crate::Interpreter<$crate::types::cam_1_3_0::Cam, $crate::rules::Uper>;
            "roadwire-toed" "cam" "protobuf" $crate::StraightLine<$crate::types::cam_1_3_0::Cam, $crate::rules::Protobuf>;
            "roadwire-soed" "cam" "protobuf" $crate::Interpreter<$crate::types::cam_1_3_0::Cam, $crate::rules::Protobuf>;
            "roadwire-toed" "cam" "exi-default" $crate::StraightLine<$crate::types::cam_1_3_0::Cam, $crate::rules::ExiDefault>;
            "roadwire-soed" "cam" "exi-default" $crate::Interpreter<$crate::types::cam_1_3_0::Cam, $crate::rules::ExiDefault>;
            "roadwire-toed" "denm" "uper" $crate::StraightLine<$crate::types::denm_1_3_1::Denm, $crate::rules::Uper>;
            "roadwire-soed" "denm" "uper" $crate::Interpreter<$crate::types::denm_1_3_1::Denm, $crate::rules::Uper>;
            "roadwire-toed" "denm" "protobuf" $crate::StraightLine<$crate::types::denm_1_3_1::Denm, $crate::rules::Protobuf>;
            "roadwire-soed" "denm" "protobuf" $crate::Interpreter<$crate::types::denm_1_3_1::Denm, $crate::rules::Protobuf>;
            "roadwire-toed" "denm" "exi-default" $crate::StraightLine<$crate::types::denm_1_3_1::Denm, $crate::rules::ExiDefault>;
            "roadwire-soed" "denm" "exi-default" $crate::Interpreter<$crate::types::denm_1_3_1::Denm, $crate::rules::ExiDefault>;
            "roadwire-toed" "envelope-2014" "uper" $crate::StraightLine<$crate::types::etsi_envelope_2015::SecuredMessage2014, $crate::rules::Uper>;
            "roadwire-soed" "envelope-2014" "uper" $crate::Interpreter<$crate::types::etsi_envelope_2015::SecuredMessage2014, $crate::rules::Uper>;
            "roadwire-toed" "envelope-2014" "protobuf" $crate::StraightLine<$crate::types::etsi_envelope_2015::SecuredMessage2014, $crate::rules::Protobuf>;
            "roadwire-soed" "envelope-2014" "protobuf" $crate::Interpreter<$crate::types::etsi_envelope_2015::SecuredMessage2014, $crate::rules::Protobuf>;
            "roadwire-toed" "envelope-2014" "exi-default" $crate::StraightLine<$crate::types::etsi_envelope_2015::SecuredMessage2014, $crate::rules::ExiDefault>;
            "roadwire-soed" "envelope-2014" "exi-default" $crate::Interpreter<$crate::types::etsi_envelope_2015::SecuredMessage2014, $crate::rules::ExiDefault>;
            "roadwire-toed" "envelope-2015" "uper" $crate::StraightLine<$crate::types::etsi_envelope_2015::SecuredMessage, $crate::rules::Uper>;
            "roadwire-soed" "envelope-2015" "uper" $crate::Interpreter<$crate::types::etsi_envelope_2015::SecuredMessage, $crate::rules::Uper>;
            "roadwire-toed" "envelope-2015" "protobuf" $crate::StraightLine<$crate::types::etsi_envelope_2015::SecuredMessage, $crate::rules::Protobuf>;
            "roadwire-soed" "envelope-2015" "protobuf" $crate::Interpreter<$crate::types::etsi_envelope_2015::SecuredMessage, $crate::rules::Protobuf>;
            "roadwire-toed" "envelope-2015" "exi-default" $crate::StraightLine<$crate::types::etsi_envelope_2015::SecuredMessage, $crate::rules::ExiDefault>;
            "roadwire-soed" "envelope-2015" "exi-default" $crate::Interpreter<$crate::types::etsi_envelope_2015::SecuredMessage, $crate::rules::ExiDefault>;
            "roadwire-toed" "envelope-binary" "tls" $crate::StraightLine<$crate::types::ts103097_1_1_1::SecuredMessage, $crate::rules::Tls>;
            "roadwire-soed" "envelope-binary" "tls" $crate::Interpreter<$crate::types::ts103097_1_1_1::SecuredMessage, $crate::rules::Tls>;
            "roadwire-toed" "dot2-original" "uper" $crate::StraightLine<$crate::types::dot2_original_2015::SecuredData, $crate::rules::Uper>;
            "roadwire-lent" "dot2-original" "uper" $crate::Lending<$crate::Original, $crate::rules::Uper>;
            "by-hand" "dot2-original" "uper" $crate::ByHand<$crate::Original, $crate::rules::Uper>;
            "roadwire-soed" "dot2-original" "uper" $crate::Interpreter<$crate::types::dot2_original_2015::SecuredData, $crate::rules::Uper>;
            "roadwire-toed" "dot2-original" "oer" $crate::StraightLine<$crate::types::dot2_original_2015::SecuredData, $crate::rules::Oer>;
            "roadwire-lent" "dot2-original" "oer" $crate::Lending<$crate::Original, $crate::rules::Oer>;
            "by-hand" "dot2-original" "oer" $crate::ByHand<$crate::Original, $crate::rules::Oer>;
            "roadwire-soed" "dot2-original" "oer" $crate::Interpreter<$crate::types::dot2_original_2015::SecuredData, $crate::rules::Oer>;
            "roadwire-toed" "dot2-p" "uper" $crate::StraightLine<$crate::types::dot2_p_2015::SecuredData, $crate::rules::Uper>;
            "roadwire-lent" "dot2-p" "uper" $crate::Lending<$crate::P, $crate::rules::Uper>;
            "by-hand" "dot2-p" "uper" $crate::ByHand<$crate::P, $crate::rules::Uper>;
            "roadwire-soed" "dot2-p" "uper" $crate::Interpreter<$crate::types::dot2_p_2015::SecuredData, $crate::rules::Uper>;
            "roadwire-toed" "dot2-binary" "tls" $crate::StraightLine<$crate::types::ieee1609dot2_2013::SecuredData, $crate::rules::Tls>;
            "roadwire-lent" "dot2-binary" "tls" $crate::Lending<$crate::Binary, $crate::rules::Tls>;
            "roadwire-soed" "dot2-binary" "tls" $crate::Interpreter<$crate::types::ieee1609dot2_2013::SecuredData, $crate::rules::Tls>;
            "rasn" "cam" "uper" $crate::Rasn<$crate::RasnCam>;
            "prost" "cam" "protobuf" $crate::Prost<$crate::ProstCam>;
            "rasn" "denm" "uper" $crate::Rasn<$crate::RasnDenm>;
            "prost" "denm" "protobuf" $crate::Prost<$crate::ProstDenm>;
        }
    };
}

/// Functions with the codecs' names as symbols, `ENGINE:TYPE:RULES:DIRECTION`: the linker starts
/// from one, and keeps the code that it needs.
mod symbols {
    use super::Codec;
    use alloc::vec::Vec;

    macro_rules! symbols {
        ($($engine:literal $type:literal $rules:literal $codec:ty;)*) => { $( const _: () = {
            #[unsafe(export_name = concat!($engine, ":", $type, ":", $rules, ":encode"))]
            extern "Rust" fn encode(message: &<$codec as Codec>::Message<'_>, buffer: &mut Vec<u8>) -> Option<usize> {
                <$codec>::encode_alone(message, buffer)
            }

            #[unsafe(export_name = concat!($engine, ":", $type, ":", $rules, ":decode"))]
            extern "Rust" fn decode<'a>(octets: &'a [u8], place: &mut Option<<$codec as Codec>::Message<'a>>) -> bool {
                <$codec>::decode_alone(octets, place)
            }
        }; )* };
    }
    each_codec!(symbols);
}
