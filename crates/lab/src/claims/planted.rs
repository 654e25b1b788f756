//! Made-up records turn verdicts: every claim of the studies that compares what a record holds is judged by records that say it is so, and by records that say it is not.

use super::formula::Formula;
use super::judge::Outcome;
use super::{Case, Claim, Claims, Test, judged};
use crate::certificates::{self, Certificates, Statistic};
use crate::content::unpadded;
use crate::engine::{Direction, Kind};
use crate::ieee1609::Ieee1609;
use crate::measure::heap::Heap;
use crate::measure::paper::Paper;
use crate::measure::stats::summarise;
use crate::quantity::{OfMessage, OfOperation, Quantity};
use crate::record::{Record, Run};
use crate::study;
use crate::verdict::{Measured, sample};

/// Records that say what they are told.
struct Planted {
    records: Vec<Record>,
    certificates: Certificates,
    secured_data: Ieee1609,
}

impl Planted {
    fn new() -> Planted {
        Planted {
            records: Vec::new(),
            certificates: certificates::sample::study(Vec::new()),
            secured_data: Ieee1609 {
                run: Run::sample(),
                rows: Vec::new(),
                offsets: Vec::new(),
                passes: Vec::new(),
                failures: Vec::new(),
            },
        }
    }

    /// Has the records say this; `None` where that takes more than one number.
    fn plant(&mut self, quantity: &Quantity, value: f64) -> Option<()> {
        match quantity {
            // The lengths of the unpadded envelopes are no records.
            Quantity::Message { message, rules, of: OfMessage::Octets }
                if unpadded::octets(message, rules).is_none() =>
            {
                self.record(message, rules, Direction::Encode, Kind::Toed).octets = Some(value as usize);
            }
            Quantity::Message { message, rules, of: OfMessage::Operation(direction, kind, of) } => {
                let record = self.record(message, rules, *direction, *kind);
                let heap = |octets: f64| Some(Heap { peak: octets as i64, requested: 0, retained: 0, count: 0 });
                match of {
                    OfOperation::Heap => record.heap = heap(value),
                    OfOperation::Stack => record.stack = Some(value as usize),
                    OfOperation::Memory => (record.heap, record.stack) = (heap(0.0), Some(value as usize)),
                    OfOperation::Time => record.cpu_ns = summarise(&[value]),
                    OfOperation::Single(_) => {
                        let (empty_mean, empty_sd, runs, serialising) = (0.0, 0.0, 1, String::new());
                        let (mean, sd) = (value, value);
                        record.paper = Some(Paper { mean, sd, empty_mean, empty_sd, runs, serialising });
                    }
                }
            }
            Quantity::Certificate(figure) if figure.statistic != Statistic::Speed => {
                figure.plant(&mut self.certificates, value)
            }
            Quantity::SecuredData(figure) => figure.plant(&mut self.secured_data, value)?,
            _ => return None,
        }
        Some(())
    }

    fn record(&mut self, message: &str, rules: &str, direction: Direction, kind: Kind) -> &mut Record {
        let is_it = |one: &Record| {
            (one.message.as_str(), one.rules.as_str(), one.direction, one.kind) == (message, rules, direction, kind)
        };
        let at = self.records.iter().position(is_it).unwrap_or_else(|| {
            let record = Record { message: message.into(), rules: rules.into(), direction, ..sample::record(kind, 0) };
            self.records.push(Record { octets: None, ..record });
            self.records.len() - 1
        });
        &mut self.records[at]
    }

    /// Has each case be so, or not; `None` where a case is not about two quantities.
    fn plant_cases(&mut self, cases: &[Case], by: f64, so: bool) -> Option<()> {
        for case in cases {
            let far = 2.0 * by.max(1.0 / by);
            let (a, b) = match &case.test {
                Test::Less(a, b) => (a, b),
                Test::Within([low, value, high]) => match (&low.formula, &value.formula, &high.formula) {
                    (Formula::Number(low), Formula::Quantity(value), Formula::Number(high)) => {
                        self.plant(value, if so { (low + high) / 2.0 } else { high * 2.0 + 1.0 })?;
                        continue;
                    }
                    _ => return None,
                },
                Test::Equal(a, b) => match (&a.formula, &b.formula) {
                    (Formula::Quantity(a), Formula::Number(b)) => {
                        self.plant(a, if so { *b } else { b + 1.0 })?;
                        continue;
                    }
                    _ => return None,
                },
                Test::Alike(..) => return None,
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

/// What a claim comes to where its cases are so, or not.
fn outcome(claim: &Claim, so: bool) -> Option<Outcome> {
    let mut planted = Planted::new();
    let alone = Claims { claims: vec![claim.clone()], ..Claims::default() };
    planted.plant_cases(&claim.cases, claim.by, so)?;
    let measured = Measured {
        records: &planted.records,
        certificates: Some(&planted.certificates),
        secured_data: Some(&planted.secured_data),
        others: &[],
    };
    Some(judged(&alone, &[], measured).remove(0).by_run.outcome)
}

#[test]
fn records_turn_the_verdicts_of_at_least_ten_claims_of_each_study() {
    for study in study::all().unwrap().iter().filter(|study| !study.claims.claims.is_empty()) {
        let mut turned = Vec::new();
        for claim in study.claims.claims.iter().filter(|claim| claim.not_comparable.is_empty()) {
            let Some((so, not)) = outcome(claim, true).zip(outcome(claim, false)) else {
                continue;
            };
            // What is said of few cases only does not hold where it is so in all of them.
            let (holds, fails) = match claim.share {
                Some([_, most]) if most < 1.0 => (not, so),
                _ => (so, not),
            };
            // What compares nothing that a record holds has no cases, and of a claim in which one quantity is less here and more there, not all cases can be so.
            if holds == Outcome::Holds {
                assert_eq!(fails, Outcome::DoesNotHold, "{}: {}", study.name, claim.id);
                turned.push(&claim.id);
            }
        }
        assert!(turned.len() >= 10, "{}: {turned:?}", study.name);
    }
}
