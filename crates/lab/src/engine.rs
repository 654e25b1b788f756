//! What is put under test: an [`Engine`] offers a [`Cell`] for each message that it can encode and
//! decode under some encoding rules.
//!
//! An engine is added by writing a [`Codec`] (a few lines per message type) and listing its cells;
//! everything that is measured runs through [`Bench`], the same loops for everyone, compiled anew for
//! each codec so that no call through a table stands inside a timed loop.

use std::any::Any;
use std::fmt::Display;
use std::hint::black_box;

use serde::{Deserialize, Serialize};

use crate::content::{Message, Schema};
use crate::measure::clock;

/// What sort of implementation an engine is; tables group and colour by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Generated from a layout, time-optimised.
    Toed,
    /// The interpreter over a layout, space-optimised.
    Soed,
    /// Somebody else's implementation.
    Peer,
    /// Written by hand for one message: the reference of what a processor can do.
    Floor,
}

impl Kind {
    /// As in records.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Toed => "toed",
            Kind::Soed => "soed",
            Kind::Peer => "peer",
            Kind::Floor => "floor",
        }
    }
}

/// Encoding (message to octets) or decoding (octets to a message).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// From the in-memory message to octets.
    Encode,
    /// From octets to an in-memory message in a ready place.
    Decode,
}

impl Direction {
    /// Both, encoding first.
    pub const ALL: [Direction; 2] = [Direction::Encode, Direction::Decode];

    /// `encode` or `decode`, as in records and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Direction::Encode => "encode",
            Direction::Decode => "decode",
        }
    }
}

/// What happens inside the timed region, told in a word or two each and shown as columns.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimedRegion {
    /// What is allocated on the heap inside the region.
    pub allocation: String,
    /// Whether the output buffer is there, and large enough, before the region.
    pub presizing: String,
    /// Whether filling the message's fields is inside the region.
    pub population: String,
    /// What is checked inside the region.
    pub validation: String,
}

/// Why a cell is empty. Shown in its place, never left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Absent(pub String);

/// Something that can encode and decode messages of the studies.
pub trait Engine: Sync {
    /// Short and unique: `roadwire-toed`, `rasn`.
    fn name(&self) -> &str;
    /// Version of the implementation.
    fn version(&self) -> &str;
    /// What sort of implementation it is.
    fn kind(&self) -> Kind;
    /// Who wrote the codec; two engines of one origin do not confirm each other at the gate.
    fn origin(&self) -> &str;
    /// What its timed region contains.
    fn timed_region(&self) -> TimedRegion;
    /// The codec for one message, with the in-memory message built from the content's JER text.
    ///
    /// # Errors
    /// [`Absent`] says why this engine has no such cell.
    fn cell(&self, message: &Message, rules: &str) -> Result<Box<dyn Cell>, Absent>;
    /// Decodes any message of `schema` and encodes it again, for recorded traffic.
    ///
    /// # Errors
    /// [`Absent`] says why this engine does not know the schema.
    fn transcoder(&self, schema: Schema, rules: &str) -> Result<Box<dyn Transcode>, Absent>;
}

/// What came of a number of calls. It is compared after the clock has stopped: a loop that does less than it was asked for, or whose codec refuses what it is
/// given, would otherwise pass for a fast one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Done {
    /// Calls that succeeded.
    pub calls: u64,
    /// Octets that these wrote, or were given to read.
    pub octets: u64,
}

impl Done {
    /// Counts a call: the octets of one that succeeded.
    #[inline(always)]
    pub fn count(&mut self, octets: Option<usize>) {
        if let Some(octets) = octets {
            self.calls += 1;
            self.octets += octets as u64;
        }
    }

    /// What two numbers of calls did together.
    #[must_use]
    pub fn and(self, other: Done) -> Done {
        Done { calls: self.calls + other.calls, octets: self.octets + other.octets }
    }

