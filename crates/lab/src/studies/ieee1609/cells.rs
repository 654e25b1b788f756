//! The implementations that encode and decode the messages, by their names among all engines; and
//! one way more in which ours decodes.

use std::marker::PhantomData;

use roadwire_notation::Notation;
use roadwire_wire::Error;
use serde::{Deserialize, Serialize};

use super::by_hand;
use super::encoding::{Encoding, Parts};
use super::passes::ROOM;
use super::secured::{self, Secured};
use roadwire_measure::bench::{Bench, Codec};
use roadwire_measure::cell::{Absent, Cell, Direction};

/// An implementation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Engine {
    /// roadwire's straight-line code, unchanged as generated ("off the shelf").
    Toed,
    /// As above, with strings without a fixed length borrowed from the input when decoding, not
    /// copied.
    Lent,
    /// roadwire's interpreter.
    Soed,
    /// A decoder written by hand for this schema; it has no encoder.
    ByHand,
    /// rasn, with its own types.
    Rasn,
    /// asn1c, a program of its own.
    Asn1c,
    /// Its maintained fork, a program of its own.
    #[serde(rename = "asn1c-fork")]
    Asn1cFork,
    /// Bouncy Castle, a program of its own.
    BouncyCastle,
}

impl Engine {
    /// All that are linked, roadwire's first.
    pub const LINKED: [Engine; 5] = [Engine::Toed, Engine::Lent, Engine::Soed, Engine::ByHand, Engine::Rasn];
    /// All, those that are programs of their own last.
    pub const ALL: [Engine; 8] = [
        Engine::Toed,
        Engine::Lent,
        Engine::Soed,
        Engine::ByHand,
        Engine::Rasn,
        Engine::Asn1c,
        Engine::Asn1cFork,
        Engine::BouncyCastle,
    ];

    /// As in tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Engine::Toed => "roadwire-toed",
            Engine::Lent => "roadwire-lent",
            Engine::Soed => "roadwire-soed",
            Engine::ByHand => "by hand",
            Engine::Rasn => "rasn",
            Engine::Asn1c => "asn1c",
            Engine::Asn1cFork => "asn1c-fork",
            Engine::BouncyCastle => "bouncycastle",
        }
    }

    /// Whether it has codecs for an encoding.
    #[must_use]
    pub fn has(self, encoding: Encoding) -> bool {
        match self {
            Engine::Toed | Engine::Lent | Engine::Soed => true,
            Engine::ByHand | Engine::Rasn | Engine::Asn1cFork => encoding != Encoding::Binary,
            Engine::Asn1c => matches!(encoding, Encoding::UperOriginal | Encoding::UperP),
            Engine::BouncyCastle => encoding == Encoding::OerOriginal,
        }
    }

    /// Whether it has a codec for a direction.
    #[must_use]
    pub fn does(self, direction: Direction) -> bool {
        direction == Direction::Decode || self != Engine::ByHand
    }

    /// The codec for a message, given as JER.
    ///
    /// # Errors
    /// [`Absent`] if there is none, or it refuses the message.
    pub fn cell(self, parts: &Parts, jer: &str) -> Result<Box<dyn Cell>, Absent> {
        match self {
            Engine::Lent => return lent(parts, jer),
            Engine::ByHand => return by_hand(parts, jer),
            Engine::Toed | Engine::Soed | Engine::Rasn | Engine::Asn1c | Engine::Asn1cFork | Engine::BouncyCastle => {}
        }
        self.cell_among(&roadwire_peers::all(), parts, jer)
    }

    /// The codec of an implementation that is among these.
    ///
    /// # Errors
    /// [`Absent`] if it is not, or refuses the message.
    pub fn cell_among(
        self,
        engines: &[Box<dyn roadwire_peers::Engine>],
        parts: &Parts,
        jer: &str,
    ) -> Result<Box<dyn Cell>, Absent> {
        if parts.encoding == Encoding::Binary && !Engine::LINKED.contains(&self) {
            return Err(Absent("1609.2's own format is no encoding of ASN.1".into()));
        }
        let engine = engines.iter().find(|engine| engine.name() == self.name());
        let engine = engine.ok_or_else(|| Absent("it is not in this run".into()))?;
        engine.cell_of(parts.encoding.schema(), parts.encoding.rules(), jer)
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

fn by_hand(parts: &Parts, jer: &str) -> Result<Box<dyn Cell>, Absent> {
    let notation = parts.notation().map_err(Absent)?;
    match parts.encoding {
        Encoding::Binary => Err(Absent("no decoder by hand for 1609.2's own format".into())),
        Encoding::UperOriginal => by_hand::cell::<secured::UperOriginal>(notation, jer),
        Encoding::UperP => by_hand::cell::<secured::UperP>(notation, jer),
        Encoding::OerOriginal => by_hand::cell::<secured::OerOriginal>(notation, jer),
    }
}

/// A generated type that borrows its strings.
struct Borrowing<S> {
    notation: Notation,
    encoding: PhantomData<S>,
}

impl<S: Secured> Borrowing<S> {
    fn cell(notation: Notation, jer: &str) -> Result<Box<dyn Cell>, Absent> {
        Bench::boxed(Borrowing::<S> { notation, encoding: PhantomData }, jer)
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
