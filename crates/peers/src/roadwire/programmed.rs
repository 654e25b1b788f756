//! A program with a generated type, as it is measured: messages go through a tape.

use roadwire_layout::Layout;
use roadwire_measure::bench::{Bench, Codec, decode_once, ready};
use roadwire_measure::cell::{Absent, Cell};
use roadwire_program::{Program, Tape};
use roadwire_wire::{Data, Error, Rejected};

use super::interpreted::{self, Interpreted};

/// The cell of the type `M` with a layout of it and its program, with the message that these octets
/// are; of the interpreter, if the program leaves this message to it.
pub(super) fn cell<M: Data + Default + 'static>(
    program: Program,
    layout: &'static Layout,
    octets: &[u8],
) -> Result<Box<dyn Cell>, Absent> {
    let programmed = Programmed::<M>::new(program, layout, octets);
    match programmed.takes(octets, &mut Held::default()) {
        true => Bench::boxed(programmed, ""),
        false => interpreted::cell::<M>(layout, octets),
    }
}

/// A generated type with a program, and the interpreter for what the program leaves to it.
pub(super) struct Programmed<M> {
    program: Program,
    interpreted: Interpreted<M>,
}

/// A message, and the tape through which messages come to it.
pub(super) struct Held<M> {
    message: Box<M>,
    /// It remembers no shapes: the same octets come again and again, and a shape would know them.
    tape: Tape,
}

impl<M: Data + Default> Default for Held<M> {
    fn default() -> Self {
        Held { message: Box::default(), tape: Tape::without_shapes() }
    }
}

impl<M: Data + Default + 'static> Programmed<M> {
    pub(super) fn new(program: Program, layout: &'static Layout, octets: &[u8]) -> Self {
        Programmed { program, interpreted: Interpreted::new(layout, octets) }
    }

    /// Whether the program takes these octets.
    #[inline]
    fn takes(&self, octets: &[u8], Held { message, tape }: &mut Held<M>) -> bool {
        let decoded = self.program.decode(octets, tape);
        decoded.is_ok_and(|bits| self.interpreted.layout.octets_of(bits) == octets.len())
            // Not as a `Box`, which may hold anything.
            && M::fill_from(message, tape.root(self.program.frames())).is_ok()
    }
}

impl<M: Data + Default + 'static> Codec for Programmed<M> {
    type Message<'a> = Held<M>;
    type Buffer = (Vec<u8>, Tape);
    type Error = Error<'static>;

    fn message(&self, _: &str) -> Result<Held<M>, String> {
        decode_once(self, &self.interpreted.octets)
    }

    fn buffer(&self) -> (Vec<u8>, Tape) {
        (self.interpreted.buffer(), Tape::without_shapes())
    }

    #[inline]
    fn encode(&self, held: &Held<M>, (buffer, tape): &mut (Vec<u8>, Tape)) -> Result<usize, Error<'static>> {
        let read = tape.read_typed(self.program.frames(), &*held.message);
        match read.and_then(|()| self.program.encode(tape, buffer)) {
            Ok(count) => Ok(count),
            Err(Rejected) => self.interpreted.encode(&held.message, buffer),
        }
    }

    fn octets<'b>(&self, (buffer, _): &'b (Vec<u8>, Tape), length: usize) -> &'b [u8] {
        &buffer[..length]
    }

    #[inline]
    fn decode(&self, octets: &[u8], place: &mut Option<Held<M>>) -> Result<(), Error<'static>> {
        let held = ready::<Held<M>>(place);
        if self.takes(octets, held) {
            return Ok(());
        }
        roadwire_engine::decode(self.interpreted.layout, octets, &mut *held.message).map(drop)
    }

    fn message_size(&self) -> usize {
        size_of::<M>()
    }
}
