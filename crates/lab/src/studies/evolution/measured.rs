//! Measuring: octets, verdicts and times before and after each step.

use roadwire_evolution::{Comparison, NoVerdict, Octets, Reading, Understanding};
use roadwire_layout::{Family, Rules};
use serde::{Deserialize, Serialize};

use super::steps::{self, Planned};
use crate::gate;
use crate::interpreted::Interpreted;
use crate::measured::Measured;
use crate::progress::Progress;
use crate::record::Run;
use roadwire_measure::cell::{Cell, Direction};
use roadwire_measure::clock;
use roadwire_measure::random::Random;
use roadwire_measure::stats::{self, Interval};
use roadwire_measure::timing::{self, Entry, Plan};

/// How many prefixes of a message the gate tries.
const PREFIXES: usize = 200;

/// The study's measurements.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Evolution {
    /// The run.
    pub run: Run,
    /// The CAM's steps, then the small changes.
    pub steps: Vec<Step>,
    /// Messages that did not pass the gate.
    pub failures: Vec<String>,
}

/// A step from one version to the next.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// Its name.
    pub name: String,
    /// Its title.
    pub title: String,
    /// How many parts changed.
    pub changes: usize,
    /// Whether it is one of the small ones.
    pub is_small: bool,
    /// Parts of the content that have no place in the new version.
    pub lost: Vec<String>,
    /// In each encoding.
    pub costs: Vec<Cost>,
}

/// The costs of a step in one encoding.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Cost {
    /// The encoding rules.
    #[serde(with = "crate::rules")]
    pub rules: Rules,
    /// Octets of the content by the old version, and by the new one.
    pub octets: [usize; 2],
    /// Octets of a message that uses what is new.
    pub used: Option<usize>,
    /// Who understands whom; `None` if another step with the same versions says it.
    pub verdict: Option<Verdict>,
    /// The interpreter's time for the content by the new version, divided by that by the old one:
    /// encoding, decoding.
    pub times: [Option<Interval>; 2],
    /// The same of generated code.
    pub compiled: [Option<Interval>; 2],
}

/// Who understands whom.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// Whether what both versions have is the same octets: proven, or not.
    pub same_octets: bool,
    /// How the new version understands messages of the old one: an [`Understanding`] by its name.
    pub new_reads_old: String,
    /// The reverse.
    pub old_reads_new: String,
    /// Whether both are proven.
    pub is_proven: bool,
}

impl Verdict {
    /// Whether the new version reads every message of the old one.
    pub(super) fn new_reads_old(&self) -> bool {
        reads(&self.new_reads_old)
    }

    /// Whether the old version reads every message of the new one.
    pub(super) fn old_reads_new(&self) -> bool {
        reads(&self.old_reads_new)
    }

    /// Whether both versions can be on the road together.
    pub(super) fn is_free(&self) -> bool {
        self.new_reads_old() && self.old_reads_new()
    }

    /// Whether it is enough to update receivers first.
    pub(super) fn is_receivers_first(&self) -> bool {
        self.new_reads_old() && !self.old_reads_new()
    }

    /// Whether messages can be taken for others.
    pub(super) fn is_dangerous(&self) -> bool {
        [&self.new_reads_old, &self.old_reads_new]
            .into_iter()
            .any(|name| [Understanding::Misread, Understanding::Astray].iter().any(|danger| danger.name() == name))
    }
}

/// Whether a reader reads every message.
fn reads(name: &str) -> bool {
    [Understanding::All, Understanding::Skipping].iter().any(|one| one.name() == name)
}

impl Evolution {
    /// The costs of a step in an encoding.
    #[must_use]
    pub fn cost(&self, step: &str, rules: Rules) -> Option<&Cost> {
        let step = self.steps.iter().find(|one| one.name == step)?;
        step.costs.iter().find(|cost| cost.rules == rules)
    }

