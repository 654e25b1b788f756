//! Any text must give a result: no panic, in bounded time and memory. No clock is read here, since
//! a busy machine is not an error: unbounded work would not terminate, and bounded work is refused
//! by its limit.

#[path = "../../source/tests/support/mutants.rs"]
mod mutants;
#[path = "../../source/tests/support/shared.rs"]
mod shared;

use mutants::{Random, mutant};
use roadwire_asn1::{Diagnostics, Source, compile};

fn errors(text: &str) -> Diagnostics {
    compile(&[Source::new("m.asn", text)]).err().unwrap_or_default()
}

fn module(body: &str) -> String {
    format!("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN\n{body}\nEND\n")
}

fn codes(body: &str) -> Vec<&'static str> {
    errors(&module(body)).iter().map(|d| d.code).collect()
}

const PIECES: &[&str] = &[
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "[[",
    "]]",
    "::=",
    "...",
    "..",
    ",",
    "@",
    "|",
    "<",
    "--",
    "/*",
    "\"",
    "'",
    "&",
    "SEQUENCE",
    "CHOICE {",
    "OPTIONAL",
    "DEFAULT",
    "WITH COMPONENTS {",
    "SIZE",
    "FROM",
    "END",
    "BEGIN",
    "IMPORTS",
    "T",
    "A",
    "a",
    "0",
    "-1",
    "99999999999999999999999",
    "MIN",
    "MAX",
    "EXCEPT",
    "COMPONENTS OF A",
    "CLASS",
    "\u{e9}",
];

#[test]
fn mutated_modules_are_answered() {
    let mut texts: Vec<Vec<u8>> = [include_str!("cases/accepted.md"), include_str!("cases/rejected.md")]
        .iter()
        .flat_map(|file| file.split("```asn1\n").skip(1))
        .filter_map(|part| part.split("```").next())
        .map(|body| if body.contains("DEFINITIONS") { body.to_owned() } else { module(body) }.into_bytes())
        .collect();
    if let Some(folder) = shared::shared("modules") {
        let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        texts.extend(
            files.filter(|file| file.extension().is_some_and(|e| e == "asn")).map(|file| std::fs::read(file).unwrap()),
        );
    }
    assert!(texts.len() > 20);
    let mut random = Random(0x5eed);
    let rounds = if cfg!(debug_assertions) { 12 } else { 200 };
    for _ in 0..rounds {
        for text in &texts {
            let bytes = mutant(&mut random, text, PIECES);
            let shown = String::from_utf8_lossy(&bytes).into_owned();
            let result = std::panic::catch_unwind(|| compile(&[Source::new("mutant", bytes)]));
            let result = result.unwrap_or_else(|_| panic!("panic on:\n{shown}"));
            if let Err(found) = result {
                let _ = found.render();
                assert!(!found.is_empty(), "refused without a reason:\n{shown}");
            }
        }
    }
}

#[test]
fn deep_nesting_is_cut() {
    let deep = |open: &str, close: &str| format!("{}NULL{}", open.repeat(100_000), close.repeat(100_000));
    assert_eq!(codes(&format!("A ::= {}", deep("SEQUENCE OF ", ""))), ["asn1.limit.nesting"]);
    assert_eq!(codes(&format!("A ::= {}", deep("SEQUENCE { a ", "}"))), ["asn1.limit.nesting"]);
    assert_eq!(codes(&format!("A ::= INTEGER ({}", deep("(", ")"))), ["asn1.limit.nesting"]);
    assert_eq!(codes(&format!("a A ::= {}", deep("{", "}"))), ["asn1.limit.nesting"]);
    assert_eq!(codes(&format!("a A ::= {}", deep("x : ", ""))), ["asn1.limit.nesting"]);
    assert_eq!(codes(&format!("B{{X}} ::= X A ::= B{}", deep("{B", "}"))), ["asn1.limit.nesting"]);
    let syntax = format!("A ::= CLASS {{ &a INTEGER }} WITH SYNTAX {{ {} ", "[A ".repeat(100_000));
    assert_eq!(codes(&syntax), ["asn1.limit.nesting"]);
    assert!(errors(&"{".repeat(200_000)).len() == 1);
}

