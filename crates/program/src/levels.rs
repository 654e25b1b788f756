//! How large a program may be, and how deep, and its functions: the same in all walks over layouts.

use std::collections::HashMap;

use roadwire_layout::NodeId;

use crate::place::{LEVELS, MOST_TYPES};
use crate::rows::{Common, Making, Slots};

/// More operations and fields than this are not worth their memory: the layout has parts that are
/// in many places.
pub(crate) const MOST_STEPS: usize = 1 << 16;

/// How deep a walk is.
#[derive(Default)]
pub(crate) struct Levels {
    depth: Depth,
    /// The slots of open types.
    pub(crate) slots: Slots,
    /// Where the functions of types begin that contain themselves.
    functions: HashMap<NodeId, u32>,
}

#[derive(Clone, Copy, Default)]
struct Depth {
    /// How many frames and lists are entered.
    entered: usize,
    /// How many types are around this one in its function, as the interpreter counts them.
    types: usize,
    /// The most types in a function.
    most: usize,
    is_in_function: bool,
}

impl Levels {
    /// Whether the operations at this place may be entered again before they are left.
    pub(crate) fn is_in_function(&self) -> bool {
        self.depth.is_in_function
    }
}

/// A walk that counts its levels. Where it gives up, there is no program.
pub(crate) trait Leveled: Sized {
    fn levels(&mut self) -> &mut Levels;

    /// The operation that comes next, at which others may continue.
    fn here(&mut self) -> u32;

    /// Adds an operation that continues elsewhere.
    fn jump(&mut self) -> usize;

    /// Where it continues, that is here.
    fn ends(&mut self, op: usize);

    /// The parts of the program.
    fn making(&mut self) -> Making<'_>;

    /// Adds an operation that is common to all machines, by its number.
    fn add_common(&mut self, at: u32);

    /// The same by itself.
    fn common(&mut self, op: Common) {
        let at = self.making().tables.add(op);
        self.add_common(at);
    }

    /// A type that has others inside: the interpreter refuses a message of more levels.
    fn nested(&mut self, inside: impl FnOnce(&mut Self) -> Option<()>) -> Option<()> {
        let depth = &mut self.levels().depth;
        depth.types += 1;
        depth.most = depth.most.max(depth.types);
        if depth.types > roadwire_model::Value::MAX_DEPTH {
            return None;
        }
        inside(self)?;
        self.levels().depth.types -= 1;
        Some(())
    }

    /// A frame or a list that is entered: a machine has room for so many.
    fn within(&mut self, inside: impl FnOnce(&mut Self) -> Option<()>) -> Option<()> {
        self.levels().depth.entered += 1;
        if self.levels().depth.entered >= LEVELS {
            return None;
        }
        inside(self)?;
        self.levels().depth.entered -= 1;
        Some(())
    }

    /// A value of a type that contains itself, in a frame of its own: a function, which is made
    /// where it is first called.
    fn call(&mut self, node: NodeId, body: impl FnOnce(&mut Self) -> Option<()>) -> Option<()> {
        let types = self.levels().depth.types as u32;
        if let Some(to) = self.levels().functions.get(&node).copied() {
            self.common(Common::Call { to, types });
            return Some(());
        }
        let over = self.jump();
        let to = self.here();
        let outer = self.levels().depth;
        let floor = self.levels().slots.begin();
        self.levels().depth = Depth { is_in_function: true, ..Depth::default() };
        self.levels().functions.insert(node, to);
        body(self)?;
        self.common(Common::Return);
        self.levels().slots.end(floor);
        if self.levels().depth.most > MOST_TYPES as usize {
            return None;
        }
        self.levels().depth = outer;
        self.ends(over);
        self.common(Common::Call { to, types });
        Some(())
    }

    /// A part without which there still is a program; returns whether it has one.
    fn attempt(&mut self, part: impl FnOnce(&mut Self) -> Option<()>) -> bool {
        let (depth, slots) = (self.levels().depth, self.levels().slots.clone());
        let functions = self.levels().functions.clone();
        let is_done = part(self).is_some();
        if !is_done {
            self.levels().depth = depth;
            self.levels().slots = slots;
            self.levels().functions = functions;
        }
        is_done
    }
}
