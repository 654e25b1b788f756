//! Constraints that no encoding rules take into account (X.680 §51), and strings of EXI.

use roadwire_wire::rt::constraint::{
    Trail, explain, has_settings, is_bits, is_of_alphabet, is_of_size, matches, meaningful_bits,
};
use roadwire_wire::rt::time::Settings;
use roadwire_wire::rt::{Pattern, PatternStep, events};
use roadwire_wire::{BitWord, ErrorKind, Reader, Rejected, Scalar, Text, Writer};

static NAMES: [&str; 2] = ["cam", "speed"];

fn word(value: u64, bits: u8) -> Scalar<'static> {
    Scalar::Word(BitWord { value, bits })
}

#[test]
fn a_broken_constraint_is_explained_from_the_inside_out() {
    let error = explain(|trail| {
        trail.breaks("(1 | 3)", Some(2));
        trail.element(5);
        trail.inside(&NAMES, 1);
        trail.inside(&NAMES, 0);
        false
    });
    assert_eq!(error.kind, ErrorKind::Constraint { text: "(1 | 3)", number: Some(2) });
    assert_eq!((error.path.to_string(), error.bit), ("cam.speed[5]".to_owned(), 0));
    let mut nothing = ();
    nothing.breaks("", None);
    nothing.inside(&NAMES, 0);
    nothing.element(0);
}

/// X.680 §22.7.
#[test]
fn bit_strings_are_compared_bit_by_bit() {
    for (scalar, octets, bits, named, wanted) in [
        (word(0b101, 3), &[0xa0][..], 3, false, true),
        (word(0b101, 3), &[0xa0], 3, true, true),
        (word(0b101, 3), &[0xa0], 4, false, false),
        (word(0b101, 3), &[0xa0], 4, true, true),
        (word(0b101, 3), &[0xe0], 3, false, false),
        (word(0b101, 3), &[0xe0], 3, true, false),
        (word(0x1_0000, 24), &[1], 8, true, true),
        (word(0, 0), &[], 0, false, true),
        (word(u64::MAX, 64), &[0xff; 8], 64, false, true),
        (word(1 << 55, 64), &[0, 0x80], 9, true, true),
        (Scalar::Bits(&[0xa0], 3), &[0xa0], 3, false, true),
        (Scalar::Bits(&[0xa0, 0], 9), &[0xa0], 3, false, false),
        (Scalar::Bits(&[0xa0, 0], 9), &[0xa0], 3, true, true),
        (Scalar::Bits(&[0xa0, 1], 16), &[0xa0], 3, true, false),
        (Scalar::Null, &[0xa0], 3, false, true),
    ] {
        assert_eq!(is_bits(scalar, octets, bits, named), wanted, "{scalar:?} and {octets:x?}, {bits} bits, {named}");
    }
    for (scalar, bits) in [
        (word(0, 0), 0),
        (word(0, 9), 0),
        (word(1, 9), 9),
        (word(0b1000, 9), 6),
        (word(1 << 63, 64), 1),
        (Scalar::Bits(&[], 0), 0),
        (Scalar::Bits(&[0, 0], 16), 0),
        (Scalar::Bits(&[0x80], 8), 1),
        (Scalar::Bits(&[0x01], 8), 8),
        (Scalar::Bits(&[0, 0x80, 0], 24), 9),
        (Scalar::Bits(&[1, 2, 3], 24), 24),
        (Scalar::Octets(&[1]), 0),
    ] {
        assert_eq!(meaningful_bits(scalar), bits, "{scalar:?}");
    }
}

#[test]
fn sizes_are_those_of_the_kind_of_string() {
    for (scalar, size) in [
        (word(0, 3), 3),
        (Scalar::Bits(&[0, 0], 9), 9),
        (Scalar::Octets(&[1, 2]), 2),
        (Scalar::Text("äöü"), 3),
        (Scalar::Text(""), 0),
    ] {
        assert!(is_of_size(scalar, &[(size, size)]), "{scalar:?}");
        assert!(is_of_size(scalar, &[(20, 30), (0, size), (20, 30)]), "{scalar:?}");
        assert!(!is_of_size(scalar, &[(size + 1, 30)]) && !is_of_size(scalar, &[]), "{scalar:?}");
        assert!(size == 0 || !is_of_size(scalar, &[(0, size - 1)]), "{scalar:?}");
    }
    assert!(is_of_size(Scalar::Integer(5), &[]));
    const RANGES: &[(u32, u32)] = &[(0x41, 0x43), (0xfc, 0xfc)];
    for (text, wanted) in
        [("", true), ("ABC", true), ("Aü", true), ("@", false), ("D", false), ("ABD", false), ("ý", false)]
    {
        assert_eq!(is_of_alphabet(Scalar::Text(text), RANGES), wanted, "{text}");
    }
    assert!(is_of_alphabet(Scalar::Null, &[]) && !is_of_alphabet(Scalar::Text("A"), &[]));
}

const fn one(start: u16, count: u16, negated: bool) -> PatternStep {
    PatternStep::One { start, count, negated }
}

