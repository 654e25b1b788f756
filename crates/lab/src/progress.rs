//! How far a run is.

/// Is called with the progress of a run. Nothing is drawn here.
pub trait Progress {
    /// `done` of `total` steps of the stage `what`; `total` is 0 if unknown.
    fn step(&self, what: &str, done: usize, total: usize);

    /// All stages are done.
    fn end(&self) {}
}

/// A [`Progress`] that does nothing.
pub struct Silent;

impl Progress for Silent {
    fn step(&self, _what: &str, _done: usize, _total: usize) {}
}
