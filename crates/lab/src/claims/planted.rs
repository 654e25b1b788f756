//! Made-up records change verdicts: every claim that compares values of records is judged by
//! records in which it is true, and by records in which it is false.

use roadwire_layout::Rules;

use super::formula::{Formula, Operator};
use super::judge::Outcome;
use super::readings::{Reading, Readings};
use super::{Case, Claim, Claims, Test, judged};
use crate::experiment::{FigureOf, Findings};
use crate::measured::Measured;
use crate::quantity::{OfMessage, OfOperation, Quantity};
use crate::record::Record;
use crate::record::sample;
use crate::studies::EXPERIMENTS;
use crate::study;
use roadwire_measure::cell::Direction;
use roadwire_measure::heap::Heap;
use roadwire_measure::paper::Paper;
use roadwire_measure::stats::summarise;
use roadwire_peers::Kind;
use roadwire_peers::content::unpadded;

/// Records with given values.
struct Planted {
    records: Vec<Record>,
    findings: Vec<Box<dyn Findings>>,
}

impl Planted {
    fn new() -> Planted {
        Planted { records: Vec::new(), findings: EXPERIMENTS.iter().map(|one| one.made_up()).collect() }
    }

    /// Stores a value in the records; `None` if that takes more than one number.
    fn plant(&mut self, quantity: &Quantity, value: f64) -> Option<()> {
        match quantity {
            // The lengths of the unpadded envelopes are not in records.
            Quantity::Message { message, rules, of: OfMessage::Octets }
                if unpadded::octets(message, *rules).is_none() =>
            {
                self.record(message, *rules, Direction::Encode, Kind::Toed).octets = Some(value as usize);
            }
            Quantity::Message { message, rules, of: OfMessage::Operation(direction, kind, of) } => {
                let record = self.record(message, *rules, *direction, *kind);
                let heap = |octets: f64| Some(Heap { peak: octets as i64, requested: 0, retained: 0, count: 0 });
                match of {
                    OfOperation::Heap => record.heap = heap(value),
                    OfOperation::Stack => record.stack = Some(value as usize),
                    OfOperation::Memory => (record.heap, record.stack) = (heap(0.0), Some(value as usize)),
                    OfOperation::Time => record.cpu_ns = summarise(&[value]),
                    OfOperation::Instructions => record.instructions = Some(value as u64),
                    OfOperation::Single(_) => {
                        let (empty_mean, empty_sd, runs, serialising) = (0.0, 0.0, 1, String::new());
                        let (mean, sd) = (value, value);
                        record.paper = Some(Paper { mean, sd, empty_mean, empty_sd, runs, serialising });
                    }
                }
            }
            Quantity::Experiment(FigureOf(figure)) => {
                let is_it = |found: &&mut Box<dyn Findings>| found.experiment() == figure.experiment();
                figure.plant(&mut **self.findings.iter_mut().find(is_it)?, value)?;
            }
            _ => return None,
        }
        Some(())
    }

    /// The outcome of a claim by these records.
    fn outcome(&self, claim: &Claim) -> Outcome {
        let alone = Claims { claims: vec![claim.clone()], ..Claims::default() };
        let measured = Measured { records: &self.records, findings: &self.findings, ..Measured::default() };
        judged(&alone, &[], &|_| Vec::new(), measured).remove(0).by_run.outcome
    }

    fn record(&mut self, message: &str, rules: Rules, direction: Direction, kind: Kind) -> &mut Record {
        let is_it = |one: &Record| {
            (one.message.as_str(), one.rules, one.direction, one.kind) == (message, rules, direction, kind)
        };
        let at = self.records.iter().position(is_it).unwrap_or_else(|| {
            let record = Record { message: message.into(), rules, direction, ..sample::record(kind, 0) };
            self.records.push(Record { octets: None, ..record });
            self.records.len() - 1
        });
        &mut self.records[at]
    }

