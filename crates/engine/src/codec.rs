//! What generated code implements.

use alloc::boxed::Box;

use roadwire_layout::Layout;
use roadwire_wire::{Data, Error, Reader, Rejected, Writer};

use crate::canonical;

/// A part of a message with straight-line code of its own under the encoding rules `E`.
pub trait Codec<E> {
    /// Appends the encoding.
    ///
    /// # Errors
    /// The value is outside its constraint, or is of a rare form; or the output is full.
    fn encode_to(&self, writer: &mut Writer<'_>) -> Result<(), Rejected>;

    /// Overwrites `self` with what is read.
    ///
    /// # Errors
    /// The input is cut short, outside a constraint, or of a rare form. `self` then holds some valid value.
    fn decode_from(&mut self, reader: &mut Reader<'_>) -> Result<(), Rejected>;
}

/// The same for a part in which a type that contains itself may come: `levels` is how many levels of nesting there may still be, of those that the interpreter's
/// [`Limits`](crate::Limits) allow. A type that contains itself refuses when there are fewer than its body has up to where it comes again.
pub trait Nested<E> {
    /// As [`Codec::encode_to`].
    ///
    /// # Errors
    /// As [`Codec::encode_to`]; too deep.
    fn encode_nested(&self, writer: &mut Writer<'_>, levels: u32) -> Result<(), Rejected>;

    /// As [`Codec::decode_from`].
    ///
    /// # Errors
    /// As [`Codec::decode_from`]; too deep.
    fn decode_nested(&mut self, reader: &mut Reader<'_>, levels: u32) -> Result<(), Rejected>;
}

impl<E, T: Nested<E>> Nested<E> for Box<T> {
    fn encode_nested(&self, writer: &mut Writer<'_>, levels: u32) -> Result<(), Rejected> {
        (**self).encode_nested(writer, levels)
    }
    fn decode_nested(&mut self, reader: &mut Reader<'_>, levels: u32) -> Result<(), Rejected> {
        (**self).decode_nested(reader, levels)
    }
}

/// A message type under the encoding rules `E`: straight-line code for what is common, and the interpreter over the same layout for
/// what is rare (values outside an extensible root, extension additions, unbounded parts) and for saying what is wrong.
pub trait Message<E>: Data + Default + Sized {
    /// The fewest octets that an encoding has.
    const MIN_OCTETS: usize;
    /// The most octets that one has (unknown extension additions and values outside extensible roots aside); `None` without a bound.
    const MAX_OCTETS: Option<usize>;

    /// The layout.
    fn layout() -> &'static Layout;

    /// The straight-line encoder alone.
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
        match self.decode_fast(input) {
            Ok(bits) => Ok(bits),
            Err(Rejected) => interpret_decode(Self::layout(), input, self),
        }
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
