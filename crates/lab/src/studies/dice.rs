//! An experiment in a single file, for tests and as a template (`run.rs` has the test): a die is
//! thrown, and a made-up paper says how often it shows a six.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::experiment::{Asked, Experiment, Figure, Findings, Printed};
use crate::owner::Owner;
use crate::progress::Progress;
use crate::record::Run;
use crate::report::data::DataFile;
use crate::report::table::Table;
use roadwire_measure::plot::Plot;
use roadwire_measure::random::Random;

/// Throws a die.
pub(crate) struct Dice;

/// How often it was thrown, and showed a six.
#[derive(Debug, Serialize, Deserialize)]
struct Thrown {
    run: Run,
    throws: u64,
    sixes: u64,
}

/// `dice:sixes`, or `dice:throws`.
#[derive(Debug, PartialEq)]
enum Count {
    Sixes,
    Throws,
}

impl Experiment for Dice {
    fn name(&self) -> &'static str {
        "dice"
    }

    fn prefix(&self) -> &'static str {
        "dice"
    }

    fn figure(&self, parts: &[&str]) -> Option<Arc<dyn Figure>> {
        match parts {
            ["sixes"] => Some(Arc::new(Count::Sixes)),
            ["throws"] => Some(Arc::new(Count::Throws)),
            _ => None,
        }
    }

    fn run(&self, run: &Run, asked: &Asked<'_>, _: &dyn Progress) -> Result<Box<dyn Findings>, String> {
        let throws = asked.largest.unwrap_or(600);
        let mut random = Random::new(run.seed);
        let sixes = (0..throws).filter(|_| random.next() % 6 == 5).count() as u64;
        Ok(Box::new(Thrown { run: run.clone(), throws, sixes }))
    }

    fn read(&self, json: &str) -> Result<Box<dyn Findings>, serde_json::Error> {
        Ok(Box::new(serde_json::from_str::<Thrown>(json)?))
    }

    fn made_up(&self) -> Box<dyn Findings> {
        Box::new(Thrown { run: Run::sample(), throws: 0, sixes: 0 })
    }
}

impl Findings for Thrown {
    fn experiment(&self) -> &'static str {
        "dice"
    }

    fn run(&self) -> Option<&Run> {
        Some(&self.run)
    }

    fn failures(&self) -> Vec<String> {
        Vec::new()
    }

    fn tables(&self) -> Vec<Table> {
        let mut table = Table::new("Throws of a die", &[">throws", ">sixes"]);
        table.row([self.throws.to_string(), self.sixes.to_string()]);
        vec![table]
    }

    fn pictures(&self, _: Printed<'_>) -> Vec<(String, Plot)> {
        Vec::new()
    }

    fn files(&self) -> Vec<DataFile> {
        Vec::new()
    }

    fn recorded(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string(self)
    }
}

impl Figure for Count {
    fn experiment(&self) -> &'static str {
        "dice"
    }

    fn owner(&self) -> Owner {
        Owner::Encoding
    }

    fn is(&self, other: &dyn Figure) -> bool {
        other.of() == Some(self)
    }

    fn value(&self, findings: &dyn Findings) -> Result<f64, String> {
        let thrown: &Thrown = findings.of().ok_or("no die was thrown")?;
        Ok(match self {
            Count::Sixes => thrown.sixes,
            Count::Throws => thrown.throws,
        } as f64)
    }

    fn plant(&self, findings: &mut dyn Findings, value: f64) -> Option<()> {
        let thrown: &mut Thrown = findings.of_mut()?;
        match self {
            Count::Sixes => thrown.sixes = value as u64,
            Count::Throws => thrown.throws = value as u64,
        }
        Some(())
    }
}
