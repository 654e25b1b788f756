//! The page of results (`docs/results.md`): a few tables of one run. The page and its data are both
//! stored, so that a test can compare them.

use serde::{Deserialize, Serialize};

use super::table::Table;
use super::{Report, published};
use crate::number::{or_dash, significant};
use crate::record::{Record, Run};
use crate::verdict::Outcome;
use roadwire_measure::cell::Direction;
use roadwire_peers::Kind;
use roadwire_peers::PEER;

mod stale;

/// The data of the page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Results {
    /// The run that times are of.
    pub run: Run,
    /// The later run that octets, instructions and verdicts are of; `None` if they are of the same
    /// run.
    #[serde(default)]
    pub octets: Option<Run>,
    /// The tables.
    pub tables: Vec<Table>,
}

impl Results {
    /// The data of a run; `None` if nothing was measured.
    #[must_use]
    pub fn of(report: &Report<'_>) -> Option<Results> {
        let records = report.measured.records;
        let mut tables = vec![
            message("A CAM, mandatory fields, in every encoding", "cam-mandatory", records),
            message(
                "The security envelope of a CAM, with certificate (2015)",
                "envelope-cam-certificate-2015",
                records,
            ),
            verdicts(report),
        ];
        tables.retain(|table| !table.rows.is_empty());
        for judged in &report.studies {
            let lengths = published::tables(judged, records).into_iter().filter(|beside| beside.has_lengths());
            tables.extend(lengths.map(|beside| {
                let title = format!("{}, {}", judged.study.name, beside.table.title);
                Table { title, ..beside.table }
            }));
        }
        tables.extend(report.measured.findings.iter().flat_map(|found| found.headline()));
        Some(Results { run: report.measured.run()?.clone(), octets: None, tables })
    }

    /// These octets, instructions and verdicts with the times of another page, for a run on a
    /// machine that is busy.
    #[must_use]
    pub fn with_times_of(self, other: &Results) -> Results {
        let with_times = |mut table: Table| {
            let Some(old) = other.tables.iter().find(|old| old.title == table.title) else { return table };
            if !table.has_octets() {
                return old.clone();
            }
            for (at, _) in table.heading.iter().enumerate().filter(|(_, name)| name.ends_with(" ns")) {
                for row in &mut table.rows {
                    let same = old.rows.iter().find(|old| old[0] == row[0]);
                    row[at] = same.and_then(|old| old.get(at)).cloned().unwrap_or_else(|| or_dash::<u64>(None));
                }
            }
            table
        };
        let tables = self.tables.into_iter().map(with_times).collect();
        Results { run: other.run.clone(), octets: Some(self.run), tables }
    }

    /// The page.
    #[must_use]
    pub fn markdown(&self) -> String {
        let of = |run: &Run| {
            let quick = if run.quick { ", quick" } else { "" };
            format!("roadwire {}, {}, method {}{quick}", run.roadwire, run.started, run.method.name())
        };
        let mut text = String::from("# What the studies say\n\n");
        text += "This page and the figures in the README are written by `cargo run --release -p roadwire-lab --example results -- REPORT`, from the report of a run.\n";
        text += &match &self.octets {
            None => format!("{}.\n\n> {}\n\n", of(&self.run), self.run.machine.line()),
            Some(octets) => format!(
                "Octets (lengths, heap and stack), instructions and verdicts are of one run: {}.\n\n> {}\n\nTimes are of an earlier run, on a machine that was quiet: {}.\n\n> {}\n\n",
                of(octets),
                octets.machine.line(),
                of(&self.run),
                self.run.machine.line()
            ),
        };
        text += "Lengths are the encoding's and hold everywhere. Times are this machine's: run it on yours, and compare ratios.\n";
        text += "Intervals, memory, all of the papers' tables and the reasons are in the report. [METHODOLOGY.md](../METHODOLOGY.md)\n";
        text += "says how it is measured, [BIAS.md](../BIAS.md) what speaks against us.\n\n";
        self.tables.iter().for_each(|table| text += &table.markdown());
        text.trim_end().to_owned() + "\n"
    }
}

/// The lines around the summary in the README.
const MARKS: [&str; 2] = ["<!-- results -->\n", "<!-- end of results -->\n"];

impl Table {
    /// Whether it is a table of octets or verdicts, and not of times alone.
    fn has_octets(&self) -> bool {
        self.heading.iter().any(|name| [">octets", ">published", ">figures"].contains(&name.as_str()))
    }
}

