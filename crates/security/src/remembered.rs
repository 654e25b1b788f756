//! What a receiver remembers, of which there is a bounded number.

use std::collections::BTreeMap;

/// How many certificates a receiver remembers, and how many signatures.
pub(crate) const MOST: usize = 4096;
/// The most octets of a certificate that is remembered from a message: several times what there are.
pub(crate) const LARGEST: usize = 2048;

/// Entries by key. Where there is no room for another one, the one that has not been asked for the longest goes.
#[derive(Debug, Clone)]
pub(crate) struct Remembered<K, T> {
    /// Each with the number of the last call that asked for it.
    entries: BTreeMap<K, (u64, T)>,
    /// The keys by that number.
    order: BTreeMap<u64, K>,
    calls: u64,
    most: usize,
}

impl<K: Ord + Copy, T> Remembered<K, T> {
    /// At most this many.
    pub(crate) fn new(most: usize) -> Self {
        Remembered { entries: BTreeMap::new(), order: BTreeMap::new(), calls: 0, most }
    }

    pub(crate) fn get(&mut self, key: &K) -> Option<&T> {
        self.calls += 1;
        let (used, entry) = self.entries.get_mut(key)?;
        self.order.remove(used);
        self.order.insert(self.calls, *key);
        *used = self.calls;
        Some(entry)
    }

    /// Replaces an earlier one.
    pub(crate) fn insert(&mut self, key: K, entry: T) {
        self.calls += 1;
        if let Some((used, _)) = self.entries.insert(key, (self.calls, entry)) {
            self.order.remove(&used);
        }
        self.order.insert(self.calls, key);
        if self.entries.len() > self.most {
            let oldest = self.order.pop_first();
            oldest.map(|(_, key)| self.entries.remove(&key));
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
        assert_eq!((remembered.entries.len(), remembered.order.len()), (2, 2));
    }
}
