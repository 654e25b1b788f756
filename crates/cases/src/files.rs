//! The files of cases.

use std::fs;
use std::path::Path;

/// The files of a folder in this package, as name and text; `README.md` has no cases. Empty if
/// there is no such folder.
///
/// # Panics
/// A file cannot be read.
#[must_use]
pub fn files(folder: &str) -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let Ok(entries) = fs::read_dir(&folder) else { return Vec::new() };
    let names =
        entries.map(|entry| entry.expect("a folder that can be read").file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.filter(|name| name.ends_with(".md") && name != "README.md").collect();
    names.sort();
    let read = |name: String| {
        let text = fs::read_to_string(folder.join(&name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        (name, text)
    };
    names.into_iter().map(read).collect()
}
