//! A quantity of the study.

use roadwire_layout::Rules;

use super::measured::Evolution;
use crate::experiment::{Figure, Findings};
use crate::owner::Owner;
use roadwire_measure::cell::Direction;

/// A quantity of the study.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum EvolutionFigure {
    /// `before:STEP:RULES`, `after:STEP:RULES`, `used:STEP:RULES`: octets.
    Octets(What, String, Rules),
    /// `time:STEP:RULES:DIRECTION`: the interpreter's time after the step divided by that before.
    Time(String, Rules, Direction),
    /// `new-reads-old:STEP:RULES`, `old-reads-new:STEP:RULES`: 1 if one version reads every message
    /// of the other, otherwise 0.
    Reads(Reader, String, Rules),
    /// `free:RULES`, `receivers-first:RULES`, `dangerous:RULES`: how many of the small changes are
    /// so.
    Changes(Sort, Rules),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    Before,
    After,
    Used,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reader {
    New,
    Old,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sort {
    Free,
    ReceiversFirst,
    Dangerous,
}

impl EvolutionFigure {
    /// From the parts of its name.
    pub(super) fn parse(parts: &[&str]) -> Option<EvolutionFigure> {
        Some(match parts {
            ["time", step, rules, direction] => {
                let direction = Direction::ALL.into_iter().find(|one| one.name() == *direction)?;
                EvolutionFigure::Time((*step).into(), rules.parse().ok()?, direction)
            }
            ["new-reads-old", step, rules] => EvolutionFigure::Reads(Reader::New, (*step).into(), rules.parse().ok()?),
            ["old-reads-new", step, rules] => EvolutionFigure::Reads(Reader::Old, (*step).into(), rules.parse().ok()?),
            [what, step, rules] => {
                let what = match *what {
                    "before" => What::Before,
                    "after" => What::After,
                    "used" => What::Used,
                    _ => return None,
                };
                EvolutionFigure::Octets(what, (*step).into(), rules.parse().ok()?)
            }
            [sort, rules] => {
                let sort = match *sort {
                    "free" => Sort::Free,
                    "receivers-first" => Sort::ReceiversFirst,
                    "dangerous" => Sort::Dangerous,
                    _ => return None,
                };
                EvolutionFigure::Changes(sort, rules.parse().ok()?)
            }
            _ => return None,
        })
    }

    fn of(&self, study: &Evolution) -> Result<f64, String> {
        let cost = |step: &str, rules| study.cost(step, rules).ok_or("there is no such step");
        Ok(match self {
            EvolutionFigure::Octets(What::Before, step, rules) => cost(step, *rules)?.octets[0] as f64,
            EvolutionFigure::Octets(What::After, step, rules) => cost(step, *rules)?.octets[1] as f64,
            EvolutionFigure::Octets(What::Used, step, rules) => {
                cost(step, *rules)?.used.ok_or("it uses nothing that is new")? as f64
            }
            EvolutionFigure::Time(step, rules, direction) => {
                let of = usize::from(*direction == Direction::Decode);
                cost(step, *rules)?.times[of].ok_or("it was not timed")?.ratio
            }
            EvolutionFigure::Reads(reader, step, rules) => {
                let verdict = cost(step, *rules)?.verdict.as_ref().ok_or("another step has its verdict")?;
                f64::from(match reader {
                    Reader::New => verdict.new_reads_old(),
                    Reader::Old => verdict.old_reads_new(),
                })
            }
            EvolutionFigure::Changes(sort, rules) => {
                let changes = study.changes(*rules);
                let of = match sort {
                    Sort::Free => changes.free,
                    Sort::ReceiversFirst => changes.receivers_first,
                    Sort::Dangerous => changes.dangerous,
                };
                of.len() as f64
            }
        })
    }
}

impl Figure for EvolutionFigure {
    fn experiment(&self) -> &'static str {
        super::NAME
    }

    fn owner(&self) -> Owner {
        if matches!(self, EvolutionFigure::Time(..)) { Owner::Machine } else { Owner::Encoding }
    }

    fn is(&self, other: &dyn Figure) -> bool {
        other.of() == Some(self)
    }

    fn value(&self, findings: &dyn Findings) -> Result<f64, String> {
        self.of(findings.of().ok_or("the study was not run")?)
    }

    #[cfg(test)]
    fn plant(&self, _: &mut dyn Findings, _: f64) -> Option<()> {
        // No claim has any of them.
        None
    }
}
