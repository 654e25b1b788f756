//! Writes the records of other implementations that are on file, from the report of a run with
//! them.
//!
//! `cargo run --release -p roadwire-lab --example recorded -- REPORT`, where REPORT is the folder
//! that `roadwire study --peers peers --out REPORT` wrote on this machine.

use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::Command;

use roadwire_lab::libraries;
use roadwire_lab::measured::Recorded;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("expected the folder of a report")?;
    let recorded = Recorded::read(Path::new(&folder))?;
    let compilers: Vec<String> =
        [("cc", "--version"), ("c++", "--version"), ("java", "--version"), ("rustc", "--version")]
            .into_iter()
            .filter_map(|(program, option)| first_line(program, option))
            .collect();
    let text = libraries::file(recorded.measured().records, &compilers.join("; "))?;
    fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../peers/recorded.csv"), text)?;
    Ok(())
}

fn first_line(program: &str, option: &str) -> Option<String> {
    let output = Command::new(program).arg(option).output().ok()?;
    String::from_utf8(output.stdout).ok()?.lines().next().map(str::to_owned)
}
