//! A figure of the certificate study: the paper's, or ours.
//!
//! Sizes are properties of the encoding and the generator: two random samples cannot be equal, so
//! they count as the same if they differ no more than samples of the same distribution do (three
//! standard errors). Times are properties of the machine and the implementation.

use std::sync::Arc;

use roadwire_layout::Rules;

use super::Certificates;
use super::batched::ROADWIRE;
use super::exchange::Row;
use super::spread::Spread;
use crate::experiment::{Figure, Findings};
use crate::owner::Owner;

/// A quantity of the study.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CertificateFigure {
    /// The encoding rules.
    pub rules: String,
    /// The measured quantity.
    pub of: Of,
    /// The statistic.
    pub statistic: Statistic,
    /// The implementation.
    pub engine: String,
}

/// A measured quantity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Of {
    /// Encoding time.
    Encode,
    /// Decoding time.
    Decode,
    /// Encoded length.
    Octets,
}

/// A statistic of many values. Times are in milliseconds, lengths in octets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Statistic {
    /// The mean.
    Mean,
    /// The variance.
    Variance,
    /// The standard deviation.
    Sd,
    /// The third quartile.
    ThirdQuartile,
    /// Mean length by mean time, octets per millisecond.
    Speed,
    /// A time in a ranking: the paper's mean, the median of our batches. Means of single calls are
    /// dominated by the few that were interrupted.
    Time,
    /// A time in a ranking: the paper's mean, the median of our single calls, each with a reading
    /// of the clock.
    Single,
    /// Sum over an experiment of this many certificates; for ours, the median of its repetitions.
    Sum(u64),
}

/// Certificates in the published samples.
const THEIRS: f64 = 1e6;
/// How many standard errors two samples may be apart.
const ERRORS: f64 = 3.0;
/// Nanoseconds of a millisecond.
pub(super) const MS: f64 = 1e6;

impl Of {
    /// The spread of this quantity for an encoding.
    pub(super) fn spread(self, row: &Row) -> Option<&Spread> {
        match self {
            Of::Encode => row.encode.as_ref(),
            Of::Decode => row.decode.as_ref(),
            Of::Octets => row.octets.as_ref(),
        }
    }
}

impl CertificateFigure {
    /// From its name's parts: rules, `encode`, `decode` or `octets`, and the statistic.
    pub fn parse(parts: &[&str]) -> Option<Self> {
        let [rules, of, statistic @ ..] = parts else { return None };
        let of = match *of {
            "encode" => Of::Encode,
            "decode" => Of::Decode,
            "octets" => Of::Octets,
            _ => return None,
        };
        let statistic = match statistic {
            ["mean"] => Statistic::Mean,
            ["variance"] => Statistic::Variance,
            ["sd"] => Statistic::Sd,
            _ if of == Of::Octets => return None,
            ["q3"] => Statistic::ThirdQuartile,
            ["speed"] => Statistic::Speed,
            ["time"] => Statistic::Time,
            ["single"] => Statistic::Single,
            ["sum", certificates] => Statistic::Sum(certificates.parse().ok()?),
            _ => return None,
        };
        Some(CertificateFigure { rules: (*rules).into(), of, statistic, engine: ROADWIRE.into() })
    }

    /// Its value in a run.
    ///
    /// # Errors
    /// Why it has none.
    pub(super) fn of(&self, study: &Certificates) -> Result<f64, String> {
        let none = || format!("the certificate has no {} codec in this run", self.rules);
        if self.engine == ROADWIRE && self.is_interpreted(study) {
            return Err(format!("{} is interpreted here, others are straight-line code", self.rules));
        }
        match self.statistic {
            Statistic::Time => {
                let batch = study.batch_by(&self.rules, &self.engine).ok_or_else(none)?;
                let summary = if self.of == Of::Decode { &batch.decode } else { &batch.encode };
                return summary.as_ref().map(|summary| summary.median / MS).ok_or_else(none);
            }
            Statistic::Sum(certificates) => {
                let sum = study.sum(&self.rules, self.of, certificates);
                return sum
                    .map(|sum| sum / MS)
                    .ok_or_else(|| format!("{certificates} certificates were not exchanged"));
            }
            _ => {}
        }
        let (row, spread) = self.found(study).ok_or_else(none)?;
        let unit = if self.of == Of::Octets { 1.0 } else { MS };
        Ok(match self.statistic {
            Statistic::Mean => spread.mean / unit,
            Statistic::Variance => spread.variance / (unit * unit),
            Statistic::Sd => spread.sd / unit,
            Statistic::ThirdQuartile => spread.q3 / unit,
            Statistic::Speed => row.octets.as_ref().ok_or_else(none)?.mean / (spread.mean / unit),
            _ => spread.median / unit,
        })
    }

