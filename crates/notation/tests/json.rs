//! The JSON reader beneath JER, against RFC 8259 and hostile text.

#[path = "../../model/tests/support/mod.rs"]
mod support;

use roadwire_model::{Kind, StringKind, Value};
use roadwire_notation::Notation;
use support::*;

/// Whether a text is JSON: an extensible SEQUENCE without components takes any object.
fn is_json(value: &str) -> bool {
    let mut model = roadwire_model::Model::default();
    let id = add(&mut model, Kind::Sequence { set: false, components: vec![], extensible: true });
    Notation::new(&model, id).unwrap().read(&format!("{{\"any\":{value}}}")).is_ok()
}

fn string(text: &str) -> Option<String> {
    let mut model = roadwire_model::Model::default();
    let id = add(&mut model, support::string(StringKind::Utf8, size(0, None, false), None));
    match Notation::new(&model, id).unwrap().read(text) {
        Ok(Value::Text(text)) => Some(text),
        _ => None,
    }
}

#[test]
fn json_is_accepted() {
    for text in [
        "0",
        "-0",
        "10",
        "1.5",
        "1e3",
        "1E+3",
        "1e-3",
        "-1.25E-10",
        "[]",
        "{}",
        "[1,2]",
        "[[],{}]",
        "{\"a\":{\"b\":[]}}",
        "\"\"",
        "true",
        "false",
        "null",
        " \t\r\n1 ",
        "{\"a\":1,\"a\":2}",
    ] {
        assert!(is_json(text), "{text}");
    }
}

#[test]
fn what_is_not_json_is_refused() {
    for text in [
        "",
        " ",
        "01",
        "-01",
        "00",
        "+1",
        ".5",
        "1.",
        "1.e3",
        "1e",
        "1e+",
        "-",
        "--1",
        "0x10",
        "1_000",
        "NaN",
        "Infinity",
        "-Infinity",
        "nul",
        "nulll",
        "True",
        "[1,]",
        "[,1]",
        "[1 2]",
        "[",
        "]",
        "[1",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1,}",
        "{a:1}",
        "{'a':1}",
        "{1:1}",
        "{,}",
        "{\"a\" 1}",
        "{\"a\":1 \"b\":2}",
        "[}",
        "{]",
        "\"",
        "\"\\\"",
        "\"\\x\"",
        "\"\n\"",
        "\"\t\"",
        "\"\u{0}\"",
        "\"\\u12\"",
        "\"\\u12g4\"",
        "\"\\ud800\"",
        "\"\\udc00\"",
        "\"\\ud800\\u0041\"",
        "\"\\ud800\\ud800\"",
        "\"\\ud83d\\\"",
        "'a'",
        "// x\n1",
        "1 1",
        "\u{a0}1",
        "\"\\u+123\"",
        "\"\\ué12\"",
        "\"\\é\"",
    ] {
        assert!(!is_json(text), "{text:?}");
    }
}

#[test]
fn escapes_are_their_characters() {
    assert_eq!(string(r#""\"\\\/\b\f\n\r\t""#).unwrap(), "\"\\/\u{8}\u{c}\n\r\t");
    assert_eq!(string(r#""a\u00e9b\uD83D\uDE00c\u0000\uffff""#).unwrap(), "aéb😀c\0\u{ffff}");
    assert_eq!(string("\"é\u{7f}😀\"").unwrap(), "é\u{7f}😀");
    assert_eq!(string("\u{feff}\"x\"").unwrap(), "x", "a byte order mark is passed over");
}

#[test]
fn nesting_is_bounded_without_using_the_stack() {
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        for depth in [1_000, 1_000_000] {
            assert!(!is_json(&open.repeat(depth)));
            assert!(!is_json(&format!("{}1{}", open.repeat(depth), close.repeat(depth))));
        }
        assert!(is_json(&format!("{}1{}", open.repeat(90), close.repeat(90))));
    }
}

/// Splitmix64, for random changes to texts.
struct Seed(u64);

impl Seed {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ z >> 31) % bound.max(1) as u64) as usize
    }
}

#[test]
fn mutated_text_is_read_or_refused_and_what_is_read_survives_writing() {
    let types = everything();
    let pieces = [
        "1e999999999",
        "-",
        "\"",
        "\\",
        "\\ud800",
        "[",
        "]",
        "{",
        "}",
        ",",
        ":",
        "null",
        "\"...9\":\"\"",
        "99999999999999999999999",
        "é",
        "\u{0}",
        "{\"...\":\"00\"}",
        "\"...4294967295\"",
        "\"...18446744073709551615\":\"00\"",
    ];
    let notation = Notation::new(&types.model, types.everything).unwrap();
    let mut seed = Seed(1);
    let mut read = 0;
    for _ in 0..20_000 {
        let mut text: Vec<char> = EVERYTHING.chars().collect();
        for _ in 0..=seed.below(2) {
            let at = seed.below(text.len());
            let end = (at + seed.below(6)).min(text.len());
            match seed.below(4) {
                0 => drop(text.drain(at..end)),
                1 => drop(text.splice(at..end, pieces[seed.below(pieces.len())].chars())),
                2 => text[at] = char::from(seed.below(128) as u8),
                _ => {
                    let copy = text[at..end].to_vec();
                    let to = seed.below(text.len());
                    drop(text.splice(to..to, copy));
                }
            }
        }
        let text: String = text.into_iter().collect();
        if let Ok(value) = notation.read(&text) {
            read += 1;
            let written = notation.write(&value).unwrap();
            let again = notation.read(&written).unwrap();
            assert!(roadwire_model::data::equal(&types.model, types.everything, &value, &again), "{text}\n{written}");
        }
    }
    assert!(read > 1_000, "only {read} of the changed texts were still values");
}
