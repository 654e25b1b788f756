//! The project's tests, built once with all bugs off.

use std::collections::{BTreeSet, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::Result;
use crate::bug::Bug;
use crate::report::Outcome;

/// A test binary.
pub struct Test {
    /// Package and name, such as `roadwire-cases/interpreter`.
    pub name: String,
    executable: PathBuf,
    folder: PathBuf,
    /// How long it takes with all bugs off.
    takes: Duration,
    /// The bugs whose places it reaches.
    reaches: BTreeSet<u32>,
}

/// Test binaries in packages with generated code that use none of it.
const WITHOUT_GENERATED_CODE: [&str; 3] =
    ["roadwire-cases/interpreter", "roadwire-messages/replay", "roadwire-messages/exi_vectors"];
/// Tests that compare the text of generated code with what it was. Any other text fails them, be it
/// right or wrong, so they say nothing about whether a wrong encoding would be noticed, and do not
/// count for a bug that can only be seen in generated code.
const OF_TEXT: [&str; 2] = ["roadwire-codegen/golden", "roadwire-schemas/text"];
/// Packages that link generated code. In the run-time suite that code was made with all bugs off,
/// so a test that compares it with an interpreter with a bug in its layout would notice bugs that
/// real tests cannot notice.
const WITH_GENERATED_CODE: [&str; 12] = [
    "roadwire-cases",
    "roadwire-messages",
    "roadwire-sink",
    "roadwire-papers",
    "roadwire-constructs",
    "roadwire-security",
    "roadwire-peers",
    "roadwire-lab",
    "roadwire-cli",
    "roadwire-c",
    "roadwire-python",
    "roadwire",
];

impl Test {
    /// Whether its results do not depend on generated code.
    fn needs_no_generated_code(&self) -> bool {
        WITHOUT_GENERATED_CODE.contains(&self.name.as_str())
            || !WITH_GENERATED_CODE.contains(&self.name.split('/').next().unwrap_or_default())
    }

    /// Whether it counts for a bug in the crates that generate code.
    pub fn judges_generator(&self, bug: &Bug) -> bool {
        self.needs_no_generated_code() && !(bug.is_only_in_generated_code() && OF_TEXT.contains(&self.name.as_str()))
    }

    /// Runs it with a bug on. A test that takes much longer than it did is stopped, and has noticed
    /// something.
    fn fails(&self, bug: u32) -> bool {
        let Ok(child) = self.start(&[("ROADWIRE_PLANTED", bug.to_string())]) else { return false };
        !passes(child, self.takes * 20 + Duration::from_secs(60))
    }

    fn start(&self, environment: &[(&str, String)]) -> std::io::Result<Child> {
        let mut command = Command::new(&self.executable);
        command.current_dir(&self.folder).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.env("CARGO_MANIFEST_DIR", &self.folder);
        command.envs(environment.iter().map(|(name, value)| (name, value)));
        command.spawn()
    }
}

fn passes(mut child: Child, limit: Duration) -> bool {
    let began = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return status.success(),
            Ok(None) if began.elapsed() < limit => thread::sleep(Duration::from_millis(5)),
            _ => {
                let _ = child.kill();
                let _ = child.wait();
                return false;
            }
        }
    }
}

/// All test binaries.
pub struct Suite {
    tests: Vec<Test>,
    copy: PathBuf,
}

impl Suite {
    /// Builds them, or those of one package; `quick` leaves out the packages that link generated
    /// code.
    pub fn build(copy: &Path, quick: bool, package: Option<&str>) -> Result<Suite> {
        // Each bug runs many tests: optimised a little they take a fifth of the time, and overflows
        // are still seen.
        let mut arguments = vec!["test", "--no-run", "--locked", "--config", "profile.dev.opt-level=1"];
        match package {
            Some(package) => arguments.extend(["--package", package]),
            None => arguments.push("--workspace"),
        }
        if quick && package.is_none() {
            arguments.extend(WITH_GENERATED_CODE.iter().flat_map(|package| ["--exclude", *package]));
        }
        Ok(Suite { tests: tests(copy, &arguments, "target", None, &[])?, copy: copy.to_owned() })
    }

