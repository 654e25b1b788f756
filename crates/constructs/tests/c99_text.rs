//! Generated C and the interpreter agree on strings with escapes, on values that are read after
//! others which select their types, and on numbers, in JSON text.

#[allow(dead_code, reason = "this test has messages of its own")]
#[path = "support/c99.rs"]
mod c99;
mod support;

use c99::{Message, held};
use roadwire_layout::Rules;
use roadwire_model::random::Rng;

const MODULE: &str = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
    Texts ::= SEQUENCE { a UTF8String (SIZE (0..6)), b IA5String (SIZE (0..9)) (FROM (\"a\"..\"z\" | \" \")) OPTIONAL }
    ROW ::= CLASS { &id INTEGER (0..255) UNIQUE, &Type } WITH SYNTAX { TYPE &Type ID &id }
    Rows ROW ::= { { TYPE Texts ID 1 } | { TYPE INTEGER (-9..9) ID 2 } | { TYPE OCTET STRING ID 3 } }
    Later ::= SEQUENCE { value ROW.&Type ({Rows}{@id}), id ROW.&id ({Rows}) }
    Grown ::= SEQUENCE { ..., [[ id ROW.&id ({Rows}), value ROW.&Type ({Rows}{@id}) OPTIONAL ]] }
    Numbers ::= SEQUENCE { a INTEGER (0..18446744073709551615), b INTEGER (-9223372036854775808..9223372036854775807) }
END";

/// A type, the messages that C takes, and those that it refuses, as the interpreter does.
const MESSAGES: [(&str, &[&str], &[&str]); 4] = [
    (
        "Texts",
        &[
            r#"{"a":"","b":""}"#,
            r#"{"a":"\"\\\/\b\f\n","b":"a z"}"#,
            r#"{"a":"\r\t\u0000\u00e9\uD83D\ude80"}"#,
            "{\"a\":\"é\u{80}\u{2028}道🚀\u{7f}\"}",
        ],
        &[
            r#"{"a":"\x"}"#,
            r#"{"a":"\ud83d"}"#,
            r#"{"a":"\ud83d\u0041"}"#,
            r#"{"a":"\ude80"}"#,
            r#"{"a":"\u00g0"}"#,
            r#"{"a":"seventh"}"#,
            r#"{"a":"","b":"A"}"#,
            "{\"a\":\"\n\"}",
            r#"{"a":"x"} {"#,
            r#"{"a":"x"#,
        ],
    ),
    (
        "Later",
        &[r#"{"value":{"a":"x,]}\"{","b":"z"},"id":1}"#, r#"{"value":-9,"id":2}"#, r#"{"value":"00FF0a","id":3}"#],
        &[
            r#"{"value":{"a":"x"}},"id":1}"#,
            r#"{"value":-9.0e99,"id":2}"#,
            r#"{"value":10,"id":2}"#,
            r#"{"value":"0","id":3}"#,
            r#"{"value":"0g","id":3}"#,
            r#"{"value":"00,"id":3}"#,
            r#"{"value":[[,"id":3}"#,
        ],
    ),
    ("Grown", &["{}", r#"{"id":1}"#, r#"{"id":3,"value":"00FF0a"}"#], &[r#"{"value":1}"#, r#"{"id":2,"value":"x"}"#]),
    (
        "Numbers",
        &[r#"{"a":18446744073709551615,"b":-9223372036854775808}"#, r#"{"a":0,"b":9223372036854775807}"#],
        &[
            r#"{"a":18446744073709551616,"b":0}"#,
            r#"{"a":99999999999999999999,"b":0}"#,
            r#"{"a":01,"b":0}"#,
            r#"{"a":-1,"b":0}"#,
            r#"{"a":0,"b":9223372036854775808}"#,
            r#"{"a":0,"b":-9223372036854775809}"#,
            r#"{"a":,"b":0}"#,
        ],
    ),
];

#[test]
fn texts_are_those_of_the_interpreter() {
    let source = roadwire_asn1::Source::new("m.asn", MODULE);
    let model = roadwire_asn1::compile(&[source]).unwrap_or_else(|errors| panic!("{}", errors.render())).model;
    let message = |name: &str| {
        let root = model.find(&format!("M.{name}")).unwrap();
        Message::new(&model, name, root, Rules::Jer).unwrap_or_else(|error| panic!("{name}: {error}"))
    };
    let with = MESSAGES.map(|(name, ..)| message(name));
    let of = |name: &str| *MESSAGES.iter().find(|(one, ..)| *one == name).unwrap();
    let octets = |texts: &[&str]| texts.iter().map(|text| text.as_bytes().to_vec()).collect::<Vec<_>>();
    for (name, [all, by_c]) in held(&model, Rules::Jer, "texts", &with, |one| octets(of(&one.name).1)) {
        assert_eq!([all, by_c], [of(name).1.len(); 2], "{name}");
    }
    for (name, taken) in held(&model, Rules::Jer, "texts", &with, |one| octets(of(&one.name).2)) {
        assert_eq!(taken, [0, 0], "{name}");
    }
    held(&model, Rules::Jer, "texts", &with, |one| {
        let (mut rng, all) = (Rng::new(3), octets(of(&one.name).1));
        (0..600).map(|_| support::mutant(&all, *b"\"\\}0", &mut rng)).collect()
    });
}