    /// The verdicts of the small changes in an encoding.
    pub(super) fn small_verdicts(&self, rules: Rules) -> impl Iterator<Item = (&Step, &Verdict)> {
        let small = self.steps.iter().filter(|step| step.is_small);
        small.filter_map(move |step| {
            let cost = step.costs.iter().find(|cost| cost.rules == rules)?;
            Some((step, cost.verdict.as_ref()?))
        })
    }
}

/// How an encoding takes the small changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changes<'s> {
    /// The encoding rules.
    pub rules: Rules,
    /// How many changes there are.
    pub of: usize,
    /// Those that may come in any order.
    pub free: Vec<&'s str>,
    /// Those where receivers change first.
    pub receivers_first: Vec<&'s str>,
    /// Those after which a reader takes a message for another.
    pub dangerous: Vec<&'s str>,
}

impl<'s> Changes<'s> {
    /// Those of all encodings; none if the study was not run.
    #[must_use]
    pub fn all(measured: Measured<'s>) -> Vec<Changes<'s>> {
        let study = measured.findings(super::NAME).and_then(|found| found.of::<Evolution>());
        study.into_iter().flat_map(|study| rules().map(|rules| study.changes(rules))).collect()
    }
}

impl Evolution {
    /// How an encoding takes the small changes.
    pub(super) fn changes(&self, rules: Rules) -> Changes<'_> {
        let with = |is: fn(&Verdict) -> bool| -> Vec<&str> {
            let all = self.small_verdicts(rules).filter(|(_, verdict)| is(verdict));
            all.map(|(step, _)| step.name.as_str()).collect()
        };
        Changes {
            rules,
            of: self.small_verdicts(rules).count(),
            free: with(Verdict::is_free),
            receivers_first: with(Verdict::is_receivers_first),
            dangerous: with(Verdict::is_dangerous),
        }
    }
}

/// The rules of ASN.1.
pub(super) fn rules() -> impl Iterator<Item = Rules> {
    Rules::ALL.into_iter().filter(|rules| *rules != Rules::Tls)
}

/// Two cells whose times are compared: where their ratios go.
struct Pair {
    step: usize,
    cost: usize,
    is_compiled: bool,
}

/// Measures all steps.
///
/// # Errors
/// An error in the study's own files, or a verdict that contradicts itself.
pub(super) fn run(run: &Run, progress: &dyn Progress) -> Result<Evolution, String> {
    let planned = steps::all()?;
    let mut study = Evolution { run: run.clone(), steps: Vec::new(), failures: Vec::new() };
    let (mut cells, mut pairs) = (Vec::new(), Vec::new());
    for (done, step) in planned.iter().enumerate() {
        progress.step("evolution, verdicts", done, planned.len());
        study.take(step, &mut cells, &mut pairs)?;
    }
    study.measure_times(&mut cells, &pairs, progress);
    Ok(study)
}

impl Evolution {
    fn take(&mut self, planned: &Planned, cells: &mut Vec<Box<dyn Cell>>, pairs: &mut Vec<Pair>) -> Result<(), String> {
        let [old, new] = &planned.versions;
        let comparison = Comparison::new(old.version(), new.version());
        let mut step = Step {
            name: planned.name.clone(),
            title: planned.title.clone(),
            changes: comparison.changes().len(),
            is_small: planned.schemas.is_none(),
            lost: planned.lost.clone(),
            costs: Vec::new(),
        };
        for rules in rules() {
            let told = |why: String| format!("{} in {rules}: {why}", planned.name);
            let codec = |at: usize| Interpreted::new(&planned.versions[at].model, planned.versions[at].root, rules);
            let octets = |at: usize, jer: &str| codec(at)?.octets(jer).map(|octets| octets.len());
            let used = planned.used.as_ref().map(|jer| octets(1, jer)).transpose().map_err(told)?;
            let [before, after] = [0, 1].map(|at| octets(at, &planned.content[at]).map_err(told));
            let mut cost = Cost {
                rules,
                octets: [before?, after?],
                used,
                verdict: None,
                times: [None, None],
                compiled: [None, None],
            };
            if !planned.is_judged_elsewhere {
                cost.verdict = Some(self.verdict(&comparison, rules).map_err(told)?);
            }
            let place = |is_compiled| Pair { step: self.steps.len(), cost: step.costs.len(), is_compiled };
            let own = [0, 1].map(|at| codec(at)?.cell(&planned.content[at]).map_err(|absent| absent.0));
            let [first, second] = own;
            pairs.push(place(false));
            cells.extend([first.map_err(told)?, second.map_err(told)?]);
            if let Some(schemas) = planned.schemas {
                let toed = roadwire_peers::find("roadwire-toed").ok_or("it is not linked")?;
                if let (Ok(first), Ok(second)) = (
                    toed.cell_of(schemas[0], rules, &planned.content[0]),
                    toed.cell_of(schemas[1], rules, &planned.content[1]),
                ) {
                    pairs.push(place(true));
                    cells.extend([first, second]);
                }
            }
            step.costs.push(cost);
        }
        self.steps.push(step);
        Ok(())
    }