    /// Runs them with all bugs off: they pass, and say which bugs' places they reach.
    pub fn trace(mut self, jobs: usize) -> Result<Suite> {
        let queue = Mutex::new(self.tests.iter_mut().enumerate().collect::<VecDeque<_>>());
        let failed = Mutex::new(Vec::new());
        let copy = &self.copy;
        thread::scope(|scope| {
            for _ in 0..jobs {
                scope.spawn(|| {
                    loop {
                        let Some((index, test)) = queue.lock().ok().and_then(|mut queue| queue.pop_front()) else {
                            return;
                        };
                        let trace = copy.join(format!("target/trace-{index}"));
                        let _ = fs::remove_file(&trace);
                        let began = Instant::now();
                        let child = test.start(&[("ROADWIRE_PLANTED_TRACE", trace.display().to_string())]);
                        let passed = child.is_ok_and(|child| passes(child, Duration::from_secs(3600)));
                        test.takes = began.elapsed();
                        let reached = fs::read_to_string(&trace).unwrap_or_default();
                        test.reaches = reached.lines().filter_map(|line| line.parse().ok()).collect();
                        eprintln!("{:>6.1} s  {:>4} bugs  {}", test.takes.as_secs_f64(), test.reaches.len(), test.name);
                        if !passed {
                            failed.lock().map(|mut failed| failed.push(test.name.clone())).unwrap_or_default();
                        }
                    }
                });
            }
        });
        let failed = failed.into_inner().unwrap_or_default();
        if !failed.is_empty() {
            return Err(format!("with all bugs off, these fail: {}", failed.join(", ")).into());
        }
        self.tests.sort_by_key(|test| test.takes);
        Ok(self)
    }

    /// Runs the tests that reach each bug and count for it, the shortest first, until one fails.
    pub fn run<'b>(
        &self,
        bugs: &[&'b Bug],
        jobs: usize,
        counts: impl Fn(&Test, &Bug) -> bool + Sync,
        mut done: impl FnMut(&'b Bug, Outcome),
    ) {
        let queue = Mutex::new(bugs.iter().copied().collect::<VecDeque<_>>());
        let (sender, outcomes) = mpsc::channel();
        let (queue, counts) = (&queue, &counts);
        thread::scope(|scope| {
            for _ in 0..jobs {
                let sender = sender.clone();
                scope.spawn(move || {
                    while let Some(bug) = queue.lock().ok().and_then(|mut queue| queue.pop_front()) {
                        let reached: Vec<&Test> = self
                            .tests
                            .iter()
                            .filter(|test| test.reaches.contains(&bug.number) && counts(test, bug))
                            .collect();
                        let outcome = match reached.iter().find(|test| test.fails(bug.number)) {
                            Some(test) => Outcome::Caught { by: test.name.clone() },
                            None if reached.is_empty() => Outcome::NotReached,
                            None => Outcome::Survived,
                        };
                        eprintln!("{outcome:<40} {}", bug.name);
                        if sender.send((bug, outcome)).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            outcomes.iter().for_each(|(bug, outcome)| done(bug, outcome));
        });
    }
}

/// Builds tests in the copy and lists their binaries, with this bug on in build scripts.
pub fn tests(
    copy: &Path,
    arguments: &[&str],
    target: &str,
    bug: Option<u32>,
    environment: &[(&str, &str)],
) -> Result<Vec<Test>> {
    let mut command = Command::new("cargo");
    command.args(arguments).args(["--message-format=json", "--target-dir"]).arg(copy.join(target)).current_dir(copy);
    command.envs(environment.iter().copied());
    if let Some(bug) = bug {
        command.env("ROADWIRE_PLANTED", bug.to_string()).stderr(Stdio::null());
    }
    let output = command.stderr(if bug.is_some() { Stdio::null() } else { Stdio::inherit() }).output()?;
    if !output.status.success() {
        return Err("the copy does not build".into());
    }
    let mut tests = Vec::new();
    for line in output.stdout.split(|octet| *octet == b'\n').filter(|line| !line.is_empty()) {
        let message: Value = serde_json::from_slice(line)?;
        let (Some(executable), Some(true)) = (message["executable"].as_str(), message["profile"]["test"].as_bool())
        else {
            continue;
        };
        let folder = Path::new(message["manifest_path"].as_str().unwrap_or_default()).parent();
        let folder = folder.ok_or("cargo names a package without a folder")?.to_owned();
        let package = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let package = if package == "roadwire" { package } else { format!("roadwire-{package}") };
        let name = format!("{package}/{}", message["target"]["name"].as_str().unwrap_or_default());
        let (takes, reaches) = (Duration::ZERO, BTreeSet::new());
        tests.push(Test { name, executable: executable.into(), folder, takes, reaches });
    }
    Ok(tests)
}

/// Runs these tests one after the other with a bug on; the first that fails.
pub fn first_to_fail(tests: &[Test], bug: u32) -> Option<&Test> {
    tests.iter().find(|test| test.fails(bug))
}
