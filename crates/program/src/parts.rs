//! Values of generated types onto a tape, each part at its place.

use roadwire_wire::{Data, Parts, Rejected, Scalar, Unknown};

use crate::frame::{Form, FrameId, Frames, Opaque, Slot};
use crate::tape::{Tape, span};

impl Tape {
    /// Reads a value of a generated type: as [`Tape::read`], but without a call through a table of
    /// functions for each part.
    ///
    /// # Errors
    /// As [`Tape::read`].
    pub fn read_typed(&mut self, frames: &Frames, value: &impl Data) -> Result<(), Rejected> {
        self.clear();
        let at = self.grow(frames.words(frames.root) as usize)?;
        value.put_into(&mut Onto { tape: self, frames }, Place { frame: frames.root, at })
    }
}

/// A tape that a value is put onto.
struct Onto<'t> {
    tape: &'t mut Tape,
    frames: &'t Frames,
}

/// Where a part lies, and its frame.
#[derive(Clone, Copy)]
struct Place {
    frame: FrameId,
    at: usize,
}

impl<'t> Onto<'t> {
    #[inline]
    fn form(&self, place: Place) -> &'t Form {
        &self.frames.get(place.frame).form
    }

    #[inline]
    fn slot(&mut self, slot: &Slot, at: usize) -> Result<Place, Rejected> {
        let at = self.tape.place(self.frames, slot, at)?;
        Ok(Place { frame: slot.frame, at })
    }
}

impl Parts for Onto<'_> {
    type Place = Place;

    #[inline]
    fn put(&mut self, place: Place, leaf: Scalar<'_>) -> Result<(), Rejected> {
        let form = self.form(place);
        match (self.tape.put_leaf(form, place.at, leaf), form) {
            (Err(Rejected), Form::Opaque(opaque)) => self.tape.put_octets(opaque, place.at, leaf),
            (done, _) => done,
        }
    }

    #[inline]
    fn put_integer(&mut self, place: Place, integer: i64) -> Result<(), Rejected> {
        match self.form(place) {
            Form::Integer => self.tape.set(place.at, integer as u64),
            form => self.tape.put_leaf(form, place.at, Scalar::Integer(integer.into()))?,
        }
        Ok(())
    }

    #[inline]
    fn component(&mut self, place: Place, index: usize) -> Result<Place, Rejected> {
        let Form::Record(slots) = self.form(place) else { return Err(Rejected) };
        let slot = slots.get(index).ok_or(Rejected)?;
        if let Some(bit) = slot.bit {
            self.tape.set(place.at, self.tape.word(place.at) | 1 << bit);
        }
        self.slot(slot, place.at)
    }

    fn leave_default_out(&mut self, place: Place, index: usize) {
        let Form::Record(slots) = self.form(place) else { return };
        let (Some(slot), Some(default)) = (slots.get(index), self.frames.default_word(place.frame, index)) else {
            return;
        };
        if let (Some(bit), true) = (slot.bit, self.tape.word(place.at + slot.at as usize) == default) {
            self.tape.set(place.at, self.tape.word(place.at) & !(1 << bit));
        }
    }

    #[inline]
    fn choose(&mut self, place: Place, index: usize) -> Result<Place, Rejected> {
        let (Form::Choice(slots) | Form::Opaque(Opaque { slots, .. })) = self.form(place) else { return Err(Rejected) };
        self.tape.set(place.at, index as u64);
        self.slot(slots.get(index).ok_or(Rejected)?, place.at)
    }

    #[inline]
    fn list(&mut self, place: Place, count: usize) -> Result<Place, Rejected> {
        let Form::List(frame) = *self.form(place) else { return Err(Rejected) };
        let words = count.checked_mul(self.frames.words(frame) as usize).ok_or(Rejected)?;
        let at = self.tape.grow(words)?;
        self.tape.set(place.at, span(at, count)?);
        Ok(Place { frame, at })
    }

    #[inline]
    fn element(&self, first: Place, index: usize) -> Place {
        Place { at: first.at + index * self.frames.words(first.frame) as usize, ..first }
    }

    fn keep(&mut self, place: Place, unknown: &[Unknown]) -> Result<(), Rejected> {
        self.tape.keep(self.frames.get(place.frame), place.at, unknown)
    }
}
