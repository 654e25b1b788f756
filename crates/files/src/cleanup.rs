//! Removes unfinished files, however the program ends.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The state that an interruption must undo. A holder of the lock cannot be interrupted.
static UNFINISHED: Mutex<Unfinished> =
    Mutex::new(Unfinished { is_watched: false, paths: Vec::new(), groups: Vec::new() });

struct Unfinished {
    /// Whether a thread is watching for signals.
    is_watched: bool,
    /// Files and folders to remove.
    paths: Vec<PathBuf>,
    /// Processes that write into them, by the number of their group.
    groups: Vec<u32>,
}

fn unfinished() -> MutexGuard<'static, Unfinished> {
    let mut unfinished = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
    if !unfinished.is_watched {
        unfinished.is_watched = true;
        watch();
    }
    unfinished
}

/// Does `work` without interruption: a signal that arrives meanwhile is handled afterwards.
pub fn uninterrupted<T>(work: impl FnOnce() -> T) -> T {
    let _held = unfinished();
    work()
}

/// A file or folder that is removed when this is dropped.
pub(super) struct Temporary(PathBuf);

impl Temporary {
    /// Makes it.
    pub(super) fn make<T>(path: PathBuf, make: impl FnOnce(&Path) -> io::Result<T>) -> io::Result<(Self, T)> {
        let mut unfinished = unfinished();
        let made = make(&path)?;
        unfinished.paths.push(path.clone());
        Ok((Temporary(path), made))
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }

    /// Does the last step, after which it is finished and kept.
    pub(super) fn finish(self, step: impl FnOnce(&Path) -> io::Result<()>) -> io::Result<()> {
        let mut unfinished = unfinished();
        let done = step(&self.0);
        if done.is_ok() {
            unfinished.paths.retain(|path| *path != self.0);
        }
        drop(unfinished);
        done
    }

    /// Does the last step of each, without interruption between them. Those after a step that fails
    /// are removed.
    pub(super) fn finish_all<T>(
        all: Vec<(Temporary, T)>,
        step: impl Fn(&Path, &T) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut unfinished = unfinished();
        let done = all.iter().try_for_each(|(temporary, target)| {
            step(&temporary.0, target)?;
            unfinished.paths.retain(|path| *path != temporary.0);
            Ok(())
        });
        // To drop `all` takes the lock.
        drop(unfinished);
        done
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let mut unfinished = unfinished();
        // A finished path is no longer listed, and may have been replaced by another user's.
        if unfinished.paths.contains(&self.0) {
            unfinished.paths.retain(|path| *path != self.0);
            remove(&self.0);
        }
    }
}

fn remove(path: &Path) {
    let _ = match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => fs::remove_dir_all(path),
        _ => fs::remove_file(path),
    };
}

/// Runs a program to its end. It and its child processes are killed when this program is
/// interrupted.
pub fn output_of(command: &mut Command) -> io::Result<Output> {
    use std::process::Stdio;
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    let mut unfinished = unfinished();
    let child = command.spawn()?;
    let group = child.id();
    unfinished.groups.push(group);
    drop(unfinished);
    let output = child.wait_with_output();
    self::unfinished().groups.retain(|one| *one != group);
    output
}

/// Starts to wait for signals. If that fails, signals end the program as usual, and unfinished
/// files remain.
#[cfg(unix)]
fn watch() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let signals: Vec<i32> = [SIGHUP, SIGINT, SIGTERM].into_iter().filter(|signal| !is_ignored(*signal)).collect();
    let (sender, is_watching) = std::sync::mpsc::channel();
    // Without a thread signals must end the program: it takes them over only when it runs.
    let thread = std::thread::Builder::new().spawn(move || {
        if let Ok(mut signals) = signal_hook::iterator::Signals::new(signals) {
            let _ = sender.send(());
            signals.forever().for_each(interrupted);
        }
    });
    if thread.is_ok() {
        let _ = is_watching.recv();
    }
}

#[cfg(not(unix))]
fn watch() {}

/// Whether the program was started with a signal ignored, as shells do for background jobs: then it
/// remains ignored.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
    mask.is_some_and(|mask| mask & 1 << (signal - 1) != 0)
}

/// Removes everything, and ends the program as the signal would have.
#[cfg(unix)]
fn interrupted(signal: i32) {
    use rustix::process::{Pid, Signal, kill_process_group};
    const TRIES: usize = 20;
    // Held to the end, so that nothing else is begun or finished.
    let unfinished = unfinished();
    for group in &unfinished.groups {
        if let Some(group) = i32::try_from(*group).ok().and_then(Pid::from_raw) {
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
    for path in &unfinished.paths {
        for _ in 0..TRIES {
            remove(path);
            if !path.exists() {
                break;
            }
            // A process still writes into it.
            std::thread::sleep(Duration::from_millis(10));
        }
    }
    let _ = signal_hook::low_level::emulate_default_handler(signal);
}