    /// Makes each case true or false; `None` if a case does not have two quantities.
    fn plant_cases(&mut self, cases: &[Case], by: f64, so: bool) -> Option<()> {
        for case in cases {
            let far = 2.0 * by.max(1.0 / by);
            let (a, b) = match &case.test {
                Test::Less(a, b) => (a, b),
                Test::Within([low, value, high]) => {
                    let [low, high] = [constant(&low.formula)?, constant(&high.formula)?];
                    let wanted = if so { (low + high) / 2.0 } else { high * 2.0 + 1.0 };
                    match &value.formula {
                        Formula::Quantity(value) => self.plant(value, wanted)?,
                        Formula::Two(Operator::By, sides) => match &**sides {
                            (Formula::Quantity(a), Formula::Quantity(b)) => {
                                self.plant(a, wanted * 1000.0)?;
                                self.plant(b, 1000.0)?;
                            }
                            _ => return None,
                        },
                        _ => return None,
                    }
                    continue;
                }
                Test::Equal(a, b) => match (&a.formula, &b.formula) {
                    (Formula::Quantity(a), Formula::Number(b)) => {
                        self.plant(a, if so { *b } else { b + 1.0 })?;
                        continue;
                    }
                    (Formula::Quantity(a), Formula::Quantity(b)) => {
                        self.plant(a, 100.0)?;
                        self.plant(b, if so { 100.0 } else { 101.0 })?;
                        continue;
                    }
                    _ => return None,
                },
                Test::Alike(..) | Test::Constant(_) => return None,
            };
            match (&a.formula, &b.formula) {
                (Formula::Quantity(a), Formula::Quantity(b)) => {
                    self.plant(a, if so { 100.0 } else { 100.0 * far })?;
                    self.plant(b, if so { 100.0 * far } else { 100.0 })?;
                }
                (Formula::Quantity(a), Formula::Number(b)) => self.plant(a, if so { b / far } else { b * far })?,
                (Formula::Number(a), Formula::Quantity(b)) => {
                    self.plant(b, if so { a * far + 1.0 } else { a / far })?
                }
                _ => return None,
            }
        }
        Some(())
    }
}

/// The value of a formula without quantities.
fn constant(formula: &Formula) -> Option<f64> {
    formula.value(&|_| Err(String::new())).ok()
}

/// The outcome of a claim whose cases are all true, or all false.
fn outcome(claim: &Claim, so: bool) -> Option<Outcome> {
    let mut planted = Planted::new();
    planted.plant_cases(&claim.cases, claim.by, so)?;
    Some(planted.outcome(claim))
}

#[test]
fn records_turn_the_verdicts_of_at_least_ten_claims_of_each_study() {
    for study in study::all().unwrap().iter().filter(|study| !study.claims.claims.is_empty()) {
        let mut turned = Vec::new();
        for claim in study.claims.claims.iter().filter(|claim| claim.not_comparable.is_empty()) {
            let Some((so, not)) = outcome(claim, true).zip(outcome(claim, false)) else {
                continue;
            };
            // A claim about few cases does not hold if it is true in all.
            let (holds, fails) = match claim.share {
                Some([_, most]) if most < 1.0 => (not, so),
                _ => (so, not),
            };
            // A claim without values of records has no cases; and if a quantity is less in one case
            // and greater in another, not all cases can be true.
            if holds == Outcome::Holds {
                assert_eq!(fails, Outcome::DoesNotHold, "{}: {}", study.name, claim.id);
                turned.push(&claim.id);
            }
        }
        // A study that judges fewer sentences has all of them turned.
        let comparable = study.claims.claims.iter().filter(|claim| claim.not_comparable.is_empty()).count();
        assert!(turned.len() >= comparable.min(10), "{}: {turned:?}", study.name);
    }
}

