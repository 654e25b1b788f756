//! Processor time of calls, taken in turns.

use rustix::time::{ClockId, clock_gettime};

/// Each time is the least of so many rounds.
const ROUNDS: usize = 15;
/// Nanoseconds for one round, at least.
const ROUND: f64 = 10e6;

/// Nanoseconds of one call of each.
pub(crate) fn times<const N: usize>(mut calls: [&mut dyn FnMut(); N]) -> [f64; N] {
    let mut counts = [1; N];
    let mut least = [f64::INFINITY; N];
    // The first round says how often.
    for round in 0..=ROUNDS {
        for ((call, count), least) in calls.iter_mut().zip(&mut counts).zip(&mut least) {
            let begun = now();
            (0..*count).for_each(|_| call());
            let time = (now() - begun) / f64::from(*count);
            match round {
                0 => *count = (ROUND / time).ceil() as u32,
                _ => *least = least.min(time),
            }
        }
    }
    least
}

/// Processor time of this process, in nanoseconds.
fn now() -> f64 {
    let now = clock_gettime(ClockId::ProcessCPUTime);
    now.tv_sec as f64 * 1e9 + now.tv_nsec as f64
}
