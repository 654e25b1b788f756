//! Counts instructions, and prints tables of ratios.

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use roadwire_codegen::{DecoderWork, Registers};
use roadwire_frontend::{Source, compile};
use roadwire_measure::callgrind::instructions;
use roadwire_measure::cell::Direction;
use roadwire_model::{Model, TypeId};

use crate::{SCHEMAS, SETS};

const RULES: [&str; 4] = ["uper", "oer", "der", "protobuf"];
/// Compilers of generated C.
const COMPILERS: [&str; 2] = ["gcc", "clang"];
/// Other implementations, their rules, and how many times as many instructions as ours we want.
const PEERS: [(&str, &str, f64); 3] = [("asn1c", "uper", 20.0), ("asn1tools", "oer", 2.0), ("nanopb", "protobuf", 2.0)];
/// Instructions of C in UPER, Rust = 1, that we allow with each compiler. We want 1.3: clang takes
/// 1.3004 for a full CAM.
const LIMITS: [f64; 2] = [1.3, 1.31];

/// Instructions of one message: encoding, decoding.
type Counts = [f64; 2];

/// Prints both tables, or with limits the first one. A schema or rules without programs are left
/// out.
pub fn tables(folder: &Path, has_limits: bool) -> Result<(), String> {
    let (mut ours, mut theirs, mut above) = (Vec::new(), Vec::new(), Vec::new());
    let (mut bounds, mut beyond) = (Vec::new(), Vec::new());
    for (schema, ty, _) in SCHEMAS {
        let (model, root) = compiled(folder, schema, ty)?;
        for rules in RULES {
            let of_rules = folder.join(schema).join(rules);
            if !program(&of_rules, "gcc").exists() {
                continue;
            }
            let work = DecoderWork::of(&model, root, rules.parse().map_err(|_| "no such rules")?);
            for set in SETS {
                let (messages, octets) = taken(&of_rules, set, set, &["rust", "gcc", "clang"])?;
                let rust = counts(&of_rules, "rust", set, messages)?;
                let found = COMPILERS.map(|compiler| match program(&of_rules, compiler).exists() {
                    true => counts(&of_rules, compiler, set, messages).map(Some),
                    false => Ok(None),
                });
                let [first, second] = found;
                let found = [first?, second?];
                let mut row = format!("| {schema}, {set} | {rules} | {messages} | {octets} |");
                row += &format!(" {:.0} | {:.0} |", rust[0], rust[1]);
                for ((compiler, limit), counts) in COMPILERS.iter().zip(LIMITS).zip(found) {
                    let Some(counts) = counts else {
                        row += " - | - |";
                        continue;
                    };
                    for (direction, (ours, rust)) in Direction::ALL.iter().zip(counts.iter().zip(rust)) {
                        let ratio = ours / rust;
                        row += &format!(" {ratio:.2} |");
                        if rules == "uper" && ratio > limit {
                            above.push(format!(
                                "{schema}, {set}: {} takes {ratio:.2} with {compiler}, above {limit}",
                                direction.name()
                            ));
                        }
                    }
                }
                ours.push(row);
                let decoded: Vec<f64> = found.iter().flatten().map(|counts| counts[1]).collect();
                bounds.push(bound((schema, set, rules), (work, octets), &decoded, &mut beyond));
                for (peer, of, wanted) in PEERS.into_iter().filter(|(_, of, _)| *of == rules && !has_limits) {
                    if program(&of_rules, peer).exists() {
                        theirs.push(beside(&of_rules, (schema, set, of), (peer, wanted))?);
                    } else {
                        theirs.push(format!("| {schema}, {set} | {peer} | {of} | not compared: see above |"));
                    }
                }
            }
        }
    }
    println!("Instructions of one message: generated Rust's, and those of generated C, Rust = 1.\n");
    println!(
        "| message | rules | messages | octets | Rust, encode | decode | gcc, encode | decode | clang, encode | decode |"
    );
    println!("|---|---|---:|---:|---:|---:|---:|---:|---:|---:|");
    ours.iter().for_each(|row| println!("{row}"));
    println!("\nThe most instructions of decoding, from the plan, and those that were counted.\n");
    println!("| message | rules | at most | gcc | clang |");
    println!("|---|---|---:|---:|---:|");
    bounds.iter().for_each(|row| println!("{row}"));
    if !theirs.is_empty() {
        println!(
            "\nInstructions of one message in other implementations, and how many times those of generated C these are (all gcc).\n"
        );
        println!("| message | implementation | rules | messages | encode | times | decode | times | wanted |");
        println!("|---|---|---|---:|---:|---:|---:|---:|---:|");
        theirs.iter().for_each(|row| println!("{row}"));
    }
    if has_limits {
        beyond.append(&mut above);
    }
    match beyond.is_empty() {
        true => Ok(()),
        false => Err(beyond.join("\n       ")),
    }
}

