//! Measures how time and memory grow with the size of the input, and writes the table of `docs/limits.md`.
//!
//!     cargo run --release --manifest-path growth/Cargo.toml              10 MB, some minutes; writes the table
//!     cargo run --release --manifest-path growth/Cargo.toml -- --quick   256 kB; writes nothing
//!
//! A word behind it limits it to what is large by a name with that word; the table's other rows stay. Ends with 1 where something grows faster than it may.

use std::process::ExitCode;

mod codecs;
mod growth;
#[path = "../../crates/lab/src/measure/heap.rs"]
#[allow(dead_code, reason = "the laboratory needs more of it")]
mod heap;
mod modules;
mod table;

use growth::Growth;
use heap::CountingAllocator;

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

/// Puts the rows in their places.
fn write(families: &[&str], all: &[Growth]) -> std::io::Result<()> {
    let page = table::page(&std::fs::read_to_string(PAGE)?, families, all);
    std::fs::write(PAGE, page.ok_or_else(|| std::io::Error::other("the page has no place for the table"))?)
}
