//! Recorded material that is no part of the project: it lies in `../shared`, beside the workspace, where it is at all.
//!
//! Whoever wants some of it asks here. What is not there is left out, and noted: `crates/wire/tests/left_out.rs`, the last program that `cargo test --workspace` runs, prints
//! the notes, for the harness hides what a test prints that passes.
#![allow(dead_code, unreachable_pub)]

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::panic::Location;
use std::path::{Path, PathBuf};

/// A file or folder of the material, if it is there. The calling test is noted either way.
#[track_caller]
pub fn shared(path: &str) -> Option<PathBuf> {
    let place = std::env::var_os("ROADWIRE_SHARED");
    let folder = place.map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"), PathBuf::from);
    let whole = folder.join(path);
    let is_there = whole.exists();
    note(&test(Location::caller()), path, is_there);
    is_there.then_some(whole)
}

/// A text file of the material, likewise.
#[track_caller]
pub fn shared_text(path: &str) -> Option<String> {
    shared(path).map(|file| fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display())))
}

/// Where the notes of a run are, a file for each test: all test programs of a run are children of one `cargo test`, whose number is in the name.
pub fn notes() -> PathBuf {
    #[cfg(unix)]
    let run = std::os::unix::process::parent_id();
    #[cfg(not(unix))]
    let run = 0;
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{NOTES}{run}"))
}

/// How the names of such folders begin.
pub const NOTES: &str = "shared-";
/// What a line of a note begins with where the material is there, and where it is not.
pub const THERE: char = '+';
pub const ABSENT: char = '-';

/// The test that is running. With a single thread there is only a place in its file.
fn test(place: &Location<'_>) -> String {
    let thread = std::thread::current();
    let name = match thread.name() {
        Some(name) if name != "main" => name.replace("::", "."),
        _ => format!("line {}", place.line()),
    };
    format!("{} {} {name}", env!("CARGO_PKG_NAME"), env!("CARGO_CRATE_NAME"))
}

/// Nothing depends on a note, so that one that cannot be written is no fault of the test.
fn note(test: &str, path: &str, is_there: bool) {
    let folder = notes();
    let written = fs::create_dir_all(&folder)
        .and_then(|()| OpenOptions::new().create(true).append(true).open(folder.join(test)))
        .and_then(|mut file| writeln!(file, "{}{path}", if is_there { THERE } else { ABSENT }));
    if let Err(error) = written {
        println!("no note that {path} is {}: {error}", if is_there { "there" } else { "absent" });
    }
}
