//! Messages that report where chosen parts begin and end while they are encoded or decoded.

use alloc::vec::Vec;

use roadwire_layout::Layout;
use roadwire_wire::{Data, Error, Rejected, Step, Tap};

use crate::codec::{Message, checked};
use crate::limits::Limits;
use crate::listener::{Item, Listener};

/// A message type with chosen parts for which a [`Tap`] is called, under the encoding rules `E`;
/// decoded from octets that live for `'a`.
pub trait Tapped<'a, E>: Message<E> {
    /// The paths to the parts, and the number of each part.
    const WAYS: &'static [Way];

    /// The straight-line encoder alone.
    ///
    /// # Errors
    /// As [`Message::encode_fast`].
    fn encode_tapped_fast<T: Tap>(&self, output: &mut [u8], tap: &mut T) -> Result<usize, Rejected>;

    /// The straight-line decoder alone.
    ///
    /// # Errors
    /// As [`Message::decode_fast`].
    fn decode_tapped_fast<T: Tap>(&mut self, input: &'a [u8], tap: &mut T) -> Result<usize, Rejected>;

    /// As [`Message::encode`]. If the interpreter takes over, the tap is called only when the
    /// message is complete.
    ///
    /// # Errors
    /// As [`Message::encode`].
    #[inline]
    fn encode_tapped<T: Tap>(&self, output: &mut [u8], tap: &mut T) -> Result<usize, Error<'static>> {
        self.check()?;
        match self.encode_tapped_fast(output, tap) {
            Ok(octets) => Ok(octets),
            Err(Rejected) => {
                let octets = crate::encode(Self::layout(), self, output)?;
                let written = output.get(..octets).unwrap_or(&[]);
                interpret_decode(Self::layout(), written, &mut Self::default(), Self::WAYS, tap)?;
                Ok(octets)
            }
        }
    }

    /// As [`Message::decode`], and [`Lent::decode_lent`](crate::Lent::decode_lent) for types that
    /// borrow.
    ///
    /// # Errors
    /// As [`Message::decode`].
    #[inline]
    fn decode_tapped<T: Tap>(&mut self, input: &'a [u8], tap: &mut T) -> Result<usize, Error<'static>> {
        let bits = match self.decode_tapped_fast(input, tap) {
            Ok(bits) => bits,
            Err(Rejected) => interpret_decode(Self::layout(), input, self, Self::WAYS, tap)?,
        };
        checked::<E, Self>(self, bits)
    }
}

/// A path to a part: the names of components and alternatives from the message on, and the part's
/// number.
pub type Way = (&'static [&'static str], usize);

#[cold]
#[inline(never)]
fn interpret_decode(
    layout: &'static Layout,
    input: &[u8],
    value: &mut dyn Data,
    ways: &'static [Way],
    tap: &mut dyn Tap,
) -> Result<usize, Error<'static>> {
    let ways = ways.iter().map(|way| (*way, 0)).collect();
    let mut tapping = Tapping { tap, input, ways, depth: 0, at: 0 };
    crate::decode_with(layout, input, value, &Limits::for_input(input), &mut tapping)
}

/// A listener that calls a tap.
struct Tapping<'t> {
    tap: &'t mut dyn Tap,
    input: &'t [u8],
    /// Each path, with the number of its steps that have been matched.
    ways: Vec<(Way, usize)>,
    /// The current depth.
    depth: usize,
    /// The next bit.
    at: usize,
}

impl Listener for Tapping<'_> {
    fn enter(&mut self, step: Step<'_>) {
        for ((names, part), gone) in &mut self.ways {
            if *gone == self.depth && matches!((step, names.get(*gone)), (Step::Name(a), Some(b)) if a == *b) {
                *gone += 1;
                if *gone == names.len() {
                    self.tap.begins(*part, self.at);
                }
            }
        }
        self.depth += 1;
    }

    fn leave(&mut self) {
        for ((names, part), gone) in &mut self.ways {
            if *gone == self.depth {
                // A message that is refused may seem to extend past the end of the input.
                if *gone == names.len() && self.at <= self.input.len() * 8 {
                    self.tap.ends(*part, self.input, self.at);
                }
                *gone -= 1;
            }
        }
        self.depth -= 1;
    }

    fn item(&mut self, _: &Layout, item: &Item<'_>) {
        self.at = item.bit + item.bits;
    }
}
