//! **Octet**: OER, basic and canonical (X.696). Its nodes are those that several families share.

#[cfg(feature = "lower")]
mod lower;

#[cfg(feature = "lower")]
pub(crate) use lower::lower;
