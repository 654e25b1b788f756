//! Octets to a tape.

use roadwire_wire::Rejected;
use roadwire_wire::rt::fields::read;
use roadwire_wire::rt::varint;

use super::code::{Code, Field, Key, Leaf, Op};
use crate::budget::Budget;
use crate::octets::window_little;
use crate::place::{LEVELS, Place};
use crate::rows::Rows;
use crate::tape::Tape;

pub(super) struct Machine<'a> {
    pub(super) input: &'a [u8],
    /// The next octet.
    pub(super) at: usize,
    /// The end of the message that is entered.
    pub(super) end: usize,
    /// The ends of those around it.
    ends: [usize; LEVELS],
    depth: usize,
    pub(super) tape: &'a mut Tape,
    pub(super) place: Place,
    rows: Rows,
    pub(super) budget: Budget,
}

/// Decodes a message, and returns its length in bits.
pub(crate) fn decode(code: &Code, input: &[u8], tape: &mut Tape) -> Result<usize, Rejected> {
    tape.clear();
    tape.grow(code.words as usize)?;
    let (place, budget) = (Place::default(), Budget::new(input));
    let mut machine =
        Machine { input, at: 0, end: input.len(), ends: [0; LEVELS], depth: 0, tape, place, rows: Rows::new(), budget };
    let end = machine.budget.frames(code.places, 1).and_then(|()| machine.run(code));
    end.map(|()| input.len() * 8).inspect_err(|Rejected| machine.tape.clear())
}

/// In a varint of six octets, the bits that say that more octets follow.
const MORE: u64 = 0x8080_8080_8080;

impl Machine<'_> {
    fn run(&mut self, code: &Code) -> Result<(), Rejected> {
        let mut next = 0usize;
        loop {
            let op = *code.ops.get(next).ok_or(Rejected)?;
            next += 1;
            match op {
                Op::Run { slot, presence, first, count } => self.fields(code, (slot, presence, first, count))?,
                Op::If { presence, bit, key, is_left, to } => {
                    if !self.is_next(key) {
                        next = to as usize;
                        continue;
                    }
                    let word = self.word(presence)?;
                    self.set(presence, word | 1 << (bit & 63))?;
                    self.at += if is_left { 0 } else { usize::from(key.octets) };
                }
                Op::IfAny { to, .. } if self.at >= self.end => next = to as usize,
                Op::IfAny { .. } | Op::NotDefault { .. } => {}
                Op::Whole { presence, group } => group.check(self.word(presence)?)?,
                Op::Open { key } => self.open(key)?,
                Op::Close => self.close()?,
                Op::Enter { slot, words, places } => {
                    self.budget.frames(places, 1)?;
                    let frame = self.tape.grow(words as usize)?;
                    self.set(slot, frame as u64)?;
                    self.place.enter(frame, 0)?;
                }
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
                    let word = self.leaf(code.leaves.get(leaf as usize).ok_or(Rejected)?, key)?;
                    self.set(slot, word)?;
                }
                Op::Common { at } => {
                    let parts = (&code.tables, &code.defaults);
                    next = self.rows.decode(parts, (at, next), self.tape, &mut self.place)?;
                }
                Op::End if self.at == self.input.len() => return Ok(()),
                Op::End => return Err(Rejected),
            }
        }
    }

    /// Fields that follow each other on the tape.
    #[inline(always)]
    fn fields(&mut self, code: &Code, (slot, presence, first, count): (u32, u32, u32, u32)) -> Result<(), Rejected> {
        let (from, count) = (self.place.of(slot), count as usize);
        let fields = code.fields.get(first as usize..first as usize + count).ok_or(Rejected)?;
        let places = self.tape.words.get_mut(from..from + count).ok_or(Rejected)?;
        let (mut at, mut bits) = (self.at, 0);
        for (field, place) in fields.iter().zip(places) {
            let word = window_little(self.input, at);
            if !field.key.begins(word) || at >= self.end {
                if field.is_optional {
                    continue;
                }
                return Err(Rejected);
            }
            let octets = usize::from(field.key.octets);
            let (number, length) = number(word >> (8 * octets), self.input, at + octets)?;
            at += octets + length;
            *place = field.read(number)?;
            bits |= u64::from(field.is_optional) << (field.bit & 63);
        }
        self.at = at;
        if bits != 0 {
            let word = self.word(presence)?;
            self.set(presence, word | bits)?;
        }
        Ok(())
    }

    /// Whether this key comes next.
    #[inline(always)]
    pub(super) fn is_next(&self, key: Key) -> bool {
        self.at < self.end && key.begins(window_little(self.input, self.at))
    }

    /// Reads a key.
    #[inline(always)]
    fn take(&mut self, key: Key) -> Result<(), Rejected> {
        if !key.begins(window_little(self.input, self.at)) {
            return Err(Rejected);
        }
        self.at += usize::from(key.octets);
        Ok(())
    }

    /// Reads a number.
    #[inline(always)]
    fn take_number(&mut self) -> Result<u64, Rejected> {
        let (number, octets) = number(window_little(self.input, self.at), self.input, self.at)?;
        self.at += octets;
        Ok(number)
    }

    /// Reads a key and a length, and returns where what has this length ends.
    #[inline(always)]
    pub(super) fn take_length(&mut self, key: Key) -> Result<usize, Rejected> {
        self.take(key)?;
        let length = self.take_number()?;
        let left = self.end.checked_sub(self.at).ok_or(Rejected)?;
        if length > left as u64 { Err(Rejected) } else { Ok(self.at + length as usize) }
    }

    #[inline(always)]
    pub(super) fn open(&mut self, key: Key) -> Result<(), Rejected> {
        let end = self.take_length(key)?;
        *self.ends.get_mut(self.depth).ok_or(Rejected)? = self.end;
        self.depth += 1;
        self.end = end;
        Ok(())
    }

    #[inline(always)]
    fn close(&mut self) -> Result<(), Rejected> {
        if self.at != self.end {
            return Err(Rejected);
        }
        self.depth = self.depth.saturating_sub(1);
        self.end = *self.ends.get(self.depth).ok_or(Rejected)?;
        Ok(())
    }

    fn choose(&mut self, code: &Code, (slot, first, count): (u32, u32, u32)) -> Result<usize, Rejected> {
        // Numbers ascend from 1 on.
        let key = self.take_number()?;
        let place = Some((key >> 3).wrapping_sub(1)).filter(|place| *place < count.into()).ok_or(Rejected)?;
        let chosen = code.alternatives.get(first as usize + place as usize).ok_or(Rejected)?;
        if Key::new(key as u32) != Some(chosen.key) {
            return Err(Rejected);
        }
        self.set(slot, chosen.alternative.into())?;
        Ok(chosen.to as usize)
    }

    fn leaf(&mut self, leaf: &Leaf, key: Key) -> Result<u64, Rejected> {
        if let Leaf::String(_) | Leaf::Contents { .. } = leaf {
            let end = self.take_length(key)?;
            let octets = self.input.get(self.at..end).ok_or(Rejected)?;
            self.at = end;
            return match leaf {
                Leaf::String(strings) => strings.read(octets, self.tape),
                Leaf::Contents { lower, upper } => contents(octets, *lower, *upper),
                _ => Err(Rejected),
            };
        }
        self.take(key)?;
        match leaf {
            Leaf::Item(numbers) => {
                let number = self.take_number()? as i64;
                numbers.iter().position(|one| *one == number).map(|ordinal| ordinal as u64).ok_or(Rejected)
            }
            Leaf::Flags { lower, upper, .. } => {
                let flags = self.take_number()?;
                let bits = ((64 - flags.leading_zeros()) as u8).max(*lower);
                let octets = flags.reverse_bits().to_be_bytes();
                let octets = octets.get(..usize::from(bits.div_ceil(8))).ok_or(Rejected)?;
                if bits > *upper { Err(Rejected) } else { self.tape.string(octets, bits.into()) }
            }
            _ => {
                let eight = self.input.get(self.at..).and_then(|rest| rest.first_chunk::<8>()).ok_or(Rejected)?;
                self.at += 8;
                Ok(u64::from_le_bytes(*eight))
            }
        }
    }

    pub(super) fn word(&self, slot: u32) -> Result<u64, Rejected> {
        self.tape.words.get(self.place.of(slot)).copied().ok_or(Rejected)
    }

    pub(super) fn set(&mut self, slot: u32, word: u64) -> Result<(), Rejected> {
        *self.tape.words.get_mut(self.place.of(slot)).ok_or(Rejected)? = word;
        Ok(())
    }
}

