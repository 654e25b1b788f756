//! roadwire's two codecs, as `crates/peers` runs them.

use alloc::vec;
use alloc::vec::Vec;
use core::marker::PhantomData;

use roadwire_engine::Message;
use roadwire_wire::Error;

use crate::Codec;

/// Straight-line code, with the interpreter for rare forms and for errors: the time-optimised codec.
pub struct StraightLine<M, E>(PhantomData<(M, E)>);

/// The interpreter: the space-optimised codec.
pub struct Interpreter<M, E>(PhantomData<(M, E)>);

/// More octets than any of the messages.
const ROOM: usize = 1 << 14;

impl<M: Message<E> + 'static, E: 'static> Codec for StraightLine<M, E> {
    type Message = M;
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
    type Message = M;
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

/// As `ready` of `roadwire_measure::bench`, which needs an operating system.
fn ready<M: Default>(place: &mut Option<M>) -> &mut M {
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
