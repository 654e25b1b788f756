//! What a receiver remembers, of which there is a bounded number.

use std::collections::BTreeMap;

/// Entries by key. Where there is no room for another one, the one that has not been asked for the longest goes.
#[derive(Debug, Clone)]
pub(crate) struct Remembered<K, T> {
    entries: BTreeMap<K, (u64, T)>,
    /// Counts what was asked for.
    clock: u64,
    most: usize,
}

impl<K: Ord + Copy, T> Remembered<K, T> {
    /// At most this many.
    pub(crate) fn new(most: usize) -> Self {
        Remembered { entries: BTreeMap::new(), clock: 0, most }
    }

    pub(crate) fn get(&mut self, key: &K) -> Option<&T> {
        self.clock += 1;
        let (used, entry) = self.entries.get_mut(key)?;
        *used = self.clock;
        Some(entry)
    }

    /// Replaces an earlier one.
    pub(crate) fn insert(&mut self, key: K, entry: T) {
        self.clock += 1;
        self.entries.insert(key, (self.clock, entry));
        if self.entries.len() > self.most {
            let oldest = self.entries.iter().min_by_key(|(_, (used, _))| *used).map(|(key, _)| *key);
            oldest.map(|key| self.entries.remove(&key));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_one_that_was_not_asked_for_goes() {
        let mut remembered = Remembered::new(2);
        remembered.insert(1, "a");
        remembered.insert(2, "b");
        assert_eq!(remembered.get(&1), Some(&"a"));
        remembered.insert(3, "c");
        assert_eq!([1, 2, 3].map(|key| remembered.get(&key).copied()), [Some("a"), None, Some("c")]);
        remembered.insert(3, "d");
        assert_eq!([1, 3].map(|key| remembered.get(&key).copied()), [Some("a"), Some("d")]);
    }
}
