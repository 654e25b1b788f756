//! What generated code implements.

use roadwire_layout::Layout;
use roadwire_wire::{Data, Error, Rejected};

use crate::canonical;

/// A message type under the encoding rules `E`: straight-line code for what is common, and the interpreter over the same layout for
/// what is rare (values outside an extensible root, extension additions, unbounded parts) and for saying what is wrong.
pub trait Message<E>: Data + Default + Sized {
    /// The fewest octets that an encoding has.
    const MIN_OCTETS: usize;
    /// The most octets that one has (unknown extension additions and values outside extensible roots aside); `None` without a bound.
    const MAX_OCTETS: Option<usize>;

    /// Whether [`Message::decode`] and its like check constraints that no encoding sees, as [`Message::encode`] does.
    const CHECKS_DECODED: bool = false;

    /// The layout.
    fn layout() -> &'static Layout;

    /// Checks the constraints that no encoding sees (X.680 §51): single values, gaps, EXCEPT, patterns, inner subtyping.
    ///
    /// # Errors
    /// A constraint that the value breaks, as written, with the field path; the bit is 0.
    #[inline]
    fn check(&self) -> Result<(), Error<'static>> {
        Ok(())
    }

    /// The straight-line encoder alone. It does not [check](Message::check).
    ///
    /// # Errors
    /// The value is outside its constraint, or is of a rare form; or the output is full.
    fn encode_fast(&self, output: &mut [u8]) -> Result<usize, Rejected>;

    /// The straight-line decoder alone.
    ///
    /// # Errors
    /// The input is cut short, outside a constraint, or of a rare form.
    fn decode_fast(&mut self, input: &[u8]) -> Result<usize, Rejected>;

    /// Encodes a complete message into `output`, and tells how many octets it took.
    ///
    /// # Errors
    /// A value outside its constraint, with the field path; an output that is too small.
    #[inline]
    fn encode(&self, output: &mut [u8]) -> Result<usize, Error<'static>> {
        self.check()?;
        match self.encode_fast(output) {
            Ok(octets) => Ok(octets),
            Err(Rejected) => interpret_encode(Self::layout(), self, output),
        }
    }

    /// Decodes a complete message over `self`, and tells how many bits it took. What follows them is left alone.
    ///
    /// # Errors
    /// What is wrong, at which bit, in which field. `self` then holds some valid value.
    #[inline]
    fn decode(&mut self, input: &[u8]) -> Result<usize, Error<'static>> {
        let bits = match self.decode_fast(input) {
            Ok(bits) => bits,
            Err(Rejected) => interpret_decode(Self::layout(), input, self)?,
        };
        checked::<E, Self>(self, bits)
    }

    /// As [`Message::decode`], but refuses every encoding other than the canonical one, that which [`Message::encode`] writes: for messages that are signed.
    /// `scratch` is room for it, as much as the message takes. (What unknown extension additions contain nobody can look at.)
    ///
    /// # Errors
    /// As [`Message::decode`]; [`ErrorKind::NotCanonical`](roadwire_wire::ErrorKind::NotCanonical) at the first bit that differs;
    /// [`ErrorKind::OutputFull`](roadwire_wire::ErrorKind::OutputFull) where `scratch` is too small.
    #[inline]
    fn decode_canonical(&mut self, input: &[u8], scratch: &mut [u8]) -> Result<usize, Error<'static>> {
        let bits = self.decode(input)?;
        let octets = self.encode(scratch)?;
        canonical::compare(Self::layout(), input, bits, scratch.get(..octets).unwrap_or(&[]), self)
    }
}

/// A message type that borrows its strings from what it is decoded from, under the encoding rules `E`: what [`Message`] has for octets that nobody keeps, this has for octets that live for `'a`.
///
/// [`Message::decode`] gives such a type strings of its own, by the interpreter; it does so for input that goes away.
pub trait Lent<'a, E>: Message<E> {
    /// The straight-line decoder alone.
    ///
    /// # Errors
    /// The input is cut short, outside a constraint, or of a rare form.
    fn decode_lent_fast(&mut self, input: &'a [u8]) -> Result<usize, Rejected>;

    /// As [`Message::decode`], with strings that are parts of `input`, but for those of rare forms, which are copies.
    ///
    /// # Errors
    /// As [`Message::decode`].
    #[inline]
    fn decode_lent(&mut self, input: &'a [u8]) -> Result<usize, Error<'static>> {
        let bits = match self.decode_lent_fast(input) {
            Ok(bits) => bits,
            Err(Rejected) => interpret_decode(Self::layout(), input, self)?,
        };
        checked::<E, Self>(self, bits)
    }

    /// As [`Message::decode_canonical`], with strings that are parts of `input`.
    ///
    /// # Errors
    /// As [`Message::decode_canonical`].
    #[inline]
    fn decode_lent_canonical(&mut self, input: &'a [u8], scratch: &mut [u8]) -> Result<usize, Error<'static>> {
        let bits = self.decode_lent(input)?;
        let octets = self.encode(scratch)?;
        canonical::compare(Self::layout(), input, bits, scratch.get(..octets).unwrap_or(&[]), self)
    }
}

/// The bits that a message took, if it keeps the constraints that its type checks on decoding.
#[inline(always)]
pub(crate) fn checked<E, M: Message<E>>(message: &M, bits: usize) -> Result<usize, Error<'static>> {
    if M::CHECKS_DECODED {
        message.check()?;
    }
    Ok(bits)
}

#[cold]
#[inline(never)]
fn interpret_encode(layout: &'static Layout, value: &dyn Data, output: &mut [u8]) -> Result<usize, Error<'static>> {
    crate::encode(layout, value, output)
}

#[cold]
#[inline(never)]
fn interpret_decode(layout: &'static Layout, input: &[u8], value: &mut dyn Data) -> Result<usize, Error<'static>> {
    crate::decode(layout, input, value)
}
