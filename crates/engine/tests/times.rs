//! The time types of X.680 §38 (X.691 §32). asn1tools 0.169 writes the same octets (except for
//! second 60, which it does not accept).

mod support;

use roadwire_layout::Rules;
use roadwire_model::check;
use roadwire_model::random::{Generator, Rng, Settings};
use support::Codec;

/// DATE-ENCODING: 2 bits for the kind of year, 4 or 8 for the year, 4 for the month, 5 for the day.
#[test]
fn a_date_is_a_record_of_year_month_and_day() {
    let codec = Codec::new("A ::= DATE");
    // 00 1111 0001 11110; 01 00000011 0001 11100; 10 11111011 1011 11110
    codec.agree(r#""2020-02-31""#, &hex("00 1111 0001 11110"));
    codec.agree(r#""2024-02-29""#, &hex("01 00000011 0001 11100"));
    codec.agree(r#""2000-12-31""#, &hex("10 11111011 1011 11110"));
    // An unconstrained integer: one octet of length, and 1500 or 3000 in two.
    codec.agree(r#""1500-01-01""#, &hex("11 00000010 0000010111011100 0000 00000"));
    codec.agree(r#""3000-01-01""#, &hex("11 00000010 0000101110111000 0000 00000"));
}

/// TIME-OF-DAY-ENCODING: 5, 6 and 6 bits.
#[test]
fn a_time_of_day_is_a_record_of_hours_minutes_and_seconds() {
    let codec = Codec::new("A ::= TIME-OF-DAY");
    codec.agree(r#""23:59:60""#, &hex("10111 111011 111100"));
    codec.agree(r#""00:00:00""#, "000000");
}

#[test]
fn a_date_time_is_a_date_and_then_a_time_of_day() {
    let codec = Codec::new("A ::= DATE-TIME");
    codec.agree(r#""2024-02-29T23:59:60""#, &hex("01 00000011 0001 11100 10111 111011 111100"));
}

#[test]
fn what_is_wrong_with_a_time_is_told_with_the_number() {
    let codec = Codec::new("A ::= DATE");
    let encode = |text: &str| codec.encode(&text.into()).unwrap_err();
    assert_eq!(encode("2024-13-01"), "value 13 above 12 (range 1..12) at bit 10 in month");
    for text in ["2024-1-01", "2024-01-01 ", "+024-01-01", "2024/01/01", "", "2024-01-0\u{e9}"] {
        assert!(encode(text).starts_with("not in the form"), "{text}");
    }
    // Month 13; a year of five digits; a year that has a shorter form; half past midnight at the
    // end of a day.
    let decode = |bits: &str| codec.decode(&octets(bits)).unwrap_err();
    assert!(decode("00 1111 1100 00000").ends_with("in month"));
    assert!(decode("11 00000010 0111111111111111 0000 00000").ends_with("in year.remainder"));
    assert!(
        decode("11 00000010 0000011111100000 0000 00000").starts_with("expected the numbers of a time of this type")
    );
    let codec = Codec::new("A ::= TIME-OF-DAY");
    assert!(
        codec
            .decode(&octets("11000 011110 000000"))
            .unwrap_err()
            .starts_with("expected the numbers of a time of this type")
    );
    assert!(codec.encode(&"24:30:00".to_owned().into()).unwrap_err().starts_with("not in the form"));
}

/// DURATION-INTERVAL-ENCODING (X.691 §32.6), compared with the same SEQUENCE written out.
#[test]
fn a_duration_is_a_record_of_numbers() {
    let codec = Codec::new("A ::= DURATION");
    let record = Codec::new(
        "A ::= SEQUENCE {
            years INTEGER (0..31, ..., 32..MAX) OPTIONAL, months INTEGER (0..15, ..., 16..MAX) OPTIONAL,
            weeks INTEGER (0..63, ..., 64..MAX) OPTIONAL, days INTEGER (0..31, ..., 32..MAX) OPTIONAL,
            hours INTEGER (0..31, ..., 32..MAX) OPTIONAL, minutes INTEGER (0..63, ..., 64..MAX) OPTIONAL,
            seconds INTEGER (0..63, ..., 64..MAX) OPTIONAL,
            fractional-part SEQUENCE {
                number-of-digits INTEGER (1..3, ..., 4..MAX), fractional-value INTEGER (0..999, ..., 1000..MAX)
            } OPTIONAL
        }",
    );
    for (text, same) in [
        ("P2Y10M15DT10H20M30S", r#"{"years":2,"months":10,"days":15,"hours":10,"minutes":20,"seconds":30}"#),
        ("P3W", r#"{"weeks":3}"#),
        ("PT0S", r#"{"seconds":0}"#),
        ("P100Y", r#"{"years":100}"#),
        ("PT5.030S", r#"{"seconds":5,"fractional-part":{"number-of-digits":3,"fractional-value":30}}"#),
        ("P1.2345D", r#"{"days":1,"fractional-part":{"number-of-digits":4,"fractional-value":2345}}"#),
    ] {
        let octets = record.encode(&record.value(same)).unwrap();
        codec.agree(&format!("{text:?}"), &support::to_hex(&octets));
    }
    // Nothing at all; weeks and days.
    for octets in [&[0x00][..], &[0x30, 0, 0]] {
        assert!(codec.decode(octets).is_err(), "{octets:02x?}");
    }
    for text in ["P", "P1H", "PT1D", "P1W1D", "P1.5Y1M"] {
        assert!(codec.encode(&text.to_owned().into()).unwrap_err().starts_with("not in the form"), "{text}");
    }
}

/// The records of X.691 §32.2 to §32.10.
const RECORDS: &str = "
    Y ::= CHOICE { a INTEGER (2005..2020), b INTEGER (2021..2276), c INTEGER (1749..2004), d INTEGER }
    D ::= SEQUENCE { y Y, m INTEGER (1..12), d INTEGER (1..31) }
    F ::= INTEGER (0..999, ..., 1000..MAX)
    LD ::= SEQUENCE { s ENUMERATED { positive, negative }, h INTEGER (0..15), m INTEGER (1..59) OPTIONAL }
    H ::= INTEGER (0..24)
    M ::= INTEGER (0..59)
    S ::= INTEGER (0..60)
    T ::= SEQUENCE { h H, m M, s S }
    P ::= SEQUENCE {
        years INTEGER (0..31, ..., 32..MAX) OPTIONAL, months INTEGER (0..15, ..., 16..MAX) OPTIONAL,
        weeks INTEGER (0..63, ..., 64..MAX) OPTIONAL, days INTEGER (0..31, ..., 32..MAX) OPTIONAL,
        hours INTEGER (0..31, ..., 32..MAX) OPTIONAL, minutes INTEGER (0..63, ..., 64..MAX) OPTIONAL,
        seconds INTEGER (0..63, ..., 64..MAX) OPTIONAL,
        fraction SEQUENCE { digits INTEGER (1..3, ..., 4..MAX), value F } OPTIONAL }";

/// Settings, a value that has them, and the record that it is encoded as, with its value.
const AS_IF: &[(&str, &str, &str, &str)] = &[
    ("Basic=Date Date=C Year=Basic", "19C", "INTEGER (0..99)", "19"),
    ("Basic=Date Date=C Year=L5", "+123C", "INTEGER", "123"),
    ("Basic=Date Date=Y Year=Basic", "2024", "Y", r#"{"b":2024}"#),
    ("Basic=Date Date=Y Year=Proleptic", "0999", "Y", r#"{"d":999}"#),
    ("Basic=Date Date=Y Year=Negative", "-0044", "INTEGER", "-44"),
    ("Basic=Date Date=YM Year=Basic", "2010-11", "SEQUENCE { y Y, m INTEGER (1..12) }", r#"{"y":{"a":2010},"m":11}"#),
    ("Basic=Date Date=YM Year=L5", "-12345-11", "SEQUENCE { y INTEGER, m INTEGER (1..12) }", r#"{"y":-12345,"m":11}"#),
    ("Basic=Date Date=YMD Year=Basic", "1999-12-31", "D", r#"{"y":{"c":1999},"m":12,"d":31}"#),
    (
        "Basic=Date Date=YMD Year=L6",
        "+123456-12-31",
        "SEQUENCE { y INTEGER, m INTEGER (1..12), d INTEGER (1..31) }",
        r#"{"y":123456,"m":12,"d":31}"#,
    ),
    (
        "Basic=Date Date=YD Year=Basic",
        "2024-366",
        "SEQUENCE { y Y, d INTEGER (1..366) }",
        r#"{"y":{"b":2024},"d":366}"#,
    ),
    (
        "Basic=Date Date=YD Year=Negative",
        "-0001-001",
        "SEQUENCE { y INTEGER, d INTEGER (1..366) }",
        r#"{"y":-1,"d":1}"#,
    ),
    ("Basic=Date Date=YW Year=Basic", "2024-W53", "SEQUENCE { y Y, w INTEGER (1..53) }", r#"{"y":{"b":2024},"w":53}"#),
    (
        "Basic=Date Date=YWD Year=Basic",
        "2024-W01-7",
        "SEQUENCE { y Y, w INTEGER (1..53), d INTEGER (1..7) }",
        r#"{"y":{"b":2024},"w":1,"d":7}"#,
    ),
    (
        "Basic=Date Date=YWD Year=L5",
        "+10000-W01-7",
        "SEQUENCE { y INTEGER, w INTEGER (1..53), d INTEGER (1..7) }",
        r#"{"y":10000,"w":1,"d":7}"#,
    ),
    ("Basic=Time Time=H Local-or-UTC=L", "24", "H", "24"),
    ("Basic=Time Time=H Local-or-UTC=Z", "07Z", "H", "7"),
    (
        "Basic=Time Time=H Local-or-UTC=LD",
        "07-11:30",
        "SEQUENCE { h H, d LD }",
        r#"{"h":7,"d":{"s":"negative","h":11,"m":30}}"#,
    ),
    ("Basic=Time Time=HM Local-or-UTC=L", "07:59", "SEQUENCE { h H, m M }", r#"{"h":7,"m":59}"#),
    (
        "Basic=Time Time=HM Local-or-UTC=LD",
        "07:59+01",
        "SEQUENCE { t SEQUENCE { h H, m M }, d LD }",
        r#"{"t":{"h":7,"m":59},"d":{"s":"positive","h":1}}"#,
    ),
    ("Basic=Time Time=HMS Local-or-UTC=Z", "07:59:60Z", "T", r#"{"h":7,"m":59,"s":60}"#),
    (
        "Basic=Time Time=HMS Local-or-UTC=LD",
        "07:59:60+00",
        "SEQUENCE { t T, d LD }",
        r#"{"t":{"h":7,"m":59,"s":60},"d":{"s":"positive","h":0}}"#,
    ),
    ("Basic=Time Time=HF3 Local-or-UTC=L", "07.050", "SEQUENCE { h H, f F }", r#"{"h":7,"f":50}"#),
    ("Basic=Time Time=HF5 Local-or-UTC=Z", "07.12345Z", "SEQUENCE { h H, f F }", r#"{"h":7,"f":12345}"#),
    (
        "Basic=Time Time=HF1 Local-or-UTC=LD",
        "07.5-03",
        "SEQUENCE { h H, f F, d LD }",
        r#"{"h":7,"f":5,"d":{"s":"negative","h":3}}"#,
    ),
    ("Basic=Time Time=HMF3 Local-or-UTC=L", "07:59.999", "SEQUENCE { h H, m M, f F }", r#"{"h":7,"m":59,"f":999}"#),
    (
        "Basic=Time Time=HMF3 Local-or-UTC=LD",
        "07:59.999+01",
        "SEQUENCE { t SEQUENCE { h H, m M, f F }, d LD }",
        r#"{"t":{"h":7,"m":59,"f":999},"d":{"s":"positive","h":1}}"#,
    ),
    (
        "Basic=Time Time=HMSF3 Local-or-UTC=Z",
        "07:59:01.000Z",
        "SEQUENCE { h H, m M, s S, f F }",
        r#"{"h":7,"m":59,"s":1,"f":0}"#,
    ),
    (
        "Basic=Time Time=HMSF3 Local-or-UTC=LD",
        "07:59:01.007-15:59",
        "SEQUENCE { t SEQUENCE { h H, m M, s S, f F }, d LD }",
        r#"{"t":{"h":7,"m":59,"s":1,"f":7},"d":{"s":"negative","h":15,"m":59}}"#,
    ),
    (
        "Basic=Date-Time Date=YMD Year=Basic Time=HMS Local-or-UTC=Z",
        "2026-11-21T13:59:00Z",
        "SEQUENCE { d D, t T }",
        r#"{"d":{"y":{"b":2026},"m":11,"d":21},"t":{"h":13,"m":59,"s":0}}"#,
    ),
    (
        "Basic=Date-Time Date=YW Year=Basic Time=HF2 Local-or-UTC=L",
        "2026-W47T13.25",
        "SEQUENCE { d SEQUENCE { y Y, w INTEGER (1..53) }, t SEQUENCE { h H, f F } }",
        r#"{"d":{"y":{"b":2026},"w":47},"t":{"h":13,"f":25}}"#,
    ),
    (
        "Basic=Interval Interval-type=SE SE-point=Date Date=Y Year=Basic",
        "1985/2026",
        "SEQUENCE { s Y, e Y }",
        r#"{"s":{"c":1985},"e":{"b":2026}}"#,
    ),
    (
        "Basic=Interval Interval-type=SE SE-point=Time Time=H Local-or-UTC=L",
        "08/16",
        "SEQUENCE { s H, e H }",
        r#"{"s":8,"e":16}"#,
    ),
    (
        "Basic=Interval Interval-type=SE SE-point=Date-Time Date=YMD Year=Basic Time=H Local-or-UTC=L",
        "2026-11-21T08/2026-11-21T16",
        "SEQUENCE { s SEQUENCE { d D, h H }, e SEQUENCE { d D, h H } }",
        r#"{"s":{"d":{"y":{"b":2026},"m":11,"d":21},"h":8},"e":{"d":{"y":{"b":2026},"m":11,"d":21},"h":16}}"#,
    ),
    (
        "Basic=Interval Interval-type=D",
        "P1Y2DT3.5S",
        "P",
        r#"{"years":1,"days":2,"seconds":3,"fraction":{"digits":1,"value":5}}"#,
    ),
    (
        "Basic=Interval Interval-type=SD SE-point=Date Date=YMD Year=Basic",
        "2026-11-21/P40D",
        "SEQUENCE { s D, p P }",
        r#"{"s":{"y":{"b":2026},"m":11,"d":21},"p":{"days":40}}"#,
    ),
    (
        "Basic=Interval Interval-type=DE SE-point=Time Time=HMS Local-or-UTC=Z",
        "PT90M/07:00:00Z",
        "SEQUENCE { p P, e T }",
        r#"{"p":{"minutes":90},"e":{"h":7,"m":0,"s":0}}"#,
    ),
    (
        "Basic=Rec-Interval Interval-type=SE SE-point=Time Time=H Local-or-UTC=L",
        "R/08/16",
        "SEQUENCE { r INTEGER OPTIONAL, s H, e H }",
        r#"{"s":8,"e":16}"#,
    ),
    (
        "Basic=Rec-Interval Interval-type=D",
        "R12/P1W",
        "SEQUENCE { r INTEGER OPTIONAL, p P }",
        r#"{"r":12,"p":{"weeks":1}}"#,
    ),
    (
        "Basic=Rec-Interval Interval-type=DE SE-point=Date Date=Y Year=Basic",
        "R300/P1Y/2026",
        "SEQUENCE { r INTEGER OPTIONAL, p P, e Y }",
        r#"{"r":300,"p":{"years":1},"e":{"b":2026}}"#,
    ),
];

#[test]
fn a_time_of_one_row_is_encoded_as_if_it_were_a_record() {
    for rules in [Rules::Uper, Rules::Aper] {
        for (settings, text, record, same) in AS_IF {
            let codec = Codec::under(rules, &format!("A ::= TIME (SETTINGS {settings:?})")).unwrap();
            let record = Codec::under(rules, &format!("A ::= {record} {RECORDS}")).unwrap();
            let octets = record.encode(&record.value(same)).unwrap();
            codec.agree(&format!("{text:?}"), &support::to_hex(&octets));
            assert!(codec.encode(&"2026-11-21T13:59:00".to_owned().into()).unwrap_err().starts_with("not in the form"));
        }
    }
}

/// Random values of each row and of all: they are of their type, are decoded unchanged, and no
/// octets decode to a value outside the type.
#[test]
fn times_come_back() {
    let mut rng = Rng::new(0x7173);
    let types = AS_IF.iter().map(|(settings, ..)| format!("A ::= TIME (SETTINGS {settings:?})"));
    for text in types.chain(["A ::= TIME".to_owned()]) {
        for rules in [Rules::Uper, Rules::Aper] {
            let codec = Codec::under(rules, &text).unwrap();
            let generator = Generator::new(&codec.model, Settings::default());
            for _ in 0..if text.contains("SETTINGS") { 50 } else { 2000 } {
                let value = generator.value(codec.root, &mut rng);
                assert_eq!(check::value(&codec.model, codec.root, &value), [], "{text} {value:?}");
                let mut octets = codec.encode(&value).unwrap_or_else(|error| panic!("{text} {value:?}: {error}"));
                assert_eq!(codec.decode(&octets).as_ref(), Ok(&value), "{text}");
                let at = rng.below(octets.len() as u64) as usize;
                octets[at] ^= 1 << rng.below(8);
                if let Ok(other) = codec.decode(&octets) {
                    assert_eq!(check::value(&codec.model, codec.root, &other), [], "{text} {other:?}");
                    assert!(codec.encode(&other).is_ok(), "{text} {other:?}");
                }
            }
        }
    }
}

/// A time with two forms as text has one form as numbers, and under the distinguished rules (as in
/// OSS Nokalva's examples).
#[test]
fn a_time_in_another_form_is_the_same_time() {
    for rules in [Rules::Uper, Rules::Der, Rules::Cer] {
        let codec = Codec::under(rules, "A ::= TIME").unwrap();
        for (text, same) in [("15:27:35,5", "15:27:35.5"), ("15:27:46+01:00", "15:27:46+01"), ("P0Y2DT0H", "P2DT0H")] {
            let octets = codec.encode(&text.to_owned().into()).unwrap();
            assert_eq!(codec.decode(&octets), Ok(same.to_owned().into()), "{rules}");
            assert_eq!(codec.encode(&same.to_owned().into()).unwrap(), octets, "{rules}");
        }
    }
}

/// MIXED-ENCODING (X.691 §32.11): 6 bits for the row; if a date or a time of day is a part, 4 and 5
/// more bits for its row, and a bit for the digits of a fraction.
#[test]
fn a_time_of_several_rows_is_a_choice_among_them() {
    const DIGITS: &str = "INTEGER (1..MAX)";
    let either =
        "A ::= TIME (SETTINGS \"Basic=Date Date=Y Year=Basic\" | SETTINGS \"Basic=Time Time=H Local-or-UTC=L\")";
    let year_or_hour = Codec::new(either);
    let any = Codec::new("A ::= TIME");
    for (text, row, record, same) in [
        ("2024", 3, "Y".to_owned(), r#"{"b":2024}"#),
        ("07", 15, "H".into(), "7"),
        ("19C", 1, "INTEGER (0..99)".into(), "19"),
        ("-0044", 4, "INTEGER".into(), "-44"),
        ("07:59:60Z", 22, "T".into(), r#"{"h":7,"m":59,"s":60}"#),
        (
            "07.12345",
            24,
            format!("SEQUENCE {{ n {DIGITS}, t SEQUENCE {{ h H, f F }} }}"),
            r#"{"n":5,"t":{"h":7,"f":12345}}"#,
        ),
        ("P1D", 37, "P".into(), r#"{"days":1}"#),
        ("R/P1D", 47, "SEQUENCE { r INTEGER OPTIONAL, p P }".into(), r#"{"p":{"days":1}}"#),
    ] {
        let choice: String = (1..54)
            .map(|at| format!("r{at} {}{}", if at == row { &record } else { "NULL" }, if at == 53 { "" } else { ", " }))
            .collect();
        let record = Codec::new(&format!("A ::= CHOICE {{ {choice} }} {RECORDS}"));
        let octets = support::to_hex(&record.encode(&record.value(&format!("{{\"r{row}\":{same}}}"))).unwrap());
        any.agree(&format!("{text:?}"), &octets);
        if matches!(row, 3 | 15) {
            year_or_hour.agree(&format!("{text:?}"), &octets);
        } else {
            assert!(year_or_hour.encode(&text.to_owned().into()).unwrap_err().starts_with("not in the form"));
        }
    }
    // 2024-02 (row 5 of 14) at 07.5 (row 24, the tenth of 18): rows, year, month; digits present,
    // their number minus 1; row, hours, fraction.
    any.agree(r#""2024-02T07.5""#, &hex("100000 0100 01 00000011 0001 1 00000001 00000000 01001 00111 0 0000000101"));
    // Row 36: start and end, whose rows may differ.
    any.agree(
        r#""2024T07/+12345T08Z""#,
        &hex("100011 0010 01 00000011 0 00000 00111 0011 00000010 0011000000111001 0 00001 01000"),
    );
    // A row that the type does not have.
    assert!(
        year_or_hour
            .decode(&octets("000000 0010011"))
            .unwrap_err()
            .starts_with("expected the numbers of a time of this type")
    );
}

/// X.696 §29.
#[test]
fn times_of_octet_encodings() {
    for (settings, text, octets) in [
        ("Basic=Date Date=YM Year=Basic", "2026-11", "0207ea0b"),
        ("Basic=Date Date=YMD Year=Negative", "-0044-03-15", "01d4030f"),
        ("Basic=Time Time=HM Local-or-UTC=Z", "13:59Z", "0d3b"),
        ("Basic=Time Time=H Local-or-UTC=LD", "13-03:30", "0dff2e"),
        ("Basic=Time Time=HMS Local-or-UTC=LD", "13:59:00+15", "0d3b000384"),
        ("Basic=Time Time=HMSF3 Local-or-UTC=L", "13:59:07.250", "0d3b0701fa"),
        ("Basic=Time Time=HMSF6 Local-or-UTC=LD", "13:59:07.000250+01", "0d3b0701fa003c"),
        ("Basic=Date-Time Date=YMD Year=Basic Time=HMS Local-or-UTC=Z", "2026-11-21T13:59:00Z", "0207ea0b150d3b00"),
    ] {
        let codec = Codec::under(Rules::Coer, &format!("A ::= TIME (SETTINGS {settings:?})")).unwrap();
        codec.agree(&format!("{text:?}"), octets);
    }
}

/// X.696 §29: times without a record of their own are encoded as text. No other implementation that
/// we have does this, so these octets are checked only against §29: it names no records for other
/// times, and all of its string types would give the same octets.
#[test]
fn times_that_octet_encodings_tell_as_text() {
    for (settings, text, canonical) in [
        ("Basic=Time Time=HF1 Local-or-UTC=L", "13,5", "13.5"),
        ("Basic=Date Date=C Year=Basic", "20C", "20C"),
        ("Basic=Date Date=YD Year=Basic", "2026-325", "2026-325"),
        ("Basic=Date Date=YWD Year=Basic", "2026-W47-6", "2026-W47-6"),
        ("Basic=Date-Time Date=YD Year=Basic Time=HMS Local-or-UTC=L", "2026-325T13:59:00", "2026-325T13:59:00"),
        (
            "Basic=Interval Interval-type=SE SE-point=Date Date=YMD Year=Basic",
            "2026-11-21/2026-11-22",
            "2026-11-21/2026-11-22",
        ),
    ] {
        let codec = Codec::under(Rules::Coer, &format!("A ::= TIME (SETTINGS {settings:?})")).unwrap();
        let octets = format!("{:02x}{}", canonical.len(), support::to_hex(canonical.as_bytes()));
        assert_eq!(support::to_hex(&codec.encode(&text.to_owned().into()).unwrap()), octets);
        codec.agree(&format!("{canonical:?}"), &octets);
        let other = codec.encode(&"P1D".to_owned().into()).unwrap_err();
        assert!(other.starts_with("not in the form"), "{other}");
        let error = codec.decode(b"\x03P1D").unwrap_err();
        assert!(error.starts_with("not in the form") && error.ends_with("at bit 0"), "{error}");
    }
    // Any time at all.
    let any = Codec::under(Rules::Oer, "A ::= TIME").unwrap();
    any.agree(r#""2026-11""#, "07323032362d3131");
    any.agree(r#""R5/P1D""#, "0652352f503144");
    assert!(any.decode(&[2, b'2', b'X']).unwrap_err().starts_with("not in the form"));
    assert!(any.decode(&[0]).unwrap_err().starts_with("not in the form"));
}

fn hex(bits: &str) -> String {
    support::to_hex(&octets(bits))
}

fn octets(bits: &str) -> Vec<u8> {
    let bits: Vec<u8> = bits.bytes().filter(|bit| *bit != b' ').map(|bit| bit - b'0').collect();
    bits.chunks(8).map(|octet| (0..8).fold(0, |sum, at| sum << 1 | octet.get(at).copied().unwrap_or(0))).collect()
}
