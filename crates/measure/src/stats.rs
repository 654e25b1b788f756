//! Statistics that are robust against outliers: median, MAD, quantiles, and bootstrap intervals of
//! ratios.

use serde::{Deserialize, Serialize};

use super::random::Random;

/// A summary of samples.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// The middle sample.
    pub median: f64,
    /// Median absolute deviation from the median.
    pub mad: f64,
    /// 5 % of the samples are below.
    pub p05: f64,
    /// 25 % of the samples are below.
    pub p25: f64,
    /// 75 % of the samples are below.
    pub p75: f64,
    /// 95 % of the samples are below.
    pub p95: f64,
    /// The least.
    pub min: f64,
    /// The mean, as the papers give it.
    pub mean: f64,
    /// The standard deviation, as the papers give it.
    pub sd: f64,
    /// How many samples.
    pub samples: usize,
}

/// A ratio with its 95 % bootstrap interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// Median of the ratios of the same rounds.
    pub ratio: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// Summarises samples; `None` when there are none.
pub fn summarise(samples: &[f64]) -> Option<Summary> {
    if samples.is_empty() {
        return None;
    }
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = quantile(&sorted, 0.5);
    let mut deviations: Vec<f64> = sorted.iter().map(|x| (x - middle).abs()).collect();
    let count = sorted.len() as f64;
    let mean = sorted.iter().sum::<f64>() / count;
    let variance = sorted.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
    Some(Summary {
        median: middle,
        mad: median(&mut deviations),
        p05: quantile(&sorted, 0.05),
        p25: quantile(&sorted, 0.25),
        p75: quantile(&sorted, 0.75),
        p95: quantile(&sorted, 0.95),
        min: sorted[0],
        mean,
        sd: variance.sqrt(),
        samples: sorted.len(),
    })
}

/// The ratio of `a` to `b` round by round, with the interval from `draws` resamples of the rounds.
/// `None` without common rounds.
pub fn ratio(a: &[f64], b: &[f64], draws: usize, random: &mut Random) -> Option<Interval> {
    ratio_of_processes(&[(a, b)], draws, random)
}

/// The ratio of `a` to `b` in each process, round by round. Each of the `draws` resamples the
/// processes, and then the rounds of each: a hierarchical bootstrap. `None` without common rounds.
pub fn ratio_of_processes(processes: &[(&[f64], &[f64])], draws: usize, random: &mut Random) -> Option<Interval> {
    let ratios = |(a, b): &(&[f64], &[f64])| -> Vec<f64> {
        a.iter().zip(*b).filter(|(_, b)| **b > 0.0).map(|(a, b)| a / b).filter(|ratio| ratio.is_finite()).collect()
    };
    let processes: Vec<Vec<f64>> = processes.iter().map(ratios).filter(|ratios| !ratios.is_empty()).collect();
    if processes.is_empty() {
        return None;
    }
    let mut drawn = Vec::new();
    let mut medians: Vec<f64> = (0..draws.max(1))
        .map(|_| {
            drawn.clear();
            for _ in 0..processes.len() {
                // A single process takes no draw.
                let at = if processes.len() == 1 { 0 } else { random.below(processes.len()) };
                let ratios = &processes[at];
                drawn.extend((0..ratios.len()).map(|_| ratios[random.below(ratios.len())]));
            }
            median(&mut drawn)
        })
        .collect();
    medians.sort_by(f64::total_cmp);
    Some(Interval {
        ratio: median(&mut processes.concat()),
        low: quantile(&medians, 0.025),
        high: quantile(&medians, 0.975),
    })
}

