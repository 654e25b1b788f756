//! A tape to octets.

use roadwire_wire::Rejected;
use roadwire_wire::rt::cbor::straight::{head_word, integer_word};
use roadwire_wire::rt::cbor::{close, shortest};
use roadwire_wire::rt::put_octets;

use super::code::{Code, Field, Key, Leaf, List, Map, ORDERS, Op};
use crate::octets::put;
use crate::place::Place;
use crate::rows::Rows;
use crate::strings::within;
use crate::tape::{Tape, parts};

struct Machine<'a> {
    output: &'a mut [u8],
    /// Where the next octet goes.
    at: usize,
    /// Where the last two elements of each list in order begin.
    orders: [(usize, usize); ORDERS],
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
        Machine { output, at: 0, orders: [(0, 0); ORDERS], tape, place: Place::default(), rows: Rows::new() };
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
                Op::Literal { key } => self.put(key.word(), key.octets.into())?,
                Op::Entry { presence, set, .. } if set != 0 && self.word(presence)? & set == 0 => return Err(Rejected),
                Op::Entry { key, .. } => self.put(key.word(), key.octets.into())?,
                Op::If { presence, mask, to, .. } if self.word(presence)? & mask == 0 => next = to as usize,
                Op::If { key, .. } => self.put(key.word(), key.octets.into())?,
                Op::IfAny { presence, mask, to } if self.word(presence)? & mask == 0 => next = to as usize,
                Op::IfAny { .. } => {}
                Op::NotDefault { presence, bit, slot, value } => {
                    let is_there = self.word(presence)? >> (bit & 63) & 1 == 1;
                    if is_there && code.defaults.is(self.tape, self.word(slot)?, value)? {
                        return Err(Rejected);
                    }
                }
                Op::Open { presence, map } => self.open(code.maps.get(map as usize).ok_or(Rejected)?, presence)?,
                Op::Close => {}
                Op::Enter { slot, .. } => self.place.enter(self.word(slot)? as usize, 0)?,
                Op::Leave => self.place.leave(),
                Op::Choose { slot, first, count, key } => next = self.choose(code, (slot, first, count), key)?,
                Op::Jump { to } => next = to as usize,
                Op::List { slot, list } => {
                    let list = code.lists.get(list as usize).ok_or(Rejected)?;
                    if !self.list(list, slot)? {
                        next = list.end as usize;
                    }
                }
                Op::Order { list } => self.order(list)?,
                Op::Next { words, body } if self.place.next(words) => next = body as usize,
                Op::Next { .. } => {}
                Op::Leaf { slot, leaf, key } => {
                    let word = self.word(slot)?;
                    self.put(key.word(), key.octets.into())?;
                    self.leaf(code.leaves.get(leaf as usize).ok_or(Rejected)?, word)?;
                }
                Op::Embed => {
                    self.put(0, 1)?;
                    self.place.hold(self.at as u64)?;
                }
                Op::Embedded => self.at = close(self.output, self.place.release() as usize, self.at)?,
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
            if field.has_bit && bits >> (field.bit & 63) & 1 == 0 {
                if field.is_optional {
                    continue;
                }
                return Err(Rejected);
            }
            self.integer(field.key, field.zero, field.write(*value)?)?;
        }
        Ok(())
    }

    fn word(&self, slot: u32) -> Result<u64, Rejected> {
        self.tape.words.get(self.place.of(slot)).copied().ok_or(Rejected)
    }

    #[inline(always)]
    fn put(&mut self, word: u64, octets: usize) -> Result<(), Rejected> {
        self.at = put(self.output, self.at, word.to_be_bytes(), octets)?;
        Ok(())
    }

    /// Writes an integer after a key of up to [`Key::AHEAD`] octets.
    #[inline(always)]
    fn integer(&mut self, key: Key, zero: u8, number: i64) -> Result<(), Rejected> {
        if number ^ number >> 63 > u32::MAX.into() {
            return self.long(key, number);
        }
        let (word, octets) = integer_word::<5>(number);
        let item = word ^ u64::from(zero) << 56;
        self.put(key.word() | item >> (8 * key.octets), usize::from(key.octets) + octets)
    }

    #[cold]
    #[inline(never)]
    fn long(&mut self, key: Key, number: i64) -> Result<(), Rejected> {
        let sign = (number >> 63) as u64;
        self.put(key.word(), key.octets.into())?;
        self.put((sign & 0x20 | 27) << 56, 1)?;
        self.put(number as u64 ^ sign, 8)
    }

    /// Writes a head with this kind in its first octet.
    #[inline(always)]
    fn head(&mut self, front: u8, number: u64) -> Result<(), Rejected> {
        if number > u32::MAX.into() {
            return Err(Rejected);
        }
        let (word, octets) = head_word::<5>(number);
        self.put(u64::from(front) << 56 | word, octets)
    }

    fn open(&mut self, map: &Map, presence: u32) -> Result<(), Rejected> {
        let word = self.word(presence)?;
        let groups = map.groups.iter().filter(|group| word & **group != 0).count();
        self.put(map.key.word(), map.key.octets.into())?;
        self.head(0xa0, u64::from(map.fixed + (word & map.mask).count_ones()) + groups as u64)
    }

    fn choose(&mut self, code: &Code, (slot, first, count): (u32, u32, u32), key: Key) -> Result<usize, Rejected> {
        let alternative = Some(self.word(slot)?).filter(|at| *at < count.into()).ok_or(Rejected)?;
        let place = code.alternatives.get(first as usize + alternative as usize).ok_or(Rejected)?.place;
        let chosen = code.alternatives.get(first as usize + place as usize).ok_or(Rejected)?;
        self.put(key.word(), key.octets.into())?;
        self.head(0, place.into())?;
        Ok(chosen.to as usize)
    }

    /// Enters the first element; returns whether there is one.
    fn list(&mut self, list: &List, slot: u32) -> Result<bool, Rejected> {
        let (first, count) = parts(self.word(slot)?);
        within(count as u64, list.lower, list.upper)?;
        self.put(list.key.word(), list.key.octets.into())?;
        self.head(0x80, count as u64)?;
        if let Some(place) = list.order.and_then(|order| self.orders.get_mut(usize::from(order))) {
            *place = (self.at, self.at);
        }
        if count > 0 {
            self.place.enter(first, count)?;
        }
        Ok(count > 0)
    }

    fn order(&mut self, list: u8) -> Result<(), Rejected> {
        let order = self.orders.get_mut(usize::from(list)).ok_or(Rejected)?;
        let (before, start) = *order;
        *order = (start, self.at);
        let (before, this) = (self.output.get(before..start), self.output.get(start..self.at));
        if before.ok_or(Rejected)? <= this.ok_or(Rejected)? { Ok(()) } else { Err(Rejected) }
    }

    fn leaf(&mut self, leaf: &Leaf, word: u64) -> Result<(), Rejected> {
        match leaf {
            Leaf::String(front, strings) => {
                let (first, octets) = strings.octets(self.tape, word)?;
                self.head(*front, octets.len() as u64 + u64::from(first.is_some()))?;
                if let Some(first) = first {
                    self.put(u64::from(first) << 56, 1)?;
                }
                self.at = put_octets(self.output, self.at, octets)?;
                Ok(())
            }
            Leaf::Item(numbers) => {
                let ordinal = usize::try_from(word).map_err(|_| Rejected)?;
                self.integer(Key::default(), 0, *numbers.get(ordinal).ok_or(Rejected)?)
            }
            Leaf::Float => {
                let (information, bits, count) = shortest(f64::from_bits(word));
                self.put((0xe0 | u64::from(information)) << 56, 1)?;
                self.put(bits << (64 - count), count as usize / 8)
            }
        }
    }
}

impl Field {
    /// The number for a word on the tape.
    #[inline(always)]
    fn write(&self, value: u64) -> Result<i64, Rejected> {
        let offset = value.wrapping_sub(self.base as u64);
        if offset > self.range { Err(Rejected) } else { Ok(offset.wrapping_add(self.lower as u64) as i64) }
    }
}
