//! rasn, linked in, with types of its own for the same messages.
//!
//! It is given its best form: the output buffer is made before the timed region and used again
//! (`encode_buf`), bit strings of fixed size are its inline ones, constraints stand at the fields.

mod cam;
#[allow(
    non_camel_case_types,
    clippy::enum_variant_names,
    reason = "the names are the standard's; values such as alt-000-01 need their separators"
)]
mod cdd;
mod denm;

use std::marker::PhantomData;

use ::rasn::error::{DecodeError, EncodeError};
use ::rasn::{Decode, Encode};

use crate::content::{Message, Schema};
use crate::engine::{Absent, Bench, Cell, Codec, Engine, Kind, Recoder, TimedRegion, Transcode};

/// The engine.
pub struct Rasn;

impl Engine for Rasn {
    fn name(&self) -> &str {
        "rasn"
    }

    fn version(&self) -> &str {
        env!("LAB_RASN")
    }

    fn kind(&self) -> Kind {
        Kind::Peer
    }

    fn origin(&self) -> &str {
        "rasn"
    }

    fn timed_region(&self) -> TimedRegion {
        TimedRegion {
            allocation: "lists and strings when decoding".into(),
            presizing: "output buffer reused".into(),
            population: "outside".into(),
            validation: "all ranges and lengths".into(),
        }
    }

    fn cell(&self, message: &Message, rules: &str) -> Result<Box<dyn Cell>, Absent> {
        uper_only(rules)?;
        match message.schema {
            Schema::Cam130 => Bench::boxed(Uper::<cam::v1_3_0::Cam>::new(), message),
            Schema::Cam141 => Bench::boxed(Uper::<cam::v1_4_1::Cam>::new(), message),
            Schema::Denm120 | Schema::Denm131 => Bench::boxed(Uper::<denm::Denm>::new(), message),
        }
    }

    fn transcoder(&self, schema: Schema, rules: &str) -> Result<Box<dyn Transcode>, Absent> {
        uper_only(rules)?;
        Ok(match schema {
            Schema::Cam130 => Recoder::boxed(Uper::<cam::v1_3_0::Cam>::new()),
            Schema::Cam141 => Recoder::boxed(Uper::<cam::v1_4_1::Cam>::new()),
            Schema::Denm120 | Schema::Denm131 => Recoder::boxed(Uper::<denm::Denm>::new()),
        })
    }
}

fn uper_only(rules: &str) -> Result<(), Absent> {
    if rules == "uper" { Ok(()) } else { Err(Absent(format!("rasn is not yet wired for {rules}"))) }
}

/// rasn's UPER for the type `T`.
struct Uper<T>(PhantomData<T>);

impl<T> Uper<T> {
    fn new() -> Self {
        Uper(PhantomData)
    }
}

/// rasn's errors, shown only when asked for.
enum Refused {
    Encode(EncodeError),
    Decode(DecodeError),
}

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Refused::Encode(e) => e.fmt(f),
            Refused::Decode(e) => e.fmt(f),
        }
    }
}

impl<T: Encode + Decode + 'static> Codec for Uper<T> {
    type Message<'a> = T;
    type Buffer = Vec<u8>;
    type Error = Refused;

    fn message(&self, jer: &str) -> Result<T, String> {
        ::rasn::jer::decode(jer).map_err(|e| e.to_string())
    }

    fn buffer(&self) -> Vec<u8> {
        Vec::with_capacity(8192)
    }

    #[inline]
    fn encode(&self, message: &T, buffer: &mut Vec<u8>) -> Result<usize, Refused> {
        ::rasn::uper::encode_buf(message, buffer).map_err(Refused::Encode)?;
        Ok(buffer.len())
    }

    fn octets<'b>(&self, buffer: &'b Vec<u8>, length: usize) -> &'b [u8] {
        &buffer[..length]
    }

    #[inline]
    fn decode(&self, octets: &[u8], place: &mut Option<T>) -> Result<(), Refused> {
        *place = Some(::rasn::uper::decode(octets).map_err(Refused::Decode)?);
        Ok(())
    }
}
