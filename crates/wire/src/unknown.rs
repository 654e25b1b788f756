//! Extension additions that this version of the module does not know.

#[cfg(feature = "alloc")]
use alloc::{boxed::Box, vec::Vec};

/// The octets of something unknown.
#[cfg(feature = "alloc")]
pub type Kept = Vec<u8>;

/// The octets of something unknown; without the feature `alloc` they are not kept.
#[cfg(not(feature = "alloc"))]
pub type Kept = [u8; 0];

/// One extension addition (or one alternative of a CHOICE) of a later version, kept as received.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unknown {
    /// Its place among all additions, counted from 0.
    pub index: u32,
    /// Its octets. Under the packed encoding rules, the content of its open type. Under rules that
    /// identify the alternative of a CHOICE by a tag or number, the whole encoding, with the tag
    /// and the length of the open type (`index` is then not significant for an alternative, and is
    /// the number of known ones). Empty if it is only known to be absent, and without the feature
    /// `alloc`.
    pub octets: Kept,
}

/// The unknown additions of one SEQUENCE: one pointer wide, without heap memory while there are
/// none. Without the feature `alloc` none are kept.
#[allow(
    clippy::box_collection,
    reason = "one word instead of three in every extensible type, for what is hardly ever there"
)]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Additions(#[cfg(feature = "alloc")] Option<Box<Vec<Unknown>>>);

#[cfg(feature = "alloc")]
impl Additions {
    /// None.
    #[must_use]
    pub const fn new() -> Self {
        Additions(None)
    }

    /// Whether there are none.
    #[inline]
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// All, ascending by index.
    #[inline]
    #[must_use]
    pub fn as_slice(&self) -> &[Unknown] {
        match &self.0 {
            Some(list) => list,
            None => &[],
        }
    }

    /// Adds one; indexes must ascend.
    #[cold]
    pub fn push(&mut self, unknown: Unknown) {
        self.0.get_or_insert_default().push(unknown);
    }
}

#[cfg(not(feature = "alloc"))]
impl Additions {
    /// None.
    #[must_use]
    pub const fn new() -> Self {
        Additions()
    }

    /// Whether there are none: always.
    #[inline]
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        true
    }

    /// None.
    #[inline]
    #[must_use]
    pub const fn as_slice(&self) -> &[Unknown] {
        &[]
    }

    /// Drops it: nothing is kept.
    pub fn push(&mut self, _: Unknown) {}
}
