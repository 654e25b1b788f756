//! Signing while a message is encoded, and verifying while it is decoded: the times of one pass and
//! of two, and the share of the encoding.

use std::cell::RefCell;
use std::hint::black_box;
use std::marker::PhantomData;

use roadwire_notation::Notation;
use roadwire_security::{Fault, OnePass, SigningKey, VerifyingKey};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::description::{Description, Kind};
use super::encoding::{Encoding, Parts};
use super::secured::{Binary, OerOriginal, Secured, UperOriginal, UperP};
use super::signing::{chain, external, fault};
use super::spans::Span;
use super::verifying::form;
use roadwire_measure::bench::{Bench, Codec};
use roadwire_measure::cell::{Absent, Cell, Direction};
use roadwire_measure::stats::Summary;

/// The work done on a message besides encoding or decoding it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Work {
    /// Nothing.
    Codec,
    /// The signed data is hashed in the same pass.
    OnePass,
    /// The signed data is encoded separately and hashed: before the message is encoded, or after it
    /// is decoded.
    TwoPasses,
    /// The signed data, which is prepared, is hashed; nothing is encoded or decoded.
    Hash,
    /// The data is hashed in the same pass, and signed or verified.
    Signature,
}

impl Work {
    /// All.
    pub const ALL: [Work; 5] = [Work::Codec, Work::OnePass, Work::TwoPasses, Work::Hash, Work::Signature];

    /// As in records.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Work::Codec => "codec",
            Work::OnePass => "one pass",
            Work::TwoPasses => "two passes",
            Work::Hash => "hash",
            Work::Signature => "signature",
        }
    }
}

/// CPU times of each kind of work in both directions, nanoseconds.
pub type Times<W> = Vec<(Direction, W, Option<Summary>)>;

/// A median time, nanoseconds.
pub(super) fn median<W: PartialEq>(times: &Times<W>, direction: Direction, work: W) -> Option<f64> {
    let (.., summary) = times.iter().find(|(way, of, _)| *way == direction && *of == work)?;
    summary.as_ref().map(|summary| summary.median)
}

/// A signed message in one encoding.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Passes {
    /// The message's name.
    pub message: String,
    /// How it is encoded.
    pub encoding: Encoding,
    /// The position of the signed data.
    pub signed: Span,
    /// The position of the signature.
    pub signature: Span,
    /// CPU times, nanoseconds.
    pub times: Times<Work>,
}

impl Passes {
    /// A median time, nanoseconds.
    #[must_use]
    pub fn time(&self, direction: Direction, work: Work) -> Option<f64> {
        median(&self.times, direction, work)
    }

    /// How many bits are moved to octet borders: those of the signed data, and at a sender those of
    /// the signature's numbers.
    #[must_use]
    pub fn moved(&self, direction: Direction) -> usize {
        let moved = |(from, to): Span| if from % 8 == 0 { 0 } else { to - from };
        let numbers = (self.signature.1 - NUMBERS, self.signature.1);
        moved(self.signed) + if direction == Direction::Encode { moved(numbers) } else { 0 }
    }

    /// How many written octets a sender must hold back until the message is signed: from the first
    /// octet of a signature that precedes the signed data.
    #[must_use]
    pub fn held_by_sender(&self) -> usize {
        if self.signature.0 < self.signed.0 { self.signed.1.div_ceil(8) - self.signature.0 / 8 } else { 0 }
    }

    /// How many octets a receiver must keep until it can verify: those of a signature that precedes
    /// the signed data.
    #[must_use]
    pub fn kept_by_receiver(&self) -> usize {
        if self.signature.0 < self.signed.0 { self.signature.1.div_ceil(8) - self.signature.0 / 8 } else { 0 }
    }
}

/// Bits of r and s.
const NUMBERS: usize = 512;

/// A message's parts, and a cell for each work.
pub type Prepared = (Passes, Vec<Box<dyn Cell>>);

/// The kinds of work on a signed message, in the order of [`Work::ALL`], and the positions of its
/// parts; `None` if nothing is signed.
///
/// # Errors
/// Does not happen: tests cover it.
pub fn cells(parts: &Parts, of: &Description, jer: &str, octets: &[u8]) -> Result<Option<Prepared>, String> {
    if !matches!(of.kind, Kind::Signed | Kind::Partial) {
        return Ok(None);
    }
    match parts.encoding {
        Encoding::Binary => each::<Binary>(parts, of, jer, octets),
        Encoding::UperOriginal => each::<UperOriginal>(parts, of, jer, octets),
        Encoding::UperP => each::<UperP>(parts, of, jer, octets),
        Encoding::OerOriginal => each::<OerOriginal>(parts, of, jer, octets),
    }
    .map(Some)
}

