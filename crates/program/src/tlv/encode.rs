//! A tape to octets.

use roadwire_wire::Rejected;
use roadwire_wire::rt::{RealContents, put_octets, tlv};

use super::code::{ALWAYS, Code, Field, Op, Text, Units};
use super::strings::is_permitted;
use super::walk::OPEN;
use crate::frame::UNKNOWN;
use crate::place::Place;
use crate::rows::Rows;
use crate::tape::{Tape, parts};

struct Machine<'a> {
    output: &'a mut [u8],
    /// Where the next octet goes.
    at: usize,
    tape: &'a Tape,
    place: Place,
    rows: Rows,
    /// Where the open contents begin.
    starts: [u32; OPEN],
    opened: usize,
}

/// Encodes a value, and returns how many octets it takes.
pub(crate) fn encode(code: &Code, tape: &Tape, output: &mut [u8]) -> Result<usize, Rejected> {
    // Places in the output are kept in 32 bits.
    let most = output.len().min(u32::MAX as usize);
    let output = output.get_mut(..most).ok_or(Rejected)?;
    let mut machine =
        Machine { output, at: 0, tape, place: Place::default(), rows: Rows::new(), starts: [0; OPEN], opened: 0 };
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
                Op::Run { slot, first, count } => self.fields(code, (slot, first, count))?,
                Op::Open { tag, indefinite } => self.open(tag, indefinite)?,
                Op::Close { indefinite } => self.close(indefinite)?,
                Op::If { slot, bit, to, .. } if self.word(slot)? >> bit & 1 == 0 => next = to as usize,
                Op::If { .. } => {}
                Op::NotDefault { slot, value, to } => {
                    let value = *code.values.get(value as usize).ok_or(Rejected)?;
                    if code.defaults.is(self.tape, self.word(slot)?, value)? {
                        next = value.is_certain().then_some(to).ok_or(Rejected)? as usize;
                    }
                }
                Op::Known { slot } if self.word(slot)? & UNKNOWN != 0 => return Err(Rejected),
                Op::Known { .. } => {}
                Op::Group { slot, group } => {
                    code.groups.get(group as usize).ok_or(Rejected)?.check(self.word(slot)?)?;
                }
                Op::Enter { slot, .. } => self.place.enter(self.word(slot)? as usize, 0)?,
                Op::Leave => self.place.leave(),
                Op::Choose { slot, choice } => {
                    let targets = &code.choices.get(choice as usize).ok_or(Rejected)?.targets;
                    let which = usize::try_from(self.word(slot)?).map_err(|_| Rejected)?;
                    next = *targets.get(which).ok_or(Rejected)? as usize;
                }
                Op::Jump { to } => next = to as usize,
                Op::List { slot, list, end } => {
                    let list = code.lists.get(list as usize).ok_or(Rejected)?;
                    let (first, count) = parts(self.word(slot)?);
                    if !(list.lower..=list.upper).contains(&(count as u64)) {
                        return Err(Rejected);
                    }
                    if count == 0 { next = end as usize } else { self.place.enter(first, count)? }
                }
                Op::Next { words, body } if self.place.next(words) => next = body as usize,
                Op::Next { .. } => {}
                Op::Sort => {
                    let start = *self.starts.get(self.opened.wrapping_sub(1)).ok_or(Rejected)? as usize;
                    self.at = tlv::sort(self.output, start, self.at)?;
                }
                Op::Text { slot, text } => {
                    self.text(code.strings.get(text as usize).ok_or(Rejected)?, self.word(slot)?)?;
                }
                Op::Item { field, items } => self.item(code, field, items)?,
                Op::Null { tag } => self.put(u64::from(tag) << 56, 2)?,
                Op::Prefix { tag, count } => {
                    let tag = code.tags.get(tag as usize).ok_or(Rejected)?;
                    self.put(tag.word, count.into())?;
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
        let fields = code.fields.get(first as usize..(first + count) as usize).ok_or(Rejected)?;
        let words = self.tape.words.get(self.place.of(0)..).ok_or(Rejected)?;
        let presence = words.get(slot as usize).copied().unwrap_or(0);
        for field in fields {
            if field.bit == ALWAYS || presence >> field.bit & 1 == 1 {
                let word = *words.get(field.slot as usize).ok_or(Rejected)?;
                self.number(field, if field.is_truth { word.wrapping_neg() } else { word } as i64)?;
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn number(&mut self, field: &Field, number: i64) -> Result<(), Rejected> {
        if number.wrapping_sub(field.lower) as u64 > field.range {
            return Err(Rejected);
        }
        let octets = super::octets_of(number);
        let front = u64::from(field.tag) << 56 | u64::from(octets) << 48;
        let contents = (number as u64) << (64 - 8 * octets);
        if octets <= 6 {
            return self.put(front | contents >> 16, 2 + octets as usize);
        }
        self.put(front, 2)?;
        self.put(contents, octets as usize)
    }

    fn item(&mut self, code: &Code, field: u32, items: u32) -> Result<(), Rejected> {
        let field = code.fields.get(field as usize).ok_or(Rejected)?;
        let ordinal = self.word(field.slot)?;
        let items = code.items.get(items as usize).ok_or(Rejected)?;
        let (number, _) = items.iter().find(|(_, item)| u64::from(*item) == ordinal).ok_or(Rejected)?;
        self.number(field, *number)
    }

    /// Writes the first octets of a word.
    #[inline(always)]
    fn put(&mut self, word: u64, octets: usize) -> Result<(), Rejected> {
        match self.output.get_mut(self.at..).and_then(|rest| rest.first_chunk_mut::<8>()) {
            Some(place) => *place = word.to_be_bytes(),
            None => return self.put_last(word, octets),
        }
        self.at += octets;
        Ok(())
    }

    /// The same where fewer than eight octets of the output are left.
    #[inline(never)]
    fn put_last(&mut self, word: u64, octets: usize) -> Result<(), Rejected> {
        self.octets(word.to_be_bytes().get(..octets).ok_or(Rejected)?)
    }

    fn octets(&mut self, octets: &[u8]) -> Result<(), Rejected> {
        self.at = put_octets(self.output, self.at, octets)?;
        Ok(())
    }

    #[inline(always)]
    fn open(&mut self, tag: u8, indefinite: bool) -> Result<(), Rejected> {
        let length = if indefinite { 0x80 } else { 0 };
        self.put(u64::from(tag) << 56 | length << 48, 2)?;
        *self.starts.get_mut(self.opened).ok_or(Rejected)? = self.at as u32;
        self.opened += 1;
        Ok(())
    }

    #[inline(always)]
    fn close(&mut self, indefinite: bool) -> Result<(), Rejected> {
        self.opened = self.opened.wrapping_sub(1);
        if indefinite {
            return self.put(0, 2);
        }
        let start = *self.starts.get(self.opened).ok_or(Rejected)? as usize;
        self.at = tlv::close(self.output, start, self.at)?;
        Ok(())
    }

    fn word(&self, slot: u32) -> Result<u64, Rejected> {
        self.tape.words.get(self.place.of(slot)).copied().ok_or(Rejected)
    }

    fn text(&mut self, text: &Text, word: u64) -> Result<(), Rejected> {
        let (at, count) = parts(word);
        let string = |octets: usize| self.tape.octets.get(at..at + octets).ok_or(Rejected);
        let (octets, size) = match &text.units {
            Units::Bits(trim) => {
                let octets = string(count.div_ceil(8))?;
                return self.bits(text, octets, count, *trim);
            }
            Units::Real => {
                let contents = RealContents::of(f64::from_bits(word));
                return self.string(text, contents.octets());
            }
            Units::Octets | Units::Oid => (string(count)?, count),
            Units::Element => {
                let octets = string(count)?;
                let is_one = tlv::element(octets) == Ok(count);
                return if is_one { self.octets(octets) } else { Err(Rejected) };
            }
            Units::Utf8 => {
                let octets = string(count)?;
                (octets, core::str::from_utf8(octets).map_err(|_| Rejected)?.chars().count())
            }
            Units::Characters(permitted) => {
                let octets = string(count)?;
                if !octets.iter().all(|octet| is_permitted(**permitted, *octet)) {
                    return Err(Rejected);
                }
                (octets, count)
            }
        };
        if text.admits(size) { self.string(text, octets) } else { Err(Rejected) }
    }

    /// Bits without those at the end that are zero, if these have no meaning (X.690 §11.2.2).
    fn bits(&mut self, text: &Text, octets: &[u8], count: usize, trim: Option<u64>) -> Result<(), Rejected> {
        let (mut kept, mut size) = (count, count);
        if let Some(least) = trim {
            let zeros = octets.iter().rev().take_while(|octet| **octet == 0).count();
            let used = octets.get(..octets.len() - zeros).unwrap_or_default();
            kept = used.last().map_or(0, |last| used.len() * 8 - last.trailing_zeros() as usize);
            size = kept.max(text.lower as usize);
            kept = kept.max(least as usize);
        }
        if !text.admits(size) || kept > count {
            return Err(Rejected);
        }
        let whole = kept.div_ceil(8);
        self.front(text, whole + 1)?;
        self.put(((whole * 8 - kept) as u64) << 56, 1)?;
        self.octets(octets.get(..whole).ok_or(Rejected)?)
    }

    fn string(&mut self, text: &Text, octets: &[u8]) -> Result<(), Rejected> {
        self.front(text, octets.len())?;
        self.octets(octets)
    }

    /// An identifier and a length.
    fn front(&mut self, text: &Text, octets: usize) -> Result<(), Rejected> {
        if octets > text.most {
            return Err(Rejected);
        }
        if octets < 128 {
            return self.put(u64::from(text.tag) << 56 | (octets as u64) << 48, 2);
        }
        self.put(u64::from(text.tag) << 56, 1)?;
        self.octets(tlv::length_octets(octets).as_slice())
    }
}
