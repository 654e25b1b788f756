//! The measurements of a run: of this one, or of an earlier one, possibly on another machine, read
//! from its report's folder.

use std::fs;
use std::io::{self, Read as _};
use std::path::Path;

use flate2::read::GzDecoder;

use crate::experiment::{Experiment, Findings};
use crate::libraries;
use crate::messages::{Measurements, Messages};
use crate::processors::{self, Cell};
use crate::record::{self, Record, Run};
use crate::studies::EXPERIMENTS;

/// The measurements of a run.
#[derive(Clone, Copy, Default)]
pub struct Measured<'a> {
    /// Messages under encoding rules.
    pub records: &'a [Record],
    /// The findings of experiments.
    pub findings: &'a [Box<dyn Findings>],
    /// Records of earlier runs, on this or other machines.
    pub others: &'a [Recorded],
    /// Records on file of other implementations, for those that are not in this run.
    pub libraries: &'a [Record],
    /// This run's records on emulated processors, which `others` has by processor.
    pub emulated: &'a [Record],
    /// Processors that this run did not measure, and why.
    pub absent: &'a [String],
}

impl<'a> Measured<'a> {
    /// The findings of a run, with those of other runs.
    #[must_use]
    pub fn of(findings: &'a [Box<dyn Findings>], others: &'a [Recorded]) -> Self {
        let records = findings.iter().map(|found| found.records()).find(|records| !records.is_empty());
        Measured {
            records: records.unwrap_or_default(),
            findings,
            others,
            libraries: libraries::on_file(),
            ..Measured::default()
        }
    }

    /// The run.
    #[must_use]
    pub fn run(&self) -> Option<&Run> {
        let run = self.records.first().map(|record| &record.run);
        run.or_else(|| self.findings.iter().find_map(|found| found.run()))
    }

    /// The findings of an experiment, by its name.
    #[must_use]
    pub fn findings(&self, experiment: &str) -> Option<&'a dyn Findings> {
        self.findings.iter().map(|found| &**found).find(|found| found.experiment() == experiment)
    }
}

/// The files with records in a report's folder.
fn names() -> Vec<String> {
    EXPERIMENTS.iter().map(|experiment| experiment.file()).collect()
}

/// The text of a file of records; where it is not there, that of the file compressed by gzip beside
/// it (`records.jsonl.gz`), as the repository keeps reference runs.
fn text_of(file: &Path) -> io::Result<String> {
    /// Far more than a report's records have: what expands further is cut there, and is no JSON.
    const MOST: u64 = 1 << 28;
    let mut compressed = file.as_os_str().to_owned();
    compressed.push(".gz");
    match fs::read_to_string(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let mut text = String::new();
            GzDecoder::new(fs::File::open(compressed)?).take(MOST).read_to_string(&mut text)?;
            Ok(text)
        }
        read => read,
    }
}

/// A run, with its records.
#[derive(Debug)]
pub struct Recorded {
    findings: Vec<Box<dyn Findings>>,
}

impl Recorded {
    /// Reads a report's folder, or a single one of its record files. In a folder, each file may be
    /// compressed by gzip.
    ///
    /// # Errors
    /// A file cannot be read, is not one of a report, or has another content.
    pub fn read(path: &Path) -> Result<Recorded, String> {
        let mut recorded = Recorded { findings: Vec::new() };
        let files = match path.is_dir() {
            true => names().iter().map(|name| path.join(name)).collect(),
            false => vec![path.to_owned()],
        };
        let mut found = 0;
        for file in files {
            let told = |why: &dyn std::fmt::Display| format!("{}: {why}", file.display());
            let text = match text_of(&file) {
                Ok(text) => text,
                Err(error) if path.is_dir() && error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => return Err(told(&error)),
            };
            found += 1;
            // A file with another name has records.
            let is_it = |experiment: &&dyn Experiment| file.ends_with(experiment.file());
            let experiment = EXPERIMENTS.iter().copied().find(is_it).unwrap_or(&Messages);
            recorded.findings.push(experiment.read(&text).map_err(|why| told(&why))?);
        }
        match (found, recorded.measured().run()) {
            (0, _) => Err(format!("{}: no report: it has none of {}", path.display(), names().join(", "))),
            (_, None) => Err(format!("{}: nothing was measured", path.display())),
            _ => Ok(recorded),
        }
    }

