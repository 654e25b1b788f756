//! `docs/errors.md` has every code, and its examples give the code that it says.

use std::collections::BTreeSet;

use roadwire_asn1::{Source, compile};
use roadwire_layout::{Rules, lower};
use roadwire_model::Value;
use roadwire_wire::faults;

const PAGE: &str = include_str!("../../../docs/errors.md");

/// The sources of codes that are not faults of encodings: kinds of errors, reported violations, and
/// recorded traffic.
const SOURCES: [&str; 6] = [
    include_str!("../../wire/src/error.rs"),
    include_str!("../../model/src/check/mod.rs"),
    include_str!("../../model/src/check/constraints.rs"),
    include_str!("../../model/src/order.rs"),
    include_str!("../../roadwire/src/codec.rs"),
    include_str!("../../capture/src/fault.rs"),
];

/// Sources that have other texts with points, and what their codes begin with.
const PREFIXED: [(&str, &str); 11] = [
    ("where.", include_str!("../../recording/src/filter/mod.rs")),
    ("where.", include_str!("../../recording/src/filter/parse.rs")),
    ("columns.", include_str!("../../columns/src/lib.rs")),
    ("columns.", include_str!("../../columns/src/node.rs")),
    ("columns.", include_str!("../../columns/src/plan.rs")),
    ("columns.", include_str!("../../columns/src/rows.rs")),
    ("columns.", include_str!("../../columns/src/rows/make.rs")),
    ("columns.", include_str!("../../columns/src/unknown.rs")),
    ("sign.", include_str!("../../cli/src/commands/sign.rs")),
    ("key.", include_str!("../../cli/src/commands/sign.rs")),
    ("additions.", include_str!("../../../bindings/python/src/unknown.rs")),
];

/// A line of one of the page's tables.
struct Row {
    code: &'static str,
    meaning: &'static str,
    /// Encoding rules, type and octets; empty where no example is given.
    example: [&'static str; 3],
    /// The message of the example.
    message: &'static str,
}

fn rows() -> Vec<Row> {
    let cells = |line: &'static str| line.strip_prefix("| `")?.strip_suffix(" |")?.split_once("` | ");
    let row = |line: &'static str| {
        let (code, rest) = cells(line)?;
        let mut rest = rest.split(" | ");
        let meaning = rest.next()?.trim_end_matches(" |");
        let example = [rest.next(), rest.next(), rest.next()].map(|cell| cell.unwrap_or("").trim_matches([' ', '`']));
        let message = rest.next().unwrap_or("").trim();
        Some(Row { code, meaning, example, message })
    };
    PAGE.lines().filter_map(row).collect()
}

#[test]
fn every_code_is_on_the_page() {
    let rows = rows();
    for fault in faults::FAMILIES.concat() {
        let is_it = |row: &&Row| row.code == fault.code() && row.meaning.starts_with(fault.text());
        assert_eq!(rows.iter().filter(is_it).count(), 1, "`{}`: {}", fault.code(), fault.text());
    }
    let on_page: BTreeSet<&str> = rows.iter().map(|row| row.code).collect();
    let mut others: BTreeSet<&str> = SOURCES.iter().copied().flat_map(codes).collect();
    for (prefix, source) in PREFIXED {
        others.extend(codes(source).filter(|code| code.starts_with(prefix)));
    }
    assert!(others.len() > 20, "they are found: {others:?}");
    let all: BTreeSet<&str> =
        others.into_iter().chain(faults::FAMILIES.concat().iter().map(|fault| fault.code())).collect();
    assert_eq!(on_page, all);
}