    /// Compares with what was asked for.
    ///
    /// # Errors
    /// Says what is missing, or too much.
    pub fn check(self, calls: u64, octets: u64) -> Result<(), String> {
        if self == (Done { calls, octets }) {
            return Ok(());
        }
        Err(format!("{} calls with {} octets succeeded, not {calls} with {octets}", self.calls, self.octets))
    }
}

/// One sample of time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    /// CPU time of all calls, nanoseconds.
    pub cpu: f64,
    /// Wall time of all calls, nanoseconds.
    pub wall: f64,
    /// What the calls did.
    pub done: Done,
}

impl Sample {
    /// Times `work`, which says what it did.
    pub fn of(work: impl FnOnce() -> Done) -> Sample {
        let mut done = Done::default();
        let (cpu, wall) = clock::time(|| done = work());
        Sample { cpu, wall, done }
    }
}

/// Something that watches a piece of work from outside: it is handed the work, and runs it.
pub type Watch<'a> = &'a mut dyn FnMut(&mut dyn FnMut());

/// One engine's codec for one message: object-safe, every loop inside.
pub trait Cell {
    /// The message encoded.
    ///
    /// # Errors
    /// The engine's own message when it refuses the value.
    fn bytes(&mut self) -> Result<Vec<u8>, String>;
    /// Decodes `octets` and encodes the result again. The place that they are decoded into has been through `before` first, refused or
    /// not, so that nothing of an earlier message may show.
    ///
    /// # Errors
    /// The engine's own message when it refuses the octets.
    fn recode(&mut self, before: &[u8], octets: &[u8]) -> Result<Vec<u8>, String>;
    /// Runs one direction `count` times, results kept from being optimised away. Says what was done.
    fn batch(&mut self, direction: Direction, count: u64) -> Done;
    /// Times a [`Cell::batch`].
    fn sample(&mut self, direction: Direction, count: u64) -> Sample {
        Sample::of(|| self.batch(direction, count))
    }
    /// The smallest step of the clock that [`Cell::sample`] reads, nanoseconds.
    fn clock_step(&mut self, _: Direction) -> f64 {
        clock::resolution_nanoseconds() as f64
    }
    /// Whether it runs inside this program, where heap, stack and instructions can be watched.
    fn is_inside(&self) -> bool {
        true
    }
    /// Hands `watch` one run of one direction, to run as often as it likes. The run is one call of the function that the probes look for by
    /// name; all that it needs, the place for a decoded message too, is ready outside it.
    ///
    /// # Errors
    /// Says which runs did not do what they should have.
    fn probe(&mut self, direction: Direction, watch: Watch<'_>) -> Result<(), String>;
    /// Octets that the in-memory message occupies itself (`size_of`), without what it points to.
    fn message_size(&self) -> usize;
}

/// Decodes and re-encodes messages of one type.
pub trait Transcode {
    /// The octets after a decode, into a place that has been through `before`, and an encode.
    ///
    /// # Errors
    /// The engine's own message when it refuses.
    fn recode(&mut self, before: &[u8], octets: &[u8]) -> Result<Vec<u8>, String>;
    /// Times decoding (or encoding) all of `messages` `repeats` times. Messages to encode are decoded
    /// beforehand; octets that are refused then take no part.
    fn time(&mut self, messages: &[Vec<u8>], direction: Direction, repeats: u64) -> Sample;
}

/// One message type under one set of encoding rules in one implementation.
pub trait Codec: 'static {
    /// The in-memory message. It may borrow from the octets it was decoded from.
    type Message<'a>;
    /// What the implementation encodes into, made before the timed region and used again.
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
    /// Decodes into `place`, which holds the last message decoded there, or none yet. What it held may be used again, or dropped.
    ///
    /// # Errors
    /// The implementation's own; `place` then holds anything.
    fn decode<'a>(&self, octets: &'a [u8], place: &mut Option<Self::Message<'a>>) -> Result<(), Self::Error>;
}

