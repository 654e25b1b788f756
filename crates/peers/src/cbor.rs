//! minicbor, linked in, with types of its own for the same messages: maps whose keys are numbers,
//! which it writes in ascending order and reads in any.
//!
//! It does not know ranges, and takes what is not deterministic; whether what is mandatory is
//! there, it looks at.
//!
//! Others have keys that are numbers through serde-indexed only. With it, cbor4ii 1.2.4 encodes the
//! mandatory-only CAM in half of minicbor's time and decodes it in 1.2 times of it, and ciborium
//! 0.2.2 takes as long and 7.5 times as long (November 2026, one run outside of the laboratory).

mod cam;

use std::convert::Infallible;
use std::marker::PhantomData;

use minicbor::{decode, encode};
use roadwire_layout::{Cbor, Rules};
use roadwire_messages::{cam_1_3_0, cam_1_4_1};

use self::cam::Cam;
use crate::content::{Message, Schema};
use crate::roadwire;
use crate::{Engine, Kind, TimedRegion};
use roadwire_measure::bench::{Bench, Codec, Recoder};
use roadwire_measure::cell::{Absent, Cell, Transcode};

/// The library.
pub struct Minicbor;

impl Engine for Minicbor {
    fn name(&self) -> &str {
        "minicbor"
    }

    fn version(&self) -> &str {
        env!("PEERS_MINICBOR")
    }

    fn kind(&self) -> Kind {
        Kind::Peer
    }

    fn origin(&self) -> &str {
        "minicbor"
    }

    fn timed_region(&self) -> TimedRegion {
        TimedRegion {
            allocation: "lists and strings when decoding".into(),
            presizing: "output buffer reused".into(),
            population: "outside".into(),
            validation: "what is mandatory is there; no ranges, no deterministic form".into(),
        }
    }

    fn cell(&self, message: &Message, rules: Rules) -> Result<Box<dyn Cell>, Absent> {
        has(rules)?;
        match message.schema {
            Schema::Cam130 => Bench::boxed(Over::<cam_1_3_0::Cam>::new(message.schema), &message.jer()),
            Schema::Cam141 => Bench::boxed(Over::<cam_1_4_1::Cam>::new(message.schema), &message.jer()),
            other => Err(no_types(other)),
        }
    }

    fn transcoder(&self, schema: Schema, rules: Rules) -> Result<Box<dyn Transcode>, Absent> {
        has(rules)?;
        match schema {
            Schema::Cam130 => Ok(Recoder::boxed(Over::<cam_1_3_0::Cam>::new(schema))),
            Schema::Cam141 => Ok(Recoder::boxed(Over::<cam_1_4_1::Cam>::new(schema))),
            other => Err(no_types(other)),
        }
    }
}

fn has(rules: Rules) -> Result<(), Absent> {
    if rules == Rules::Cbor { Ok(()) } else { Err(Absent(format!("minicbor has no {rules}"))) }
}

fn no_types(schema: Schema) -> Absent {
    Absent(format!("no types for {schema}"))
}

/// Its type for a CAM, and roadwire's `R` for the same message, which reads the contents.
struct Over<R> {
    schema: Schema,
    types: PhantomData<R>,
}

impl<R> Over<R> {
    fn new(schema: Schema) -> Self {
        Over { schema, types: PhantomData }
    }
}

/// An error of a codec.
enum Refused {
    Encode(encode::Error<Infallible>),
    Decode(decode::Error),
    /// It does not look at what follows a message.
    Longer,
}

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Refused::Encode(error) => error.fmt(f),
            Refused::Decode(error) => error.fmt(f),
            Refused::Longer => f.write_str("octets follow the message"),
        }
    }
}

impl<R: roadwire_engine::Message<Cbor> + 'static> Codec for Over<R> {
    type Message<'a> = Cam;
    type Buffer = Vec<u8>;
    type Error = Refused;

    /// It has no JER: the value comes in its octets.
    fn message(&self, jer: &str) -> Result<Cam, String> {
        let message: R = roadwire::message(&self.schema.notation()?, jer)?;
        let octets = message.encode_to_vec(1 << 16).map_err(|error| error.to_string())?;
        minicbor::decode(&octets).map_err(|error| error.to_string())
    }

    fn buffer(&self) -> Vec<u8> {
        Vec::with_capacity(8192)
    }

    #[inline]
    fn encode(&self, message: &Cam, buffer: &mut Vec<u8>) -> Result<usize, Refused> {
        buffer.clear();
        minicbor::encode(message, &mut *buffer).map_err(Refused::Encode)?;
        Ok(buffer.len())
    }

    fn octets<'b>(&self, buffer: &'b Vec<u8>, length: usize) -> &'b [u8] {
        &buffer[..length]
    }

    #[inline]
    fn decode(&self, octets: &[u8], place: &mut Option<Cam>) -> Result<(), Refused> {
        let mut decoder = minicbor::Decoder::new(octets);
        *place = Some(decoder.decode().map_err(Refused::Decode)?);
        if decoder.position() == octets.len() { Ok(()) } else { Err(Refused::Longer) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::MESSAGES;

    #[test]
    fn it_writes_the_octets_that_ours_writes() {
        let mut found = Vec::new();
        for message in MESSAGES {
            let Ok(mut cell) = Minicbor.cell(message, Rules::Cbor) else { continue };
            let octets = cell.bytes().unwrap();
            for mut ours in [roadwire::Toed.cell(message, Rules::Cbor), roadwire::Soed.cell(message, Rules::Cbor)] {
                assert_eq!(ours.as_mut().unwrap().bytes().as_ref(), Ok(&octets), "{}", message.id);
            }
            assert_eq!(cell.recode(&[], &octets).as_ref(), Ok(&octets), "{}", message.id);
            found.push((message.id, octets.len()));
        }
        let wanted =
            [("cam-mandatory", 111), ("cam-mandatory-lorry", 114), ("cam-mandatory-1.4.1", 111), ("cam-full", 836)];
        assert_eq!(found, wanted);
    }
}
