//! The answers for a terminal: which encoding for what, then a line for each encoding, then the
//! figures that were not measured.

use std::collections::BTreeMap;

use roadwire::Measured;
use roadwire_lab::bench::Benched;
use serde_json::{Value as Json, json};

use super::encodings::{Cost, Costs, Encoding, HERTZ, stations};
use super::{About, TIMED};
use crate::table::{self, Row};

/// How many encodings with the same number are named, and how many reasons are given.
const SHOWN: usize = 4;

/// Widest line of a reason.
const WIDEST: usize = 160;

pub(super) fn text(about: &About, encodings: &[Encoding], benched: &Benched) -> String {
    let count = if about.values == 1 { "1 value".to_owned() } else { format!("{} values, means", about.values) };
    let mut text = format!("{}, {count}: which encoding?\n\n", about.name);
    for (need, answer) in answers(encodings) {
        text.push_str(&format!("  {need:16}{answer}\n"));
    }
    text.push('\n');
    text.push_str(&table::aligned(&rows(encodings)));
    text.push('\n');
    notes(about, encodings, benched).iter().for_each(|note| text.push_str(&format!("{}\n", short(note))));
    text
}

/// A need, and the encodings for it with their numbers and their opposite.
pub(super) fn answers(encodings: &[Encoding]) -> Vec<(&'static str, String)> {
    let mut answers = Vec::new();
    let octets = ranked(encodings, Encoding::octets);
    answers.extend(range(&octets, number).map(|line| ("fewest octets", format!("{line} octets"))));
    let air = ranked(encodings, Encoding::air_us);
    let on_air = |us: f64| format!("{us:.0} µs, {} stations", stations(us));
    answers.extend(range(&air, on_air).map(|line| ("on the channel", format!("{line} at {HERTZ} Hz"))));
    let (codec, by) = codec(encodings);
    let ns = |encoding: &Encoding| codec(encoding)?.ns();
    let times = ranked(encodings, ns);
    answers
        .extend(range(&times, |ns| format!("{} ns", number(ns))).map(|line| ("least time", format!("{line}, {by}"))));
    let unbeaten = unbeaten(encodings, ns);
    if !unbeaten.is_empty() {
        let what = "no other has both fewer octets and less time";
        answers.push(("both", format!("{}: {what}", unbeaten.join(", "))));
    }
    let memory = |encoding: &Encoding| {
        let Cost { heap, stack, .. } = &codec(encoding)?.ways[1];
        Some((*heap)? + (*stack)?)
    };
    let memory = ranked(encodings, memory);
    let line = range(&memory, number);
    answers.extend(line.map(|line| ("least memory", format!("{line} octets of heap and stack to decode"))));
    answers
}

/// The codecs whose time counts: generated code where there is some, else the interpreter.
pub(super) fn codec(encodings: &[Encoding]) -> (fn(&Encoding) -> Option<&Costs>, &'static str) {
    match encodings.iter().any(|encoding| encoding.generated().is_some()) {
        true => (Encoding::generated, "generated code, to encode and decode"),
        false => (Encoding::interpreter, "interpreter, to encode and decode"),
    }
}

/// Encodings by a number, the least first.
fn ranked(encodings: &[Encoding], of: impl Fn(&Encoding) -> Option<f64>) -> Vec<(&'static str, f64)> {
    let known = |encoding: &Encoding| Some((encoding.rules.name(), of(encoding)?));
    let mut ranked: Vec<_> = encodings.iter().filter_map(known).collect();
    ranked.sort_by(|a, b| a.1.total_cmp(&b.1));
    ranked
}

