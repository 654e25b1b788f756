//! Runs mutated messages through generated code: `seeded EXECUTIONS [SEED]`. The same numbers make
//! the same inputs. A line for each part of a lane, with tabs: rules, schema, executions, seconds,
//! accepted, compared, findings; at the end a digest of all answers.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use roadwire_fuzz::seeded::{Counts, Lane, lanes};
use roadwire_model::random::Rng;

/// All lanes take turns, so that a run that is stopped has run them all.
const TURN: u64 = 50_000_000;
/// A lane with so many findings is left.
const FINDINGS: u64 = 3;

fn main() {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse::<u64>().expect("a number"));
    let executions = numbers.next().expect("seeded EXECUTIONS [SEED]");
    let seed = numbers.next().unwrap_or(1);
    let mut lanes = lanes();
    let weights: u64 = lanes.iter().map(Lane::weight).sum();
    let turns = executions.div_ceil(TURN).max(1);
    // All parts are places after each other, so that they have all executions.
    let place = |turn: u64, before: u64| {
        let done = u128::from(turn * weights + before) * u128::from(executions);
        (done / u128::from(turns * weights)) as u64
    };
    let (mut findings, mut digest) = (vec![0; lanes.len()], 0);
    for turn in 0..turns {
        let mut before = 0;
        for (at, lane) in lanes.iter_mut().enumerate() {
            let count = place(turn, before + lane.weight()) - place(turn, before);
            before += lane.weight();
            let mut rng = Rng::new(seed << 32 ^ turn << 16 ^ at as u64);
            let counts = part(lane, &mut rng, count, &mut findings[at]);
            digest = u64::rotate_left(digest, 1) ^ counts.digest;
        }
    }
    println!("digest {digest:016x}");
}

/// Runs a part of a lane, and prints what it did. A finding does not end it.
fn part(lane: &mut Lane, rng: &mut Rng, executions: u64, findings: &mut u64) -> Counts {
    let (mut counts, began, found) = (Counts::default(), Instant::now(), *findings);
    while counts.executions < executions && *findings < FINDINGS {
        let left = executions - counts.executions;
        if catch_unwind(AssertUnwindSafe(|| lane.run(rng, left, &mut counts))).is_err() {
            *findings += 1;
            let hex: String = lane.input().iter().map(|octet| format!("{octet:02x}")).collect();
            eprintln!("found: {} under {}: {hex}", lane.schema(), lane.rules());
        }
    }
    println!(
        "{}\t{}\t{}\t{:.3}\t{}\t{}\t{}",
        lane.rules(),
        lane.schema(),
        counts.executions,
        began.elapsed().as_secs_f64(),
        counts.accepted,
        counts.compared,
        *findings - found
    );
    counts
}
