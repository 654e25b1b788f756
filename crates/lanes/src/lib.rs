//! Integers of fixed widths at fixed places of a message, read many at a time.
//!
//! ```
//! use roadwire_lanes::{Form, Lane, Lanes};
//!
//! // Twelve bits and four, in a message of eight octets.
//! let lanes = [
//!     Lane { bit: 0, width: 12, form: Form::Offset, lower: -100, range: 4000 },
//!     Lane { bit: 12, width: 4, form: Form::Offset, lower: 0, range: 15 },
//! ];
//! let lanes = Lanes::new(8, &lanes).unwrap();
//! let mut words = [0; 2];
//! assert!(lanes.read(&[0x06, 0x45, 0, 0, 0, 0, 0, 0], &mut words));
//! assert_eq!(words, [0, 5]);
//! ```
//!
//! Invariants: every way of reading gives the same words and the same answer; no octet outside the
//! message is read, and none outside the words is written.
//!
//! One test holds all ways that a processor has against each other, and against a reading bit by
//! bit. It runs on the machine that tests; `.ci/lanes` runs it on an emulated aarch64 (NEON), and
//! under Miri on both (AVX2, AVX-512 and NEON), which sees every access outside of its place. Miri
//! lacks some instructions (a permutation and shifts of AVX-512, one of NEON), in whose place it
//! has functions over arrays. A big-endian processor reads one integer at a time, and no test runs
//! there.
//!
//! Absent on purpose: what the integers mean, and messages of other lengths.

#[cfg(target_arch = "aarch64")]
mod neon;
mod portable;
#[cfg(target_arch = "x86_64")]
mod x86;

/// An integer of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lane {
    /// Its first bit.
    pub bit: u32,
    /// How many bits it has. Without any it is `lower`, whatever the message.
    pub width: u8,
    /// The meaning of its bits.
    pub form: Form,
    /// The least value.
    pub lower: i64,
    /// How far the greatest is above it.
    pub range: u64,
}

/// The meaning of an integer's bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// By how much it is above its least value.
    Offset,
    /// The integer.
    Unsigned,
    /// The integer in two's complement.
    Signed,
}

/// Integers of messages of one length.
#[derive(Clone, Debug)]
pub struct Lanes {
    /// The length of a message.
    octets: usize,
    count: usize,
    /// Of eight integers each: the last eight again if fewer are left.
    groups: Vec<Group>,
    /// How many the processor can read at a time.
    most: Most,
}

/// Eight integers, or all if there are fewer.
#[derive(Clone, Debug)]
#[repr(align(64))]
struct Group {
    /// So many of 64 bits come before an integer, and it begins so many before their end.
    left: [u64; 8],
    right: [u64; 8],
    /// The weight of its sign bit, which is turned over.
    sign: [u64; 8],
    /// Its least value then.
    base: [u64; 8],
    range: [u64; 8],
    lower: [u64; 8],
    /// Which of the 64 octets from `first` on each integer has, its last one first.
    picks: [u8; 64],
    /// The first of the eight octets that hold it, which all are in the message.
    at: [u32; 8],
    first: u32,
    /// Whether 64 octets hold all.
    is_near: bool,
    /// The word of the first integer.
    word: u32,
}

impl Lanes {
    /// The integers of messages of so many octets; `None` if these are fewer than eight or more
    /// than 2^28, if an integer is not inside, or is in more than eight octets.
    #[must_use]
    pub fn new(octets: usize, lanes: &[Lane]) -> Option<Lanes> {
        let last = u32::try_from(octets.checked_sub(8)?).ok().filter(|last| *last < 1 << 28)?;
        let count = lanes.len();
        let mut groups = Vec::with_capacity(count.div_ceil(8));
        for start in (0..count).step_by(8).map(|start| start.min(count.saturating_sub(8))) {
            let mut group = Group::new(u32::try_from(start).ok()?);
            for (place, lane) in lanes.get(start..)?.iter().take(8).enumerate() {
                group.set(place, lane, last)?;
            }
            group.gather();
            groups.push(group);
        }
        Some(Lanes { octets, count, groups, most: Most::of_this_processor() })
    }

