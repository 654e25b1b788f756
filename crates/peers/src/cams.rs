//! Libraries that have CAMs under one set of rules, with types of their own. They have no JER: a
//! value comes in its octets. They write into buffers of their own, which cannot be reused.

use std::fmt::Display;
use std::marker::PhantomData;

use roadwire_layout::Rules;
use roadwire_measure::bench::{Bench, Codec, Recoder};
use roadwire_measure::cell::{Absent, Cell, Transcode};

use crate::content::{Message, Schema};
use crate::roadwire::octets;
use crate::{Engine, Kind, TimedRegion};

/// Such a library.
pub(crate) trait Library: Sync + 'static {
    const NAME: &'static str;
    const VERSION: &'static str;
    const RULES: Rules;
    /// Its types for the two versions.
    type Cam130: Coded;
    type Cam141: Coded;
    /// The parts of its timed region.
    fn timed_region() -> TimedRegion;
}

/// A type of a library.
pub(crate) trait Coded: Sized + 'static {
    type Error: Display;
    fn encoded(&self) -> Result<Vec<u8>, Self::Error>;
    fn decoded(octets: &[u8]) -> Result<Self, Self::Error>;
}

/// The engine of a library.
pub(crate) struct Cams<L>(pub(crate) L);

impl<L: Library> Engine for Cams<L> {
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
        L::timed_region()
    }

    fn cell(&self, message: &Message, rules: Rules) -> Result<Box<dyn Cell>, Absent> {
        match message.schema {
            Schema::Cam130 if rules == L::RULES => {
                Bench::boxed(Over::<L, L::Cam130>::new(message.schema), &message.jer())
            }
            Schema::Cam141 if rules == L::RULES => {
                Bench::boxed(Over::<L, L::Cam141>::new(message.schema), &message.jer())
            }
            other => Err(none::<L>(other, rules)),
        }
    }

    fn transcoder(&self, schema: Schema, rules: Rules) -> Result<Box<dyn Transcode>, Absent> {
        match schema {
            Schema::Cam130 if rules == L::RULES => Ok(Recoder::boxed(Over::<L, L::Cam130>::new(schema))),
            Schema::Cam141 if rules == L::RULES => Ok(Recoder::boxed(Over::<L, L::Cam141>::new(schema))),
            other => Err(none::<L>(other, rules)),
        }
    }
}

fn none<L: Library>(schema: Schema, rules: Rules) -> Absent {
    Absent(format!("{} is not wired for {schema} in {rules}", L::NAME))
}

/// A type of a library, as a codec.
struct Over<L, T> {
    schema: Schema,
    of: PhantomData<(L, T)>,
}

impl<L, T> Over<L, T> {
    fn new(schema: Schema) -> Self {
        Over { schema, of: PhantomData }
    }
}

impl<L: Library, T: Coded> Codec for Over<L, T> {
    type Message<'a> = T;
    type Buffer = Vec<u8>;
    type Error = T::Error;

    fn message(&self, jer: &str) -> Result<T, String> {
        T::decoded(&octets(self.schema, L::RULES, jer)?).map_err(|error| error.to_string())
    }

    fn buffer(&self) -> Vec<u8> {
        Vec::new()
    }

    #[inline]
    fn encode(&self, message: &T, buffer: &mut Vec<u8>) -> Result<usize, T::Error> {
        *buffer = message.encoded()?;
        Ok(buffer.len())
    }

    fn octets<'b>(&self, buffer: &'b Vec<u8>, length: usize) -> &'b [u8] {
        &buffer[..length]
    }

    #[inline]
    fn decode(&self, octets: &[u8], place: &mut Option<T>) -> Result<(), T::Error> {
        *place = Some(T::decoded(octets)?);
        Ok(())
    }
}
