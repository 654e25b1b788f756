//! Time: batches sized to the clock, visited in a fresh random order every round.

use super::random::Random;
use crate::engine::{Cell, Direction, Sample};

/// How many steps of its clock a sample has at least, so that one step is below 1 % of it.
const STEPS: f64 = 110.0;
/// Samples that take longer than this, nanoseconds, are not taken in every round. Those of programs of their own take as long: they find the caches cold.
const LONG: f64 = 1e6;
/// How many samples there are at least of those; or one in each round, where there are fewer rounds.
const FEWEST: usize = 40;

/// How long and how often.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    /// How many rounds; each visits everything once, but for what takes long.
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

    /// What a sample of a cell takes at least that is read from a clock of such steps.
    fn sample_of(self, cell: &dyn Cell, clock_step: f64) -> f64 {
        let least = if cell.is_inside() { self.sample } else { self.sample.max(LONG) };
        least.max(clock_step * STEPS)
    }

    /// In how many rounds one is visited whose samples take so long.
    fn every(self, sample: f64) -> usize {
        ((sample / LONG).ceil() as usize).clamp(1, (self.rounds / FEWEST).max(1))
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
#[derive(Debug, Clone)]
pub struct Samples {
    /// Process CPU time per operation, nanoseconds.
    pub cpu: Vec<f64>,
    /// Wall time per operation, nanoseconds.
    pub wall: Vec<f64>,
    /// Operations in one sample.
    pub batch: u64,
    /// There is one in each so many rounds, from the first.
    pub every: usize,
    /// The smallest step of the clock that they are read from, nanoseconds.
    pub clock_step: f64,
    /// The first sample whose calls did something else than they were asked for: then none of the times means anything.
    pub fault: Option<String>,
}

impl Samples {
    /// CPU times in the rounds in which `other` has one; not a number where there is none.
    #[must_use]
    pub fn beside(&self, other: &Samples) -> Vec<f64> {
        let in_round = |round: usize| match round % self.every {
            0 => self.cpu.get(round / self.every).copied().unwrap_or(f64::NAN),
            _ => f64::NAN,
        };
        (0..other.cpu.len()).map(|at| in_round(at * other.every)).collect()
    }
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
    let mut octets: Vec<u64> = Vec::with_capacity(entries.len());
    for (i, entry) in entries.iter().enumerate() {
        let cell = cells[entry.cell].as_mut();
        // A cell that does not encode has no calls that succeed, either.
        octets.push(cell.bytes().map_or(0, |octets| octets.len() as u64));
        // Both halves of an A/A pair have the same batch.
        samples.push(match entries[..i].iter().position(|earlier| earlier == entry) {
            Some(first) => samples[first].clone(),
            None => Samples::ready(cell, entry.direction, plan, octets[i]),
        });
    }
    let mut order: Vec<usize> = (0..entries.len()).collect();
    for round in 0..plan.rounds {
        random.shuffle(&mut order);
        for &i in &order {
            let (entry, samples) = (entries[i], &mut samples[i]);
            if round % samples.every != 0 {
                continue;
            }
            let cell = &mut cells[entry.cell];
            let batch = samples.batch;
            // Warm: the first calls after another codec pay for its traces in the caches.
            cell.batch(entry.direction, batch / 8 + 1);
            let sample = cell.sample(entry.direction, batch);
            samples.check(sample, batch, octets[i]);
            samples.cpu.push(sample.cpu / batch as f64);
            samples.wall.push(sample.wall / batch as f64);
        }
        progress(round + 1);
    }
    samples
}

impl Samples {
    /// None yet; the batch is sized to the clock that they will be read from.
    fn ready(cell: &mut dyn Cell, direction: Direction, plan: Plan, octets: u64) -> Samples {
        let clock_step = cell.clock_step(direction);
        let target = plan.sample_of(cell, clock_step);
        let mut samples =
            Samples { cpu: Vec::new(), wall: Vec::new(), batch: 1, every: plan.every(target), clock_step, fault: None };
        samples.batch = samples.batch_size(cell, direction, target, octets);
        samples
    }

    /// How many operations fill a sample of `target` nanoseconds. The shortest of a few tries counts, so
    /// that one interruption does not pass for a slow codec.
    fn batch_size(&mut self, cell: &mut dyn Cell, direction: Direction, target: f64, octets: u64) -> u64 {
        // Of a coarse clock one try is long enough.
        let tries = if target > LONG { 1 } else { 5 };
        let mut batch = 1;
        loop {
            let mut cpu = f64::INFINITY;
            for _ in 0..tries {
                let sample = cell.sample(direction, batch);
                self.check(sample, batch, octets);
                cpu = cpu.min(sample.cpu);
            }
            if cpu >= target || batch >= 1 << 30 || self.fault.is_some() {
                return batch;
            }
            let wanted = (batch as f64 * target / cpu.max(1.0)) * 1.1;
            batch = (wanted as u64).clamp(batch + 1, batch * 16);
        }
    }

    /// Whether a sample's calls did what they were asked for.
    fn check(&mut self, sample: Sample, batch: u64, octets: u64) {
        if let Err(why) = sample.done.check(batch, batch * octets) {
            self.fault.get_or_insert(format!("what was timed is not what was asked for: {why}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::clock;
    use super::*;
    use crate::content::Message;
    use crate::engine::{Done, Engine, Watch};
    use crate::engines::floor::Floor;

    /// A codec of 10 octets that takes `takes` nanoseconds, by a clock with steps of `step`.
    struct Fake {
        takes: f64,
        step: f64,
        now: f64,
        /// Of so many calls in a thousand nothing comes.
        lost: u64,
        octets: u64,
        is_inside: bool,
    }

    impl Fake {
        fn new(takes: f64, step: f64) -> Fake {
            Fake { takes, step, now: 0.0, lost: 0, octets: 10, is_inside: true }
        }
    }

    impl Cell for Fake {
        fn bytes(&mut self) -> Result<Vec<u8>, String> {
            Ok(vec![0; 10])
        }
        fn recode(&mut self, _: &[u8], octets: &[u8]) -> Result<Vec<u8>, String> {
            Ok(octets.to_vec())
        }
        fn batch(&mut self, _: Direction, count: u64) -> Done {
            self.now += self.takes * count as f64;
            let calls = count - count * self.lost / 1000;
            Done { calls, octets: calls * self.octets }
        }
        fn sample(&mut self, direction: Direction, count: u64) -> Sample {
            let read = |fake: &Fake| (fake.now / fake.step).floor() * fake.step;
            let before = read(self);
            let done = self.batch(direction, count);
            let cpu = read(self) - before;
            Sample { cpu, wall: cpu, done }
        }
        fn clock_step(&mut self, direction: Direction) -> f64 {
            clock::step_of(|count| self.sample(direction, count).cpu)
        }
        fn is_inside(&self) -> bool {
            self.is_inside
        }
        fn probe(&mut self, _: Direction, _: Watch<'_>) -> Result<(), String> {
            Ok(())
        }
        fn message_size(&self) -> usize {
            0
        }
    }

    fn one(cell: Fake, rounds: usize) -> Samples {
        let cell: Box<dyn Cell> = Box::new(cell);
        let entry = Entry { cell: 0, direction: Direction::Decode };
        measure(&mut [cell], &[entry], Plan { rounds, sample: 20_000.0 }, &mut Random::new(1), &mut |_| {}).remove(0)
    }

    #[test]
    fn pairs_share_their_batch_and_nothing_is_left_out() {
        let message = Message::find("denm-mandatory").unwrap();
        let mut cells = [Floor.cell(message, "uper").unwrap()];
        let entry = Entry { cell: 0, direction: Direction::Encode };
        let plan = Plan::new(20, clock::cost_nanoseconds());
        let mut rounds = 0;
        let samples = measure(&mut cells, &[entry, entry], plan, &mut Random::new(1), &mut |round| rounds = round);
        assert_eq!(rounds, 20);
        assert_eq!(samples[0].batch, samples[1].batch);
        assert_eq!((samples[0].cpu.len(), samples[1].wall.len()), (20, 20));
        assert_eq!((&samples[0].fault, samples[0].every), (&None, 1));
    }

    #[test]
    fn a_coarse_clock_gets_samples_of_a_hundred_steps_in_fewer_rounds() {
        let samples = one(Fake::new(2_500.0, 10e6), 2000);
        assert_eq!(samples.clock_step, 10e6);
        assert!(samples.batch as f64 * 2_500.0 >= 100.0 * 10e6, "{}", samples.batch);
        assert_eq!((samples.every, samples.cpu.len()), (50, 40));
        assert!(samples.cpu.iter().all(|time| (time / 2_500.0 - 1.0).abs() < 0.01), "{:?}", samples.cpu);
        // Of few rounds none is left out.
        assert_eq!(one(Fake::new(2_500.0, 10e6), 30).cpu.len(), 30);
    }

    #[test]
    fn a_fine_clock_gets_the_samples_of_the_plan_in_every_round() {
        let samples = one(Fake::new(2_500.0, 3.0), 50);
        assert_eq!((samples.every, samples.cpu.len()), (1, 50));
        assert!((8..=10).contains(&samples.batch), "{}", samples.batch);
        // A program of its own gets more, for it finds the caches cold each time.
        let samples = one(Fake { is_inside: false, ..Fake::new(2_500.0, 3.0) }, 50);
        assert_eq!((samples.every, samples.cpu.len()), (1, 50));
        assert!((400..=480).contains(&samples.batch), "{}", samples.batch);
    }

    #[test]
    fn times_stand_beside_those_of_the_same_round() {
        let samples = |every: usize, cpu: Vec<f64>| Samples {
            wall: cpu.clone(),
            cpu,
            batch: 1,
            every,
            clock_step: 1.0,
            fault: None,
        };
        let (dense, sparse) = (samples(1, vec![0.0, 1.0, 2.0, 3.0, 4.0]), samples(2, vec![10.0, 12.0, 14.0]));
        assert_eq!(dense.beside(&sparse), [0.0, 2.0, 4.0]);
        assert_eq!(sparse.beside(&sparse), [10.0, 12.0, 14.0]);
        let other = sparse.beside(&dense);
        assert_eq!((other[0], other[2], other[4]), (10.0, 12.0, 14.0));
        assert!(other[1].is_nan() && other[3].is_nan());
    }

    #[test]
    fn calls_that_fail_and_octets_that_are_missing_are_noticed() {
        assert_eq!(one(Fake::new(100.0, 1.0), 5).fault, None);
        let fake = |lost, octets| Fake { lost, octets, ..Fake::new(100.0, 1.0) };
        // Half of the work, and refusals.
        for lost in [500, 1000] {
            assert!(one(fake(lost, 10), 5).fault.is_some(), "{lost}");
        }
        // Half of the octets.
        assert!(one(fake(0, 5), 5).fault.unwrap().contains("octets succeeded"));
        // One call in a thousand shows in a batch that has so many.
        assert!(one(Fake { takes: 10.0, ..fake(1, 10) }, 5).fault.is_some());
    }
}
