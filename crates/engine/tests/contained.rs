//! Strings that contain the encoding of a value (X.682 §11).

mod support;

use roadwire_engine::{Limits, decode_with};
use roadwire_layout::Rules;
use roadwire_model::Value;
use roadwire_model::random::{self, Rng, Settings};
use support::{Codec, Heard, to_hex};

const CLASS: &str = "ITEM ::= CLASS { &id INTEGER (0..7) UNIQUE, &Type } WITH SYNTAX { &Type IDENTIFIED BY &id }
    Items ITEM ::= { {BOOLEAN IDENTIFIED BY 1} | {OCTET STRING (CONTAINING Item {{Items}}) IDENTIFIED BY 2}, ... }
    Item {ITEM:Set} ::= SEQUENCE { id ITEM.&id ({Set}), value ITEM.&Type ({Set}{@id}) }";

/// Whether the values of all rules but the one of the presentation language come back.
fn come_back(definitions: &str, texts: &[&str]) {
    come_back_without(None, definitions, texts);
}

fn come_back_without(without: Option<Rules>, definitions: &str, texts: &[&str]) {
    for rules in Rules::ALL.into_iter().filter(|rules| rules.is_for_asn1() && Some(*rules) != without) {
        let codec = Codec::under(rules, definitions).unwrap_or_else(|error| panic!("{rules}: {error}"));
        for text in texts {
            let value = codec.value(text);
            assert_eq!(roadwire_model::check::value(&codec.model, codec.root, &value), [], "{text}");
            let octets = codec.encode(&value).unwrap_or_else(|error| panic!("{rules}: {text}: {error}"));
            let back = codec.decode(&octets).unwrap_or_else(|error| panic!("{rules}: {text}: {error}"));
            assert!(roadwire_model::data::equal(&codec.model, codec.root, &value, &back), "{rules}: {back:?}");
        }
    }
}

#[test]
fn a_content_may_have_open_types_and_contents() {
    come_back(
        &format!("{CLASS} A ::= SEQUENCE {{ n BOOLEAN, o OCTET STRING (CONTAINING Item {{{{Items}}}}), m BOOLEAN }}"),
        &[
            r#"{"n":true,"o":{"containing":{"id":1,"value":true}},"m":true}"#,
            r#"{"n":true,"o":{"containing":{"id":2,"value":{"containing":{"id":1,"value":true}}}},"m":false}"#,
            r#"{"n":false,"o":{"containing":{"id":3,"value":"0500"}},"m":false}"#,
        ],
    );
}

