//! Measuring: time, heap, stack and instructions of encoding and decoding, statistics over the
//! samples, and plots of them. It knows encodings and papers as little as a ruler knows what lies
//! beside it: it measures a [`cell::Cell`].
//!
//! Invariants: the results of a timed loop are counted, and checked after the clock has stopped. A
//! figure that could not be taken is absent with a reason, never zero.
//!
//! Absent on purpose: encodings, messages and papers, and verdicts.

pub mod bench;
pub mod callgrind;
pub mod cell;
pub mod clock;
pub mod heap;
pub mod machine;
pub mod paper;
pub mod plot;
pub mod random;
pub mod stack;
pub mod stats;
pub mod timing;
