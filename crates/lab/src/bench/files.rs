//! The folder of a user's messages: records as JSON lines, and tables for other programs.

use std::path::{Path, PathBuf};

use super::Benched;
use crate::number::or_dash;
use crate::record::to_lines;
use crate::report::data::{DataFile, index};
use crate::report::folder;
use crate::report::table::Table;
use crate::run::LabError;

/// Writes the records, these tables by their names, other files, and an index of all into a folder.
/// Files of an earlier run are moved to `earlier/`.
///
/// # Errors
/// The folder cannot be written.
pub fn publish(
    folder: &Path,
    benched: &Benched,
    mut tables: Vec<DataFile>,
    others: Vec<(&str, &str, String)>,
) -> Result<Vec<PathBuf>, LabError> {
    let records = to_lines(&benched.records).map_err(|error| LabError::Internal(error.to_string()))?;
    tables.push(DataFile::new("times", times(benched)));
    let mut index = index(&tables);
    let mut files: Vec<(String, String)> = tables.iter().map(|file| (file.file(), file.table.csv())).collect();
    let records =
        ("records.jsonl", "all that was measured, with the run and the machine, as `study` writes it", records);
    for (name, content, text) in others.into_iter().chain([records]) {
        index.table.row([name.to_owned(), content.to_owned(), text.lines().count().to_string(), String::new()]);
        files.push((name.to_owned(), text));
    }
    files.push((index.file(), index.table.csv()));
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
            or_dash(super::value_of(record).map(|at| at + 1)),
            record.engine.clone(),
            record.version.clone(),
            record.kind.name().to_owned(),
            record.rules.name().to_owned(),
            record.direction.name().to_owned(),
            or_dash(record.octets),
            or_dash(cpu.map(|times| times.median)),
            or_dash(cpu.map(|times| times.mad)),
            or_dash(cpu.map(|times| times.p05)),
            or_dash(cpu.map(|times| times.p95)),
            or_dash(wall.map(|times| times.median)),
            or_dash(record.instructions),
            or_dash(record.heap.map(|heap| heap.peak)),
            or_dash(record.heap.map(|heap| heap.count)),
            or_dash(record.stack),
            or_dash(record.message_size),
            record.confirmed_by.join("; "),
            record.absent.clone().unwrap_or_default(),
            record.missing.join("; "),
        ]);
    }
    table
}
