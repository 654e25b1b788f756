//! From columns to a tape. A plan has a step for each column, that knows its values and where their
//! word is: a row follows the steps, and the elements of a list follow each step together.
//!
//! It is the mirror of `append`, and is made for the columns of a batch.

mod plan;

use roadwire_wire::Rejected;
use roadwire_wire::column::{NOWHERE, Source};

use self::plan::{Builder, Kind, Step};
use crate::frame::Frames;
use crate::tape::{Tape, span};

/// Columns whose rows are put on tapes.
#[derive(Clone, Debug)]
pub struct Taker<'a> {
    /// How many words the frame has.
    words: u32,
    steps: Vec<Step<'a>>,
}

/// Rows, and the frames that they fill, which follow each other on a tape.
#[derive(Clone, Copy)]
struct Rows {
    /// Where the first frame begins, and how many words each takes.
    at: usize,
    stride: usize,
    /// The first one's place in the columns, and how many there are.
    row: usize,
    count: usize,
}

impl Rows {
    const fn one(at: usize, row: usize) -> Rows {
        Rows { at, stride: 0, row, count: 1 }
    }
}

impl Frames {
    /// A plan for the columns of the type; nothing if they are those of another one.
    #[must_use]
    pub fn taker<'a>(&'a self, columns: &'a [Source<'a>]) -> Option<Taker<'a>> {
        Some(Taker { words: self.words(self.root), steps: Builder::steps(self, columns)? })
    }
}

impl Taker<'_> {
    /// Puts the value of a row on a tape. It is one that the columns have.
    ///
    /// # Errors
    /// The row has no value, or a mandatory part has none; a value is not of the type; it takes
    /// 2^32 words or octets.
    pub fn take(&self, row: usize, tape: &mut Tape) -> Result<(), Rejected> {
        tape.clear();
        let at = tape.grow(self.words as usize)?;
        follow::<false>(&self.steps, tape, Rows::one(at, row))
    }
}

