//! synta, linked in, with types for a CAM in DER, which are printed from roadwire's model
//! (`build/synta.rs`).
//!
//! Its values own their contents; it writes into a buffer of its own, which cannot be reused.

use std::marker::PhantomData;

use ::synta::{Decode, Decoder, Encode, Encoder, Encoding, Error};

use roadwire_layout::Rules;

use crate::content::{Message, Schema};
use crate::roadwire::octets;
use crate::{Engine, Kind, TimedRegion};
use roadwire_measure::bench::{Bench, Codec, Recoder};
use roadwire_measure::cell::{Absent, Cell, Transcode};

#[allow(warnings, clippy::all, clippy::pedantic, reason = "printed; the names are those of ASN.1")]
mod printed {
    pub(super) mod cam_1_3_0 {
        use ::synta::*;
        include!(concat!(env!("OUT_DIR"), "/synta_cam_1_3_0.rs"));
    }
    pub(super) mod cam_1_4_1 {
        use ::synta::*;
        include!(concat!(env!("OUT_DIR"), "/synta_cam_1_4_1.rs"));
    }
}
use printed::{cam_1_3_0, cam_1_4_1};

/// The library.
pub struct Synta;

impl Engine for Synta {
    fn name(&self) -> &str {
        "synta"
    }

    fn version(&self) -> &str {
        env!("PEERS_SYNTA")
    }

    fn kind(&self) -> Kind {
        Kind::Peer
    }

    fn origin(&self) -> &str {
        "synta"
    }

    fn timed_region(&self) -> TimedRegion {
        TimedRegion {
            allocation: "its buffers, one for each SEQUENCE; lists, strings".into(),
            presizing: "none".into(),
            population: "outside".into(),
            validation: "forms of DER; no ranges, no lengths".into(),
        }
    }

    fn cell(&self, message: &Message, rules: Rules) -> Result<Box<dyn Cell>, Absent> {
        match (message.schema, rules) {
            (Schema::Cam130, Rules::Der) => Bench::boxed(Over::<cam_1_3_0::CAM>::new(message.schema), &message.jer()),
            (Schema::Cam141, Rules::Der) => Bench::boxed(Over::<cam_1_4_1::CAM>::new(message.schema), &message.jer()),
            (other, rules) => Err(none(other, rules)),
        }
    }

    fn transcoder(&self, schema: Schema, rules: Rules) -> Result<Box<dyn Transcode>, Absent> {
        match (schema, rules) {
            (Schema::Cam130, Rules::Der) => Ok(Recoder::boxed(Over::<cam_1_3_0::CAM>::new(schema))),
            (Schema::Cam141, Rules::Der) => Ok(Recoder::boxed(Over::<cam_1_4_1::CAM>::new(schema))),
            (other, rules) => Err(none(other, rules)),
        }
    }
}

fn none(schema: Schema, rules: Rules) -> Absent {
    Absent(format!("synta is not wired for {schema} in {rules}"))
}

/// A type of its own.
struct Over<T> {
    schema: Schema,
    of: PhantomData<T>,
}

impl<T> Over<T> {
    fn new(schema: Schema) -> Self {
        Over { schema, of: PhantomData }
    }
}

impl<T: Encode + for<'a> Decode<'a> + 'static> Codec for Over<T> {
    type Message<'a> = T;
    type Buffer = Vec<u8>;
    type Error = Error;

    /// It has no JER: the value comes in its octets.
    fn message(&self, jer: &str) -> Result<T, String> {
        let octets = octets(self.schema, Rules::Der, jer)?;
        Decoder::new(&octets, Encoding::Der).decode().map_err(|error: Error| error.to_string())
    }

    fn buffer(&self) -> Vec<u8> {
        Vec::new()
    }

    #[inline]
    fn encode(&self, message: &T, buffer: &mut Vec<u8>) -> Result<usize, Error> {
        let mut encoder = Encoder::new(Encoding::Der);
        encoder.encode(message)?;
        *buffer = encoder.finish()?;
        Ok(buffer.len())
    }

    fn octets<'b>(&self, buffer: &'b Vec<u8>, length: usize) -> &'b [u8] {
        &buffer[..length]
    }

    #[inline]
    fn decode(&self, octets: &[u8], place: &mut Option<T>) -> Result<(), Error> {
        *place = Some(Decoder::new(octets, Encoding::Der).decode()?);
        Ok(())
    }
}
