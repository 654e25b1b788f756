//! Any text must give a result: no panic, in bounded time and memory. No clock is read here, since
//! a busy machine is not an error.

#[path = "../../source/tests/support/mutants.rs"]
mod mutants;

use mutants::{Random, mutant};
use roadwire_presentation::{Diagnostics, Source, compile};

fn errors(text: impl Into<Vec<u8>>) -> Diagnostics {
    let found = compile(&[Source::new("m.tls", text)]).err().unwrap_or_default();
    assert!(found.is_empty() || !found.render().is_empty());
    found
}

fn codes(text: &str) -> Vec<&'static str> {
    errors(text).iter().map(|found| found.code).collect()
}

const PIECES: [&str; 37] = [
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "<",
    ">",
    "<var>",
    "..",
    "...",
    ",",
    ";",
    ":",
    "=",
    "^",
    "-",
    "/*",
    "*/",
    "//",
    "struct {",
    "enum {",
    "flags {",
    "select (a) {",
    "case a:",
    "default:",
    "unknown:",
    "extern uint8 a;",
    "if_set (a, b) {",
    "if_any_set (a, b, c) {",
    "else {",
    "ordered",
    "opaque",
    "reserved",
    "99999999999999999999999",
    "2^64-1",
    "\u{e9}",
];

#[test]
fn mutated_files_are_answered() {
    let mut texts: Vec<&str> = [include_str!("cases/accepted.md"), include_str!("cases/rejected.md")]
        .iter()
        .flat_map(|file| file.split("```tls\n").skip(1))
        .filter_map(|part| part.split("```").next())
        .collect();
    texts.extend([
        include_str!("../../messages/schemas/etsi/ts103097-1.1.1.tls"),
        include_str!("../../messages/schemas/etsi/ts103097-1.2.1.tls"),
        include_str!("../../messages/schemas/ieee/ieee1609dot2-2013.tls"),
    ]);
    let mut random = Random(0x0bad_5eed_0bad_5eed);
    for text in texts {
        for _ in 0..150 {
            errors(mutant(&mut random, text.as_bytes(), &PIECES));
        }
    }
}

#[test]
fn nesting_has_a_limit() {
    let deep = "if_set (f, a) {".repeat(5000) + &"}".repeat(5000);
    assert_eq!(codes(&format!("struct {{ {deep} }} A;")), ["tls.limit.depth"]);
    let chain: String = (0..3000).map(|at| format!("struct {{ T{} next; }} T{at};", at + 1)).collect();
    let found = codes(&format!("{chain} struct {{ uint8 end; }} T3000;"));
    assert_eq!(found[0], "tls.limit.depth");
}

#[test]
fn types_have_a_limit() {
    // Each struct uses the one before it twice, with its extern bound in two ways: 2^40 types.
    let mut text = "enum { a (0), b (1), (255) } E;\nstruct { extern uint8 n; opaque x[n]; } T0;\n".to_owned();
    for at in 1..40 {
        let before = at - 1;
        let case = |label: &str, number: u64| format!("case {label}: uint8 n{at} = {number}; T{before} x; ");
        let externs: String = (at..40).map(|above| format!("extern uint8 n{above}; ")).collect();
        text += &format!("struct {{ {externs} E e; select (e) {{ {}{}}} }} T{at};\n", case("a", 1), case("b", 2));
    }
    errors(text);
}

#[test]
fn much_of_one_sign_is_answered() {
    for sign in ["{", "(", "<", "struct {", "select (a) {", "case a:", "a b[", "/*", "\"", ";", "enum {a(1),"] {
        errors(sign.repeat((1 << 18) / sign.len()));
    }
}
