//! Programs over tapes, for types that are known at run time only.

use roadwire_layout::{Layout, Rules, lower};
use roadwire_measure::bench::{Bench, Codec};
use roadwire_measure::cell::{Absent, Cell};
use roadwire_model::{Model, TypeId};
use roadwire_notation::Notation;
use roadwire_program::{Program, Tape};

/// The engine's name.
pub const NAME: &str = "roadwire-program";

/// More octets than any message of a user.
const ROOM: usize = 1 << 21;

/// A type under one set of rules.
pub struct Taped {
    notation: Notation,
    layout: Layout,
    program: Program,
}

impl Taped {
    /// A type of a model.
    ///
    /// # Errors
    /// Programs lack a part of it under these rules.
    pub fn new(model: &Model, root: TypeId, rules: Rules) -> Result<Self, String> {
        if rules == Rules::Jer {
            return Err("programs write JER, and leave reading it to the interpreter".into());
        }
        let notation = Notation::new(model, root).map_err(|error| error.to_string())?;
        let layout = lower(model, root, rules).map_err(|error| format!("in {rules}: {error}"))?;
        let program = Program::new(model, root, &layout).ok_or_else(|| format!("no program for {rules}"))?;
        Ok(Taped { notation, layout, program })
    }

    /// A message to be timed.
    ///
    /// # Errors
    /// The text is not a value of the type, or one that the program leaves to the interpreter.
    pub fn cell(self, jer: &str) -> Result<Box<dyn Cell>, Absent> {
        Bench::boxed(self, jer)
    }
}

impl Codec for Taped {
    type Message<'a> = Tape;
    type Buffer = Vec<u8>;
    type Error = &'static str;

    fn message(&self, jer: &str) -> Result<Tape, String> {
        let value = self.notation.read(jer).map_err(|error| error.to_string())?;
        let mut tape = Tape::without_shapes();
        match tape.read(self.program.frames(), &value) {
            Ok(()) => Ok(tape),
            Err(_) => Err("the value is none that a tape holds".into()),
        }
    }

    fn buffer(&self) -> Vec<u8> {
        vec![0; ROOM]
    }

    #[inline]
    fn encode(&self, message: &Tape, buffer: &mut Vec<u8>) -> Result<usize, &'static str> {
        self.program.encode(message, buffer).map_err(|_| "the program leaves the value to the interpreter")
    }

    fn octets<'b>(&self, buffer: &'b Vec<u8>, length: usize) -> &'b [u8] {
        &buffer[..length]
    }

    #[inline]
    fn decode(&self, octets: &[u8], place: &mut Option<Tape>) -> Result<(), &'static str> {
        // The same octets come again and again: a shape would know them.
        let tape = place.get_or_insert_with(Tape::without_shapes);
        match self.program.decode(octets, tape) {
            Ok(bits) if self.layout.octets_of(bits) == octets.len() => Ok(()),
            Ok(_) => Err("octets follow the message"),
            Err(_) => Err("the program leaves the message to the interpreter"),
        }
    }
}
