//! Cells of mandatory columns that have no value, because the column cannot hold it.

use std::collections::HashMap;

use roadwire_wire::column::Flags;

/// The rows without a value of each such column, by the column's place.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gaps(HashMap<usize, Vec<usize>>);

impl Gaps {
    /// Adds a row, which follows all others of this column.
    pub(crate) fn add(&mut self, at: usize, row: usize) {
        self.0.entry(at).or_default().push(row);
    }

    /// Keeps the first rows of a column.
    pub(crate) fn truncate(&mut self, at: usize, rows: usize) {
        if let Some(of_column) = self.0.get_mut(&at) {
            of_column.retain(|row| *row < rows);
        }
    }

    /// Which of this many rows of a column have a value; nothing if all have one. Afterwards it has
    /// no gaps.
    pub(crate) fn take(&mut self, at: usize, rows: usize) -> Option<Flags> {
        let of_column = self.0.remove(&at).filter(|of_column| !of_column.is_empty())?;
        let mut gaps = of_column.into_iter().peekable();
        let mut valid = Flags::default();
        for row in 0..rows {
            if gaps.next_if_eq(&row).is_none() {
                valid.set(row);
            }
        }
        Some(valid)
    }
}
