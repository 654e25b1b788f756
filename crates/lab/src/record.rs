//! Records: one JSON line for each cell and direction. Tables are made only from these.

use roadwire_layout::Rules;
use serde::{Deserialize, Serialize};

use roadwire_measure::cell::Direction;
use roadwire_measure::heap::Heap;
use roadwire_measure::machine::Machine;
use roadwire_measure::paper::Paper;
use roadwire_measure::stats::{Interval, Summary};
use roadwire_peers::{Kind, TimedRegion};

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

/// The facts that all records of one run share.
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
    /// The machine that it ran on.
    pub machine: Machine,
}

impl Run {
    /// One line for human readers.
    #[must_use]
    pub fn line(&self) -> String {
        let Run { started, roadwire, seed, method, quick, machine: _ } = self;
        let quick = if *quick { ", quick" } else { "" };
        format!("roadwire {roadwire}, {started}, method {}{quick}, seed {seed}.", method.name())
    }
}

#[cfg(test)]
impl Run {
    /// A made-up run on this machine, for tests.
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

/// The ratio of CPU time to another engine's, for the same message, rules and direction in the same
/// rounds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ratio {
    /// The other engine's name.
    pub to: String,
    /// The ratio.
    #[serde(flatten)]
    pub interval: Interval,
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
    /// Its kind.
    pub kind: Kind,
    /// The work that its timed region contains.
    pub timed_region: TimedRegion,
    /// The message's name.
    pub message: String,
    /// The module version.
    pub schema: String,
    /// The encoding rules.
    #[serde(with = "crate::rules")]
    pub rules: Rules,
    /// Encoding or decoding.
    pub direction: Direction,
    /// The second half of an A/A pair: the same cell timed again as if it were another.
    #[serde(default)]
    pub repeat: bool,
    /// Why nothing was measured, if nothing was.
    pub absent: Option<String>,
    /// Who confirms the octets.
    pub confirmed_by: Vec<String>,
    /// Encoded length.
    pub octets: Option<usize>,
    /// The length after gzip at level 9.
    #[serde(default)]
    pub gzip: Option<usize>,
    /// CPU time of one operation, nanoseconds.
    pub cpu_ns: Option<Summary>,
    /// The medians of CPU time of each process of the run, nanoseconds.
    #[serde(default)]
    pub processes: Vec<f64>,
    /// Wall time of one operation, nanoseconds.
    pub wall_ns: Option<Summary>,
    /// Operations in one sample.
    pub batch: Option<u64>,
    /// The smallest step of the samples' clock, nanoseconds.
    #[serde(default)]
    pub clock_step: Option<f64>,
    /// Ratios of CPU time to others: that by hand, and [`PEER`](roadwire_peers::PEER). Records of
    /// earlier versions have `to_floor` and `to_rasn` instead, and are not read.
    pub ratios: Vec<Ratio>,
    /// For the second half of an A/A pair: against its first half.
    pub to_itself: Option<Interval>,
    /// The papers' recipe, if requested.
    pub paper: Option<Paper>,
    /// Heap of one operation.
    pub heap: Option<Heap>,
    /// Stack of one operation below its caller, octets. The place for a decoded message belongs to
    /// the caller.
    pub stack: Option<usize>,
    /// Octets of the in-memory message itself.
    pub message_size: Option<usize>,
    /// Instructions of one operation.
    pub instructions: Option<u64>,
    /// The code that it needs, octets: instructions, constants and variables, with the parts of
    /// libraries that it reaches, but for the standard library, the allocator and the C library.
    #[serde(default)]
    pub code: Option<usize>,
    /// The figures of this cell that could not be measured, and why.
    pub missing: Vec<String>,
}

impl Record {
    /// Whether another one is of the same message, under the same rules and in the same direction.
    pub(crate) fn is_of_same(&self, other: &Record) -> bool {
        (&self.message, self.rules, self.direction) == (&other.message, other.rules, other.direction)
    }

    /// A record of which nothing has been measured yet.
    pub(crate) fn unmeasured(
        run: Run,
        kind: Kind,
        timed_region: TimedRegion,
        rules: Rules,
        direction: Direction,
    ) -> Record {
        Record {
            run,
            engine: String::new(),
            version: String::new(),
            kind,
            timed_region,
            message: String::new(),
            schema: String::new(),
            rules,
            direction,
            repeat: false,
            absent: None,
            confirmed_by: Vec::new(),
            octets: None,
            gzip: None,
            cpu_ns: None,
            processes: Vec::new(),
            wall_ns: None,
            batch: None,
            clock_step: None,
            ratios: Vec::new(),
            to_itself: None,
            paper: None,
            heap: None,
            stack: None,
            message_size: None,
            instructions: None,
            code: None,
            missing: Vec::new(),
        }
    }

    /// The ratio of CPU time to the engine with this name, if there is one.
    pub fn ratio_to(&self, engine: &str) -> Option<Interval> {
        self.ratios.iter().find(|ratio| ratio.to == engine).map(|ratio| ratio.interval)
    }
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

/// JSON lines back into records. Earlier versions called a codec by hand a floor.
pub fn from_lines(text: &str) -> Result<Vec<Record>, serde_json::Error> {
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines.map(|line| serde_json::from_str(&line.replace(r#""floor""#, r#""by hand""#))).collect()
}

/// A made-up record, for tests.
#[cfg(test)]
pub(crate) mod sample {
    use super::*;

    /// A record of a CAM in UPER, with only its length.
    pub(crate) fn record(kind: Kind, octets: usize) -> Record {
        let none = String::new;
        let region = TimedRegion { allocation: none(), presizing: none(), population: none(), validation: none() };
        let unmeasured = Record::unmeasured(Run::sample(), kind, region, Rules::Uper, Direction::Decode);
        Record { engine: "an engine".into(), message: "cam-mandatory".into(), octets: Some(octets), ..unmeasured }
    }
}

#[cfg(test)]
mod tests {
    use super::sample::record;
    use super::*;

    #[test]
    fn ratios_name_the_engine_that_they_are_to() {
        let interval = Interval { ratio: 2.5, low: 2.25, high: 2.75 };
        let ratios = vec![Ratio { to: "by hand".into(), interval }];
        let record = Record { ratios, ..record(Kind::Toed, 41) };
        assert_eq!((record.ratio_to("by hand"), record.ratio_to("rasn")), (Some(interval), None));
        let lines = to_lines(std::slice::from_ref(&record)).unwrap();
        assert!(lines.contains(r#""ratios":[{"to":"by hand","ratio":2.5,"low":2.25,"high":2.75}]"#), "{lines}");
        assert_eq!(from_lines(&lines).unwrap(), std::slice::from_ref(&record));
        assert_eq!(from_lines(&lines.replace("by hand", "floor")).unwrap(), [record]);
        // The format of an earlier version.
        let earlier = lines.replace("\"ratios\"", "\"to_floor\"");
        assert!(from_lines(&earlier).unwrap_err().to_string().contains("`ratios`"));
    }
}
