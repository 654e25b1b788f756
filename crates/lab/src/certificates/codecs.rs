//! The codecs of the study's certificate, one for each set of encoding rules that the messages crate has it under.
//!
//! Nothing is listed here as present: every marker type is asked whether the certificate is a message under it.

use std::borrow::Cow;
use std::marker::PhantomData;
use std::time::Instant;

use roadwire_engine::Message;
use roadwire_layout::{
    Aper, Ber, Cer, Coer, Cxer, Der, Exer, Exi, ExiDefault, ExiMerged, ExiSplit, Jer, Oer, Protobuf, RuleSet, Rules,
    Tls, Uper, Xer,
};
use roadwire_messages::certificate_2017::Certificate;

use super::binary::Binary;
use super::generator::Generator;
use crate::engine::Done;

/// The certificate under one set of encoding rules. The clock is read inside, next to a call that the compiler sees.
pub trait Codec: Sync {
    /// Which rules.
    fn rules(&self) -> Rules;

    /// Encodes, and tells octets and wall nanoseconds between two readings of the clock.
    ///
    /// # Errors
    /// What the codec says.
    fn encode(&self, certificate: &Certificate, output: &mut [u8]) -> Result<(usize, u64), String>;

    /// Decodes over `into`, and tells wall nanoseconds between two readings of the clock.
    ///
    /// # Errors
    /// What the codec says.
    fn decode(&self, octets: &[u8], into: &mut Certificate) -> Result<u64, String>;

    /// These certificates, ready to be encoded many times. What the format has no place for is not among them.
    fn batch<'c>(&self, certificates: &'c [Certificate]) -> Box<dyn Batch + 'c>;

    /// Whether straight-line code encodes it, and decodes it again, without the interpreter.
    fn is_straight(&self, certificate: &Certificate, output: &mut [u8]) -> (bool, bool);
}

/// Certificates in the memory that a codec knows them in.
pub trait Batch {
    /// Encodes all, without a clock.
    fn encode_all(&self, output: &mut [u8]) -> Done;

    /// Decodes all over the same place, without a clock.
    fn decode_all(&mut self, encodings: &[Vec<u8>]) -> Done;
}

/// Wall nanoseconds that two readings of the clock take with nothing between.
pub fn empty_region() -> u64 {
    nanoseconds(Instant::now())
}

fn nanoseconds(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_nanos()).unwrap_or(u64::MAX)
}

/// As [`Codec::encode`].
#[inline(never)]
pub(super) fn encode<E, M: Message<E>>(message: &M, output: &mut [u8]) -> Result<(usize, u64), String> {
    let start = Instant::now();
    let result = message.encode(output);
    let time = nanoseconds(start);
    result.map(|octets| (octets, time)).map_err(|error| error.to_string())
}

/// As [`Codec::decode`].
#[inline(never)]
pub(super) fn decode<E, M: Message<E>>(octets: &[u8], into: &mut M) -> Result<u64, String> {
    let start = Instant::now();
    let result = into.decode(octets);
    let time = nanoseconds(start);
    result.map(|_| time).map_err(|error| error.to_string())
}

/// As [`Codec::is_straight`].
pub(super) fn is_straight<E, M: Message<E>>(message: &M, output: &mut [u8]) -> (bool, bool) {
    let encoded = message.encode_fast(output).is_ok();
    let decoded = message.encode(output).is_ok_and(|octets| M::default().decode_fast(&output[..octets]).is_ok());
    (encoded, decoded)
}

/// Messages of one type.
pub(super) struct InMemory<'c, E, M: Clone> {
    messages: Cow<'c, [M]>,
    place: Box<M>,
    rules: PhantomData<fn() -> E>,
}

impl<'c, E, M: Message<E> + Clone> InMemory<'c, E, M> {
    pub(super) fn new(messages: Cow<'c, [M]>) -> Self {
        InMemory { messages, place: Box::default(), rules: PhantomData }
    }
}

impl<E, M: Message<E> + Clone> Batch for InMemory<'_, E, M> {
    #[inline(never)]
    fn encode_all(&self, output: &mut [u8]) -> Done {
        let mut done = Done::default();
        for message in &*self.messages {
            done.count(std::hint::black_box(message).encode(output).ok());
            std::hint::black_box(&mut *output);
        }
        done
    }

    #[inline(never)]
    fn decode_all(&mut self, encodings: &[Vec<u8>]) -> Done {
        let mut done = Done::default();
        for octets in encodings {
            let given = std::hint::black_box(octets);
            done.count(self.place.decode(given).is_ok().then_some(given.len()));
            std::hint::black_box(&mut *self.place);
        }
        done
    }
}

struct Under<E>(PhantomData<fn() -> E>);

impl<E: RuleSet + 'static> Codec for Under<E>
where
    Certificate: Message<E>,
{
    fn rules(&self) -> Rules {
        E::RULES
    }

    fn encode(&self, certificate: &Certificate, output: &mut [u8]) -> Result<(usize, u64), String> {
        encode::<E, _>(certificate, output)
    }

    fn decode(&self, octets: &[u8], into: &mut Certificate) -> Result<u64, String> {
        decode::<E, _>(octets, into)
    }

    fn batch<'c>(&self, certificates: &'c [Certificate]) -> Box<dyn Batch + 'c> {
        Box::new(InMemory::<E, _>::new(certificates.into()))
    }

    fn is_straight(&self, certificate: &Certificate, output: &mut [u8]) -> (bool, bool) {
        is_straight::<E, _>(certificate, output)
    }
}

/// Asks about one marker type: the inherent function is chosen where its bound holds, the trait's elsewhere.
struct Ask<E>(PhantomData<fn() -> E>);

trait NoCodec {
    fn codec(&self) -> Option<Box<dyn Codec>> {
        None
    }
}

impl<E> NoCodec for Ask<E> {}

impl<E: RuleSet + 'static> Ask<E>
where
    Certificate: Message<E>,
{
    #[allow(clippy::unnecessary_wraps, reason = "the trait's function of this name has none to give")]
    fn codec(&self) -> Option<Box<dyn Codec>> {
        Some(Box::new(Under::<E>(PhantomData)))
    }
}

/// All that have certificates of this generator, in the paper's order; what it does not have comes after.
pub fn all(generator: Generator) -> Vec<Box<dyn Codec>> {
    macro_rules! ask {
        ($($rules:ident)*) => { [$(Ask::<$rules>(PhantomData).codec()),*] };
    }
    let asked = ask!(Aper Uper Der Ber Oer Coer Xer Cxer Exer Cer Jer Protobuf Exi ExiDefault ExiMerged ExiSplit Tls);
    // What the uniform generator draws the binary format has no place for: numbers below zero, milliseconds, names longer than 32 octets.
    let binary = (generator == Generator::Fitted).then(|| Box::new(Binary) as Box<dyn Codec>);
    binary.into_iter().chain(asked.into_iter().flatten()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_marker_type_is_asked() {
        macro_rules! listed {
            ($($rules:ident)*) => { [$($rules::RULES),*] };
        }
        let mut listed =
            listed!(Aper Uper Der Ber Oer Coer Xer Cxer Exer Cer Jer Protobuf Exi ExiDefault ExiMerged ExiSplit Tls);
        listed.sort();
        assert_eq!(listed, Rules::ALL);
        assert!(all(Generator::Uniform).iter().any(|codec| codec.rules() == Rules::Uper));
    }
}
