//! Builds codecs of a CAM for a Cortex-M4, without an operating system, and reports how much flash
//! each takes and which panics are linked:
//!
//! ```text
//! cargo run --manifest-path flash/Cargo.toml               UPER, against its limits
//! cargo run --manifest-path flash/Cargo.toml -- all        one row for each family of encoding rules
//! cargo run --manifest-path flash/Cargo.toml -- largest    the functions of UPER's images, the largest first
//! cargo run --manifest-path flash/Cargo.toml -- names      with the names of components in errors
//! cargo run --manifest-path flash/Cargo.toml -- stack      also the stack that each codec takes; with `all` for each family
//! ```
//!
//! It needs `rustup target add thumbv7em-none-eabihf`, and `stack` needs
//! `apt-get install qemu-user`. Exit code 1: a limit is exceeded, or a panic is linked that
//! `panics.txt` does not explain.

mod elf;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::{env, fs};

use elf::Program;

const TARGET: &str = "thumbv7em-none-eabihf";

/// A processor that Linux runs on, with all instructions of the Cortex-M4 that a compiler takes.
/// Stack is the compiled code's.
const PROCESSOR: &str = "cortex-a15";

/// The images with their content, and the most octets that each may take for UPER without names.
const IMAGES: [(&str, &str, u64); 3] = [
    ("soed", "interpreter", 40_000),
    ("toed", "straight-line code, interpreter for errors", 50_500),
    ("fast", "straight-line code alone", 14_000),
];

/// One of each family of encoding rules, and whether its interpreter needs an allocator; if it does
/// not, none is linked.
const ALL: [(&str, bool); 7] =
    [("uper", false), ("oer", false), ("der", true), ("protobuf", true), ("exi", true), ("xer", true), ("jer", true)];

