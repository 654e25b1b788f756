//! `docs/faults.md` has each fault, and what happens here. With `ROADWIRE_BLESS` set, it is written
//! anew.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use roadwire_faults::{Fault, Here, table};

use crate::rust::{Found, happens};
use crate::{Subject, c};

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/faults.md");

#[test]
fn page_has_each_fault() {
    let page = page();
    if std::env::var_os("ROADWIRE_BLESS").is_some() {
        std::fs::write(PAGE, &page).expect("the page can be written");
    }
    let written = std::fs::read_to_string(PAGE).expect("the page");
    assert!(written == page, "docs/faults.md is not what happens: ROADWIRE_BLESS=1 writes it anew");
}

#[test]
fn faults_have_names_of_their_own_and_identifiers() {
    let faults = table().fault;
    let names: BTreeSet<&str> = faults.iter().map(|fault| fault.name.as_str()).collect();
    assert_eq!(names.len(), faults.len());
    let numbers = |text: &str| !text.is_empty() && text.bytes().all(|octet| octet.is_ascii_digit());
    for Fault { name, ids, .. } in &faults {
        let is_identifier = |id: &String| match id.strip_prefix("CVE-").map(|rest| rest.split_once('-')) {
            Some(Some((year, number))) => numbers(year) && numbers(number),
            _ => id.split_once('#').is_some_and(|(repository, number)| repository.contains('/') && numbers(number)),
        };
        assert!(!ids.is_empty() && ids.iter().all(is_identifier), "{name}: {ids:?}");
    }
}

fn page() -> String {
    let faults = table().fault;
    let ids: BTreeSet<&str> = faults.iter().flat_map(|fault| &fault.ids).map(String::as_str).collect();
    let cves = ids.iter().filter(|id| id.starts_with("CVE-")).count();
    let subjects: Vec<Option<Subject>> = faults.iter().map(Subject::of).collect();
    let with_c = subjects.iter().flatten().filter(|subject| c::has_c(subject)).count();
    let mut page = INTRODUCTION
        .replace("FAULTS", &faults.len().to_string())
        .replace("CVES", &cves.to_string())
        .replace("OTHERS", &(ids.len() - cves).to_string())
        .replace("WITH_C", &with_c.to_string());
    let mut classes: Vec<&str> = Vec::new();
    for fault in &faults {
        if !classes.contains(&fault.class.as_str()) {
            classes.push(&fault.class);
        }
    }
    for class in classes {
        let (first, rest) = class.split_at(1);
        let head =
            "| test | identifiers | what happened there | rules | C | what happens here |\n|---|---|---|---|---|---|";
        write!(page, "\n## {}{rest}\n\n{head}\n", first.to_uppercase()).expect("a string");
        for (fault, subject) in faults.iter().zip(&subjects).filter(|(fault, _)| fault.class == class) {
            page += &row(fault, subject.as_ref());
        }
    }
    page
}

fn row(fault: &Fault, subject: Option<&Subject>) -> String {
    let Fault { name, ids, product, there, limit, .. } = fault;
    let rules = fault.rules.as_deref().unwrap_or("–");
    let has_c = if subject.is_some_and(c::has_c) { "yes" } else { "–" };
    let limit = limit.as_ref().map(|limit| format!(" The limit: {limit}.")).unwrap_or_default();
    let here = format!("{}{limit}", said(&happens(fault)));
    let cells = [&format!("`{name}`"), &ids.join(", "), &format!("{product}: {there}"), rules, has_c, &here];
    format!("| {} |\n", cells.map(|cell| cell.replace('|', "\\|")).join(" | "))
}

/// The result in words.
fn said(found: &Found) -> String {
    let words = &found.words;
    match &found.here {
        Here::Refused { code, bit, path } => {
            let path = if path.is_empty() { String::new() } else { format!(" in `{path}`") };
            format!("`{code}` at bit {bit}{path}: {words}.")
        }
        Here::Taken { value, breaks, canonical } => {
            let value = match value.starts_with("limit.") {
                true => format!("A value, which text refuses by `{value}`."),
                false => format!("The value `{value}`."),
            };
            let canonical = canonical.map(|bit| {
                format!(" Canonical decoding and `--strict` refuse it by `input.not-canonical` at bit {bit}.")
            });
            let breaks = match breaks.split_once(" in ") {
                Some((code, path)) => format!(" A violation, which `--strict` refuses: `{code}` in `{path}`: {words}."),
                None => String::new(),
            };
            format!("{value}{breaks}{}", canonical.unwrap_or_default())
        }
        Here::Module { codes } => format!("`{}`: {words}.", codes.join("`, `")),
        Here::Verdict { verdict, reason } => format!("The verdict `{verdict}`: {reason}."),
    }
}

const INTRODUCTION: &str = "\
# Faults of other implementations, replayed

CVES faults with a CVE number and OTHERS issues of other decoders, as FAULTS inputs with the same
causes. Each input gives a value or an error with a code and a place, and none a panic, an endless
loop or more memory than the [limits](limits.md) allow. Values can be encoded again, but for the
one that says otherwise. `crates/faults/faults.toml` has the types and the octets.

Inputs are the published ones where the table says so, and otherwise built from the description of
the fault. A fault without a counterpart is left out, such as one of a user interface.

Each fault is a test with its name: `cargo test -p roadwire-faults` runs it in Rust, by the
interpreter and by generated code, and in C, and writes this page if `ROADWIRE_BLESS` is set.
`bindings/python/tests/test_faults.py` runs it in Python. WITH_C types have C (column *C*),
compiled with address and undefined behaviour sanitizers where the compiler has them. C takes the
values that the interpreter takes, and refuses the rest.
";