/// Another reading of a word changes every claim that has the word.
#[test]
fn a_planted_reading_changes_all_its_claims() {
    let usual = Readings::of_all_studies().unwrap();
    for reading in usual.iter() {
        let other = Reading {
            by: reading.by.map(|_| 1e6),
            between: reading.between.map(|_| [1e6, 1e7]),
            share: reading.share.map(|_| [2.0, 3.0]),
            ..reading.clone()
        };
        let planted = usual.with(other);
        let (mut named, mut changed) = (0, 0);
        for [.., claims, _, _] in study::texts() {
            let [usual, planted] = [&usual, &planted].map(|readings| Claims::read_with(claims, readings).unwrap());
            for (was, is) in usual.claims.iter().zip(&planted.claims) {
                let has = was.readings.contains(&reading.name);
                named += usize::from(has);
                let threshold = |claim: &Claim| (claim.by, claim.share, claim.cases.clone());
                assert_eq!(threshold(was) != threshold(is), has, "{}: {}", reading.name, was.id);
                if has && is.not_comparable.is_empty() && outcome(was, true) == Some(Outcome::Holds) {
                    // The same figures no longer make it true.
                    let mut made = Planted::new();
                    made.plant_cases(&was.cases, was.by, true).unwrap();
                    assert_ne!(made.outcome(is), Outcome::Holds, "{}: {}", reading.name, was.id);
                    changed += 1;
                }
            }
        }
        assert!(named > 0, "no claim has the reading `{}`", reading.name);
        println!("{}: {named} claims, of which records turn {changed}", reading.name);
    }
}

/// The paper has one binary codec, and prints it as "same as TOED" beside the space-optimised ones.
/// Our interpreter takes no part.
#[test]
fn binary_of_2014_is_straight_line_code_beside_both_forms_of_the_others() {
    let studies = study::all().unwrap();
    let study = studies.iter().find(|study| study.name == "etsi-2014").unwrap();
    let mut planted = Planted::new();
    // The interpreter's binary is slower and larger than all others.
    for message in &study.messages {
        for (rules, kind, value) in [
            (Rules::Tls, Kind::Toed, 100.0),
            (Rules::Tls, Kind::Soed, 900.0),
            (Rules::Uper, Kind::Toed, 300.0),
            (Rules::Uper, Kind::Soed, 400.0),
            (Rules::Protobuf, Kind::Toed, 500.0),
            (Rules::Protobuf, Kind::Soed, 600.0),
        ] {
            for of in [OfOperation::Time, OfOperation::Memory] {
                let of = OfMessage::Operation(Direction::Encode, kind, of);
                planted.plant(&Quantity::Message { message: message.clone(), rules, of }, value).unwrap();
            }
        }
    }
    let measured = Measured { records: &planted.records, findings: &planted.findings, ..Measured::default() };
    let judged = judged(&study.claims, &[], &|_| Vec::new(), measured);
    let ids = [
        ("summary-memory", 16),
        ("binary-memory", 8),
        ("greatly", 16),
        ("summary-runtime", 16),
        ("binary-faster", 16),
        ("binary-time", 8),
        ("soed-structure", 8),
    ];
    for (id, cases) in ids {
        let found = &judged.iter().find(|one| one.claim.id == id).unwrap().by_run;
        assert_eq!((&found.outcome, found.so, found.of), (&Outcome::Holds, cases, cases), "{id}: {}", found.evidence);
        assert!(!found.evidence.contains('{'), "{}", found.evidence);
    }
    let interpreted = |formula: &Formula| {
        formula.quantities().into_iter().any(|quantity| {
            matches!(quantity, Quantity::Message { rules: Rules::Tls, of: OfMessage::Operation(_, Kind::Soed, _), .. })
        })
    };
    let ours = study.published.iter().filter_map(|figure| figure.ours.as_ref());
    let claims = study.claims.claims.iter().flat_map(|claim| &claim.cases).flat_map(Case::formulas);
    assert!(!ours.chain(claims.map(|named| &named.formula)).any(interpreted));
}
