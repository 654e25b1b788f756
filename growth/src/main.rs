//! Measures how time and memory grow with the size of the input, and writes the table of
//! `docs/limits.md`.
//!
//!     cargo run --release --manifest-path growth/Cargo.toml              10 MB, some minutes; writes the table
//!     cargo run --release --manifest-path growth/Cargo.toml -- --quick   256 kB; writes nothing
//!
//! A word after it limits it to the families whose name contains this word; the table's other rows
//! are kept. Exits with 1 if something grows too fast.

use std::process::ExitCode;

mod codecs;
mod growth;
mod modules;
mod part;
mod table;

use growth::Growth;
use roadwire_measure::heap::CountingAllocator;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/limits.md");

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let quick = arguments.iter().any(|argument| argument == "--quick");
    let words: Vec<&String> = arguments.iter().filter(|argument| !argument.starts_with("--")).collect();
    let size = if quick { 1 << 18 } else { 10_000_000 };
    let mut all: Vec<Growth> = Vec::new();
    let mut families: Vec<&str> = Vec::new();
    for part in growth::parts() {
        if !families.contains(&part.family) {
            families.push(part.family);
        }
        if !words.iter().all(|word| part.family.contains(word.as_str())) {
            continue;
        }
        let name = format!("{}: {}", part.family, part.name);
        let growth = growth::measure(&part, size);
        let [_, large] = growth.points;
        println!(
            "{} {name}: {} octets, {:.1} ms, n^{:.2}; heap {:.1} MB, n^{:.2}; {}",
            if growth.passes() { "ok  " } else { "FAST" },
            large.octets,
            large.nanoseconds / 1e6,
            growth.time(),
            large.heap / 1e6,
            growth.heap(),
            growth.outcome,
        );
        all.push(growth);
    }
    if !quick {
        if let Err(error) = write(&families, &all) {
            eprintln!("{PAGE}: {error}");
            return ExitCode::FAILURE;
        }
    }
    let fast = all.iter().filter(|growth| !growth.passes()).count();
    println!("{} inputs, {fast} of which grow faster than n^{}", all.len(), growth::MOST);
    if fast == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Writes the rows into the page.
fn write(families: &[&str], all: &[Growth]) -> std::io::Result<()> {
    let page = table::page(&std::fs::read_to_string(PAGE)?, families, all);
    std::fs::write(PAGE, page.ok_or_else(|| std::io::Error::other("the page has no place for the table"))?)
}
