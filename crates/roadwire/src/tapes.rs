//! Conversion from one encoding to another by way of a tape, without a tree of values.

use std::sync::Mutex;

use roadwire_model::check::Proven;
use roadwire_program::{Program, Tape};

use crate::codec::{Codec, Form};
use crate::kept::mean_the_same;

/// A tape and room for octets, which keep their memory between messages.
#[derive(Debug, Default)]
pub(crate) struct Desk(Mutex<Option<Box<Place>>>);

#[derive(Debug, Default)]
struct Place {
    tape: Tape,
    octets: Vec<u8>,
}

impl Desk {
    /// Works at a place. Who comes while another one works has a place of their own.
    fn work<T>(&self, work: impl FnOnce(&mut Place) -> T) -> T {
        let mut place = self.0.try_lock().ok().and_then(|mut place| place.take()).unwrap_or_default();
        let done = work(&mut place);
        if let Ok(mut left) = self.0.try_lock() {
            *left = Some(place);
        }
        done
    }
}

impl Place {
    /// The octets of what is on the tape, if there are no more than so many.
    fn written(&mut self, program: &Program, most: usize) -> Option<Vec<u8>> {
        written(&self.tape, &mut self.octets, program, most)
    }
}

/// The octets of what is on a tape, if there are no more than so many.
fn written(tape: &Tape, octets: &mut Vec<u8>, program: &Program, most: usize) -> Option<Vec<u8>> {
    if octets.len() < most {
        octets.resize(most, 0);
    }
    let count = program.encode(tape, octets.get_mut(..most)?).ok()?;
    Some(octets.get(..count)?.to_vec())
}

/// Room for a message of so many octets in any encoding: text has names.
fn room(octets: usize) -> usize {
    octets.saturating_mul(64).saturating_add(1 << 12).min(1 << 22)
}

impl Codec<'_> {
    /// Whether what is on a tape keeps the constraints that programs do not check.
    pub(crate) fn keeps(&self, tape: &Tape, program: &Program) -> bool {
        let proven = self.proven.get_or_init(|| Proven::with_strings(&self.model));
        proven.holds_of_part(&self.model, self.type_id, tape.root(program.frames()))
    }

    /// Encodes the value of this type that a codec in packed rules left on a tape
    /// ([`Codec::decode_kept_on`]), as text: there, octets of no known type stay what they are.
    /// Nothing for values that programs do not encode.
    #[must_use]
    pub fn write_on(&self, tape: &Tape) -> Option<Vec<u8>> {
        let program = self.program().filter(|_| matches!(self.form, Form::Jer(_)))?;
        self.desk.work(|place| written(tape, &mut place.octets, program, room(tape.size())))
    }

    /// The other encoding of a message; nothing if the interpreter has to say what becomes of it.
    pub(crate) fn convert_on_tape(&self, to: &Codec<'_>, input: &[u8]) -> Option<Vec<u8>> {
        let Form::Layout(layout) = &self.form else { return None };
        let is_of_one_type = std::ptr::eq(&*self.model, &*to.model) && self.type_id == to.type_id;
        if self.strict || to.strict || !is_of_one_type {
            return None;
        }
        let (from, into) = (self.program()?, to.program()?);
        let (bits, octets) = self.desk.work(|place| {
            let bits = from.decode(input, &mut place.tape).ok()?;
            self.keeps(&place.tape, from).then_some(())?;
            // Octets of no known type go where they mean the same.
            if place.tape.has_octets() && !mean_the_same(self.rules, to.rules) {
                return None;
            }
            let is_canonical = !self.keeps_contents() || place.written(from, room(input.len()))? == input;
            is_canonical.then_some(())?;
            Some((bits, place.written(into, room(input.len()))?))
        })?;
        // Under the same rules, contents stay as they are.
        let is_kept = self.rules != to.rules || !self.has_contents() || octets == input;
        (is_kept && layout.octets_of(bits) == input.len()).then_some(octets)
    }
}
