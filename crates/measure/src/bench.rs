//! An implementation is added by writing a [`Codec`], a few lines for each message type. Everything
//! that is measured runs through [`Bench`], with the same loops for all, compiled for each codec so
//! that no timed loop contains an indirect call.

use std::any::Any;
use std::fmt::Display;
use std::hint::black_box;

use crate::cell::{Absent, Cell, Direction, Done, Sample, Transcode, Watch};

/// One message type under one set of encoding rules in one implementation.
pub trait Codec: 'static {
    /// The in-memory message. It may borrow from the octets it was decoded from.
    type Message<'a>;
    /// The buffer into which the implementation encodes, made before the timed region and reused.
    type Buffer: Any;
    /// The implementation's own error.
    type Error: Display;

    /// Builds the in-memory message from JER (X.697) text.
    ///
    /// # Errors
    /// Says why the text is not a value of the type.
    fn message(&self, jer: &str) -> Result<Self::Message<'static>, String>;
    /// A buffer that holds any message of the studies.
    fn buffer(&self) -> Self::Buffer;
    /// Encodes into the buffer from its start; the number of octets.
    ///
    /// # Errors
    /// The implementation's own.
    fn encode(&self, message: &Self::Message<'_>, buffer: &mut Self::Buffer) -> Result<usize, Self::Error>;
    /// The octets that the last [`Codec::encode`] left in the buffer.
    fn octets<'b>(&self, buffer: &'b Self::Buffer, length: usize) -> &'b [u8];
    /// Decodes into `place`, which holds the last message decoded there, or none yet. The old
    /// message may be reused or dropped.
    ///
    /// # Errors
    /// The implementation's own; `place` then holds anything.
    fn decode<'a>(&self, octets: &'a [u8], place: &mut Option<Self::Message<'a>>) -> Result<(), Self::Error>;
    /// Octets that the in-memory message occupies itself, without what it points to.
    fn message_size(&self) -> usize {
        size_of::<Self::Message<'static>>()
    }
}

/// The message in a place that one is decoded into. A new one is made in a separate function, so
/// that its octets do not count as stack used by decoding.
pub fn ready<M: Default>(place: &mut Option<M>) -> &mut M {
    #[cold]
    #[inline(never)]
    fn make<M: Default>(place: &mut Option<M>) -> &mut M {
        place.insert(M::default())
    }
    match place {
        Some(message) => message,
        none => make(none),
    }
}

/// A [`Codec`] with a message, a buffer and the message's octets: the measured thing.
pub struct Bench<C: Codec> {
    codec: C,
    message: C::Message<'static>,
    buffer: C::Buffer,
    octets: Vec<u8>,
}

impl<C: Codec> Bench<C> {
    /// Builds the message from its JER text, and encodes it once.
    ///
    /// # Errors
    /// Says why it cannot be built or encoded.
    pub fn boxed(codec: C, jer: &str) -> Result<Box<dyn Cell>, Absent> {
        let message = codec.message(jer).map_err(not_built)?;
        let mut buffer = codec.buffer();
        let octets = encode_once(&codec, &message, &mut buffer).map_err(refused)?;
        Ok(Box::new(Bench { codec, message, buffer, octets }))
    }
}

impl<C: Codec> Cell for Bench<C> {
    fn bytes(&mut self) -> Result<Vec<u8>, String> {
        encode_once(&self.codec, &self.message, &mut self.buffer)
    }

    fn recode(&mut self, before: &[u8], octets: &[u8]) -> Result<Vec<u8>, String> {
        recode(&self.codec, &mut self.buffer, before, octets)
    }

    fn batch(&mut self, direction: Direction, count: u64) -> Done {
        match direction {
            Direction::Encode => encode_loop(&self.codec, &self.message, &mut self.buffer, count),
            Direction::Decode => decode_loop(&self.codec, &self.octets, count),
        }
    }

    fn probe(&mut self, direction: Direction, watch: Watch<'_>) -> Result<(), String> {
        let (mut runs, mut done) = (0, Done::default());
        match direction {
            Direction::Encode => watch(&mut || {
                runs += 1;
                done.count(roadwire_probe_region_encode(&self.codec, &self.message, &mut self.buffer).ok());
            }),
            Direction::Decode => {
                // The place is prepared before the region, as in the timed loop.
                let mut place = None;
                black_box(decode_into(&self.codec, &self.octets, &mut place).is_ok());
                watch(&mut || {
                    runs += 1;
                    let result = roadwire_probe_region_decode(&self.codec, &self.octets, &mut place);
                    done.count(result.is_ok().then_some(self.octets.len()));
                });
            }
        }
        done.check(runs, runs * self.octets.len() as u64)
    }

    fn message_size(&self) -> Option<usize> {
        Some(self.codec.message_size())
    }
}

/// A [`Codec`] and a buffer, for octets that come from elsewhere.
pub struct Recoder<C: Codec> {
    codec: C,
    buffer: C::Buffer,
}

