//! A program with generated code for a type of the user: written, and compiled with cargo against a
//! checkout of roadwire.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

use roadwire_codegen::{Options, generate};
use roadwire_files::{PrivateFolder, output_of};
use roadwire_layout::Rules;
use roadwire_measure::callgrind;

use super::engines::{Compiled, GENERATED};
use crate::messages::{NOT_COUNTED, visit};
use crate::probe::Visit;
use crate::progress::Progress;
use crate::record::Record;
use crate::report::folder::Lock;

/// The crates that the program needs, in the folder `crates` of a checkout.
const CRATES: [&str; 4] = ["wire", "layout", "engine", "measure"];

/// The program, in a private folder that is removed when this is dropped.
pub(super) struct Program {
    pub(super) path: PathBuf,
    _folder: PrivateFolder,
}

/// The file that a folder does not have, and a checkout of roadwire has.
pub(super) fn missing(source: &Path) -> Option<PathBuf> {
    let files = CRATES.map(|name| source.join("crates").join(name).join("Cargo.toml"));
    files.into_iter().chain([source.join("Cargo.lock")]).find(|file| !file.is_file())
}

/// Writes and compiles the program. What cargo makes stays in the folder `target/own-message` of
/// the checkout: the next program of this kind is compiled in seconds.
///
/// # Errors
/// Why there is none: no generated code for the type, no cargo, or its last words.
pub(super) fn build(
    source: &Path,
    compiled: &Compiled,
    rules: &[Rules],
    progress: &dyn Progress,
) -> Result<Program, String> {
    progress.step("compiling generated code", 0, 1);
    let told = |path: &Path, error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let generated = generate(&compiled.model, &[compiled.root], rules, Options::default());
    let generated = generated.map_err(|error| format!("there is no generated code for the type: {error}"))?;
    let message = generated.types.first().ok_or("there is no generated type")?;

    let source = fs::canonicalize(source).map_err(|error| told(source, &error))?;
    let folder = source.join("target").join("own-message");
    fs::create_dir_all(folder.join("src")).map_err(|error| told(&folder, &error))?;
    // Two programs of this kind are compiled one after the other.
    let _lock = Lock::of(&folder).map_err(|error| told(&folder, &error))?;
    let code = format!("{QUIET}{}", generated.source);
    let manifest = manifest(&source).map_err(|error| told(&source, &error))?;
    let codecs = codecs(message, rules);
    let files: [(&str, &str); 5] = [
        ("Cargo.toml", &manifest),
        ("src/main.rs", include_str!("made/main.rs")),
        ("src/typed.rs", roadwire_peers::roadwire::TYPED),
        ("src/own.rs", &code),
        ("src/codecs.rs", &codecs),
    ];
    for (name, text) in files {
        write(&folder.join(name), text).map_err(|error| told(&folder.join(name), &error))?;
    }
    // The same versions of other crates as roadwire has.
    fs::copy(source.join("Cargo.lock"), folder.join("Cargo.lock")).map_err(|error| told(&folder, &error))?;
    compile(&folder)?;
    let (temporary, name) = (env::temp_dir(), format!("own-message{}", env::consts::EXE_SUFFIX));
    let private = PrivateFolder::new_in(&temporary, "roadwire-own-").map_err(|error| told(&temporary, &error))?;
    let path = private.path().join(&name);
    fs::copy(folder.join("target/release").join(&name), &path).map_err(|error| told(&path, &error))?;
    progress.step("compiling generated code", 1, 1);
    Ok(Program { path, _folder: private })
}