/// Follows steps with one row, or with many.
fn follow<const MANY: bool>(steps: &[Step<'_>], tape: &mut Tape, rows: Rows) -> Result<(), Rejected> {
    for step in steps {
        match &step.kind {
            Kind::U8(cells) => each::<MANY>(step, tape, rows, |row| Some(i64::from(*cells.get(row)?) as u64))?,
            Kind::U16(cells) => each::<MANY>(step, tape, rows, |row| Some(i64::from(*cells.get(row)?) as u64))?,
            Kind::U32(cells) => each::<MANY>(step, tape, rows, |row| Some(i64::from(*cells.get(row)?) as u64))?,
            Kind::U64(cells) => {
                each::<MANY>(step, tape, rows, |row| Some(i64::try_from(*cells.get(row)?).ok()? as u64))?
            }
            Kind::I8(cells) => each::<MANY>(step, tape, rows, |row| Some(i64::from(*cells.get(row)?) as u64))?,
            Kind::I16(cells) => each::<MANY>(step, tape, rows, |row| Some(i64::from(*cells.get(row)?) as u64))?,
            Kind::I32(cells) => each::<MANY>(step, tape, rows, |row| Some(i64::from(*cells.get(row)?) as u64))?,
            Kind::I64(cells) => each::<MANY>(step, tape, rows, |row| Some(*cells.get(row)? as u64))?,
            Kind::Items(cells) => each::<MANY>(step, tape, rows, |row| {
                cells.get(row).copied().filter(|ordinal| *ordinal != NOWHERE).map(u64::from)
            })?,
            Kind::Flags(flags) => each::<MANY>(step, tape, rows, |row| Some(flags.is_set(row).into()))?,
            Kind::True(flags) => step.each::<MANY>(tape, rows, |_, _, row| match flags.is_set(row) {
                true => Ok(()),
                false => Err(Rejected),
            })?,
            Kind::Present => step.each::<MANY>(tape, rows, |_, _, _| Ok(()))?,
            Kind::Leaf(form, source) => step.each::<MANY>(tape, rows, |tape, at, row| {
                tape.put_leaf(form, at, source.scalar(row).ok_or(Rejected)?)
            })?,
            Kind::Content(form, source) => step.each::<MANY>(tape, rows, |tape, at, row| {
                tape.has_octets = true;
                tape.put_leaf(form, at, source.scalar(row).ok_or(Rejected)?)
            })?,
            Kind::Group(words, parts) => step.each::<MANY>(tape, rows, |tape, at, row| {
                let at = step.place(tape, at, *words)?;
                follow::<false>(parts, tape, Rows::one(at, row))
            })?,
            Kind::Choice(chosen, alternatives) => step.each::<MANY>(tape, rows, |tape, at, row| {
                let index = *chosen.get(row).ok_or(Rejected)?;
                let (words, parts) = (2, alternatives.get(index as usize).ok_or(Rejected)?);
                let at = step.place(tape, at, words)?;
                tape.set(at, index.into());
                follow::<false>(parts, tape, Rows::one(at, row))
            })?,
            Kind::List(lists, words, element) => step.each::<MANY>(tape, rows, |tape, at, row| {
                let (from, to) = *lists.get(row).ok_or(Rejected)?;
                let (count, stride) = (to.checked_sub(from).ok_or(Rejected)?, *words as usize);
                let first = tape.grow(count.checked_mul(stride).ok_or(Rejected)?)?;
                tape.set(at, span(first, count)?);
                follow::<true>(element, tape, Rows { at: first, stride, row: from, count })
            })?,
        }
    }
    Ok(())
}

/// Puts the word of each row that has one.
#[inline(always)]
fn each<const MANY: bool>(
    step: &Step<'_>,
    tape: &mut Tape,
    rows: Rows,
    word: impl Fn(usize) -> Option<u64>,
) -> Result<(), Rejected> {
    for index in 0..if MANY { rows.count } else { 1 } {
        let (row, frame) = (rows.row + index, rows.at + index * rows.stride);
        if step.has_value(row)? {
            let word = word(row).ok_or(Rejected)?;
            // No rules send a DEFAULT, and columns always have one.
            if step.default != Some(word) {
                step.mark(tape, frame);
                tape.set(frame + step.at as usize, word);
            }
        }
    }
    Ok(())
}

impl Step<'_> {
    /// Calls `put` for each row that has a value, with the place of its word.
    #[inline(always)]
    fn each<const MANY: bool>(
        &self,
        tape: &mut Tape,
        rows: Rows,
        mut put: impl FnMut(&mut Tape, usize, usize) -> Result<(), Rejected>,
    ) -> Result<(), Rejected> {
        for index in 0..if MANY { rows.count } else { 1 } {
            let (row, frame) = (rows.row + index, rows.at + index * rows.stride);
            if self.has_value(row)? {
                self.mark(tape, frame);
                put(tape, frame + self.at as usize, row)?;
            }
        }
        Ok(())
    }

    /// Whether a row has a value. One without a mandatory value is refused.
    #[inline(always)]
    fn has_value(&self, row: usize) -> Result<bool, Rejected> {
        match self.valid {
            Some(valid) if !valid.is_set(row) => self.bit.map(|_| false).ok_or(Rejected),
            _ => Ok(true),
        }
    }

    /// Sets the presence bit in a frame.
    #[inline(always)]
    fn mark(&self, tape: &mut Tape, frame: usize) {
        if let Some(bit) = self.bit {
            let flags = frame + self.flags as usize;
            tape.set(flags, tape.word(flags) | 1 << bit);
        }
    }

    /// Where the frame of a part begins; where that is outside the one around it, it is made.
    #[inline(always)]
    fn place(&self, tape: &mut Tape, at: usize, words: u32) -> Result<usize, Rejected> {
        if !self.is_outside {
            return Ok(at);
        }
        let outside = tape.grow(words as usize)?;
        tape.set(at, outside as u64);
        Ok(outside)
    }
}