fn main() -> ExitCode {
    let wanted: Vec<String> = env::args().skip(1).collect();
    let is = |name: &str| wanted.iter().any(|one| one == name);
    if let Some(unknown) = wanted.iter().find(|one| !["all", "largest", "names", "stack"].contains(&one.as_str())) {
        eprintln!("expected `all`, `largest`, `names` or `stack`, found `{unknown}`");
        return ExitCode::from(2);
    }
    match measure(if is("all") { &ALL } else { &ALL[..1] }, is("largest"), is("names"), is("stack")) {
        Ok(faults) if faults.is_empty() => ExitCode::SUCCESS,
        Ok(faults) => {
            faults.iter().for_each(|fault| eprintln!("error: {fault}"));
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

/// Prints the table, and one of stacks if it is asked for. Returns the faults.
fn measure(rules: &[(&str, bool)], largest: bool, has_names: bool, has_stacks: bool) -> Result<Vec<String>, String> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut stacks = Vec::new();
    let mut faults = Vec::new();
    let mut explained = reasons(here)?;
    println!("| rules | codec | flash, octets | RAM of its own | panics linked | allocator |");
    println!("| --- | --- | ---: | ---: | ---: | --- |");
    for (rules, has_heap) in rules {
        let folder = build(here, rules, has_names)?;
        for (image, what, limit) in IMAGES {
            let program = read(&folder.join(image))?;
            let [constant, data, zero] = program.sizes;
            let panics = panics(&program);
            let allocator = if *has_heap { "asked for" } else { "none" };
            let (flash, sum) = (constant + data, panics.values().sum::<usize>());
            println!("| {rules} | {what} | {flash} | {} | {sum} | {allocator} |", data + zero);
            if *rules == "uper" {
                if flash > limit && !has_names {
                    faults.push(format!("{image}: {flash} octets of flash, above {limit}"));
                }
                faults.extend(unexplained(image, &panics, &mut explained));
            }
            if largest {
                program.largest().iter().take(60).for_each(|(octets, name)| println!("{octets:8} {name}"));
            }
        }
        if has_stacks {
            // The next rules' images take the place of these.
            stacks.extend(stack_rows(&folder, rules)?);
        }
    }
    if has_stacks {
        println!("\n| rules | codec | direction | stack, octets |\n| --- | --- | --- | ---: |\n{}", stacks.join("\n"));
    }
    faults.extend(explained.into_keys().map(|site| format!("panics.txt explains what is not linked: {site}")));
    Ok(faults)
}

/// The stack of each codec, as an emulator runs it: rows of a table.
fn stack_rows(folder: &Path, rules: &str) -> Result<Vec<String>, String> {
    let ran = Command::new("qemu-arm").args(["-cpu", PROCESSOR]).arg(folder.join("stack")).output();
    let ran = ran.map_err(|error| format!("qemu-arm: {error} (apt-get install qemu-user)"))?;
    if !ran.status.success() {
        return Err(format!("{rules}: the codecs do not bring back a CAM"));
    }
    let row = |line: &str| {
        let mut words = line.split(' ');
        let (image, direction, octets) = (words.next(), words.next(), words.next());
        let named = IMAGES.iter().find(|(name, _, _)| Some(*name) == image);
        let Some((((_, what, _), direction), octets)) = named.zip(direction).zip(octets) else {
            return Err(format!("{rules}: expected codec, direction and octets, found `{line}`"));
        };
        Ok(format!("| {rules} | {what} | {direction} | {octets} |"))
    };
    String::from_utf8_lossy(&ran.stdout).lines().map(row).collect()
}

/// Builds the images of some rules, and returns where they are.
fn build(here: &Path, rules: &str, has_names: bool) -> Result<PathBuf, String> {
    let features = if has_names { format!("{rules},names") } else { rules.to_owned() };
    let flags = r#"rustflags=["-Clink-arg=--emit-relocs", "-Csymbol-mangling-version=v0"]"#;
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    // A relative folder refers to the current folder, not to `here`.
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| here.join("target"), PathBuf::from);
    let target = std::path::absolute(&target).map_err(|error| format!("{}: {error}", target.display()))?;
    cargo.current_dir(here).env("CARGO_TARGET_DIR", &target);
    cargo.args(["build", "--release", "--quiet", "--locked", "--package", "roadwire-flash-image"]);
    cargo.args(["--bins", "--target", TARGET, "--features", &features, "--config", &format!("target.{TARGET}.{flags}")]);
    let status = cargo.status().map_err(|error| format!("cargo: {error}"))?;
    if !status.success() {
        return Err(format!("{rules}: it does not build (rustup target add {TARGET})"));
    }
    Ok(target.join(TARGET).join("release"))
}

fn read(file: &Path) -> Result<Program, String> {
    let octets = fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
    Program::read(&octets).ok_or_else(|| format!("{}: no program of 32 bits", file.display()))
}

/// Counts calls of functions that panic, by caller and callee. Calls between functions of the
/// standard library that only panic do not count.
fn panics(program: &Program) -> BTreeMap<String, usize> {
    let callers = program.callers(|symbol| is_panic(&elf::readable(symbol)));
    let sites = callers.into_iter().filter(|((function, _), _)| !is_panic(function));
    sites.map(|((function, callee), count)| (format!("{function} -> {callee}"), count)).collect()
}

/// Whether a function does nothing but panic, by its name in the standard library.
fn is_panic(name: &str) -> bool {
    let of_core = name.starts_with("core::") || name.starts_with("alloc::") || name.contains("rust_begin_unwind");
    let words = ["panic", "_fail", "handle_error", "capacity_overflow", "handle_alloc_error", "rust_begin_unwind"];
    of_core && words.iter().any(|word| name.contains(word))
}

/// Why panics that are linked cannot happen: image, site and reason, with tabs between.
fn reasons(here: &Path) -> Result<BTreeMap<String, String>, String> {
    let file = here.join("panics.txt");
    let text = fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let read = |line: &str| {
        let mut parts = line.splitn(3, '\t');
        match (parts.next(), parts.next(), parts.next()) {
            (Some(image), Some(site), Some(reason)) => Ok((format!("{image}: {site}"), reason.to_owned())),
            _ => Err(format!("{}: not image, site and reason with tabs between: {line}", file.display())),
        }
    };
    lines.map(read).collect()
}

/// Removes the reasons for an image's panics from `reasons`, and returns the panics without one.
fn unexplained(image: &str, panics: &BTreeMap<String, usize>, reasons: &mut BTreeMap<String, String>) -> Vec<String> {
    let sites = panics.keys().map(|site| format!("{image}: {site}"));
    sites.filter(|site| reasons.remove(site).is_none()).map(|site| format!("a panic is linked: {site}")).collect()
}

#[cfg(test)]
mod tests {
    use super::is_panic;
    use crate::elf::readable;

    #[test]
    fn symbols_are_read() {
        let symbol = "_RNvNtCs5dHvFvFSyQ_4core9panicking18panic_bounds_check";
        assert_eq!(readable(symbol), "core::panicking::panic_bounds_check");
        assert!(is_panic(&readable(symbol)));
        let symbol = "_RNvMs_NtNtCs1PsLfnDQ0tF_15roadwire_engine6decode6reportNtB6_7Decoder7fail_at";
        assert_eq!(readable(symbol), "roadwire_engine::decode::report::Decoder::fail_at");
        assert!(!is_panic(&readable(symbol)) && !is_panic("_start"));
    }
}
