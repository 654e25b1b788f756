//! Bugs in what generates code: code is generated, built and tested anew with each of them. First
//! that of the few constructs that have other code with the bug, which takes seconds; if their test
//! passes, that of the messages, which takes minutes.

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Result;
use crate::bug::Bug;
use crate::report::Outcome;
use crate::suite;

/// Packages whose build scripts generate code, and their tests.
const TESTS: [&str; 7] =
    ["test", "--package", "roadwire-cases", "--package", "roadwire-messages", "--no-run", "--locked"];
/// The test of constructs.
const CONSTRUCTS: [&str; 6] = ["test", "--package", "roadwire-constructs", "--test", "agreement", "--no-run"];
/// The program that lists the constructs' code.
const TEXTS: [&str; 6] = ["build", "--quiet", "--package", "roadwire-constructs", "--example", "texts"];
/// How many constructs are built for one set of rules, and for how many sets.
const MOST: [usize; 2] = [6, 3];
const TARGET: &str = "target-generator";

/// The generated code with all bugs off.
pub struct Generator {
    copy: PathBuf,
    /// The lines of [`TEXTS`].
    constructs: BTreeSet<String>,
    text: Option<BTreeMap<PathBuf, u64>>,
}

impl Generator {
    /// Lists the constructs' code with all bugs off.
    pub fn build(copy: &Path) -> Result<Generator> {
        let built = Command::new("cargo").args(TEXTS).args(["--target-dir", TARGET]).current_dir(copy).status()?;
        if !built.success() {
            return Err("the constructs' list does not build".into());
        }
        Ok(Generator { copy: copy.to_owned(), constructs: texts(copy, 0)?, text: None })
    }

    /// Builds and tests generated code with a bug on.
    pub fn run(&mut self, bug: &Bug) -> Result<Outcome> {
        let outcome = match self.constructs(bug)? {
            Some(caught) => caught,
            None => self.messages(bug)?,
        };
        eprintln!("{outcome:<40} {}", bug.name);
        Ok(outcome)
    }

    /// Builds and tests some of the constructs that have other code; `None` if nothing fails.
    fn constructs(&self, bug: &Bug) -> Result<Option<Outcome>> {
        // A generator that fails generates nothing for anyone.
        let Ok(texts) = texts(&self.copy, bug.number) else {
            return Ok(Some(Outcome::Caught { by: "the generator, which fails".into() }));
        };
        let mut others: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for line in texts.difference(&self.constructs) {
            if let [rules, name, _] = line.split(' ').collect::<Vec<_>>()[..] {
                others.entry(rules).or_default().push(name);
            }
        }
        for (rules, names) in others.into_iter().take(MOST[1]) {
            let step = names.len().div_ceil(MOST[0]);
            let names: Vec<&str> = names.into_iter().step_by(step).collect();
            let chosen = format!("{rules} {}", names.join(" "));
            let environment = [("ROADWIRE_CONSTRUCTS", chosen.as_str())];
            let Ok(tests) = suite::tests(&self.copy, &CONSTRUCTS, TARGET, Some(bug.number), &environment) else {
                return Ok(Some(Outcome::Caught { by: format!("the build of constructs in {rules}") }));
            };
            if let Some(test) = suite::first_to_fail(&tests, bug.number) {
                return Ok(Some(Outcome::Caught { by: format!("{} in {rules}, rebuilt", test.name) }));
            }
        }
        Ok(None)
    }

    /// Builds and tests the messages.
    fn messages(&mut self, bug: &Bug) -> Result<Outcome> {
        if self.text.is_none() {
            // All bugs off, so that later builds have only what changes to build.
            suite::tests(&self.copy, &TESTS, TARGET, Some(0), &[])?;
            self.text = Some(generated(&self.copy)?);
        }
        Ok(match suite::tests(&self.copy, &TESTS, TARGET, Some(bug.number), &[]) {
            Err(_) => Outcome::Caught { by: "the build of generated code".into() },
            Ok(_) if Some(generated(&self.copy)?) == self.text => Outcome::SameText,
            Ok(tests) => match suite::first_to_fail(&tests, bug.number) {
                Some(test) => Outcome::Caught { by: format!("{}, rebuilt", test.name) },
                None => Outcome::Survived,
            },
        })
    }
}

/// The lines of [`TEXTS`] with a bug on.
fn texts(copy: &Path, bug: u32) -> Result<BTreeSet<String>> {
    let program = copy.join(TARGET).join("debug/examples/texts");
    let output = Command::new(program).env("ROADWIRE_PLANTED", bug.to_string()).output()?;
    if !output.status.success() {
        return Err("the generator fails".into());
    }
    Ok(String::from_utf8(output.stdout)?.lines().map(String::from).collect())
}

/// The generated files of the newest build, by their content.
fn generated(copy: &Path) -> Result<BTreeMap<PathBuf, u64>> {
    let mut text = BTreeMap::new();
    for entry in fs::read_dir(copy.join(TARGET).join("debug/build"))? {
        let entry = entry?;
        let folder = entry.path().join("out");
        if !entry.file_name().to_string_lossy().starts_with("roadwire-") || !folder.is_dir() {
            continue;
        }
        for file in fs::read_dir(folder)? {
            let path = file?.path();
            let mut hasher = DefaultHasher::new();
            fs::read(&path)?.hash(&mut hasher);
            text.insert(path, hasher.finish());
        }
    }
    Ok(text)
}
