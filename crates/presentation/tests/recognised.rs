//! Recognition of a file's language.

use roadwire_presentation::{Source, is_presentation};

#[test]
fn files_are_told_apart_by_name_and_by_content() {
    let is = |name: &str, text: &str| is_presentation(&Source::new(name, text));
    assert!(is("a.tls", "M DEFINITIONS ::= BEGIN END"));
    assert!(!is("a.asn", "struct { uint8 a; } A;"));
    assert!(is("-", "/* head */ struct { uint8 a; } A;"));
    assert!(is("a.txt", "// head\nuint32 Time32;"));
    assert!(!is("a.txt", "-- head\nM DEFINITIONS ::= BEGIN END"));
    assert!(!is("a.txt", "opaque DEFINITIONS ::= BEGIN END"));
    assert!(!is("a.txt", ""));
}
