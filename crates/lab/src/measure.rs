//! How cells are measured: time, heap, stack, instructions; and the statistics over the samples.

pub mod callgrind;
pub mod clock;
pub mod heap;
pub mod machine;
pub mod paper;
pub mod random;
pub mod stack;
pub mod stats;
pub mod timing;
