//! Which of a type's components have been read.

use alloc::vec::Vec;

/// A set of indexes. No heap for the first 64.
#[derive(Default)]
pub(crate) struct Seen {
    first: u64,
    count: usize,
    more: Vec<u64>,
}

impl Seen {
    pub(crate) fn has(&self, at: usize) -> bool {
        let word = if at < 64 { self.first } else { self.more.get(at / 64 - 1).copied().unwrap_or(0) };
        word >> (at % 64) & 1 == 1
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Adds an index; `false` if it was in the set.
    pub(crate) fn insert(&mut self, at: usize) -> bool {
        let word = match at {
            0..64 => Some(&mut self.first),
            _ => {
                let word = at / 64 - 1;
                if self.more.len() <= word {
                    self.more.resize(word + 1, 0);
                }
                self.more.get_mut(word)
            }
        };
        let Some(word) = word else { return false };
        let fresh = *word >> (at % 64) & 1 == 0;
        *word |= 1 << (at % 64);
        self.count += usize::from(fresh);
        fresh
    }
}
