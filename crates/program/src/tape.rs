//! The tape: a value of any type as one array of words.

use std::collections::BTreeMap;

use roadwire_wire::{Data, Part, Rejected, Scalar, Unknown};

use crate::frame::{Form, Frame, FrameId, Frames, Opaque, Slot, UNKNOWN, UNSET};
use crate::packed::Shapes;

/// A value as one array of words, with spans for strings and lists. It keeps its memory for the
/// next value.
///
/// The [`Frames`] of its type say what the words mean: a tape is read with those with which it was
/// written.
#[derive(Clone, Debug, Default)]
pub struct Tape {
    pub(crate) words: Vec<u64>,
    /// The octets of strings, one after the other.
    pub(crate) octets: Vec<u8>,
    /// Unknown additions, by the place of the frame that has them.
    pub(crate) unknown: BTreeMap<usize, Vec<Unknown>>,
    /// Whether an open type has octets.
    pub(crate) has_octets: bool,
    /// Where fields were in earlier messages.
    pub(crate) shapes: Shapes,
}

impl Tape {
    /// A tape without a value.
    #[must_use]
    pub fn new() -> Tape {
        Tape::default()
    }

    /// One that remembers no shapes of messages: each is decoded by its program.
    #[must_use]
    pub fn without_shapes() -> Tape {
        Tape { shapes: Shapes::none(), ..Tape::default() }
    }

    /// How many octets of memory the value takes.
    #[must_use]
    pub fn size(&self) -> usize {
        self.words.len() * 8 + self.octets.len()
    }

    /// How many shapes of messages it remembers: a message whose presence, alternatives and lengths
    /// are those of an earlier one is decoded several times as fast.
    #[must_use]
    pub fn shapes(&self) -> usize {
        self.shapes.count()
    }

    /// Whether an open type has octets, since no type is known for them: they mean something under
    /// the rules alone under which they came.
    #[must_use]
    pub fn has_octets(&self) -> bool {
        self.has_octets
    }

    /// Whether a part of the value has unknown additions.
    pub(crate) fn has_unknown(&self) -> bool {
        !self.unknown.is_empty()
    }

    /// Takes the value away.
    pub(crate) fn clear(&mut self) {
        self.words.clear();
        self.octets.clear();
        self.has_octets = false;
        self.forget_unknown();
    }

    /// Takes unknown additions away.
    pub(crate) fn forget_unknown(&mut self) {
        if !self.unknown.is_empty() {
            self.unknown.clear();
        }
    }

    /// Makes room for frames, and returns where they begin.
    pub(crate) fn grow(&mut self, words: usize) -> Result<usize, Rejected> {
        let at = self.words.len();
        let end = at.checked_add(words).filter(|end| u32::try_from(*end).is_ok()).ok_or(Rejected)?;
        self.words.resize(end, UNSET);
        Ok(at)
    }

    /// Appends a string's octets, and returns their span with `count` as its length.
    pub(crate) fn string(&mut self, octets: &[u8], count: usize) -> Result<u64, Rejected> {
        let at = self.octets.len();
        self.octets.extend_from_slice(octets);
        span(at, count)
    }

    pub(crate) fn word(&self, at: usize) -> u64 {
        self.words.get(at).copied().unwrap_or(UNSET)
    }

