//! How a program of an older version treats parts that it does not know, from each encoding to each
//! other: `docs/unknown.md` has the tables.
#![cfg(feature = "schema")]

use std::fmt::Write as _;

use roadwire::{Rules, Schema, Source};
use roadwire_layout::Family;

const PAGE: &str = include_str!("../../../docs/unknown.md");

/// A part of a later version: the older version's definitions, the later ones, and a value that has
/// the part.
struct Part {
    name: &'static str,
    old: &'static str,
    new: &'static str,
    value: &'static str,
}

const PARTS: [Part; 7] = [
    Part {
        name: "Enumeration items",
        old: "A ::= SEQUENCE { e ENUMERATED { a, z(9), ... } }",
        new: "A ::= SEQUENCE { e ENUMERATED { a, z(9), ..., b(20) } }",
        value: r#"{"e":"b"}"#,
    },
    Part {
        name: "Alternatives",
        old: "A ::= SEQUENCE { c CHOICE { a NULL, ... } }",
        new: "A ::= SEQUENCE { c CHOICE { a NULL, ..., b INTEGER (0..1000) } }",
        value: r#"{"c":{"b":300}}"#,
    },
    Part {
        name: "additions",
        old: "A ::= SEQUENCE { a BOOLEAN, ... }",
        new: "A ::= SEQUENCE { a BOOLEAN, ..., b INTEGER (0..1000) }",
        value: r#"{"a":true,"b":300}"#,
    },
    Part {
        name: "addition groups",
        old: "A ::= SEQUENCE { a BOOLEAN, ... }",
        new: "A ::= SEQUENCE { a BOOLEAN, ..., [[ b INTEGER (0..1000), c NULL OPTIONAL ]] }",
        value: r#"{"a":true,"b":300}"#,
    },
    Part {
        name: "additions to a SET",
        old: "A ::= SET { a BOOLEAN, ... }",
        new: "A ::= SET { a BOOLEAN, ..., b INTEGER (0..1000) }",
        value: r#"{"a":true,"b":300}"#,
    },
    Part {
        name: "additions to what a string contains",
        old: "A ::= SEQUENCE { o OCTET STRING (CONTAINING B) } B ::= SEQUENCE { a BOOLEAN, ... }",
        new: "A ::= SEQUENCE { o OCTET STRING (CONTAINING B) } B ::= SEQUENCE { a BOOLEAN, ..., b INTEGER (0..1000) }",
        value: r#"{"o":{"containing":{"a":true,"b":300}}}"#,
    },
    Part {
        name: "content of open types",
        old: "C ::= CLASS { &id INTEGER UNIQUE, &T } S C ::= { { &id 1, &T NULL }, ... } \
              A ::= SEQUENCE { i C.&id ({S}), o C.&T ({S}{@i}) }",
        new: "C ::= CLASS { &id INTEGER UNIQUE, &T } S C ::= { { &id 1, &T NULL }, ..., { &id 2, &T INTEGER (0..1000) } } \
              A ::= SEQUENCE { i C.&id ({S}), o C.&T ({S}{@i}) }",
        value: r#"{"i":2,"o":300}"#,
    },
];

fn schema(definitions: &str) -> Schema {
    let text = format!("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN {definitions} END");
    Schema::compile(vec![Source::new("m.asn", text)]).unwrap()
}

fn all() -> Vec<Rules> {
    Rules::ALL.into_iter().filter(|rules| rules.is_for_asn1()).collect()
}

/// The fate of a part, from one encoding to another.
fn cell(old: &Schema, new: &Schema, value: &str, from: Rules, to: Rules) -> &'static str {
    let [of_old, of_new] = [old, new].map(|schema| schema.find(Some("A")).unwrap());
    let meant = new.decode(of_new, Rules::Jer, value.as_bytes()).unwrap();
    let sent = new.encode(of_new, from, &meant).unwrap();
    let Ok(seen) = old.decode(of_old, from, &sent) else { return "-" };
    let Ok(carried) = old.convert(of_old, from, to, &sent) else { return "no" };
    if new.decode(of_new, to, &carried).is_ok_and(|read| read == meant) {
        return "yes";
    }
    // Octets that JER shows are read back as the same octets.
    let back = old.decode(of_old, to, &carried);
    if to == Rules::Jer && back.is_ok_and(|back| back == seen) {
        return "shown";
    }
    // EXI needs the same schema on both sides (EXI §8): an item has the place that it has among all
    // items.
    assert_eq!(from.family(), Family::Events, "{value}: {from} to {to} is neither carried nor refused: {carried:02x?}");
    "other"
}

/// The table of one kind of parts.
fn table(part: &Part) -> String {
    let (old, new) = (schema(part.old), schema(part.new));
    let mut text = String::from("| from \\ to |");
    all().iter().for_each(|to| text.push_str(&format!(" {to} |")));
    let _ = write!(text, "\n| --- |{}\n", " --- |".repeat(all().len()));
    for from in all() {
        let _ = write!(text, "| {from} |");
        all().iter().for_each(|to| text.push_str(&format!(" {} |", cell(&old, &new, part.value, from, *to))));
        text.push('\n');
    }
    text
}

/// The tables of all kinds of parts; kinds with the same table share it.
fn tables() -> String {
    let mut tables: Vec<(String, String)> = Vec::new();
    for part in &PARTS {
        let table = table(part);
        match tables.iter_mut().find(|(_, other)| *other == table) {
            Some((names, _)) => names.push_str(&format!(", {}", part.name)),
            None => tables.push((part.name.to_owned(), table)),
        }
    }
    tables.iter().map(|(names, table)| format!("\n### {names}\n\n{table}")).collect()
}

#[test]
fn the_tables_are_what_happens() {
    let tables = tables();
    if std::env::var_os("ROADWIRE_BLESS").is_some() {
        let (text, _) = PAGE.split_once("<!-- tables -->\n").expect("there is a place for the tables");
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/unknown.md");
        std::fs::write(path, format!("{text}<!-- tables -->\n{tables}")).expect("written");
        return;
    }
    let (_, told) = PAGE.split_once("<!-- tables -->\n").expect("there is a place for the tables");
    assert_eq!(told, tables, "ROADWIRE_BLESS=1 writes the tables anew");
}
