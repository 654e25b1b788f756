//! Where a program is in a tape.

use roadwire_wire::Rejected;

/// How many levels of frames and lists a program may have.
pub(crate) const LEVELS: usize = 48;

/// The frame that is entered, and those around it.
pub(crate) struct Place {
    /// Where it begins.
    base: usize,
    levels: [Level; LEVELS],
    depth: usize,
    /// How many types are around the function that is entered.
    types: u32,
}

/// How many types may be around a function, and inside it: the interpreter refuses a message of
/// more levels than both.
pub(crate) const MOST_TYPES: u32 = roadwire_model::Value::MAX_DEPTH as u32 / 2;

#[derive(Clone, Copy, Default)]
struct Level {
    base: usize,
    /// How many elements are left, the one that is entered among them; or a number that is held.
    left: u64,
}

impl Default for Place {
    fn default() -> Self {
        Place { base: 0, levels: [Level::default(); LEVELS], depth: 0, types: 0 }
    }
}

impl Place {
    /// The word of a slot.
    #[inline(always)]
    pub(crate) const fn of(&self, slot: u32) -> usize {
        self.base + slot as usize
    }

    /// Enters a frame, or the first of so many elements.
    pub(crate) fn enter(&mut self, frame: usize, elements: usize) -> Result<(), Rejected> {
        self.push(frame, elements as u64)
    }

    #[inline(always)]
    fn push(&mut self, frame: usize, left: u64) -> Result<(), Rejected> {
        *self.levels.get_mut(self.depth).ok_or(Rejected)? = Level { base: self.base, left };
        self.depth += 1;
        self.base = frame;
        Ok(())
    }

    /// Holds a number until it is released; the frame stays entered.
    pub(crate) fn hold(&mut self, number: u64) -> Result<(), Rejected> {
        self.push(self.base, number)
    }

    /// The number that is held.
    pub(crate) fn held(&self) -> u64 {
        self.depth.checked_sub(1).and_then(|at| self.levels.get(at)).map_or(0, |level| level.left)
    }

    /// Releases it.
    pub(crate) fn release(&mut self) -> u64 {
        let held = self.held();
        self.leave();
        held
    }

    /// Calls a function inside so many types, which returns to `next`.
    pub(crate) fn call(&mut self, next: usize, types: u32) -> Result<(), Rejected> {
        self.types += types;
        if self.types > MOST_TYPES {
            return Err(Rejected);
        }
        self.hold((next as u64) << 32 | u64::from(types))
    }

    /// Where it returns to.
    pub(crate) fn back(&mut self) -> usize {
        let held = self.release();
        self.types = self.types.wrapping_sub(held as u32);
        (held >> 32) as usize
    }

    /// Leaves it.
    pub(crate) fn leave(&mut self) {
        self.depth = self.depth.saturating_sub(1);
        self.base = self.levels.get(self.depth).map_or(0, |level| level.base);
    }

    /// Enters the next element of so many words; leaves the list if there is none.
    pub(crate) fn next(&mut self, words: u32) -> bool {
        if let Some(level) = self.depth.checked_sub(1).and_then(|at| self.levels.get_mut(at)) {
            level.left = level.left.saturating_sub(1);
            if level.left > 0 {
                self.base += words as usize;
                return true;
            }
        }
        self.leave();
        false
    }
}
