//! Writes the page of results, and its summary in the README, from the report of a run: `cargo run --release -p roadwire-lab --example results -- REPORT`, where REPORT is the folder that `roadwire study` wrote.

use std::error::Error;
use std::fs;
use std::path::Path;

use roadwire_lab::measured::Recorded;
use roadwire_lab::report::Report;
use roadwire_lab::report::results::Results;
use roadwire_lab::study;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("give the folder of a report")?;
    let recorded = Recorded::read(Path::new(&folder))?;
    let studies = study::all()?;
    let results = Results::of(&Report::new(&studies, recorded.measured(), None)).ok_or("nothing was measured")?;
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    fs::write(docs.join("results.json"), serde_json::to_string_pretty(&results)? + "\n")?;
    fs::write(docs.join("results.md"), results.markdown())?;
    let readme = docs.join("../README.md");
    let text = results.in_readme(&fs::read_to_string(&readme)?).ok_or("the README has no place for the summary")?;
    fs::write(readme, text)?;
    Ok(())
}
