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

/// A name, as a run of octets of [`Layout::names`](crate::Layout::names). Without the feature `names`
/// it takes no room, and is empty.
#[derive(Clone, Copy, core::default::Default, PartialEq, Eq, Hash)]
pub struct Name {
    #[cfg(feature = "names")]
    place: Span,
}

impl Name {
    /// The name at this place.
    #[inline]
    #[must_use]
    #[cfg_attr(not(feature = "names"), expect(unused_variables, reason = "the place is not kept"))]
    pub const fn at(start: u32, count: u32) -> Name {
        Name {
            #[cfg(feature = "names")]
            place: Span { start, count },
        }
    }

    /// Whether there is none.
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Where it begins.
    #[inline]
    #[must_use]
    pub const fn start(self) -> u32 {
        self.range().start as u32
    }

    /// How many octets it has.
    #[inline]
    #[must_use]
    pub const fn len(self) -> u32 {
        self.range().end as u32 - self.start()
    }

    /// Its octets.
    #[inline]
    #[must_use]
    pub const fn range(self) -> core::ops::Range<usize> {
        #[cfg(feature = "names")]
        return self.place.range();
        #[cfg(not(feature = "names"))]
        return 0..0;
    }
}

/// As it is made, which is how a layout is written as a constant.
impl core::fmt::Debug for Name {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Name::at({}, {})", self.start(), self.len())
    }
}
