//! Bugs in what generates code: the messages are generated, built and tested anew with each of
//! them.

use std::collections::BTreeMap;
use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};

use crate::Result;
use crate::bug::Bug;
use crate::report::Outcome;
use crate::suite;

/// Packages whose build scripts generate code, and their tests.
const TESTS: [&str; 7] =
    ["test", "--package", "roadwire-cases", "--package", "roadwire-messages", "--no-run", "--locked"];
const TARGET: &str = "target-generator";

/// The generated code with all bugs off.
pub struct Generator {
    copy: PathBuf,
    text: BTreeMap<PathBuf, u64>,
}

impl Generator {
    /// Builds the messages with all bugs off, so that later builds have only them to build.
    pub fn build(copy: &Path) -> Result<Generator> {
        suite::tests(copy, &TESTS, TARGET, Some(0))?;
        Ok(Generator { copy: copy.to_owned(), text: generated(copy)? })
    }

    /// Builds and tests the messages with a bug on.
    pub fn run(&self, bug: &Bug) -> Result<Outcome> {
        let outcome = match suite::tests(&self.copy, &TESTS, TARGET, Some(bug.number)) {
            Err(_) => Outcome::Caught { by: "the build of generated code".into() },
            Ok(_) if generated(&self.copy)? == self.text => Outcome::SameText,
            Ok(tests) => match suite::first_to_fail(&tests, bug.number) {
                Some(test) => Outcome::Caught { by: format!("{}, rebuilt", test.name) },
                None => Outcome::Survived,
            },
        };
        eprintln!("{outcome:<40} {}", bug.name);
        Ok(outcome)
    }
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
