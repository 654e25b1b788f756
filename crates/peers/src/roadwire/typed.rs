//! A message's generated code, as it is measured. This crate has this file for the messages whose
//! code is in this program, and so has the program that the laboratory makes for a type of the
//! user: it uses nothing but the crates that generated code needs, and the one that measures.

use std::marker::PhantomData;

use roadwire_engine::Message;
use roadwire_measure::bench::{Bench, Codec, decode_once, ready};
use roadwire_measure::cell::{Absent, Cell};
use roadwire_wire::Error;

/// The cell of the type `M` under the rules `E`, with the message that these octets are.
pub(crate) fn cell<M: Message<E> + 'static, E: 'static>(octets: &[u8]) -> Result<Box<dyn Cell>, Absent> {
    // A decoded message may take more octets when it is encoded again: other implementations write
    // other texts.
    Bench::boxed(Typed::<M, E>::new(octets, 2 * octets.len() + 4096), "")
}

/// A generated type with its straight-line code. The message comes from octets: a type in memory
/// has the octets of open types.
pub(crate) struct Typed<M, E> {
    octets: Vec<u8>,
    room: usize,
    types: PhantomData<(M, E)>,
}

impl<M, E> Typed<M, E> {
    /// The message that these octets are, with a buffer of so many octets.
    pub(crate) fn new(octets: &[u8], room: usize) -> Self {
        Typed { octets: octets.to_vec(), room, types: PhantomData }
    }
}

impl<M: Message<E> + 'static, E: 'static> Codec for Typed<M, E> {
    type Message<'a> = Box<M>;
    type Buffer = Vec<u8>;
    type Error = Error<'static>;

    fn message(&self, _: &str) -> Result<Box<M>, String> {
        decode_once(self, &self.octets)
    }

    fn buffer(&self) -> Vec<u8> {
        vec![0; self.room]
    }

    #[inline]
    fn encode(&self, message: &Box<M>, buffer: &mut Vec<u8>) -> Result<usize, Error<'static>> {
        message.encode(buffer)
    }

    fn octets<'b>(&self, buffer: &'b Vec<u8>, length: usize) -> &'b [u8] {
        &buffer[..length]
    }

    #[inline]
    fn decode(&self, octets: &[u8], place: &mut Option<Box<M>>) -> Result<(), Error<'static>> {
        ready::<Box<M>>(place).decode(octets).map(drop)
    }

    fn message_size(&self) -> usize {
        size_of::<M>()
    }
}
