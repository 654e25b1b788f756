//! Makes the keys and tables of a program: the same in all walks over layouts.

use std::collections::{BTreeMap, BTreeSet};

use roadwire_layout::{Layout, NodeId, ONLY, Span};

use super::{Common, Keys, REGISTERS, Selected, Table, Tables};
use crate::default::{Defaults, Value};
use crate::levels::Leveled;

/// Where the slots of a layout are, for a walk.
#[derive(Clone, Debug, Default)]
pub(crate) struct Slots {
    registers: BTreeMap<u32, u32>,
    taken: u32,
    /// The registers below are of records outside the function that is made: it may be called
    /// where these have others.
    floor: u32,
    /// The slots whose component has been met: a walk rejects an open type before it.
    met: BTreeSet<u32>,
}

/// Where a slot was before its record was entered.
struct Before {
    slot: u32,
    register: Option<u32>,
    is_met: bool,
}

impl Slots {
    /// The register of a slot.
    fn register(&self, slot: u32) -> Option<u32> {
        self.registers.get(&slot).copied().filter(|register| *register >= self.floor)
    }

    /// Takes a register for a slot of a record that is entered; returns its place before.
    fn take(&mut self, slot: u32) -> Option<(u32, Before)> {
        let register = Some(self.taken).filter(|taken| (*taken as usize) < REGISTERS)?;
        self.taken += 1;
        let before = Before { slot, register: self.registers.insert(slot, register), is_met: self.met.remove(&slot) };
        Some((register, before))
    }

    /// Gives it back: the slot may be that of a record around this one as well.
    fn give(&mut self, before: Before) {
        self.taken = self.taken.saturating_sub(1);
        match before.register {
            Some(register) => self.registers.insert(before.slot, register),
            None => self.registers.remove(&before.slot),
        };
        if before.is_met {
            self.met.insert(before.slot)
        } else {
            self.met.remove(&before.slot)
        };
    }

    /// Begins a function; returns what [`Slots::end`] takes.
    pub(crate) fn begin(&mut self) -> u32 {
        core::mem::replace(&mut self.floor, self.taken)
    }

    pub(crate) fn end(&mut self, floor: u32) {
        self.floor = floor;
    }
}

impl Tables {
    /// Adds an operation; returns its number.
    pub(crate) fn add(&mut self, op: Common) -> u32 {
        self.ops.push(op);
        self.ops.len() as u32 - 1
    }

    /// A record with these slots, as the layout has them: its scope, and where they were before.
    fn enter(&mut self, layout: &Layout, slots: &mut Slots, pairs: Span) -> Option<(u32, Vec<Before>)> {
        let (mut scope, mut before) = (Vec::new(), Vec::new());
        for pair in layout.numbers(pairs).chunks_exact(2) {
            let (register, was) = slots.take(pair[0])?;
            scope.push((register, pair[1]));
            before.push(was);
        }
        self.scopes.push(scope);
        Some((self.scopes.len() as u32 - 1, before))
    }

    /// A component that selects the row of a slot, and whose word is at `word`.
    fn key(
        &mut self,
        (layout, slots): (&Layout, &mut Slots),
        defaults: &mut Defaults,
        (slot, keys): (u32, Span),
        word: u32,
    ) -> Option<Common> {
        let mut all = Keys { register: slots.register(slot)?, ..Keys::default() };
        for (row, key) in (0..).zip(layout.numbers(keys)) {
            match defaults.add(layout, *key)? {
                // The first row with a value is the one.
                Value::Word(value) => drop(all.words.entry(value).or_insert(row)),
                value if value.is_certain() => all.others.push(value),
                _ => return None,
            }
        }
        if !all.words.is_empty() && !all.others.is_empty() {
            return None;
        }
        slots.met.insert(slot);
        self.keys.push(all);
        Some(Common::Select { slot: word, keys: self.keys.len() as u32 - 1 })
    }

    /// A new table, whose row is that of a slot (of [`ONLY`] the first one, of none no row);
    /// nothing if its component comes later.
    fn table(&mut self, slots: &Slots, slot: Option<u32>, rows: usize) -> Option<u32> {
        let selected = match slot {
            None => Selected::None,
            Some(ONLY) => Selected::First,
            Some(slot) => Selected::By(slots.register(slot).filter(|_| slots.met.contains(&slot))?),
        };
        self.tables.push(Table { selected, targets: vec![u32::MAX; rows + 1] });
        Some(self.tables.len() as u32 - 1)
    }

    /// Where a row continues; octets are after the rows.
    fn target(&mut self, table: u32, row: usize, to: u32) {
        let targets = self.tables.get_mut(table as usize).map(|table| &mut table.targets);
        if let Some(place) = targets.and_then(|targets| targets.get_mut(row)) {
            *place = to;
        }
    }
}

/// The layout of a walk, and the parts of the program that it makes.
pub(crate) struct Making<'w> {
    pub(crate) layout: &'w Layout,
    pub(crate) tables: &'w mut Tables,
    pub(crate) defaults: &'w mut Defaults,
    pub(crate) slots: &'w mut Slots,
}

/// Any walk: over a layout with open types.
pub(crate) trait Selecting: Leveled {
    /// A record whose components select rows.
    fn scope(&mut self, slots: Span, record: impl FnOnce(&mut Self) -> Option<()>) -> Option<()> {
        let making = self.making();
        let (scope, before) = making.tables.enter(making.layout, making.slots, slots)?;
        self.common(Common::Enter { scope });
        record(self)?;
        self.common(Common::Leave { scope });
        before.into_iter().rev().for_each(|before| self.making().slots.give(before));
        Some(())
    }

    /// A component that has been added selects the row of a slot; its word is at `word`.
    fn selects(&mut self, slot: u32, keys: Span, word: u32) -> Option<()> {
        let Making { layout, tables, defaults, slots } = self.making();
        let key = tables.key((layout, slots), defaults, (slot, keys), word)?;
        self.common(key);
        Some(())
    }

    /// An open type or a string with contents, at a slot: its rows, and octets that are not known.
    /// A row without a program is the interpreter's.
    fn rows(
        &mut self,
        (slot, selected): (u32, Option<u32>),
        (nodes, count): (&[u32], usize),
        mut row: impl FnMut(&mut Self, usize, NodeId) -> Option<()>,
        octets: impl FnOnce(&mut Self) -> Option<()>,
    ) -> Option<()> {
        let making = self.making();
        let table = making.tables.table(making.slots, selected, count)?;
        self.common(Common::Content { slot, table });
        let mut ends = Vec::new();
        for (at, node) in nodes.iter().enumerate() {
            let to = self.here();
            if self.attempt(|walk| row(walk, at, NodeId(*node))) {
                self.making().tables.target(table, at, to);
                ends.push(self.jump());
            }
        }
        // The first row alone is always selected.
        if selected != Some(ONLY) {
            let to = self.here();
            self.making().tables.target(table, count, to);
            octets(self)?;
        }
        ends.into_iter().for_each(|end| self.ends(end));
        Some(())
    }
}

impl<W: Leveled> Selecting for W {}
