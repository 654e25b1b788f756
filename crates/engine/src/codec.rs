//! The traits that generated code implements.

use roadwire_layout::Layout;
use roadwire_wire::{Data, Error, Rejected};

use crate::canonical;

/// A message type under the encoding rules `E`: straight-line code for common forms, and the
/// interpreter over the same layout for rare ones (values outside an extensible root, extension
/// additions, unbounded parts) and for finding out what is wrong.
pub trait Message<E>: Data + Default + Sized {
    /// The fewest octets of an encoding.
    const MIN_OCTETS: usize;
    /// The most octets of an encoding, of values outside extensible roots as well; `None` without a
    /// bound. Octets of unknown extension additions come on top.
    const MAX_OCTETS: Option<usize>;
    /// The most octets of an encoding of a value in extensible roots, with items that the type
    /// names. Rules that do not see an extensible root (X.696 §8.2.3) have no smaller bound for it.
    const MAX_OCTETS_IN_ROOTS: Option<usize> = Self::MAX_OCTETS;

    /// Whether [`Message::decode`] and similar methods check constraints that encoding rules do not
    /// take into account, as [`Message::encode`] does.
    const CHECKS_DECODED: bool = false;

    /// The layout.
    fn layout() -> &'static Layout;

    /// Checks the constraints that encoding rules do not take into account (X.680 §51): single
    /// values, gaps, EXCEPT, patterns, inner subtyping.
    ///
    /// # Errors
    /// The text of a constraint that the value breaks, with the field path; the bit is 0.
    #[inline]
    fn check(&self) -> Result<(), Error<'static>> {
        Ok(())
    }

    /// Only the straight-line encoder. It does not [check](Message::check).
    ///
    /// # Errors
    /// The value is outside its constraint or of a rare form, or the output is full.
    fn encode_fast(&self, output: &mut [u8]) -> Result<usize, Rejected>;

    /// Only the straight-line decoder.
    ///
    /// # Errors
    /// The input is cut short, outside a constraint, or of a rare form.
    fn decode_fast(&mut self, input: &[u8]) -> Result<usize, Rejected>;

    /// Encodes a complete message into `output`, and returns its length in octets.
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

    /// Encodes a complete message into a new vector of at most `limit` octets.
    ///
    /// # Errors
    /// As [`Message::encode`]; [`ErrorKind::OutputFull`](roadwire_wire::ErrorKind::OutputFull)
    /// above the limit.
    #[cfg(feature = "alloc")]
    fn encode_to_vec(&self, limit: usize) -> Result<alloc::vec::Vec<u8>, Error<'static>> {
        let first = crate::first_size(Self::layout());
        let first = Self::MAX_OCTETS_IN_ROOTS.map_or(first, |most| most.min(first));
        crate::in_memory(first, limit, |output| self.encode(output))
    }

    /// Decodes a complete message into `self`, and returns its length in bits. Bits after it are
    /// ignored.
    ///
    /// # Errors
    /// The error names the bit and the field. `self` then holds an unspecified valid value.
    #[inline]
    fn decode(&mut self, input: &[u8]) -> Result<usize, Error<'static>> {
        let bits = match self.decode_fast(input) {
            Ok(bits) => bits,
            Err(Rejected) => interpret_decode(Self::layout(), input, self)?,
        };
        checked::<E, Self>(self, bits)
    }

    /// As [`Message::decode`], but refuses every encoding other than the canonical one, which is
    /// what [`Message::encode`] writes: for messages that are signed. `scratch` is room for that
    /// encoding. (The content of unknown extension additions cannot be checked.)
    ///
    /// # Errors
    /// As [`Message::decode`]; [`ErrorKind::NotCanonical`](roadwire_wire::ErrorKind::NotCanonical)
    /// at the first bit that differs;
    /// [`ErrorKind::OutputFull`](roadwire_wire::ErrorKind::OutputFull) if `scratch` is too small.
    #[inline]
    fn decode_canonical(&mut self, input: &[u8], scratch: &mut [u8]) -> Result<usize, Error<'static>> {
        let bits = self.decode(input)?;
        let octets = self.encode(scratch)?;
        canonical::compare(Self::layout(), input, bits, scratch.get(..octets).unwrap_or(&[]), self)
    }
}

/// A message type whose values are those of another one that also satisfy a profile's constraints.
pub trait Profile: Data + Default + Sized {
    /// The other message type.
    type Of;

    /// The message as one of the other type.
    fn message(&self) -> &Self::Of;

    /// The same, mutable.
    fn message_mut(&mut self) -> &mut Self::Of;

    /// Checks the profile's own constraints.
    ///
    /// # Errors
    /// As [`Message::check`].
    fn check_profile(&self) -> Result<(), Error<'static>>;
}

/// Under the encoding rules `E`, a profile's message is encoded as one of the other type. This does
/// not hold for rules that encode the type's name (XER).
pub trait SameEncoding<E>: Profile<Of: Message<E>> {}

impl<E, P: SameEncoding<E>> Message<E> for P {
    const MIN_OCTETS: usize = P::Of::MIN_OCTETS;
    const MAX_OCTETS: Option<usize> = P::Of::MAX_OCTETS;
    const MAX_OCTETS_IN_ROOTS: Option<usize> = P::Of::MAX_OCTETS_IN_ROOTS;
    const CHECKS_DECODED: bool = P::Of::CHECKS_DECODED;

    fn layout() -> &'static Layout {
        P::Of::layout()
    }

    #[inline]
    fn check(&self) -> Result<(), Error<'static>> {
        self.message().check()?;
        self.check_profile()
    }

    #[inline]
    fn encode_fast(&self, output: &mut [u8]) -> Result<usize, Rejected> {
        self.message().encode_fast(output)
    }

    #[inline]
    fn decode_fast(&mut self, input: &[u8]) -> Result<usize, Rejected> {
        self.message_mut().decode_fast(input)
    }
}

/// A message type under the encoding rules `E` that borrows its strings from the input. Where
/// [`Message`] decodes from any octets, this decodes from octets that live for `'a`.
///
/// For input that does not live as long, [`Message::decode`] uses the interpreter, which copies the
/// strings.
pub trait Lent<'a, E>: Message<E> {
    /// Only the straight-line decoder.
    ///
    /// # Errors
    /// The input is cut short, outside a constraint, or of a rare form.
    fn decode_lent_fast(&mut self, input: &'a [u8]) -> Result<usize, Rejected>;

    /// As [`Message::decode`], with strings borrowed from `input`, except that those of rare forms
    /// are copied.
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

    /// As [`Message::decode_canonical`], with strings borrowed from `input`.
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

/// Returns `bits` if the message meets the constraints that its type checks on decoding.
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
