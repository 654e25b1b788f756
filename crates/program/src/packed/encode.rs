//! A tape to octets.

mod additions;
mod text;

use core::marker::PhantomData;

use roadwire_layout::Form;
use roadwire_wire::{Rejected, Writer};

use super::code::{Code, Count, Field, Number, Op};
use super::rules::{Octet, Packed, Rules};
use crate::place::Place;
use crate::rows::Rows;
use crate::tape::{Tape, parts};

struct Machine<'a, R> {
    writer: Writer<'a>,
    tape: &'a Tape,
    place: Place,
    rows: Rows,
    rules: PhantomData<R>,
}

/// Encodes a value, and returns how many octets it takes.
pub(crate) fn encode(code: &Code, tape: &Tape, output: &mut [u8]) -> Result<usize, Rejected> {
    match (code.is_octet, code.is_aligned) {
        (true, _) => Machine::<Octet>::encode(code, tape, output),
        (_, false) => Machine::<Packed<false>>::encode(code, tape, output),
        (_, true) => Machine::<Packed<true>>::encode(code, tape, output),
    }
}

impl<R: Rules> Machine<'_, R> {
    #[inline(never)]
    fn encode(code: &Code, tape: &Tape, output: &mut [u8]) -> Result<usize, Rejected> {
        let writer = Writer::new(output);
        let (place, rows) = (Place::default(), Rows::new());
        let mut machine = Machine::<R> { writer, tape, place, rows, rules: PhantomData };
        machine.run(code)?;
        R::finish(machine.writer)
    }

    fn run(&mut self, code: &Code) -> Result<(), Rejected> {
        let mut next = 0usize;
        loop {
            let op = *code.ops.get(next).ok_or(Rejected)?;
            next += 1;
            match op {
                Op::Run { slot, first, count, .. } => self.fields(code, (slot, first, count))?,
                Op::Mapped { slot, field, map } => {
                    let map = code.maps.get(map as usize).ok_or(Rejected)?;
                    let field = *code.fields.get(field as usize).ok_or(Rejected)?;
                    let above = map.number(self.word(slot)?).ok_or(Rejected)?;
                    self.field(field, (field.lower as u64).wrapping_add(above))?;
                }
                Op::Tag { slot, map } => {
                    let map = code.maps.get(map as usize).ok_or(Rejected)?;
                    let tag = map.number(self.word(slot)?).ok_or(Rejected)?;
                    let (class, number) = (tag >> 8, tag & 0xff);
                    match number {
                        ..63 => self.writer.put(class << 6 | number, 8)?,
                        63..128 => self.writer.put(class << 14 | 0x3f00 | number, 16)?,
                        _ => self.writer.put(class << 22 | 0x3f_8100 | number & 0x7f, 24)?,
                    }
                }
                Op::Alternative { slot, field, map } => self.alternative(code, slot, (field, map))?,
                Op::Number { slot, number } => {
                    self.number(code.numbers.get(number as usize).ok_or(Rejected)?, self.word(slot)?)?;
                }
                Op::Zero => self.writer.put(0, 1)?,
                Op::Align => self.writer.align()?,
                Op::Presence { slot, field, additions } => {
                    let field = *code.fields.get(field as usize).ok_or(Rejected)?;
                    self.presence(field, self.word(slot)?, additions)?;
                }
                Op::Additions { slot, first, count, to, .. } => {
                    if !self.additions(code, slot, (first, count))? {
                        next = to as usize;
                    }
                }
                Op::Addition { slot, index, sets, to } => {
                    if self.place.held() >> (63 - index) & 1 == 0 {
                        next = to as usize;
                    } else if self.word(slot)? & sets != sets {
                        // A group without one of its mandatory components.
                        return Err(Rejected);
                    }
                }
                Op::Group { slot, first, count, padding } => self.group(code, (slot, first, count), padding)?,
                Op::Known => self.place.leave(),
                Op::Open => self.open()?,
                Op::Close => R::close(&mut self.writer, self.place.release() as usize)?,
                Op::IfAny { slot, mask, to } if self.word(slot)? & mask == 0 => next = to as usize,
                Op::If { slot, bit, to } if self.word(slot)? >> bit & 1 == 0 => next = to as usize,
                Op::IfAny { .. } | Op::If { .. } => {}
                Op::NotDefault { presence, bit, slot, value } => {
                    if self.word(presence)? >> bit & 1 == 1 && code.defaults.is(self.tape, self.word(slot)?, value)? {
                        return Err(Rejected);
                    }
                }
                Op::Enter { slot, .. } => self.place.enter(self.word(slot)? as usize, 0)?,
                Op::Leave => self.place.leave(),
                Op::Choose { slot, first, count } => {
                    let alternative = Some(self.word(slot)?).filter(|at| *at < count.into()).ok_or(Rejected)?;
                    next = *code.targets.get(first as usize + alternative as usize).ok_or(Rejected)? as usize;
                }
                Op::Jump { to } => next = to as usize,
                Op::List { slot, count, end, is_sorted, .. } => {
                    let (first, elements) = parts(self.word(slot)?);
                    if is_sorted && elements > 1 {
                        return Err(Rejected);
                    }
                    self.count(*code.counts.get(count as usize).ok_or(Rejected)?, elements)?;
                    if elements == 0 { next = end as usize } else { self.place.enter(first, elements)? }
                }
                Op::Next { words, body } if self.place.next(words) => next = body as usize,
                Op::Next { .. } => {}
                Op::Text { slot, text } => {
                    self.text(code.strings.get(text as usize).ok_or(Rejected)?, self.word(slot)?)?;
                }
                Op::Common { at } => {
                    let parts = (&code.tables, &code.defaults);
                    next = self.rows.encode(parts, (at, next), self.tape, &mut self.place)?;
                }
                Op::End => return Ok(()),
            }
        }
    }

    #[inline(always)]
    fn fields(&mut self, code: &Code, (slot, first, count): (u32, u32, u32)) -> Result<(), Rejected> {
        let (from, count) = (self.place.of(slot), count as usize);
        let fields = code.fields.get(first as usize..first as usize + count).ok_or(Rejected)?;
        let values = self.tape.words.get(from..from + count).ok_or(Rejected)?;
        for (field, value) in fields.iter().zip(values) {
            self.field(*field, *value)?;
        }
        Ok(())
    }

    #[inline(always)]
    fn field(&mut self, field: Field, value: u64) -> Result<(), Rejected> {
        if value.wrapping_sub(field.lower as u64) > field.range {
            return Err(Rejected);
        }
        let (bits, width) = (R::bits(field, value), field.width.into());
        if width > 57 { self.writer.put_wide(bits, width) } else { self.writer.put(bits, width) }
    }

    fn word(&self, slot: u32) -> Result<u64, Rejected> {
        self.tape.words.get(self.place.of(slot)).copied().ok_or(Rejected)
    }

    fn number(&mut self, number: &Number, word: u64) -> Result<(), Rejected> {
        let value = number.value(word);
        if !(number.lower..=number.upper).contains(&value) {
            return Err(Rejected);
        }
        let word = if number.form == Form::Offset { (value - number.lower) as u64 } else { word };
        if number.width > 0 {
            return self.writer.put_wide(word & (u64::MAX >> (64 - number.width)), number.width.into());
        }
        // The sign bit is one more.
        let bits = match number.form {
            Form::Signed => 65 - (word ^ (word as i64 >> 63) as u64).leading_zeros(),
            Form::Offset | Form::Unsigned => 64 - word.leading_zeros(),
        };
        let octets = bits.div_ceil(8).max(1);
        match number.counted {
            0 => self.determinant(octets as usize)?,
            counted => {
                self.writer.put(u64::from(octets) - 1, counted.into())?;
                self.writer.align()?;
            }
        }
        self.writer.put_wide(word & (u64::MAX >> (64 - octets * 8)), octets * 8)
    }

    /// A length determinant.
    fn determinant(&mut self, units: usize) -> Result<(), Rejected> {
        if R::ALIGNS {
            self.writer.align()?;
        }
        R::put_length(&mut self.writer, units)
    }

    fn count(&mut self, count: Count, units: usize) -> Result<(), Rejected> {
        let (number, within) = (units as u64, |lower, upper| (lower..=upper).contains(&(units as u64)));
        match count {
            Count::Fixed(count) if number == count => Ok(()),
            Count::Field(field) => self.field(field, number),
            Count::Determinant { lower, upper } if within(lower, upper) => self.determinant(units),
            Count::Quantity { lower, upper } if within(lower, upper) => {
                let octets = (64 - number.leading_zeros()).div_ceil(8).max(1);
                self.writer.put(octets.into(), 8)?;
                self.writer.put_wide(number, octets * 8)
            }
            Count::Bits { lower, upper } if within(lower, upper) => {
                let octets = units.div_ceil(8);
                R::put_length(&mut self.writer, octets + 1)?;
                self.writer.put((octets * 8 - units) as u64, 8)
            }
            _ => Err(Rejected),
        }
    }
}
