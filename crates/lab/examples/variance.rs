//! How far apart the medians of the same cell are in several runs:
//! `cargo run --release -p roadwire-lab --example variance -- REPORT...` prints
//! `studies/variance.toml`.

use std::path::Path;
use std::process::ExitCode;

use roadwire_lab::{Recorded, Variance};

fn main() -> ExitCode {
    let reports: Vec<String> = std::env::args().skip(1).collect();
    let recorded: Result<Vec<Recorded>, String> = reports.iter().map(|path| Recorded::read(Path::new(path))).collect();
    let variance = recorded.and_then(|runs| {
        let records: Vec<_> = runs.iter().map(|run| run.measured().records).collect();
        Variance::of(&records)
    });
    match variance {
        Ok(Variance { deviation, cells, runs }) => {
            println!(
                "# How far apart the medians of the same cell are in whole runs: other builds of the program (alignment, order of linking), other days.\n\
                 # Written by `cargo run --release -p roadwire-lab --example variance -- REPORT...`; studies/builds makes the runs.\n\
                 deviation = {deviation:.4}\ncells = {cells}\nruns = {runs:#?}"
            );
            ExitCode::SUCCESS
        }
        Err(why) => {
            eprintln!("variance: {why}");
            ExitCode::FAILURE
        }
    }
}