    /// Records of emulated processors in a report's folder.
    ///
    /// # Errors
    /// The file cannot be read, or has another content.
    pub(crate) fn read_processors(folder: &Path) -> Result<Vec<Record>, String> {
        let file = folder.join(processors::FILE);
        let told = |why: &dyn std::fmt::Display| format!("{}: {why}", file.display());
        match text_of(&file) {
            Ok(text) => record::from_lines(&text).map_err(|why| told(&why)),
            Err(error) if [io::ErrorKind::NotFound, io::ErrorKind::NotADirectory].contains(&error.kind()) => {
                Ok(Vec::new())
            }
            Err(error) => Err(told(&error)),
        }
    }

    /// Records of several machines, for each machine. Of two records of a cell on one machine, the
    /// first stands.
    pub(crate) fn by_machine(records: Vec<Record>) -> Vec<Recorded> {
        let mut machines: Vec<Vec<Record>> = Vec::new();
        for record in records {
            let is_same =
                |one: &Record| one.is_of_same(&record) && (&one.engine, one.repeat) == (&record.engine, record.repeat);
            match machines.iter_mut().find(|of_it| of_it[0].run.machine == record.run.machine) {
                Some(of_it) if of_it.iter().any(is_same) => {}
                Some(of_it) => of_it.push(record),
                None => machines.push(vec![record]),
            }
        }
        machines.into_iter().map(|records| Recorded { findings: vec![Box::new(Measurements::of(records))] }).collect()
    }

    /// Counts of its experiments on emulated processors.
    pub(crate) fn cells(&self) -> Vec<Cell> {
        self.findings.iter().flat_map(|found| found.cells()).collect()
    }

    /// The measurements of this run.
    #[must_use]
    pub fn measured(&self) -> Measured<'_> {
        Measured::of(&self.findings, &[])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::sample::record;
    use flate2::write::GzEncoder;
    use roadwire_files::PrivateFolder;
    use roadwire_peers::Kind;
    use std::io::Write as _;

    /// `--with docs/artifact/runs/…`: the same as from the file itself.
    #[test]
    fn records_may_be_compressed() {
        let folder = || PrivateFolder::new_in(&std::env::temp_dir(), "roadwire-test-").unwrap();
        let (plain, packed) = (folder(), folder());
        let text = record::to_lines(&[record(Kind::Toed, 41)]).unwrap();
        fs::write(plain.path().join("records.jsonl"), &text).unwrap();
        let mut gzip = GzEncoder::new(Vec::new(), flate2::Compression::best());
        gzip.write_all(text.as_bytes()).unwrap();
        let octets = gzip.finish().unwrap();
        fs::write(packed.path().join("records.jsonl.gz"), &octets).unwrap();
        let [plain, read] = [&plain, &packed].map(|folder| format!("{:?}", Recorded::read(folder.path()).unwrap()));
        assert_eq!(plain, read);
        fs::write(packed.path().join("records.jsonl.gz"), &octets[..octets.len() / 2]).unwrap();
        assert!(Recorded::read(packed.path()).unwrap_err().contains("records.jsonl: "));
    }

    /// `--with`: this run's records come first.
    #[test]
    fn of_two_records_of_a_cell_on_a_machine_the_first_stands() {
        let sample = record(Kind::Toed, 41);
        let on = |cpu: &str, engine: &str, instructions| {
            let mut one = sample.clone();
            one.run.machine.cpu = cpu.into();
            Record { engine: engine.into(), instructions: Some(instructions), ..one }
        };
        let here = [on("a Geode", "roadwire-toed", 1)];
        let with = [on("a Geode", "roadwire-toed", 2), on("a Geode", "asn1c", 3), on("an Atom", "roadwire-toed", 4)];
        let machines = Recorded::by_machine([&here[..], &with].concat());
        let counts = |one: &Recorded| -> Vec<u64> {
            one.measured().records.iter().filter_map(|record| record.instructions).collect()
        };
        assert_eq!(machines.iter().map(counts).collect::<Vec<_>>(), [vec![1, 3], vec![4]]);
    }
}
