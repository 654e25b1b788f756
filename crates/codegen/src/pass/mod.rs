//! Passes improve plans. They know no encoding and no target.

pub(crate) mod words;
