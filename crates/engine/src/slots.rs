//! Which table rows have been selected by keys so far.

#[cfg(feature = "alloc")]
pub(crate) use self::rows::Slots;

/// Without a heap, no rows are ever selected.
#[cfg(not(feature = "alloc"))]
#[derive(Clone, Default)]
pub(crate) struct Slots {}

#[cfg(feature = "alloc")]
mod rows;
