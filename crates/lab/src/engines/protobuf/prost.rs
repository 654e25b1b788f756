//! prost, linked in, with types of its own for the same messages, as it would derive them from the schema that `roadwire schema --to proto` writes.
//!
//! A required field that is missing it takes as zero; what a receiver has to look at itself, whether header and body are there, it looks at here. Ranges it does not know.

mod cam;
mod cdd;
mod denm;

use std::fmt;
use std::marker::PhantomData;

use ::prost::{DecodeError, Message as Derived};
use roadwire_messages::{Protobuf, cam_1_3_0, cam_1_4_1, denm_1_2_0, denm_1_3_1};

use crate::content::{Message, Schema};
use crate::engine::{Absent, Bench, Cell, Codec, Engine, Kind, Recoder, TimedRegion, Transcode};
use crate::engines::roadwire;

/// The engine.
pub struct Prost;

impl Engine for Prost {
    fn name(&self) -> &str {
        "prost"
    }

    fn version(&self) -> &str {
        env!("LAB_PROST")
    }

    fn kind(&self) -> Kind {
        Kind::Peer
    }

    fn origin(&self) -> &str {
        "prost"
    }

    fn timed_region(&self) -> TimedRegion {
        TimedRegion {
            allocation: "lists and strings when decoding".into(),
            presizing: "output buffer reused".into(),
            population: "outside".into(),
            validation: "lengths; no ranges, and of required fields two".into(),
        }
    }

    fn cell(&self, message: &Message, rules: &str) -> Result<Box<dyn Cell>, Absent> {
        has(rules)?;
        match message.schema {
            Schema::Cam130 => Bench::boxed(Over::<cam::Cam, cam_1_3_0::Cam>::new(message.schema), message),
            Schema::Cam141 => Bench::boxed(Over::<cam::Cam, cam_1_4_1::Cam>::new(message.schema), message),
            Schema::Denm120 => Bench::boxed(Over::<denm::Denm, denm_1_2_0::Denm>::new(message.schema), message),
            Schema::Denm131 => Bench::boxed(Over::<denm::Denm, denm_1_3_1::Denm>::new(message.schema), message),
            other => Err(Absent(format!("no types written for {other}"))),
        }
    }

    fn transcoder(&self, schema: Schema, rules: &str) -> Result<Box<dyn Transcode>, Absent> {
        has(rules)?;
        Ok(match schema {
            Schema::Cam130 => Recoder::boxed(Over::<cam::Cam, cam_1_3_0::Cam>::new(schema)),
            Schema::Cam141 => Recoder::boxed(Over::<cam::Cam, cam_1_4_1::Cam>::new(schema)),
            Schema::Denm120 => Recoder::boxed(Over::<denm::Denm, denm_1_2_0::Denm>::new(schema)),
            Schema::Denm131 => Recoder::boxed(Over::<denm::Denm, denm_1_3_1::Denm>::new(schema)),
            other => return Err(Absent(format!("no types written for {other}"))),
        })
    }
}

fn has(rules: &str) -> Result<(), Absent> {
    if rules == "protobuf" { Ok(()) } else { Err(Absent(format!("prost has no {rules}"))) }
}

/// A message of which header and body have to be there.
trait Complete: Derived + Default {
    fn is_complete(&self) -> bool;
}

impl Complete for cam::Cam {
    fn is_complete(&self) -> bool {
        self.header.is_some() && self.cam.is_some()
    }
}

impl Complete for denm::Denm {
    fn is_complete(&self) -> bool {
        self.header.is_some() && self.denm.is_some()
    }
}

/// The type `T`, and roadwire's `R` for the same message, which reads the contents.
struct Over<T, R> {
    schema: Schema,
    types: PhantomData<(T, R)>,
}

impl<T, R> Over<T, R> {
    fn new(schema: Schema) -> Self {
        Over { schema, types: PhantomData }
    }
}

/// What goes wrong.
enum Refused {
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

impl<T: Complete + 'static, R: roadwire_engine::Message<Protobuf> + 'static> Codec for Over<T, R> {
    type Message<'a> = T;
    type Buffer = Vec<u8>;
    type Error = Refused;

    /// It has no JER: the value comes to it in its own octets.
    fn message(&self, jer: &str) -> Result<T, String> {
        let message: R = roadwire::message(self.schema, jer)?;
        let mut octets = vec![0; 1 << 16];
        let length = message.encode(&mut octets).map_err(|error| error.to_string())?;
        T::decode(&octets[..length]).map_err(|error| error.to_string())
    }

    fn buffer(&self) -> Vec<u8> {
        Vec::with_capacity(8192)
    }

    #[inline]
    fn encode(&self, message: &T, buffer: &mut Vec<u8>) -> Result<usize, Refused> {
        buffer.clear();
        message.encode(buffer).map_err(|_| Refused::Full)?;
        Ok(buffer.len())
    }

    fn octets<'b>(&self, buffer: &'b Vec<u8>, length: usize) -> &'b [u8] {
        &buffer[..length]
    }

    #[inline]
    fn decode(&self, octets: &[u8], place: &mut Option<T>) -> Result<(), Refused> {
        let message = place.insert(T::decode(octets).map_err(Refused::Decode)?);
        if message.is_complete() { Ok(()) } else { Err(Refused::Incomplete) }
    }
}
