//! Time: batches sized to the clock, visited in a fresh random order every round.

use super::random::Random;
use crate::engine::{Cell, Direction};

/// How long and how often.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    /// How many rounds; each visits everything once.
    pub rounds: usize,
    /// What a sample takes at least, nanoseconds.
    pub sample: f64,
}

impl Plan {
    /// A plan whose samples are at least 100 times what reading the clock costs, so that the clock
    /// is below 1 % of a sample.
    pub fn new(rounds: usize, clock_cost: f64) -> Self {
        Plan { rounds, sample: (clock_cost * 110.0).max(20_000.0) }
    }
}

/// One thing that is timed: a cell in one direction. The same cell may be entered twice, which makes
/// an A/A pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// Index of the cell.
    pub cell: usize,
    /// Encoding or decoding.
    pub direction: Direction,
}

/// Samples of one [`Entry`], by round.
#[derive(Debug, Clone, Default)]
pub struct Samples {
    /// Process CPU time per operation, nanoseconds.
    pub cpu: Vec<f64>,
    /// Wall time per operation, nanoseconds.
    pub wall: Vec<f64>,
    /// Operations in one sample.
    pub batch: u64,
}

/// Times all entries. `progress` hears the number of rounds done.
pub fn measure(
    cells: &mut [Box<dyn Cell>],
    entries: &[Entry],
    plan: Plan,
    random: &mut Random,
    progress: &mut dyn FnMut(usize),
) -> Vec<Samples> {
    let mut samples: Vec<Samples> = Vec::with_capacity(entries.len());
    for (i, entry) in entries.iter().enumerate() {
        // Both halves of an A/A pair have the same batch.
        let batch = match entries[..i].iter().position(|earlier| earlier == entry) {
            Some(first) => samples[first].batch,
            None => batch_size(cells[entry.cell].as_mut(), entry.direction, plan.sample),
        };
        samples.push(Samples { batch, ..Samples::default() });
    }
    let mut order: Vec<usize> = (0..entries.len()).collect();
    for round in 0..plan.rounds {
        random.shuffle(&mut order);
        for &i in &order {
            let entry = entries[i];
            let cell = &mut cells[entry.cell];
            let batch = samples[i].batch;
            // Warm: the first calls after another codec pay for its traces in the caches.
            cell.batch(entry.direction, batch / 8 + 1);
            let (cpu, wall) = cell.sample(entry.direction, batch);
            samples[i].cpu.push(cpu / batch as f64);
            samples[i].wall.push(wall / batch as f64);
        }
        progress(round + 1);
    }
    samples
}

/// How many operations fill a sample of `target` nanoseconds. The shortest of a few tries counts, so
/// that one interruption does not pass for a slow codec.
fn batch_size(cell: &mut dyn Cell, direction: Direction, target: f64) -> u64 {
    let mut batch = 1;
    loop {
        let cpu = (0..5).map(|_| cell.sample(direction, batch).0).fold(f64::INFINITY, f64::min);
        if cpu >= target || batch >= 1 << 30 {
            return batch;
        }
        let wanted = (batch as f64 * target / cpu.max(1.0)) * 1.1;
        batch = (wanted as u64).clamp(batch + 1, batch * 16);
    }
}

#[cfg(test)]
mod tests {
    use super::super::clock;
    use super::*;
    use crate::content::Message;
    use crate::engine::Engine;
    use crate::engines::floor::Floor;

    #[test]
    fn samples_are_long_enough_and_pairs_share_their_batch() {
        let message = Message::find("denm-mandatory").unwrap();
        let mut cells = [Floor.cell(message, "uper").unwrap()];
        let entry = Entry { cell: 0, direction: Direction::Encode };
        let plan = Plan::new(20, clock::cost_nanoseconds());
        let mut rounds = 0;
        let samples = measure(&mut cells, &[entry, entry], plan, &mut Random::new(1), &mut |round| rounds = round);
        assert_eq!(rounds, 20);
        assert_eq!(samples[0].batch, samples[1].batch);
        assert_eq!((samples[0].cpu.len(), samples[1].wall.len()), (20, 20));
        let batch = samples[0].batch as f64;
        let long = samples[0].cpu.iter().filter(|t| *t * batch > plan.sample * 0.7);
        assert!(long.count() > 10, "{samples:?}");
    }
}
