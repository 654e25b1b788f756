//! A tape to octets.

use roadwire_wire::Rejected;
use roadwire_wire::rt::fields::close;
use roadwire_wire::rt::{put_octets, varint};

use super::code::{Code, Elements, Field, Key, Leaf, List, Op};
use crate::octets::put;
use crate::place::{LEVELS, Place};
use crate::rows::Rows;
use crate::strings::within;
use crate::tape::{Tape, parts};

struct Machine<'a> {
    output: &'a mut [u8],
    /// Where the next octet goes.
    at: usize,
    /// Where the messages that are entered begin.
    starts: [usize; LEVELS],
    depth: usize,
    tape: &'a Tape,
    place: Place,
    rows: Rows,
}

/// Encodes a value, and returns how many octets it takes.
pub(crate) fn encode(code: &Code, tape: &Tape, output: &mut [u8]) -> Result<usize, Rejected> {
    if tape.has_unknown() {
        return Err(Rejected);
    }
    let mut machine =
        Machine { output, at: 0, starts: [0; LEVELS], depth: 0, tape, place: Place::default(), rows: Rows::new() };
    machine.run(code)?;
    Ok(machine.at)
}

impl Machine<'_> {
    fn run(&mut self, code: &Code) -> Result<(), Rejected> {
        let mut next = 0usize;
        loop {
            let op = *code.ops.get(next).ok_or(Rejected)?;
            next += 1;
            match op {
                Op::Run { slot, presence, first, count } => self.fields(code, (slot, presence, first, count))?,
                Op::If { presence, bit, to, .. } if self.word(presence)? >> (bit & 63) & 1 == 0 => next = to as usize,
                Op::If { key, is_left: false, .. } => self.put(key.word.into(), key.octets.into())?,
                Op::If { .. } => {}
                Op::IfAny { presence, mask, to } if self.word(presence)? & mask == 0 => next = to as usize,
                Op::IfAny { .. } => {}
                Op::NotDefault { presence, bit, slot, value } => {
                    let is_there = self.word(presence)? >> (bit & 63) & 1 == 1;
                    if is_there && code.defaults.is(self.tape, self.word(slot)?, value)? {
                        return Err(Rejected);
                    }
                }
                Op::Whole { presence, group } => group.check(self.word(presence)?)?,
                Op::Open { key } => self.open(key)?,
                Op::Close => {
                    self.depth = self.depth.saturating_sub(1);
                    self.at = close(self.output, *self.starts.get(self.depth).ok_or(Rejected)?, self.at)?;
                }
                Op::Enter { slot, .. } => self.place.enter(self.word(slot)? as usize, 0)?,
                Op::Leave => self.place.leave(),
                Op::Choose { slot, first, count } => next = self.choose(code, (slot, first, count))?,
                Op::Jump { to } => next = to as usize,
                Op::List { slot, list } => {
                    let list = code.lists.get(list as usize).ok_or(Rejected)?;
                    if !self.list(list, slot)? {
                        next = list.end as usize;
                    }
                }
                Op::Next { words, body } if self.place.next(words) => next = body as usize,
                Op::Next { .. } => {}
                Op::Leaf { slot, leaf, key } => {
                    let word = self.word(slot)?;
                    self.leaf(code.leaves.get(leaf as usize).ok_or(Rejected)?, key, word)?;
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
    fn fields(&mut self, code: &Code, (slot, presence, first, count): (u32, u32, u32, u32)) -> Result<(), Rejected> {
        let (from, count, bits) = (self.place.of(slot), count as usize, self.word(presence)?);
        let fields = code.fields.get(first as usize..first as usize + count).ok_or(Rejected)?;
        let values = self.tape.words.get(from..from + count).ok_or(Rejected)?;
        for (field, value) in fields.iter().zip(values) {
            if !field.is_optional || bits >> (field.bit & 63) & 1 == 1 {
                self.number(field.key, field.write(*value)?)?;
            }
        }
        Ok(())
    }

    fn word(&self, slot: u32) -> Result<u64, Rejected> {
        self.tape.words.get(self.place.of(slot)).copied().ok_or(Rejected)
    }

    #[inline(always)]
    fn put(&mut self, word: u64, octets: usize) -> Result<(), Rejected> {
        self.at = put(self.output, self.at, word.to_le_bytes(), octets)?;
        Ok(())
    }

    /// Writes a key and a number.
    #[inline(always)]
    fn number(&mut self, key: Key, number: u64) -> Result<(), Rejected> {
        let (varint, octets) = match number {
            0..0x80 => (number, 1),
            0x80..0x4000 => (number & 0x7f | 0x80 | number >> 7 << 8, 2),
            // With the key, in a word.
            0x4000..0x400_0000_0000 => varint::word(number),
            _ => return self.long(key, number),
        };
        self.put(u64::from(key.word) | varint << (8 * key.octets), usize::from(key.octets) + octets)
    }

    #[cold]
    #[inline(never)]
    fn long(&mut self, key: Key, number: u64) -> Result<(), Rejected> {
        self.put(key.word.into(), key.octets.into())?;
        let mut rest = number;
        while rest >= 0x80 {
            self.put(rest & 0x7f | 0x80, 1)?;
            rest >>= 7;
        }
        self.put(rest, 1)
    }

    /// Leaves an octet for the length.
    #[inline(always)]
    fn open(&mut self, key: Key) -> Result<(), Rejected> {
        self.put(key.word.into(), usize::from(key.octets) + 1)?;
        *self.starts.get_mut(self.depth).ok_or(Rejected)? = self.at;
        self.depth += 1;
        Ok(())
    }

    fn choose(&mut self, code: &Code, (slot, first, count): (u32, u32, u32)) -> Result<usize, Rejected> {
        let alternative = Some(self.word(slot)?).filter(|at| *at < count.into()).ok_or(Rejected)?;
        let place = code.alternatives.get(first as usize + alternative as usize).ok_or(Rejected)?.place;
        let chosen = code.alternatives.get(first as usize + place as usize).ok_or(Rejected)?;
        self.put(chosen.key.word.into(), chosen.key.octets.into())?;
        Ok(chosen.to as usize)
    }

    /// Enters the first element; returns whether there is one.
    fn list(&mut self, list: &List, slot: u32) -> Result<bool, Rejected> {
        let (first, count) = parts(self.word(slot)?);
        within(count as u64, list.lower, list.upper)?;
        if count == 0 {
            return Ok(false);
        }
        if list.elements != Elements::Keyed {
            self.open(list.key)?;
        }
        self.place.enter(first, count)?;
        Ok(true)
    }

    fn leaf(&mut self, leaf: &Leaf, key: Key, word: u64) -> Result<(), Rejected> {
        match leaf {
            Leaf::String(strings) => {
                let (first, octets) = strings.octets(self.tape, word)?;
                self.number(key, octets.len() as u64 + u64::from(first.is_some()))?;
                if let Some(first) = first {
                    self.put(first.into(), 1)?;
                }
                self.at = put_octets(self.output, self.at, octets)?;
                Ok(())
            }
            Leaf::Item(numbers) => {
                let ordinal = usize::try_from(word).map_err(|_| Rejected)?;
                self.number(key, *numbers.get(ordinal).ok_or(Rejected)? as u64)
            }
            Leaf::Flags { lower, upper, is_trimmed } => {
                let flags = flags(self.tape, word, (*lower, *upper, *is_trimmed))?;
                self.number(key, flags)
            }
            Leaf::Double => {
                self.put(key.word.into(), key.octets.into())?;
                self.put(word, 8)
            }
            Leaf::Contents { lower, upper } => {
                let number = Some(word as i64).filter(|number| (lower..=upper).contains(&number)).ok_or(Rejected)?;
                let octets = 8 - ((number ^ number >> 63).leading_zeros() as usize - 1) / 8;
                self.number(key, octets as u64)?;
                self.put(((number as u64) << (64 - 8 * octets)).swap_bytes(), octets)
            }
        }
    }
}

impl Field {
    /// The number for a word on the tape.
    #[inline(always)]
    fn write(&self, value: u64) -> Result<u64, Rejected> {
        let offset = value.wrapping_sub(self.base as u64);
        if offset > self.range {
            return Err(Rejected);
        }
        let number = offset.wrapping_add(self.lower as u64);
        let sign = (number >> 63 & u64::from(self.zigzag)).wrapping_neg();
        Ok(number << (self.zigzag & 63) ^ sign)
    }
}

/// Bit n of a string as the one of value 2^n.
fn flags(tape: &Tape, span: u64, (lower, upper, is_trimmed): (u8, u8, bool)) -> Result<u64, Rejected> {
    let (at, bits) = parts(span);
    let octets = tape.octets.get(at..at + bits.div_ceil(8)).filter(|octets| octets.len() <= 8).ok_or(Rejected)?;
    let mut eight = [0; 8];
    eight.iter_mut().zip(octets).for_each(|(place, octet)| *place = *octet);
    let flags = u64::from_be_bytes(eight).reverse_bits();
    let meant = 64 - u64::from(flags.leading_zeros());
    let size = if is_trimmed { meant.max(lower.into()) } else { bits as u64 };
    within(size, lower.into(), upper.into())?;
    // Bits beyond the size are not there.
    if meant > bits as u64 { Err(Rejected) } else { Ok(flags) }
}
