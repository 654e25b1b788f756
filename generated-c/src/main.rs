//! Instructions of generated C beside those of generated Rust, and of other implementations in C.
//!
//! ```text
//! roadwire-generated-c write FOLDER              writes C, schemas and messages
//! roadwire-generated-c takes FILE                prints the messages of a file that generated Rust reads and writes again
//! roadwire-generated-c probe DIRECTION:FILE...   encodes or decodes those of each file, for Callgrind
//! roadwire-generated-c count FOLDER              prints tables of the programs that `run` compiled
//! ```
//!
//! A file is `SCHEMA/RULES/SET`, with a message in hexadecimal digits on each line. With `count
//! --limits`, a table that is above its limits is an error.

mod codecs;
mod count;
mod write;

use std::hint::black_box;
use std::path::Path;
use std::process::ExitCode;
use std::{env, fs};

use codecs::Codec;
use roadwire_measure::cell::Direction;

/// A message's schema, its type, and the name that its C begins with.
const SCHEMAS: [(&str, &str, &str); 2] =
    [("cam-1.4.1", "CAM-PDU-Descriptions.CAM", "cam"), ("denm-1.3.1", "DENM-PDU-Descriptions.DENM", "denm")];

/// The files of messages.
const SETS: [&str; 4] = ["mandatory", "full", "random", "longest"];

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match arguments[..] {
        ["write", folder] => write::all(Path::new(folder)),
        ["takes", file] => loaded(file).map(|(_, taken)| taken.iter().for_each(|line| println!("{line}"))),
        ["probe", ref names @ ..] => names.iter().try_for_each(|name| probe(name)),
        ["count", folder] => count::tables(Path::new(folder), false),
        ["count", "--limits", folder] => count::tables(Path::new(folder), true),
        _ => Err("expected write, takes, probe or count".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The codec of a file with its messages, and the lines of those.
fn loaded(file: &str) -> Result<(Box<dyn Codec>, Vec<String>), String> {
    let mut parts = Path::new(file).iter().rev().skip(1).filter_map(|part| part.to_str());
    let (Some(rules), Some(schema)) = (parts.next(), parts.next()) else { return Err(format!("{file}: no schema")) };
    let mut codec = codecs::codec(schema, rules)?;
    let text = fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    let mut taken = Vec::new();
    for line in text.lines() {
        let octets = octets(line).ok_or_else(|| format!("{file}: expected hexadecimal digits, found `{line}`"))?;
        if codec.add(&octets) {
            taken.push(line.to_owned());
        }
    }
    Ok((codec, taken))
}

fn octets(digits: &str) -> Option<Vec<u8>> {
    let octet = |at: usize| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok();
    (0..digits.len()).step_by(2).map(octet).collect()
}

fn probe(name: &str) -> Result<(), String> {
    let (direction, file) = name.split_once(':').ok_or_else(|| format!("expected DIRECTION:FILE, found `{name}`"))?;
    let direction = Direction::ALL.into_iter().find(|one| one.name() == direction);
    let direction = direction.ok_or_else(|| format!("expected encode or decode, found `{name}`"))?;
    let (mut codec, _) = loaded(file)?;
    // Before it is counted: functions of libraries are found at their first call.
    codec.all(direction);
    roadwire_probe_region(&mut *codec, direction);
    roadwire_probe_mark();
    println!("{name}");
    Ok(())
}

#[inline(never)]
fn roadwire_probe_region(codec: &mut dyn Codec, direction: Direction) {
    codec.all(direction);
    black_box(());
}

#[inline(never)]
fn roadwire_probe_mark() {
    black_box(());
}