impl<C: Codec> Recoder<C> {
    /// A transcoder over the codec.
    pub fn boxed(codec: C) -> Box<dyn Transcode> {
        let buffer = codec.buffer();
        Box::new(Recoder { codec, buffer })
    }
}

impl<C: Codec> Transcode for Recoder<C> {
    fn recode(&mut self, before: &[u8], octets: &[u8]) -> Result<Vec<u8>, String> {
        recode(&self.codec, &mut self.buffer, before, octets)
    }

    fn time(&mut self, messages: &[Vec<u8>], direction: Direction, repeats: u64) -> Sample {
        let (codec, buffer) = (&self.codec, &mut self.buffer);
        match direction {
            Direction::Decode => Sample::of(&mut || {
                messages.iter().fold(Done::default(), |done, octets| done.and(decode_loop(codec, octets, repeats)))
            }),
            Direction::Encode => {
                let decoded: Vec<_> = messages.iter().filter_map(|octets| decode_once(codec, octets).ok()).collect();
                Sample::of(&mut || {
                    let all = decoded.iter();
                    all.fold(Done::default(), |done, message| done.and(encode_loop(codec, message, buffer, repeats)))
                })
            }
        }
    }
}

fn recode<C: Codec>(codec: &C, buffer: &mut C::Buffer, before: &[u8], octets: &[u8]) -> Result<Vec<u8>, String> {
    let mut place = None;
    // It may be refused.
    _ = decode_into(codec, before, &mut place);
    decode_into(codec, octets, &mut place)?;
    encode_once(codec, place.as_ref().ok_or(NOTHING)?, buffer)
}

const NOTHING: &str = "decoded nothing";

/// Encodes outside of timed loops and probes. Codecs are inlined into these, and all other calls
/// share this one function: the laboratory has hundreds of codecs, and each copy takes time to
/// compile.
#[inline(never)]
fn encode_once<C: Codec>(codec: &C, message: &C::Message<'_>, buffer: &mut C::Buffer) -> Result<Vec<u8>, String> {
    let length = codec.encode(message, buffer).map_err(text)?;
    Ok(codec.octets(buffer, length).to_vec())
}

/// Decodes outside of timed loops and probes, in the same way.
#[inline(never)]
fn decode_into<'a, C: Codec>(codec: &C, octets: &'a [u8], place: &mut Option<C::Message<'a>>) -> Result<(), String> {
    codec.decode(octets, place).map_err(text)
}

/// The message that octets are, decoded outside of timed loops and probes.
///
/// # Errors
/// Those of the implementation.
pub fn decode_once<'a, C: Codec>(codec: &C, octets: &'a [u8]) -> Result<C::Message<'a>, String> {
    let mut place = None;
    decode_into(codec, octets, &mut place)?;
    place.ok_or_else(|| NOTHING.into())
}

/// An implementation's error as text: the same function for all of its codecs.
#[cold]
#[inline(never)]
fn text<E: Display>(error: E) -> String {
    error.to_string()
}

#[cold]
#[inline(never)]
fn not_built(why: String) -> Absent {
    Absent(format!("cannot build the message from JER: {why}"))
}

#[cold]
#[inline(never)]
fn refused(why: String) -> Absent {
    Absent(format!("refuses the message: {why}"))
}

/// The timed loop of encoding. Input, buffer and result go through `black_box`, so that the
/// compiler can neither hoist the work out of the loop nor drop it.
#[inline(never)]
fn encode_loop<C: Codec>(codec: &C, message: &C::Message<'_>, buffer: &mut C::Buffer, count: u64) -> Done {
    let mut done = Done::default();
    for _ in 0..count {
        let length = codec.encode(black_box(message), black_box(&mut *buffer));
        black_box(&length);
        done.count(length.ok());
    }
    done
}

/// The timed loop of decoding, always into the same place; drops of an implementation are inside
/// the loop.
#[inline(never)]
fn decode_loop<C: Codec>(codec: &C, octets: &[u8], count: u64) -> Done {
    let mut place = None;
    let mut done = Done::default();
    for _ in 0..count {
        let given = black_box(octets);
        let result = codec.decode(given, black_box(&mut place));
        black_box(&result);
        done.count(result.is_ok().then_some(given.len()));
    }
    done
}

/// One encoding, in a separate function that Callgrind finds by name and whose stack is painted.
#[inline(never)]
fn roadwire_probe_region_encode<C: Codec>(
    codec: &C,
    message: &C::Message<'_>,
    buffer: &mut C::Buffer,
) -> Result<usize, C::Error> {
    codec.encode(black_box(message), black_box(buffer))
}

/// One decoding, also in a separate function, into a place that is prepared.
#[inline(never)]
fn roadwire_probe_region_decode<'a, C: Codec>(
    codec: &C,
    octets: &'a [u8],
    place: &mut Option<C::Message<'a>>,
) -> Result<(), C::Error> {
    codec.decode(black_box(octets), black_box(place))
}
