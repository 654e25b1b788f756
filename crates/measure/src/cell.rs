//! The subject of a measurement: a [`Cell`] is one implementation's codec of one message, with
//! every timed loop inside.

use serde::{Deserialize, Serialize};

use crate::clock;
use crate::heap::Heap;

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

/// Why a cell is empty. Shown in its place, never left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Absent(pub String);

/// The result of a number of calls. It is checked after the clock has stopped: otherwise a loop
/// that does too little, or whose codec refuses its input, would look fast.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Done {
    /// Calls that succeeded.
    pub calls: u64,
    /// Octets that these wrote or read.
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

    /// The sum of two results.
    #[must_use]
    pub fn and(self, other: Done) -> Done {
        Done { calls: self.calls + other.calls, octets: self.octets + other.octets }
    }

    /// Compares with the expected result.
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
    /// The result of the calls.
    pub done: Done,
}

impl Sample {
    /// Times `work`, which returns its result.
    pub fn of(work: &mut dyn FnMut() -> Done) -> Sample {
        let mut done = Done::default();
        let (cpu, wall) = clock::time(&mut || done = work());
        Sample { cpu, wall, done }
    }
}

/// Memory of one operation, as a program of its own reports it. Where it reports none, the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reported {
    /// Its heap.
    pub heap: Result<Heap, String>,
    /// Its stack below the caller, octets.
    pub stack: Result<usize, String>,
}

impl Reported {
    /// No figures, for this reason.
    #[must_use]
    pub fn nothing(why: &str) -> Reported {
        Reported { heap: Err(why.to_owned()), stack: Err(why.to_owned()) }
    }
}

/// A function that measures work from outside: it is given the work, and runs it.
pub type Watch<'a> = &'a mut dyn FnMut(&mut dyn FnMut());

/// One engine's codec for one message: object-safe, every loop inside.
pub trait Cell {
    /// The message encoded.
    ///
    /// # Errors
    /// The engine's own message when it refuses the value.
    fn bytes(&mut self) -> Result<Vec<u8>, String>;
    /// Decodes `octets` and encodes the result again. `before` is first decoded into the same
    /// place, even if it is refused, to check that nothing of an earlier message remains.
    ///
    /// # Errors
    /// The engine's own message when it refuses the octets.
    fn recode(&mut self, before: &[u8], octets: &[u8]) -> Result<Vec<u8>, String>;
    /// Runs one direction `count` times, with results kept from being optimised away. Returns what
    /// was done.
    fn batch(&mut self, direction: Direction, count: u64) -> Done;
    /// Times a [`Cell::batch`].
    fn sample(&mut self, direction: Direction, count: u64) -> Sample {
        Sample::of(&mut || self.batch(direction, count))
    }
    /// The smallest step of the clock that [`Cell::sample`] reads, nanoseconds.
    fn clock_step(&mut self, _: Direction) -> f64 {
        clock::resolution_nanoseconds() as f64
    }
    /// Whether it runs inside this program, where heap, stack and instructions can be measured.
    fn is_inside(&self) -> bool {
        true
    }
    /// Gives `watch` one run of one direction, to run as often as it needs. The run is one call of
    /// the function that the probes find by name; everything it needs, including the place for a
    /// decoded message, is prepared outside.
    ///
    /// # Errors
    /// The runs that did not do what they should have.
    fn probe(&mut self, direction: Direction, watch: Watch<'_>) -> Result<(), String>;
    /// The figures of one operation that a cell outside this program reports. Others are probed.
    fn reported(&mut self, _: Direction) -> Reported {
        Reported::nothing("it is probed, and reports nothing")
    }
    /// Octets that the in-memory message occupies itself (`size_of`), without what it points to;
    /// `None` if the implementation does not know.
    fn message_size(&self) -> Option<usize>;
}

/// Decodes and re-encodes messages of one type.
pub trait Transcode {
    /// The octets after decoding, into a place into which `before` was decoded first, and encoding.
    ///
    /// # Errors
    /// The engine's own message when it refuses.
    fn recode(&mut self, before: &[u8], octets: &[u8]) -> Result<Vec<u8>, String>;
    /// Times decoding (or encoding) all of `messages` `repeats` times. Messages to encode are
    /// decoded beforehand; refused octets are left out.
    fn time(&mut self, messages: &[Vec<u8>], direction: Direction, repeats: u64) -> Sample;
    /// The smallest step of the clock that [`Transcode::time`] reads, nanoseconds.
    fn clock_step(&mut self, _messages: &[Vec<u8>], _: Direction) -> f64 {
        clock::resolution_nanoseconds() as f64
    }
    /// Whether it runs inside this program. Only a program of its own goes through all messages
    /// before it repeats one.
    fn is_inside(&self) -> bool {
        true
    }
}
