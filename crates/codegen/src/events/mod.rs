//! Straight-line code for streams of events (EXI): values one after the other as in PER, with event codes between them.

pub(crate) mod codes;
pub(crate) mod decode;
pub(crate) mod encode;
pub(crate) mod merged;
pub(crate) mod next;
pub(crate) mod windows;
