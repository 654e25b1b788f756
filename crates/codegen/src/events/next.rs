//! The event code at the place that straight-line code has come to.

/// The next event code to be written: how many events have been skipped, and its width.
#[derive(Clone)]
pub(crate) enum CodeToWrite {
    Constant(usize, u8),
    /// Variables.
    Variable {
        left_out: String,
        bits: String,
    },
}

/// The next event code to be read.
#[derive(Clone)]
pub(crate) enum CodeToRead {
    /// The required value, and the width.
    Unread(usize, u8),
    /// The remaining value, in a variable.
    Read(String),
    /// It has been read and checked.
    Done,
}