    /// How many integers there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    /// Reads the integers, and answers whether all are in their ranges. If they are not, or the
    /// message has another length, or there are fewer words than integers, the words mean nothing.
    #[inline]
    #[must_use]
    pub fn read(&self, message: &[u8], words: &mut [u64]) -> bool {
        self.read_by(self.most, message, words)
    }

    /// The same with at most so many at a time.
    #[must_use]
    pub fn read_by(&self, most: Most, message: &[u8], words: &mut [u64]) -> bool {
        let Some(words) = words.get_mut(..self.count).filter(|_| message.len() == self.octets) else {
            return false;
        };
        #[cfg(target_arch = "x86_64")]
        if let Some(is_within) = x86::read(self, most.min(self.most), message, words) {
            return is_within;
        }
        #[cfg(target_arch = "aarch64")]
        if let Some(is_within) = neon::read(self, most.min(self.most), message, words) {
            return is_within;
        }
        let _ = most;
        portable::read(self, message, words)
    }

    /// Whether the message has the length of the lanes, and there is a word for each of eight
    /// integers or more: what code that reads several at a time relies on.
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    fn has_room(&self, message: &[u8], words: &[u64]) -> bool {
        words.len() >= 8 && words.len() == self.count && message.len() == self.octets
    }
}

impl Group {
    fn new(word: u32) -> Group {
        let none = [0; 8];
        Group {
            left: none,
            right: none,
            sign: none,
            base: none,
            range: none,
            lower: none,
            picks: [0; 64],
            at: [u32::MAX; 8],
            first: 0,
            is_near: false,
            word,
        }
    }

    /// `last` is the last place of eight octets in the message.
    fn set(&mut self, place: usize, lane: &Lane, last: u32) -> Option<()> {
        let at = (lane.bit / 8).min(last);
        let left = lane.bit - at * 8;
        self.right[place] = 64u64.checked_sub(lane.width.into())?;
        self.range[place] = lane.range;
        self.lower[place] = lane.lower as u64;
        if lane.width == 0 {
            return Some(());
        }
        if left + u32::from(lane.width) > 64 {
            return None;
        }
        let sign = if lane.form == Form::Signed { 1 << (lane.width - 1) } else { 0 };
        self.at[place] = at;
        self.left[place] = left.into();
        self.sign[place] = sign;
        self.base[place] = if lane.form == Form::Offset { 0 } else { (lane.lower as u64).wrapping_add(sign) };
        Some(())
    }

    /// Finds 64 octets that hold all. An integer without bits is anywhere.
    fn gather(&mut self) {
        self.first = self.at.iter().min().copied().filter(|at| *at != u32::MAX).unwrap_or(0);
        self.is_near = true;
        for (picks, at) in self.picks.chunks_exact_mut(8).zip(&mut self.at) {
            if *at == u32::MAX {
                *at = self.first;
            }
            for (pick, octet) in picks.iter_mut().zip((0..8).rev()) {
                let octet = *at - self.first + octet;
                self.is_near &= octet < 64;
                *pick = octet.min(63) as u8;
            }
        }
    }
}

/// How many integers are read at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Most {
    /// One.
    One,
    /// Two, if the processor has NEON.
    Two,
    /// Four, if it has AVX2.
    Four,
    /// Eight, if it has AVX-512.
    Eight,
}

impl Most {
    /// As many as this processor can read at a time, in this build.
    #[must_use]
    pub fn of_this_processor() -> Most {
        #[cfg(target_arch = "x86_64")]
        return x86::most();
        #[cfg(target_arch = "aarch64")]
        return neon::most();
        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
        Most::One
    }
}
