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
mod certificate;
mod denm;
pub(crate) mod rules;

use std::marker::PhantomData;

use ::rasn::error::{DecodeError, EncodeError};
use ::rasn::{Decode, Encode};

use crate::content::{Message, Schema};
use crate::engine::{Absent, Bench, Cell, Codec, Engine, Kind, Recoder, TimedRegion, Transcode};
use rules::{Coer, Rules, Uper, with_rules};

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
        match (message.schema, rules) {
            (Schema::Cam130, _) => with_rules!(rules, E => Bench::boxed(Over::<cam::v1_3_0::Cam, E>::new(), message)),
            (Schema::Cam141, "uper") => Bench::boxed(Over::<cam::v1_4_1::Cam, Uper>::new(), message),
            (Schema::Denm120 | Schema::Denm131, "uper") => Bench::boxed(Over::<denm::Denm, Uper>::new(), message),
            _ => Err(not_wired(rules)),
        }
    }

    fn transcoder(&self, schema: Schema, rules: &str) -> Result<Box<dyn Transcode>, Absent> {
        match (schema, rules) {
            (Schema::Cam130, "uper") => Ok(Recoder::boxed(Over::<cam::v1_3_0::Cam, Uper>::new())),
            (Schema::Cam141, "uper") => Ok(Recoder::boxed(Over::<cam::v1_4_1::Cam, Uper>::new())),
            (Schema::Denm120 | Schema::Denm131, "uper") => Ok(Recoder::boxed(Over::<denm::Denm, Uper>::new())),
            _ => Err(not_wired(rules)),
        }
    }
}

impl Rasn {
    /// The certificate study's certificate, in the two encodings that its ranking is about.
    ///
    /// # Errors
    /// [`Absent`] for the others.
    pub fn certificate(rules: &str) -> Result<Box<dyn Transcode>, Absent> {
        match rules {
            "uper" => Ok(Recoder::boxed(Over::<certificate::Certificate, Uper>::new())),
            "coer" => Ok(Recoder::boxed(Over::<certificate::Certificate, Coer>::new())),
            _ => Err(not_wired(rules)),
        }
    }
}

/// Its types under each of its rules take half a minute of compiling, so that not all messages have all of them.
fn not_wired(rules: &str) -> Absent {
    Absent(format!("rasn is not wired for this message in {rules}"))
}

/// The type `T` under the rules `E`.
pub(crate) struct Over<T, E>(PhantomData<(T, E)>);

impl<T, E> Over<T, E> {
    pub(crate) fn new() -> Self {
        Over(PhantomData)
    }
}

/// rasn's errors, shown only when asked for.
pub(crate) enum Refused {
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

impl<T: Encode + Decode + 'static, E: Rules> Codec for Over<T, E> {
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
        E::encode(message, buffer).map_err(Refused::Encode)?;
        Ok(buffer.len())
    }

    fn octets<'b>(&self, buffer: &'b Vec<u8>, length: usize) -> &'b [u8] {
        &buffer[..length]
    }

    #[inline]
    fn decode(&self, octets: &[u8], place: &mut Option<T>) -> Result<(), Refused> {
        *place = Some(E::decode(octets).map_err(Refused::Decode)?);
        Ok(())
    }
}
