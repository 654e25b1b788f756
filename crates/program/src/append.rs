//! From a tape to columns. A plan has a step for each column, in their order, that says where its
//! word is: a row follows the steps, and the elements of a list follow each step together.
//!
//! The plan is here, and columns know nothing of it: a part of a tape appends itself through
//! [`Part::append`](roadwire_wire::Part::append), as what generated code decodes appends itself.

mod plan;

use roadwire_wire::column::put;
use roadwire_wire::{Cells, Column, Rejected, Scalar};

use self::plan::{Kind, Presence, Step};
pub(crate) use self::plan::{Plan, Steps};
use crate::frame::{Form, FrameId, Frames};
use crate::tape::{Tape, parts};

/// Rows whose frames follow each other on a tape.
#[derive(Clone, Copy)]
struct Rows<'t> {
    tape: &'t Tape,
    /// Where the first frame begins, and how many words each takes.
    at: usize,
    stride: usize,
    /// The first one's place in the columns, and how many there are.
    row: usize,
    count: usize,
}

impl<'t> Rows<'t> {
    fn one(tape: &'t Tape, at: usize, row: usize) -> Rows<'t> {
        Rows { tape, at, stride: 0, row, count: 1 }
    }

    /// A word of the frame of a row.
    #[inline(always)]
    fn word(self, at: u32, index: usize) -> u64 {
        self.tape.word(self.at.wrapping_add(index * self.stride).wrapping_add(at as usize))
    }
}

/// Columns, and the steps for rows of them.
struct Filler<'a, 'c> {
    frames: &'a Frames,
    steps: &'a Steps,
    columns: &'c mut [Column],
}

impl Frames {
    /// Appends the value on a tape to the columns of its type.
    pub(crate) fn append(&self, tape: &Tape, columns: &mut [Column], row: usize) -> Result<(), Rejected> {
        let steps = self.steps().filter(|steps| steps.columns == columns.len()).ok_or(Rejected)?;
        Filler { frames: self, steps, columns }.follow::<false>(&steps.all, Rows::one(tape, 0, row))
    }
}

impl<'a> Filler<'a, '_> {
    /// Follows steps with one row, or with many.
    fn follow<const MANY: bool>(&mut self, mut steps: &'a [Step], rows: Rows<'_>) -> Result<(), Rejected> {
        while let [step, rest @ ..] = steps {
            steps = rest;
            match step.kind {
                Kind::Integer => self.integer::<MANY>(step, rows)?,
                Kind::Enumerated => self.leaf::<MANY>(step, rows, |column, row, _, word| match &mut column.cells {
                    Cells::Items(cells, count) if word < u64::from(*count) => put(cells, row, word as i16),
                    _ => column.put(row, Scalar::Enumerated(word as u32)),
                })?,
                Kind::Boolean => self.leaf::<MANY>(step, rows, |column, row, _, word| flag(column, row, word != 0))?,
                Kind::Present => self.leaf::<MANY>(step, rows, |column, row, _, _| flag(column, row, true))?,
                Kind::Other => {
                    let form = match &self.frames.get(FrameId(step.of)).form {
                        Form::Opaque(opaque) => opaque.octets(),
                        form => form,
                    };
                    self.leaf::<MANY>(step, rows, |column, row, tape, word| column.put(row, tape.scalar(form, word)))?;
                }
                Kind::Group | Kind::Choice | Kind::List => {
                    let (inside, behind) = rest.split_at_checked(step.parts as usize).ok_or(Rejected)?;
                    let is_skipped = self.columns.get(step.column as usize).is_none_or(Column::is_skipped);
                    // The parts of one that is always there are steps of this row.
                    if !is_skipped && step.is_inline() {
                        continue;
                    }
                    steps = behind;
                    if !is_skipped {
                        (0..rows.count).try_for_each(|index| self.part(step, inside, rows, index))?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Appends the integer of each row that has one.
    #[inline(always)]
    fn integer<const MANY: bool>(&mut self, step: &Step, rows: Rows<'_>) -> Result<(), Rejected> {
        let Column { cells, valid } = self.columns.get_mut(step.column as usize).ok_or(Rejected)?;
        let defaults = &self.steps.defaults;
        macro_rules! numbers {
            ($($kind:ident)*) => {
                match cells {
                    $(Cells::$kind(cells) => each::<MANY>(step, rows, defaults, |row, is_marked, _, word| {
                        if let (true, Some(valid)) = (is_marked, &mut *valid) {
                            valid.set(row);
                        }
                        put(cells, row, (word as i64).try_into().map_err(|_| Rejected)?)
                    }),)*
                    // Digits, or one that is not selected.
                    _ => self.leaf::<MANY>(step, rows, |column, row, _, word| {
                        column.put(row, Scalar::Integer((word as i64).into()))
                    }),
                }
            };
        }
        numbers!(U8 U16 U32 U64 I8 I16 I32 I64)
    }

    /// Appends the word of each row that has one.
    #[inline(always)]
    fn leaf<const MANY: bool>(
        &mut self,
        step: &Step,
        rows: Rows<'_>,
        put: impl Fn(&mut Column, usize, &Tape, u64) -> Result<(), Rejected>,
    ) -> Result<(), Rejected> {
        let column = self.columns.get_mut(step.column as usize).ok_or(Rejected)?;
        each::<MANY>(step, rows, &self.steps.defaults, |row, is_marked, tape, word| {
            if is_marked {
                column.mark(row);
            }
            put(column, row, tape, word)
        })
    }

    /// Appends a part of one row that has steps of its own.
    fn part(&mut self, step: &Step, inside: &'a [Step], rows: Rows<'_>, index: usize) -> Result<(), Rejected> {
        let row = rows.row + index;
        let (mut tape, mut at) = (rows.tape, rows.at + index * rows.stride);
        let is_present = step.is_present(rows, index);
        if is_present && step.is_outside {
            at = rows.word(step.at, index) as usize;
        }
        if !is_present {
            if step.presence != Presence::Default {
                return Ok(());
            }
            tape = &self.steps.defaults;
            at = (step.place as usize).wrapping_sub(if step.is_outside { 0 } else { step.at as usize });
        }
        let column = self.columns.get_mut(step.column as usize).ok_or(Rejected)?;
        if matches!(step.presence, Presence::Optional | Presence::Alternative) {
            column.mark(row);
        }
        let one = Rows::one(tape, at, row);
        match step.kind {
            Kind::Choice => {
                let alternatives = self.steps.alternatives.get(step.of as usize).ok_or(Rejected)?;
                let chosen = usize::try_from(one.word(step.at, 0)).ok().and_then(|index| alternatives.get(index));
                // Of one that the type does not know, no column has a value.
                chosen.map_or(Ok(()), |range| self.follow::<false>(inside.get(range.clone()).ok_or(Rejected)?, one))
            }
            Kind::List => {
                let (first, count) = parts(one.word(step.at, 0));
                match column.put_list(row, count)? {
                    Some(row) if count > 0 => {
                        self.follow::<true>(inside, Rows { tape, at: first, stride: step.of as usize, row, count })
                    }
                    _ => Ok(()),
                }
            }
            _ => self.follow::<false>(inside, one),
        }
    }
}

/// Calls `put` for each row that has a word: with its place, whether it is to be marked, and the
/// word and its tape.
#[inline(always)]
fn each<const MANY: bool>(
    step: &Step,
    rows: Rows<'_>,
    defaults: &Tape,
    mut put: impl FnMut(usize, bool, &Tape, u64) -> Result<(), Rejected>,
) -> Result<(), Rejected> {
    let count = if MANY { rows.count } else { 1 };
    if step.presence == Presence::Always {
        return (0..count).try_for_each(|index| put(rows.row + index, false, rows.tape, rows.word(step.at, index)));
    }
    for index in 0..count {
        let row = rows.row + index;
        if step.is_present(rows, index) {
            put(row, step.presence != Presence::Default, rows.tape, rows.word(step.at, index))?;
        } else if step.presence == Presence::Default {
            put(row, false, defaults, defaults.word(step.place as usize))?;
        }
    }
    Ok(())
}

#[inline(always)]
fn flag(column: &mut Column, row: usize, is_set: bool) -> Result<(), Rejected> {
    match &mut column.cells {
        Cells::Flags(flags) if is_set => flags.set(row),
        Cells::Flags(_) | Cells::Skipped => {}
        _ => return Err(Rejected),
    }
    Ok(())
}
