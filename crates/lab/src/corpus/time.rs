//! Times over recorded messages: passes over the kept ones, each long enough for the clock.

use super::Open;
use roadwire_measure::cell::Direction;
use roadwire_measure::stats;

/// Passes over the kept messages.
const PASSES: usize = 15;
/// The least time of a pass, nanoseconds.
const PASS: f64 = 3e6;

/// Fills in the times of a class: CPU time of one operation, the mean over the kept messages of a
/// pass, the median over the passes. Returns the passes that did not process all of them.
pub(super) fn measure(open: &mut Open) -> Vec<String> {
    let (kept, octets) = (open.kept.len() as f64, open.kept.iter().map(|message| message.len() as u64).sum::<u64>());
    let mut faults = Vec::new();
    if open.kept.is_empty() {
        return faults;
    }
    for direction in Direction::ALL {
        let mut samples = vec![Vec::with_capacity(PASSES); open.transcoders.len()];
        let repeats: Vec<u64> = open
            .transcoders
            .iter_mut()
            .map(|(_, t)| (PASS / t.time(&open.kept, direction, 1).cpu.max(1.0)) as u64 + 1)
            .collect();
        for _ in 0..PASSES {
            for (i, (_, transcoder)) in open.transcoders.iter_mut().enumerate() {
                let sample = transcoder.time(&open.kept, direction, repeats[i]);
                let wanted = (open.kept.len() as u64 * repeats[i], octets * repeats[i]);
                if let Err(why) = sample.done.check(wanted.0, wanted.1) {
                    let engine = &open.class.engines[i].engine;
                    faults.push(format!("{engine}, {}, {}: {why}", open.class.name(), direction.name()));
                    return faults;
                }
                samples[i].push(sample.cpu / (kept * repeats[i] as f64));
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
    faults
}
