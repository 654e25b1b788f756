//! A tape to octets.

use roadwire_wire::{Rejected, Writer};

use super::code::{Code, Count, Field, NONE, Op, Text, Units};
use crate::place::Place;
use crate::tape::{Tape, parts};

struct Machine<'a> {
    writer: Writer<'a>,
    tape: &'a Tape,
    place: Place,
}

/// Encodes a value, and returns how many octets it takes.
pub(crate) fn encode(code: &Code, tape: &Tape, output: &mut [u8]) -> Result<usize, Rejected> {
    let mut machine = Machine { writer: Writer::new(output), tape, place: Place::default() };
    machine.run(code)?;
    machine.writer.finish()
}

impl Machine<'_> {
    fn run(&mut self, code: &Code) -> Result<(), Rejected> {
        let mut next = 0usize;
        loop {
            let op = *code.ops.get(next).ok_or(Rejected)?;
            next += 1;
            match op {
                Op::Run { slot, first, count, .. } => self.fields(code, (slot, first, count))?,
                Op::Mapped { slot, field, map } => {
                    let map = code.maps.get(map as usize).ok_or(Rejected)?;
                    let word = self.word(slot)?;
                    let index = map.iter().position(|to| u64::from(*to) == word).ok_or(Rejected)?;
                    self.field(*code.fields.get(field as usize).ok_or(Rejected)?, index as u64)?;
                }
                Op::Zero => self.writer.put(0, 1)?,
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
                Op::List { slot, count, end, .. } => {
                    let (first, elements) = parts(self.word(slot)?);
                    self.count(*code.counts.get(count as usize).ok_or(Rejected)?, elements)?;
                    if elements == 0 { next = end as usize } else { self.place.enter(first, elements)? }
                }
                Op::Next { words, body } if self.place.next(words) => next = body as usize,
                Op::Next { .. } => {}
                Op::Text { slot, text } => {
                    self.text(code.strings.get(text as usize).ok_or(Rejected)?, self.word(slot)?)?;
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
        let offset = value.wrapping_sub(field.lower as u64);
        if offset > field.range {
            return Err(Rejected);
        }
        self.writer.put(offset, field.width.into())
    }

    fn word(&self, slot: u32) -> Result<u64, Rejected> {
        self.tape.words.get(self.place.of(slot)).copied().ok_or(Rejected)
    }

    fn count(&mut self, count: Count, units: usize) -> Result<(), Rejected> {
        let units = units as u64;
        match count {
            Count::Field(field) => self.field(field, units),
            Count::Determinant { lower, upper } if (lower..=upper).contains(&units) => match units {
                0..0x80 => self.writer.put(units, 8),
                0x80..0x4000 => self.writer.put(0x8000 | units, 16),
                _ => Err(Rejected),
            },
            Count::Determinant { .. } => Err(Rejected),
        }
    }

    fn text(&mut self, text: &Text, span: u64) -> Result<(), Rejected> {
        let (at, count) = parts(span);
        let octets = |count: usize| self.tape.octets.get(at..at + count).ok_or(Rejected);
        let is_bits = matches!(text.units, Units::Bits);
        let octets = octets(if is_bits { count.div_ceil(8) } else { count })?;
        if let Units::Utf8(lower, upper) = text.units {
            let characters = core::str::from_utf8(octets).map_err(|_| Rejected)?.chars().count() as u64;
            if !(lower..=upper).contains(&characters) {
                return Err(Rejected);
            }
        }
        self.count(text.count, count)?;
        match &text.units {
            Units::Bits => self.writer.put_bits(octets, count),
            Units::Octets | Units::Utf8(..) => self.writer.put_octets(octets),
            Units::Characters { bits, indexes, .. } => octets.iter().try_for_each(|character| {
                let index = indexes.get(usize::from(*character)).copied().unwrap_or(NONE);
                if index == NONE { Err(Rejected) } else { self.writer.put(index.into(), (*bits).into()) }
            }),
        }
    }
}
