//! The study of documents: JSON documents of others, with their ASN.1 schemas, in every encoding.
//!
//! The documents, schemas and values are others' texts, and no part of the project: they are read
//! from a folder, if there is one. Without it the lengths are those on file.

mod figure;
mod material;
mod measured;
mod tables;

pub use measured::{Compiler, Documents, Length, Origin};

use std::sync::Arc;

use crate::experiment::{Asked, Experiment, Figure, Findings, Printed};
use crate::progress::Progress;
use crate::record::Run;
use crate::report::data::DataFile;
use crate::report::table::Table;
use figure::DocumentFigure;
use roadwire_measure::plot::Plot;

/// The experiment's name.
const NAME: &str = "documents";

/// JSON documents in every encoding.
pub struct Encoded;

impl Experiment for Encoded {
    fn name(&self) -> &'static str {
        NAME
    }

    fn prefix(&self) -> &'static str {
        "document"
    }

    fn figure(&self, parts: &[&str]) -> Option<Arc<dyn Figure>> {
        DocumentFigure::parse(parts).map(|figure| Arc::new(figure) as Arc<dyn Figure>)
    }

    fn run(&self, run: &Run, asked: &Asked<'_>, progress: &dyn Progress) -> Result<Box<dyn Findings>, String> {
        Ok(Box::new(measured::run(run, asked, progress)?))
    }

    fn read(&self, json: &str) -> Result<Box<dyn Findings>, serde_json::Error> {
        Ok(Box::new(serde_json::from_str::<Documents>(json)?))
    }

    #[cfg(test)]
    fn made_up(&self) -> Box<dyn Findings> {
        Box::new(Documents::of(&Run::sample(), Origin::Folder(String::new())))
    }
}

impl Findings for Documents {
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
        vec![self.sums()]
    }

    fn pictures(&self, _: Printed<'_>) -> Vec<(String, Plot)> {
        Vec::new()
    }

    fn files(&self) -> Vec<DataFile> {
        vec![DataFile::new("documents-lengths", self.data())]
    }

    fn recorded(&self) -> Result<String, serde_json::Error> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }
}
