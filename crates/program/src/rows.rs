//! Open types (which row of its table each one has, as another component selects it) and functions:
//! the operations that are the same for all machines.

mod walk;

use std::collections::HashMap;

use roadwire_wire::Rejected;

pub(crate) use walk::{Making, Selecting, Slots};

use crate::default::{Defaults, Value};
use crate::place::Place;
use crate::tape::Tape;

/// How many tables may have a row that is selected at the same time.
const REGISTERS: usize = 32;

/// No row is selected.
const NONE: u32 = u32::MAX;

/// The selected rows, by register. A slot of the layout has one while its record is entered.
pub(crate) struct Rows([u32; REGISTERS]);

/// Values of a component that select rows.
#[derive(Clone, Debug, Default)]
struct Keys {
    register: u32,
    /// Where they are words.
    words: HashMap<u64, u32>,
    /// Where they are strings, in the order of the rows.
    others: Vec<Value>,
}

/// An open type: where its rows are in a program.
#[derive(Clone, Debug)]
struct Table {
    selected: Selected,
    /// Where each row continues, and after them octets that are not known.
    targets: Vec<u32>,
}

/// The way in which a row is selected.
#[derive(Clone, Copy, Debug)]
enum Selected {
    /// A component, through a register.
    By(u32),
    /// Nothing: it is the first one, as in a string with contents.
    First,
    /// Nothing: the content is not known.
    None,
}

/// The keys and tables of a program, and its operations on them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tables {
    ops: Vec<Common>,
    keys: Vec<Keys>,
    tables: Vec<Table>,
    /// Registers, and the rows that they begin with.
    scopes: Vec<Vec<(u32, u32)>>,
}

/// An operation that is the same for all machines. Numbers are those of [`Tables`].
#[derive(Clone, Copy, Debug)]
pub(crate) enum Common {
    /// The row that an open type has; continues there.
    Content { slot: u32, table: u32 },
    /// A record begins whose components select rows: the rows before are held.
    Enter { scope: u32 },
    /// It ends: they are selected again.
    Leave { scope: u32 },
    /// A component selects a row.
    Select { slot: u32, keys: u32 },
    /// Calls a function: `types` are around it in the function that calls.
    Call { to: u32, types: u32 },
    /// Its end.
    Return,
}

impl Tables {
    #[inline(always)]
    fn op(&self, at: u32) -> Result<Common, Rejected> {
        self.ops.get(at as usize).copied().ok_or(Rejected)
    }

    fn get(&self, table: u32) -> Result<&Table, Rejected> {
        self.tables.get(table as usize).ok_or(Rejected)
    }
}

impl Rows {
    pub(crate) fn new() -> Rows {
        Rows([NONE; REGISTERS])
    }

    /// Carries out operation `at` of those that are common; returns the one that comes next, which
    /// is `next` if nothing else is said. A decoder notes the content of an open type on the tape.
    #[inline(never)]
    pub(crate) fn decode(
        &mut self,
        (tables, defaults): (&Tables, &Defaults),
        (at, next): (u32, usize),
        tape: &mut Tape,
        place: &mut Place,
    ) -> Result<usize, Rejected> {
        let Common::Content { slot, table } = tables.op(at)? else {
            return self.run((tables, defaults), (at, next), tape, place);
        };
        let (number, to) = self.selected(tables, table)?;
        tape.has_octets |= number + 1 == tables.get(table)?.targets.len() as u64;
        *tape.words.get_mut(place.of(slot)).ok_or(Rejected)? = number;
        Ok(to)
    }

    /// The same for an encoder, which rejects a content that is not of the row that is selected; so
    /// octets in place of a row are the interpreter's.
    #[inline(never)]
    pub(crate) fn encode(
        &mut self,
        (tables, defaults): (&Tables, &Defaults),
        (at, next): (u32, usize),
        tape: &Tape,
        place: &mut Place,
    ) -> Result<usize, Rejected> {
        let Common::Content { slot, table } = tables.op(at)? else {
            return self.run((tables, defaults), (at, next), tape, place);
        };
        let (selected, to) = self.selected(tables, table)?;
        if tape.words.get(place.of(slot)) == Some(&selected) { Ok(to) } else { Err(Rejected) }
    }

    fn run(
        &mut self,
        (tables, defaults): (&Tables, &Defaults),
        (at, next): (u32, usize),
        tape: &Tape,
        place: &mut Place,
    ) -> Result<usize, Rejected> {
        match tables.op(at)? {
            Common::Enter { scope } => {
                for (register, row) in tables.scopes.get(scope as usize).ok_or(Rejected)? {
                    let before = core::mem::replace(self.at(*register)?, *row);
                    place.hold(before.into())?;
                }
            }
            Common::Leave { scope } => {
                for (register, _) in tables.scopes.get(scope as usize).ok_or(Rejected)?.iter().rev() {
                    *self.at(*register)? = place.release() as u32;
                }
            }
            Common::Select { slot, keys } => {
                let keys = tables.keys.get(keys as usize).ok_or(Rejected)?;
                let word = tape.words.get(place.of(slot)).copied().ok_or(Rejected)?;
                *self.at(keys.register)? = keys.row(defaults, tape, word)?;
            }
            Common::Call { to, types } => {
                place.call(next, types)?;
                return Ok(to as usize);
            }
            Common::Return => return Ok(place.back()),
            Common::Content { .. } => return Err(Rejected),
        }
        Ok(next)
    }

    fn at(&mut self, register: u32) -> Result<&mut u32, Rejected> {
        self.0.get_mut(register as usize).ok_or(Rejected)
    }

    /// The row of a table.
    fn of(&self, table: &Table) -> u32 {
        match table.selected {
            Selected::By(register) => self.0.get(register as usize).copied().unwrap_or(NONE),
            Selected::First => 0,
            Selected::None => NONE,
        }
    }

    /// The number on the tape: that of the row, or how many rows there are; and where the program
    /// continues.
    fn selected(&self, tables: &Tables, table: u32) -> Result<(u64, usize), Rejected> {
        let table = tables.get(table)?;
        let row = (self.of(table) as usize).min(table.targets.len() - 1);
        Ok((row as u64, table.target(row)?))
    }
}

impl Table {
    fn target(&self, row: usize) -> Result<usize, Rejected> {
        // A row without a program goes nowhere.
        self.targets.get(row).filter(|to| **to != u32::MAX).map(|to| *to as usize).ok_or(Rejected)
    }
}

impl Keys {
    fn row(&self, defaults: &Defaults, tape: &Tape, word: u64) -> Result<u32, Rejected> {
        if self.others.is_empty() {
            return Ok(self.words.get(&word).copied().unwrap_or(NONE));
        }
        for (row, value) in (0..).zip(&self.others) {
            if defaults.is(tape, word, *value)? {
                return Ok(row);
            }
        }
        Ok(NONE)
    }
}
