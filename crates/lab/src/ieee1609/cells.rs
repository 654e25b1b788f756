//! Who encodes and decodes the messages.

use std::marker::PhantomData;

use roadwire_layout::{Oer, Tls, Uper};
use roadwire_messages::{dot2_original_2015 as original, dot2_p_2015 as p, ieee1609dot2_2013 as binary};
use roadwire_notation::Notation;
use roadwire_wire::Error;
use serde::{Deserialize, Serialize};

use super::encoding::{Encoding, Parts};
use super::passes::ROOM;
use super::peer;
use super::secured::{self, Secured};
use crate::engine::{Absent, Bench, Cell, Codec};
use crate::engines::rasn::{self, rules};
use crate::engines::roadwire::{Executor, Interpreter, Over, StraightLine};

/// An implementation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Engine {
    /// roadwire's straight-line code: what its compiler writes, as it is ("off the shelf").
    Toed,
    /// The same, decoding without a copy of any string that has no fixed length: it borrows them from the input.
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
        Encoding::Binary => Borrowing::<secured::Binary>::cell(notation, jer),
        Encoding::UperOriginal => Borrowing::<secured::UperOriginal>::cell(notation, jer),
        Encoding::UperP => Borrowing::<secured::UperP>::cell(notation, jer),
        Encoding::OerOriginal => Borrowing::<secured::OerOriginal>::cell(notation, jer),
    }
}

/// A generated type that borrows its strings.
struct Borrowing<S> {
    notation: Notation,
    encoding: PhantomData<S>,
}

impl<S: Secured> Borrowing<S> {
    fn cell(notation: Notation, jer: &str) -> Result<Box<dyn Cell>, Absent> {
        Bench::of(Borrowing::<S> { notation, encoding: PhantomData }, jer)
    }
}

impl<S: Secured> Codec for Borrowing<S> {
    type Message<'a> = S::Message<'a>;
    type Buffer = Vec<u8>;
    type Error = Error<'static>;

    fn message(&self, text: &str) -> Result<Self::Message<'static>, String> {
        S::message(&self.notation, text)
    }

    fn buffer(&self) -> Vec<u8> {
        vec![0; ROOM]
    }

    #[inline]
    fn encode(&self, message: &Self::Message<'_>, buffer: &mut Vec<u8>) -> Result<usize, Error<'static>> {
        S::encode(message, buffer)
    }

    fn octets<'b>(&self, buffer: &'b Vec<u8>, length: usize) -> &'b [u8] {
        &buffer[..length]
    }

    #[inline]
    fn decode<'a>(&self, octets: &'a [u8], place: &mut Option<Self::Message<'a>>) -> Result<(), Error<'static>> {
        S::decode(octets, place).map(drop)
    }
}
