//! Writes the page of results, its data, and its summary in the README, from the report of a run.
//!
//! `cargo run --release -p roadwire-lab --example results -- REPORT`, where REPORT is the folder
//! that `roadwire study` wrote. With `--keep-times` before it, times stay as they are (for a run on
//! a busy machine). With `--check` nothing is written: it fails if the page's octets or
//! instructions are no longer those of the report.

use std::error::Error;
use std::fs;
use std::path::Path;

use roadwire_lab::measured::Recorded;
use roadwire_lab::report::Report;
use roadwire_lab::report::results::Results;
use roadwire_lab::study;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (option, folder) = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [folder] => ("", folder),
        [option @ ("--keep-times" | "--check"), folder] => (option, folder),
        _ => return Err("expected the folder of a report, after --keep-times or --check".into()),
    };
    let recorded = Recorded::read(Path::new(folder))?;
    let studies = study::all()?;
    let results = Results::of(&Report::new(&studies, recorded.measured(), None)).ok_or("nothing was measured")?;
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let data = docs.join("results.json");
    let stored = || -> Result<Results, Box<dyn Error>> { Ok(serde_json::from_str(&fs::read_to_string(&data)?)?) };
    let results = match option {
        "--check" => return check(&stored()?, &results),
        "--keep-times" => results.with_times_of(&stored()?),
        _ => results,
    };
    fs::write(&data, serde_json::to_string_pretty(&results)? + "\n")?;
    fs::write(docs.join("results.md"), results.markdown())?;
    let readme = docs.join("../README.md");
    let text = results.in_readme(&fs::read_to_string(&readme)?).ok_or("the README has no place for the summary")?;
    fs::write(readme, text)?;
    Ok(())
}

/// Compares the page's octets and instructions with those of a run.
fn check(stored: &Results, now: &Results) -> Result<(), Box<dyn Error>> {
    let (stale, compared) = stored.stale(now);
    let compilers = [stored.octets.as_ref().unwrap_or(&stored.run), &now.run].map(|run| &run.machine.rustc);
    if compilers[0] != compilers[1] {
        println!("the page is of {}, this run of {}", compilers[0], compilers[1]);
    }
    println!("docs/results.md: {compared} figures compared, {} stale", stale.len());
    stale.iter().for_each(|one| println!("STALE {one}"));
    if stale.is_empty() {
        Ok(())
    } else {
        Err("write docs/results.md anew (METHODOLOGY.md, The page of results)".into())
    }
}