#[test]
fn patterns_match_whole_texts() {
    use PatternStep::{Border, Either, Go, Match};
    const RANGES: &[(u32, u32)] = &[(0x61, 0x63), (0x30, 0x39), (0x20, 0x20)];
    // `[a-c]+`, `[^a-c0-9]`, `[a-c]\b +\b[a-c]`, and `([a-c]|[0-9])*`.
    let letters = [one(0, 1, false), Either(0, 2), Match];
    let other = [one(0, 2, true), Match];
    let words = [one(0, 1, false), Border, one(2, 1, false), Either(2, 4), Border, one(0, 1, false), Match];
    let loops = [Either(1, 6), Either(2, 4), one(0, 1, false), Go(0), one(1, 1, false), Go(0), Match];
    for (name, steps, good, bad) in [
        ("letters", &letters[..], &["a", "c", "abcabc"][..], &["", "d", "`", "ab1", "1a", "ab "][..]),
        ("other", &other, &["x", " ", "ü"], &["", "a", "5", "xx"]),
        ("words", &words, &["a b", "a    c"], &["ab", "a ", " b", "a b c"]),
        ("loops", &loops, &["", "a", "7", "a7b8", "99cc"], &["x", "a7x", " "]),
    ] {
        let pattern = Pattern { steps, ranges: RANGES };
        for text in good {
            assert!(pattern.matches(text) && matches(Scalar::Text(text), &pattern), "{name} of {text:?}");
        }
        for text in bad {
            assert!(!pattern.matches(text) && !matches(Scalar::Text(text), &pattern), "{name} of {text:?}");
        }
    }
    let pattern = Pattern { steps: &letters, ranges: RANGES };
    assert!(matches(Scalar::Integer(7), &pattern), "no text");
    // A range that is not there is none.
    assert!(!Pattern { steps: &[one(3, 1, false), Match], ranges: RANGES }.matches("a"));
}

#[test]
fn word_boundaries_are_between_letters_and_others() {
    use PatternStep::{Border, Match};
    // `.\b.`, `\b.`, `.\b`, where the point is any character.
    let any = one(0, 0, true);
    for (first, second, wanted) in [
        ('a', ' ', true),
        (' ', 'a', true),
        ('9', '-', true),
        ('a', 'b', false),
        ('Z', '0', false),
        (' ', '-', false),
        ('ü', 'a', true),
    ] {
        let text: String = [first, second].iter().collect();
        assert_eq!(Pattern { steps: &[any, Border, any, Match], ranges: &[] }.matches(&text), wanted, "{text:?}");
        let is_letter = first.is_ascii_alphanumeric();
        assert_eq!(Pattern { steps: &[Border, any, any, Match], ranges: &[] }.matches(&text), is_letter, "{text:?}");
        let is_letter = second.is_ascii_alphanumeric();
        assert_eq!(Pattern { steps: &[any, any, Border, Match], ranges: &[] }.matches(&text), is_letter, "{text:?}");
    }
    assert!(!Pattern { steps: &[Border, Match], ranges: &[] }.matches(""));
}

#[test]
fn patterns_have_up_to_512_steps() {
    for count in [63, 64, 65, 127, 511] {
        let mut steps = vec![one(0, 1, false); count];
        steps.push(PatternStep::Match);
        let pattern = Pattern { steps: &steps, ranges: &[(0x61, 0x61)] };
        assert!(pattern.matches(&"a".repeat(count)), "{count}");
        assert!(!pattern.matches(&"a".repeat(count - 1)) && !pattern.matches(&"a".repeat(count + 1)), "{count}");
    }
}

#[test]
fn times_are_checked_for_their_settings() {
    let settings = ["Basic=Date Date=YMD", "Basic=Time"].map(|text| Settings::read(text).unwrap());
    for (text, wanted) in
        [("1985-04-12", true), ("15:27", true), ("1985-04", false), ("1985-04-12T15", false), ("x", true)]
    {
        assert_eq!(has_settings(Scalar::Text(text), &settings), wanted, "{text}");
    }
    assert!(has_settings(Scalar::Null, &settings) && !has_settings(Scalar::Text("1985"), &[]));
}

/// EXI §7.1.10.
#[test]
fn characters_are_their_code_points() {
    const LETTERS: &[u32] = &[0x41, 0x5a, 0xfc, 0xfc];
    for (text, alphabet, octets) in [
        ("", &[][..], Some(&[][..])),
        ("AZ", LETTERS, Some(&[0x41, 0x5a])),
        ("Aü", LETTERS, Some(&[0x41, 0xfc, 0x01])),
        ("道A", &[], Some(&[0xd3, 0xa0, 0x02, 0x41])),
        ("@", LETTERS, None),
        ("A[", LETTERS, None),
        ("ý", LETTERS, None),
    ] {
        let mut output = [0; 16];
        let mut writer = Writer::new(&mut output);
        let end = events::put(&mut writer, text, alphabet).and_then(|()| writer.finish_octets());
        assert_eq!(end.ok().map(|end| &output[..end]), octets, "{text}");
        let Some(octets) = octets else { continue };
        let count = text.chars().count();
        for less in 0..=octets.len() {
            let room = octets.len() - less;
            let mut output = vec![0; room];
            let mut writer = Writer::new(&mut output);
            let put = events::put(&mut writer, text, alphabet).and_then(|()| writer.finish_octets());
            assert_eq!(put.is_ok(), less == 0, "{text} in {room}");
            let mut inline = Text::<9>::from("old").unwrap();
            let mut reader = Reader::new(&octets[..room]);
            let read = events::take(&mut reader, count, alphabet, &mut inline);
            assert_eq!(read, if less == 0 { Ok(()) } else { Err(Rejected) }, "{text} cut by {less}");
            assert!(less > 0 || (&*inline, reader.remaining()) == (text, 0), "{text}");
        }
        assert!(
            text.is_empty() || events::take(&mut Reader::new(octets), count, &[1, 2], &mut Text::<9>::new()).is_err()
        );
    }
    for (code, wanted) in [(0x41, true), (0x5a, true), (0x40, false), (0x5b, false), (0xfc, true)] {
        assert_eq!((events::is_in(LETTERS, code), events::is_in(&[], code)), (wanted, true), "{code:x}");
    }
    assert!(events::take(&mut Reader::new(b"ABC"), 3, &[], &mut Text::<2>::new()).is_err(), "no room");
}
