//! Programs over tapes against the interpreter: what a program takes, both take alike.

use std::sync::Mutex;

use roadwire_layout::{Layout, Rules};
use roadwire_model::{Model, TypeId, Value};
use roadwire_program::{Program, Tape};
use roadwire_wire::Error;

use crate::interpreted::ROOM;
use crate::subject::Subject;

/// A program with the tape that it decodes onto: messages of one shape after the other.
pub(crate) struct Taped {
    program: Program,
    tape: Mutex<Tape>,
}

impl Taped {
    /// Nothing if the type has no program.
    pub(crate) fn new(model: &Model, root: TypeId, layout: &Layout) -> Option<Taped> {
        Some(Taped { program: Program::new(model, root, layout)?, tape: Mutex::default() })
    }
}

impl Subject {
    /// Any octets, with the answer of the interpreter: decoded alike twice, or left to it.
    pub(crate) fn check_tape(&self, rules: Rules, octets: &[u8], value: &Value, found: &Result<usize, Error<'_>>) {
        let Some(Taped { program, tape }) = self.taped(rules) else { return };
        // A check that failed has left a tape that is as good as any.
        let mut tape = tape.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let first = program.decode(octets, &mut tape);
        let second = program.decode(octets, &mut tape);
        assert_eq!(first, second, "{rules}: by a program, and by the shape that it left");
        let Ok(bits) = second else { return };
        assert_eq!(found.as_ref().ok(), Some(&bits), "{rules}: a program against the interpreter");
        let mut read = Value::Unset;
        tape.root(program.frames()).fill(&mut read).expect("a value holds what a tape holds");
        // NOT-A-NUMBER is not equal to itself.
        assert!(read == *value || format!("{read:?}") == format!("{value:?}"), "{rules}: {read:?} against {value:?}");
    }

    /// Any value: what a program writes, the interpreter writes.
    pub(crate) fn check_taped_value(&self, rules: Rules, value: &Value) {
        let Some(Taped { program, .. }) = self.taped(rules) else { return };
        let (mut tape, mut output) = (Tape::new(), vec![0; ROOM]);
        if tape.read(program.frames(), value).is_err() {
            return;
        }
        if let Ok(count) = program.encode(&tape, &mut output) {
            let wanted = roadwire_engine::encode_to_vec(self.layout(rules), value, ROOM);
            assert_eq!(wanted.as_deref(), Ok(&output[..count]), "{rules}: {value:?}");
        }
    }
}
