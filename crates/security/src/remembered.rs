//! The memory of a receiver: bounded in octets; certificates that are known better stay longer.

use std::collections::BTreeMap;
use std::mem::size_of;

use crate::HashedId8;

/// The most octets of memory for certificates: those of 4096 of the largest ones.
pub(crate) const CERTIFICATES: usize = 4096 * LARGEST;
/// The most octets of memory for signatures.
pub(crate) const SIGNATURES: usize = 1 << 20;
/// The most octets of a certificate that is remembered from a message: several times what
/// certificates have.
pub(crate) const LARGEST: usize = 2048;
/// The most octets of memory for certificates that one sender passed on, and that have not been
/// verified: some authorities'.
const PASSED_ON: usize = 8192;

/// How well a certificate is known. When the memory is full, the lowest goes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Standing {
    /// The holder of the certificate with this digest passed it on, and nothing about it was
    /// verified.
    PassedOn(HashedId8),
    /// Its holder signed a message.
    Signer,
    /// It has a chain to a trusted certificate, or was given by the caller.
    Trusted,
}

impl Standing {
    /// The sender that has to answer for it.
    fn sender(self) -> Option<HashedId8> {
        match self {
            Standing::PassedOn(sender) => Some(sender),
            Standing::Signer | Standing::Trusted => None,
        }
    }

    fn rank(self) -> u8 {
        match self {
            Standing::PassedOn(_) => 0,
            Standing::Signer => 1,
            Standing::Trusted => 2,
        }
    }
}

/// Entries by digest, in a bounded number of octets. When the memory is full, the entry of the
/// lowest standing goes that has not been asked for the longest.
#[derive(Debug, Clone)]
pub(crate) struct Remembered<T> {
    entries: BTreeMap<HashedId8, Entry<T>>,
    /// The digests by the rank of their standing, and by the number of the last call that asked for
    /// them.
    order: BTreeMap<(u8, u64), HashedId8>,
    /// The octets that each sender's unverified certificates take.
    passed_on: BTreeMap<HashedId8, usize>,
    calls: u64,
    octets: usize,
    most: usize,
}

#[derive(Debug, Clone)]
struct Entry<T> {
    value: T,
    standing: Standing,
    used: u64,
    octets: usize,
}

impl<T> Remembered<T> {
    /// Besides what an entry points to: its place in three maps, whose nodes are half full at
    /// worst.
    const OVERHEAD: usize = 2 * (size_of::<Entry<T>>() + size_of::<((u8, u64), HashedId8, HashedId8, usize)>() + 16);

    /// At most this many octets.
    pub(crate) fn new(most: usize) -> Self {
        Remembered {
            entries: BTreeMap::new(),
            order: BTreeMap::new(),
            passed_on: BTreeMap::new(),
            calls: 0,
            octets: 0,
            most,
        }
    }

    pub(crate) fn get(&mut self, key: &HashedId8) -> Option<&mut T> {
        self.calls += 1;
        let entry = self.entries.get_mut(key)?;
        self.order.remove(&(entry.standing.rank(), entry.used));
        entry.used = self.calls;
        self.order.insert((entry.standing.rank(), entry.used), *key);
        Some(&mut entry.value)
    }

    pub(crate) fn standing(&self, key: &HashedId8) -> Option<Standing> {
        self.entries.get(key).map(|entry| entry.standing)
    }

    /// Keeps a value that points to so many octets, in place of an earlier one. Its standing does
    /// not fall. What a sender passes on beyond its share is not kept.
    pub(crate) fn insert(&mut self, key: HashedId8, standing: Standing, octets: usize, value: T) {
        let earlier = self.standing(&key).filter(|earlier| earlier.rank() >= standing.rank());
        let standing = earlier.unwrap_or(standing);
        let octets = octets + Self::OVERHEAD;
        self.remove(&key);
        if let Some(sender) = standing.sender() {
            let share = self.passed_on.get(&sender).copied().unwrap_or(0);
            if share + octets > PASSED_ON {
                return;
            }
            self.passed_on.insert(sender, share + octets);
        }
        self.calls += 1;
        self.octets += octets;
        self.order.insert((standing.rank(), self.calls), key);
        self.entries.insert(key, Entry { value, standing, used: self.calls, octets });
        while self.octets > self.most {
            let Some((_, lowest)) = self.order.first_key_value() else { return };
            let lowest = *lowest;
            self.remove(&lowest);
        }
    }

