//! A tape to text.

use roadwire_wire::Rejected;

use super::code::{Code, Leaf, List, Op};
use super::out::Out;
use crate::place::Place;
use crate::rows::Rows;
use crate::strings::within;
use crate::tape::{Tape, parts};

struct Machine<'a> {
    out: Out<'a>,
    tape: &'a Tape,
    place: Place,
    rows: Rows,
}

/// Writes a value, and returns how many octets it takes.
pub(crate) fn encode(code: &Code, tape: &Tape, output: &mut [u8]) -> Result<usize, Rejected> {
    if tape.has_unknown() {
        return Err(Rejected);
    }
    let mut machine = Machine { out: Out::new(output), tape, place: Place::default(), rows: Rows::new() };
    machine.run(code)?;
    Ok(machine.out.position())
}

impl Machine<'_> {
    fn run(&mut self, code: &Code) -> Result<(), Rejected> {
        let mut next = 0usize;
        loop {
            let op = *code.ops.get(next).ok_or(Rejected)?;
            next += 1;
            match op {
                Op::Run { slot, presence, first, count } => self.fields(code, (slot, presence, first, count))?,
                Op::Literal { text } => self.out.text(code, text)?,
                Op::If { presence, bit, to, text } => {
                    self.out.some_text(code, text)?;
                    if !self.has(presence, bit)? {
                        next = to as usize;
                    }
                }
                Op::IfOther { presence, bit, slot, value, to } => {
                    if !self.has(presence, bit)? {
                        next = to as usize;
                    } else if code.defaults.is(self.tape, self.word(slot)?, value)? {
                        next = value.is_certain().then_some(to).ok_or(Rejected)? as usize;
                    }
                }
                Op::Whole { presence, group } => group.check(self.word(presence)?)?,
                Op::Enter { slot } => self.place.enter(self.word(slot)? as usize, 0)?,
                Op::Leave => self.place.leave(),
                Op::Choose { slot, first, count, text } => {
                    self.out.some_text(code, text)?;
                    let chosen = Some(self.word(slot)?).filter(|at| *at < count.into()).ok_or(Rejected)?;
                    next = *code.alternatives.get(first as usize + chosen as usize).ok_or(Rejected)? as usize;
                }
                Op::Jump { to, text } => {
                    self.out.some_text(code, text)?;
                    next = to as usize;
                }
                Op::List { slot, list } => {
                    let list = code.lists.get(list as usize).ok_or(Rejected)?;
                    if !self.list(code, list, slot)? {
                        next = list.end as usize;
                    }
                }
                Op::Next { words, body, text } => {
                    self.out.text(code, text)?;
                    if self.place.next(words) {
                        next = body as usize;
                    }
                }
                Op::Leaf { slot, leaf, text } => {
                    let word = self.word(slot)?;
                    self.out.text(code, text)?;
                    self.leaf(code.leaves.get(leaf as usize).ok_or(Rejected)?, word)?;
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
        let (from, count) = (self.place.of(slot), count as usize);
        let fields = code.fields.get(first as usize..first as usize + count).ok_or(Rejected)?;
        let values = self.tape.words.get(from..from + count).ok_or(Rejected)?;
        self.out.fields(code, fields, values, self.word(presence)?)
    }

    #[inline(always)]
    fn word(&self, slot: u32) -> Result<u64, Rejected> {
        self.tape.words.get(self.place.of(slot)).copied().ok_or(Rejected)
    }

    #[inline(always)]
    fn has(&self, presence: u32, bit: u8) -> Result<bool, Rejected> {
        Ok(self.word(presence)? >> (bit & 63) & 1 == 1)
    }

    /// Enters the first element; returns whether there is one.
    fn list(&mut self, code: &Code, list: &List, slot: u32) -> Result<bool, Rejected> {
        let (first, count) = parts(self.word(slot)?);
        within(count as u64, list.lower, list.upper)?;
        self.out.text(code, list.text)?;
        if count > 0 {
            self.place.enter(first, count)?;
        }
        Ok(count > 0)
    }

    fn leaf(&mut self, leaf: &Leaf, word: u64) -> Result<(), Rejected> {
        let (tape, (from, count)) = (self.tape, parts(word));
        let octets = |count: usize| tape.octets.get(from..from + count).ok_or(Rejected);
        match leaf {
            Leaf::Digits { lower, upper } => {
                within(count as u64, *lower, *upper)?;
                self.out.digits(octets(count)?)
            }
            Leaf::Bits { fixed, lower, upper } => {
                // Named bits outside their size get other zero bits at the end: that is rare.
                within(count as u64, *lower, *upper)?;
                self.out.bits(octets(count.div_ceil(8))?, count, *fixed == Some(count as u64))
            }
            Leaf::Quoted(None) => self.out.quoted(octets(count)?),
            Leaf::Quoted(Some(strings)) => self.out.quoted(strings.octets(tape, word)?.1),
            Leaf::Dotted { relative } => self.out.dotted(octets(count)?, *relative),
            Leaf::Float => self.out.real(f64::from_bits(word)),
        }
    }
}