    /// The value of a leaf with this word.
    #[inline]
    pub(crate) fn scalar(&self, form: &Form, word: u64) -> Scalar<'_> {
        let (from, count) = parts(word);
        let octets = |count: usize| self.octets.get(from..from + count).unwrap_or_default();
        match form {
            Form::Null => Scalar::Null,
            Form::Boolean => Scalar::Boolean(word != 0),
            Form::Integer => Scalar::Integer((word as i64).into()),
            Form::Unsigned => Scalar::Integer(word.into()),
            Form::Enumerated => Scalar::Enumerated(word as u32),
            Form::Real => Scalar::Real(f64::from_bits(word)),
            Form::Bits => Scalar::Bits(octets(count.div_ceil(8)), count),
            Form::Octets => Scalar::Octets(octets(count)),
            Form::Text => core::str::from_utf8(octets(count)).map_or(Scalar::Unset, Scalar::Text),
            Form::Oid => Scalar::Oid(octets(count)),
            Form::Record(_) | Form::Choice(_) | Form::Opaque(_) | Form::List(_) => Scalar::Unset,
        }
    }

    #[inline]
    pub(crate) fn set(&mut self, at: usize, word: u64) {
        if let Some(place) = self.words.get_mut(at) {
            *place = word;
        }
    }

    /// Reads a value.
    ///
    /// # Errors
    /// It is not of the type of the frames, or takes 2^32 words or octets.
    pub fn read(&mut self, frames: &Frames, value: &dyn Data) -> Result<(), Rejected> {
        self.clear();
        let at = self.grow(frames.words(frames.root) as usize)?;
        self.put(frames, frames.root, at, value)
    }

    pub(crate) fn put(&mut self, frames: &Frames, frame: FrameId, at: usize, value: impl Part) -> Result<(), Rejected> {
        let frame = frames.get(frame);
        match &frame.form {
            Form::Record(slots) => {
                held(value.is_record(frame.is_extensible))?;
                self.put_components(frames, slots, at, value)?;
                match value.unknown() {
                    [] => Ok(()),
                    unknown => self.keep(frame, at, unknown),
                }
            }
            Form::Choice(slots) => match value.alternative() {
                Some((index, content)) => {
                    self.set(at, index as u64);
                    self.put_slot(frames, slots.get(index).ok_or(Rejected)?, at, content)
                }
                None => self.keep(frame, at, value.unknown()),
            },
            Form::Opaque(opaque) => match value.alternative() {
                Some((index, content)) => {
                    self.set(at, index as u64);
                    self.put_slot(frames, opaque.slots.get(index).ok_or(Rejected)?, at, content)
                }
                None => self.put_octets(opaque, at, value.scalar()),
            },
            Form::List(element) => {
                let (count, words) = (value.length().ok_or(Rejected)?, frames.words(*element) as usize);
                let first = self.grow(count.checked_mul(words).ok_or(Rejected)?)?;
                self.set(at, span(first, count)?);
                (0..count).try_for_each(|index| {
                    self.put(frames, *element, first + index * words, value.element(index).ok_or(Rejected)?)
                })
            }
            form => match (form, value.integer()) {
                // Not as 128 bits, which take the processor several times as long.
                (Form::Integer, Some(number)) | (Form::Unsigned, Some(number @ 0..)) => {
                    self.set(at, number as u64);
                    Ok(())
                }
                _ => self.put_leaf(form, at, value.scalar()),
            },
        }
    }

    /// A content that is not known.
    pub(crate) fn put_octets(&mut self, opaque: &Opaque, at: usize, octets: Scalar<'_>) -> Result<(), Rejected> {
        self.has_octets = true;
        self.set(at, opaque.slots.len() as u64);
        self.put_leaf(opaque.octets(), at + Opaque::AT, octets)
    }

    fn put_components(&mut self, frames: &Frames, slots: &[Slot], at: usize, value: impl Part) -> Result<(), Rejected> {
        let mut presence = 0;
        for (index, slot) in slots.iter().enumerate() {
            match (value.component(index), slot.bit) {
                (Some(component), bit) => {
                    presence |= bit.map_or(0, |bit| 1 << bit);
                    self.put_slot(frames, slot, at, component)?;
                }
                (None, Some(_)) => {}
                (None, None) => return Err(Rejected),
            }
        }
        if presence != 0 {
            self.set(at, presence);
        }
        Ok(())
    }

    /// Keeps what is not known of the value of a frame.
    pub(crate) fn keep(&mut self, frame: &Frame, at: usize, unknown: &[Unknown]) -> Result<(), Rejected> {
        held(!unknown.is_empty() && frame.is_extensible)?;
        self.unknown.insert(at, unknown.to_vec());
        self.set(at, self.word(at) | UNKNOWN);
        Ok(())
    }

    fn put_slot(&mut self, frames: &Frames, slot: &Slot, at: usize, value: impl Part) -> Result<(), Rejected> {
        let place = self.place(frames, slot, at)?;
        self.put(frames, slot.frame, place, value)
    }

    /// Where a part begins; where that is outside its frame, it is made.
    #[inline]
    pub(crate) fn place(&mut self, frames: &Frames, slot: &Slot, at: usize) -> Result<usize, Rejected> {
        let place = at + slot.at as usize;
        if !slot.is_outside {
            return Ok(place);
        }
        let outside = self.grow(frames.words(slot.frame) as usize)?;
        self.set(place, outside as u64);
        Ok(outside)
    }

    #[inline]
    pub(crate) fn put_leaf(&mut self, form: &Form, at: usize, leaf: Scalar<'_>) -> Result<(), Rejected> {
        let word = self.leaf(form, leaf)?;
        // NULL has no word: that one is of what follows.
        if !matches!(form, Form::Null) {
            self.set(at, word);
        }
        Ok(())
    }

    fn leaf(&mut self, form: &Form, scalar: Scalar<'_>) -> Result<u64, Rejected> {
        match (form, scalar) {
            (Form::Null, Scalar::Null) => Ok(0),
            (Form::Boolean, Scalar::Boolean(value)) => Ok(value.into()),
            (Form::Integer, Scalar::Integer(value)) => {
                i64::try_from(value).map(|value| value as u64).map_err(|_| Rejected)
            }
            (Form::Unsigned, Scalar::Integer(value)) => u64::try_from(value).map_err(|_| Rejected),
            (Form::Enumerated, Scalar::Enumerated(ordinal)) => Ok(ordinal.into()),
            (Form::Real, Scalar::Real(value)) => Ok(value.to_bits()),
            (Form::Octets, Scalar::Octets(octets)) | (Form::Oid, Scalar::Oid(octets)) => {
                self.string(octets, octets.len())
            }
            (Form::Text, Scalar::Text(text)) => self.string(text.as_bytes(), text.len()),
            (Form::Bits, Scalar::Bits(octets, bits)) => {
                let octets = octets.get(..bits.div_ceil(8)).ok_or(Rejected)?;
                let span = self.string(octets, bits)?;
                // Bits after the last one are zero.
                if let (Some(last), 1..) = (self.octets.last_mut(), bits % 8) {
                    *last &= 0xff << (8 - bits % 8);
                }
                Ok(span)
            }
            (Form::Bits, Scalar::Word(word)) => {
                let bits = usize::from(word.bits);
                self.string(&word.to_octets()[..bits.div_ceil(8)], bits)
            }
            _ => Err(Rejected),
        }
    }
}

pub(crate) fn held(is_held: bool) -> Result<(), Rejected> {
    if is_held { Ok(()) } else { Err(Rejected) }
}

/// Where a string or a list begins, and how long it is, in one word.
pub(crate) fn span(at: usize, count: usize) -> Result<u64, Rejected> {
    match (u32::try_from(at), u32::try_from(count)) {
        (Ok(at), Ok(count)) => Ok(u64::from(at) << 32 | u64::from(count)),
        _ => Err(Rejected),
    }
}

/// The parts of a [`span`].
pub(crate) const fn parts(span: u64) -> (usize, usize) {
    ((span >> 32) as usize, (span & 0xffff_ffff) as usize)
}