/// Counts the instructions of the program's codecs.
///
/// # Errors
/// valgrind is not installed, or it failed.
pub(super) fn count(
    program: &Path,
    records: &mut [Record],
    octets: &dyn Fn(&Record) -> Option<String>,
) -> Result<(), String> {
    let mut names: Vec<String> = Vec::new();
    let is_its = |record: &&mut Record| record.engine == GENERATED && record.absent.is_none() && !record.repeat;
    for record in records.iter_mut().filter(is_its) {
        let name = octets(record).map(|hex| format!("{}:{}:{hex}", record.rules, record.message));
        names.extend(name.filter(|name| !names.contains(name)));
    }
    if names.is_empty() {
        return Ok(());
    }
    let counts = callgrind::instructions(&[program.into(), "probe".into()], &names)?;
    let visits = counts.into_iter().filter_map(|(line, count)| Some((Visit::parse(&line)?, count)));
    let counts: HashMap<Visit, u64> = visits.collect();
    for record in records.iter_mut().filter(is_its) {
        record.instructions = counts.get(&visit(record)).copied();
        record.missing.retain(|why| record.instructions.is_none() || why != NOT_COUNTED);
    }
    Ok(())
}

/// Names come from the user's modules.
const QUIET: &str = "#![allow(dead_code, unreachable_code, non_camel_case_types, clippy::all)]\n";

/// The cells by the names of the rules.
fn codecs(message: &str, rules: &[Rules]) -> String {
    let mut text = format!(
        "use roadwire_measure::cell::{{Absent, Cell}};\n\npub const ENGINE: &str = {GENERATED:?};\n\n\
         pub fn cell(rules: &str, octets: &[u8]) -> Result<Box<dyn Cell>, String> {{\n    let cell = match rules {{\n"
    );
    for rules in rules {
        let name = rules.name();
        let _ = writeln!(
            text,
            "        {name:?} => crate::typed::cell::<crate::own::{message}, roadwire_layout::{rules:?}>(octets),"
        );
    }
    text + "        other => Err(Absent(format!(\"there is no generated code in {other}\"))),\n    };\n    cell.map_err(|Absent(why)| why)\n}\n"
}

/// The package, with the release profile of the checkout: its codecs are compiled like those of the
/// studies.
fn manifest(source: &Path) -> io::Result<String> {
    let workspace: toml::Table = fs::read_to_string(source.join("Cargo.toml"))?.parse().map_err(io::Error::other)?;
    let profile = workspace.get("profile").and_then(|profile| profile.get("release")).and_then(toml::Value::as_table);
    let mut text = String::from(
        "[package]\nname = \"own-message\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n",
    );
    for name in CRATES {
        let path = source.join("crates").join(name).display().to_string();
        // Generated code has its layouts as tables: what makes layouts from models takes longer to
        // compile than the code.
        let features = match name {
            "layout" => ", default-features = false, features = [\"alloc\"]",
            "engine" => ", features = [\"default\", \"alloc\"]",
            _ => "",
        };
        let _ = writeln!(text, "roadwire-{name} = {{ path = {path:?}{features} }}");
    }
    text.push_str("\n[profile.release]\n");
    for (key, value) in profile.into_iter().flatten().filter(|(_, value)| !value.is_table()) {
        // Numbers, texts and truth values are the same in JSON.
        let value = serde_json::to_string(value).map_err(io::Error::other)?;
        let _ = writeln!(text, "{key} = {value}");
    }
    Ok(text)
}

/// Writes a file that has other text: cargo compiles what is newer.
fn write(path: &Path, text: &str) -> io::Result<()> {
    match fs::read(path) {
        Ok(same) if same == text.as_bytes() => Ok(()),
        _ => fs::write(path, text),
    }
}

fn compile(folder: &Path) -> Result<(), String> {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["build", "--release", "--quiet", "--manifest-path"]).arg(folder.join("Cargo.toml"));
    cargo.arg("--target-dir").arg(folder.join("target")).env_remove("CARGO_BUILD_TARGET");
    let output = output_of(&mut cargo).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => {
            "generated code needs cargo, which is not installed: see https://rustup.rs".to_owned()
        }
        _ => format!("cargo does not start: {error}"),
    })?;
    if output.status.success() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&output.stderr);
    let error = text.lines().find(|line| line.starts_with("error")).or(text.lines().last());
    Err(format!(
        "cargo cannot compile generated code in {}: {}",
        folder.display(),
        error.unwrap_or("it does not say why")
    ))
}
