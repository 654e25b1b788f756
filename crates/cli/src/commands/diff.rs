//! `roadwire diff`: what changed between two schemas, and who still understands whom.

use roadwire::Rules;
use roadwire_evolution::{Change, Example, NoVerdict, Octets, Reading, Reason, Understanding, Verdict};
use serde_json::{Map, Value as Json, json};

use crate::args::DiffArgs;
use crate::failure::{Exit, Failure};
use crate::output::Output;
use crate::table::{self, Row};
use crate::versions::Versions;
use roadwire_recording::octets::{self, OctetFormat};

pub(crate) fn run(args: &DiffArgs, as_json: bool) -> Result<Exit, Failure> {
    let (versions, _) = Versions::load(&args.schemas, &args.versions, as_json)?;
    let comparison = versions.comparison().seeded(args.seed);
    let changes = comparison.changes();
    let all = if args.rules.is_empty() { Rules::ALL.to_vec() } else { args.rules.clone() };
    let mut verdicts = Vec::new();
    for rules in all {
        match comparison.verdict(rules, args.values as usize) {
            Ok(verdict) => verdicts.push(verdict),
            // Without `--rules`, those in which the types have no encoding are left out.
            Err(NoVerdict::NoLayout(_)) if args.rules.is_empty() => {}
            Err(NoVerdict::NoLayout(error)) => {
                return Err(Failure::usage("type.no-layout", format!("the type has no {rules} encoding: {error}")));
            }
            Err(NoVerdict::Contradiction(found)) => {
                let what = format!("{}: proof and trial contradict each other: {}", found.rules, found.what);
                return Err(Failure::refused("internal.contradiction", what)
                    .advise("this is a mistake in roadwire, not in the schemas: please report it with both of them"));
            }
        }
    }
    let text = if as_json { object(&versions, &changes, &verdicts) } else { page(&changes, &verdicts) };
    Output::stdout()?.write(text.as_bytes())?;
    let is_same = verdicts.iter().all(is_same);
    Ok(if args.exit_code && !is_same { Exit::Refused } else { Exit::Done })
}

/// Whether all messages are read as they are, and have the same octets.
fn is_same(verdict: &Verdict) -> bool {
    let reads = |reading: &Reading| reading.understanding == Understanding::All;
    verdict.octets == Octets::Same && reads(&verdict.new_reads_old) && reads(&verdict.old_reads_new)
}

/// For people: changes, verdicts, reasons, and what to conclude.
fn page(changes: &[Change], verdicts: &[Verdict]) -> String {
    let mut text = match changes.len() {
        0 => "No part of the type changed.\n".to_owned(),
        1 => "1 change:\n".to_owned(),
        count => format!("{count} changes:\n"),
    };
    changes.iter().for_each(|change| text.push_str(&format!("  {change}\n")));
    let rows: Vec<Row> = verdicts
        .iter()
        .map(|verdict| {
            vec![
                ("rules", json!(verdict.rules.name())),
                ("octets", json!(octets_word(&verdict.octets))),
                ("new reads old", json!(cell(&verdict.new_reads_old))),
                ("old reads new", json!(cell(&verdict.old_reads_new))),
            ]
        })
        .collect();
    text.push('\n');
    text.push_str(&table::aligned(&rows));
    text.push_str(&reasons(verdicts));
    text.push('\n');
    text.push_str(&conclusion(verdicts));
    text
}

fn octets_word(octets: &Octets) -> &'static str {
    match octets {
        Octets::Same => "same",
        Octets::Differ(_) => "differ",
        Octets::NoneShared => "nothing in common",
        Octets::NotProven(_) => "same, not proven",
    }
}

fn cell(reading: &Reading) -> String {
    let tried = &reading.tried;
    let mut text = match reading.understanding {
        Understanding::All => "all".to_owned(),
        Understanding::Skipping => "skips".to_owned(),
        Understanding::InPart => format!("some, refuses {} of {}", tried.refused, tried.values),
        Understanding::Nothing => "none".to_owned(),
        Understanding::Astray => format!("astray, refuses {} of {}", tried.refused, tried.values),
        Understanding::Misread => format!("MISREADS {} of {}", tried.misread, tried.values),
    };
    if !reading.proven {
        text.push_str(", not proven");
    }
    text
}

/// Why a reader does not read all messages as they are: each reason once, with its rules.
fn reasons(verdicts: &[Verdict]) -> String {
    let mut found: Vec<(&str, &Reason, Vec<&str>)> = Vec::new();
    for verdict in verdicts {
        for (way, reading) in [("new reads old", &verdict.new_reads_old), ("old reads new", &verdict.old_reads_new)] {
            let Some(reason) = &reading.reason else { continue };
            match found.iter_mut().find(|(other, one, _)| *other == way && *one == reason) {
                Some((.., rules)) => rules.push(verdict.rules.name()),
                None => found.push((way, reason, vec![verdict.rules.name()])),
            }
        }
    }
    let mut text = String::new();
    for (way, reason, rules) in found {
        let path = if reason.path.is_empty() { "(message)" } else { &reason.path };
        text.push_str(&format!("\n{way}, {}:\n  {path}: {}\n", rules.join(" "), reason.what));
    }
    text
}

