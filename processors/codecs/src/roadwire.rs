//! roadwire's two codecs, as `crates/peers` runs them, and straight-line code that borrows, as the
//! study of IEEE 1609.2 does.

use alloc::vec;
use alloc::vec::Vec;
use core::marker::PhantomData;

use roadwire_engine::{Lent, Message};
use roadwire_wire::Error;

use crate::Codec;

/// Straight-line code, with the interpreter for rare forms and for errors: the time-optimised
/// codec.
pub struct StraightLine<M, E>(PhantomData<(M, E)>);

/// The interpreter: the space-optimised codec.
pub struct Interpreter<M, E>(PhantomData<(M, E)>);

/// Straight-line code that borrows strings from the octets.
pub struct Lending<F, E>(PhantomData<(F, E)>);

/// A message type with borrowed strings under the encoding rules `E`.
pub trait Borrowed<E>: 'static {
    /// The type, with the lifetime of the octets.
    type Message<'a>: Lent<'a, E>;
}

macro_rules! borrowed {
    ($($name:ident: $module:ident in $($rules:ident)+;)*) => { $(
        /// The message type of a schema, with borrowed strings.
        pub struct $name;

        $( impl Borrowed<crate::rules::$rules> for $name {
            type Message<'a> = crate::types::$module::borrowed::SecuredData<'a>;
        } )+
    )* };
}
borrowed! {
    Original: dot2_original_2015 in Uper Oer;
    P: dot2_p_2015 in Uper;
    Binary: ieee1609dot2_2013 in Tls;
}

/// More octets than any of the messages.
const ROOM: usize = 1 << 14;

impl<M: Message<E> + 'static, E: 'static> Codec for StraightLine<M, E> {
    type Message<'a> = M;
    type Error = Error<'static>;

    #[inline]
    fn encode(message: &M, buffer: &mut Vec<u8>) -> Result<usize, Error<'static>> {
        message.encode(buffer)
    }

    #[inline]
    fn decode(octets: &[u8], place: &mut Option<M>) -> Result<(), Error<'static>> {
        ready(place).decode(octets)?;
        Ok(())
    }

    fn encode_alone(message: &M, buffer: &mut Vec<u8>) -> Option<usize> {
        message.encode_fast(buffer).ok()
    }

    fn decode_alone(octets: &[u8], place: &mut Option<M>) -> bool {
        place.as_mut().is_some_and(|message| message.decode_fast(octets).is_ok())
    }

    fn buffer() -> Vec<u8> {
        vec![0; ROOM]
    }
}

impl<M: Message<E> + 'static, E: 'static> Codec for Interpreter<M, E> {
    type Message<'a> = M;
    type Error = Error<'static>;

    #[inline]
    fn encode(message: &M, buffer: &mut Vec<u8>) -> Result<usize, Error<'static>> {
        roadwire_engine::encode(M::layout(), message, buffer)
    }

    #[inline]
    fn decode(octets: &[u8], place: &mut Option<M>) -> Result<(), Error<'static>> {
        let message: &mut M = ready(place);
        roadwire_engine::decode(M::layout(), octets, message)?;
        Ok(())
    }

    fn buffer() -> Vec<u8> {
        vec![0; ROOM]
    }
}

impl<F: Borrowed<E>, E: 'static> Codec for Lending<F, E> {
    type Message<'a> = F::Message<'a>;
    type Error = Error<'static>;

    #[inline]
    fn encode(message: &F::Message<'_>, buffer: &mut Vec<u8>) -> Result<usize, Error<'static>> {
        message.encode(buffer)
    }

    #[inline]
    fn decode<'a>(octets: &'a [u8], place: &mut Option<F::Message<'a>>) -> Result<(), Error<'static>> {
        ready(place).decode_lent(octets)?;
        Ok(())
    }

    fn encode_alone(message: &F::Message<'_>, buffer: &mut Vec<u8>) -> Option<usize> {
        message.encode_fast(buffer).ok()
    }

    fn decode_alone<'a>(octets: &'a [u8], place: &mut Option<F::Message<'a>>) -> bool {
        place.as_mut().is_some_and(|message| message.decode_lent_fast(octets).is_ok())
    }

    fn buffer() -> Vec<u8> {
        vec![0; ROOM]
    }
}

/// As `ready` of `roadwire_measure::bench`, which needs an operating system.
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
