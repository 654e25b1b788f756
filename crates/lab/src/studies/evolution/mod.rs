//! The study of changes: what a new version of a message costs in each encoding, and who still
//! understands whom.

mod figure;
mod measured;
mod pictures;
mod steps;
mod tables;

pub use measured::{Changes, Cost, Evolution, Step};

use std::sync::Arc;

use crate::experiment::{Asked, Experiment, Figure, Findings, Printed};
use crate::progress::Progress;
use crate::record::Run;
use crate::report::data::DataFile;
use crate::report::table::Table;
use figure::EvolutionFigure;
use roadwire_measure::plot::Plot;

/// The experiment's name.
const NAME: &str = "evolution";

/// The steps from one version to the next.
pub struct Steps;

impl Experiment for Steps {
    fn name(&self) -> &'static str {
        NAME
    }

    fn prefix(&self) -> &'static str {
        "evolution"
    }

    fn figure(&self, parts: &[&str]) -> Option<Arc<dyn Figure>> {
        EvolutionFigure::parse(parts).map(|figure| Arc::new(figure) as Arc<dyn Figure>)
    }

    fn run(&self, run: &Run, _: &Asked<'_>, progress: &dyn Progress) -> Result<Box<dyn Findings>, String> {
        Ok(Box::new(measured::run(run, progress)?))
    }

    fn read(&self, json: &str) -> Result<Box<dyn Findings>, serde_json::Error> {
        Ok(Box::new(serde_json::from_str::<Evolution>(json)?))
    }

    #[cfg(test)]
    fn made_up(&self) -> Box<dyn Findings> {
        Box::new(Evolution { run: Run::sample(), steps: Vec::new(), failures: Vec::new() })
    }
}

impl Findings for Evolution {
    fn experiment(&self) -> &'static str {
        NAME
    }

    fn run(&self) -> Option<&Run> {
        Some(&self.run)
    }

    fn failures(&self) -> Vec<String> {
        self.failures.clone()
    }

    fn tables(&self) -> Vec<Table> {
        self.all_tables()
    }

    fn headline(&self) -> Vec<Table> {
        self.few_tables()
    }

    fn pictures(&self, _: Printed<'_>) -> Vec<(String, Plot)> {
        self.all_pictures()
    }

    fn files(&self) -> Vec<DataFile> {
        vec![DataFile::new("evolution-changes", self.data())]
    }

    fn recorded(&self) -> Result<String, serde_json::Error> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }
}
