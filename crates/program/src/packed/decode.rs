//! Octets to a tape.

mod additions;
mod shape;
mod text;
mod trace;

use core::marker::PhantomData;

use roadwire_wire::Rejected;

use super::code::{Code, Count, Field, Op};
use super::rules::{Octet, Packed, Rules};
use crate::budget::Budget;
use crate::place::Place;
use crate::rows::Rows;
use crate::tape::{Tape, span};

pub(crate) use shape::Shapes;
use trace::{Datum, Trace, What};

struct Machine<'a, R, T> {
    input: &'a [u8],
    /// The next bit.
    at: usize,
    /// The bit at which the message ends, or the open type.
    end: usize,
    tape: &'a mut Tape,
    place: Place,
    rows: Rows,
    budget: Budget,
    trace: T,
    rules: PhantomData<R>,
}

/// Decodes a message, and returns its length in bits.
pub(crate) fn decode(code: &Code, input: &[u8], tape: &mut Tape) -> Result<usize, Rejected> {
    match (code.is_octet, code.is_aligned) {
        (true, _) => by_shape_or_code::<Octet>(code, input, tape),
        (_, false) => by_shape_or_code::<Packed<false>>(code, input, tape),
        (_, true) => by_shape_or_code::<Packed<true>>(code, input, tape),
    }
}

#[inline]
fn by_shape_or_code<R: Rules>(code: &Code, input: &[u8], tape: &mut Tape) -> Result<usize, Rejected> {
    if let Some(done) = tape.shapes.decode::<R>(code, input, (&mut tape.words, &mut tape.octets), &mut tape.has_octets)
    {
        tape.forget_unknown();
        return done.inspect_err(|_| tape.clear());
    }
    let done = match tape.shapes.learns() {
        true => learn::<R>(code, input, tape),
        false => Machine::<R, ()>::decode(code, input, tape, ()).map(|(bits, ())| bits),
    };
    done.inspect_err(|_| tape.clear())
}

/// Decodes a message, and learns its shape.
#[cold]
fn learn<R: Rules>(code: &Code, input: &[u8], tape: &mut Tape) -> Result<usize, Rejected> {
    let (bits, data) = Machine::<R, Vec<Datum>>::decode(code, input, tape, Vec::new())?;
    let mut shapes = core::mem::take(&mut tape.shapes);
    shapes.learn(code, (input, bits), tape, &data);
    tape.shapes = shapes;
    Ok(bits)
}

impl<'a, R: Rules, T: Trace> Machine<'a, R, T> {
    #[inline(never)]
    fn decode(code: &Code, input: &'a [u8], tape: &'a mut Tape, trace: T) -> Result<(usize, T), Rejected> {
        tape.clear();
        tape.grow(code.words as usize)?;
        let (place, budget, end) = (Place::default(), Budget::new(input), input.len() * 8);
        let rows = Rows::new();
        let mut machine = Machine::<R, T> { input, at: 0, end, tape, place, rows, budget, trace, rules: PhantomData };
        machine.budget.frames(code.places, 1)?;
        Ok((machine.run(code)?, machine.trace))
    }