fn each<S: Secured>(parts: &Parts, of: &Description, jer: &str, octets: &[u8]) -> Result<Prepared, String> {
    let key = chain(form(parts), parts, of)?.key;
    let passing = |work| Passing::<S>::new(parts, of, octets, work, key.clone());
    let mut tap = OnePass::new(&[], &[]);
    S::decode_tapped(octets, &mut None, &mut tap).map_err(|error| error.to_string())?;
    let (signed, signature) = tap.signed().zip(tap.signature()).ok_or("not signed")?;
    let cells: Result<Vec<_>, Absent> =
        Work::ALL.map(|work| Bench::boxed(passing(work).map_err(Absent)?, jer)).into_iter().collect();
    let passes = Passes { message: of.name.clone(), encoding: parts.encoding, signed, signature, times: Vec::new() };
    Ok((passes, cells.map_err(|absent| absent.0)?))
}

/// Does one kind of work.
struct Passing<S> {
    work: Work,
    notation: Notation,
    /// Signed data before the part, and after it.
    around: (Vec<u8>, Vec<u8>),
    /// All signed data.
    signed: Vec<u8>,
    /// The buffer in which the signed data is encoded separately.
    room: RefCell<Vec<u8>>,
    signing: SigningKey,
    verifying: VerifyingKey,
    encoding: PhantomData<S>,
}

/// More than any of the messages takes.
pub(super) const ROOM: usize = 4096;

impl<S: Secured> Passing<S> {
    fn new(parts: &Parts, of: &Description, octets: &[u8], work: Work, signing: SigningKey) -> Result<Self, String> {
        // The binary format's content type is also signed, and the external part of a partial
        // payload.
        let is_binary = parts.encoding == Encoding::Binary;
        let around = (
            if is_binary { octets[1..2].to_vec() } else { Vec::new() },
            if is_binary && of.kind == Kind::Partial { external(of) } else { Vec::new() },
        );
        let mut message = None;
        S::decode(octets, &mut message).map_err(|error| error.to_string())?;
        let mut room = vec![0; ROOM];
        let length =
            S::encode_signed(&message.ok_or("nothing decoded")?, &mut room).map_err(|error| error.to_string())?;
        Ok(Passing {
            work,
            notation: parts.notation()?,
            signed: [&around.0, &room[..length], &around.1].concat(),
            around,
            room: RefCell::new(room),
            verifying: VerifyingKey::new(&signing.public()).map_err(fault)?,
            signing,
            encoding: PhantomData,
        })
    }

    /// The hash of the signed data, encoded separately.
    fn hash_again(&self, message: &S::Message<'_>) -> Result<[u8; 32], Fault> {
        let mut room = self.room.borrow_mut();
        let length = S::encode_signed(message, &mut room)?;
        let hash = Sha256::new_with_prefix(&self.around.0).chain_update(&room[..length]);
        Ok(hash.chain_update(&self.around.1).finalize().into())
    }
}

impl<S: Secured> Codec for Passing<S> {
    type Message<'a> = S::Message<'a>;
    type Buffer = Vec<u8>;
    type Error = Fault;

    fn message(&self, jer: &str) -> Result<Self::Message<'static>, String> {
        S::message(&self.notation, jer)
    }

    fn buffer(&self) -> Vec<u8> {
        vec![0; ROOM]
    }

    fn encode(&self, message: &Self::Message<'_>, buffer: &mut Vec<u8>) -> Result<usize, Fault> {
        let (before, behind) = &self.around;
        match self.work {
            Work::Codec => Ok(S::encode(message, buffer)?),
            Work::OnePass => {
                let mut tap = OnePass::new(before, behind);
                let length = S::encode_tapped(message, buffer, &mut tap)?;
                black_box(tap.hash()?);
                Ok(length)
            }
            Work::TwoPasses => {
                black_box(self.hash_again(message)?);
                Ok(S::encode(message, buffer)?)
            }
            Work::Hash => {
                black_box(Sha256::digest(black_box(&self.signed)));
                Ok(0)
            }
            Work::Signature => {
                let mut tap = OnePass::new(before, behind);
                let length = S::encode_tapped(message, buffer, &mut tap)?;
                tap.sign(&self.signing, buffer)?;
                Ok(length)
            }
        }
    }

    fn octets<'b>(&self, buffer: &'b Vec<u8>, length: usize) -> &'b [u8] {
        &buffer[..length]
    }

    fn decode<'a>(&self, octets: &'a [u8], place: &mut Option<Self::Message<'a>>) -> Result<(), Fault> {
        let (before, behind) = &self.around;
        match self.work {
            Work::Codec => _ = S::decode(octets, place)?,
            Work::OnePass => {
                let mut tap = OnePass::new(before, behind);
                S::decode_tapped(octets, place, &mut tap)?;
                black_box(tap.hash()?);
            }
            Work::TwoPasses => {
                S::decode(octets, place)?;
                black_box(self.hash_again(place.as_ref().ok_or(Fault::Unsigned)?)?);
            }
            Work::Hash => _ = black_box(Sha256::digest(black_box(&self.signed))),
            Work::Signature => {
                let mut tap = OnePass::new(before, behind);
                S::decode_tapped(octets, place, &mut tap)?;
                let signature = place.as_ref().and_then(S::signature).ok_or(Fault::Unsigned)?;
                tap.verify(&self.verifying, &signature)?;
            }
        }
        Ok(())
    }
}
