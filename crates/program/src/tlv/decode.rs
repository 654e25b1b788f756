//! Octets to a tape.

use roadwire_wire::Rejected;
use roadwire_wire::rt::{tlv, window};

use super::code::{ALWAYS, Code, Field, List, Op, Tag};
use super::walk::OPEN;
use crate::budget::Budget;
use crate::place::Place;
use crate::rows::Rows;
use crate::tape::{Tape, span};

pub(super) struct Machine<'a> {
    pub(super) input: &'a [u8],
    /// The next octet.
    pub(super) at: usize,
    /// Where the contents end; if they are of indefinite length, those around them.
    pub(super) end: usize,
    pub(super) tape: &'a mut Tape,
    place: Place,
    rows: Rows,
    pub(super) budget: Budget,
    /// Where the contents around these end.
    ends: [u32; OPEN],
    opened: usize,
}

/// Decodes a message, and returns its length in bits.
pub(crate) fn decode(code: &Code, input: &[u8], tape: &mut Tape) -> Result<usize, Rejected> {
    tape.clear();
    tape.grow(code.words as usize)?;
    u32::try_from(input.len()).map_err(|_| Rejected)?;
    let (place, budget) = (Place::default(), Budget::new(input));
    let mut machine =
        Machine { input, at: 0, end: input.len(), tape, place, rows: Rows::new(), budget, ends: [0; OPEN], opened: 0 };
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
                Op::Run { slot, first, count } => self.fields(code, (slot, first, count))?,
                Op::Open { tag, indefinite } => self.open(tag, indefinite)?,
                Op::Close { indefinite } => self.close(indefinite)?,
                Op::If { slot, first, count, bit, to } => {
                    let tags = code.tags.get(first as usize..(first + count) as usize).ok_or(Rejected)?;
                    let ahead = self.ahead();
                    if tags.iter().any(|tag| is(tag, ahead)) {
                        self.set(slot, self.word(slot)? | 1 << bit)?;
                    } else {
                        next = to as usize;
                    }
                }
                Op::Enter { slot, words, places } => {
                    self.budget.frames(places, 1)?;
                    let frame = self.tape.grow(words as usize)?;
                    self.set(slot, frame as u64)?;
                    self.place.enter(frame, 0)?;
                }
                Op::Leave => self.place.leave(),
                Op::Choose { slot, choice } => {
                    let choice = code.choices.get(choice as usize).ok_or(Rejected)?;
                    let ahead = self.ahead();
                    let (_, which) = choice.tags.iter().find(|(tag, _)| is(tag, ahead)).ok_or(Rejected)?;
                    self.set(slot, u64::from(*which))?;
                    next = *choice.targets.get(*which as usize).ok_or(Rejected)? as usize;
                }
                Op::Jump { to } => next = to as usize,
                Op::List { slot, list, end } => {
                    let list = code.lists.get(list as usize).ok_or(Rejected)?;
                    if !self.list(slot, list)? {
                        next = end as usize;
                    }
                }
                Op::Next { words, body } if self.place.next(words) => next = body as usize,
                Op::Text { slot, text } => {
                    let word = self.text(code.strings.get(text as usize).ok_or(Rejected)?)?;
                    self.set(slot, word)?;
                }
                Op::Item { field, items } => self.item(code, field, items)?,
                Op::Null { tag } => drop(self.contents(tag, Some(0))?),
                Op::Prefix { tag, count } => self.prefix(code, tag, count)?,
                Op::Group { slot, group } => {
                    code.groups.get(group as usize).ok_or(Rejected)?.check(self.word(slot)?)?;
                }
                Op::Next { .. } | Op::Known { .. } | Op::NotDefault { .. } | Op::Sort => {}
                Op::Common { at } => {
                    let parts = (&code.tables, &code.defaults);
                    next = self.rows.decode(parts, (at, next), self.tape, &mut self.place)?;
                }
                Op::End => return Ok(self.at * 8),
            }
        }
    }

    /// The next octets, none after the contents.
    #[inline(always)]
    fn ahead(&self) -> u64 {
        if self.at < self.end { window(self.input, self.at) } else { 0 }
    }

    /// Numbers of one record, of which some may be absent.
    #[inline(always)]
    fn fields(&mut self, code: &Code, (slot, first, count): (u32, u32, u32)) -> Result<(), Rejected> {
        let fields = code.fields.get(first as usize..(first + count) as usize).ok_or(Rejected)?;
        let words = self.tape.words.get_mut(self.place.of(0)..).ok_or(Rejected)?;
        let (mut at, mut present) = (self.at, 0u64);
        for field in fields {
            let word = window(self.input, at);
            let other = (word >> 56) as u8 ^ field.tag;
            if field.bit != ALWAYS {
                // Whatever its bit for "constructed".
                if at >= self.end || other & 0xdf != 0 {
                    continue;
                }
                present |= 1 << field.bit;
            }
            if other != 0 {
                return Err(Rejected);
            }
            let (number, octets) = number(self.input, at, word)?;
            at += 2 + octets;
            *words.get_mut(field.slot as usize).ok_or(Rejected)? = within(field, number)?;
        }
        if present != 0 {
            *words.get_mut(slot as usize).ok_or(Rejected)? |= present;
        }
        self.at = at;
        if at > self.end { Err(Rejected) } else { Ok(()) }
    }

    #[inline(never)]
    fn item(&mut self, code: &Code, field: u32, items: u32) -> Result<(), Rejected> {
        let field = code.fields.get(field as usize).ok_or(Rejected)?;
        let word = window(self.input, self.at);
        if word >> 56 != field.tag.into() {
            return Err(Rejected);
        }
        let (number, octets) = number(self.input, self.at, word)?;
        self.at += 2 + octets;
        let items = code.items.get(items as usize).ok_or(Rejected)?;
        let at = items.binary_search_by_key(&number, |(item, _)| *item).map_err(|_| Rejected)?;
        self.set(field.slot, items.get(at).ok_or(Rejected)?.1.into())?;
        if self.at > self.end { Err(Rejected) } else { Ok(()) }
    }

    fn prefix(&mut self, code: &Code, tag: u32, count: u8) -> Result<(), Rejected> {
        let tag = code.tags.get(tag as usize).ok_or(Rejected)?;
        // The bit "constructed" is in the first octet.
        if (self.ahead() ^ tag.word) >> (64 - 8 * u32::from(count)) != 0 {
            return Err(Rejected);
        }
        self.at += usize::from(count);
        Ok(())
    }

    /// Reads this identifier octet and a definite length, and returns where the contents end.
    #[inline(always)]
    pub(super) fn contents(&mut self, tag: u8, wanted: Option<usize>) -> Result<usize, Rejected> {
        let (start, end) = tlv::open(self.input, self.at, tag)?;
        if end > self.end || wanted.is_some_and(|wanted| start + wanted != end) {
            return Err(Rejected);
        }
        self.at = start;
        Ok(end)
    }

    #[inline(always)]
    fn open(&mut self, tag: u8, indefinite: bool) -> Result<(), Rejected> {
        *self.ends.get_mut(self.opened).ok_or(Rejected)? = self.end as u32;
        self.opened += 1;
        if indefinite {
            self.at = tlv::expect(self.input, self.at, [tag, 0x80])?;
        } else {
            self.end = self.contents(tag, None)?;
        }
        Ok(())
    }

    #[inline(always)]
    fn close(&mut self, indefinite: bool) -> Result<(), Rejected> {
        if indefinite {
            self.at = tlv::expect(self.input, self.at, [0, 0])?;
        } else if self.at != self.end {
            return Err(Rejected);
        }
        self.opened = self.opened.wrapping_sub(1);
        self.end = *self.ends.get(self.opened).ok_or(Rejected)? as usize;
        Ok(())
    }

    /// Whether there is an element, which is then entered.
    fn list(&mut self, slot: u32, list: &List) -> Result<bool, Rejected> {
        let count = self.elements(list.indefinite)?;
        if !(list.lower..=list.upper).contains(&(count as u64)) {
            return Err(Rejected);
        }
        self.budget.units(count)?;
        self.budget.frames(list.places, count)?;
        let first = self.tape.grow(count * list.words as usize)?;
        self.set(slot, span(first, count)?)?;
        if count > 0 {
            self.place.enter(first, count)?;
        }
        Ok(count > 0)
    }

    /// How many values there are up to the end of the contents.
    fn elements(&self, indefinite: bool) -> Result<usize, Rejected> {
        let (mut at, mut count) = (self.at, 0);
        let contents = self.input.get(..self.end).ok_or(Rejected)?;
        while at < self.end {
            at = match contents.get(at..).and_then(|rest| rest.first_chunk::<2>()) {
                Some([0, 0]) if indefinite => return Ok(count),
                Some([tag, length @ 0..=0x7f]) if tag & 0x1f != 0x1f => at + 2 + usize::from(*length),
                _ => at + tlv::element(contents.get(at..).unwrap_or_default()).map_err(|_| Rejected)?,
            };
            count += 1;
        }
        if indefinite || at > self.end { Err(Rejected) } else { Ok(count) }
    }

    fn word(&self, slot: u32) -> Result<u64, Rejected> {
        self.tape.words.get(self.place.of(slot)).copied().ok_or(Rejected)
    }

    fn set(&mut self, slot: u32, word: u64) -> Result<(), Rejected> {
        *self.tape.words.get_mut(self.place.of(slot)).ok_or(Rejected)? = word;
        Ok(())
    }
}

#[inline(always)]
fn is(tag: &Tag, ahead: u64) -> bool {
    (tag.word ^ ahead) & tag.mask == 0
}

/// The number after an identifier octet, and how many octets it has; the caller checks that they
/// are in the contents.
#[inline(always)]
fn number(input: &[u8], at: usize, word: u64) -> Result<(i64, usize), Rejected> {
    let octets = word >> 48 & 0xff;
    let contents = match octets {
        1..=6 => word << 16,
        7 | 8 => window(input, at + 2),
        _ => return Err(Rejected),
    };
    let number = contents as i64 >> (64 - 8 * octets as u32);
    // X.690 §8.3.2: no more octets than the number needs.
    if u64::from(super::octets_of(number)) == octets { Ok((number, octets as usize)) } else { Err(Rejected) }
}

/// A number as it is on the tape.
#[inline(always)]
fn within(field: &Field, number: i64) -> Result<u64, Rejected> {
    if number.wrapping_sub(field.lower) as u64 > field.range {
        return Err(Rejected);
    }
    Ok(if field.is_truth { number.wrapping_neg() } else { number } as u64)
}
