//! The study of IEEE 1609.2: 64 messages in four encodings.

pub mod asn1;
pub mod binary;
mod by_hand;
pub mod cells;
pub mod description;
pub mod encoding;
pub mod encrypted;
mod figure;
mod figures;
pub mod fit;
mod instructions;
pub mod material;
pub mod measured;
mod on_file;
mod pass_tables;
pub mod passes;
pub mod secured;
mod signing;
pub mod spans;
mod tables;
pub mod verifying;

pub use figure::SecuredDataFigure;
pub use instructions::Counted;
pub use measured::{Ieee1609, Row};

use std::sync::Arc;

use crate::experiment::{Asked, Experiment, Figure, Findings, Printed};
use crate::processors::Cell;
use crate::progress::Progress;
use crate::record::Run;
use crate::report::data::DataFile;
use crate::report::table::Table;
use description::Description;
use encoding::{Encoding, Parts};
use roadwire_measure::plot::Plot;

/// The experiment's name.
const NAME: &str = "ieee1609";

/// The messages of IEEE 1609.2, in the encodings that the paper compares.
pub struct SecuredData;

impl Experiment for SecuredData {
    fn name(&self) -> &'static str {
        NAME
    }

    fn prefix(&self) -> &'static str {
        "dot2"
    }

    fn figure(&self, parts: &[&str]) -> Option<Arc<dyn Figure>> {
        SecuredDataFigure::parse(parts).map(|figure| Arc::new(figure) as Arc<dyn Figure>)
    }

    fn run(&self, run: &Run, asked: &Asked<'_>, progress: &dyn Progress) -> Result<Box<dyn Findings>, String> {
        Ok(Box::new(measured::run(run, asked, progress)?))
    }

    fn in_process(&self, work: serde_json::Value) -> Result<String, String> {
        let times = serde_json::from_value(work).map_err(|error| error.to_string())?;
        serde_json::to_string(&measured::in_process(&times)?).map_err(|error| error.to_string())
    }

    fn read(&self, json: &str) -> Result<Box<dyn Findings>, serde_json::Error> {
        Ok(Box::new(serde_json::from_str::<Ieee1609>(json)?))
    }

    #[cfg(test)]
    fn made_up(&self) -> Box<dyn Findings> {
        Box::new(Ieee1609::of(Run::sample()))
    }
}

impl Findings for Ieee1609 {
    fn experiment(&self) -> &'static str {
        NAME
    }

    fn run(&self) -> Option<&Run> {
        Some(&self.run)
    }

    fn processes(&self) -> Vec<&[f64]> {
        let here = self.rows.iter().filter(|row| row.recorded.is_none());
        here.flat_map(|row| &row.processes).map(Vec::as_slice).collect()
    }

    fn failures(&self) -> Vec<String> {
        self.failures.clone()
    }

    fn tables(&self) -> Vec<Table> {
        self.all_tables()
    }

    fn headline(&self) -> Vec<Table> {
        vec![self.against()]
    }

    fn pictures(&self, printed: Printed<'_>) -> Vec<(String, Plot)> {
        self.all_pictures(printed)
    }

    fn files(&self) -> Vec<DataFile> {
        let mut files =
            vec![DataFile::new("ieee1609-records", self.all()), DataFile::new("ieee1609-passes", self.all_passes())];
        files.extend((!self.counted.is_empty()).then(|| DataFile::new("ieee1609-processors", self.all_counted())));
        files
    }

    fn cells(&self) -> Vec<Cell> {
        self.counted_cells()
    }

    fn take(&mut self, cell: &Cell) -> Result<bool, String> {
        self.take_counted(cell)
    }

    fn recorded(&self) -> Result<String, serde_json::Error> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }
}

/// A message as the JER value of an encoding's schema, signed; `None` if there is no such message.
///
/// # Errors
/// Does not happen: tests cover it.
pub fn message(parts: &Parts, of: &Description) -> Result<Option<serde_json::Value>, String> {
    match (of.length(parts.encoding), parts.encoding) {
        (None, _) => Ok(None),
        (_, Encoding::Binary) => binary::message(parts, of).map(Some),
        _ => asn1::message(parts, of).map(Some),
    }
}