    /// Whether most of the certificate's types have no straight-line code in this direction: such a
    /// time does not compare the encoding with others.
    fn is_interpreted(&self, study: &Certificates) -> bool {
        let share = study.batch(&self.rules).and_then(|batch| match self.of {
            Of::Encode => batch.straight_encode,
            Of::Decode => batch.straight_decode,
            Of::Octets => None,
        });
        share.is_some_and(|share| share < 0.5)
    }

    fn found<'s>(&self, study: &'s Certificates) -> Option<(&'s Row, &'s Spread)> {
        study.row(&self.rules).and_then(|row| Some((row, self.of.spread(row)?)))
    }

    /// How far two samples of the same lengths may be apart.
    pub(super) fn sampled(&self, study: &Certificates) -> f64 {
        let Some((_, spread)) = self.found(study) else { return 0.0 };
        let ours = spread.count as f64;
        let both = (1.0 + ours / THEIRS).sqrt();
        ERRORS
            * both
            * match self.statistic {
                Statistic::Variance => spread.variance_error,
                Statistic::Sd => spread.variance_error / (2.0 * spread.sd.max(1e-9)),
                _ => (spread.variance / ours).sqrt(),
            }
    }
}

/// The study's own findings.
fn own(findings: &dyn Findings) -> Result<&Certificates, String> {
    findings.of().ok_or_else(|| "no certificates were exchanged".into())
}

impl Figure for CertificateFigure {
    fn experiment(&self) -> &'static str {
        super::NAME
    }

    /// Lengths are the encoding's, times the machine's.
    fn owner(&self) -> Owner {
        if self.of == Of::Octets { Owner::Encoding } else { Owner::Machine }
    }

    fn is(&self, other: &dyn Figure) -> bool {
        other.of() == Some(self)
    }

    fn value(&self, findings: &dyn Findings) -> Result<f64, String> {
        self.of(own(findings)?)
    }

    fn difference(&self, findings: &dyn Findings) -> f64 {
        own(findings).map_or(0.0, |study| self.sampled(study))
    }

    fn digits(&self) -> Option<i32> {
        Some(7)
    }

    fn as_printed(&self) -> Option<Arc<dyn Figure>> {
        let printed = matches!(self.statistic, Statistic::Time | Statistic::Single).then_some(Statistic::Mean)?;
        Some(Arc::new(CertificateFigure { statistic: printed, engine: ROADWIRE.into(), ..self.clone() }))
    }

    fn by_single_calls(&self) -> Option<Arc<dyn Figure>> {
        // Single calls are ours alone.
        let single = (self.statistic == Statistic::Time && self.engine == ROADWIRE).then_some(Statistic::Single)?;
        Some(Arc::new(CertificateFigure { statistic: single, ..self.clone() }))
    }

    fn clock_step(&self, findings: &dyn Findings) -> f64 {
        match (self.statistic, own(findings)) {
            (Statistic::Single, Ok(study)) => study.clock_step() as f64 / MS,
            _ => 0.0,
        }
    }

    fn rules(&self) -> Option<Rules> {
        self.rules.parse().ok()
    }

    /// Other implementations are measured in batches only.
    fn by(&self, implementation: &str) -> Option<Arc<dyn Figure>> {
        let theirs = || CertificateFigure { engine: implementation.into(), ..self.clone() };
        (self.statistic == Statistic::Time).then(|| Arc::new(theirs()) as Arc<dyn Figure>)
    }

    #[cfg(test)]
    fn plant(&self, findings: &mut dyn Findings, value: f64) -> Option<()> {
        (self.statistic != Statistic::Speed).then(|| findings.of_mut().map(|study| self.plant_in(study, value)))?
    }
}

