//! Octets to a tape.

use roadwire_wire::Rejected;
use roadwire_wire::rt::cbor::straight::{take_float, take_integer, take_long, take_long_integer};
use roadwire_wire::rt::window;

use super::code::{Code, Field, Key, Leaf, List, Map, ORDERS, Op};
use crate::budget::Budget;
use crate::place::{LEVELS, Place};
use crate::rows::Rows;
use crate::strings::within;
use crate::tape::{Tape, span};

struct Machine<'a> {
    input: &'a [u8],
    /// The next octet.
    at: usize,
    /// How many entries are left in the map that is entered.
    left: u64,
    /// The same of those around it.
    lefts: [u64; LEVELS],
    depth: usize,
    /// Where the last two elements of each list in order begin.
    orders: [(usize, usize); ORDERS],
    tape: &'a mut Tape,
    place: Place,
    rows: Rows,
    budget: Budget,
}

/// Decodes a message, and returns its length in bits.
pub(crate) fn decode(code: &Code, input: &[u8], tape: &mut Tape) -> Result<usize, Rejected> {
    tape.clear();
    tape.grow(code.words as usize)?;
    let (place, budget, orders) = (Place::default(), Budget::new(input), [(0, 0); ORDERS]);
    let mut machine =
        Machine { input, at: 0, left: 0, lefts: [0; LEVELS], depth: 0, orders, tape, place, rows: Rows::new(), budget };
    let end = machine.budget.frames(code.places, 1).and_then(|()| machine.run(code));
    end.inspect_err(|Rejected| machine.tape.clear())
}

