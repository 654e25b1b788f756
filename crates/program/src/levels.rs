//! How large a program may be, and how deep: all walks over layouts count it alike.

use crate::place::LEVELS;

/// More operations and fields than this are not worth their memory: the layout has parts that are
/// in many places.
pub(crate) const MOST_STEPS: usize = 1 << 16;

/// How deep a walk is.
#[derive(Default)]
pub(crate) struct Levels {
    /// How many frames and lists are entered.
    entered: usize,
    /// How many types are around this one, as the interpreter counts them.
    types: usize,
}

/// A walk that counts its levels. Where it gives up, there is no program.
pub(crate) trait Leveled: Sized {
    fn levels(&mut self) -> &mut Levels;

    /// A type that has others inside: the interpreter refuses a message of more levels.
    fn nested(&mut self, inside: impl FnOnce(&mut Self) -> Option<()>) -> Option<()> {
        self.levels().types += 1;
        if self.levels().types > roadwire_model::Value::MAX_DEPTH {
            return None;
        }
        inside(self)?;
        self.levels().types -= 1;
        Some(())
    }

    /// A frame or a list that is entered: a machine has room for so many.
    fn within(&mut self, inside: impl FnOnce(&mut Self) -> Option<()>) -> Option<()> {
        self.levels().entered += 1;
        if self.levels().entered >= LEVELS {
            return None;
        }
        inside(self)?;
        self.levels().entered -= 1;
        Some(())
    }
}
