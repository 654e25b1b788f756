//! Instructions, by Callgrind: exact and repeatable.
//!
//! The running program is started again under valgrind with its probe command, which calls each
//! measured function once between warm-up calls. Collection is toggled on the function that carries
//! `roadwire_probe_region` in its name, and a profile is written at each `roadwire_probe_mark`
//! after it; so one start of valgrind serves many cells. There is one on each core.

use std::ffi::OsString;
use std::fs;
use std::panic::resume_unwind;
use std::path::Path;
use std::process::Command;
use std::thread;

use roadwire_files::PrivateFolder;

const REGION: &str = "*roadwire_probe_region*";
const MARK: &str = "*roadwire_probe_mark*";

/// For each line that the program prints: the line, and the instructions of the call that it names.
/// `names` are arguments after those in `probe`.
///
/// # Errors
/// Why there are no counts: no valgrind, or what it said.
pub fn instructions(probe: &[OsString], names: &[String]) -> Result<Vec<(String, u64)>, String> {
    let starts = thread::available_parallelism().map_or(1, usize::from).min(names.len()).max(1);
    // In turn, so that each start has as many long ones.
    let of_start = |start| names.iter().skip(start).step_by(starts).collect::<Vec<_>>();
    let counts: Result<Vec<_>, String> = thread::scope(|scope| {
        let started: Vec<_> =
            (0..starts).map(|start| scope.spawn(move || one_start(probe, &of_start(start)))).collect();
        started.into_iter().map(|one| one.join().unwrap_or_else(|panic| resume_unwind(panic))).collect()
    });
    Ok(counts?.concat())
}

/// The counts of one start of valgrind.
fn one_start(probe: &[OsString], names: &[&String]) -> Result<Vec<(String, u64)>, String> {
    let (program, arguments) = probe.split_first().ok_or("this program has no probe command")?;
    let folder = PrivateFolder::new_in(&std::env::temp_dir(), "roadwire-callgrind-")
        .map_err(|e| format!("cannot make a temporary folder: {e}"))?;
    let output = Command::new("valgrind")
        .arg("--tool=callgrind")
        .arg(format!("--toggle-collect={REGION}"))
        .arg(format!("--dump-before={MARK}"))
        .arg(format!("--callgrind-out-file={}", folder.path().join("out").display()))
        .arg(program)
        .args(arguments)
        .args(names)
        .output()
        .map_err(|e| match e.kind() {
            std::io::ErrorKind::NotFound => "valgrind is not installed".to_string(),
            _ => format!("valgrind does not start: {e}"),
        })?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr);
        let last = text.lines().last().unwrap_or("").to_string();
        return Err(format!("valgrind failed ({}): {last}", output.status));
    }
    let lines = String::from_utf8_lossy(&output.stdout);
    let count = |(at, line): (usize, &str)| {
        total(&folder.path().join(format!("out.{}", at + 1))).map(|count| (line.to_owned(), count))
    };
    lines.lines().enumerate().map(count).collect()
}

/// The event count of one profile.
fn total(path: &Path) -> Result<u64, String> {
    let text = fs::read_to_string(path).map_err(|e| format!("no profile from callgrind: {e}"))?;
    text.lines()
        .find_map(|line| line.strip_prefix("totals: ")?.trim().parse().ok())
        .ok_or_else(|| "a profile without totals".into())
}