/// The standard deviation of the logarithms of values of one quantity, pooled over quantities: how
/// far apart the same thing is by chance, as a share. Each group has the values of one quantity.
/// `None` if no group has two.
#[must_use]
pub fn log_deviation<'g>(groups: impl Iterator<Item = &'g [f64]>) -> Option<f64> {
    let (mut squares, mut freedom) = (0.0, 0usize);
    for group in groups {
        let logs: Vec<f64> = group.iter().filter(|value| **value > 0.0).map(|value| value.ln()).collect();
        let mean = logs.iter().sum::<f64>() / logs.len().max(1) as f64;
        squares += logs.iter().map(|log| (log - mean).powi(2)).sum::<f64>();
        freedom += logs.len().saturating_sub(1);
    }
    (freedom > 0).then(|| (squares / freedom as f64).sqrt())
}

/// The median; reorders. 0 when there are no samples.
pub fn median(samples: &mut [f64]) -> f64 {
    if samples.is_empty() {
        return 0.0;
    }
    let middle = samples.len() / 2;
    let (below, at, _) = samples.select_nth_unstable_by(middle, f64::total_cmp);
    let at = *at;
    if below.len() == middle && samples.len() % 2 == 1 {
        return at;
    }
    let below = samples[..middle].iter().copied().fold(f64::MIN, f64::max);
    (below + at) / 2.0
}

