//! hampi, linked in, with the types that its own compiler writes for a CAM in UPER.
//!
//! It writes into a buffer of its own, of bits, which cannot be reused.

use std::marker::PhantomData;

use asn1_codecs::uper::UperCodec;
use asn1_codecs::{PerCodecData, PerCodecError};
use roadwire_layout::Rules;

use crate::content::{Message, Schema};
use crate::roadwire::octets;
use crate::{Engine, Kind, TimedRegion};
use roadwire_measure::bench::{Bench, Codec, Recoder};
use roadwire_measure::cell::{Absent, Cell, Transcode};

#[allow(warnings, clippy::all, clippy::pedantic, reason = "its compiler's")]
mod generated {
    pub(super) mod cam_1_3_0 {
        include!(concat!(env!("OUT_DIR"), "/hampi_cam_1_3_0.rs"));
    }
    pub(super) mod cam_1_4_1 {
        include!(concat!(env!("OUT_DIR"), "/hampi_cam_1_4_1.rs"));
    }
}
use generated::{cam_1_3_0, cam_1_4_1};

/// The library.
pub struct Hampi;

impl Engine for Hampi {
    fn name(&self) -> &str {
        "hampi"
    }

    fn version(&self) -> &str {
        env!("PEERS_HAMPI")
    }

    fn kind(&self) -> Kind {
        Kind::Peer
    }

    fn origin(&self) -> &str {
        "hampi"
    }

    fn timed_region(&self) -> TimedRegion {
        TimedRegion {
            allocation: "its buffer, lists and strings, a copy of the input".into(),
            presizing: "none".into(),
            population: "outside".into(),
            validation: "lengths; ranges when encoding".into(),
        }
    }

    fn cell(&self, message: &Message, rules: Rules) -> Result<Box<dyn Cell>, Absent> {
        match (message.schema, rules) {
            (Schema::Cam130, Rules::Uper) => Bench::boxed(Over::<cam_1_3_0::CAM>::new(message.schema), &message.jer()),
            (Schema::Cam141, Rules::Uper) => Bench::boxed(Over::<cam_1_4_1::CAM>::new(message.schema), &message.jer()),
            (other, rules) => Err(none(other, rules)),
        }
    }

    fn transcoder(&self, schema: Schema, rules: Rules) -> Result<Box<dyn Transcode>, Absent> {
        match (schema, rules) {
            (Schema::Cam130, Rules::Uper) => Ok(Recoder::boxed(Over::<cam_1_3_0::CAM>::new(schema))),
            (Schema::Cam141, Rules::Uper) => Ok(Recoder::boxed(Over::<cam_1_4_1::CAM>::new(schema))),
            (other, rules) => Err(none(other, rules)),
        }
    }
}

fn none(schema: Schema, rules: Rules) -> Absent {
    Absent(format!("hampi is not wired for {schema} in {rules}"))
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

impl<T: UperCodec<Output = T> + 'static> Codec for Over<T> {
    type Message<'a> = T;
    type Buffer = Vec<u8>;
    type Error = PerCodecError;

    /// It has no JER: the value comes in its octets.
    fn message(&self, jer: &str) -> Result<T, String> {
        let octets = octets(self.schema, Rules::Uper, jer)?;
        T::uper_decode(&mut PerCodecData::from_slice_uper(&octets)).map_err(|error| error.to_string())
    }

    fn buffer(&self) -> Vec<u8> {
        Vec::new()
    }

    #[inline]
    fn encode(&self, message: &T, buffer: &mut Vec<u8>) -> Result<usize, PerCodecError> {
        let mut data = PerCodecData::new_uper();
        message.uper_encode(&mut data)?;
        *buffer = data.into_bytes();
        Ok(buffer.len())
    }

    fn octets<'b>(&self, buffer: &'b Vec<u8>, length: usize) -> &'b [u8] {
        &buffer[..length]
    }

    #[inline]
    fn decode(&self, octets: &[u8], place: &mut Option<T>) -> Result<(), PerCodecError> {
        *place = Some(T::uper_decode(&mut PerCodecData::from_slice_uper(octets))?);
        Ok(())
    }
}