/// The model of a schema, and its message.
fn compiled(folder: &Path, schema: &str, ty: &str) -> Result<(Model, TypeId), String> {
    let file = folder.join(schema).join("module.asn");
    let text = fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    let model = compile(&[Source::new(schema, text)]).map_err(|errors| errors.render())?.model;
    let root = model.find(ty).ok_or("no such type")?;
    Ok((model, root))
}

/// A row of a bound; a count above it is noted. Of several messages a count is the mean.
fn bound(
    (schema, set, rules): (&str, &str, &str),
    (work, octets): (Option<DecoderWork>, usize),
    decoded: &[f64],
    beyond: &mut Vec<String>,
) -> String {
    let most = work.and_then(|work| work.instructions(octets as u64, Registers::Of64));
    let Some(most) = most else { return format!("| {schema}, {set} | {rules} | none | - | - |") };
    let mut row = format!("| {schema}, {set} | {rules} | {most} |");
    for count in decoded {
        row += &format!(" {count:.0} |");
        if *count > most as f64 {
            beyond.push(format!("{schema}, {set}: decoding {rules} takes {count:.0}, and {most} should be the most"));
        }
    }
    row
}

/// A row of another implementation.
fn beside(
    of_rules: &Path,
    (schema, set, rules): (&str, &str, &str),
    (peer, wanted): (&str, f64),
) -> Result<String, String> {
    let own = format!("{set}-{peer}");
    let (messages, _) = taken(of_rules, set, &own, &[peer, "gcc"])?;
    if messages == 0 {
        return Ok(format!("| {schema}, {set} | {peer} | {rules} | 0: it does not bring any back |"));
    }
    let ours = counts(of_rules, "gcc", &own, messages)?;
    let theirs = counts(of_rules, peer, &own, messages)?;
    let cells = ours.iter().zip(theirs).map(|(ours, theirs)| format!(" {theirs:.0} | {:.1} |", theirs / ours));
    Ok(format!("| {schema}, {set} | {peer} | {rules} | {messages} |{} {wanted} |", cells.collect::<String>()))
}

fn program(of_rules: &Path, engine: &str) -> PathBuf {
    of_rules.join(format!("program-{engine}"))
}

/// How a program is started: Rust is this one.
fn start(of_rules: &Path, engine: &str) -> Result<OsString, String> {
    match engine {
        "rust" => Ok(env::current_exe().map_err(|error| error.to_string())?.into()),
        _ => Ok(program(of_rules, engine).into()),
    }
}

/// Writes the messages of a set that all programs take as another file: how many, and their octets
/// in the mean.
fn taken(of_rules: &Path, set: &str, own: &str, engines: &[&str]) -> Result<(usize, usize), String> {
    let mut file = of_rules.join(set);
    for engine in engines {
        if *engine != "rust" && !program(of_rules, engine).exists() {
            continue;
        }
        let ran = Command::new(start(of_rules, engine)?).arg("takes").arg(&file).output();
        let ran = ran.map_err(|error| format!("{engine}: {error}"))?;
        if !ran.status.success() {
            return Err(format!("{engine}: {}: {}", ran.status, String::from_utf8_lossy(&ran.stderr)));
        }
        file = of_rules.join(own);
        fs::write(&file, ran.stdout).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    let text = fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    let (count, digits) = (text.lines().count(), text.lines().map(str::len).sum::<usize>());
    Ok((count, digits / 2 / count.max(1)))
}

fn counts(of_rules: &Path, engine: &str, set: &str, messages: usize) -> Result<Counts, String> {
    let names = Direction::ALL.map(|direction| format!("{}:{}", direction.name(), of_rules.join(set).display()));
    let found = instructions(&[start(of_rules, engine)?, "probe".into()], &names)?;
    let found: HashMap<String, u64> = found.into_iter().collect();
    let of = |name: &String| found.get(name).map(|count| *count as f64 / messages.max(1) as f64);
    let [Some(encode), Some(decode)] = names.each_ref().map(of) else { return Err(format!("{engine}: no count")) };
    Ok([encode, decode])
}
