//! Distributions, and what they draw.

use roadwire_model::Value;
use roadwire_model::random::Rng;

/// How a value is drawn.
#[derive(Clone, Debug)]
pub(crate) enum Draw {
    /// One of these.
    Among(Weighted<Value>),
    /// An INTEGER between two, each as likely.
    Whole(i64, i64),
    /// A REAL between two.
    Real(f64, f64),
    /// An INTEGER by a normal distribution.
    NormalWhole(Normal),
    /// A REAL by a normal distribution.
    NormalReal(Normal),
    /// An alternative of a CHOICE, by its place.
    Alternative(Weighted<usize>),
}

/// How many elements or octets.
#[derive(Clone, Debug)]
pub(crate) enum Length {
    Between(u64, u64),
    Among(Weighted<u64>),
}

/// A normal distribution.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Normal {
    pub(crate) mean: f64,
    pub(crate) sd: f64,
}

/// Items with the sum of the weights up to each.
#[derive(Clone, Debug)]
pub(crate) struct Weighted<T>(Vec<(f64, T)>);

impl<T> Weighted<T> {
    /// `None` without an item that has a weight, or with a weight that is negative or not finite.
    pub(crate) fn new(items: impl IntoIterator<Item = (T, f64)>) -> Option<Self> {
        let (mut all, mut sum) = (Vec::new(), 0.0);
        for (item, weight) in items {
            if !weight.is_finite() || weight < 0.0 {
                return None;
            }
            sum += weight;
            all.push((sum, item));
        }
        (sum > 0.0 && sum.is_finite()).then_some(Weighted(all))
    }

    pub(crate) fn items(&self) -> impl Iterator<Item = &T> {
        self.0.iter().map(|(_, item)| item)
    }

    pub(crate) fn draw(&self, rng: &mut Rng) -> &T {
        let sum = self.0.last().map_or(0.0, |(sum, _)| *sum);
        let at = unit(rng) * sum;
        // A `Weighted` has at least one item. The least share above the sum, by rounding, falls to
        // the last one.
        let place = self.0.partition_point(|(up_to, _)| *up_to <= at).min(self.0.len() - 1);
        &self.0[place].1
    }
}

impl Draw {
    pub(crate) fn value(&self, rng: &mut Rng) -> Option<Value> {
        Some(match self {
            Draw::Among(values) => values.draw(rng).clone(),
            Draw::Whole(from, to) => Value::from(whole(*from, *to, rng)),
            Draw::Real(from, to) => Value::Real(from + (to - from) * unit(rng)),
            // Numbers beyond 64 bits end at their limits, which the type refuses or has.
            Draw::NormalWhole(normal) => Value::from(normal.draw(rng).round() as i64),
            Draw::NormalReal(normal) => Value::Real(normal.draw(rng)),
            Draw::Alternative(_) => return None,
        })
    }
}

impl Length {
    pub(crate) fn draw(&self, rng: &mut Rng) -> u64 {
        match self {
            Length::Between(from, to) => from + rng.below((to - from).saturating_add(1)),
            Length::Among(lengths) => *lengths.draw(rng),
        }
    }
}

impl Normal {
    /// By the transform of Box and Muller.
    fn draw(self, rng: &mut Rng) -> f64 {
        let (radius, angle) = ((-2.0 * (1.0 - unit(rng)).ln()).sqrt(), std::f64::consts::TAU * unit(rng));
        self.mean + self.sd * radius * angle.cos()
    }
}

/// A number from 0 to below 1, of 53 random bits.
pub(crate) fn unit(rng: &mut Rng) -> f64 {
    (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
}

/// A number between two, both included.
fn whole(from: i64, to: i64, rng: &mut Rng) -> i64 {
    match to.abs_diff(from).checked_add(1) {
        Some(count) => from.wrapping_add_unsigned(rng.below(count)),
        None => rng.next_u64() as i64,
    }
}
