//! Elements and their text, as straight-line code writes and reads them.

use roadwire_wire::rt::text::{TextReader, TextWriter};
use roadwire_wire::rt::xml::{control_character, control_element, fill_word, reference};
use roadwire_wire::{BitString, BitWord, Data, Rejected};

#[test]
fn control_characters_have_elements() {
    let names = [
        "nul", "soh", "stx", "etx", "eot", "enq", "ack", "bel", "bs", "", "", "vt", "ff", "", "so", "si", "dle", "dc1",
        "dc2", "dc3", "dc4", "nak", "syn", "etb", "can", "em", "sub", "esc", "is4", "is3", "is2", "is1",
    ];
    for (code, name) in names.into_iter().enumerate() {
        let character = char::from(code as u8);
        let is_one = !name.is_empty();
        assert_eq!(control_element(character), is_one.then_some(name), "{code}");
        assert_eq!(control_character(name.as_bytes()), is_one.then_some(character), "{code}");
    }
    assert_eq!((control_element(' '), control_element('\u{7f}'), control_element('道')), (None, None, None));
    assert_eq!((control_character(b"NUL"), control_character(b"nu"), control_character(b"del")), (None, None, None));
    assert_eq!(['&', '<', '>', '"', '\''].map(reference), [Some("&amp;"), Some("&lt;"), Some("&gt;"), None, None]);
}