/// X.682 §10.7, §11: octets of which nothing is known are not even looked at, as the signatures of
/// RFC 5912's certificates must not be. Those whose type a table gives are.
#[test]
fn a_content_whose_type_no_table_tells_stays_a_string() {
    let definitions = "A ::= SEQUENCE { id ALG.&id ({Algs}), more ALG.&More ({Algs}{@id}), s BIT STRING (CONTAINING ALG.&Value ({Algs}{@id})) }
        ALG ::= CLASS { &id INTEGER UNIQUE, &More, &Value OPTIONAL } WITH SYNTAX { &id &More [VALUE &Value] }
        Algs ALG ::= { {1 NULL} | {2 NULL VALUE Pair}, ... }
        Pair ::= SEQUENCE { r INTEGER, s INTEGER }";
    let texts = [
        r#"{"id":1,"more":null,"s":{"value":"FF02","length":16}}"#,
        r#"{"id":3,"more":"0500","s":{"value":"30","length":8}}"#,
        r#"{"id":3,"more":"0500","s":{"value":"30","length":7}}"#,
        r#"{"id":2,"more":null,"s":{"containing":{"r":1,"s":2}}}"#,
    ];
    // In Protocol Buffers a content is a message, with a field for the value of an open type.
    come_back_without(Some(Rules::Protobuf), definitions, &texts);
    let codec = Codec::under(Rules::Der, definitions).unwrap();
    let octets = codec.encode(&codec.value(texts[0])).unwrap();
    assert_eq!(to_hex(&octets), "300c800101a1020500820300ff02");
    assert_eq!(codec.decode(&octets).unwrap(), codec.value(texts[0]));
    let told = codec.encode(&codec.value(r#"{"id":2,"more":null,"s":{"value":"FF02","length":16}}"#)).unwrap();
    assert!(codec.decode(&told).unwrap_err().contains("in s"));
}

#[test]
fn contents_are_alternatives_elements_additions_and_defaults() {
    come_back(
        "A ::= SET OF CHOICE { o OCTET STRING (CONTAINING B), ..., b BIT STRING (CONTAINING B), s S }
         B ::= SEQUENCE { x INTEGER (0..7), ..., o OCTET STRING (CONTAINING INTEGER) OPTIONAL, [[ y BIT STRING (CONTAINING NULL) ]] }
         S ::= SEQUENCE { o OCTET STRING (CONTAINING BOOLEAN) OPTIONAL, d BOOLEAN DEFAULT TRUE }",
        &[
            r#"[{"o":{"containing":{"x":5}}}]"#,
            r#"[{"b":{"containing":{"x":5,"o":{"containing":-300}}}}]"#,
            r#"[{"b":{"containing":{"x":5,"o":{"containing":1},"y":{"containing":null}}}}]"#,
            r#"[{"s":{"o":{"containing":false}}}]"#,
            r#"[{"s":{}}]"#,
        ],
    );
}

/// X.680 §22.9, §23.3: `CONTAINING value`.
#[test]
fn a_default_may_be_the_value_of_a_content() {
    let definitions = "A ::= SEQUENCE { o OCTET STRING (CONTAINING B) DEFAULT CONTAINING 5, b BIT STRING (CONTAINING C) DEFAULT CONTAINING c : 300, x BOOLEAN }
        B ::= INTEGER (0..1000) C ::= CHOICE { c B }";
    let values = [r#"{"x":true}"#, r#"{"o":{"containing":6},"x":true}"#, r#"{"b":{"containing":{"c":5}},"x":true}"#];
    come_back(definitions, &values);
    for rules in Rules::ALL.into_iter().filter(|rules| rules.is_for_asn1()) {
        let codec = Codec::under(rules, definitions).unwrap();
        let whole = codec.value(r#"{"o":{"containing":5},"b":{"containing":{"c":300}},"x":true}"#);
        assert_eq!(codec.encode(&whole), codec.encode(&codec.value(values[0])), "{rules}");
        // Canonical XER also writes it.
        let back = codec.decode(&codec.encode(&whole).unwrap()).unwrap();
        assert!(roadwire_model::data::equal(&codec.model, codec.root, &whole, &back), "{rules}: {back:?}");
    }
}

/// X.691 §17.6 to §17.8, X.690 §8.7.3, §9.2: in fragments, in segments, and with a length or not.
#[test]
fn a_content_is_as_long_as_it_is() {
    for length in [0, 1, 100, 127, 128, 990, 16_380, 16_384, 70_000] {
        let text = "a".repeat(length);
        let text = format!(r#"{{"o":{{"containing":{{"t":"{text}"}}}},"b":{{"containing":{{"t":"{text}"}}}}}}"#);
        come_back(
            "A ::= SEQUENCE { o OCTET STRING (CONTAINING T), b BIT STRING (CONTAINING T) } T ::= SEQUENCE { t UTF8String }",
            &[&text],
        );
    }
}

#[test]
fn random_values_come_back_under_all_rules() {
    let definitions = "A ::= SEQUENCE { a BOOLEAN, o OCTET STRING (CONTAINING B) OPTIONAL, l SEQUENCE (SIZE (0..3)) OF BIT STRING (CONTAINING B) }
        B ::= CHOICE { x INTEGER (0..300), a OCTET STRING (CONTAINING A), t UTF8String }";
    for rules in Rules::ALL.into_iter().filter(|rules| rules.is_for_asn1()) {
        let codec = Codec::under(rules, definitions).unwrap();
        let mut contents = 0;
        for seed in 0..300 {
            let settings = Settings { unknown: 0, ..Settings::default() };
            let value = random::value(&codec.model, codec.root, &mut Rng::new(seed), &settings);
            // XML does not have all characters.
            let Ok(octets) = codec.encode(&value) else { continue };
            let back = codec.decode(&octets).unwrap_or_else(|error| panic!("{rules} {seed}: {error}: {value:?}"));
            assert!(roadwire_model::data::equal(&codec.model, codec.root, &value, &back), "{rules} {seed}: {back:?}");
            contents += usize::from(format!("{back:?}").contains("Choice(0, Choice("));
        }
        assert!(contents > 100, "{rules}: {contents}");
    }
}

/// X.682 §11: what is in there must be an encoding; octets are taken where the message in memory
/// has some.
#[test]
fn what_is_no_encoding_is_refused_where_it_is() {
    let codec = Codec::new("A ::= SEQUENCE { b BOOLEAN, o OCTET STRING (CONTAINING INTEGER (0..255)) }");
    assert_eq!(to_hex(&codec.encode(&codec.value(r#"{"b":true,"o":"0102"}"#)).unwrap()), "81008100");
    for (octets, error) in [
        (&[0x81, 0, 0x81, 0][..], "expected the end of an open type, found 1 octet at bit 17 in o"),
        (&[0x80, 0x00][..], "expected an octet or more in an open type, found none at bit 1 in o"),
    ] {
        assert_eq!(codec.decode(octets), Err(error.to_owned()));
    }
    let bits = Codec::new("A ::= SEQUENCE { o BIT STRING (CONTAINING BOOLEAN) }");
    assert!(bits.decode(&[9, 0x80, 0]).unwrap_err().contains("in o"));
    let json = Codec::under(Rules::Jer, "A ::= SEQUENCE { o OCTET STRING (CONTAINING NULL) }").unwrap();
    let error = json.decode(br#"{"o":{"containing":null,"b":1}}"#).unwrap_err();
    assert!(error.contains("expected \"containing\" alone, found another member"), "{error}");
}

#[test]
fn nesting_in_strings_is_limited() {
    let codec = Codec::new("A ::= SEQUENCE { again OCTET STRING (CONTAINING A) OPTIONAL }");
    let mut value = Value::sequence([None]);
    for _ in 0..60 {
        value = Value::sequence([Some(Value::choice(0, value))]);
    }
    assert!(codec.encode(&value).unwrap_err().contains("nested deeper than the limit"));
    let mut octets = vec![0];
    while octets.len() < 120 {
        // The bit of presence, a length, and all shifted by one bit.
        let length = octets.len() as u8;
        let mut longer = vec![0x80 | length >> 1];
        let mut carry = length & 1;
        for octet in &octets {
            longer.push(carry << 7 | octet >> 1);
            carry = octet & 1;
        }
        longer.push(carry << 7);
        octets = longer;
    }
    assert!(codec.decode(&octets).unwrap_err().contains("nested deeper than the limit"));
}

/// Each bit is reported once, of a content in one piece and of one in fragments.
#[test]
fn a_listener_hears_of_each_bit_of_a_content_once() {
    for (rules, length) in [
        (Rules::Uper, 5),
        (Rules::Uper, 40_000),
        (Rules::Aper, 5),
        (Rules::Coer, 5),
        (Rules::Der, 5),
        (Rules::Cer, 5000),
        (Rules::Cbor, 5),
    ] {
        let codec = Codec::under(
            rules,
            "A ::= SEQUENCE { b BOOLEAN, o OCTET STRING (CONTAINING T) } T ::= SEQUENCE { t UTF8String }",
        );
        let codec = codec.unwrap();
        let text = "a".repeat(length);
        let octets =
            codec.encode(&codec.value(&format!(r#"{{"b":true,"o":{{"containing":{{"t":"{text}"}}}}}}"#))).unwrap();
        let (mut heard, mut value) = (Heard::default(), Value::Unset);
        decode_with(&codec.layout, &octets, &mut value, &Limits::for_input(&octets), &mut heard).unwrap();
        assert_eq!(heard.next, octets.len() * 8, "{rules} {length}");
    }
}
