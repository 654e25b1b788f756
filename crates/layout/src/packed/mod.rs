//! **Packed**: PER, unaligned and aligned (X.691). Its nodes are those that several families share.

#[cfg(feature = "alloc")]
pub(crate) mod bounds;
#[cfg(feature = "lower")]
mod lower;

#[cfg(feature = "lower")]
pub(crate) use lower::lower;
