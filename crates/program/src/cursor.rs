//! Reading a tape.

#[cfg(feature = "columns")]
use roadwire_wire::Column;
use roadwire_wire::{Data, Part, Rejected, Scalar, Shape, Unknown, fill_leaf};

use crate::frame::{Form, Frame, Frames, Opaque, Slot, UNKNOWN};
use crate::tape::{Tape, held, parts};

/// A part of a value on a tape.
#[derive(Clone, Copy, Debug)]
pub struct Cursor<'t> {
    tape: &'t Tape,
    frames: &'t Frames,
    frame: &'t Frame,
    /// Where it begins.
    at: usize,
}

impl Tape {
    /// The value, which has these frames.
    #[must_use]
    pub fn root<'t>(&'t self, frames: &'t Frames) -> Cursor<'t> {
        Cursor { tape: self, frames, frame: frames.get(frames.root), at: 0 }
    }
}

impl<'t> Cursor<'t> {
    #[inline]
    fn word(self, at: usize) -> u64 {
        self.tape.word(self.at + at)
    }

    #[inline]
    fn form(self) -> &'t Form {
        &self.frame.form
    }

    #[inline]
    fn slot(self, slot: &Slot) -> Cursor<'t> {
        let at = if slot.is_outside { self.word(slot.at as usize) as usize } else { self.at + slot.at as usize };
        Cursor { frame: self.frames.get(slot.frame), at, ..self }
    }

    /// Unknown extension additions, ascending by index; of a CHOICE, its alternative.
    #[inline]
    #[must_use]
    pub fn unknown(self) -> &'t [Unknown] {
        match self.frame.is_extensible && self.word(0) & UNKNOWN != 0 {
            true => self.tape.unknown.get(&self.at).map_or(&[], Vec::as_slice),
            false => &[],
        }
    }

    /// Fills a value.
    ///
    /// # Errors
    /// The value cannot hold it.
    pub fn fill(self, value: &mut dyn Data) -> Result<(), Rejected> {
        match self.form() {
            Form::Record(slots) => {
                begin(value, Shape::Record(slots.len()))?;
                for index in 0..slots.len() {
                    if let Some(component) = self.component(index) {
                        component.fill(value.component_mut(index).ok_or(Rejected)?)?;
                    }
                }
                self.keep(value)
            }
            Form::Choice(_) => match self.alternative() {
                Some((index, content)) => content.fill(value.choose(index).ok_or(Rejected)?),
                None => self.keep(value),
            },
            Form::List(_) => {
                begin(value, Shape::List)?;
                let elements = (0..self.length().unwrap_or(0)).filter_map(|index| self.element(index));
                elements.into_iter().try_for_each(|element| element.fill(value.push().ok_or(Rejected)?))
            }
            Form::Opaque(_) => match self.alternative() {
                Some((index, content)) => content.fill(value.choose(index).ok_or(Rejected)?),
                None => fill_leaf(value, self.scalar()),
            },
            form => fill_leaf(value, self.tape.scalar(form, self.word(0))),
        }
    }

    fn keep(self, value: &mut dyn Data) -> Result<(), Rejected> {
        self.unknown().iter().try_for_each(|unknown| held(value.keep(unknown.clone())))
    }
}

impl Part for Cursor<'_> {
    #[inline]
    fn scalar(&self) -> Scalar<'_> {
        match self.form() {
            Form::Opaque(opaque) if self.word(0) == opaque.slots.len() as u64 => {
                self.tape.scalar(opaque.octets(), self.word(Opaque::AT))
            }
            form => self.tape.scalar(form, self.word(0)),
        }
    }

    #[inline]
    fn integer(&self) -> Option<i64> {
        matches!(self.form(), Form::Integer).then(|| self.word(0) as i64)
    }

    #[inline]
    fn component(self, index: usize) -> Option<Self> {
        let Form::Record(slots) = self.form() else { return None };
        let slot = slots.get(index)?;
        slot.bit.is_none_or(|bit| self.word(0) >> bit & 1 == 1).then(|| self.slot(slot))
    }

    #[inline]
    fn length(self) -> Option<usize> {
        let Form::List(_) = self.form() else { return None };
        Some(parts(self.word(0)).1)
    }

    #[inline]
    fn element(self, index: usize) -> Option<Self> {
        let Form::List(element) = *self.form() else { return None };
        let (first, count) = parts(self.word(0));
        let frame = self.frames.get(element);
        let at = first + index * frame.words as usize;
        (index < count).then_some(Cursor { frame, at, ..self })
    }

    #[inline]
    fn unknown(&self) -> &[Unknown] {
        Cursor::unknown(*self)
    }

    fn alternative(self) -> Option<(usize, Self)> {
        let (Form::Choice(slots) | Form::Opaque(Opaque { slots, .. })) = self.form() else { return None };
        let index = usize::try_from(self.word(0)).ok()?;
        Some((index, self.slot(slots.get(index)?)))
    }

    #[cfg(feature = "columns")]
    fn can_append(self) -> bool {
        std::ptr::eq(self.frame, self.frames.get(self.frames.root)) && self.frames.steps().is_some()
    }

    #[cfg(feature = "columns")]
    fn append(self, columns: &mut [Column], row: usize) -> Result<(), Rejected> {
        self.frames.append(self.tape, columns, row)
    }
}

fn begin(value: &mut dyn Data, shape: Shape) -> Result<(), Rejected> {
    held(value.begin(shape))
}
