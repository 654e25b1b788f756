//! `docs/module-errors.md` has every code of the front end with its clause, and its modules give
//! the code that it says.

use std::path::Path;

use roadwire_asn1::{Compiled, Diagnostic, RULES, Severity, Source, compile};

const PAGE: &str = include_str!("../../../docs/module-errors.md");

/// The cells of the table, without backquotes.
fn rows() -> Vec<[&'static str; 5]> {
    let lines = PAGE.lines().filter(|line| line.starts_with("| `asn1."));
    lines
        .map(|line| {
            let cells: Vec<&str> =
                line.trim_matches('|').split('|').map(|cell| cell.trim().trim_matches('`')).collect();
            <[&str; 5]>::try_from(cells).unwrap_or_else(|cells| panic!("{} cells: {line}", cells.len()))
        })
        .collect()
}

/// The worst that is found in a module: errors, or else warnings and notes.
fn found(text: &str) -> Vec<Diagnostic> {
    let text = match text.contains("DEFINITIONS") {
        true => text.to_owned(),
        false => format!("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN {text} END"),
    };
    match compile(&[Source::new("m.asn", text)]) {
        Ok(Compiled { warnings, notes, .. }) => warnings.iter().chain(notes.iter()).cloned().collect(),
        Err(found) => found.iter().filter(|one| one.severity == Severity::Error).cloned().collect(),
    }
}

#[test]
fn the_table_of_codes_is_that_of_the_front_end() {
    let rows = rows();
    assert!(rows.windows(2).all(|pair| pair[0][0] < pair[1][0]), "in alphabetical order");
    let told: Vec<(&str, &str, String)> =
        rows.iter().map(|[code, _, rule, _, by]| (*code, *rule, (*by).to_owned())).collect();
    let wanted: Vec<(&str, &str, String)> =
        RULES.iter().map(|rule| (rule.code, rule.clause, rule.taken_by.join(", "))).collect();
    assert_eq!(told, wanted);
}

#[test]
fn each_module_of_the_table_gives_its_code() {
    let mut wrong = Vec::new();
    for [code, _, _, module, _] in rows() {
        if code == "asn1.text.encoding" {
            let latin = b"M DEFINITIONS ::= BEGIN A ::= NULL END -- \xe9".to_vec();
            let compiled = compile(&[Source::new("m.asn", latin)]).expect("it is read");
            assert_eq!(compiled.warnings.iter().map(|one| one.code).collect::<Vec<_>>(), [code]);
            continue;
        }
        let found: Vec<&str> = found(module).iter().map(|one| one.code).collect();
        if found != [code] {
            wrong.push(format!("{module}: {code} is wanted, and there is {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Each code that the source has, those of limits aside.
#[test]
fn every_code_has_a_rule() {
    fn codes(folder: &Path, all: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).expect("the source is there") {
            let path = entry.expect("the source is there").path();
            if path.is_dir() {
                codes(&path, all);
                continue;
            }
            let text = std::fs::read_to_string(&path).expect("text");
            let parts = text.split('"').filter(|part| part.starts_with("asn1.") && !part.contains(' '));
            all.extend(parts.filter(|part| !part.starts_with("asn1.limit.")).map(str::to_owned));
        }
    }
    let mut all = Vec::new();
    codes(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/resolve"), &mut all);
    codes(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/parse"), &mut all);
    assert!(all.len() > 60);
    all.retain(|code| !RULES.iter().any(|rule| rule.code == code));
    assert!(all.is_empty(), "{all:?}");
}

#[test]
fn a_message_names_its_clause_once() {
    let told = |text: &str| {
        let found = found(text);
        (found[0].message.contains("(X."), found[0].rule, found[0].render())
    };
    let (is_named, rule, shown) = told("A ::= SEQUENCE { a NULL, a BOOLEAN }");
    assert_eq!((is_named, rule), (false, Some("X.680 §25.14")));
    assert!(shown.ends_with("  = rule: X.680 §25.14\n"), "{shown}");
    let (is_named, rule, shown) = told("A ::= INTEGER (3..1)");
    assert_eq!((is_named, rule), (true, None));
    assert!(shown.ends_with("  = note: accepted by asn1tools 0.169, pycrate 0.8.1\n"), "{shown}");
}