    fn verdict(&self, comparison: &Comparison<'_>, rules: Rules) -> Result<Verdict, String> {
        let values = if self.run.quick { 40 } else { 200 };
        let verdict = comparison.verdict(rules, values).map_err(|error| match error {
            NoVerdict::NoLayout(error) => error.to_string(),
            NoVerdict::Contradiction(found) => format!("proof and trial contradict each other: {}", found.what),
        })?;
        let name = |reading: &Reading| reading.understanding.name().to_string();
        Ok(Verdict {
            same_octets: matches!(verdict.octets, Octets::Same | Octets::NotProven(_)),
            new_reads_old: name(&verdict.new_reads_old),
            old_reads_new: name(&verdict.old_reads_new),
            is_proven: verdict.new_reads_old.proven && verdict.old_reads_new.proven,
        })
    }

    fn measure_times(&mut self, cells: &mut [Box<dyn Cell>], pairs: &[Pair], progress: &dyn Progress) {
        for (at, cell) in cells.iter_mut().enumerate() {
            let Pair { step, cost, .. } = pairs[at / 2];
            let (step, rules) = (&self.steps[step], self.steps[step].costs[cost].rules);
            // A message of Protocol Buffers has no end: without its last field, it is another
            // message.
            let prefixes = if rules.family() == Family::Fields { 0 } else { PREFIXES };
            if let Err(why) = gate::judge_some(cell.as_mut(), prefixes) {
                self.failures.push(format!("{} in {rules}: {why}", step.name));
            }
        }
        let entries: Vec<Entry> =
            (0..cells.len()).flat_map(|cell| Direction::ALL.map(|direction| Entry { cell, direction })).collect();
        let (rounds, draws) = if self.run.quick { (12, 100) } else { (80, 300) };
        let plan = Plan::new(rounds, clock::cost_nanoseconds());
        let mut random = Random::new(self.run.seed);
        let mut step = |round| progress.step("evolution, time", round, rounds);
        let samples = timing::measure(cells, &entries, plan, &mut random, &mut step);
        for (at, pair) in pairs.iter().enumerate() {
            // Four entries each: the old version's two directions, then the new one's.
            for direction in 0..2 {
                let (before, after) = (&samples[at * 4 + direction], &samples[at * 4 + 2 + direction]);
                let cost = &mut self.steps[pair.step].costs[pair.cost];
                if let Some(fault) = before.fault.as_ref().or(after.fault.as_ref()) {
                    let rules = cost.rules;
                    self.failures.push(format!("{} in {rules}: {fault}", self.steps[pair.step].name));
                    continue;
                }
                let ratio = stats::ratio(&after.cpu, &before.beside(after), draws, &mut random);
                let times = if pair.is_compiled { &mut cost.compiled } else { &mut cost.times };
                times[direction] = ratio;
            }
        }
    }
}
