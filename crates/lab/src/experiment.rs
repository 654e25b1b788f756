//! Experiments: what a study measures in its own way, and the findings.
//!
//! An [`Experiment`] is listed in [`crate::studies`], and is run if a study's `study.toml` names
//! it. It knows no study: it gets a [`Request`] of each. The rest of the laboratory sees its
//! results only through [`Findings`], and the quantities of the study's figures and claims only
//! through [`Figure`].

use std::any::Any;
use std::ffi::OsString;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

use crate::owner::Owner;
use crate::processors::Cell;
use crate::progress::Progress;
use crate::record::{Record, Run};
use crate::report::data::DataFile;
use crate::report::table::Table;
use crate::studies::certificates::Station;
use roadwire_layout::Rules;
use roadwire_measure::plot::Plot;
use roadwire_peers::Engine;

/// A way to measure.
pub trait Experiment: Sync {
    /// Its name in `study.toml`, and that of the file with its findings: `certificates`.
    fn name(&self) -> &'static str;

    /// The prefix of its quantities' names: `certificate` in `certificate:uper:octets:mean`.
    fn prefix(&self) -> &'static str;

    /// A quantity, from the parts of its name after the prefix; `None` if the name is unknown.
    fn figure(&self, parts: &[&str]) -> Option<Arc<dyn Figure>>;

    /// Measures.
    ///
    /// # Errors
    /// Why it cannot be done. A failure at a gate is not an error, but one of
    /// [`Findings::failures`].
    fn run(&self, run: &Run, asked: &Asked<'_>, progress: &dyn Progress) -> Result<Box<dyn Findings>, String>;

    /// Does work that [`Experiment::run`] gives to a process of its own, and returns the result as
    /// JSON.
    ///
    /// # Errors
    /// It has no such work, or cannot do it.
    fn in_process(&self, _work: serde_json::Value) -> Result<String, String> {
        Err(format!("{} has no work for a process of its own", self.name()))
    }

    /// The file with its findings in a report's folder.
    fn file(&self) -> String {
        format!("{}.json", self.name())
    }

    /// Reads the findings of an earlier run, as written by [`Findings::recorded`].
    ///
    /// # Errors
    /// The text has another format.
    fn read(&self, recorded: &str) -> Result<Box<dyn Findings>, serde_json::Error>;

    /// Empty findings, for tests that fill them.
    #[cfg(test)]
    fn made_up(&self) -> Box<dyn Findings>;
}

/// The options of a run.
pub struct Asked<'a> {
    /// The requests of the studies of this run, at least one.
    pub requests: &'a [Request<'a>],
    /// The implementations under test.
    pub engines: &'a [Box<dyn Engine>],
    /// Program and arguments that reach [`crate::probe::run`], for counting instructions; empty
    /// leaves them out.
    pub probe: &'a [OsString],
    /// The largest size, for an experiment with several; `None` leaves it to the study.
    pub largest: Option<u64>,
    /// The part of this program, if the certificate study's certificates are exchanged with another
    /// one.
    pub station: Option<&'a Station>,
    /// The text of a file of distributions (`docs/distributions.md`), by which the certificate
    /// study draws certificates of its own.
    pub distribution: Option<&'a str>,
    /// The folder with material of others; `None` leaves it to the study.
    pub material: Option<&'a Path>,
}

/// The request of one study to an experiment.
pub struct Request<'a> {
    /// The study's name.
    pub study: &'a str,
    /// Names of the messages that are run, fewer in a quick run.
    pub messages: &'a [String],
    /// The encoding rules that are run.
    pub rules: &'a [Rules],
    /// Cells as `MESSAGE:RULES` whose octets no other implementation need confirm.
    pub alone: &'a [String],
    /// Messages whose lengths the paper prints, with the rules.
    pub lengths: Vec<(&'a str, Rules)>,
    /// The experiment's own quantities that the study's claims name.
    pub claimed: Vec<&'a dyn Figure>,
    /// The study's options for this experiment.
    pub settings: &'a toml::Table,
}

/// Looks up the figure that a study prints: table, row and column.
pub type Printed<'p> = &'p dyn Fn([&str; 3]) -> Option<f64>;

/// The findings of an experiment.
pub trait Findings: Any + fmt::Debug + Send + Sync {
    /// The experiment's name.
    fn experiment(&self) -> &'static str;

    /// The run; `None` if nothing was measured.
    fn run(&self) -> Option<&Run>;

    /// Its records of messages under encoding rules, if it has any.
    fn records(&self) -> &[Record] {
        &[]
    }

