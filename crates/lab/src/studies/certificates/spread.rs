//! Statistics of many values, in memory that does not grow with their number.
//!
//! Counts by value: values below 2¹³ each have a counter, so lengths are exact; above, the 64
//! counters of an octave make classes below 1.6 % wide. Sums and sums of squares are exact for all.

use serde::{Deserialize, Serialize};

/// Values below this are counted one by one.
const EXACT: u64 = 1 << 13;
/// Classes of an octave above.
const CLASSES: usize = 64;

/// Counts values.
#[derive(Debug, Clone, Default)]
pub struct Counter {
    count: u64,
    sum: u128,
    squares: u128,
    min: u64,
    max: u64,
    first: u64,
    step: u64,
    classes: Vec<u64>,
}

/// The greatest number that divides both; the other one if one is 0.
pub(super) fn common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { common_divisor(b, a % b) }
}

impl Counter {
    /// Adds a value.
    pub fn add(&mut self, value: u64) {
        let class = class(value);
        if class >= self.classes.len() {
            self.classes.resize(class + 1, 0);
        }
        self.classes[class] += 1;
        self.first = if self.count == 0 { value } else { self.first };
        self.step = common_divisor(value.abs_diff(self.first), self.step);
        self.min = if self.count == 0 { value } else { self.min.min(value) };
        self.max = self.max.max(value);
        self.count += 1;
        self.sum += u128::from(value);
        self.squares = self.squares.saturating_add(u128::from(value) * u128::from(value));
    }

    /// Their statistics; `None` if there are none.
    pub fn spread(&self) -> Option<Spread> {
        if self.count == 0 {
            return None;
        }
        let count = self.count as f64;
        let mean = self.sum as f64 / count;
        // Σ(x − mean)² = (n·Σx² − (Σx)²)/n, whole numbers up to the division.
        let deviations = u128::from(self.count)
            .saturating_mul(self.squares)
            .saturating_sub(self.sum.saturating_mul(self.sum)) as f64
            / count;
        let variance = deviations / (count - 1.0).max(1.0);
        let fourth = self.values().map(|(value, times)| (value - mean).powi(4) * times as f64).sum::<f64>() / count;
        Some(Spread {
            count: self.count,
            sum: self.sum as f64,
            mean,
            variance,
            sd: variance.sqrt(),
            variance_error: ((fourth - variance * variance).max(0.0) / count).sqrt(),
            min: self.min as f64,
            q1: self.quantile(0.25),
            median: self.quantile(0.5),
            q3: self.quantile(0.75),
            p99: self.quantile(0.99),
            max: self.max as f64,
            step: self.step,
        })
    }

    /// The quantile `q`, or the middle of its class.
    fn quantile(&self, q: f64) -> f64 {
        let wanted = (q * self.count as f64).ceil();
        let mut seen = 0.0;
        for (value, times) in self.values() {
            seen += times as f64;
            if seen >= wanted {
                return value.clamp(self.min as f64, self.max as f64);
            }
        }
        self.max as f64
    }

    /// Value, or middle of the class, and its count.
    fn values(&self) -> impl Iterator<Item = (f64, u64)> {
        self.classes.iter().enumerate().filter(|(_, times)| **times > 0).map(|(class, times)| (middle(class), *times))
    }
}

fn class(value: u64) -> usize {
    if value < EXACT {
        return value as usize;
    }
    let octave = value.ilog2() as usize;
    let within = (value >> (octave - CLASSES.ilog2() as usize)) as usize % CLASSES;
    EXACT as usize + (octave - EXACT.ilog2() as usize) * CLASSES + within
}

fn middle(class: usize) -> f64 {
    let Some(above) = class.checked_sub(EXACT as usize) else {
        return class as f64;
    };
    let octave = EXACT as f64 * f64::powi(2.0, (above / CLASSES) as i32);
    octave * (1.0 + ((above % CLASSES) as f64 + 0.5) / CLASSES as f64)
}

/// Statistics of many values.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    /// How many.
    pub count: u64,
    /// Their sum.
    pub sum: f64,
    /// Their mean.
    pub mean: f64,
    /// Their variance, divided by n − 1.
    pub variance: f64,
    /// Its square root.
    pub sd: f64,
    /// Standard error of the variance, from the fourth moment.
    pub variance_error: f64,
    /// The least.
    pub min: f64,
    /// The first quartile.
    pub q1: f64,
    /// The median.
    pub median: f64,
    /// The third quartile.
    pub q3: f64,
    /// The 99th percentile.
    pub p99: f64,
    /// The greatest.
    pub max: f64,
    /// The greatest number that divides all differences between values: of times, the step of their
    /// clock. 0 if all values are equal.
    #[serde(default)]
    pub step: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_and_quantiles_of_small_values_are_exact() {
        let mut counter = Counter::default();
        for value in [187, 190, 187, 200, 250] {
            counter.add(value);
        }
        let spread = counter.spread().unwrap();
        assert_eq!((spread.count, spread.sum, spread.min, spread.max), (5, 1014.0, 187.0, 250.0));
        assert_eq!((spread.q1, spread.median, spread.q3), (187.0, 190.0, 200.0));
        assert!((spread.variance - 724.7).abs() < 1e-9, "{spread:?}");
    }

    #[test]
    fn quantiles_are_the_values_at_their_places() {
        let mut counter = Counter::default();
        (1..=200).rev().for_each(|value| counter.add(value));
        let spread = counter.spread().unwrap();
        assert_eq!((spread.q1, spread.median, spread.q3, spread.p99), (50.0, 100.0, 150.0, 198.0));
        assert_eq!((spread.count, spread.min, spread.max, spread.mean), (200, 1.0, 200.0, 100.5));
        // n (n + 1) / 12.
        assert!((spread.variance - 200.0 * 201.0 / 12.0).abs() < 1e-9, "{spread:?}");
        assert!((spread.sd - 3350.0_f64.sqrt()).abs() < 1e-9, "{spread:?}");
    }

    #[test]
    fn the_error_of_the_variance_comes_from_the_fourth_moment() {
        // 0 and 10 as often as 5: the second moment is 50/3, the fourth 1250/3.
        let mut counter = Counter::default();
        (0..300).for_each(|at| counter.add(5 * (at % 3)));
        let spread = counter.spread().unwrap();
        let variance = 50.0 / 3.0 * 300.0 / 299.0;
        assert!((spread.variance - variance).abs() < 1e-9, "{spread:?}");
        let error = ((1250.0 / 3.0 - variance * variance) / 300.0_f64).sqrt();
        assert!((spread.variance_error - error).abs() < 1e-9, "{spread:?}");
    }

    #[test]
    fn classes_follow_each_other_without_gaps_and_are_narrow() {
        for value in (1..200_000).chain([1 << 40, u64::MAX]) {
            let class = class(value);
            assert!((middle(class) / value as f64 - 1.0).abs() < 0.008, "{value}");
            assert!(class <= self::class(value.saturating_add(1)) && self::class(value.saturating_add(1)) <= class + 1);
        }
    }

    #[test]
    fn the_step_divides_all_differences() {
        let step = |values: &[u64]| {
            let mut counter = Counter::default();
            values.iter().for_each(|value| counter.add(*value));
            counter.spread().unwrap().step
        };
        assert_eq!(
            [step(&[70, 80, 110, 1_250]), step(&[33, 43, 53]), step(&[60, 61]), step(&[60, 60])],
            [10, 10, 1, 0]
        );
    }

    #[test]
    fn nothing_says_nothing() {
        assert!(Counter::default().spread().is_none());
    }
}
