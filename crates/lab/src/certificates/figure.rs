//! A published figure of the certificate study, and its verdict.
//!
//! Sizes are the encoding's and the generator's: of two random samples nobody can ask equality, so they are reproduced when the two are as near as
//! samples of the same distribution are (three standard errors). Times are the machine's and the implementation's.

use super::Certificates;
use super::exchange::Row;
use super::spread::Spread;
use crate::report::significant;
use crate::study::Published;
use crate::verdict::Verdict;

/// Which of our figures answers to a published one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Figure {
    /// The encoding rules.
    pub rules: String,
    /// What was measured.
    pub of: Of,
    /// What is said of it.
    pub statistic: Statistic,
}

/// What was measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Of {
    /// Encoding time.
    Encode,
    /// Decoding time.
    Decode,
    /// Encoded length.
    Octets,
}

/// What is said of many values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Statistic {
    /// The mean.
    Mean,
    /// The variance.
    Variance,
    /// The standard deviation.
    Sd,
    /// Mean length by mean time.
    Speed,
}

/// Certificates in the published samples.
const THEIRS: f64 = 1e6;
/// How many standard errors two samples may be apart.
const ERRORS: f64 = 3.0;
/// Nanoseconds of a millisecond.
pub(super) const MS: f64 = 1e6;

impl Of {
    /// This one of an encoding's spreads.
    pub(super) fn spread(self, row: &Row) -> Option<&Spread> {
        match self {
            Of::Encode => row.encode.as_ref(),
            Of::Decode => row.decode.as_ref(),
            Of::Octets => row.octets.as_ref(),
        }
    }
}

impl Figure {
    /// From the three parts that `published.csv` has; `None` when they are something else.
    pub fn parse(rules: &str, of: &str, statistic: &str) -> Option<Self> {
        let of = match of {
            "encode" => Of::Encode,
            "decode" => Of::Decode,
            "octets" => Of::Octets,
            _ => return None,
        };
        let statistic = match statistic {
            "mean" => Statistic::Mean,
            "variance" => Statistic::Variance,
            "sd" => Statistic::Sd,
            "speed" if of != Of::Octets => Statistic::Speed,
            _ => return None,
        };
        Some(Figure { rules: rules.into(), of, statistic })
    }

    /// The verdict on a published figure.
    pub fn judge(&self, published: &Published, study: &Certificates) -> Verdict {
        let Some((row, spread)) = study.row(&self.rules).and_then(|row| Some((row, self.of.spread(row)?))) else {
            return Verdict::NotYetMeasured { why: format!("the certificate has no {} codec here yet", self.rules) };
        };
        let Some(ours) = self.value(row, spread) else {
            return Verdict::NotYetMeasured { why: "nothing was encoded".into() };
        };
        if self.of != Of::Octets {
            let why = "a Java library on another processor; ours includes reading the clock".into();
            return Verdict::AnotherMachine { ours, why };
        }
        let may = self.difference(spread);
        let is = (ours - published.value).abs();
        let note = if published.note.is_empty() { String::new() } else { format!("; {}", published.note) };
        if is <= may {
            let why = format!("two samples may differ by {}{note}", significant(may, 4));
            return Verdict::Reproduced { ours, note: why };
        }
        Verdict::Differs {
            ours,
            why: format!("by {}, two samples may by {}{note}", significant(is, 4), significant(may, 4)),
        }
    }

    fn value(&self, row: &Row, spread: &Spread) -> Option<f64> {
        let unit = if self.of == Of::Octets { 1.0 } else { MS };
        Some(match self.statistic {
            Statistic::Mean => spread.mean / unit,
            Statistic::Variance => spread.variance / (unit * unit),
            Statistic::Sd => spread.sd / unit,
            Statistic::Speed => row.octets.as_ref()?.mean / (spread.mean / unit),
        })
    }

    /// How far two samples of the same lengths may be apart.
    fn difference(&self, spread: &Spread) -> f64 {
        let ours = spread.count as f64;
        let both = (1.0 + ours / THEIRS).sqrt();
        ERRORS
            * both
            * match self.statistic {
                Statistic::Mean | Statistic::Speed => (spread.variance / ours).sqrt(),
                Statistic::Variance => spread.variance_error,
                Statistic::Sd => spread.variance_error / (2.0 * spread.sd.max(1e-9)),
            }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certificates::sample;
    use crate::study::Ours;

    fn study() -> Certificates {
        let mut row = sample::row("uper", (0..10_000).map(|i| 180 + i % 20), 1000);
        row.decode = None;
        sample::study(vec![row])
    }

    fn verdict(of: &str, statistic: &str, value: f64) -> &'static str {
        let figure = Figure::parse("uper", of, statistic).unwrap();
        let published = Published {
            table: "I".into(),
            row: "UPER".into(),
            column: String::new(),
            unit: String::new(),
            value,
            place: String::new(),
            ours: Ours::Certificate(figure.clone()),
            note: String::new(),
        };
        figure.judge(&published, &study()).name()
    }

    #[test]
    fn sizes_are_reproduced_within_what_samples_differ_by() {
        assert_eq!(verdict("octets", "mean", 189.5), "reproduced");
        assert_eq!(verdict("octets", "mean", 189.6), "reproduced");
        assert_eq!(verdict("octets", "mean", 189.9), "differs");
        assert_eq!(verdict("octets", "variance", 33.25), "reproduced");
        assert_eq!(verdict("octets", "variance", 36.0), "differs");
        assert_eq!(verdict("octets", "sd", 5.77), "reproduced");
        assert_eq!(verdict("octets", "sd", 6.0), "differs");
    }

    #[test]
    fn two_samples_may_be_three_standard_errors_apart_and_no_more() {
        // 10 000 lengths of 180 … 199, so that the variance is 33.2533…, against a million: the mean may be off by 3 · √(1.01 · 33.2533 / 10 000) = 0.17386…
        for (off, name) in [(0.170, "reproduced"), (0.173, "reproduced"), (0.175, "differs"), (0.20, "differs")] {
            assert_eq!(verdict("octets", "mean", 189.5 + off), name, "{off}");
            assert_eq!(verdict("octets", "mean", 189.5 - off), name, "-{off}");
        }
        // The fourth moment is 1983.41…, so that the variance may be off by 3 · √(1.01 · (1983.41 − 33.2533²) / 10 000) = 0.8931, and the deviation by that over twice 5.7666: 0.07744.
        for (off, name) in [(0.88, "reproduced"), (0.91, "differs")] {
            assert_eq!(verdict("octets", "variance", 33.2533 + off), name, "{off}");
            assert_eq!(verdict("octets", "variance", 33.2533 - off), name, "-{off}");
        }
        for (off, name) in [(0.076, "reproduced"), (0.079, "differs")] {
            assert_eq!(verdict("octets", "sd", 5.7666 + off), name, "{off}");
            assert_eq!(verdict("octets", "sd", 5.7666 - off), name, "-{off}");
        }
    }

    #[test]
    fn times_neither_confirm_nor_contradict_and_what_is_missing_says_so() {
        assert_eq!(verdict("encode", "mean", 0.000_189_5), "another machine");
        assert_eq!(verdict("decode", "mean", 0.02), "not yet measured");
        assert!(Figure::parse("uper", "octets", "speed").is_none());
    }
}
