//! Which rows of tables the keys met so far have selected.

use alloc::boxed::Box;
use alloc::vec::Vec;

use roadwire_layout::{Layout, Span};
use roadwire_wire::Data;

use crate::equal::is_default;

/// The rows by slot. No heap for layouts without keys, and one word on the stack.
#[derive(Default)]
#[allow(clippy::box_collection, reason = "one word on the stack instead of three, for what few messages have")]
pub(crate) struct Slots(Option<Box<Vec<u32>>>);

/// The key has not been met.
const NONE: u32 = u32::MAX;
/// It has been, and selects no row.
const NO_ROW: u32 = u32::MAX - 1;
/// Added to the row of a content that has been written before its key has been met, or read.
const AHEAD: u32 = 1 << 31;

impl Slots {
    pub(crate) fn get(&self, slot: u32) -> Option<usize> {
        let row = self.0.as_ref()?.get(slot as usize).copied()?;
        (row < AHEAD).then_some(row as usize)
    }

    /// The row selected, for a content that is decoded now. A key that comes once more, as a field of Protocol Buffers may, has to select it again.
    pub(crate) fn fill(&mut self, slot: u32) -> Option<usize> {
        let place = self.0.as_mut()?.get_mut(slot as usize).filter(|row| **row < NO_ROW)?;
        let row = *place & !AHEAD;
        *place = row | AHEAD;
        Some(row as usize)
    }

    /// Whether a content of this row may be in an open type: it is the row selected, or the key may still come and then has to select it.
    pub(crate) fn admits(&mut self, slot: u32, row: usize) -> bool {
        let selected = self.0.as_ref().and_then(|slots| slots.get(slot as usize)).copied().unwrap_or(NONE);
        let ahead = row as u32 | AHEAD;
        if selected == NONE {
            self.put(slot, ahead);
            return true;
        }
        selected as usize == row || selected == ahead
    }

    /// Puts the row with this value into a slot; whether the content, if it came before, is of that row.
    pub(crate) fn select(&mut self, layout: &Layout, slot: u32, keys: Span, value: &dyn Data) -> bool {
        let row = layout.numbers(keys).iter().position(|key| is_default(layout, *key, value));
        let row = row.map_or(NO_ROW, |row| row as u32);
        let before = self.put(slot, row);
        !(AHEAD..NO_ROW).contains(&before) || before == row | AHEAD
    }

    /// Begins a record with these slots (pairs of slot and first row), and tells what was in them.
    pub(crate) fn enter(&mut self, slots: &[u32]) -> Vec<u32> {
        slots.chunks_exact(2).map(|pair| self.put(pair[0], pair[1])).collect()
    }

    /// Ends it.
    pub(crate) fn leave(&mut self, slots: &[u32], before: &[u32]) {
        for (pair, row) in slots.chunks_exact(2).zip(before) {
            self.put(pair[0], *row);
        }
    }

    fn put(&mut self, slot: u32, row: u32) -> u32 {
        let slots = self.0.get_or_insert_default();
        if slots.len() <= slot as usize {
            slots.resize(slot as usize + 1, NONE);
        }
        slots.get_mut(slot as usize).map_or(NONE, |place| core::mem::replace(place, row))
    }
}
