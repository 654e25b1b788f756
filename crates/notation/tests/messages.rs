//! The words of errors: what was found, what was expected, and which names there are.

use roadwire_asn1::{Source, compile};
use roadwire_notation::Notation;

/// The error for a text that is read as a value of type `A`.
#[track_caller]
fn error(definitions: &str, text: &str) -> String {
    let module = format!("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN {definitions} END");
    let model = compile(&[Source::new("m.asn", module.as_str())]).unwrap_or_else(|found| panic!("{found}")).model;
    let notation = Notation::strict(&model, model.find("A").unwrap()).unwrap();
    notation.read(text).expect_err(text).to_string()
}

#[test]
fn what_is_expected_and_what_is_found_stand_in_one_line() {
    let found = [
        ("[1]", "an array"),
        ("{}", "an object"),
        ("\"yes\"", "the string \"yes\""),
        ("-1.5e3", "-1.5e3"),
        ("null", "null"),
    ];
    for (text, found) in found {
        assert_eq!(error("A ::= BOOLEAN", text), format!("1:1: expected true or false, found {found}"));
    }
    assert_eq!(error("A ::= INTEGER", "true"), "1:1: expected an integer, found true");
    let long = format!("\"{}\"", "x".repeat(50));
    assert_eq!(
        error("A ::= NULL", &long),
        format!("1:1: expected null, found the string \"{}…\"", "x".repeat(40)),
        "a long text is cut to 40 characters"
    );
}

#[test]
fn text_that_is_no_json_says_which_character_it_is() {
    assert_eq!(error("A ::= SEQUENCE OF NULL", "[null;"), "1:6: expected `,` or `]`, found ';'");
    assert_eq!(error("A ::= SEQUENCE OF NULL", "[null"), "1:6: expected `,` or `]`, the text ends");
    assert_eq!(error("A ::= SEQUENCE OF NULL", "[é"), "1:2: expected a value, found 'é' in [0]");
    assert_eq!(
        error("A ::= SEQUENCE OF BOOLEAN", "[\n true,\n yes]"),
        "3:2: `yes` is not a JSON value; names and text stand in quotes in [1]"
    );
}

#[test]
fn an_unknown_member_is_named_where_a_mandatory_one_is_absent() {
    let lenient = |definitions: &str, text: &str| {
        let module = format!("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN {definitions} END");
        let model = compile(&[Source::new("m.asn", module)]).unwrap_or_else(|found| panic!("{found}")).model;
        Notation::new(&model, model.find("A").unwrap()).unwrap().read(text).expect_err(text).to_string()
    };
    let record =
        "A ::= SEQUENCE { l SEQUENCE OF CHOICE { h H }, ... } H ::= SEQUENCE { version NULL, messageID NULL, ... }";
    let of = |members: &str| lenient(record, &format!(r#"{{"l": [{{"h": {{{members}}}}}]}}"#));
    let absent = "1:14: mandatory component `messageID` is absent";
    let inside = "in l[0].h";
    assert_eq!(
        of(r#""version": null, "x": {"messageID": 1}, "messageId" : null"#),
        format!("{absent}; there is no component `messageId` {inside}")
    );
    assert_eq!(
        of(r#""version": null, "a": 1, "b": [2]"#),
        format!("{absent}; there is no component `a`, `b` {inside}")
    );
    assert_eq!(of(r#""version": null"#), format!("{absent} {inside}"));
}

#[test]
fn an_unknown_name_is_told_with_those_that_there_are() {
    let record = "A ::= SEQUENCE { latitude NULL OPTIONAL, lane NULL OPTIONAL }";
    assert_eq!(
        error(record, r#"{"lattitude":null}"#),
        "1:2: there is no component `lattitude`; did you mean `latitude`?"
    );
    assert_eq!(error(record, r#"{"e":null}"#), "1:2: there is no component `e`; there is `latitude`, `lane`");
    let choice = "A ::= CHOICE { car NULL, bus NULL }";
    assert_eq!(error(choice, r#"{"Car":null}"#), "1:2: there is no alternative `Car`; did you mean `car`?");
    let items = "A ::= ENUMERATED { forward, backward }";
    assert_eq!(error(items, "\"foreward\""), "1:1: there is no item `foreward`; did you mean `forward`?");
}

#[test]
fn a_name_of_one_or_two_letters_is_like_one_in_another_case_alone() {
    let record = "A ::= SEQUENCE { a NULL OPTIONAL, bc NULL OPTIONAL }";
    assert_eq!(error(record, r#"{"A":null}"#), "1:2: there is no component `A`; did you mean `a`?");
    assert_eq!(error(record, r#"{"bd":null}"#), "1:2: there is no component `bd`; there is `a`, `bc`");
}

#[test]
fn a_member_that_is_there_twice_is_named() {
    let record = "A ::= SEQUENCE { a NULL, b NULL OPTIONAL }";
    assert_eq!(error(record, r#"{"a":null,"a":null}"#), "1:11: this member occurs twice: `a`");
    assert_eq!(error(record, r#"{"b":null}"#), "1:1: mandatory component `a` is absent");
}

#[test]
fn where_there_are_no_names_or_too_many_none_is_listed() {
    assert_eq!(error("A ::= SEQUENCE { }", r#"{"x":1}"#), "1:2: there is no component `x`");
    let items: Vec<String> = (0..9).map(|at| format!("item{at}")).collect();
    let many = format!("A ::= ENUMERATED {{ {} }}", items.join(", "));
    assert_eq!(error(&many, "\"x\""), "1:1: there is no item `x`");
}
