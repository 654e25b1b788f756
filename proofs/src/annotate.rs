//! The runtime of C with its contracts: `frama-c/contracts.acsl` is in blocks, each for a function.
//!
//! ```text
//! == rw_load_few
//! requires ...;
//! -- loop 1
//! loop invariant ...;
//! ```
//!
//! `-- before` begins text that stands before the function as it is. The headers themselves have no
//! contracts: those that use them do not have to read these.
//!
//! In the copy, conditions of the form `rw_take(reader, bits, word) != 0` ask first whether the
//! function refuses, which its contract says: `reader->end - reader->at < bits || rw_take(...) !=
//! 0`. Both are the same, and Eva, which does not relate a result to a variable, then knows that
//! the word is set.

use std::error::Error;
use std::fs;
use std::path::Path;

/// The parts of the runtime, in the order of `C_RUNTIME`.
const PARTS: [&str; 12] = [
    "errors", "values", "arena", "streams", "packed", "octets", "elements", "fields", "items", "vectors", "events",
    "text",
];

/// A function, and when its contract says that it refuses: `$1` is its first argument.
const REFUSED: [(&str, &str); 3] = [
    ("rw_take", "($1)->end - ($1)->at < ($2)"),
    ("rw_lend", "($2) > (($1)->end - ($1)->at) / 8"),
    ("rw_put_additions", "($2)->count > RW_KEPT"),
];

/// The contract of a function.
#[derive(Debug, Default)]
struct Contract {
    name: String,
    before: String,
    contract: String,
    loops: Vec<String>,
}

/// Writes `roadwire_rt.h` with contracts into a folder.
pub(crate) fn write(folder: &Path) -> Result<(), Box<dyn Error>> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut runtime = "#ifndef ROADWIRE_RT_H\n#define ROADWIRE_RT_H\n".to_owned();
    for part in PARTS {
        runtime += &fs::read_to_string(here.join(format!("../crates/codegen/src/c/runtime/{part}.h")))?;
    }
    runtime += "#endif\n";
    let contracts = read(&fs::read_to_string(here.join("frama-c/contracts.acsl"))?)?;
    fs::write(folder.join("roadwire_rt.h"), annotated(&asking(&runtime), &contracts)?)?;
    Ok(())
}

/// Code whose conditions ask first.
pub(crate) fn asking(code: &str) -> String {
    let mut code = code.to_owned();
    for (name, refused) in REFUSED {
        let (mut done, mut rest) = (String::new(), code.as_str());
        while let Some(at) = rest.find(&format!("{name}(")) {
            let (before, call) = rest.split_at(at);
            done += before;
            let is_name = !before.ends_with(|c: char| c.is_alphanumeric() || c == '_');
            match arguments(&call[name.len()..]).filter(|_| is_name) {
                Some((arguments, after)) if call[after + name.len()..].starts_with(" != 0") => {
                    let size = name.len() + after + " != 0".len();
                    let asked = (1..).zip(&arguments).fold(refused.to_owned(), |asked, (number, argument)| {
                        asked.replace(&format!("${number}"), argument)
                    });
                    done += &format!("({asked} || {})", &call[..size]);
                    rest = &call[size..];
                }
                _ => {
                    done += name;
                    rest = &call[name.len()..];
                }
            }
        }
        done += rest;
        code = done;
    }
    code
}

/// The arguments between the bracket that text begins with and its end, and where this is.
fn arguments(text: &str) -> Option<(Vec<&str>, usize)> {
    let (mut depth, mut from, mut all) = (0, 1, Vec::new());
    for (at, character) in text.char_indices() {
        match character {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 || depth == 1 && character == ',' {
            all.push(text[from..at].trim());
            from = at + 1;
        }
        if depth == 0 {
            return Some((all, at + 1));
        }
    }
    None
}

fn read(text: &str) -> Result<Vec<Contract>, Box<dyn Error>> {
    let mut all: Vec<Contract> = Vec::new();
    // 0 is the contract, 1 what is before it, others are loops.
    let mut place = 0;
    for line in text.lines().filter(|line| !line.starts_with("# ")) {
        if let Some(name) = line.strip_prefix("== ") {
            all.push(Contract { name: name.to_owned(), ..Contract::default() });
            place = 0;
            continue;
        }
        let Some(last) = all.last_mut() else { continue };
        if let Some(number) = line.strip_prefix("-- loop ") {
            place = number.parse::<usize>()? + 1;
            last.loops.resize(last.loops.len().max(place - 1), String::new());
        } else if line == "-- before" {
            place = 1;
        } else if !line.is_empty() {
            let into = match place {
                0 => &mut last.contract,
                1 => &mut last.before,
                number => &mut last.loops[number - 2],
            };
            *into += line;
            into.push('\n');
        }
    }
    Ok(all)
}

fn annotated(runtime: &str, contracts: &[Contract]) -> Result<String, Box<dyn Error>> {
    let mut text = String::new();
    let mut left: Vec<&Contract> = contracts.iter().collect();
    let mut inside: Option<(&Contract, usize)> = None;
    for line in runtime.lines() {
        let is_definition = ["static inline ", "RW_MANY ", "RW_MOST "].iter().any(|start| line.starts_with(start))
            && !line.ends_with(';');
        if is_definition {
            inside = None;
        }
        let named = |contract: &&Contract| {
            is_definition && line.contains(&format!("{}(", contract.name)) && {
                let before = line.split(&format!("{}(", contract.name)).next().unwrap_or_default();
                before.ends_with([' ', '*'])
            }
        };
        if let Some(at) = left.iter().position(named) {
            let contract = left.remove(at);
            text += &contract.before;
            if !contract.contract.is_empty() {
                text += &format!("/*@\n{}*/\n", contract.contract);
            }
            inside = Some((contract, 0));
        }
        let code = line.trim_start();
        if let Some((contract, done)) = &mut inside {
            let is_end = code.starts_with("} while");
            if !is_end && ["for (", "while (", "do {"].iter().any(|word| code.starts_with(word)) {
                if let Some(text_of) = contract.loops.get(*done).filter(|text| !text.is_empty()) {
                    text += &format!("/*@\n{text_of}*/\n");
                }
                *done += 1;
            }
            if line == "}" && *done < contract.loops.len() {
                return Err(
                    format!("{}: {} loops, {} have invariants", contract.name, done, contract.loops.len()).into()
                );
            }
        }
        text += line;
        text.push('\n');
    }
    match left.first() {
        None => Ok(text),
        Some(contract) => Err(format!("contracts.acsl: the runtime has no function {}", contract.name).into()),
    }
}
