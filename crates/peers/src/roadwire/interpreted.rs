//! The interpreter over a generated type, as it is measured.

use std::marker::PhantomData;

use roadwire_layout::Layout;
use roadwire_measure::bench::{Bench, Codec, decode_once, ready};
use roadwire_measure::cell::{Absent, Cell};
use roadwire_wire::{Data, Error};

/// The cell of the type `M` with a layout of it, with the message that these octets are.
pub(super) fn cell<M: Data + Default + 'static>(
    layout: &'static Layout,
    octets: &[u8],
) -> Result<Box<dyn Cell>, Absent> {
    Bench::boxed(Interpreted::<M>::new(layout, octets), "")
}

/// A generated type with the interpreter. It is one type for all rules, since each timed loop takes
/// time to compile.
pub(super) struct Interpreted<M> {
    pub(super) layout: &'static Layout,
    pub(super) octets: Vec<u8>,
    message: PhantomData<fn() -> M>,
}

impl<M> Interpreted<M> {
    /// The message that these octets are.
    pub(super) fn new(layout: &'static Layout, octets: &[u8]) -> Self {
        Interpreted { layout, octets: octets.to_vec(), message: PhantomData }
    }
}

impl<M: Data + Default + 'static> Codec for Interpreted<M> {
    type Message<'a> = Box<M>;
    type Buffer = Vec<u8>;
    type Error = Error<'static>;

    fn message(&self, _: &str) -> Result<Box<M>, String> {
        decode_once(self, &self.octets)
    }

    fn buffer(&self) -> Vec<u8> {
        vec![0; super::ROOM]
    }

    #[inline]
    fn encode(&self, message: &Box<M>, buffer: &mut Vec<u8>) -> Result<usize, Error<'static>> {
        roadwire_engine::encode(self.layout, &**message, buffer)
    }

    fn octets<'b>(&self, buffer: &'b Vec<u8>, length: usize) -> &'b [u8] {
        &buffer[..length]
    }

    #[inline]
    fn decode(&self, octets: &[u8], place: &mut Option<Box<M>>) -> Result<(), Error<'static>> {
        roadwire_engine::decode(self.layout, octets, &mut **ready::<Box<M>>(place)).map(drop)
    }

    fn message_size(&self) -> usize {
        size_of::<M>()
    }
}
