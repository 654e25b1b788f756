//! The study's certificate under one set of encoding rules: single calls between two readings of
//! the clock, and batches.

use std::borrow::Cow;
use std::marker::PhantomData;
use std::time::Instant;

use roadwire_engine::Message;
use roadwire_layout::Rules;
use roadwire_papers::certificate_2017::Certificate;

use roadwire_measure::cell::Done;

/// The certificate, or a message with one, under one set of encoding rules. The clock is read
/// inside, next to a direct call.
pub trait Codec<M = Certificate>: Sync {
    /// The encoding rules.
    fn rules(&self) -> Rules;

    /// Its name in quantities and records: that of the rules, if it writes what all implementations
    /// write under them.
    fn name(&self) -> &'static str {
        self.rules().name()
    }

    /// Encodes, and returns the number of octets and the wall nanoseconds between two readings of
    /// the clock.
    ///
    /// # Errors
    /// The codec's error.
    fn encode(&self, certificate: &M, output: &mut [u8]) -> Result<(usize, u64), String>;

    /// Decodes into `into`, and returns the wall nanoseconds between two readings of the clock.
    ///
    /// # Errors
    /// The codec's error.
    fn decode(&self, octets: &[u8], into: &mut M) -> Result<u64, String>;

    /// These certificates, ready to be encoded many times. Certificates that the format cannot hold
    /// are left out.
    fn batch<'c>(&'c self, certificates: &'c [M]) -> Box<dyn Batch + 'c>;

    /// Whether straight-line code encodes it, and decodes it again, without the interpreter.
    fn is_straight(&self, certificate: &M, output: &mut [u8]) -> (bool, bool);
}

/// Certificates as a codec's types in memory.
pub trait Batch {
    /// Encodes all, without a clock.
    fn encode_all(&self, output: &mut [u8]) -> Done;

    /// Decodes all over the same place, without a clock.
    fn decode_all(&mut self, encodings: &[Vec<u8>]) -> Done;
}

/// Wall nanoseconds of two readings of the clock with nothing between.
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

/// The result of `call`, and the wall nanoseconds between two readings of the clock.
#[inline(never)]
pub(super) fn clocked<T>(call: impl FnOnce() -> Result<T, String>) -> Result<(T, u64), String> {
    let start = Instant::now();
    let result = call();
    let time = nanoseconds(start);
    result.map(|done| (done, time))
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
