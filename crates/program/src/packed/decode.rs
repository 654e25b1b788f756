//! Octets to a tape.

use roadwire_wire::Rejected;
use roadwire_wire::rt::window;

use super::code::{Code, Count, Field, NONE, Op, Text, Units};
use crate::budget::Budget;
use crate::place::Place;
use crate::tape::{Tape, span};

struct Machine<'a> {
    input: &'a [u8],
    /// The next bit.
    at: usize,
    tape: &'a mut Tape,
    place: Place,
    budget: Budget,
}

/// Decodes a message, and returns its length in bits.
pub(crate) fn decode(code: &Code, input: &[u8], tape: &mut Tape) -> Result<usize, Rejected> {
    tape.clear();
    tape.grow(code.words as usize)?;
    let mut machine = Machine { input, at: 0, tape, place: Place::default(), budget: Budget::new(input) };
    let end = machine.budget.frames(code.places, 1).and_then(|()| machine.run(code));
    end.inspect_err(|_| machine.tape.clear())
}

impl Machine<'_> {
    fn run(&mut self, code: &Code) -> Result<usize, Rejected> {
        let mut next = 0usize;
        loop {
            let op = *code.ops.get(next).ok_or(Rejected)?;
            next += 1;
            match op {
                Op::Run { slot, first, count, bits } => self.fields(code, (slot, first, count, bits))?,
                Op::Mapped { slot, field, map } => {
                    let index = self.field(*code.fields.get(field as usize).ok_or(Rejected)?)?;
                    let map = code.maps.get(map as usize).ok_or(Rejected)?;
                    self.set(slot, u64::from(*map.get(index as usize).ok_or(Rejected)?))?;
                }
                Op::Zero => drop(self.field(Field { lower: 0, range: 0, width: 1 })?),
                Op::IfAny { slot, mask, to } if self.word(slot)? & mask == 0 => next = to as usize,
                Op::If { slot, bit, to } if self.word(slot)? >> bit & 1 == 0 => next = to as usize,
                Op::IfAny { .. } | Op::If { .. } | Op::NotDefault { .. } => {}
                Op::Enter { slot, words, places } => {
                    self.budget.frames(places, 1)?;
                    let frame = self.tape.grow(words as usize)?;
                    self.set(slot, frame as u64)?;
                    self.place.enter(frame, 0)?;
                }
                Op::Leave => self.place.leave(),
                Op::Choose { slot, first, count } => {
                    let alternative = Some(self.word(slot)?).filter(|at| *at < count.into()).ok_or(Rejected)?;
                    next = *code.targets.get(first as usize + alternative as usize).ok_or(Rejected)? as usize;
                }
                Op::Jump { to } => next = to as usize,
                Op::List { slot, count, words, places, end } => {
                    let count = self.count(*code.counts.get(count as usize).ok_or(Rejected)?)?;
                    self.budget.units(count)?;
                    self.budget.frames(places, count)?;
                    let first = self.tape.grow(count * words as usize)?;
                    self.set(slot, span(first, count)?)?;
                    if count == 0 { next = end as usize } else { self.place.enter(first, count)? }
                }
                Op::Next { words, body } if self.place.next(words) => next = body as usize,
                Op::Next { .. } => {}
                Op::Text { slot, text } => {
                    let span = self.text(code.strings.get(text as usize).ok_or(Rejected)?)?;
                    self.set(slot, span)?;
                }
                Op::End => return Ok(self.at),
            }
        }
    }

    /// Fields that follow each other, in the message and on the tape.
    #[inline(always)]
    fn fields(&mut self, code: &Code, (slot, first, count, bits): (u32, u32, u32, u32)) -> Result<(), Rejected> {
        let (from, count) = (self.place.of(slot), count as usize);
        let fields = code.fields.get(first as usize..first as usize + count).ok_or(Rejected)?;
        let places = self.tape.words.get_mut(from..from + count).ok_or(Rejected)?;
        if self.at + bits as usize > self.input.len() * 8 {
            return Err(Rejected);
        }
        let (mut at, mut is_outside) = (self.at, false);
        for (field, place) in fields.iter().zip(places) {
            let offset = bits_at(self.input, at, field.width);
            at += usize::from(field.width);
            is_outside |= offset > field.range;
            *place = offset.wrapping_add(field.lower as u64);
        }
        self.at = at;
        if is_outside { Err(Rejected) } else { Ok(()) }
    }

    fn field(&mut self, field: Field) -> Result<u64, Rejected> {
        let offset = bits_at(self.input, self.at, field.width);
        self.at += usize::from(field.width);
        if offset > field.range || self.at > self.input.len() * 8 {
            return Err(Rejected);
        }
        Ok(offset.wrapping_add(field.lower as u64))
    }

    fn word(&self, slot: u32) -> Result<u64, Rejected> {
        self.tape.words.get(self.place.of(slot)).copied().ok_or(Rejected)
    }

    fn set(&mut self, slot: u32, word: u64) -> Result<(), Rejected> {
        *self.tape.words.get_mut(self.place.of(slot)).ok_or(Rejected)? = word;
        Ok(())
    }

    fn count(&mut self, count: Count) -> Result<usize, Rejected> {
        let (lower, upper) = match count {
            Count::Field(field) => return Ok(self.field(field)? as usize),
            Count::Determinant { lower, upper } => (lower, upper),
        };
        // Below 128 in an octet, below 16K in two; fragments are the interpreter's (X.691 §11.9).
        let octet = |range| Field { lower: 0, range, width: 8 };
        let first = self.field(octet(0xbf))?;
        let count = if first < 0x80 { first } else { (first & 0x3f) << 8 | self.field(octet(0xff))? };
        if (lower..=upper).contains(&count) { Ok(count as usize) } else { Err(Rejected) }
    }

    fn text(&mut self, text: &Text) -> Result<u64, Rejected> {
        let count = self.count(text.count)?;
        if matches!(text.units, Units::Utf8(..) | Units::Characters { .. }) {
            self.budget.units(count)?;
        }
        let start = self.tape.octets.len();
        match &text.units {
            Units::Bits => {
                self.take(count)?;
                return span(start, count);
            }
            Units::Octets => self.take(count * 8)?,
            Units::Utf8(lower, upper) => {
                self.take(count * 8)?;
                let octets = self.tape.octets.get(start..).unwrap_or_default();
                let text = core::str::from_utf8(octets).map_err(|_| Rejected)?;
                if !(*lower..=*upper).contains(&(text.chars().count() as u64)) {
                    return Err(Rejected);
                }
            }
            Units::Characters { bits, characters, .. } => {
                if self.at + count * usize::from(*bits) > self.input.len() * 8 {
                    return Err(Rejected);
                }
                for _ in 0..count {
                    let index = bits_at(self.input, self.at, *bits);
                    self.at += usize::from(*bits);
                    let character = characters.get(index as usize).copied().unwrap_or(NONE);
                    self.tape.octets.push(Some(character).filter(u8::is_ascii).ok_or(Rejected)?);
                }
            }
        }
        span(start, self.tape.octets.len() - start)
    }

    /// Copies bits into whole octets on the tape; the bits after them are zero.
    fn take(&mut self, bits: usize) -> Result<(), Rejected> {
        if self.at + bits > self.input.len() * 8 {
            return Err(Rejected);
        }
        let (mut at, mut left) = (self.at, bits);
        while left > 0 {
            let now = left.min(48);
            let word = bits_at(self.input, at, now as u8) << (64 - now);
            self.tape.octets.extend_from_slice(&word.to_be_bytes()[..now.div_ceil(8)]);
            at += now;
            left -= now;
        }
        self.at = at;
        Ok(())
    }
}

/// The bits from a place on, 0 to 57 of them; past the end they are zero.
#[inline(always)]
fn bits_at(input: &[u8], at: usize, width: u8) -> u64 {
    let window = window(input, at >> 3) << (at & 7);
    // In two steps, since a shift by 64 is none.
    window >> 1 >> ((63 - u32::from(width)) & 63)
}
