//! Where parts are in the octets of a message: a signature is over octets as they came.

use std::ops::Range;

use roadwire_engine::{Item, Limits, Listener, Message};
use roadwire_layout::Layout;
use roadwire_messages::Coer;
use roadwire_wire::Step;

use crate::Fault;

/// A way from the message to a part: names of components and alternatives; `*` stands for each
/// element of a list.
pub(super) type Way = &'static [&'static str];

/// Decodes a value, and finds where parts of it are in the octets. Octets after it are not read.
///
/// Returns the value, how many octets it takes, and for each part that is there the number of its
/// way and its place, in the order in which parts end.
///
/// # Errors
/// [`Fault::Encoding`].
pub(super) fn decode<M: Message<Coer>>(octets: &[u8], ways: &[Way]) -> Result<(M, usize, Parts), Fault> {
    let mut value = M::default();
    let ways = ways.iter().map(|way| (*way, 0, 0)).collect();
    let mut listening = Listening { ways, parts: Parts(Vec::new()), depth: 0, at: 0 };
    let bits =
        roadwire_engine::decode_with(M::layout(), octets, &mut value, &Limits::for_input(octets), &mut listening)?;
    value.check()?;
    Ok((value, (bits / 8).min(octets.len()), listening.parts))
}

/// Parts that were found: the number of the way, and the place.
#[derive(Debug)]
pub(super) struct Parts(Vec<(usize, Range<usize>)>);

impl Parts {
    /// All parts at the end of this way.
    pub(super) fn all(&self, way: usize) -> impl Iterator<Item = Range<usize>> + '_ {
        self.0.iter().filter(move |(number, _)| *number == way).map(|(_, place)| place.clone())
    }
}

struct Listening {
    /// Each way, how many of its steps have been gone, and where the part begins.
    ways: Vec<(Way, usize, usize)>,
    parts: Parts,
    depth: usize,
    /// The next bit.
    at: usize,
}

impl Listener for Listening {
    fn enter(&mut self, step: Step<'_>) {
        for (way, gone, from) in &mut self.ways {
            let is_next = match (step, way.get(*gone)) {
                (Step::Name(name), Some(next)) => name == *next,
                (Step::Index(_), Some(next)) => *next == "*",
                (_, None) => false,
            };
            if *gone == self.depth && is_next {
                *gone += 1;
                *from = self.at;
            }
        }
        self.depth += 1;
    }

    fn leave(&mut self) {
        for (number, (way, gone, from)) in self.ways.iter_mut().enumerate() {
            if *gone == self.depth && self.depth > 0 {
                if *gone == way.len() {
                    self.parts.0.push((number, *from / 8..self.at / 8));
                }
                *gone -= 1;
            }
        }
        self.depth = self.depth.saturating_sub(1);
    }

    fn item(&mut self, _: &Layout, item: &Item<'_>) {
        self.at = item.bit + item.bits;
    }
}
