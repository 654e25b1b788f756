//! Decoders by hand, as a vendor's engineer would write them for this schema: what the paper calls
//! "custom".
//!
//! They decode into the same types as the generated code, with every range and length checked. They
//! take what the study's messages have: additions of later versions, and bit strings, are refused.
//! Only decoding is written, since the paper has no times of encoding; messages are encoded by the
//! generated code.

mod decoders;
mod read;

use std::marker::PhantomData;

use roadwire_notation::Notation;
use roadwire_papers::{dot2_original_2015::borrowed as original, dot2_p_2015::borrowed as p};

use super::passes::ROOM;
use super::secured::{self, Secured};
use decoders::{decode_original, decode_p};
use read::{Oer, Refused, Uper};
use roadwire_measure::bench::{Bench, Codec, ready};
use roadwire_measure::cell::{Absent, Cell};

/// A message type of a schema with a decoder by hand.
pub(super) trait ByHand: Secured {
    /// Decodes a message into a place that may hold another one.
    fn by_hand<'a>(octets: &'a [u8], place: &mut Option<Self::Message<'a>>) -> Result<(), Refused>;
}

impl ByHand for secured::OerOriginal {
    #[inline]
    fn by_hand<'a>(octets: &'a [u8], place: &mut Option<original::SecuredData<'a>>) -> Result<(), Refused> {
        decode_original::message(Oer::new(octets), ready(place))
    }
}

impl ByHand for secured::UperOriginal {
    #[inline]
    fn by_hand<'a>(octets: &'a [u8], place: &mut Option<original::SecuredData<'a>>) -> Result<(), Refused> {
        decode_original::message(Uper::new(octets), ready(place))
    }
}

impl ByHand for secured::UperP {
    #[inline]
    fn by_hand<'a>(octets: &'a [u8], place: &mut Option<p::SecuredData<'a>>) -> Result<(), Refused> {
        decode_p::message(Uper::new(octets), ready(place))
    }
}

/// The cell of a message.
pub(super) fn cell<S: ByHand>(notation: Notation, jer: &str) -> Result<Box<dyn Cell>, Absent> {
    Bench::boxed(Hand::<S> { notation, schema: PhantomData }, jer)
}

/// Decodes by hand, and encodes by generated code.
struct Hand<S> {
    notation: Notation,
    schema: PhantomData<S>,
}

impl<S: ByHand> Codec for Hand<S> {
    type Message<'a> = S::Message<'a>;
    type Buffer = Vec<u8>;
    type Error = String;

    fn message(&self, text: &str) -> Result<Self::Message<'static>, String> {
        S::message(&self.notation, text)
    }

    fn buffer(&self) -> Vec<u8> {
        vec![0; ROOM]
    }

    #[inline]
    fn encode(&self, message: &Self::Message<'_>, buffer: &mut Vec<u8>) -> Result<usize, String> {
        S::encode(message, buffer).map_err(|error| error.to_string())
    }

    fn octets<'b>(&self, buffer: &'b Vec<u8>, length: usize) -> &'b [u8] {
        &buffer[..length]
    }

    #[inline]
    fn decode<'a>(&self, octets: &'a [u8], place: &mut Option<Self::Message<'a>>) -> Result<(), String> {
        S::by_hand(octets, place).map_err(|why| why.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::super::cells::Engine;
    use super::super::description;
    use super::super::encoding::{Encoding, MESSAGE, Parts};
    use crate::gate;

    /// The gate: the octets come back, and every prefix is refused.
    #[test]
    fn every_message_is_decoded_by_hand() {
        let mut decoded = 0;
        for encoding in Encoding::ALL.into_iter().filter(|encoding| Engine::ByHand.has(*encoding)) {
            let parts = Parts::new(encoding).unwrap();
            for of in description::all().unwrap() {
                let Some(value) = super::super::message(&parts, &of).unwrap() else { continue };
                let mut cell = Engine::ByHand.cell(&parts, &value.to_string()).map_err(|why| why.0).unwrap();
                let octets = gate::judge(cell.as_mut()).unwrap_or_else(|why| panic!("{}: {why}", of.name));
                assert_eq!(octets, parts.encode(MESSAGE, &value).unwrap(), "{}", of.name);
                decoded += 1;
            }
        }
        assert!(decoded > 180, "{decoded}");
    }

    /// Whatever the octets, the result is that of the generated code, or a refusal.
    #[test]
    fn damaged_messages_are_refused_or_read_as_the_generated_code_reads_them() {
        let [mut alike, mut refused] = [0, 0];
        for encoding in Encoding::ALL.into_iter().filter(|encoding| Engine::ByHand.has(*encoding)) {
            let parts = Parts::new(encoding).unwrap();
            for of in description::all().unwrap().iter().step_by(7) {
                let Some(value) = super::super::message(&parts, of).unwrap() else { continue };
                let cell = |engine: Engine| engine.cell(&parts, &value.to_string()).map_err(|why| why.0).unwrap();
                let (mut by_hand, mut generated) = (cell(Engine::ByHand), cell(Engine::Lent));
                let octets = by_hand.bytes().unwrap();
                for at in 0..octets.len().min(300) {
                    let mut damaged = octets.clone();
                    damaged[at] ^= 1 << (at % 8);
                    match (by_hand.recode(&octets, &damaged), generated.recode(&octets, &damaged)) {
                        (Ok(one), other) => {
                            assert_eq!(Ok(one), other, "{} at {at}", of.name);
                            alike += 1;
                        }
                        (Err(_), _) => refused += 1,
                    }
                }
            }
        }
        assert!(alike > 1000 && refused > 100, "{alike} {refused}");
    }
}
