//! Time: batches sized to the clock, visited in a fresh random order every round.

use serde::{Deserialize, Serialize};

use super::random::Random;
use crate::cell::{Cell, Direction, Sample};

/// The least number of clock steps in a sample, so that one step is below 1 % of it.
const STEPS: f64 = 110.0;
/// Samples of separate programs take at least this long, nanoseconds, since they start with cold
/// caches.
const LONG: f64 = 1e6;
/// Samples that take longer than this, nanoseconds, are not taken in every round.
const OFTEN: f64 = LONG / 4.0;
/// The least number of such samples; or one in each round, if there are fewer rounds.
const FEWEST: usize = 40;

/// How long and how often.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    /// How many rounds; each visits everything once, except long samples.
    pub rounds: usize,
    /// The least time of a sample, nanoseconds.
    pub sample: f64,
}

impl Plan {
    /// A plan whose samples take at least 100 times the cost of reading the clock, so that the
    /// clock is below 1 % of a sample.
    pub fn new(rounds: usize, clock_cost: f64) -> Self {
        Plan { rounds, sample: (clock_cost * 110.0).max(20_000.0) }
    }

    /// The least time of a cell's sample, with a clock of such steps.
    fn sample_of(self, cell: &dyn Cell, clock_step: f64) -> f64 {
        let least = if cell.is_inside() { self.sample } else { self.sample.max(LONG) };
        least.max(clock_step * STEPS)
    }

    /// The interval of rounds in which a cell with samples of this length is visited.
    fn every(self, sample: f64) -> usize {
        ((sample / OFTEN).ceil() as usize).clamp(1, (self.rounds / FEWEST).max(1))
    }
}

/// One thing that is timed: a cell in one direction. The same cell may be entered twice, which
/// makes an A/A pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// Index of the cell.
    pub cell: usize,
    /// Encoding or decoding.
    pub direction: Direction,
}

/// Samples of one [`Entry`], by round.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Samples {
    /// Process CPU time per operation, nanoseconds.
    pub cpu: Vec<f64>,
    /// Wall time per operation, nanoseconds.
    pub wall: Vec<f64>,
    /// Operations in one sample.
    pub batch: u64,
    /// There is one sample in each `every` rounds, from the first on.
    pub every: usize,
    /// The smallest step of their clock, nanoseconds.
    pub clock_step: f64,
    /// The first sample whose calls did not do what they should: then none of the times is valid.
    pub fault: Option<String>,
}

impl Samples {
    /// CPU times in the rounds in which `other` has one; NaN where there is none.
    #[must_use]
    pub fn beside(&self, other: &Samples) -> Vec<f64> {
        let in_round = |round: usize| match round % self.every {
            0 => self.cpu.get(round / self.every).copied().unwrap_or(f64::NAN),
            _ => f64::NAN,
        };
        (0..other.cpu.len()).map(|at| in_round(at * other.every)).collect()
    }
}

