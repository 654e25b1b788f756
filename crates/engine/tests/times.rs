//! The time types of X.680 §38 (X.691 §32). asn1tools 0.169 writes the same octets (second 60 aside, which it does not take).

mod support;

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
    // Month 13; a year of five digits; a year that has a shorter form.
    let decode = |bits: &str| codec.decode(&octets(bits)).unwrap_err();
    assert!(decode("00 1111 1100 00000").ends_with("in month"));
    assert!(decode("11 00000010 0111111111111111 0000 00000").ends_with("in year"));
    assert!(decode("11 00000010 0000011111100000 0000 00000").ends_with("in year"));
}

/// Their forms in PER follow from settings that a constraint may give; roadwire says that it has none.
#[test]
fn a_time_of_any_form_is_refused() {
    let error = Codec::try_new("A ::= TIME").err().expect("no layout");
    assert!(error.to_string().contains("no lowering"), "{error}");
}

fn hex(bits: &str) -> String {
    support::to_hex(&octets(bits))
}

fn octets(bits: &str) -> Vec<u8> {
    let bits: Vec<u8> = bits.bytes().filter(|bit| *bit != b' ').map(|bit| bit - b'0').collect();
    bits.chunks(8).map(|octet| (0..8).fold(0, |sum, at| sum << 1 | octet.get(at).copied().unwrap_or(0))).collect()
}

/// DURATION-INTERVAL-ENCODING (X.691 §32.6), held against the same SEQUENCE written out.
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