/// The quantile `q` (0..=1) of sorted samples, linear between neighbours.
fn quantile(sorted: &[f64], q: f64) -> f64 {
    let last = sorted.len().saturating_sub(1);
    let place = q * last as f64;
    let low = place.floor() as usize;
    let high = (low + 1).min(last);
    let part = place - low as f64;
    sorted[low] * (1.0 - part) + sorted[high] * part
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn median_of_odd_and_even() {
        assert_eq!(median(&mut [3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&mut [4.0, 1.0, 3.0, 2.0]), 2.5);
        assert_eq!(median(&mut []), 0.0);
    }

    fn near(found: f64, wanted: f64) {
        assert!((found - wanted).abs() < 1e-9, "{found} instead of {wanted}");
    }

    #[test]
    fn every_figure_of_a_summary_is_the_one_worked_out_by_hand() {
        // 21 samples, so that each twentieth of them is a sample: 100, 110 … 290, and one far off.
        let mut samples: Vec<f64> = (0..20).map(|i| 100.0 + 10.0 * f64::from(i)).collect();
        samples.push(1000.0);
        samples.reverse();
        let s = summarise(&samples).unwrap();
        assert_eq!((s.min, s.p05, s.p25, s.median, s.p75, s.p95), (100.0, 110.0, 150.0, 200.0, 250.0, 290.0));
        // Distances from 200: 0, twice 10 … 90, 100 and 800; the eleventh is 50.
        assert_eq!((s.mad, s.samples), (50.0, 21));
        // 3900 + 1000; and 742 500 of the twenty around 195 (10² · 20 · 399 / 12 = 66 500), moved
        // to the mean of all.
        near(s.mean, 4900.0 / 21.0);
        let mean: f64 = 4900.0 / 21.0;
        let squares = 66_500.0 + 20.0 * (mean - 195.0).powi(2) + (1000.0 - mean).powi(2);
        near(s.sd, (squares / 20.0).sqrt());
    }

    #[test]
    fn quantiles_are_linear_between_neighbours() {
        let s = summarise(&[4.0, 1.0, 3.0, 2.0]).unwrap();
        assert_eq!((s.p25, s.median, s.p75), (1.75, 2.5, 3.25));
        near(s.p05, 1.15);
        near(s.p95, 3.85);
        assert_eq!((s.mean, s.min, s.mad), (2.5, 1.0, 1.0));
        near(s.sd, (5.0_f64 / 3.0).sqrt());
        let one = summarise(&[7.0]).unwrap();
        assert_eq!((one.p05, one.median, one.p95, one.sd, one.mad), (7.0, 7.0, 7.0, 0.0, 0.0));
    }

    #[test]
    fn the_bootstrap_interval_has_95_per_cent_of_the_medians() {
        // Of 101 draws of 1 … 101 the median is at most 40 in 1.7 %, and at most 41 in 2.7 %
        // (binomial); at the upper end likewise.
        let a: Vec<f64> = (1..=101).map(f64::from).collect();
        let i = ratio(&a, &vec![1.0; 101], 20_000, &mut Random::new(3)).unwrap();
        assert_eq!((i.low, i.ratio, i.high), (41.0, 51.0, 61.0));
    }

    #[test]
    fn ratios_are_those_of_the_same_round() {
        // Each round twice as slow as the one before, the second always three times the first.
        let b: Vec<f64> = (0..9).map(|round| f64::powi(2.0, round)).collect();
        let a: Vec<f64> = b.iter().map(|x| 3.0 * x).collect();
        let i = ratio(&a, &b, 50, &mut Random::new(1)).unwrap();
        assert_eq!((i.low, i.ratio, i.high), (3.0, 3.0, 3.0));
        // A round in which one of them is missing is left out.
        let mut gap = b.clone();
        (gap[0], gap[4]) = (f64::NAN, 0.0);
        let i = ratio(&a, &gap, 50, &mut Random::new(1)).unwrap();
        assert_eq!((i.low, i.ratio, i.high), (3.0, 3.0, 3.0));
    }

    #[test]
    fn one_outlier_moves_neither_median_nor_mad() {
        let s = summarise(&[10.0, 11.0, 10.0, 9.0, 10_000.0]).unwrap();
        assert_eq!((s.median, s.mad, s.min), (10.0, 1.0, 9.0));
        assert!(s.mean > 2000.0 && s.sd > 4000.0);
    }

    #[test]
    fn the_interval_holds_the_ratio_and_narrows_around_a_constant() {
        let mut random = Random::new(1);
        let b: Vec<f64> = (1..100).map(f64::from).collect();
        let a: Vec<f64> = b.iter().map(|x| x * 2.0).collect();
        let i = ratio(&a, &b, 200, &mut random).unwrap();
        assert_eq!((i.ratio, i.low, i.high), (2.0, 2.0, 2.0));
        let noisy: Vec<f64> = a.iter().map(|x| x * (1.0 + (x % 7.0) / 50.0)).collect();
        let i = ratio(&noisy, &b, 200, &mut random).unwrap();
        assert!(i.low <= i.ratio && i.ratio <= i.high && i.low < i.high);
    }

    /// Two processes that differ: their rounds alone would give a narrow interval.
    #[test]
    fn processes_that_differ_widen_the_interval() {
        let (slow, fast, one) = (vec![2.0; 50], vec![1.0; 50], vec![1.0; 50]);
        let i = ratio_of_processes(&[(&slow, &one), (&fast, &one)], 500, &mut Random::new(1)).unwrap();
        assert_eq!((i.low, i.ratio, i.high), (1.0, 1.5, 2.0));
        let i = ratio_of_processes(&[(&slow, &one), (&slow, &one)], 500, &mut Random::new(1)).unwrap();
        assert_eq!((i.low, i.ratio, i.high), (2.0, 2.0, 2.0));
    }

    #[test]
    fn the_deviation_between_processes_is_pooled_over_quantities() {
        // Logarithms 0 and 2 of the one, 5 and 5 of the other: squares 1 + 1 + 0 + 0 of two degrees
        // of freedom.
        let e = std::f64::consts::E;
        let groups = [vec![1.0, e * e], vec![e.powi(5), e.powi(5)], vec![7.0]];
        near(log_deviation(groups.iter().map(Vec::as_slice)).unwrap(), 1.0);
        assert_eq!(log_deviation([[7.0].as_slice()].into_iter()), None);
    }

    #[test]
    fn no_samples_no_figures() {
        assert!(summarise(&[]).is_none());
        assert!(ratio(&[], &[], 10, &mut Random::new(1)).is_none());
        assert!(ratio(&[1.0], &[0.0], 10, &mut Random::new(1)).is_none());
    }
}
