//! Who encodes and decodes the messages.

use std::marker::PhantomData;

use roadwire_engine::{Lent, Message as Generated};
use roadwire_layout::{Oer, Tls, Uper};
use roadwire_messages::{dot2_original_2015 as original, dot2_p_2015 as p, ieee1609dot2_2013 as binary};
use roadwire_notation::Notation;
use roadwire_wire::Error;
use serde::{Deserialize, Serialize};

use super::encoding::{Encoding, Parts};
use super::peer;
use crate::engine::{Absent, Bench, Cell, Codec};
use crate::engines::rasn::{self, rules};
use crate::engines::roadwire::{Executor, Interpreter, StraightLine};

/// An implementation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Engine {
    /// roadwire's straight-line code: what its compiler writes, as it is ("off the shelf").
    Toed,
    /// The same, decoding without a copy of any string that has no fixed length: it borrows them from the input ("custom").
    Lent,
    /// roadwire's interpreter.
    Soed,
    /// rasn, with types of its own.
    Rasn,
}

impl Engine {
    /// All, roadwire's first.
    pub const ALL: [Engine; 4] = [Engine::Toed, Engine::Lent, Engine::Soed, Engine::Rasn];

    /// As in tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Engine::Toed => "roadwire-toed",
            Engine::Lent => "roadwire-lent",
            Engine::Soed => "roadwire-soed",
            Engine::Rasn => "rasn",
        }
    }

    /// Whether it has codecs for an encoding.
    #[must_use]
    pub fn has(self, encoding: Encoding) -> bool {
        encoding != Encoding::Binary || self != Engine::Rasn
    }

    /// The codec for a message, told as JER.
    ///
    /// # Errors
    /// [`Absent`] where there is none, or it refuses the message.
    pub fn cell(self, parts: &Parts, jer: &str) -> Result<Box<dyn Cell>, Absent> {
        match self {
            Engine::Toed => ours::<StraightLine>(parts, jer),
            Engine::Lent => lent(parts, jer),
            Engine::Soed => ours::<Interpreter>(parts, jer),
            Engine::Rasn => match parts.encoding {
                Encoding::Binary => Err(Absent("rasn has no presentation language".into())),
                Encoding::UperOriginal => Bench::of(rasn::Over::<peer::original::SecuredData, rules::Uper>::new(), jer),
                Encoding::UperP => Bench::of(rasn::Over::<peer::p::SecuredData, rules::Uper>::new(), jer),
                Encoding::OerOriginal => Bench::of(rasn::Over::<peer::original::SecuredData, rules::Oer>::new(), jer),
            },
        }
    }
}

fn ours<X: Executor>(parts: &Parts, jer: &str) -> Result<Box<dyn Cell>, Absent> {
    let notation = parts.notation().map_err(Absent)?;
    match parts.encoding {
        Encoding::Binary => Bench::of(Over::<binary::SecuredData, Tls, X>::new(notation), jer),
        Encoding::UperOriginal => Bench::of(Over::<original::SecuredData, Uper, X>::new(notation), jer),
        Encoding::UperP => Bench::of(Over::<p::SecuredData, Uper, X>::new(notation), jer),
        Encoding::OerOriginal => Bench::of(Over::<original::SecuredData, Oer, X>::new(notation), jer),
    }
}

fn lent(parts: &Parts, jer: &str) -> Result<Box<dyn Cell>, Absent> {
    let notation = parts.notation().map_err(Absent)?;
    match parts.encoding {
        Encoding::Binary => Bench::of(LentBinary::<Tls>(notation, PhantomData), jer),
        Encoding::UperOriginal => Bench::of(LentOriginal::<Uper>(notation, PhantomData), jer),
        Encoding::UperP => Bench::of(LentP::<Uper>(notation, PhantomData), jer),
        Encoding::OerOriginal => Bench::of(LentOriginal::<Oer>(notation, PhantomData), jer),
    }
}

/// A generated type that borrows its strings.
macro_rules! lent {
    ($name:ident, $schema:ident) => {
        struct $name<E>(Notation, PhantomData<E>);

        impl<E: 'static> Codec for $name<E>
        where
            for<'a> $schema::borrowed::SecuredData<'a>: Lent<'a, E>,
        {
            type Message<'a> = $schema::borrowed::SecuredData<'a>;
            type Buffer = Vec<u8>;
            type Error = Error<'static>;

            fn message(&self, text: &str) -> Result<Self::Message<'static>, String> {
                let mut message = $schema::borrowed::SecuredData::default();
                self.0.read_into(text, &mut message).map_err(|error| error.to_string())?;
                Ok(message)
            }

            fn buffer(&self) -> Vec<u8> {
                vec![0; ROOM]
            }

            #[inline]
            fn encode(&self, message: &Self::Message<'_>, buffer: &mut Vec<u8>) -> Result<usize, Error<'static>> {
                Generated::<E>::encode(message, buffer)
            }

            fn octets<'b>(&self, buffer: &'b Vec<u8>, length: usize) -> &'b [u8] {
                &buffer[..length]
            }

            #[inline]
            fn decode<'a>(
                &self,
                octets: &'a [u8],
                place: &mut Option<Self::Message<'a>>,
            ) -> Result<(), Error<'static>> {
                place.get_or_insert_with(Default::default).decode_lent(octets)?;
                Ok(())
            }
        }
    };
}
lent!(LentBinary, binary);
lent!(LentOriginal, original);
lent!(LentP, p);

/// More than any of the messages takes.
const ROOM: usize = 4096;

/// A generated type with one of the executors.
struct Over<M, E, X> {
    notation: Notation,
    types: PhantomData<(M, E, X)>,
}

impl<M, E, X> Over<M, E, X> {
    fn new(notation: Notation) -> Self {
        Over { notation, types: PhantomData }
    }
}

impl<M: Generated<E> + 'static, E: 'static, X: Executor> Codec for Over<M, E, X> {
    type Message<'a> = M;
    type Buffer = Vec<u8>;
    type Error = Error<'static>;

    fn message(&self, text: &str) -> Result<M, String> {
        let mut message = M::default();
        self.notation.read_into(text, &mut message).map_err(|error| error.to_string())?;
        Ok(message)
    }

    fn buffer(&self) -> Vec<u8> {
        vec![0; ROOM]
    }

    #[inline]
    fn encode(&self, message: &M, buffer: &mut Vec<u8>) -> Result<usize, Error<'static>> {
        X::encode::<E, M>(message, buffer)
    }

    fn octets<'b>(&self, buffer: &'b Vec<u8>, length: usize) -> &'b [u8] {
        &buffer[..length]
    }

    #[inline]
    fn decode(&self, octets: &[u8], place: &mut Option<M>) -> Result<(), Error<'static>> {
        X::decode::<E, M>(place.get_or_insert_with(M::default), octets)?;
        Ok(())
    }
}
