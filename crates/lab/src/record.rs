//! Records: one JSON line for each cell and direction. Tables are made from these and nothing else.

use serde::{Deserialize, Serialize};

use crate::engine::{Direction, Kind, TimedRegion};
use crate::measure::heap::Heap;
use crate::measure::machine::Machine;
use crate::measure::paper::Paper;
use crate::measure::stats::{Interval, Summary};

/// How time was taken.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// Batches sized to the clock, interleaved.
    #[default]
    Batched,
    /// The papers' own recipe.
    Paper,
}

impl Method {
    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Method::Batched => "batched",
            Method::Paper => "paper",
        }
    }
}

/// What is the same for all records of one run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// When it began, UTC, as `2014-05-15T12:00:00Z`.
    pub started: String,
    /// Version of roadwire.
    pub roadwire: String,
    /// Seed of every random order and draw.
    pub seed: u64,
    /// How time was taken.
    pub method: Method,
    /// Whether the run was a short one.
    pub quick: bool,
    /// What it ran on.
    pub machine: Machine,
}

#[cfg(test)]
impl Run {
    /// A made-up one on this machine, for tests of what is said of runs.
    pub(crate) fn sample() -> Run {
        Run {
            started: String::new(),
            roadwire: String::new(),
            seed: 1,
            method: Method::Batched,
            quick: true,
            machine: Machine::here(),
        }
    }
}

/// One engine, message and direction.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The run.
    pub run: Run,
    /// The engine's name.
    pub engine: String,
    /// Its version.
    pub version: String,
    /// What sort it is.
    pub kind: Kind,
    /// What its timed region contains.
    pub timed_region: TimedRegion,
    /// The message's name.
    pub message: String,
    /// The module version.
    pub schema: String,
    /// The encoding rules.
    pub rules: String,
    /// Encoding or decoding.
    pub direction: Direction,
    /// The second half of an A/A pair: the same cell timed again as if it were another.
    #[serde(default)]
    pub repeat: bool,
    /// Why nothing was measured, where nothing was.
    pub absent: Option<String>,
    /// Who confirms the octets.
    pub confirmed_by: Vec<String>,
    /// Encoded length.
    pub octets: Option<usize>,
    /// CPU time of one operation, nanoseconds.
    pub cpu_ns: Option<Summary>,
    /// Wall time of one operation, nanoseconds.
    pub wall_ns: Option<Summary>,
    /// Operations in one sample.
    pub batch: Option<u64>,
    /// The smallest step of the clock that the samples are read from, nanoseconds.
    #[serde(default)]
    pub clock_step: Option<f64>,
    /// CPU time against the hand-written floor in the same rounds.
    pub to_floor: Option<Interval>,
    /// CPU time against rasn in the same rounds.
    pub to_rasn: Option<Interval>,
    /// For the second half of an A/A pair: against its first half.
    pub to_itself: Option<Interval>,
    /// The papers' recipe, where it was asked for.
    pub paper: Option<Paper>,
    /// Heap of one operation.
    pub heap: Option<Heap>,
    /// Stack of one operation below its caller, octets. The place for a decoded message is the caller's.
    pub stack: Option<usize>,
    /// Octets of the in-memory message itself.
    pub message_size: Option<usize>,
    /// Instructions of one operation.
    pub instructions: Option<u64>,
    /// What could not be measured about this cell, and why.
    pub missing: Vec<String>,
}

/// Records as JSON lines.
pub fn to_lines(records: &[Record]) -> Result<String, serde_json::Error> {
    let mut text = String::new();
    for record in records {
        text.push_str(&serde_json::to_string(record)?);
        text.push('\n');
    }
    Ok(text)
}

/// JSON lines back into records.
pub fn from_lines(text: &str) -> Result<Vec<Record>, serde_json::Error> {
    text.lines().filter(|line| !line.trim().is_empty()).map(serde_json::from_str).collect()
}
