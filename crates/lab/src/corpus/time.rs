//! Times over recorded messages: passes over the kept ones, each long enough for the clock.

use super::Open;
use crate::engine::Direction;
use crate::measure::stats;

/// Passes over the kept messages.
const PASSES: usize = 15;
/// Operations on each message in a pass.
const REPEATS: u64 = 40;

/// Fills in the times of a class.
pub(super) fn measure(open: &mut Open) {
    if open.kept.is_empty() {
        return;
    }
    let operations = open.kept.len() as f64 * REPEATS as f64;
    for direction in Direction::ALL {
        let mut samples = vec![Vec::with_capacity(PASSES); open.transcoders.len()];
        for _ in 0..PASSES {
            for ((_, transcoder), samples) in open.transcoders.iter_mut().zip(&mut samples) {
                let cpu = transcoder.time(&open.kept, direction, REPEATS);
                samples.push(cpu / operations);
            }
        }
        for (did, mut samples) in open.class.engines.iter_mut().zip(samples) {
            let ns = Some(stats::median(&mut samples));
            match direction {
                Direction::Encode => did.encode_ns = ns,
                Direction::Decode => did.decode_ns = ns,
            }
        }
    }
}
