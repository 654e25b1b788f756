//! Moves rare branches out of the way.

/// Marks the branch that calls it as rarely taken. The usual branch then needs no jump, which
/// matters if a message takes a hundred branches.
#[cold]
#[inline]
pub fn rare() {}
