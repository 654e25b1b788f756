//! `roadwire diff`: the changes between two schemas, and which version still understands the other.

use roadwire::Rules;
use roadwire_evolution::{Change, Contradiction, Example, NoVerdict, Octets, Reading, Reason, Understanding, Verdict};
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
    let mut judged = Vec::new();
    for rules in all {
        match comparison.verdict(rules, args.values as usize) {
            Ok(verdict) => judged.push(Ok(verdict)),
            // Without `--rules`, those in which the types have no encoding are left out.
            Err(NoVerdict::NoLayout(_)) if args.rules.is_empty() => {}
            Err(NoVerdict::NoLayout(error)) => {
                return Err(Failure::usage("type.no-layout", format!("the type has no {rules} encoding: {error}")));
            }
            // The verdicts under other rules stand.
            Err(NoVerdict::Contradiction(found)) => judged.push(Err(found)),
        }
    }
    let text = if as_json { object(&versions, &changes, &judged) } else { page(&changes, &judged) };
    Output::stdout()?.write(text.as_bytes())?;
    let mistakes: Vec<&str> = mistakes(&judged).map(|found| found.rules.name()).collect();
    if !mistakes.is_empty() {
        let what = format!("no verdict for {}: proof and trial contradict each other", mistakes.join(" "));
        return Err(Failure::refused("internal.contradiction", what)
            .advise("this is a mistake in roadwire, not in the schemas: please report it with both of them"));
    }
    let is_same = verdicts(&judged).all(is_same);
    Ok(if args.exit_code && !is_same { Exit::Refused } else { Exit::Done })
}

/// The result under one set of rules.
type Judged = Result<Verdict, Contradiction>;

fn verdicts(judged: &[Judged]) -> impl Iterator<Item = &Verdict> {
    judged.iter().filter_map(|one| one.as_ref().ok())
}

fn mistakes(judged: &[Judged]) -> impl Iterator<Item = &Contradiction> {
    judged.iter().filter_map(|one| one.as_ref().err())
}

/// Whether all messages are read as they are, and have the same octets.
fn is_same(verdict: &Verdict) -> bool {
    let reads = |reading: &Reading| reading.understanding == Understanding::All;
    verdict.octets == Octets::Same && reads(&verdict.new_reads_old) && reads(&verdict.old_reads_new)
}

/// For people: changes, verdicts, reasons, and what to conclude.
fn page(changes: &[Change], judged: &[Judged]) -> String {
    let mut text = match changes.len() {
        0 => "No part of the type changed.\n".to_owned(),
        1 => "1 change:\n".to_owned(),
        count => format!("{count} changes:\n"),
    };
    changes.iter().for_each(|change| text.push_str(&format!("  {change}\n")));
    let rows: Vec<Row> = judged.iter().map(row).collect();
    let verdicts: Vec<&Verdict> = verdicts(judged).collect();
    text.push('\n');
    text.push_str(&table::aligned(&rows));
    let mut readings = verdicts.iter().flat_map(|verdict| [&verdict.new_reads_old, &verdict.old_reads_new]);
    if readings.any(|reading| reading.understanding == Understanding::Astray) {
        text.push_str(ASTRAY);
    }
    for found in mistakes(judged) {
        text.push_str(&format!("\n{MISTAKE}, {}:\n  {}\n", found.rules.name(), found.what));
    }
    text.push_str(&reasons(&verdicts));
    text.push('\n');
    text.push_str(&conclusion(&verdicts, mistakes(judged).next().is_none()));
    text
}

/// Explains the word, which is also that of `--json`.
const ASTRAY: &str = "\nastray: in some messages the reader loses its place. None of those that were tried was misread;\nothers may be.\n";

/// Stands in the cells of a row without a verdict: proof and trial contradict each other.
const MISTAKE: &str = "MISTAKE";