/// The message in a place that one is decoded into. A new one is made in a function of its own, so that its octets are no part of what decoding takes of the stack.
pub(crate) fn ready<M: Default>(place: &mut Option<M>) -> &mut M {
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
    /// Builds the message from the content and encodes it once.
    ///
    /// # Errors
    /// Says why the content cannot be built or encoded.
    pub fn boxed(codec: C, content: &Message) -> Result<Box<dyn Cell>, Absent> {
        Self::of(codec, &content.jer())
    }

    /// The same with the message's JER text.
    ///
    /// # Errors
    /// Says why it cannot be built or encoded.
    pub fn of(codec: C, jer: &str) -> Result<Box<dyn Cell>, Absent> {
        let message = codec.message(jer).map_err(|why| Absent(format!("cannot build the message from JER: {why}")))?;
        let mut buffer = codec.buffer();
        let length =
            codec.encode(&message, &mut buffer).map_err(|why| Absent(format!("refuses the message: {why}")))?;
        let octets = codec.octets(&buffer, length).to_vec();
        Ok(Box::new(Bench { codec, message, buffer, octets }))
    }
}

impl<C: Codec> Cell for Bench<C> {
    fn bytes(&mut self) -> Result<Vec<u8>, String> {
        let length = self.codec.encode(&self.message, &mut self.buffer).map_err(|e| e.to_string())?;
        Ok(self.codec.octets(&self.buffer, length).to_vec())
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
                // The place is ready before the region, as it is in the timed loop.
                let mut place = None;
                black_box(self.codec.decode(&self.octets, &mut place).is_ok());
                watch(&mut || {
                    runs += 1;
                    let result = roadwire_probe_region_decode(&self.codec, &self.octets, &mut place);
                    done.count(result.is_ok().then_some(self.octets.len()));
                });
            }
        }
        done.check(runs, runs * self.octets.len() as u64)
    }

    fn message_size(&self) -> usize {
        size_of::<C::Message<'static>>()
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
            Direction::Decode => Sample::of(|| {
                messages.iter().fold(Done::default(), |done, octets| done.and(decode_loop(codec, octets, repeats)))
            }),
            Direction::Encode => {
                let decoded: Vec<_> = messages
                    .iter()
                    .filter_map(|octets| {
                        let mut place = None;
                        codec.decode(octets, &mut place).ok().and(place)
                    })
                    .collect();
                Sample::of(|| {
                    let all = decoded.iter();
                    all.fold(Done::default(), |done, message| done.and(encode_loop(codec, message, buffer, repeats)))
                })
            }
        }
    }
}

fn recode<C: Codec>(codec: &C, buffer: &mut C::Buffer, before: &[u8], octets: &[u8]) -> Result<Vec<u8>, String> {
    let mut place = None;
    // Whether it is refused is not asked.
    _ = codec.decode(before, &mut place);
    codec.decode(octets, &mut place).map_err(|e| e.to_string())?;
    let message = place.ok_or("decoded nothing")?;
    let length = codec.encode(&message, buffer).map_err(|e| e.to_string())?;
    Ok(codec.octets(buffer, length).to_vec())
}

/// The timed loop of encoding. Input, buffer and result go through `black_box`, so that the compiler
/// can neither hoist the work out of the loop nor drop it.
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

/// The timed loop of decoding, always into the same place; what an implementation drops it drops inside the loop.
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

/// One encoding, in a function of its own that Callgrind finds by name and whose stack is painted.
#[inline(never)]
fn roadwire_probe_region_encode<C: Codec>(
    codec: &C,
    message: &C::Message<'_>,
    buffer: &mut C::Buffer,
) -> Result<usize, C::Error> {
    codec.encode(black_box(message), black_box(buffer))
}

/// One decoding, likewise, into a place that is ready.
#[inline(never)]
fn roadwire_probe_region_decode<'a, C: Codec>(
    codec: &C,
    octets: &'a [u8],
    place: &mut Option<C::Message<'a>>,
) -> Result<(), C::Error> {
    codec.decode(black_box(octets), black_box(place))
}
