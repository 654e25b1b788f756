//! Rows of named columns: aligned columns for human readers, objects for programs.

use serde_json::Value as Json;

use crate::failure::{Exit, Failure};
use crate::output::Output;

/// One row: columns with their names.
pub(crate) type Row = Vec<(&'static str, Json)>;

/// Prints rows to stdout; for human readers under the columns' names if `heads` is set.
pub(crate) fn print(rows: &[Row], heads: bool, json: bool) -> Result<Exit, Failure> {
    let mut text = String::new();
    if json {
        for row in rows {
            let object: serde_json::Map<_, _> =
                row.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
            text.push_str(&format!("{}\n", Json::Object(object)));
        }
    } else {
        text = lines(rows, heads);
    }
    Output::stdout()?.write(text.as_bytes())?;
    Ok(Exit::Done)
}

/// Rows in aligned columns under their names.
pub(crate) fn aligned(rows: &[Row]) -> String {
    lines(rows, true)
}

fn lines(rows: &[Row], heads: bool) -> String {
    let mut cells: Vec<Vec<String>> =
        rows.iter().map(|row| row.iter().map(|(name, value)| cell(name, value)).collect()).collect();
    if let (Some(first), true) = (rows.iter().max_by_key(|row| row.len()), heads) {
        cells.insert(0, first.iter().map(|(name, _)| (*name).to_owned()).collect());
    }
    let columns = cells.iter().map(Vec::len).max().unwrap_or(0);
    // The last column of a shorter row may extend over the others: it says why they are missing.
    let width = |at: usize| {
        let fits = |row: &&Vec<String>| row.len() == columns || at + 1 < row.len();
        cells.iter().filter(fits).filter_map(|row| row.get(at)).map(|text| text.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let is_number = |at: usize| rows.iter().any(|row| row.get(at).is_some_and(|(_, value)| value.is_number()));
    let mut text = String::new();
    for row in &cells {
        let mut line = String::new();
        for (at, (value, width)) in row.iter().zip(&widths).enumerate() {
            let line_up = if is_number(at) && row.len() == columns {
                format!("{value:>width$}  ")
            } else {
                format!("{value:width$}  ")
            };
            line.push_str(&line_up);
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// A cell as text.
pub(crate) fn cell(name: &str, value: &Json) -> String {
    match value {
        Json::Bool(true) => name.to_owned(),
        Json::Bool(false) => String::new(),
        Json::String(text) => text.clone(),
        Json::Array(several) => several.iter().map(|one| cell(name, one)).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}