impl Machine<'_> {
    fn run(&mut self, code: &Code) -> Result<usize, Rejected> {
        let mut next = 0usize;
        loop {
            let op = *code.ops.get(next).ok_or(Rejected)?;
            next += 1;
            match op {
                Op::Run { slot, presence, first, count } => self.fields(code, (slot, presence, first, count))?,
                Op::Literal { key } => self.take(key)?,
                Op::If { mask, is_group, key, presence, to } => {
                    if self.left > 0 && key.begins(window(self.input, self.at)) {
                        self.entry(presence, if is_group { 0 } else { mask }, key)?;
                    } else {
                        next = to as usize;
                    }
                }
                Op::Entry { presence, set, key } => self.entry(presence, set, key)?,
                Op::IfAny { to, .. } if self.left == 0 => next = to as usize,
                Op::IfAny { .. } => {}
                Op::NotDefault { presence, bit, slot, value } => {
                    let is_there = self.word(presence)? >> (bit & 63) & 1 == 1;
                    if is_there && code.defaults.is(self.tape, self.word(slot)?, value)? {
                        return Err(Rejected);
                    }
                }
                Op::Open { map, .. } => self.open(code.maps.get(map as usize).ok_or(Rejected)?)?,
                Op::Close => self.close()?,
                Op::Enter { slot, words, places } => {
                    self.budget.frames(places, 1)?;
                    let frame = self.tape.grow(words as usize)?;
                    self.set(slot, frame as u64)?;
                    self.place.enter(frame, 0)?;
                }
                Op::Leave => self.place.leave(),
                Op::Choose { slot, first, count, key } => {
                    self.take(key)?;
                    next = self.choose(code, (slot, first, count))?;
                }
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
                    self.take(key)?;
                    let word = self.leaf(code.leaves.get(leaf as usize).ok_or(Rejected)?)?;
                    self.set(slot, word)?;
                }
                // Past the end, octets are zero.
                Op::Embed => {
                    let length = usize::try_from(self.head(0x40)?).ok().filter(|length| *length > 0).ok_or(Rejected)?;
                    let end = self.at.checked_add(length).filter(|end| *end <= self.input.len()).ok_or(Rejected)?;
                    self.place.hold(end as u64)?;
                }
                // A content that went past the end does not come back to it.
                Op::Embedded if self.place.release() == self.at as u64 => {}
                Op::Embedded => return Err(Rejected),
                Op::Common { at } => {
                    let parts = (&code.tables, &code.defaults);
                    next = self.rows.decode(parts, (at, next), self.tape, &mut self.place)?;
                }
                Op::End if self.at <= self.input.len() => return Ok(self.at * 8),
                Op::End => return Err(Rejected),
            }
        }
    }

    /// Items that follow each other on the tape.
    #[inline(always)]
    fn fields(&mut self, code: &Code, (slot, presence, first, count): (u32, u32, u32, u32)) -> Result<(), Rejected> {
        let (from, count) = (self.place.of(slot), count as usize);
        let fields = code.fields.get(first as usize..first as usize + count).ok_or(Rejected)?;
        let places = self.tape.words.get_mut(from..from + count).ok_or(Rejected)?;
        let (mut at, mut left, mut bits) = (self.at, self.left, 0);
        for (field, place) in fields.iter().zip(places) {
            let word = window(self.input, at);
            if !field.key.begins(word) || left < field.entry.into() {
                if field.is_optional {
                    continue;
                }
                return Err(Rejected);
            }
            at += usize::from(field.key.octets);
            let item = word << (8 * field.key.octets) ^ u64::from(field.zero) << 56;
            let (number, octets) = match take_integer::<5>(item) {
                Ok(taken) => taken,
                Err(Rejected) => long(self.input, at, field.zero)?,
            };
            at += octets;
            *place = field.read(number)?;
            left -= u64::from(field.entry);
            bits |= u64::from(field.has_bit) << (field.bit & 63);
        }
        (self.at, self.left) = (at, left);
        if bits != 0 {
            let word = self.word(presence)?;
            self.set(presence, word | bits)?;
        }
        Ok(())
    }

    /// Reads octets that must come.
    #[inline(always)]
    fn take(&mut self, key: Key) -> Result<(), Rejected> {
        if !key.begins(window(self.input, self.at)) {
            return Err(Rejected);
        }
        self.at += usize::from(key.octets);
        Ok(())
    }

    /// Reads the key of an entry.
    #[inline(always)]
    fn entry(&mut self, presence: u32, set: u64, key: Key) -> Result<(), Rejected> {
        self.take(key)?;
        self.left = self.left.checked_sub(1).ok_or(Rejected)?;
        if set != 0 {
            let word = self.word(presence)?;
            self.set(presence, word | set)?;
        }
        Ok(())
    }

    /// Reads a head with this kind in its first octet, and returns its number.
    #[inline(always)]
    fn head(&mut self, front: u8) -> Result<u64, Rejected> {
        let (at, number) = take_long(self.input, self.at, front.into())?;
        self.at = at;
        Ok(number)
    }

    fn open(&mut self, map: &Map) -> Result<(), Rejected> {
        self.take(map.key)?;
        *self.lefts.get_mut(self.depth).ok_or(Rejected)? = self.left;
        self.depth += 1;
        self.left = self.head(0xa0)?;
        if self.left < map.least.into() { Err(Rejected) } else { Ok(()) }
    }

    fn close(&mut self) -> Result<(), Rejected> {
        if self.left != 0 {
            return Err(Rejected);
        }
        self.depth = self.depth.saturating_sub(1);
        self.left = *self.lefts.get(self.depth).ok_or(Rejected)?;
        Ok(())
    }

    fn choose(&mut self, code: &Code, (slot, first, count): (u32, u32, u32)) -> Result<usize, Rejected> {
        let place = Some(self.head(0)?).filter(|place| *place < count.into()).ok_or(Rejected)?;
        let chosen = code.alternatives.get(first as usize + place as usize).ok_or(Rejected)?;
        self.set(slot, chosen.alternative.into())?;
        Ok(chosen.to as usize)
    }

    /// Enters the first element; returns whether there is one.
    fn list(&mut self, list: &List, slot: u32) -> Result<bool, Rejected> {
        self.take(list.key)?;
        let count = self.head(0x80)?;
        within(count, list.lower, list.upper)?;
        // Each takes at least one octet.
        let left = self.input.len().checked_sub(self.at).ok_or(Rejected)?;
        let count = usize::try_from(count).ok().filter(|count| *count <= left).ok_or(Rejected)?;
        self.budget.units(count)?;
        self.budget.frames(list.places, count)?;
        let first = self.tape.grow(count * list.words as usize)?;
        self.set(slot, span(first, count)?)?;
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
        let (before, this) = (self.input.get(before..start), self.input.get(start..self.at));
        if before.ok_or(Rejected)? <= this.ok_or(Rejected)? { Ok(()) } else { Err(Rejected) }
    }

    fn leaf(&mut self, leaf: &Leaf) -> Result<u64, Rejected> {
        match leaf {
            Leaf::String(front, strings) => {
                let length = usize::try_from(self.head(*front)?).map_err(|_| Rejected)?;
                let octets = self.input.get(self.at..).and_then(|rest| rest.get(..length)).ok_or(Rejected)?;
                self.at += length;
                strings.read(octets, self.tape)
            }
            Leaf::Item(numbers) => {
                let (at, number) = take_long_integer(self.input, self.at)?;
                self.at = at;
                numbers.iter().position(|one| *one == number).map(|ordinal| ordinal as u64).ok_or(Rejected)
            }
            Leaf::Float => {
                let (at, real) = take_float(self.input, self.at)?;
                self.at = at;
                Ok(real.to_bits())
            }
        }
    }

    fn word(&self, slot: u32) -> Result<u64, Rejected> {
        self.tape.words.get(self.place.of(slot)).copied().ok_or(Rejected)
    }

    fn set(&mut self, slot: u32, word: u64) -> Result<(), Rejected> {
        *self.tape.words.get_mut(self.place.of(slot)).ok_or(Rejected)? = word;
        Ok(())
    }
}

impl Field {
    /// The word on the tape for a number.
    #[inline(always)]
    fn read(&self, number: i64) -> Result<u64, Rejected> {
        let offset = number.wrapping_sub(self.lower) as u64;
        if offset > self.range { Err(Rejected) } else { Ok(offset.wrapping_add(self.base as u64)) }
    }
}

/// An integer of nine octets.
#[cold]
#[inline(never)]
fn long(input: &[u8], at: usize, zero: u8) -> Result<(i64, usize), Rejected> {
    let (end, number) = take_long_integer(input, at)?;
    if zero == 0 { Ok((number, end - at)) } else { Err(Rejected) }
}