    fn run(&mut self, code: &Code) -> Result<usize, Rejected> {
        let mut next = 0usize;
        loop {
            let op = *code.ops.get(next).ok_or(Rejected)?;
            next += 1;
            match op {
                Op::Run { slot, first, count, bits } => self.fields(code, (slot, first, count, bits))?,
                Op::Mapped { slot, field, map } => {
                    let of = *code.fields.get(field as usize).ok_or(Rejected)?;
                    let what = Some(What::Mapped { field, map }).filter(|_| !of.selects);
                    self.data(slot, what, |machine| code.mapped(field, map, machine.field(of)?).ok_or(Rejected))?;
                }
                Op::Tag { slot, map } => {
                    let tag = self.tag()?;
                    let map = code.maps.get(map as usize).ok_or(Rejected)?;
                    self.set(slot, map.ordinal(tag).ok_or(Rejected)?)?;
                }
                Op::Alternative { slot, field, map } => self.alternative(code, slot, (field, map))?,
                Op::Number { slot, number } => {
                    let of = code.numbers.get(number as usize).ok_or(Rejected)?;
                    let width = if of.width == 0 { self.octets(of.counted)? * 8 } else { of.width.into() };
                    if !(1..=64).contains(&width) {
                        return Err(Rejected);
                    }
                    self.data(slot, Some(What::Number { number }).filter(|_| !of.selects), |machine| {
                        of.read(machine.wide(width)?, width as u32).ok_or(Rejected)
                    })?;
                }
                Op::Zero => drop(self.field(Field { width: 1, ..Field::default() })?),
                Op::Align => self.align()?,
                Op::Presence { slot, field, .. } => {
                    let bits = self.field(*code.fields.get(field as usize).ok_or(Rejected)?)?;
                    self.set(slot, bits)?;
                }
                Op::Additions { slot, bit, count, to, .. } => {
                    if !self.additions(slot, bit, count)? {
                        next = to as usize;
                    }
                }
                Op::Addition { slot, index, sets, to } => {
                    if self.place.held() >> (63 - index) & 1 == 1 {
                        self.set(slot, self.word(slot)? | sets)?;
                    } else {
                        next = to as usize;
                    }
                }
                Op::Group { slot, first, count, padding } => self.group(code, (slot, first, count), padding)?,
                Op::Known => self.place.leave(),
                Op::Open => self.open()?,
                Op::Close => self.close()?,
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
                Op::List { slot, count, words, places, end, .. } => {
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
                    let span = self.text(slot, text, code.strings.get(text as usize).ok_or(Rejected)?)?;
                    self.set(slot, span)?;
                }
                Op::Common { at } => {
                    let parts = (&code.tables, &code.defaults);
                    next = self.rows.decode(parts, (at, next), self.tape, &mut self.place)?;
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
        if self.at + bits as usize > self.end {
            return Err(Rejected);
        }
        let (mut at, mut is_outside) = (self.at, false);
        for (field, place) in fields.iter().zip(places) {
            let value = R::value(*field, R::load(self.input, at, field.width));
            at += usize::from(field.width);
            is_outside |= value.wrapping_sub(field.lower as u64) > field.range;
            *place = value;
        }
        if T::ACTIVE {
            self.trace_fields(code, from, first..first + count as u32);
        }
        self.at = at;
        if is_outside { Err(Rejected) } else { Ok(()) }
    }

    /// A word, which may be one on which nothing else depends.
    fn data(
        &mut self,
        slot: u32,
        what: Option<What>,
        read: impl FnOnce(&mut Self) -> Result<u64, Rejected>,
    ) -> Result<(), Rejected> {
        let at = self.at;
        let word = read(self)?;
        if let Some(what) = what.filter(|_| T::ACTIVE) {
            self.trace.datum(Datum { at, width: self.at - at, word: self.place.of(slot), what });
        }
        self.set(slot, word)
    }

    fn field(&mut self, field: Field) -> Result<u64, Rejected> {
        let value = R::value(field, R::load(self.input, self.at, field.width));
        self.advance(field.width.into())?;
        if value.wrapping_sub(field.lower as u64) > field.range { Err(Rejected) } else { Ok(value) }
    }

    fn word(&self, slot: u32) -> Result<u64, Rejected> {
        self.tape.words.get(self.place.of(slot)).copied().ok_or(Rejected)
    }

    fn set(&mut self, slot: u32, word: u64) -> Result<(), Rejected> {
        *self.tape.words.get_mut(self.place.of(slot)).ok_or(Rejected)? = word;
        Ok(())
    }

    fn advance(&mut self, bits: usize) -> Result<(), Rejected> {
        self.at += bits;
        if self.at > self.end { Err(Rejected) } else { Ok(()) }
    }

    /// Up to 64 bits.
    fn wide(&mut self, width: usize) -> Result<u64, Rejected> {
        let word = R::wide(self.input, self.at, width);
        self.advance(width)?;
        Ok(word)
    }

    /// A tag with a number up to 255, from 63 on in octets of its own (X.696 §8.7).
    fn tag(&mut self) -> Result<u64, Rejected> {
        let word = R::load(self.input, self.at, 24);
        let (class, number, second, third) = (word >> 22, word >> 16 & 0x3f, word >> 8 & 0xff, word & 0xff);
        let (number, bits) = match (number, second, third) {
            (..63, ..) => (number, 8),
            (_, 63..=127, _) => (second, 16),
            (_, 0x81, ..=127) => (0x80 | third, 24),
            _ => return Err(Rejected),
        };
        self.advance(bits)?;
        Ok(class << 8 | number)
    }

    /// Goes to the next octet border. The bits before it may be anything, as for the interpreter.
    fn align(&mut self) -> Result<(), Rejected> {
        self.advance(self.at.wrapping_neg() % 8)
    }

    /// Reads how many octets a number has; this comes before it.
    fn octets(&mut self, counted: u8) -> Result<usize, Rejected> {
        if counted == 0 {
            return self.length();
        }
        let octets = self.wide(counted.into())? as usize + 1;
        self.align()?;
        Ok(octets)
    }

    fn length(&mut self) -> Result<usize, Rejected> {
        if R::ALIGNS {
            self.align()?;
        }
        let (length, bits) = R::length(self.input, self.at).ok_or(Rejected)?;
        self.advance(bits)?;
        Ok(length)
    }

    fn count(&mut self, count: Count) -> Result<usize, Rejected> {
        let (count, lower, upper) = match count {
            Count::Fixed(count) => return Ok(count as usize),
            Count::Field(field) => return Ok(self.field(field)? as usize),
            Count::Determinant { lower, upper } => (self.length()? as u64, lower, upper),
            Count::Quantity { lower, upper } => {
                let octets = self.length()?;
                if !(1..=8).contains(&octets) {
                    return Err(Rejected);
                }
                (self.wide(octets * 8)?, lower, upper)
            }
            Count::Bits { lower, upper } => {
                let octets = self.length()? as u64;
                let unused = self.field(Field { range: 7, width: 8, ..Field::default() })?;
                let bits = octets.checked_sub(1).and_then(|octets| (octets * 8).checked_sub(unused));
                (bits.ok_or(Rejected)?, lower, upper)
            }
        };
        if (lower..=upper).contains(&count) { usize::try_from(count).map_err(|_| Rejected) } else { Err(Rejected) }
    }
}