/// What follows from the verdicts, in a sentence or two.
fn conclusion(verdicts: &[Verdict]) -> String {
    let with = |holds: &dyn Fn(&Verdict) -> bool| -> Vec<&str> {
        verdicts.iter().filter(|verdict| holds(verdict)).map(|verdict| verdict.rules.name()).collect()
    };
    let reads = |reading: &Reading| reading.understanding <= Understanding::Skipping;
    let danger = |reading: &Reading| matches!(reading.understanding, Understanding::Misread | Understanding::Astray);
    let both = with(&|one| reads(&one.new_reads_old) && reads(&one.old_reads_new));
    let new_first = with(&|one| reads(&one.new_reads_old) && !reads(&one.old_reads_new));
    let old_first = with(&|one| !reads(&one.new_reads_old) && reads(&one.old_reads_new));
    let dangerous = with(&|one| danger(&one.new_reads_old) || danger(&one.old_reads_new));
    let mut sentences = Vec::new();
    let mut say = |rules: &[&str], what: &str| {
        if !rules.is_empty() {
            sentences.push(format!("{what}: {}.", rules.join(" ")));
        }
    };
    say(&both, "Both versions can be on the air together in");
    say(&new_first, "Receivers have to be updated before senders in");
    say(&old_first, "Senders have to be updated before receivers in");
    say(&dangerous, "The versions must be kept apart, because messages can be taken for others, in");
    if sentences.is_empty() {
        sentences.push("Neither version reads all messages of the other, and none is taken for another.".to_owned());
    }
    format!("{}\n", sentences.join("\n"))
}

/// The same for programs.
fn object(versions: &Versions, changes: &[Change], verdicts: &[Verdict]) -> String {
    let change =
        |change: &Change| json!({"path": change.path, "change": change.changed.name(), "detail": change.detail});
    let verdict = |verdict: &Verdict| {
        json!({
            "rules": verdict.rules.name(),
            "octets": octets_object(verdict),
            "new_reads_old": reading_object(&verdict.new_reads_old),
            "old_reads_new": reading_object(&verdict.old_reads_new),
        })
    };
    let all = json!({
        "old": versions.names[0],
        "new": versions.names[1],
        "changes": changes.iter().map(change).collect::<Vec<_>>(),
        "rules": verdicts.iter().map(verdict).collect::<Vec<_>>(),
        "conclusion": conclusion(verdicts).trim_end(),
    });
    format!("{all}\n")
}

fn octets_object(verdict: &Verdict) -> Json {
    let (word, reason) = match &verdict.octets {
        Octets::Same => ("same", None),
        Octets::Differ(reason) => ("differ", Some(reason)),
        Octets::NoneShared => ("none-shared", None),
        Octets::NotProven(reason) => ("not-proven", Some(reason)),
    };
    let mut all = Map::from_iter([("verdict".to_owned(), json!(word))]);
    add_reason(&mut all, reason);
    Json::Object(all)
}

fn reading_object(reading: &Reading) -> Json {
    let tried = &reading.tried;
    let mut counts = Map::new();
    for (name, count) in [
        ("values", tried.values),
        ("agreed", tried.agreed),
        ("skipped", tried.skipped),
        ("refused", tried.refused),
        ("misread", tried.misread),
    ] {
        counts.insert(name.to_owned(), json!(count));
    }
    for (name, example) in [("refusal", &tried.refusal), ("misreading", &tried.misreading)] {
        if let Some(example) = example {
            counts.insert(name.to_owned(), example_object(example));
        }
    }
    let mut all = Map::from_iter([
        ("verdict".to_owned(), json!(reading.understanding.name())),
        ("proven".to_owned(), json!(reading.proven)),
    ]);
    add_reason(&mut all, reading.reason.as_ref());
    all.insert("tried".to_owned(), Json::Object(counts));
    Json::Object(all)
}

fn example_object(example: &Example) -> Json {
    let text = octets::write(&example.octets, OctetFormat::Hex);
    json!({"octets": String::from_utf8_lossy(&text).trim(), "path": example.path, "what": example.what})
}

fn add_reason(object: &mut Map<String, Json>, reason: Option<&Reason>) {
    if let Some(reason) = reason {
        object.insert("path".to_owned(), json!(reason.path));
        object.insert("what".to_owned(), json!(reason.what));
    }
}