type Write = fn(&mut TextWriter<'_>) -> Result<(), Rejected>;

#[test]
fn elements_are_written_into_any_room() {
    let tests: [(&str, Write); 10] = [
        ("<a/>", |writer| {
            writer.put(b"<a>")?;
            writer.close_element(3, b"</a>")
        }),
        ("<a>1</a>", |writer| {
            writer.put(b"<a>1")?;
            writer.close_element(3, b"</a>")
        }),
        ("x00AF09", |writer| {
            writer.put(b"x")?;
            writer.put_octet_digits(&[0, 0xaf, 9])
        }),
        ("x", |writer| {
            writer.put(b"x")?;
            writer.put_octet_digits(&[])
        }),
        ("x10110", |writer| {
            writer.put(b"x")?;
            writer.put_bit_digits(0b1101_0110, 5)
        }),
        ("1000000000000000000000000000000000000000000000000000000000000001", |writer| {
            writer.put_bit_digits(1 << 63 | 1, 64)
        }),
        ("ab ü\t&#13;&#10;\"'", |writer| writer.put_characters("ab ü\t\r\n\"'")),
        ("ab ü\t\r\n\"'&amp;", |writer| writer.put_canonical_characters("ab ü\t\r\n\"'&")),
        ("a&amp;b&lt;&gt;ü<nul/>x<is1/>", |writer| writer.put_characters("a&b<>ü\0x\u{1f}")),
        ("", |writer| writer.put_characters("")),
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
    let mut output = [0; 32];
    assert_eq!(TextWriter::new(&mut output).put_characters("a\u{fffe}"), Err(Rejected));
}

#[test]
fn tags_are_told_by_their_whole_name() {
    let mut reader = TextReader::new(b"<ab>1</ab><c/>");
    assert!(!reader.accept_tag(b"<a") && !reader.accept_tag(b"<c") && reader.accept_tag(b"<ab"));
    assert_eq!(reader.enter().map(|after| after.is_none()), Ok(true));
    assert!(!reader.is_at_end());
    assert_eq!(reader.take_word(), b"1");
    assert!(reader.is_at_end());
    assert_eq!((reader.leave(None, b"</a>"), reader.leave(None, b"</ab>")), (Err(Rejected), Ok(())));
    assert!(reader.accept_tag(b"<c"));
    let after = reader.enter().unwrap();
    assert!(after.is_some() && reader.is_at_end());
    assert_eq!((reader.take_word(), reader.take_unsigned()), (&b""[..], Err(Rejected)));
    assert_eq!(reader.leave(after, b"</c>"), Ok(()));
    assert_eq!(reader.finish(), Ok(14 * 8));
    let mut reader = TextReader::new(b"<a b/>");
    assert!(!reader.accept_tag(b"<a") && reader.accept(b"<a"));
    assert!(reader.enter().is_err());
    let mut reader = TextReader::new(b"x");
    assert_eq!(reader.leave(Some(TextReader::new(b"")), b"</a>"), Err(Rejected), "something is left");
}

#[test]
fn the_enclosing_element_ends_at_its_end_tag() {
    for (text, is_end, word) in
        [("", true, ""), ("</a>", true, ""), ("<a>", false, ""), ("ab</a>", false, "ab"), ("ab", false, "ab")]
    {
        let mut reader = TextReader::new(text.as_bytes());
        assert_eq!((reader.is_at_end(), reader.take_word()), (is_end, word.as_bytes()), "{text}");
        assert_eq!(reader.finish().is_ok(), word.len() == text.len(), "{text}");
    }
}

#[test]
fn words_may_be_empty_elements() {
    let mut reader = TextReader::new(b"<red/><true/><false/><maybe/>");
    assert_eq!(reader.take_truth_element(), Err(Rejected));
    assert_eq!(reader.take_empty(), Ok(&b"red"[..]));
    assert_eq!((reader.take_truth_element(), reader.take_truth_element()), (Ok(true), Ok(false)));
    assert_eq!(({ reader }.take_truth_element(), reader.take_empty()), (Err(Rejected), Ok(&b"maybe"[..])));
    assert!(reader.finish().is_ok());
    for text in ["red/>", "<red>", "<red", "<red<b/>", "<red/ >", "", "</red>"] {
        assert!(TextReader::new(text.as_bytes()).take_empty().is_err(), "{text}");
    }
}

#[test]
fn bits_are_digits() {
    let mut reader = TextReader::new(b"10110x");
    assert_eq!((reader.take_bit_digits(3), reader.take_bit_digits(2)), (Ok(0b101), Ok(0b10)));
    assert_eq!((reader.take_bit_digits(1), reader.take_bit_digits(2)), (Err(Rejected), Err(Rejected)));
    assert_eq!((reader.take_bit_digits(0), reader.expect(b"x")), (Ok(0), Ok(())));
    let ones = [b'1'; 65];
    assert_eq!(TextReader::new(&ones).take_bit_digits(64), Ok(u64::MAX));
    for (digits, range, wanted) in [
        (&b"101"[..], 3..=3, Some((0b101, 3))),
        (b"101", 0..=9, Some((0b101, 3))),
        (b"101", 0..=2, None),
        (b"101", 4..=9, None),
        (b"", 0..=2, Some((0, 0))),
        (b"121", 3..=3, None),
        (b"1 1", 3..=3, None),
        (b"p", 1..=1, None),
        (&ones[..64], 64..=64, Some((u64::MAX, 64))),
        (&ones, 0..=100, None),
    ] {
        let mut word = BitWord { value: 9, bits: 9 };
        let wanted = wanted.map(|(value, bits)| BitWord { value, bits });
        assert_eq!(fill_word(digits, range, &mut word).ok().map(|()| word), wanted, "{digits:?}");
    }
    assert_eq!(fill_word(&[b'1'; 256], 0..=1000, &mut BitWord::default()), Err(Rejected));
}

/// A bit string of any length from digits, and written again.
fn recoded(digits: &str, bounds: (u64, u64), is_trimmed: bool, value: &mut dyn Data) -> Option<String> {
    let mut reader = TextReader::new(digits.as_bytes());
    reader.take_any_bit_digits(value, bounds.0, bounds.1, is_trimmed).ok()?;
    reader.finish().ok()?;
    let mut output = [0; 200];
    let mut writer = TextWriter::new(&mut output);
    writer.put_any_bit_digits(value.scalar(), bounds.0, bounds.1, is_trimmed).ok()?;
    let end = writer.position();
    String::from_utf8(output[..end].to_vec()).ok()
}

#[test]
fn bits_of_any_length_are_digits() {
    let long = "1011000011110".repeat(7);
    for digits in ["", "1", "0", "00101", "10110000", &long[..64], &long[..65], &long] {
        let read = recoded(digits, (0, 100), false, &mut BitString::default());
        assert_eq!(read.as_deref(), Some(digits));
        let read = recoded(digits, (0, 100), false, &mut BitWord::default());
        assert_eq!(read.as_deref(), Some(digits).filter(|digits| digits.len() <= 64));
    }
    for (digits, wanted) in [("", "0000"), ("1", "1000"), ("0100000", "0100"), ("010001", "010001"), ("00000", "0000")]
    {
        for value in [&mut BitString::default() as &mut dyn Data, &mut BitWord::default()] {
            assert_eq!(recoded(digits, (4, 9), true, value).as_deref(), Some(wanted), "{digits}");
        }
    }
    for (digits, bounds, is_trimmed) in [("12", (0, 9), false), ("101", (4, 9), false), ("1010", (0, 3), false)] {
        assert_eq!(recoded(digits, bounds, is_trimmed, &mut BitString::default()), None, "{digits}");
    }
    assert_eq!(recoded("000011", (0, 5), true, &mut BitString::default()), None);
    assert_eq!(recoded("1", (1 << 40, u64::MAX), true, &mut BitString::default()), None);
    let mut small = [0; 2];
    let mut writer = TextWriter::new(&mut small);
    assert!(writer.put_any_bit_digits(BitWord { value: 5, bits: 3 }.scalar(), 0, 9, false).is_err());
}

#[test]
fn text_is_checked_for_its_size_and_alphabet() {
    const LETTERS: &[u32] = &[0x00, 0x00, 0x26, 0x26, 0x3e, 0x3e, 0x41, 0x5a, 0xfc, 0xfc];
    for (text, size, alphabet, wanted) in [
        ("ABC</a>", (0, 9), &[][..], Some("ABC")),
        ("ABC</a>", (3, 3), LETTERS, Some("ABC")),
        ("ABC</a>", (4, 9), LETTERS, None),
        ("ABC</a>", (0, 2), LETTERS, None),
        ("ABc</a>", (0, 9), LETTERS, None),
        ("</a>", (0, 0), LETTERS, Some("")),
        ("", (0, 0), LETTERS, Some("")),
        ("</a>", (1, 1), LETTERS, None),
        ("Aü&amp;B</a>", (4, 4), LETTERS, Some("Aü&B")),
        ("Aü&amp;B</a>", (5, 9), LETTERS, None),
        ("Aü&amp;B</a>", (0, 3), LETTERS, None),
        ("A&#x62;</a>", (0, 9), LETTERS, None),
        ("A&#x62;</a>", (0, 9), &[], Some("Ab")),
        ("A<nul/>B</a>", (3, 3), LETTERS, Some("A\0B")),
        ("A<nul/>B</a>", (3, 3), &[0x41, 0x5a], None),
        ("A<b/></a>", (0, 9), &[], None),
        ("A<nul></nul></a>", (0, 9), &[], None),
        ("A<!-- x -->&gt;B</a>", (3, 3), LETTERS, Some("A>B")),
        ("A<![CDATA[BC]]>D</a>", (4, 4), LETTERS, Some("ABCD")),
        ("A<![CDATA[]]></a>", (1, 1), LETTERS, Some("A")),
        ("A<![CDATA[&amp;<nul/>]]><nul/></a>", (0, 99), &[], Some("A&amp;<nul/>\0")),
        // A section that does not end has no end tag.
        ("A<![CDATA[BC</a>", (0, 99), &[], None),
        ("A>B</a>", (3, 3), LETTERS, Some("A>B")),
        ("A]]>B</a>", (0, 9), &[], None),
        ("A&b;</a>", (0, 9), &[], None),
        ("A\u{fffe}</a>", (0, 9), &[], None),
        ("A\u{1}</a>", (0, 9), &[], None),
    ] {
        let mut reader = TextReader::new(text.as_bytes());
        let mut found = String::new();
        let read = reader.take_characters(size, alphabet, |piece| {
            found.push_str(piece);
            true
        });
        assert_eq!(read.ok().map(|()| &*found), wanted, "{text} of {size:?}");
        if wanted.is_some() {
            assert!(text.is_empty() || reader.accept(b"</a>"), "{text}");
        }
    }
    for text in ["AB</a>", "A&amp;</a>"] {
        assert_eq!(TextReader::new(text.as_bytes()).take_characters((0, 9), &[], |_| false), Err(Rejected), "{text}");
    }
    assert_eq!(TextReader::new(b"A\xff</a>").take_characters((0, 9), &[], |_| true), Err(Rejected));
}
