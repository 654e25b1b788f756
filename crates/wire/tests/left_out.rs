//! Runs last in `cargo test --workspace`, since packages run in the order of their names. It lists
//! the tests that left something out, and the material that they lacked. It is not a test, and has
//! nothing to do with this package.

#[path = "../../source/tests/support/shared.rs"]
mod shared;

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, SystemTime};
use std::{env, fs, io};

/// Notes of runs that never got this far are deleted after a day.
const OLD: Duration = Duration::from_secs(24 * 60 * 60);

fn main() -> io::Result<()> {
    // With `--list` no test has run.
    if env::args().any(|argument| argument == "--list") {
        return Ok(());
    }
    let notes = shared::notes();
    let temporary = Path::new(env!("CARGO_TARGET_TMPDIR"));
    if let Some(text) = summary(&read(&notes)?) {
        println!("\n{text}");
        // For scripts that run more than the tests and report this again at the end.
        fs::write(temporary.join("left-out.txt"), text)?;
        fs::remove_dir_all(&notes)?;
    }
    for entry in fs::read_dir(temporary)?.flatten() {
        let is_notes = entry.file_name().to_string_lossy().starts_with(shared::NOTES);
        let age = entry.metadata().and_then(|facts| facts.modified()).map(|at| SystemTime::now().duration_since(at));
        if is_notes && matches!(age, Ok(Ok(age)) if age > OLD) {
            // Another run may have deleted it first.
            _ = fs::remove_dir_all(entry.path());
        }
    }
    Ok(())
}

/// Each test that asked for material, and what was missing.
type Notes = BTreeMap<String, Vec<String>>;

fn read(folder: &Path) -> io::Result<Notes> {
    let mut notes = Notes::new();
    let Ok(entries) = fs::read_dir(folder) else { return Ok(notes) };
    for entry in entries {
        let entry = entry?;
        let text = fs::read_to_string(entry.path())?;
        let absent = text.lines().filter_map(|line| line.strip_prefix(shared::ABSENT));
        let mut absent: Vec<String> = absent.map(Into::into).collect();
        absent.sort();
        absent.dedup();
        notes.insert(entry.file_name().to_string_lossy().into_owned(), absent);
    }
    Ok(notes)
}

fn summary(notes: &Notes) -> Option<String> {
    if notes.is_empty() {
        return None;
    }
    let left: Vec<(&String, &Vec<String>)> = notes.iter().filter(|(_, absent)| !absent.is_empty()).collect();
    let mut text = format!(
        "{} of the {} tests that use ../shared, or other programs, left something out",
        left.len(),
        notes.len()
    );
    if left.is_empty() {
        return Some(text + ": all is there\n");
    }
    text += ", for that is not part of the project:\n";
    for (test, absent) in left {
        text += &format!("  {test}: {}\n", absent.join(", "));
    }
    Some(text)
}
