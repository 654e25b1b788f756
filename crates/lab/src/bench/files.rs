//! The folder of a user's messages: records as JSON lines, and tables for other programs.

use std::path::{Path, PathBuf};

use super::Benched;
use crate::record::to_lines;
use crate::report::folder;
use crate::report::table::Table;
use crate::run::LabError;

/// Writes the records, these tables by their names, other files, and an index of all into a folder. Files of an earlier run are moved to `earlier/`.
///
/// # Errors
/// The folder cannot be written.
pub fn publish(
    folder: &Path,
    benched: &Benched,
    mut tables: Vec<(&str, Table)>,
    others: Vec<(&str, &str, String)>,
) -> Result<Vec<PathBuf>, LabError> {
    let records = to_lines(&benched.records).map_err(|error| LabError::Internal(error.to_string()))?;
    tables.push(("times.csv", times(benched)));
    let mut index = Table::new("", &["file", "what", "rows", "columns"]);
    let mut files = Vec::new();
    for (name, table) in &tables {
        let (rows, columns) = (table.rows.len().to_string(), table.heading.join(" "));
        index.row([(*name).to_owned(), table.title.clone(), rows, columns]);
        files.push(((*name).to_owned(), table.csv()));
    }
    let records =
        ("records.jsonl", "all that was measured, with the run and the machine, as `study` writes it", records);
    for (name, content, text) in others.into_iter().chain([records]) {
        index.row([name.to_owned(), content.to_owned(), text.lines().count().to_string(), String::new()]);
        files.push((name.to_owned(), text));
    }
    files.push(("files.csv".to_owned(), index.csv()));
    folder::publish(folder, &files, &benched.run.started).map_err(|error| LabError::File(folder.into(), error))
}

fn times(benched: &Benched) -> Table {
    let mut table = Table::new(
        "time, memory and instructions of each codec, a line for each direction",
        &[
            "value",
            "engine",
            "version",
            "kind",
            "rules",
            "direction",
            "octets",
            "cpu_median_ns",
            "cpu_mad_ns",
            "cpu_p05_ns",
            "cpu_p95_ns",
            "wall_median_ns",
            "instructions",
            "heap_peak_octets",
            "heap_requests",
            "stack_octets",
            "in_memory_octets",
            "confirmed_by",
            "absent",
            "missing",
        ],
    );
    for record in benched.records.iter().filter(|record| !record.repeat) {
        let (cpu, wall) = (record.cpu_ns.as_ref(), record.wall_ns.as_ref());
        table.row([
            number(super::value_of(record).map(|at| at + 1)),
            record.engine.clone(),
            record.version.clone(),
            record.kind.name().to_owned(),
            record.rules.name().to_owned(),
            record.direction.name().to_owned(),
            number(record.octets),
            number(cpu.map(|times| times.median)),
            number(cpu.map(|times| times.mad)),
            number(cpu.map(|times| times.p05)),
            number(cpu.map(|times| times.p95)),
            number(wall.map(|times| times.median)),
            number(record.instructions),
            number(record.heap.map(|heap| heap.peak)),
            number(record.heap.map(|heap| heap.count)),
            number(record.stack),
            number(record.message_size),
            record.confirmed_by.join("; "),
            record.absent.clone().unwrap_or_default(),
            record.missing.join("; "),
        ]);
    }
    table
}

/// A field that is a number, or empty.
fn number<T: ToString>(number: Option<T>) -> String {
    number.map_or_else(String::new, |number| number.to_string())
}
