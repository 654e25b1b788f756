//! The limits of `docs/limits.md`: text at the limit is accepted, text just beyond it is refused
//! with a code and a position.

use roadwire_presentation::{Diagnostics, Severity, Source, compile};

fn refused(text: impl Into<Vec<u8>>) -> Option<Diagnostics> {
    compile(&[Source::new("m.tls", text)]).err()
}

/// Checks that text with `most` of something is accepted, and that text with one more is refused on
/// this line.
#[track_caller]
fn limit(code: &str, most: usize, line: u32, text: impl Fn(usize) -> String) {
    assert!(refused(text(most)).is_none(), "{most}: {}", refused(text(most)).unwrap().render());
    let found = refused(text(most + 1)).expect("one more is refused");
    let error = found.iter().find(|found| found.severity == Severity::Error).unwrap();
    assert_eq!((error.code, error.file.as_str(), error.line), (code, "m.tls", line), "{}", most + 1);
    assert!(error.column > 0);
}

#[test]
fn all_files_have_16_mebibytes() {
    let line = "struct { uint8 a; } A;\n";
    limit("tls.limit.text", 16 << 20, 1, |length| format!("{line}/*{}*/", "x".repeat(length - line.len() - 4)));
}

#[test]
fn braces_nest_32_levels() {
    limit("tls.limit.depth", 31, 2, |count| {
        let inner = format!("{}uint8 n;{}", "if_set (f, a) {".repeat(count), "}".repeat(count));
        format!("flags {{ a (0) }} F;\nstruct {{ F f; {inner} }} A;")
    });
}

#[test]
fn structs_nest_100_levels() {
    limit("tls.limit.depth", 100, 100, |count| {
        let structs: String = (1..count).map(|at| format!("struct {{ S{} s; }} S{at};\n", at + 1)).collect();
        format!("{structs}struct {{ uint8 n; }} S{count};")
    });
}

#[test]
fn files_have_100000_types() {
    limit("tls.limit.types", 100_000, 2, |count| {
        let structs: String = (0..count).map(|at| format!("struct {{ }} S{at}; ")).collect();
        format!("\n{structs}")
    });
}

#[test]
fn numbers_have_64_bits() {
    let text = |digits: &str| refused(format!("\nstruct {{ uint8 size = {digits}; }} A;"));
    assert!(text("18446744073709551615").is_none());
    for digits in ["18446744073709551616".to_owned(), "9".repeat(1 << 20)] {
        let found = text(&digits).unwrap();
        let error = found.iter().next().unwrap();
        assert_eq!((error.code, error.line, error.column), ("tls.number.range", 2, 23));
    }
}

#[test]
fn two_hundred_errors_are_told() {
    let told = |count: usize| {
        let text: String = (0..count).map(|at| format!("struct {{ Unknown{at} a; }} S{at};\n")).collect();
        refused(text).unwrap().iter().count()
    };
    assert_eq!([199, 200, 201, 20_000].map(told), [199, 200, 200, 200]);
}

#[test]
fn similar_names_are_looked_for_20_times() {
    let text: String =
        (0..30).map(|at| format!("struct {{ Speeed{at} a; }} S{at}; struct {{ uint8 a; }} Speed{at};\n")).collect();
    let found = refused(text).unwrap();
    assert_eq!((found.iter().count(), found.iter().filter(|error| error.note.is_some()).count()), (30, 20));
}
