//! The list of bugs.

use std::fs;
use std::path::Path;

use crate::Result;

/// The crates that the build script of `messages` links: a bug in one of them is also in the
/// generated code.
const GENERATOR: [&str; 8] = ["asn1", "codegen", "frontend", "layout", "model", "plan", "presentation", "source"];
/// Those that do nothing else: a bug in one of them changes the generated text, and no interpreter.
const ONLY_GENERATED: [&str; 2] = ["codegen", "plan"];

/// A small change to one expression or statement.
pub struct Bug {
    /// From 1 on, in the order of the list: the value of `ROADWIRE_PLANTED` that turns it on.
    pub number: u32,
    /// The bug in a few words. No two bugs have the same name.
    pub name: String,
    /// The source file, from the project's folder.
    pub file: String,
    /// A text in the file behind which `find` is looked for.
    pub after: Option<String>,
    /// An expression, or whole statements, as they stand in the file.
    pub find: String,
    /// The text in its place when the bug is on; empty to leave statements out. With `@on` in it,
    /// it is always in place, and `@on` is whether the bug is on.
    pub replace: String,
    /// Whether a test that uses no generated code notices it.
    pub quick: bool,
}

impl Bug {
    /// The folder under `crates/`.
    pub fn krate(&self) -> &str {
        self.file.split('/').nth(1).unwrap_or_default()
    }

    /// Whether generated code is made by the crate.
    pub fn is_in_generator(&self) -> bool {
        GENERATOR.contains(&self.krate())
    }

    /// Whether it can only be seen in generated code.
    pub fn is_only_in_generated_code(&self) -> bool {
        ONLY_GENERATED.contains(&self.krate())
    }

    /// Whether it replaces statements, not an expression.
    pub fn is_statement(&self) -> bool {
        self.find.trim_end().ends_with([';', '}'])
    }
}

/// Reads all lists in a folder, by file name.
pub fn read(folder: &Path) -> Result<Vec<Bug>> {
    let mut paths: Vec<_> =
        fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<std::result::Result<_, _>>()?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    paths.sort();
    let mut bugs: Vec<Bug> = Vec::new();
    for path in paths {
        for entry in entries(&path, "bug")? {
            let text = |key: &str| match entry.get(key).and_then(toml::Value::as_str) {
                Some(text) => Ok(text.to_owned()),
                None => Err(format!("{}: a bug without `{key}`", path.display())),
            };
            let name = text("name")?;
            if bugs.iter().any(|bug| bug.name == name) {
                return Err(format!("{}: two bugs are named `{name}`", path.display()).into());
            }
            let after = entry.get("after").and_then(toml::Value::as_str).map(str::to_owned);
            let number = bugs.len() as u32 + 1;
            let quick = entry.get("quick").and_then(toml::Value::as_bool).unwrap_or(false);
            let (file, find, replace) = (text("file")?, text("find")?, text("replace")?);
            bugs.push(Bug { number, name, file, after, find, replace, quick });
        }
    }
    Ok(bugs)
}

/// Reads which bugs are known to survive, each with its reason.
pub fn read_survivors(path: &Path, bugs: &[Bug]) -> Result<Vec<(String, String)>> {
    let mut survivors = Vec::new();
    for entry in entries(path, "survivor")? {
        let text = |key: &str| entry.get(key).and_then(toml::Value::as_str).unwrap_or_default().to_owned();
        let (name, why) = (text("name"), text("why"));
        if why.is_empty() || !bugs.iter().any(|bug| bug.name == name) {
            return Err(format!("{}: `{name}` is no bug of the list, or has no `why`", path.display()).into());
        }
        survivors.push((name, why));
    }
    Ok(survivors)
}

fn entries(path: &Path, key: &str) -> Result<Vec<toml::Table>> {
    let at = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let table: toml::Table =
        fs::read_to_string(path).map_err(|error| at(&error))?.parse().map_err(|error| at(&error))?;
    let list = table.get(key).and_then(toml::Value::as_array).cloned().unwrap_or_default();
    list.into_iter().map(|entry| entry.try_into().map_err(|error| at(&error).into())).collect()
}