fn row(judged: &Judged) -> Row {
    let (rules, cells) = match judged {
        Ok(verdict) => {
            let readings = [&verdict.new_reads_old, &verdict.old_reads_new].map(cell);
            (verdict.rules, [vec![octets_word(&verdict.octets).to_owned()], readings.to_vec()].concat())
        }
        Err(found) => (found.rules, vec![MISTAKE.to_owned(); 3]),
    };
    let names = ["octets", "new reads old", "old reads new"];
    [("rules", json!(rules.name()))]
        .into_iter()
        .chain(names.into_iter().zip(cells.into_iter().map(Json::from)))
        .collect()
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
fn reasons(verdicts: &[&Verdict]) -> String {
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

/// The conclusion from the verdicts, in a sentence or two; the last one needs all rules.
fn conclusion(verdicts: &[&Verdict], has_all: bool) -> String {
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
    if sentences.is_empty() && has_all {
        sentences.push("Neither version reads all messages of the other, and none is taken for another.".to_owned());
    }
    if !has_all {
        sentences.push(format!("Of rules with {MISTAKE} nothing is known."));
    }
    format!("{}\n", sentences.join("\n"))
}

/// The same for programs.
fn object(versions: &Versions, changes: &[Change], judged: &[Judged]) -> String {
    let change =
        |change: &Change| json!({"path": change.path, "change": change.changed.name(), "detail": change.detail});
    let one = |judged: &Judged| match judged {
        Ok(verdict) => json!({
            "rules": verdict.rules.name(),
            "octets": octets_object(verdict),
            "new_reads_old": reading_object(&verdict.new_reads_old),
            "old_reads_new": reading_object(&verdict.old_reads_new),
        }),
        Err(found) => json!({"rules": found.rules.name(), "contradiction": found.what}),
    };
    let verdicts: Vec<&Verdict> = verdicts(judged).collect();
    let all = json!({
        "old": versions.names[0],
        "new": versions.names[1],
        "changes": changes.iter().map(change).collect::<Vec<_>>(),
        "rules": judged.iter().map(one).collect::<Vec<_>>(),
        "conclusion": conclusion(&verdicts, mistakes(judged).next().is_none()).trim_end(),
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

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;
    use crate::args::{Cli, Command};

    /// Versions, a verdict under BER and a contradiction under UPER.
    fn judged(test: impl FnOnce(&Versions, &[Judged])) {
        let cli = Cli::try_parse_from(["roadwire", "diff", "cam-1.3.0", "cam-1.4.1"]).expect("a command line");
        let Command::Diff(args) = cli.command else { panic!("another command") };
        let (versions, _) = Versions::load(&args.schemas, &args.versions, false).expect("two schemas");
        let verdict = versions.comparison().verdict(Rules::Ber, 3).expect("a verdict");
        let found = Contradiction { rules: Rules::Uper, what: "the octets 5a".into() };
        test(&versions, &[Err(found), Ok(verdict)]);
    }

    #[test]
    fn contradiction_leaves_the_other_rows_and_the_changes() {
        judged(|versions, judged| {
            let page = page(&versions.comparison().changes(), judged);
            let line =
                |start: &str| page.lines().find(|line| line.starts_with(start)).unwrap_or_else(|| panic!("{page}"));
            assert_eq!(line("uper ").matches(MISTAKE).count(), 3, "{page}");
            assert!(line("ber ").contains("same"), "{page}");
            assert!(page.contains("MISTAKE, uper:\n  the octets 5a\n") && page.contains("change"), "{page}");
            assert!(!page.contains("none is taken for another"), "{page}");
        });
    }

    #[test]
    fn contradiction_is_a_member_of_its_row_in_json() {
        judged(|versions, judged| {
            let all: Json = serde_json::from_str(&object(versions, &[], judged)).expect("JSON");
            assert_eq!(all["rules"][0], json!({"rules": "uper", "contradiction": "the octets 5a"}));
            assert_eq!(
                (&all["rules"][1]["rules"], &all["rules"][1]["octets"]["verdict"]),
                (&json!("ber"), &json!("same"))
            );
        });
    }
}
