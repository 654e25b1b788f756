//! Generated C and the interpreter agree on strings with escapes, on values that are read after
//! others which select their types, and on numbers, in JSON text.

#[allow(dead_code, reason = "this test has messages of its own")]
#[path = "support/c99.rs"]
mod c99;
mod support;

use c99::{Message, held};
use roadwire_layout::Rules;
use roadwire_model::Model;
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

fn compiled(text: &str) -> Model {
    let source = roadwire_asn1::Source::new("m.asn", text);
    roadwire_asn1::compile(&[source]).unwrap_or_else(|errors| panic!("{}", errors.render())).model
}

#[test]
fn texts_are_those_of_the_interpreter() {
    let model = compiled(MODULE);
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

/// Open types, with the components that select their types after them.
const OPEN: &str = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
    Inner ::= SEQUENCE { a INTEGER (0..7), b BOOLEAN OPTIONAL }
    Kind ::= ENUMERATED { one, two, ... }
    ROW ::= CLASS { &id INTEGER (0..255), &kind Kind, &Type } WITH SYNTAX { TYPE &Type ID &id KIND &kind }
    Rows ROW ::= { { TYPE Inner ID 1 KIND one } | { TYPE INTEGER (-9..9) ID 2 KIND two } | { TYPE OCTET STRING ID 3 KIND two } }
    Sure ::= SEQUENCE { value ROW.&Type ({Rows}{@id}), x BOOLEAN OPTIONAL, id ROW.&id ({Rows}) }
    Maybe ::= SEQUENCE { value ROW.&Type ({Rows}{@id}) OPTIONAL, ..., id ROW.&id ({Rows}) }
    Free ::= SEQUENCE { value ROW.&Type ({Rows}{@id}), id ROW.&id ({Rows}) OPTIONAL }
    Plain ::= SEQUENCE { value ROW.&Type ({Rows}{@id}) OPTIONAL, id ROW.&id ({Rows}) DEFAULT 2 }
    Both ::= SEQUENCE { value ROW.&Type ({Rows}{@id, @kind}), id ROW.&id ({Rows}), kind ROW.&kind ({Rows}{@id}) }
    Headed ::= SEQUENCE { value ROW.&Type ({Rows}{@head.id}), head SEQUENCE { x BOOLEAN, id ROW.&id ({Rows}) } }
    Lists ::= SEQUENCE { all SEQUENCE (SIZE (0..3)) OF SEQUENCE { value ROW.&Type ({Rows}{@.id}), id ROW.&id ({Rows}) },
        more SEQUENCE (SIZE (0..3)) OF ROW.&Type ({Rows}{@id}), id ROW.&id ({Rows}) }
END";

/// Members of each type, of which a message has some in any order.
const MEMBERS: [(&str, &[&str]); 7] = [
    (
        "Sure",
        &[r#""value":{"b":true, "a":5}"#, r#""id":1"#, r#""x":false"#, r#""value":-9"#, r#""id":2"#, r#""id":"2""#],
    ),
    ("Maybe", &[r#""value":{"a":5}"#, r#""id":1"#, r#""value":"00ff""#, r#""id":3"#, r#""id":256"#, r#""...0":"00""#]),
    ("Free", &[r#""value":"00""#, r#""id":2"#, r#""id":3"#, r#""id":[]"#, r#""value":9"#, r#""value":{"...":"0102"}"#]),
    ("Plain", &[r#""value":"00""#, r#""id":3"#, r#""id":{}"#, r#""value":9"#, r#""value":{"...":"0102"}"#]),
    ("Both", &[r#""value":"00""#, r#""value":9"#, r#""id":2"#, r#""id":3"#, r#""kind":"two""#, r#""kind":"one""#]),
    (
        "Headed",
        &[
            r#""value":"00""#,
            r#""value":9"#,
            r#""head":{"x":true,"id":3}"#,
            r#""head":{"x":1,"id":2}"#,
            r#""head":{"id":2,"x":true}"#,
            r#""head":{"x":true}"#,
        ],
    ),
    (
        "Lists",
        &[
            r#""all":[{"value":9,"id":2},{"id":3,"value":"00"}]"#,
            r#""more":[9,8]"#,
            r#""more":[{"a":1}]"#,
            r#""id":2"#,
            r#""id":1"#,
        ],
    ),
];

/// All orders of up to three or four of some members.
fn orders(members: &[&str], most: usize) -> Vec<Vec<u8>> {
    let (mut all, mut last) = (Vec::new(), vec![String::new()]);
    for _ in 0..most {
        all.extend(last.iter().map(|some| format!("{{{}}}", some.trim_start_matches(',')).into_bytes()));
        last = last.iter().flat_map(|some| members.iter().map(move |one| format!("{some},{one}"))).collect();
    }
    all
}

#[test]
fn open_types_come_before_what_selects_their_types() {
    let model = compiled(OPEN);
    let with = MEMBERS.map(|(name, _)| Message::of(&model, name, Rules::Jer));
    let of = |one: &Message| {
        let members = MEMBERS.iter().find(|(name, _)| *name == one.name).unwrap().1;
        orders(members, if members.len() < 6 { 5 } else { 4 })
    };
    for (name, [all, by_c]) in held(&model, Rules::Jer, "open", &with, of) {
        assert!(all >= 4 && by_c == all, "{name}: {by_c} of {all}");
    }
    held(&model, Rules::Jer, "open", &with, |one| {
        let (mut rng, all) = (Rng::new(3), of(one));
        (0..1000).map(|_| support::mutant(&all, *b"\"\\}0", &mut rng)).collect()
    });
}

/// Other forms of text: escapes, items of a later version, other sizes of named bits, wide
/// numbers in object identifiers, and text without a bound.
const FORMS: &str = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
    Octets ::= SEQUENCE { a OCTET STRING (SIZE (0..4)), b OCTET STRING, c OCTET STRING (SIZE (2)), d BIT STRING (SIZE (0..300)),
        e BIT STRING (SIZE (12)), ... }
    Item ::= ENUMERATED { one, two, ..., three (7), four }
    Items ::= SEQUENCE { a Item, b ENUMERATED { only } OPTIONAL }
    Flags ::= BIT STRING { x (0), y (3) } (SIZE (8))
    Named ::= SEQUENCE { a Flags DEFAULT { y }, b BIT STRING { x (0) } (SIZE (3..5)), c BIT STRING { x (0) } (SIZE (70..80)) }
    Ids ::= SEQUENCE { a OBJECT IDENTIFIER, b RELATIVE-OID OPTIONAL, c SEQUENCE (SIZE (0..2)) OF OBJECT IDENTIFIER }
    Long ::= SEQUENCE { a UTF8String, b IA5String (FROM (\"a\"..\"z\")), c UTF8String (SIZE (60..80)) OPTIONAL }
END";

/// A type, the messages that C takes, and those that it refuses, as the interpreter does.
fn forms() -> [(&'static str, Vec<String>, Vec<String>); 5] {
    let octets = |a: &str, b: &str, d: &str| format!(r#"{{"a":"{a}","b":"{b}","c":"00fF","d":{d},"e":"12\u00330"}}"#);
    let bits = |value: &str, length: &str| format!(r#"{{"value":"{value}","length":{length}}}"#);
    let item = |name: &str| format!(r#"{{"a":"{name}"}}"#);
    let named = |a: &str, b: &str, c: &str| format!(r#"{{"a":{a},"b":{b},"c":{c}}}"#);
    let id = |a: &str, b: &str| format!(r#"{{"a":"{a}","b":"{b}","c":["{a}"]}}"#);
    let long = |a: &str, b: &str, c: &str| format!(r#"{{"a":"{a}","b":"{b}","c":"{c}"}}"#);
    let (flags, ten, fewer) = (r#""10""#, bits("FF80", "10"), bits("80", "1"));
    [
        (
            "Octets",
            vec![
                octets("", "", &bits("", "0")),
                octets(r"\u0041b", r"0\u0031\u0032\u0033", &bits(r"\u00420", "4")),
                octets("01234567", &r"\u0046\u0030".repeat(900), &bits(&r"f\u0030".repeat(37), "296")),
                octets("", "", &bits("", r#"0 ,"x":"#))
                    .replace(r#","x":"#, "")
                    .replace("\"e\"", r#""...0":"\u0030a","e""#),
            ],
            vec![
                octets(r"\u004", "", &bits("", "0")),
                octets(r"\u0047\u0047", "", &bits("", "0")),
                octets(r"\u00410", "0", &bits("", "0")),
                octets(r"\n0", "", &bits("", "0")),
                octets("0123456789", "", &bits("", "0")),
                octets("", "", &bits(r"\u00420", "3")),
                octets("", "", &bits(r"\u00420", "9")),
            ],
        ),
        (
            "Items",
            [
                "two",
                "three",
                r"th\u0072ee",
                "...2",
                "...1000",
                "...(5)",
                "...(-5)",
                r"..\u002e(1073741823)",
                "...(-1073741824)",
            ]
            .map(item)
            .to_vec(),
            [
                "...1",
                "...0",
                "...02",
                "...(05)",
                "...(-0)",
                "...(1073741824)",
                "...(5",
                "...()",
                "...(5))",
                "five",
                "...",
                "",
            ]
            .map(item)
            .to_vec(),
        ),
        (
            "Named",
            vec![
                named(flags, &bits("80", "3"), &bits("800000000000000000", "70")),
                named(&bits("10", "4"), &fewer, &ten),
                named(&bits("FF00", "12"), &bits("F8", "8"), &bits("FFFFFFFFFFFFFFFFFFFF00", "88")),
                named(&fewer, &bits("", "0"), &bits("", "0")),
                named(&bits("1000", "16"), &bits("80", "3"), &bits(r"\u00380", "7")),
            ],
            vec![
                named(&ten, &fewer, &ten),
                named(flags, &bits("FC", "6"), &ten),
                named(flags, &fewer, &bits("FFFFFFFFFFFFFFFFFFFFFF", "88")),
                named(flags, r#""80""#, &ten),
            ],
        ),
        (
            "Ids",
            vec![
                id("1.2.840.113549", "5"),
                id("2.999", "0.1.2"),
                id("0.39", "170141183460469231731687303715884105727.170141183460469231731687303715884105728"),
                id(r"1\u002e2", "007"),
                id(&format!("2.{}.1", "7".repeat(9863)), &"9".repeat(500)),
                id("2.85070591730234615865843651857942052863", "127.128.16383.16384"),
            ],
            [
                "", "1", "3.1", "1.40", "0.100", "1..2", "a.b", "1.2.", "1.2.-3", ".", "1.2.3é", "10.1", "02.1.",
                "1.2.3\\n",
            ]
            .map(|of| id(of, "1"))
            .into_iter()
            .chain(
                [&*"9".repeat(9864), &"1".repeat(9865), &"0".repeat(9866), &format!("{}x", "0".repeat(9865)), ""]
                    .map(|of| id("1.2", of)),
            )
            .collect(),
        ),
        (
            "Long",
            vec![
                long("", "", &"é".repeat(60)),
                long(&"x".repeat(1000), "abc", &"a".repeat(80)),
                long(r#"\"\\\/\b\f\n\r\t\u0000\uD83D\ude80"#, r"\u0061bc", &r"\u00e9".repeat(60)),
            ],
            vec![
                long(r"\x", "", &"a".repeat(60)),
                long("\n", "", &"a".repeat(60)),
                long(r"\ud83d", "", &"a".repeat(60)),
                long("", "aB", &"a".repeat(60)),
                long("", r"\u0041", &"a".repeat(60)),
                long("", "", &r"\u00e9".repeat(59)),
                long("", "", &"é".repeat(81)),
            ],
        ),
    ]
}

#[test]
fn rare_forms_are_taken() {
    let (model, forms) = (compiled(FORMS), forms());
    let with = forms.each_ref().map(|(name, ..)| Message::of(&model, name, Rules::Jer));
    let of = |one: &Message| forms.iter().find(|(name, ..)| *name == one.name).unwrap();
    let octets = |texts: &[String]| texts.iter().map(|text| text.as_bytes().to_vec()).collect::<Vec<_>>();
    for (name, taken) in held(&model, Rules::Jer, "forms-of-text", &with, |one| octets(&of(one).1)) {
        let most = forms.iter().find(|(one, ..)| *one == name).unwrap().1.len();
        assert_eq!(taken, [most; 2], "{name}");
    }
    for (name, taken) in held(&model, Rules::Jer, "forms-of-text", &with, |one| octets(&of(one).2)) {
        assert_eq!(taken, [0, 0], "{name}");
    }
    held(&model, Rules::Jer, "forms-of-text", &with, |one| {
        let (mut rng, all) = (Rng::new(5), octets(&of(one).1));
        (0..600).map(|_| support::mutant(&all, *b"\"\\u0", &mut rng)).collect()
    });
}
