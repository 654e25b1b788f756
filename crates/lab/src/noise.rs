//! How far two times may be apart by chance: from process to process of one run, and from run to
//! run of other builds and days.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use crate::measured::Measured;
use crate::record::Record;
use roadwire_measure::stats::log_deviation;

/// The deviation of times by chance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Noise {
    /// The standard deviation of a median's logarithm from process to process, and the number of
    /// processes; `None` if there was one.
    pub processes: Option<(f64, usize)>,
    /// The same from run to run.
    pub runs: f64,
    /// How many runs of this processor were compared; 0 if the deviation is that on file.
    pub compared: usize,
}

/// The deviation from run to run on file: `studies/variance.toml`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Variance {
    /// The standard deviation of a median's logarithm.
    pub deviation: f64,
    /// From how many cells.
    pub cells: usize,
    /// The runs: start, processor, and how the program was built.
    pub runs: Vec<String>,
}

impl Variance {
    /// From the records of several runs.
    ///
    /// # Errors
    /// There are no two runs with a common cell.
    pub fn of(runs: &[&[Record]]) -> Result<Variance, String> {
        let groups = by_cell(runs.iter().copied());
        let groups = || groups.values().map(Vec::as_slice).filter(|medians| medians.len() > 1);
        let deviation = log_deviation(groups()).ok_or("it takes two runs with a common cell")?;
        let name = |records: &&&[Record]| {
            let run = &records.first()?.run;
            Some(format!("{}, {}; {}, {}", run.started, run.machine.cpu, run.machine.rustc, run.machine.flags))
        };
        Ok(Variance { deviation, cells: groups().count(), runs: runs.iter().filter_map(|run| name(&run)).collect() })
    }

    /// That on file.
    #[must_use]
    pub fn on_file() -> &'static Variance {
        static ON_FILE: OnceLock<Variance> = OnceLock::new();
        ON_FILE.get_or_init(|| {
            let text = include_str!("../../../studies/variance.toml");
            toml::from_str(text).unwrap_or(Variance { deviation: f64::NAN, cells: 0, runs: Vec::new() })
        })
    }
}

impl Noise {
    /// The noise of a run, with the runs of the same processor beside it.
    #[must_use]
    pub fn of(measured: Measured<'_>) -> Noise {
        let records = measured.records;
        let of_messages = records.iter().filter(|record| !record.repeat).map(|record| record.processes.as_slice());
        let of_experiments = measured.findings.iter().flat_map(|found| found.processes());
        let processes: Vec<&[f64]> = of_messages.chain(of_experiments).collect();
        let count = processes.iter().map(|medians| medians.len()).max().unwrap_or(0);
        let cpu = |records: &[Record]| records.first().map(|record| record.run.machine.cpu.clone());
        let others = measured.others.iter().map(|other| other.measured().records);
        let same: Vec<&[Record]> = others.filter(|other| cpu(other).is_some() && cpu(other) == cpu(records)).collect();
        let runs: Vec<&[Record]> = [records].into_iter().chain(same.iter().copied()).collect();
        let compared = Variance::of(&runs).ok().filter(|_| !same.is_empty());
        Noise {
            processes: log_deviation(processes.into_iter()).map(|deviation| (deviation, count)),
            runs: compared.as_ref().map_or(Variance::on_file().deviation, |variance| variance.deviation),
            compared: compared.map_or(0, |_| runs.len()),
        }
    }

    /// Two medians that differ by less than this factor are a tie: 95 % of the differences that
    /// chance makes are smaller.
    #[must_use]
    pub fn tie(self) -> f64 {
        let of_processes = self.processes.map_or(0.0, |(deviation, count)| deviation.powi(2) / count.max(1) as f64);
        (1.96 * (2.0 * (of_processes + self.runs.powi(2))).sqrt()).exp()
    }

    /// As a sentence of a report.
    #[must_use]
    pub fn line(self) -> String {
        let percent = |share: f64| format!("{:.1} %", share * 100.0);
        let processes = match self.processes {
            Some((deviation, count)) => format!("{} between the {count} processes of this run", percent(deviation)),
            None => "of one process only".into(),
        };
        let runs = match self.compared {
            0 => format!("on file ({} runs)", Variance::on_file().runs.len()),
            count => format!("of {count} runs of this processor"),
        };
        format!(
            "Medians of the same cell deviate by {processes}, and by {} between builds and days ({runs}). So times within {} are a tie.",
            percent(self.runs),
            percent(self.tie() - 1.0)
        )
    }
}

/// The medians of each cell.
fn by_cell<'r>(runs: impl Iterator<Item = &'r [Record]>) -> BTreeMap<String, Vec<f64>> {
    let mut cells: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for record in runs.flatten().filter(|record| !record.repeat) {
        if let Some(time) = &record.cpu_ns {
            let cell = format!("{} {} {} {}", record.engine, record.message, record.rules, record.direction.name());
            cells.entry(cell).or_default().push(time.median);
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::sample::record;
    use roadwire_measure::stats::summarise;
    use roadwire_peers::Kind;

    fn timed(median: f64, processes: &[f64]) -> Record {
        Record { cpu_ns: summarise(&[median]), processes: processes.into(), ..record(Kind::Toed, 41) }
    }

    #[test]
    fn the_variance_on_file_is_one() {
        let variance = Variance::on_file();
        assert!(variance.deviation > 0.0 && variance.deviation < 1.0, "{variance:?}");
    }

    #[test]
    fn a_tie_grows_with_the_deviation_between_processes_and_between_runs() {
        let noise = |processes, runs| Noise { processes, runs, compared: 0 }.tie();
        assert!((noise(None, 0.01) - (1.96 * 2f64.sqrt() * 0.01).exp()).abs() < 1e-12);
        assert!(noise(Some((0.1, 5)), 0.01) > noise(Some((0.1, 20)), 0.01));
        assert!(noise(Some((0.1, 5)), 0.02) > noise(Some((0.1, 5)), 0.01));
    }

    #[test]
    fn processes_and_runs_are_those_of_the_records() {
        let records = [timed(10.0, &[10.0, 11.0, 12.0])];
        let noise = Noise::of(Measured { records: &records, ..Measured::default() });
        let (deviation, count) = noise.processes.unwrap();
        assert!((0.05..0.15).contains(&deviation) && count == 3, "{deviation}");
        assert_eq!((noise.runs, noise.compared), (Variance::on_file().deviation, 0));
        let other = [timed(20.0, &[])];
        let variance = Variance::of(&[&records, &other]).unwrap();
        assert!((variance.deviation - 2f64.ln() / 2f64.sqrt()).abs() < 1e-12 && variance.cells == 1, "{variance:?}");
        assert!(Variance::of(&[&records]).is_err());
    }
}