impl Field {
    /// The word on the tape for a number.
    #[inline(always)]
    fn read(&self, number: u64) -> Result<u64, Rejected> {
        let sign = (number & u64::from(self.zigzag)).wrapping_neg();
        let offset = (number >> (self.zigzag & 63) ^ sign).wrapping_sub(self.lower as u64);
        if offset > self.range { Err(Rejected) } else { Ok(offset.wrapping_add(self.base as u64)) }
    }
}

/// The number that a word begins with, and how many octets it has. The word holds six octets from
/// `at` on.
#[inline(always)]
fn number(word: u64, input: &[u8], at: usize) -> Result<(u64, usize), Rejected> {
    // With branches, the processor predicts where the next field begins.
    if word & 0x80 == 0 {
        return Ok((word & 0x7f, 1));
    }
    if word & 0x8000 == 0 {
        return Ok((word & 0x7f | word >> 1 & 0x3f80, 2));
    }
    let last = !word & MORE;
    if last == 0 {
        return long(input, at);
    }
    // All bits up to the one that marks the last octet.
    Ok((varint::number(word & (last ^ (last - 1))), (last.trailing_zeros() as usize + 1) / 8))
}

#[cold]
#[inline(never)]
fn long(input: &[u8], at: usize) -> Result<(u64, usize), Rejected> {
    read(input.get(at..).unwrap_or_default()).map_err(|_| Rejected)
}

/// The number that octets are in two's complement, in as few as possible.
fn contents(octets: &[u8], lower: i64, upper: i64) -> Result<u64, Rejected> {
    let first = *octets.first().filter(|_| octets.len() <= 8).ok_or(Rejected)? as i8;
    let number = octets.iter().skip(1).fold(i64::from(first), |number, octet| number << 8 | i64::from(*octet));
    let is_shortest = octets.len() == 1 || !matches!(number >> (8 * octets.len() - 9), 0 | -1);
    if is_shortest && (lower..=upper).contains(&number) { Ok(number as u64) } else { Err(Rejected) }
}