/// The string literals that are codes, outside of comments and tests.
fn codes(source: &'static str) -> impl Iterator<Item = &'static str> {
    let plain = |octet: u8| octet.is_ascii_lowercase() || octet.is_ascii_digit() || octet == b'-';
    let is_part =
        move |part: &str| part.starts_with(|first: char| first.is_ascii_lowercase()) && part.bytes().all(plain);
    let is_code = move |text: &&str| text.contains('.') && text.split('.').all(is_part);
    let code = source.split("#[cfg(test)]").next().unwrap_or("");
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.flat_map(|line| line.split('"').skip(1).step_by(2)).filter(is_code)
}

#[test]
fn examples_give_their_code() {
    let (mut run, mut wrong, mut blessed) = (BTreeSet::new(), Vec::new(), PAGE.to_owned());
    for row in rows().iter().filter(|row| !row.example[0].is_empty()) {
        let [rules, text, octets] = row.example;
        let (text, octets) = (text.replace("\\|", "|"), octets.replace("\\|", "|"));
        let (found, message) = code_of(rules, &text, &octets_of(&octets));
        let message = message.replace('|', "\\|");
        blessed = blessed.replacen(&line_of(row, row.message), &line_of(row, &message), 1);
        if found == row.code && message == row.message {
            run.insert((row.code, row.meaning));
        } else {
            wrong.push(format!("`{}` | {rules} | {text} | {octets}: {found}: {message}", row.code));
        }
    }
    if std::env::var_os("ROADWIRE_BLESS").is_some() {
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/errors.md");
        std::fs::write(page, blessed).expect("the page can be written");
    }
    assert!(wrong.is_empty(), "{} examples:\n{}", wrong.len(), wrong.join("\n"));
    let faults = faults::FAMILIES.concat();
    let told = faults
        .iter()
        .filter(|fault| run.iter().any(|(code, text)| *code == fault.code() && text.starts_with(fault.text())));
    let told = told.count();
    assert!(told >= 170, "{told} faults have an example");
}

/// A row of the page with an example and its message.
fn line_of(row: &Row, message: &str) -> String {
    let [rules, text, octets] = row.example;
    let octets = if octets.is_empty() { String::new() } else { format!("`{octets}`") };
    format!("| `{}` | {} | {rules} | `{text}` | {octets} | {message} |\n", row.code, row.meaning)
}

/// The result of decoding the octets: the error's code and message, or the value.
fn code_of(rules: &str, text: &str, octets: &[u8]) -> (String, String) {
    let rules: Rules = rules.parse().unwrap_or_else(|_| panic!("there are no rules {rules}"));
    // A type, or definitions that include `A`.
    let definitions = if text.contains("::=") { text.to_owned() } else { format!("A ::= {text}") };
    let module = format!("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN {definitions} END");
    let model = if rules.is_for_asn1() {
        compile(&[Source::new("m.asn", module.as_str())])
    } else {
        roadwire_presentation::compile(&[Source::new("m.tls", text)])
    };
    let model = model.unwrap_or_else(|errors| panic!("{text}: {}", errors.render())).model;
    let root = model.find("A").expect("there is an A");
    let layout = lower(&model, root, rules).unwrap_or_else(|error| panic!("{text}: {error}"));
    let mut value = Value::Unset;
    match roadwire_engine::decode(&layout, octets, &mut value) {
        Ok(_) => (format!("{value:?}"), String::new()),
        Err(error) => (error.kind.code().to_owned(), error.message().to_string()),
    }
}

/// Hexadecimal digits; or text, recognised by other characters than digits and spaces. `‹text›×N`
/// is the text N times, and a bar has a backslash in front.
fn octets_of(cell: &str) -> Vec<u8> {
    let mut text = String::new();
    let mut rest = cell;
    while let Some((before, (piece, after))) =
        rest.split_once('‹').and_then(|(one, two)| Some((one, two.split_once("›×")?)))
    {
        let digits = after.find(|character: char| !character.is_ascii_digit()).unwrap_or(after.len());
        let times = after[..digits].parse().expect("a number");
        text.push_str(before);
        text.push_str(&piece.repeat(times));
        rest = &after[digits..];
    }
    text.push_str(rest);
    let digits: Vec<u32> = text.chars().filter(|one| *one != ' ').map_while(|one| one.to_digit(16)).collect();
    if digits.len() != text.chars().filter(|one| *one != ' ').count() {
        return text.into_bytes();
    }
    assert!(digits.len() % 2 == 0, "half an octet: {cell}");
    digits.chunks(2).map(|pair| (pair[0] << 4 | pair[1]) as u8).collect()
}
