//! Recorded material that is not part of the project: it is in `../shared`, next to the workspace,
//! if present. So are programs that a machine may not have.
//!
//! Tests get this material only through this module. Missing material is skipped, and noted:
//! `crates/wire/tests/left_out.rs`, the last program that `cargo test --workspace` runs, prints the
//! notes, since the harness hides the output of tests that pass.
#![allow(dead_code, unreachable_pub)]

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::panic::Location;
use std::path::{Path, PathBuf};

/// The recordings in `captures`, of four manufacturers and research groups.
pub const RECORDINGS: [&str; 8] = [
    "boslx_CAM_Recording.pcapng",
    "karloss_test.pcap",
    "karloss_test4.pcap",
    "karloss_testmon4.pcap",
    "pmacoutinho_etsi-its-cam-secured.pcapng",
    "pmacoutinho_etsi-its-cam-unsecured.pcapng",
    "pmacoutinho_etsi-its-denm-secured.pcapng",
    "van3t_sample_trace.pcapng",
];

/// A file or folder of the material, if it exists. The calling test is noted in any case.
#[track_caller]
pub fn shared(path: &str) -> Option<PathBuf> {
    let place = std::env::var_os("ROADWIRE_SHARED");
    let folder = place.map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"), PathBuf::from);
    let whole = folder.join(path);
    let is_there = whole.exists();
    note(&test(Location::caller()), path, is_there);
    is_there.then_some(whole)
}

/// A text file of the material, if it exists; also noted.
#[track_caller]
pub fn shared_text(path: &str) -> Option<String> {
    shared(path).map(|file| fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display())))
}

/// Whether a program is installed: it answers to `--version`. The calling test is noted in any
/// case.
#[track_caller]
pub fn installed(program: &str) -> bool {
    let answer = std::process::Command::new(program).arg("--version").output();
    let is_there = answer.is_ok_and(|answer| answer.status.success());
    note(&test(Location::caller()), &format!("the program {program}"), is_there);
    is_there
}

/// The folder with the notes of a run, a file for each test: all test programs of a run are
/// children of one `cargo test`, whose process number is in the name.
pub fn notes() -> PathBuf {
    #[cfg(unix)]
    let run = std::os::unix::process::parent_id();
    #[cfg(not(unix))]
    let run = 0;
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{NOTES}{run}"))
}

/// The prefix of such folders' names.
pub const NOTES: &str = "shared-";
/// The first character of a note's line if the material is present, and if it is not.
pub const THERE: char = '+';
pub const ABSENT: char = '-';

/// The running test. With a single thread, only its position in its file is known.
fn test(place: &Location<'_>) -> String {
    let thread = std::thread::current();
    let name = match thread.name() {
        Some(name) if name != "main" => name.replace("::", "."),
        _ => format!("line {}", place.line()),
    };
    format!("{} {} {name}", env!("CARGO_PKG_NAME"), env!("CARGO_CRATE_NAME"))
}

/// Nothing depends on a note, so failing to write one is not a failure of the test.
fn note(test: &str, path: &str, is_there: bool) {
    let folder = notes();
    let written = fs::create_dir_all(&folder)
        .and_then(|()| OpenOptions::new().create(true).append(true).open(folder.join(test)))
        .and_then(|mut file| writeln!(file, "{}{path}", if is_there { THERE } else { ABSENT }));
    if let Err(error) = written {
        println!("no note that {path} is {}: {error}", if is_there { "there" } else { "absent" });
    }
}
