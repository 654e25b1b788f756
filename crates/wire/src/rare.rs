//! What is rare is laid out of the way.

/// Says that the branch it is called in is seldom taken: the usual one then needs no jump, which counts where a message takes a hundred branches.
#[cold]
#[inline]
pub fn rare() {}