impl Results {
    /// The summary for the README: lengths in all encodings, and times in the first one.
    #[must_use]
    pub fn summary(&self) -> String {
        let Some(cam) = self.tables.first() else { return String::new() };
        let lengths: Vec<String> = cam.rows.iter().map(|row| format!("{} {}", row[0], row[1])).collect();
        let mut text = format!("Octets of a CAM's mandatory fields: {}.\n", lengths.join(", "));
        if let Some(row) = cam.rows.first() {
            let [rules, encode, decode, others] = [0, 2, 3, 5].map(|at| &row[at]);
            text += &format!(
                "Nanoseconds for one in {rules}, encode / decode: generated code {encode} / {decode}, {others}.\n"
            );
        }
        text + "[docs/results.md](docs/results.md) has the tables, and the machine.\n"
    }

    /// The README with this summary in place of the old one.
    #[must_use]
    pub fn in_readme(&self, readme: &str) -> Option<String> {
        let (before, rest) = readme.split_once(MARKS[0])?;
        let (_, after) = rest.split_once(MARKS[1])?;
        Some([before, MARKS[0], &self.summary(), MARKS[1], after].concat())
    }
}

/// A message under each encoding, by the time-optimised codec and by all others.
fn message(title: &str, id: &str, records: &[Record]) -> Table {
    let heading = ["encoding", ">octets", ">encode ns", ">decode ns", ">instructions", "others, encode / decode ns"];
    let mut table = Table::new(title, &heading);
    let of = |kind: Option<Kind>| {
        let is_it = move |one: &&Record| one.message == id && !one.repeat && one.absent.is_none();
        records.iter().filter(is_it).filter(move |one| kind.is_none_or(|kind| one.kind == kind))
    };
    for own in of(Some(Kind::Toed)).filter(|one| one.direction == Direction::Encode) {
        let both = |engine: &str| {
            Direction::ALL.map(|direction| {
                of(None).find(|one| one.engine == engine && one.rules == own.rules && one.direction == direction)
            })
        };
        let times = |engine: &str| {
            both(engine)
                .map(|one| or_dash(one.and_then(|one| one.cpu_ns.as_ref()).map(|time| significant(time.median, 3))))
        };
        let [encode, decode] = times(&own.engine);
        let instructions = both(&own.engine).map(|one| or_dash(one.and_then(|one| one.instructions)));
        let others =
            of(None).filter(|one| one.rules == own.rules && one.direction == own.direction && one.engine != own.engine);
        let others: Vec<String> =
            others.map(|one| format!("{} {}", one.engine, times(&one.engine).join(" / "))).collect();
        let row =
            [own.rules.to_string(), or_dash(own.octets), encode, decode, instructions.join(" / "), others.join(", ")];
        table.row(row);
    }
    table.notes.extend((!table.rows.is_empty()).then(|| {
        format!("`by hand` is written for one message, for this comparison; `{PEER}` is the peer with the most cells.")
    }));
    table
}

/// How many figures of each study have which verdict.
fn verdicts(report: &Report<'_>) -> Table {
    let mut heading = vec!["study".to_owned(), ">figures".to_owned()];
    heading.extend(Outcome::ALL.map(|outcome| format!(">{}", outcome.name())));
    let mut table =
        Table { title: "Published figures: results, each counted once".into(), heading, ..Table::default() };
    for judged in report.studies.iter().filter(|judged| !judged.study.published.is_empty()) {
        let once: Vec<_> = judged.figures().filter(|(figure, _)| figure.is_counted()).collect();
        let mut row = vec![judged.study.name.clone(), once.len().to_string()];
        row.extend(
            Outcome::ALL.map(|outcome| once.iter().filter(|(_, one)| one.outcome == outcome).count().to_string()),
        );
        table.rows.push(row);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fails if the page or its data are changed by hand.
    #[test]
    fn the_page_is_what_was_stored() {
        let stored: Results = serde_json::from_str(include_str!("../../../../docs/results.json")).unwrap();
        assert_eq!(stored.markdown(), include_str!("../../../../docs/results.md"));
        let readme = include_str!("../../../../README.md");
        assert_eq!(stored.in_readme(readme).as_deref(), Some(readme));
    }

    #[test]
    fn octets_are_of_the_new_run_and_times_of_the_old_one() {
        let table = |octets: &str, ns: &str| Table {
            rows: vec![vec!["uper".into(), octets.into(), ns.into()]],
            ..Table::new("t", &["encoding", ">octets", ">encode ns"])
        };
        let times = |ns: &str| Table { rows: vec![vec![ns.into()]], ..Table::new("batches", &[">encode ns"]) };
        let results = |at: &str, tables: [Table; 2]| Results {
            run: Run { started: at.into(), ..Run::sample() },
            octets: None,
            tables: tables.into(),
        };
        let new = results("new", [table("42", "9"), times("9")]);
        let both = new.with_times_of(&results("old", [table("41", "8"), times("8")]));
        assert_eq!(both.tables, [table("42", "8"), times("8")]);
        assert_eq!((both.run.started.as_str(), both.octets.unwrap().started.as_str()), ("old", "new"));
    }
}