#[test]
fn endless_chains_are_cut() {
    let chain: String = (0..20_000).map(|i| format!("T{i} ::= T{}\n", i + 1)).collect();
    assert!(codes(&format!("{chain}T20000 ::= NULL")).contains(&"asn1.limit.chain"));
    let chain: String = (0..20_000).map(|i| format!("v{i} INTEGER ::= v{}\n", i + 1)).collect();
    assert!(codes(&format!("{chain}v20000 INTEGER ::= 5")).contains(&"asn1.limit.chain"));
}

#[test]
fn chains_of_components_need_no_depth() {
    let chain: String = (0..20_000).map(|i| format!("T{i} ::= SEQUENCE {{ a T{} }}\n", i + 1)).collect();
    assert_eq!(codes(&format!("{chain}T20000 ::= NULL")), [""; 0]);
}

#[test]
fn parameterised_types_that_grow_are_cut() {
    let found = codes(
        "P{T} ::= SEQUENCE { a P{Q{T}} OPTIONAL, b P{R{T}} OPTIONAL } Q{T} ::= SET OF T R{T} ::= SET OF T A ::= P{NULL}",
    );
    assert!(found.contains(&"asn1.limit.instance"), "{found:?}");
    let found = codes("P{T} ::= SEQUENCE { a P{SEQUENCE { x T, y T }} OPTIONAL } A ::= P{NULL}");
    assert!(found.contains(&"asn1.limit.instance"), "{found:?}");
}

#[test]
fn doubling_is_cut() {
    let doubling = |first: &str, line: &dyn Fn(usize) -> String| {
        let rest: Vec<String> = (1..60).map(line).collect();
        codes(&format!("{first}\n{}", rest.join("\n")))
    };
    let found = doubling("T0 ::= SEQUENCE {}", &|i| {
        format!("T{i} ::= SEQUENCE {{ COMPONENTS OF T{0}, COMPONENTS OF T{0} }}", i - 1)
    });
    assert!(found.contains(&"asn1.limit.components"), "{found:?}");
    let found = doubling("L ::= SEQUENCE OF L v0 L ::= {}", &|i| format!("v{i} L ::= {{ v{0}, v{0} }}", i - 1));
    assert!(found.contains(&"asn1.limit.copies"), "{found:?}");
    let found = doubling("C ::= CLASS { &a INTEGER } S0 C ::= { { &a 1 } | { &a 2 } }", &|i| {
        format!("S{i} C ::= {{ S{0} | S{0} }}", i - 1)
    });
    assert!(found.iter().all(|c| c.starts_with("asn1.limit.")), "{found:?}");
}

#[test]
fn objects_from_objects_again_and_again_are_cut() {
    let class = "C ::= CLASS { &id INTEGER UNIQUE, &Next C }";
    let objects: String = (0..300).map(|i| format!("o{i} C ::= {{ &id {i}, &Next {{ All }} }}\n")).collect();
    let all: Vec<String> = (0..300).map(|i| format!("o{i}")).collect();
    let chain = |steps: usize| {
        codes(&format!(
            "{class} {objects} All C ::= {{ {} }} Far C ::= {{ All{} }}",
            all.join("|"),
            ".&Next".repeat(steps)
        ))
    };
    assert_eq!(chain(3), [""; 0]);
    assert_eq!(chain(100), ["asn1.limit.copies"]);
}

/// Each definition uses the one before twice, in arguments of types, of values and of sets.
#[test]
fn exponential_parameterisation_is_cut() {
    let doubling = |first: &str, line: &dyn Fn(usize) -> String, last: &str| {
        let lines: Vec<String> = (1..40).map(line).collect();
        codes(&format!("{first}\n{}\n{last}", lines.join("\n")))
    };
    let found = doubling(
        "D0{A, B} ::= SEQUENCE { a A, b B }",
        &|i| format!("D{i}{{A, B}} ::= D{0}{{D{0}{{A, B}}, D{0}{{B, A}}}}", i - 1),
        "T ::= D39{NULL, BOOLEAN}",
    );
    assert_eq!(found, ["asn1.limit.instance"]);
    let found = doubling(
        "D0{A} ::= SEQUENCE { a A }",
        &|i| format!("D{i}{{A}} ::= SEQUENCE {{ x D{0}{{SET OF A}}, y D{0}{{SEQUENCE OF A}} }}", i - 1),
        "T ::= D39{NULL}",
    );
    assert_eq!(found, ["asn1.limit.instance"]);
    let found = doubling(
        "v0{INTEGER:n} INTEGER ::= n",
        &|i| format!("v{i}{{INTEGER:n}} INTEGER ::= v{0}{{v{0}{{n}}}}", i - 1),
        "T ::= INTEGER (0..v39{5})",
    );
    assert_eq!(found, ["asn1.limit.chain"]);
    let found = doubling(
        "C ::= CLASS { &id INTEGER UNIQUE, &T } S0{C:X} C ::= { X | { &id 1, &T NULL } }",
        &|i| format!("S{i}{{C:X}} C ::= {{ S{0}{{{{X}}}} | S{0}{{{{X | X}}}} }}", i - 1),
        "T ::= SEQUENCE { i C.&id ({S39{{ {&id 2, &T NULL} }}}) }",
    );
    assert!(!found.is_empty() && found.iter().all(|code| code.starts_with("asn1.limit.")), "{found:?}");
}

