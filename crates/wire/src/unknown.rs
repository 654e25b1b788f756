//! Extension additions that this version of the module does not know.

use alloc::boxed::Box;
use alloc::vec::Vec;

/// One extension addition (or one alternative of a CHOICE) of a later version, kept as it came.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unknown {
    /// Its place among all additions, counted from 0.
    pub index: u32,
    /// What is kept of it. Under the packed encoding rules the content of its open type; under those that tell the alternative of a CHOICE by its tag or number, all of it as it lies, an alternative's tag
    /// and the length of the open type included (there the place among the additions of an alternative, which does not tell it apart, is the number of those known). Nothing where
    /// it is only known to be absent.
    pub octets: Vec<u8>,
}

/// The unknown additions of one SEQUENCE: one pointer wide, and no heap while there are none.
#[allow(
    clippy::box_collection,
    reason = "one word instead of three in every extensible type, for what is hardly ever there"
)]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Additions(Option<Box<Vec<Unknown>>>);

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
