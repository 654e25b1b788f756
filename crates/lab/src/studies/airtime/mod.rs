//! The study of the channel: what the octets of an encoding are as time on the air, how many
//! stations fit, and what reaches whom.

mod channel_tables;
mod contents;
mod figure;
mod measured;
mod pictures;
mod road;
mod road_tables;

pub use measured::{Airtime, Length};
pub use road::{Held, Saturated, Simulated};

use std::sync::Arc;

use crate::experiment::{Asked, Experiment, Figure, Findings, Printed};
use crate::progress::Progress;
use crate::record::Run;
use crate::report::data::DataFile;
use crate::report::table::Table;
use figure::AirtimeFigure;
use roadwire_measure::plot::Plot;

/// The experiment's name.
const NAME: &str = "airtime";

/// Messages on the channel.
pub struct Channel;

impl Experiment for Channel {
    fn name(&self) -> &'static str {
        NAME
    }

    fn prefix(&self) -> &'static str {
        "airtime"
    }

    fn figure(&self, parts: &[&str]) -> Option<Arc<dyn Figure>> {
        AirtimeFigure::parse(parts).map(|figure| Arc::new(figure) as Arc<dyn Figure>)
    }

    fn run(&self, run: &Run, _: &Asked<'_>, progress: &dyn Progress) -> Result<Box<dyn Findings>, String> {
        Ok(Box::new(measured::run(run, progress)?))
    }

    fn read(&self, json: &str) -> Result<Box<dyn Findings>, serde_json::Error> {
        Ok(Box::new(serde_json::from_str::<Airtime>(json)?))
    }

    #[cfg(test)]
    fn made_up(&self) -> Box<dyn Findings> {
        Box::new(Airtime::of(&Run::sample()))
    }
}

impl Findings for Airtime {
    fn experiment(&self) -> &'static str {
        NAME
    }

    fn run(&self) -> Option<&Run> {
        Some(&self.run)
    }

    fn failures(&self) -> Vec<String> {
        self.failures()
    }

    fn tables(&self) -> Vec<Table> {
        [self.channel_tables(), self.road_tables()].concat()
    }

    fn headline(&self) -> Vec<Table> {
        vec![self.cam(), self.reception()]
    }

    fn pictures(&self, _: Printed<'_>) -> Vec<(String, Plot)> {
        self.all_pictures()
    }

    fn files(&self) -> Vec<DataFile> {
        vec![DataFile::new("airtime-times", self.data()), DataFile::new("airtime-reception", self.data_reception())]
    }

    fn recorded(&self) -> Result<String, serde_json::Error> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }
}