    /// The median times of each of its cells that was timed in several processes, one of each
    /// process.
    fn processes(&self) -> Vec<&[f64]> {
        Vec::new()
    }

    /// Failures at the gate, and work that did not do what it should have.
    fn failures(&self) -> Vec<String>;

    /// Counts of instructions, stack and code on emulated processors.
    fn cells(&self) -> Vec<Cell> {
        Vec::new()
    }

    /// Takes what was counted on an emulated processor; `false` if it has no such message, or has
    /// this count already.
    ///
    /// # Errors
    /// The cell has another length here.
    fn take(&mut self, _cell: &Cell) -> Result<bool, String> {
        Ok(false)
    }

    /// Tables for the report.
    fn tables(&self) -> Vec<Table>;

    /// The tables for the page of results.
    fn headline(&self) -> Vec<Table> {
        Vec::new()
    }

    /// Pictures for the report of a study that printed these figures: names of files, and plots.
    fn pictures(&self, printed: Printed<'_>) -> Vec<(String, Plot)>;

    /// Data for other programs: names of files, and tables with [`DataFile`]'s columns.
    fn files(&self) -> Vec<DataFile>;

    /// All of it, as [`Experiment::read`] reads it.
    ///
    /// # Errors
    /// A number has no JSON.
    fn recorded(&self) -> Result<String, serde_json::Error>;

    /// The same among the JSON lines of a whole report.
    ///
    /// # Errors
    /// A number has no JSON.
    fn json_lines(&self) -> Result<String, serde_json::Error> {
        let found: serde_json::Value = serde_json::from_str(&self.recorded()?)?;
        Ok(format!("{}\n", serde_json::json!({ self.experiment(): found })))
    }
}

impl dyn Findings {
    /// The findings as their own type, for code of the same experiment.
    #[must_use]
    pub fn of<T: Findings>(&self) -> Option<&T> {
        (self as &dyn Any).downcast_ref()
    }

    /// The same, to be changed.
    #[cfg(test)]
    pub(crate) fn of_mut<T: Findings>(&mut self) -> Option<&mut T> {
        (self as &mut dyn Any).downcast_mut()
    }
}

/// A quantity of an experiment.
pub trait Figure: Any + fmt::Debug + Send + Sync {
    /// The experiment's name.
    fn experiment(&self) -> &'static str;

    /// Whose property it is.
    fn owner(&self) -> Owner;

    /// Whether `other` is the same quantity.
    fn is(&self, other: &dyn Figure) -> bool;

    /// Its value in the findings.
    ///
    /// # Errors
    /// Why there is none.
    fn value(&self, findings: &dyn Findings) -> Result<f64, String>;

    /// How far two samples of the same distribution may be apart; 0 if nothing is sampled.
    fn difference(&self, _: &dyn Findings) -> f64 {
        0.0
    }

    /// How many digits of ours are significant.
    fn digits(&self) -> Option<i32> {
        None
    }

    /// The quantity that the paper prints in its place, if it is another one.
    fn as_printed(&self) -> Option<Arc<dyn Figure>> {
        None
    }

    /// The quantity by single calls, if its own value is by batches: both are judged.
    fn by_single_calls(&self) -> Option<Arc<dyn Figure>> {
        None
    }

    /// The step of the clock in the value, in its unit: values that are a step apart are a tie. 0
    /// if the value has no steps.
    fn clock_step(&self, _: &dyn Findings) -> f64 {
        0.0
    }

    /// The message, for an experiment with its own messages.
    fn message(&self) -> Option<&str> {
        None
    }

    /// The encoding rules, if it is of one encoding.
    fn rules(&self) -> Option<Rules> {
        None
    }

    /// The same quantity of another implementation, by its name in records; `None` if it is not
    /// measured for others.
    fn by(&self, _implementation: &str) -> Option<Arc<dyn Figure>> {
        None
    }

    /// Stores a value in findings; `None` if that takes more than one number.
    #[cfg(test)]
    fn plant(&self, findings: &mut dyn Findings, value: f64) -> Option<()>;
}

impl dyn Figure {
    /// The quantity as its own type, for code of the same experiment.
    #[must_use]
    pub fn of<T: Figure>(&self) -> Option<&T> {
        (self as &dyn Any).downcast_ref()
    }
}

/// A [`Figure`] that can be compared and copied.
#[derive(Clone, Debug)]
pub struct FigureOf(pub Arc<dyn Figure>);

impl PartialEq for FigureOf {
    fn eq(&self, other: &Self) -> bool {
        self.0.is(&*other.0)
    }
}

impl Eq for FigureOf {}