/// Times all entries. `progress` is called with the number of rounds done.
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
        // In a cell that does not encode, no calls succeed.
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
            // Warm-up: the first calls after another codec are slower because of the caches.
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
    /// No samples yet; the batch is sized to their clock.
    fn ready(cell: &mut dyn Cell, direction: Direction, plan: Plan, octets: u64) -> Samples {
        let clock_step = cell.clock_step(direction);
        let target = plan.sample_of(cell, clock_step);
        let mut samples =
            Samples { cpu: Vec::new(), wall: Vec::new(), batch: 1, every: plan.every(target), clock_step, fault: None };
        samples.batch = samples.batch_size(cell, direction, target, octets);
        samples
    }

    /// How many operations fill a sample of `target` nanoseconds. The shortest of a few tries
    /// counts, so that one interruption does not make a codec look slow.
    fn batch_size(&mut self, cell: &mut dyn Cell, direction: Direction, target: f64, octets: u64) -> u64 {
        // With a coarse clock, one try is long enough.
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

    /// Checks that a sample's calls did what they should.
    fn check(&mut self, sample: Sample, batch: u64, octets: u64) {
        if let Err(why) = sample.done.check(batch, batch * octets) {
            self.fault.get_or_insert(format!("what was timed is not what was asked for: {why}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::rc::Rc;

    use super::*;
    use crate::cell::{Done, Watch};
    use crate::clock;

    /// A codec of 10 octets that takes `takes` nanoseconds, by a clock with steps of `step`.
    struct Fake {
        takes: f64,
        step: f64,
        now: f64,
        /// The number of calls in a thousand that do nothing.
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
        fn message_size(&self) -> Option<usize> {
            None
        }
    }

    fn one(cell: Fake, rounds: usize) -> Samples {
        let cell: Box<dyn Cell> = Box::new(cell);
        let entry = Entry { cell: 0, direction: Direction::Decode };
        measure(&mut [cell], &[entry], Plan { rounds, sample: 20_000.0 }, &mut Random::new(1), &mut |_| {}).remove(0)
    }

    #[test]
    fn pairs_share_their_batch_and_nothing_is_left_out() {
        let mut cells: [Box<dyn Cell>; 1] = [Box::new(Fake::new(100.0, 1.0))];
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
        // With few rounds, none is left out.
        assert_eq!(one(Fake::new(2_500.0, 10e6), 30).cpu.len(), 30);
    }

    #[test]
    fn a_fine_clock_gets_the_samples_of_the_plan_in_every_round() {
        let samples = one(Fake::new(2_500.0, 3.0), 50);
        assert_eq!((samples.every, samples.cpu.len()), (1, 50));
        assert!((8..=10).contains(&samples.batch), "{}", samples.batch);
        // A separate program gets longer samples, since it starts with cold caches each time.
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
        // One call in a thousand is detected in a large enough batch.
        assert!(one(Fake { takes: 10.0, ..fake(1, 10) }, 5).fault.is_some());
    }

    /// A [`Fake`] that writes down its calls: `batch` without a clock, `sample` with it. A sample's
    /// wall time is twice its CPU time.
    struct Logged(Fake, Rc<RefCell<Vec<(&'static str, u64)>>>);

    impl Cell for Logged {
        fn bytes(&mut self) -> Result<Vec<u8>, String> {
            self.0.bytes()
        }
        fn recode(&mut self, before: &[u8], octets: &[u8]) -> Result<Vec<u8>, String> {
            self.0.recode(before, octets)
        }
        fn batch(&mut self, direction: Direction, count: u64) -> Done {
            self.1.borrow_mut().push(("batch", count));
            self.0.batch(direction, count)
        }
        fn sample(&mut self, direction: Direction, count: u64) -> Sample {
            self.1.borrow_mut().push(("sample", count));
            let sample = self.0.sample(direction, count);
            Sample { wall: 2.0 * sample.cpu, ..sample }
        }
        fn clock_step(&mut self, _: Direction) -> f64 {
            self.0.step
        }
        fn is_inside(&self) -> bool {
            self.0.is_inside
        }
        fn probe(&mut self, _: Direction, _: Watch<'_>) -> Result<(), String> {
            Ok(())
        }
        fn message_size(&self) -> Option<usize> {
            None
        }
    }

    /// The calls and the samples of a cell in one round.
    fn logged(fake: Fake, sample: f64) -> (Vec<(&'static str, u64)>, Samples) {
        let log = Rc::default();
        let cell: Box<dyn Cell> = Box::new(Logged(fake, Rc::clone(&log)));
        let entry = Entry { cell: 0, direction: Direction::Decode };
        let samples = measure(&mut [cell], &[entry], Plan { rounds: 1, sample }, &mut Random::new(1), &mut |_| {});
        (log.take(), samples[0].clone())
    }

    #[test]
    fn batches_grow_until_they_fill_a_sample() {
        // 1, 16 and 256 calls of 10 ns are too short for 20 µs; from 256 calls on it is known how
        // many are wanted, and a tenth more.
        let (log, samples) = logged(Fake::new(10.0, 1.0), 20_000.0);
        let tries = |count| [("sample", count); 5];
        let wanted = [tries(1), tries(16), tries(256), tries(2_200)].concat();
        assert_eq!(log, [&wanted[..], &[("batch", 2_200 / 8 + 1), ("sample", 2_200)]].concat());
        assert_eq!((samples.batch, &*samples.cpu, &*samples.wall), (2_200, &[10.0][..], &[20.0][..]));
        // Samples of more than a millisecond are tried once.
        let (log, samples) = logged(Fake::new(1e6, 1.0), 2e6);
        assert_eq!(log, [("sample", 1), ("sample", 2), ("batch", 1), ("sample", 2)]);
        assert_eq!(samples.batch, 2);
        // Of one millisecond, five times.
        assert_eq!(logged(Fake::new(1e6, 1.0), 1e6).0.len(), 5 + 2);
    }

    #[test]
    fn a_codec_that_takes_no_time_or_does_no_work_has_a_batch_too() {
        assert_eq!(logged(Fake { octets: 0, ..Fake::new(0.0, 1.0) }, 20_000.0).1.batch, 1, "its fault ends the search");
        let (log, samples) = logged(Fake::new(0.0, 1.0), 20_000.0);
        assert_eq!((samples.batch, samples.fault), (1 << 32, None));
        assert_eq!(log.len(), 9 * 5 + 2);
    }

    #[test]
    fn cells_have_batches_of_their_own() {
        let mut cells: [Box<dyn Cell>; 2] = [Box::new(Fake::new(100.0, 1.0)), Box::new(Fake::new(1_000.0, 1.0))];
        let entries = [0, 1].map(|cell| Entry { cell, direction: Direction::Encode });
        let plan = Plan { rounds: 1, sample: 20_000.0 };
        let samples = measure(&mut cells, &entries, plan, &mut Random::new(1), &mut |_| {});
        assert_eq!([samples[0].batch, samples[1].batch], [220, 22]);
    }

    #[test]
    fn long_samples_are_taken_in_every_so_many_rounds() {
        let every = |rounds, sample| Plan { rounds, sample: 0.0 }.every(sample);
        assert_eq!([every(400, 2.5e5), every(400, 1e6), every(400, 1.5e6), every(400, 1e9)], [1, 4, 6, 10]);
        assert_eq!([every(39, 1e9), every(400, 1.0)], [1, 1]);
    }
}