/// The least with all that are equal, the next, and the most.
fn range(ranked: &[(&'static str, f64)], show: impl Fn(f64) -> String) -> Option<String> {
    let (first, rest) = ranked.split_first()?;
    let equal = rest.iter().take_while(|(_, number)| show(*number) == show(first.1)).count();
    let names: Vec<&str> = ranked[..=equal].iter().map(|(name, _)| *name).collect();
    let more = names.len().saturating_sub(SHOWN);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let mut line = format!("{}{more} {}", names[..names.len().min(SHOWN)].join(", "), show(first.1));
    let others = &rest[equal..];
    if let Some((name, next)) = others.first() {
        line.push_str(&format!("; next {name} {}", show(*next)));
    }
    if let [_, .., (name, most)] = others {
        line.push_str(&format!("; most {name} {}", show(*most)));
    }
    Some(line)
}

/// Encodings that no other one beats in octets and in time.
pub(super) fn unbeaten(encodings: &[Encoding], ns: impl Fn(&Encoding) -> Option<f64>) -> Vec<&'static str> {
    let known: Vec<(&'static str, f64, f64)> =
        encodings.iter().filter_map(|one| Some((one.rules.name(), one.octets()?, ns(one)?))).collect();
    let beats = |(_, octets, ns): &(&str, f64, f64), other: &(&str, f64, f64)| {
        *octets <= other.1 && *ns <= other.2 && (*octets < other.1 || *ns < other.2)
    };
    known.iter().filter(|one| !known.iter().any(|other| beats(other, one))).map(|one| one.0).collect()
}

pub(super) fn rows(encodings: &[Encoding]) -> Vec<Row> {
    let has_generated = encodings.iter().any(|encoding| encoding.generated().is_some());
    let has_program = encodings.iter().any(|encoding| encoding.program().is_some());
    let has_peer = encodings.iter().any(|encoding| fastest_peer(encoding).is_some());
    let (codec, _) = codec(encodings);
    let mut rows = Vec::new();
    for encoding in encodings {
        let name = ("rules", json!(encoding.rules.name()));
        let (Some(octets), Some(shares)) = (encoding.octets(), encoding.shares()) else {
            // Those in which no value of the type has an encoding are in a note.
            if let (Err(why), false) = (&encoding.sizes, encoding.codecs.is_empty()) {
                rows.push(vec![name, ("why", json!(why))]);
            }
            continue;
        };
        let mut row = vec![name, ("octets", cell(Some(octets))), ("air µs", cell(encoding.air_us()))];
        row.push(("bits that are not value", json!(overhead(shares))));
        let way = |codec: Option<&Costs>, way: usize, of: fn(&Cost) -> Option<f64>| {
            cell(codec.and_then(|codec| of(&codec.ways[way])))
        };
        if has_generated {
            row.push(("generated: ns", way(encoding.generated(), 0, |cost| cost.ns)));
            row.push(("+", way(encoding.generated(), 1, |cost| cost.ns)));
        }
        if has_program {
            row.push(("program: ns", way(encoding.program(), 0, |cost| cost.ns)));
            row.push(("+", way(encoding.program(), 1, |cost| cost.ns)));
        }
        row.push(("interpreter: ns", way(encoding.interpreter(), 0, |cost| cost.ns)));
        row.push(("+", way(encoding.interpreter(), 1, |cost| cost.ns)));
        let of_codec = codec(encoding);
        let instructions = of_codec.and_then(|codec| Some(codec.ways[0].instructions? + codec.ways[1].instructions?));
        row.push(("instructions", cell(instructions)));
        row.push(("heap", way(of_codec, 1, |cost| cost.heap)));
        row.push(("stack", way(of_codec, 1, |cost| cost.stack)));
        if has_peer {
            let peer = fastest_peer(encoding).map(|(name, ns)| format!("{name} {} ns", number(ns)));
            row.push(("fastest peer", json!(peer.unwrap_or_else(|| "–".into()))));
        }
        rows.push(row);
    }
    rows
}

/// The causes of bits other than the value itself, the largest first.
fn overhead(shares: [f64; Measured::CAUSES.len()]) -> String {
    let mut causes: Vec<(&str, f64)> = Measured::CAUSES.into_iter().zip(shares).skip(1).collect();
    causes.sort_by(|a, b| b.1.total_cmp(&a.1));
    let shown = causes.iter().filter(|(_, share)| *share >= 0.005).take(2);
    let shown: Vec<String> = shown.map(|(cause, share)| format!("{cause} {:.0} %", share * 100.0)).collect();
    if shown.is_empty() { "–".into() } else { shown.join(", ") }
}

fn fastest_peer(encoding: &Encoding) -> Option<(&str, f64)> {
    let peers = encoding.codecs.iter().filter(|codec| ["peer", "by hand"].contains(&codec.kind));
    let times = peers.filter_map(|codec| Some((codec.engine.as_str(), codec.ns()?)));
    times.min_by(|a, b| a.1.total_cmp(&b.1))
}

/// Ten and more without decimals.
fn number(number: f64) -> String {
    if number < 9.95 && number.fract() != 0.0 { format!("{number:.1}") } else { format!("{number:.0}") }
}

fn cell(of: Option<f64>) -> Json {
    match of {
        None => json!("–"),
        Some(known) if known < 9.95 && known.fract() != 0.0 => json!((known * 10.0).round() / 10.0),
        Some(known) => json!(known.round() as i64),
    }
}

/// Notes on the columns, on implementations that confirm the octets, and on absent figures.
pub(super) fn notes(about: &About, encodings: &[Encoding], benched: &Benched) -> Vec<String> {
    let mut notes = vec![format!(
        "air: CAM's headers, digest of a certificate, 802.11p at 6 Mbit/s. ns: median to encode + to decode. instructions: both. heap, stack: octets to decode."
    )];
    if about.values > TIMED {
        notes.push(format!("Times, instructions and memory are of the first {TIMED} values."));
    }
    notes.push(confirmed(encodings));
    let mut absent: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for encoding in encodings {
        if let (Err(why), true) = (&encoding.sizes, encoding.codecs.is_empty()) {
            absent.entry(format!("no encoding: {why}")).or_default().push(encoding.rules.name());
        }
        for codec in encoding.codecs.iter().filter(|codec| codec.kind == "toed") {
            if let Some(why) = &codec.absent {
                absent.entry(format!("absent: {why}")).or_default().push(encoding.rules.name());
            }
        }
    }
    notes.extend(absent.into_iter().map(|(why, rules)| match rules.len() {
        1 => why,
        2..=5 => format!("{why} ({})", rules.join(", ")),
        count => format!("{why} ({count} encodings)"),
    }));
    notes.extend(benched.notes.iter().cloned());
    let mut missing: Vec<&String> = Vec::new();
    for why in benched.records.iter().filter(|record| record.absent.is_none()).flat_map(|record| &record.missing) {
        if !missing.contains(&why) {
            missing.push(why);
        }
    }
    notes.extend(missing.iter().take(SHOWN).map(|why| format!("absent: {why}")));
    if missing.len() > SHOWN {
        notes.push(format!("absent: {} more, in times.csv of --out", missing.len() - SHOWN));
    }
    notes
}

fn confirmed(encodings: &[Encoding]) -> String {
    let mut by: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for encoding in encodings {
        for name in encoding.generated().or(encoding.interpreter()).into_iter().flat_map(|codec| &codec.confirmed_by) {
            by.entry(name).or_default().push(encoding.rules.name());
        }
    }
    if by.is_empty() {
        return "No other implementation here confirms these octets.".to_owned();
    }
    let by: Vec<String> = by.iter().map(|(name, rules)| format!("{name} ({})", rules.join(", "))).collect();
    format!("Octets confirmed by {}.", by.join("; "))
}

/// A reason as far as it is shown: on one line.
fn short(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(WIDEST) {
        None => line,
        Some(_) => line.chars().take(WIDEST - 1).chain(['…']).collect(),
    }
}