#[test]
fn circles_of_object_sets_are_told() {
    let class = "C ::= CLASS { &id INTEGER UNIQUE, &T OPTIONAL, &O C OPTIONAL, &o C OPTIONAL }";
    let circular = |body: &str| {
        let found = codes(&format!("{class} {body} T ::= SEQUENCE {{ i C.&id ({{A}}) }}"));
        assert!(!found.is_empty() && found.iter().all(|code| *code == "asn1.object.circular"), "{body}: {found:?}");
    };
    circular("A C ::= { A }");
    circular("A C ::= { B | { &id 1 }, ... } B C ::= { A, ... }");
    circular("P{C:X} C ::= { P{{X}} } A C ::= { P{{A}} }");
    circular(
        "a C ::= { &id 1, &O { A }, &o b } b C ::= { &id 2, &O { B | A }, &o a } A C ::= { a.&O | B.&O | b } B C ::= { A.&o | A }",
    );
    // Through a type there is no circle.
    assert_eq!(
        codes(&format!(
            "{class} A C ::= {{ {{ &id 1, &T T }} }} T ::= SEQUENCE {{ i C.&id ({{A}}), t C.&T ({{A}}{{@i}}) OPTIONAL }}"
        )),
        [""; 0]
    );
}

#[test]
fn large_types_named_often_are_cut() {
    let members: Vec<String> = (0..15_000).map(|i| format!("m{i} NULL")).collect();
    let uses: Vec<String> = (0..15_000).map(|i| format!("u{i} Big")).collect();
    let found = codes(&format!("Big ::= SEQUENCE {{ {} }} A ::= CHOICE {{ {} }}", members.join(","), uses.join(",")));
    assert!(found.contains(&"asn1.limit.copies"), "{found:?}");
}

#[test]
fn long_numbers_are_cut() {
    let found = codes(&format!("a INTEGER ::= {}", "9".repeat(1_000_000)));
    assert_eq!(found, ["asn1.limit.number"]);
    let found = codes("A ::= BIT STRING { far(18446744073709551615) } b A ::= { far }");
    assert_eq!(found, ["asn1.limit.bits"]);
}

#[test]
fn thousands_of_errors_are_not_thousands_of_pages() {
    let found = errors(&module(&"A ::= SEQUENCE { a B b C }\n".repeat(20_000)));
    assert!(!found.is_empty() && found.len() <= 200, "{}", found.len());
}

/// After an error in a part of a value the other parts are read, and fields of objects are read at
/// each use: in a circle there would be more and more.
#[test]
fn circles_of_objects_with_two_ways_are_cut() {
    let class = "C ::= CLASS { &v T } T ::= SEQUENCE { a T OPTIONAL, b T OPTIONAL } L ::= SEQUENCE OF L";
    let two = format!("{class} o C ::= {{ &v {{ a o.&v, b o.&v }} }} t T ::= o.&v");
    assert!(codes(&two).iter().all(|code| *code == "asn1.limit.chain"), "{:?}", codes(&two));
    let lists = "D ::= CLASS { &v L } L ::= SEQUENCE OF L o D ::= { &v { o.&v, o.&v, o.&v } }";
    assert!(codes(lists).iter().all(|code| *code == "asn1.limit.chain"), "{:?}", codes(lists));
    let levels: String = (1..50).map(|at| format!("P{at}{{C:X}} ::= P{}{{{{X | X}}}} ", at - 1)).collect();
    let sets =
        format!("{class} P0{{C:X}} ::= SEQUENCE {{ a C.&v ({{X}}) }} {levels} A ::= P49{{{{missing | missing}}}}");
    assert_eq!(codes(&sets), ["asn1.name.unknown"]);
}
