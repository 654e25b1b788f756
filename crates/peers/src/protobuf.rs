//! Libraries for Protocol Buffers, linked in, with their own types for the same messages.

mod prost;
mod quick_protobuf;

use std::fmt::Display;
use std::marker::PhantomData;

use roadwire_layout::Rules;
use roadwire_messages::{Protobuf, cam_1_3_0, cam_1_4_1, denm_1_2_0, denm_1_3_1};

pub use self::prost::Prost;
pub use self::quick_protobuf::QuickProtobuf;
use crate::content::{Message, Schema};
use crate::roadwire;
use crate::{Engine, Kind, TimedRegion};
use roadwire_measure::bench::{Bench, Codec, Recoder};
use roadwire_measure::cell::{Absent, Cell, Transcode};

/// A library, as an engine `Peer(library)`.
pub struct Peer<L>(pub L);

/// The properties of a library, and its types.
pub trait Library: Sync + 'static {
    /// Its name.
    const NAME: &'static str;
    /// The version that is linked in.
    const VERSION: &'static str;
    /// The memory that it allocates.
    const ALLOCATION: &'static str;
    /// The conditions that it checks.
    const VALIDATION: &'static str;
    /// CAM, of any version.
    type Cam: Types;
    /// DENM, of any version.
    type Denm: Types;
}

/// A type for a message, whatever it borrows from.
pub trait Types: 'static {
    /// The type.
    type Of<'a>;
    /// The error.
    type Error: Display;

    /// Decodes a message.
    ///
    /// # Errors
    /// The library's own.
    fn decode(octets: &[u8]) -> Result<Self::Of<'_>, Self::Error>;

    /// Appends the message's octets.
    ///
    /// # Errors
    /// The library's own.
    fn encode(message: &Self::Of<'_>, buffer: &mut Vec<u8>) -> Result<(), Self::Error>;
}

impl<L: Library> Engine for Peer<L> {
    fn name(&self) -> &str {
        L::NAME
    }

    fn version(&self) -> &str {
        L::VERSION
    }

    fn kind(&self) -> Kind {
        Kind::Peer
    }

    fn origin(&self) -> &str {
        L::NAME
    }

    fn timed_region(&self) -> TimedRegion {
        TimedRegion {
            allocation: L::ALLOCATION.into(),
            presizing: "output buffer reused".into(),
            population: "outside".into(),
            validation: L::VALIDATION.into(),
        }
    }

    fn cell(&self, message: &Message, rules: Rules) -> Result<Box<dyn Cell>, Absent> {
        has::<L>(rules)?;
        match message.schema {
            Schema::Cam130 => Bench::boxed(Over::<L::Cam, cam_1_3_0::Cam>::new(message.schema), &message.jer()),
            Schema::Cam141 => Bench::boxed(Over::<L::Cam, cam_1_4_1::Cam>::new(message.schema), &message.jer()),
            Schema::Denm120 => Bench::boxed(Over::<L::Denm, denm_1_2_0::Denm>::new(message.schema), &message.jer()),
            Schema::Denm131 => Bench::boxed(Over::<L::Denm, denm_1_3_1::Denm>::new(message.schema), &message.jer()),
            other => Err(no_types(other)),
        }
    }

    fn transcoder(&self, schema: Schema, rules: Rules) -> Result<Box<dyn Transcode>, Absent> {
        has::<L>(rules)?;
        Ok(match schema {
            Schema::Cam130 => Recoder::boxed(Over::<L::Cam, cam_1_3_0::Cam>::new(schema)),
            Schema::Cam141 => Recoder::boxed(Over::<L::Cam, cam_1_4_1::Cam>::new(schema)),
            Schema::Denm120 => Recoder::boxed(Over::<L::Denm, denm_1_2_0::Denm>::new(schema)),
            Schema::Denm131 => Recoder::boxed(Over::<L::Denm, denm_1_3_1::Denm>::new(schema)),
            other => return Err(no_types(other)),
        })
    }
}

fn has<L: Library>(rules: Rules) -> Result<(), Absent> {
    if rules == Rules::Protobuf { Ok(()) } else { Err(Absent(format!("{} has no {rules}", L::NAME))) }
}

fn no_types(schema: Schema) -> Absent {
    Absent(format!("no types for {schema}"))
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

impl<T: Types, R: roadwire_engine::Message<Protobuf> + 'static> Codec for Over<T, R> {
    type Message<'a> = T::Of<'a>;
    type Buffer = Vec<u8>;
    type Error = T::Error;

    /// These libraries do not support JER: the value is decoded from octets. The message may borrow
    /// from these, so they are kept to the end of the program.
    fn message(&self, jer: &str) -> Result<T::Of<'static>, String> {
        let message: R = roadwire::message(&self.schema.notation()?, jer)?;
        let mut octets = vec![0; 1 << 16];
        let length = message.encode(&mut octets).map_err(|error| error.to_string())?;
        octets.truncate(length);
        octets.shrink_to_fit();
        T::decode(Vec::leak(octets)).map_err(|error| error.to_string())
    }

    fn buffer(&self) -> Vec<u8> {
        Vec::with_capacity(8192)
    }

    #[inline]
    fn encode(&self, message: &T::Of<'_>, buffer: &mut Vec<u8>) -> Result<usize, T::Error> {
        buffer.clear();
        T::encode(message, buffer)?;
        Ok(buffer.len())
    }

    fn octets<'b>(&self, buffer: &'b Vec<u8>, length: usize) -> &'b [u8] {
        &buffer[..length]
    }

    #[inline]
    fn decode<'a>(&self, octets: &'a [u8], place: &mut Option<T::Of<'a>>) -> Result<(), T::Error> {
        *place = Some(T::decode(octets)?);
        Ok(())
    }
}