    fn remove(&mut self, key: &HashedId8) {
        let Some(entry) = self.entries.remove(key) else { return };
        self.order.remove(&(entry.standing.rank(), entry.used));
        self.octets -= entry.octets;
        let Some(sender) = entry.standing.sender() else { return };
        let share = self.passed_on.get(&sender).map_or(0, |share| share - entry.octets);
        match share {
            0 => self.passed_on.remove(&sender),
            share => self.passed_on.insert(sender, share),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OVERHEAD: usize = Remembered::<u8>::OVERHEAD;

    fn present(remembered: &mut Remembered<u8>, keys: &[u8]) -> Vec<Option<u8>> {
        keys.iter().map(|key| remembered.entries.get(&[*key; 8]).map(|entry| entry.value)).collect()
    }

    /// With room for so many entries of 100 octets.
    fn room_for(count: usize) -> Remembered<u8> {
        Remembered::new(count * (OVERHEAD + 100))
    }

    #[test]
    fn the_one_that_was_not_asked_for_goes() {
        let mut remembered = room_for(2);
        remembered.insert([1; 8], Standing::Signer, 100, 1);
        remembered.insert([2; 8], Standing::Signer, 100, 2);
        assert_eq!(remembered.get(&[1; 8]), Some(&mut 1));
        remembered.insert([3; 8], Standing::Signer, 100, 3);
        assert_eq!(present(&mut remembered, &[1, 2, 3]), [Some(1), None, Some(3)]);
        remembered.insert([3; 8], Standing::Signer, 100, 4);
        assert_eq!(present(&mut remembered, &[1, 3]), [Some(1), Some(4)]);
        assert_eq!((remembered.entries.len(), remembered.order.len()), (2, 2));
    }

    #[test]
    fn an_entry_takes_as_much_room_as_it_has_octets() {
        let mut remembered = room_for(4);
        (1..=4).for_each(|key| remembered.insert([key; 8], Standing::Signer, 100, key));
        remembered.insert([5; 8], Standing::Signer, 201 + OVERHEAD, 5);
        assert_eq!(present(&mut remembered, &[1, 2, 3, 4, 5]), [None, None, None, Some(4), Some(5)]);
        assert!(remembered.octets <= remembered.most);
        remembered.insert([6; 8], Standing::Signer, remembered.most, 6);
        assert_eq!((remembered.entries.len(), remembered.octets), (0, 0));
    }

    #[test]
    fn what_is_verified_outlives_what_is_not() {
        let mut remembered = room_for(3);
        remembered.insert([1; 8], Standing::Trusted, 100, 1);
        remembered.insert([2; 8], Standing::Signer, 100, 2);
        for sender in 10..200 {
            remembered.insert([sender; 8], Standing::PassedOn([sender; 8]), 100, sender);
        }
        assert_eq!(present(&mut remembered, &[1, 2, 199]), [Some(1), Some(2), Some(199)]);
        for signer in 10..200 {
            remembered.insert([signer; 8], Standing::Signer, 100, signer);
        }
        assert_eq!(present(&mut remembered, &[1, 2, 198, 199]), [Some(1), None, Some(198), Some(199)]);
        // An entry that is heard again in passing keeps its standing.
        remembered.insert([1; 8], Standing::PassedOn([9; 8]), 100, 1);
        for signer in 10..200 {
            remembered.insert([signer; 8], Standing::Signer, 100, signer);
        }
        assert_eq!(present(&mut remembered, &[1]), [Some(1)]);
    }

    #[test]
    fn a_sender_passes_on_a_share() {
        let mut remembered = room_for(1000);
        let share = PASSED_ON / (OVERHEAD + 100);
        for key in 0..100 {
            remembered.insert([key; 8], Standing::PassedOn([200; 8]), 100, key);
        }
        assert_eq!(remembered.entries.len(), share);
        remembered.insert([101; 8], Standing::PassedOn([201; 8]), 100, 101);
        assert_eq!(remembered.entries.len(), share + 1);
        // One that is verified since does not count.
        remembered.insert([0; 8], Standing::Trusted, 100, 0);
        remembered.insert([99; 8], Standing::PassedOn([200; 8]), 100, 99);
        assert_eq!(present(&mut remembered, &[0, 99, 98]), [Some(0), Some(99), None]);
        let count = |remembered: &Remembered<u8>, sender| remembered.passed_on.get(&[sender; 8]).copied();
        assert_eq!(count(&remembered, 200), Some(share * (OVERHEAD + 100)));
        (0..255).for_each(|key| remembered.remove(&[key; 8]));
        assert!(remembered.passed_on.is_empty() && remembered.order.is_empty() && remembered.octets == 0);
    }
}
