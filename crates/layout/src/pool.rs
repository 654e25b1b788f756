//! The storage of a layout's tables.

#[cfg(feature = "alloc")]
pub use alloc::borrow::Cow;

/// A constant table. With the feature `alloc` this is
/// [`alloc::borrow::Cow`](https://doc.rust-lang.org/alloc/borrow/enum.Cow.html), which may also own
/// a table made at run time.
#[cfg(not(feature = "alloc"))]
#[derive(Debug, PartialEq)]
pub enum Cow<'a, T: ?Sized> {
    /// A constant.
    Borrowed(&'a T),
}

#[cfg(not(feature = "alloc"))]
impl<T: ?Sized> Copy for Cow<'_, T> {}

#[cfg(not(feature = "alloc"))]
impl<T: ?Sized> Clone for Cow<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

#[cfg(not(feature = "alloc"))]
impl<T: ?Sized> core::ops::Deref for Cow<'_, T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        let Cow::Borrowed(table) = self;
        table
    }
}