#[cfg(test)]
impl CertificateFigure {
    /// Stores a value in a study.
    fn plant_in(&self, study: &mut Certificates, value: f64) {
        let sample = super::sample::study(vec![super::sample::row(&self.rules, [1].into_iter(), 1)]);
        let certificates = if let Statistic::Sum(certificates) = self.statistic { certificates } else { u64::MAX };
        let found = study.experiments.iter().position(|one| one.certificates == certificates);
        let at = found.unwrap_or_else(|| {
            let mut experiment = sample.experiments[0].clone();
            (experiment.certificates, experiment.rows) = (certificates, Vec::new());
            // The largest remains the last.
            let place = study.experiments.partition_point(|one| one.certificates < certificates);
            study.experiments.insert(place, experiment);
            place
        });
        let rows = &mut study.experiments[at].rows;
        let row = rows.iter().position(|row| row.rules == self.rules).unwrap_or_else(|| {
            rows.push(sample.experiments[0].rows[0].clone());
            rows.len() - 1
        });
        if study.batch(&self.rules).is_none() {
            study.batched.extend(sample.batched);
        }
        let row = &mut study.experiments[at].rows[row];
        let spread = match self.of {
            Of::Encode => &mut row.encode,
            Of::Decode => &mut row.decode,
            Of::Octets => &mut row.octets,
        };
        let (spread, unit) = (spread.as_mut().expect("a spread"), if self.of == Of::Octets { 1.0 } else { MS });
        match self.statistic {
            Statistic::Mean => spread.mean = value * unit,
            Statistic::Variance => spread.variance = value * unit * unit,
            Statistic::Sd => spread.sd = value * unit,
            Statistic::ThirdQuartile => spread.q3 = value * unit,
            Statistic::Sum(_) => spread.sum = value * unit,
            Statistic::Single | Statistic::Speed => spread.median = value * unit,
            Statistic::Time => {
                let batch = study.batched.iter_mut().find(|batch| batch.rules == self.rules).expect("a batch");
                let summary = if self.of == Of::Decode { &mut batch.decode } else { &mut batch.encode };
                summary.as_mut().expect("a summary").median = value * unit;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::studies::certificates::sample;

    fn study() -> Certificates {
        let mut row = sample::row("uper", (0..10_000).map(|i| 180 + i % 20), 1000);
        row.decode = None;
        sample::study(vec![row])
    }

    /// Whether a printed figure is the same as ours.
    fn is_same(statistic: &str, value: f64) -> bool {
        let (figure, study) = (CertificateFigure::parse(&["uper", "octets", statistic]).unwrap(), study());
        (figure.of(&study).unwrap() - value).abs() <= figure.sampled(&study)
    }

    #[test]
    fn sizes_are_reproduced_within_what_samples_differ_by() {
        assert!(is_same("mean", 189.5));
        assert!(is_same("mean", 189.6));
        assert!(!is_same("mean", 189.9));
        assert!(is_same("variance", 33.25));
        assert!(!is_same("variance", 36.0));
        assert!(is_same("sd", 5.77));
        assert!(!is_same("sd", 6.0));
    }

    #[test]
    fn two_samples_may_be_three_standard_errors_apart_and_no_more() {
        // 10 000 lengths of 180 … 199, so that the variance is 33.2533…, against a million: the
        // mean may be off by 3 · √(1.01 · 33.2533 / 10 000) = 0.17386…
        for (off, is) in [(0.170, true), (0.173, true), (0.175, false), (0.20, false)] {
            assert_eq!(is_same("mean", 189.5 + off), is, "{off}");
            assert_eq!(is_same("mean", 189.5 - off), is, "-{off}");
        }
        // The fourth moment is 1983.41…, so that the variance may be off by 3 · √(1.01 · (1983.41 −
        // 33.2533²) / 10 000) = 0.8931, and the deviation by that over twice 5.7666: 0.07744.
        for (off, is) in [(0.88, true), (0.91, false)] {
            assert_eq!(is_same("variance", 33.2533 + off), is, "{off}");
            assert_eq!(is_same("variance", 33.2533 - off), is, "-{off}");
        }
        for (off, is) in [(0.076, true), (0.079, false)] {
            assert_eq!(is_same("sd", 5.7666 + off), is, "{off}");
            assert_eq!(is_same("sd", 5.7666 - off), is, "-{off}");
        }
    }

    #[test]
    fn times_are_in_milliseconds_and_what_is_missing_says_so() {
        let study = study();
        let value = |parts: &[&str]| CertificateFigure::parse(parts).unwrap().of(&study);
        assert_eq!(value(&["uper", "encode", "mean"]), Ok(0.001));
        assert_eq!(value(&["uper", "encode", "time"]), Ok(0.001));
        assert_eq!(value(&["uper", "encode", "single"]), Ok(0.001));
        assert!((value(&["uper", "encode", "speed"]).unwrap() - 189_500.0).abs() < 1e-6);
        assert_eq!(value(&["uper", "encode", "sum", "10000"]), Ok(10.0));
        // Of repetitions the middle one counts.
        let mut repeated = study.clone();
        for (repetition, sum) in [(1, 30.0), (2, 20.0)] {
            let mut again = repeated.experiments[0].clone();
            again.repetition = repetition;
            again.rows[0].encode.as_mut().unwrap().sum = sum * MS;
            repeated.experiments.push(again);
        }
        let sum = CertificateFigure::parse(&["uper", "encode", "sum", "10000"]).unwrap();
        assert_eq!((sum.of(&repeated), repeated.series().count()), (Ok(20.0), 1));
        for missing in [&["uper", "decode", "mean"][..], &["coer", "encode", "mean"], &["uper", "encode", "sum", "7"]] {
            assert!(value(missing).is_err(), "{missing:?}");
        }
        let mut interpreted = study.clone();
        interpreted.batched[0].straight_encode = Some(0.0);
        let encode = CertificateFigure::parse(&["uper", "encode", "mean"]).unwrap();
        assert!(encode.of(&interpreted).unwrap_err().contains("interpreted"));
        assert!(CertificateFigure::parse(&["uper", "octets", "mean"]).unwrap().of(&interpreted).is_ok());
        assert!(
            CertificateFigure::parse(&["uper", "octets", "speed"]).is_none()
                && CertificateFigure::parse(&["uper", "encode"]).is_none()
        );
    }
}
