//! How values are read whose parts do not lie in memory as such.

use crate::data::{Data, Scalar};
use crate::unknown::Unknown;

/// A value, or a part of one, that is read by value: one that lies in memory ([`Data`] lends its
/// parts), or a place on a tape.
pub trait Part: Copy {
    /// A leaf's value.
    fn scalar(&self) -> Scalar<'_>;

    /// A leaf's value if it is an integer of up to 64 bits.
    fn integer(&self) -> Option<i64>;

    /// Component `index` of a SEQUENCE or SET, by textual order; `None` where absent.
    fn component(self, index: usize) -> Option<Self>;

    /// Whether it is a SEQUENCE or SET, as [`Data::is_record`] says.
    fn is_record(self, extensible: bool) -> bool {
        let _ = extensible;
        true
    }

    /// How many elements a list has.
    fn length(self) -> Option<usize>;

    /// Element `index` of a list.
    fn element(self, index: usize) -> Option<Self>;

    /// Which alternative a CHOICE has, by textual order, and its value.
    fn alternative(self) -> Option<(usize, Self)>;

    /// Extension additions that the type does not know, ascending by index; of a CHOICE, its
    /// alternative.
    fn unknown(&self) -> &[Unknown] {
        &[]
    }

    /// Whether [`Part::append`] knows the parts of the type.
    #[cfg(feature = "columns")]
    #[inline]
    fn can_append(self) -> bool {
        false
    }

    /// Appends the value to the columns of its type in a row, as [`Data::append`] does.
    ///
    /// # Errors
    /// As [`Data::append`], and where [`Part::can_append`] is false.
    #[cfg(feature = "columns")]
    fn append(self, columns: &mut [crate::Column], row: usize) -> Result<(), crate::Rejected> {
        let (_, _) = (columns, row);
        Err(crate::Rejected)
    }
}

impl<'a> Part for &'a (dyn Data + 'a) {
    #[inline]
    fn scalar(&self) -> Scalar<'_> {
        Data::scalar(*self)
    }

    #[inline]
    fn integer(&self) -> Option<i64> {
        Data::integer(*self)
    }

    #[inline]
    fn component(self, index: usize) -> Option<Self> {
        Data::component(self, index)
    }

    #[inline]
    fn is_record(self, extensible: bool) -> bool {
        Data::is_record(self, extensible)
    }

    #[inline]
    fn length(self) -> Option<usize> {
        Data::length(self)
    }

    #[inline]
    fn element(self, index: usize) -> Option<Self> {
        Data::element(self, index)
    }

    #[inline]
    fn alternative(self) -> Option<(usize, Self)> {
        Data::alternative(self)
    }

    #[inline]
    fn unknown(&self) -> &[Unknown] {
        Data::unknown(*self)
    }
}
