//! The study of today's messages: CAM, DENM, CPM and VAM of release 2 in every encoding, with and
//! without their envelope.

mod figure;
mod measured;
mod pictures;
mod tables;

pub use measured::{Length, Row, Today, Told, messages};

use std::sync::Arc;

use crate::experiment::{Asked, Experiment, Figure, Findings, Printed};
use crate::progress::Progress;
use crate::record::Run;
use crate::report::data::DataFile;
use crate::report::table::Table;
use figure::TodayFigure;
use roadwire_measure::plot::Plot;

/// The experiment's name.
const NAME: &str = "today";

/// Messages of release 2.
pub struct Release2;

impl Experiment for Release2 {
    fn name(&self) -> &'static str {
        NAME
    }

    fn prefix(&self) -> &'static str {
        "today"
    }

    fn figure(&self, parts: &[&str]) -> Option<Arc<dyn Figure>> {
        TodayFigure::parse(parts).map(|figure| Arc::new(figure) as Arc<dyn Figure>)
    }

    fn run(&self, run: &Run, asked: &Asked<'_>, progress: &dyn Progress) -> Result<Box<dyn Findings>, String> {
        Ok(Box::new(measured::run(run, asked.requests, progress)?))
    }

    fn read(&self, json: &str) -> Result<Box<dyn Findings>, serde_json::Error> {
        Ok(Box::new(serde_json::from_str::<Today>(json)?))
    }

    #[cfg(test)]
    fn made_up(&self) -> Box<dyn Findings> {
        Box::new(Today { run: Run::sample(), lengths: Vec::new(), rows: Vec::new(), failures: Vec::new() })
    }
}

impl Findings for Today {
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
        vec![DataFile::new("today-lengths", self.data_lengths()), DataFile::new("today-times", self.data_times())]
    }

    fn recorded(&self) -> Result<String, serde_json::Error> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }
}
