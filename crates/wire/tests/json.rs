//! JSON text (RFC 8259): tokens, what they mean, and what is refused where.

use roadwire_wire::faults::json as faults;
use roadwire_wire::rt::json::{Fault, MAX_NESTING, Piece, number, pieces, skip, space, string, string_if, word};
use roadwire_wire::rt::text::{TextReader, TextWriter};
use roadwire_wire::{Fault as What, Rejected};

const fn fault(at: usize, what: What) -> Fault {
    Fault { at, what }
}

#[test]
fn white_space_is_of_four_kinds() {
    assert_eq!(space(b" \t\n\rx", 0), 4);
    assert_eq!((space(b"x ", 0), space(b"x ", 1), space(b"x ", 5)), (0, 2, 5));
    for other in ["\u{b}", "\u{c}", "\u{a0}", "\0"] {
        assert_eq!(space(other.as_bytes(), 0), 0, "{other:?}");
    }
}

#[test]
fn strings_are_read_with_their_escapes() {
    for (text, wanted, escaped) in [
        (r#""""#, "", false),
        (r#""abc""#, "abc", false),
        (r#""Grüße, 道路""#, "Grüße, 道路", false),
        (r#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t", true),
        (r#""\u0041\u00fc\u9053x""#, "Aü道x", true),
        (r#""\u0000\u001F\uffff""#, "\0\u{1f}\u{ffff}", true),
        (r#""\ud7ff\ue000""#, "\u{d7ff}\u{e000}", true),
        (r#""\ud800\udc00""#, "\u{10000}", true),
        (r#""a\uD83D\uDE97b""#, "a\u{1f697}b", true),
        (r#""\udbff\udfff""#, "\u{10ffff}", true),
    ] {
        let padded = format!("12{text}]");
        let (quoted, end) = string(padded.as_bytes(), 2).unwrap();
        assert_eq!((end, quoted.escaped), (text.len() + 2, escaped), "{text}");
        assert_eq!(quoted.raw, &text[1..text.len() - 1]);
        assert_eq!(quoted.characters().collect::<String>(), wanted, "{text}");
        assert!(quoted.is(wanted) && !quoted.is(&format!("{wanted}x")) && !quoted.is("other"), "{text}");
        assert_eq!(string_if(padded.as_bytes(), 2).map(|(quoted, end)| (quoted.raw, end)), Some((quoted.raw, end)));
        for cut in 1..text.len() {
            assert!(string(&text.as_bytes()[..cut], 0).is_err(), "{cut} octets of {text}");
        }
    }
    assert!(string_if(b"x\"\"", 0).is_none() && string_if(b"", 0).is_none() && string_if(b"\"a", 0).is_none());
}

#[test]
fn other_strings_are_refused_where_they_are_wrong() {
    for (text, wanted) in [
        (&b"\"ab"[..], fault(0, faults::STRING_END)),
        (b"\"ab\\", fault(3, faults::STRING_END)),
        (b"\"ab\\\"", fault(0, faults::STRING_END)),
        (b"\"a\nb\"", fault(2, faults::STRING_CONTROL)),
        (b"\"\x1f\"", fault(1, faults::STRING_CONTROL)),
        (b"\"\0\"", fault(1, faults::STRING_CONTROL)),
        (b"\"ab\\x\"", fault(3, faults::STRING_ESCAPE)),
        (b"\"\\U0041\"", fault(1, faults::STRING_ESCAPE)),
        (b"\"ab\\u004\"", fault(3, faults::STRING_DIGITS)),
        (b"\"ab\\u00g1\"", fault(3, faults::STRING_DIGITS)),
        (b"\"\\u+041\"", fault(1, faults::STRING_DIGITS)),
        (b"\"\\u00", fault(1, faults::STRING_DIGITS)),
        (b"\"a\\udc00\"", fault(2, faults::STRING_SURROGATE)),
        (b"\"a\\udfff\"", fault(2, faults::STRING_SURROGATE)),
        (b"\"a\\ud800\"", fault(2, faults::STRING_SURROGATE)),
        (b"\"a\\ud800x\"", fault(2, faults::STRING_SURROGATE)),
        (b"\"a\\ud800\\n0000\"", fault(2, faults::STRING_SURROGATE)),
        (b"\"a\\ud800\\u0041\"", fault(2, faults::STRING_SURROGATE)),
        (b"\"a\\udbff\\ud800\"", fault(2, faults::STRING_SURROGATE)),
        (b"\"a\\udbff\\ue000\"", fault(2, faults::STRING_SURROGATE)),
        (b"\"a\\ud800\\udc0\"", fault(2, faults::STRING_DIGITS)),
        (b"\"ab\xff\"", fault(3, faults::UTF8)),
        (b"\"\xc3\"", fault(1, faults::UTF8)),
        (b"\"\xed\xa0\x80\"", fault(1, faults::UTF8)),
    ] {
        let shown = String::from_utf8_lossy(text);
        assert_eq!(string(text, 0).map(|(_, end)| end), Err(wanted), "{shown}");
        let behind = [b"123", text].concat();
        let wanted = fault(wanted.at + 3, wanted.what);
        assert_eq!(string(&behind, 3).map(|(_, end)| end), Err(wanted), "{shown} behind three octets");
    }
}

#[test]
fn numbers_end_where_their_digits_do() {
    for text in [
        "0",
        "-0",
        "7",
        "10",
        "-12",
        "1.5",
        "-0.25",
        "0.0",
        "1e3",
        "1E3",
        "1e+3",
        "1E-30",
        "-12.50e07",
        "0e0",
        "100.001",
    ] {
        for tail in ["", ",", "]", " ", "x", "+", "-"] {
            let all = format!("[{text}{tail}");
            assert_eq!(number(all.as_bytes(), 1), Ok(text.len() + 1), "{all}");
        }
    }
    for (text, wanted) in [
        ("", fault(0, faults::DIGIT)),
        ("-", fault(1, faults::DIGIT)),
        ("+1", fault(0, faults::DIGIT)),
        (".5", fault(0, faults::DIGIT)),
        ("--1", fault(1, faults::DIGIT)),
        ("1.", fault(2, faults::DIGIT)),
        ("1.e3", fault(2, faults::DIGIT)),
        ("1e", fault(2, faults::DIGIT)),
        ("1e+", fault(3, faults::DIGIT)),
        ("-1.5E-x", fault(6, faults::DIGIT)),
        ("00", fault(0, faults::NUMBER)),
        ("01", fault(0, faults::NUMBER)),
        ("-012.5", fault(0, faults::NUMBER)),
    ] {
        assert_eq!(number(text.as_bytes(), 0), Err(wanted), "{text}");
        let wanted = fault(wanted.at + 2, wanted.what);
        assert_eq!(number(format!("[ {text}").as_bytes(), 2), Err(wanted), "{text} behind two octets");
    }
}

#[test]
fn words_are_letters_and_digits() {
    assert_eq!((word(b"true,", 0), word(b"[nan8]", 1), word(b"-", 0), word(b"ab", 2)), (4, 5, 0, 2));
}

#[test]
fn values_are_skipped_to_their_end() {
    for text in [
        "null",
        "true",
        "false",
        "0",
        "-1.5e3",
        r#""a\"]b""#,
        "[]",
        "{}",
        "[ ]",
        "{ }",
        "[1]",
        "[1,2 , 3]",
        "[[],[[]],{}]",
        r#"{"a":1}"#,
        r#"{ "a" : 1 , "b" : [ true , null ] }"#,
        r#"{"a":{"b":{"c":[{}]}},"d":"e"}"#,
        r#"[{"a":[1]},{"b":2}]"#,
        "\t[\r\n1\t,\n2\r]",
    ] {
        for tail in ["", ",", "]", "}", " 1"] {
            let all = format!("x {text}{tail}");
            assert_eq!(skip(all.as_bytes(), 1), Ok(text.len() + 2), "{all}");
        }
        let cut_at_all = text.starts_with(['[', '{', '"']) || text.starts_with('\t');
        for cut in (0..text.len()).filter(|_| cut_at_all) {
            assert!(skip(&text.as_bytes()[..cut], 0).is_err(), "{cut} octets of {text}");
        }
    }
}

#[test]
fn what_is_no_value_is_refused_where_it_is_wrong() {
    for (text, wanted) in [
        ("", fault(0, faults::VALUE)),
        ("  ", fault(2, faults::VALUE)),
        ("]", fault(0, faults::VALUE)),
        ("'a'", fault(0, faults::VALUE)),
        ("+1", fault(0, faults::VALUE)),
        ("[,1]", fault(1, faults::VALUE)),
        ("[1,]", fault(3, faults::VALUE)),
        ("[1, ]", fault(4, faults::VALUE)),
        ("[}", fault(1, faults::VALUE)),
        ("[1 2]", fault(3, faults::COMMA_OR_BRACKET)),
        ("[1}", fault(2, faults::COMMA_OR_BRACKET)),
        ("[1", fault(2, faults::COMMA_OR_BRACKET)),
        (r#"{"a":1]"#, fault(6, faults::COMMA_OR_BRACE)),
        (r#"{"a":1 "b":2}"#, fault(7, faults::COMMA_OR_BRACE)),
        (r#"{"a":[1]]"#, fault(8, faults::COMMA_OR_BRACE)),
        (r#"[{"a":1}}"#, fault(8, faults::COMMA_OR_BRACKET)),
        ("{]", fault(1, faults::MEMBER_NAME)),
        ("{a:1}", fault(1, faults::MEMBER_NAME)),
        (r#"{"a":1,}"#, fault(7, faults::MEMBER_NAME)),
        (r#"{"a":1, b}"#, fault(8, faults::MEMBER_NAME)),
        (r#"{"a" 1}"#, fault(5, faults::COLON)),
        (r#"{"a"}"#, fault(4, faults::COLON)),
        (r#"{"a":}"#, fault(5, faults::VALUE)),
        (r#"{"a: 1}"#, fault(1, faults::STRING_END)),
        (r#"[1, "\x"]"#, fault(5, faults::STRING_ESCAPE)),
        ("[01]", fault(1, faults::NUMBER)),
        ("[1.]", fault(3, faults::DIGIT)),
        ("nul", fault(0, faults::WORD)),
        ("[True]", fault(1, faults::WORD)),
        ("nulls", fault(0, faults::WORD)),
        ("Zz", fault(0, faults::WORD)),
        ("[NaN]", fault(1, faults::SPECIAL_NUMBER)),
        ("Infinity", fault(0, faults::SPECIAL_NUMBER)),
        ("INF", fault(0, faults::SPECIAL_NUMBER)),
    ] {
        assert_eq!(skip(text.as_bytes(), 0), Err(wanted), "{text}");
    }
}

#[test]
fn nesting_has_a_limit() {
    for (open, close) in [("[", "]"), (r#"{"a":"#, "}")] {
        let nested = |depth: usize| format!("{}0{}", open.repeat(depth), close.repeat(depth));
        let deepest = nested(MAX_NESTING);
        assert_eq!(skip(deepest.as_bytes(), 0), Ok(deepest.len()));
        let at = open.len() * MAX_NESTING;
        assert_eq!(skip(nested(MAX_NESTING + 1).as_bytes(), 0), Err(fault(at, faults::LIMIT_DEPTH)));
    }
    let wide = format!("[{}[]]", "[],".repeat(1000));
    assert_eq!(skip(wide.as_bytes(), 0), Ok(wide.len()), "what has ended counts no more");
}

#[test]
fn characters_are_escaped_where_they_must_be() {
    let escape = |text: &[u8]| {
        let mut octets = [0; 6];
        octets[..text.len()].copy_from_slice(text);
        Piece::Escape(octets, text.len() as u8)
    };
    fn split(text: &str) -> Vec<Piece<'_>> {
        pieces(text).collect()
    }
    assert_eq!(split(""), []);
    assert_eq!(split("Grüße / 道路\u{a0}"), [Piece::Plain("Grüße / 道路\u{a0}")]);
    assert_eq!(split("a\"b"), [Piece::Plain("a"), escape(b"\\\""), Piece::Plain("b")]);
    for (character, wanted) in [
        ('"', &b"\\\""[..]),
        ('\\', b"\\\\"),
        ('\n', b"\\n"),
        ('\r', b"\\r"),
        ('\t', b"\\t"),
        ('\0', b"\\u0000"),
        ('\u{8}', b"\\u0008"),
        ('\u{1f}', b"\\u001F"),
        ('\u{7f}', b"\\u007F"),
        ('\u{9f}', b"\\u009F"),
        ('\u{2028}', b"\\u2028"),
        ('\u{2029}', b"\\u2029"),
    ] {
        let text = format!("{character}{character}ü{character}");
        let wanted = escape(wanted);
        assert_eq!(split(&text), [wanted, wanted, Piece::Plain("ü"), wanted], "{character:?}");
    }
    for plain in [' ', '!', '/', '~', '\u{a0}', '\u{2027}', '\u{202a}'] {
        assert_eq!(split(&plain.to_string()), [Piece::Plain(&plain.to_string())], "{plain:?}");
    }
}

#[test]
fn each_character_comes_back() {
    let all: String = ('\0'..='\u{2fff}').chain("𠀀\u{10ffff}".chars()).collect();
    let mut output = vec![0; all.len() * 2];
    let mut writer = TextWriter::new(&mut output);
    writer.put_string(&all).unwrap();
    let end = writer.position();
    let (quoted, read) = string(&output, 0).unwrap();
    assert_eq!(read, end);
    assert!(quoted.is(&all));
    assert!(quoted.characters().eq(all.chars()));
}

#[test]
fn members_are_told_by_their_name() {
    let mut reader = TextReader::new(br#"{"a":1,"b":2}"#);
    assert!(reader.accept(b"{"));
    assert!(!reader.member(true, b"\"b\":") && !reader.member(false, b"\"a\":") && reader.member(true, b"\"a\":"));
    assert_eq!(reader.take_unsigned(), Ok(1));
    assert!(!reader.member(true, b"\"b\":") && !reader.member(false, b"\"c\":") && reader.member(false, b"\"b\":"));
    assert_eq!(reader.take_unsigned(), Ok(2));
    assert_eq!((reader.expect(b"}"), reader.finish()), (Ok(()), Ok(13 * 8)));
}

/// A string of any size and alphabet.
fn taken(reader: &mut TextReader<'_>) -> Result<String, Rejected> {
    let mut text = String::new();
    reader.take_string((0, u64::MAX), &[], |piece| {
        text.push_str(piece);
        true
    })?;
    Ok(text)
}

#[test]
fn strings_are_read() {
    let mut reader = TextReader::new("\"name\"\"ü\"\"0aF1\"\"\\n\"\"\\x\"x".as_bytes());
    assert_eq!(reader.take_name(), Ok(&b"name"[..]));
    assert_eq!(taken(&mut reader).as_deref(), Ok("ü"));
    let mut octets = [0; 2];
    assert_eq!({ reader }.take_digits(), Ok(&b"0aF1"[..]));
    assert_eq!(({ reader }.fill(&mut [0; 1]), { reader }.fill(&mut [0; 3])), (Err(Rejected), Err(Rejected)));
    assert_eq!((reader.fill(&mut octets), octets), (Ok(()), [0x0a, 0xf1]));
    assert_eq!({ reader }.take_name(), Ok(&b"\\n"[..]));
    assert_eq!(taken(&mut reader).as_deref(), Ok("\n"));
    assert_eq!(taken(&mut reader), Err(Rejected), "no escape");
    assert_eq!((reader.take_name(), reader.take_name()), (Ok(&b"\\x"[..]), Err(Rejected)));
    assert_eq!((taken(&mut reader), { reader }.take_digits()), (Err(Rejected), Err(Rejected)));
    assert_eq!((reader.expect(b"x"), reader.finish().is_ok()), (Ok(()), true));
    for text in ["\"ab", "ab\"", "", "\""] {
        let mut reader = TextReader::new(text.as_bytes());
        assert_eq!((taken(&mut reader), { reader }.take_name().is_err()), (Err(Rejected), true), "{text}");
    }
}

#[test]
fn lists_and_strings_are_written_into_any_room() {
    type Write = fn(&mut TextWriter<'_>) -> Result<(), Rejected>;
    let tests: [(&str, Write); 6] = [
        ("[]", |writer| writer.close_list(0, b'[', b']')),
        ("{\"a\":1}", |writer| {
            writer.put(b",\"a\":1")?;
            writer.close_list(0, b'{', b'}')
        }),
        ("7[1,2]", |writer| {
            writer.put(b"7,1,2")?;
            writer.close_list(1, b'[', b']')
        }),
        ("x\"\"", |writer| {
            writer.put(b"x")?;
            writer.put_digits(&[])
        }),
        ("x\"00AF09\"", |writer| {
            writer.put(b"x")?;
            writer.put_digits(&[0, 0xaf, 9])
        }),
        ("x\"ü\\n\\u0001!\"", |writer| {
            writer.put(b"x")?;
            writer.put_string("ü\n\u{1}!")
        }),
    ];
    for (wanted, write) in tests {
        for room in 0..wanted.len() + 3 {
            let mut output = vec![0; room];
            let mut writer = TextWriter::new(&mut output);
            let result = write(&mut writer);
            let end = writer.position();
            assert_eq!(result.is_ok(), room >= wanted.len(), "{wanted} in {room}");
            assert!(result.is_err() || output[..end] == *wanted.as_bytes(), "{wanted} in {room}");
        }
    }
}
