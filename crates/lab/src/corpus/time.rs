//! Times over recorded messages: passes over the kept ones, each long enough for the clock.

use super::Open;
use crate::engine::Direction;
use crate::measure::stats;

/// Passes over the kept messages.
const PASSES: usize = 15;
/// What a pass takes at least, nanoseconds.
const PASS: f64 = 3e6;

/// Fills in the times of a class: CPU time of one operation, the mean over the kept messages of a
/// pass, the median over the passes.
pub(super) fn measure(open: &mut Open) {
    let kept = open.kept.len() as f64;
    if open.kept.is_empty() {
        return;
    }
    for direction in Direction::ALL {
        let mut samples = vec![Vec::with_capacity(PASSES); open.transcoders.len()];
        let repeats: Vec<u64> = open
            .transcoders
            .iter_mut()
            .map(|(_, t)| (PASS / t.time(&open.kept, direction, 1).max(1.0)) as u64 + 1)
            .collect();
        for _ in 0..PASSES {
            for (i, (_, transcoder)) in open.transcoders.iter_mut().enumerate() {
                let cpu = transcoder.time(&open.kept, direction, repeats[i]);
                samples[i].push(cpu / (kept * repeats[i] as f64));
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
