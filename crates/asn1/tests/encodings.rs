//! Modules in other character encodings than UTF-8, and with other ends of line than LF.

use roadwire_asn1::{Diagnostic, Source, compile};

fn warnings(text: &[u8]) -> Vec<Diagnostic> {
    let compiled = compile(&[Source::new("m.asn", text)]).unwrap_or_else(|found| panic!("{found}"));
    assert!(compiled.model.find("M.A").is_some());
    compiled.warnings.0
}

fn told(found: &[Diagnostic]) -> Vec<(&'static str, u32, u32, &str)> {
    found.iter().map(|one| (one.code, one.line, one.column, one.message.as_str())).collect()
}

#[test]
fn text_that_is_not_utf8_is_read_with_a_warning_of_where() {
    let latin1 = warnings(b"M DEFINITIONS ::= BEGIN -- Gr\xfc\xdfe\n\xa0A ::= NULL END -- \xfc");
    let octet_29 = "octet 29 of the file, counted from 0, is not UTF-8: read as Latin-1";
    assert_eq!(told(&latin1), [("asn1.text.encoding", 1, 30, octet_29)]);
    let cp1252 = warnings(b"M DEFINITIONS ::= BEGIN A ::= NULL END\r\n-- \x93quoted\x94");
    let octet_43 = "octet 43 of the file, counted from 0, is not UTF-8: read as CP1252";
    assert_eq!(told(&cp1252), [("asn1.text.encoding", 2, 4, octet_43)]);
}

#[test]
fn byte_order_marks_are_passed_over() {
    let text = "M DEFINITIONS ::= BEGIN A ::= NULL END";
    assert_eq!(warnings(format!("\u{feff}{text}").as_bytes()), []);
    let units = "\u{feff}".encode_utf16().chain(text.encode_utf16());
    let (big, little): (Vec<_>, Vec<_>) = units.map(|unit| (unit.to_be_bytes(), unit.to_le_bytes())).unzip();
    assert_eq!(warnings(&big.concat()), []);
    assert_eq!(warnings(&little.concat()), []);
}

/// X.680 §12.1.6: LF, VT, FF and CR are white space and end a line.
#[test]
fn all_ends_of_line_end_comments_and_lines() {
    for end in ["\n", "\x0b", "\x0c", "\r", "\r\n"] {
        let text = [
            "M DEFINITIONS ::= BEGIN -- head",
            "A ::= NULL -- one",
            "B ::= X",
            "",
            "s IA5String ::= \"a  ",
            " b\"",
            "END",
        ];
        let found = compile(&[Source::new("m.asn", text.join(end))]).unwrap_err();
        assert_eq!(
            found.iter().map(|one| (one.code, one.line)).collect::<Vec<_>>(),
            [("asn1.name.unknown", 3)],
            "{end:?}"
        );
        let compiled = compile(&[Source::new("m.asn", text.join(end).replace("X", "A"))]).unwrap();
        let (_, value) = compiled.model.values.values().next().unwrap();
        assert_eq!(format!("{value:?}"), "Text(\"ab\")", "X.680 §12.14.1, {end:?}");
    }
}
