//! Indexes into the pools of a layout.

/// A node, by its index in [`Layout::nodes`](crate::Layout::nodes).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

/// A run of entries in one of the pools.
#[derive(Clone, Copy, Debug, core::default::Default, PartialEq, Eq, Hash)]
pub struct Span {
    /// First entry.
    pub start: u32,
    /// How many.
    pub count: u32,
}

impl Span {
    /// The run as a range of indexes.
    #[must_use]
    pub const fn range(self) -> core::ops::Range<usize> {
        self.start as usize..self.start as usize + self.count as usize
    }
}

/// A name, as a run of octets of [`Layout::names`](crate::Layout::names).
pub type Name = Span;
