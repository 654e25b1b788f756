//! The rows, on the heap.

use alloc::boxed::Box;
use alloc::vec::Vec;

use roadwire_layout::{Layout, ONLY, Span};
use roadwire_wire::Data;

use crate::equal::is_default;

/// The rows by slot. No heap for layouts without keys, and one word on the stack.
#[derive(Clone, Default)]
#[allow(clippy::box_collection, reason = "one word on the stack instead of three, for what few messages have")]
pub(crate) struct Slots(Option<Box<Vec<u32>>>);

/// The key has not been processed.
const NONE: u32 = u32::MAX;
/// The key has been processed, and selects no row.
const NO_ROW: u32 = u32::MAX - 1;
/// Flag for the row of a content that has been encoded before its key, or has been decoded.
const AHEAD: u32 = 1 << 31;

impl Slots {
    pub(crate) fn get(&self, slot: u32) -> Option<usize> {
        if slot == ONLY {
            return Some(0);
        }
        let row = self.0.as_ref()?.get(slot as usize).copied()?;
        (row < AHEAD).then_some(row as usize)
    }

    /// The selected row, whether a content has been decoded by it or not.
    pub(crate) fn selected(&self, slot: u32) -> Option<usize> {
        if slot == ONLY {
            return Some(0);
        }
        let row = self.0.as_ref()?.get(slot as usize).copied()?;
        (row < NO_ROW).then_some((row & !AHEAD) as usize)
    }

    /// The selected row, for a content that is decoded now. If the key occurs again, as a field of
    /// Protocol Buffers may, it must select the same row.
    pub(crate) fn fill(&mut self, slot: u32) -> Option<usize> {
        if slot == ONLY {
            return Some(0);
        }
        let place = self.0.as_mut()?.get_mut(slot as usize).filter(|row| **row < NO_ROW)?;
        let row = *place & !AHEAD;
        *place = row | AHEAD;
        Some(row as usize)
    }

    /// Whether the content of an open type may be of this row: it is the selected row, or the key
    /// may still follow and must then select it.
    pub(crate) fn admits(&mut self, slot: u32, row: usize) -> bool {
        if slot == ONLY {
            return row == 0;
        }
        let selected = self.0.as_ref().and_then(|slots| slots.get(slot as usize)).copied().unwrap_or(NONE);
        let ahead = row as u32 | AHEAD;
        if selected == NONE {
            self.put(slot, ahead);
            return true;
        }
        selected as usize == row || selected == ahead
    }

    /// Stores the row with this value in a slot. Returns whether the content, if it came before, is
    /// of that row.
    pub(crate) fn select(&mut self, layout: &Layout, slot: u32, keys: Span, value: &dyn Data) -> bool {
        let row = layout.numbers(keys).iter().position(|key| is_default(layout, *key, value));
        let row = row.map_or(NO_ROW, |row| row as u32);
        let before = self.put(slot, row);
        !(AHEAD..NO_ROW).contains(&before) || before == row | AHEAD
    }

    /// Begins a record with these slots (pairs of slot and initial row), and returns their previous
    /// rows.
    pub(crate) fn enter(&mut self, slots: &[u32]) -> Vec<u32> {
        slots.chunks_exact(2).map(|pair| self.put(pair[0], pair[1])).collect()
    }

    /// Ends a record: restores the previous rows.
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
