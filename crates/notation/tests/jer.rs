//! JER (X.697): what is read, what is written, what is refused and with which errors.

#[path = "../../model/tests/support/mod.rs"]
mod support;

use roadwire_model::data::equal;
use roadwire_model::{Data, Scalar, Shape, TypeId, Unknown, Value};
use roadwire_notation::{Notation, NotationError};
use support::*;

fn with(replace: &str, by: &str) -> String {
    assert!(EVERYTHING.contains(replace), "{replace}");
    EVERYTHING.replacen(replace, by, 1)
}

fn read(text: &str) -> Result<Value, NotationError> {
    let types = everything();
    Notation::new(&types.model, types.everything).unwrap().read(text)
}

/// The code and path of the error.
fn refused(text: &str) -> (&'static str, String) {
    match read(text) {
        Ok(value) => panic!("{text} was read as {value:?}"),
        Err(error) => (error.code, error.path),
    }
}

fn one(kind: roadwire_model::Kind) -> (roadwire_model::Model, TypeId) {
    let mut model = roadwire_model::Model::default();
    let id = add(&mut model, kind);
    (model, id)
}

#[test]
fn every_kind_is_written_as_it_was_read() {
    let types = everything();
    let value = read(EVERYTHING).unwrap();
    assert_eq!(Notation::new(&types.model, types.everything).unwrap().write(&value).unwrap(), EVERYTHING);
}

#[test]
fn members_come_in_any_order_and_hexadecimal_in_either_case() {
    let types = everything();
    let text = r#" { "key" : 2 , "content" : { "children" : [ ] , "label" : "A" } } "#;
    let value = Notation::new(&types.model, types.holder).unwrap().read(text).unwrap();
    assert_eq!(
        Notation::new(&types.model, types.holder).unwrap().write(&value).unwrap(),
        r#"{"content":{"label":"A","children":[]},"key":2}"#
    );
    assert_eq!(read(&with("00112233AABBCCDD", "00112233aabbccDD")).unwrap(), read(EVERYTHING).unwrap());
}

#[test]
fn a_component_at_its_default_is_left_out() {
    let types = everything();
    let value = read(&with(r#""tree":"#, r#""five":5,"tree":"#)).unwrap();
    assert_eq!(Notation::new(&types.model, types.everything).unwrap().write(&value).unwrap(), EVERYTHING);
    let other = with(r#""tree":"#, r#""five":6,"tree":"#);
    assert_eq!(Notation::new(&types.model, types.everything).unwrap().write(&read(&other).unwrap()).unwrap(), other);
    assert!(equal(&types.model, types.everything, &value, &read(EVERYTHING).unwrap()));
}

#[test]
fn reals_are_numbers_or_the_strings_of_what_numbers_cannot_say() {
    let (model, id) = one(roadwire_model::Kind::Real { parts: None });
    for (text, expected, written) in [
        ("0", 0.0, "0.0"),
        ("1e3", 1000.0, "1000.0"),
        ("\"-0\"", -0.0, "\"-0\""),
        ("\"INF\"", f64::INFINITY, "\"INF\""),
        ("\"-INF\"", f64::NEG_INFINITY, "\"-INF\""),
        ("{\"base10Value\": 0.1}", 0.1, "0.1"),
        ("4.9e-324", 5e-324, "5e-324"),
    ] {
        let value = Notation::new(&model, id).unwrap().read(text).unwrap();
        assert!(equal(&model, id, &value, &Value::Real(expected)), "{text}");
        assert_eq!(Notation::new(&model, id).unwrap().write(&value).unwrap(), written);
    }
    assert!(
        matches!(Notation::new(&model, id).unwrap().read("\"NaN\"").unwrap(), Value::Real(value) if value.is_nan())
    );
    assert_eq!(Notation::new(&model, id).unwrap().write(&Value::Real(f64::NAN)).unwrap(), "\"NaN\"");
    for text in
        ["1e999999999", "-1e400", "1e-999999999", "\"Infinity\"", "\"1\"", "{\"base10Value\":\"1\"}", "{}", "true"]
    {
        Notation::new(&model, id).unwrap().read(text).unwrap_err();
    }
}

#[test]
fn integers_have_any_size_and_no_fraction() {
    let (model, id) = one(integer(None, None, false));
    for digits in [1, 19, 38, 39, 40, 1000] {
        for sign in ["", "-"] {
            let text = format!("{sign}{}", "9".repeat(digits));
            let value = Notation::new(&model, id).unwrap().read(&text).unwrap();
            assert_eq!(Notation::new(&model, id).unwrap().write(&value).unwrap(), text);
        }
    }
    for text in ["1.0", "1e3", "1e999999999", "\"1\"", "true", &"9".repeat(1_000_000)] {
        let error = Notation::new(&model, id).unwrap().read(text).unwrap_err();
        assert!(error.message.len() < 200, "{}", error.message);
    }
}

#[test]
fn bit_strings_of_fixed_size_are_a_string_others_an_object() {
    assert_eq!(refused(&with(r#""FE""#, r#""FF""#)).1, "fixed", "a bit after the last");
    assert_eq!(refused(&with(r#""FE""#, r#""FE00""#)).1, "fixed");
    assert_eq!(refused(&with(r#""FE""#, r#""F""#)), ("jer.hex", "fixed".into()));
    assert_eq!(refused(&with(r#""FE""#, r#""éé""#)), ("jer.hex", "fixed".into()));
    assert_eq!(refused(&with(r#"{"value":"8900","length":9}"#, r#""8900""#)), ("jer.bits", "bits".into()));
    assert_eq!(refused(&with(r#""length":9"#, r#""length":7"#)).0, "jer.bits");
    assert_eq!(refused(&with(r#""length":9"#, r#""length":99999999999999999999"#)).0, "value.mismatch");
    assert_eq!(refused(&with(r#""length":9"#, r#""length":18446744073709551615"#)).0, "jer.bits");
    assert_eq!(refused(&with(r#","length":9"#, "")).0, "jer.member.missing");
    assert_eq!(refused(&with(r#"{"value":"8900","length":9}"#, r#"{"containing":1}"#)).0, "jer.containing");
    // A value outside a fixed size is still written, and read back.
    let types = everything();
    let long = read(&with(r#""FE""#, r#"{"value":"FE80","length":9}"#)).unwrap();
    let text = Notation::new(&types.model, types.everything).unwrap().write(&long).unwrap();
    assert!(text.contains(r#""fixed":{"value":"FE80","length":9}"#), "{text}");
}

#[test]
fn what_the_type_does_not_have_is_refused_with_path_and_suggestion() {
    let error = read(&with("\"label\":\"b\"", "\"lable\":\"b\"")).unwrap_err();
    assert_eq!((error.code, &*error.path), ("jer.member.unknown", "tree.children[0]"));
    assert!(error.message.contains("did you mean `label`?"), "{error}");
    let error = read(&with("\"blue\"", "\"blu\"")).unwrap_err();
    assert_eq!(error.to_string(), "1:105: there is no item `blu`; did you mean `blue`? in color");
    assert_eq!(refused(&with(r#"{"c":null}"#, r#"{"d":null}"#)), ("jer.choice", "pick".into()));
    assert_eq!(refused(&with(r#"{"c":null}"#, "{}")), ("jer.choice", "pick".into()));
    assert_eq!(refused(&with(r#"{"c":null}"#, r#"{"c":null,"b":true}"#)), ("jer.choice", "pick".into()));
    assert_eq!(refused(&with(r#""small":255,"#, "")), ("component.missing", "small".into()));
    assert_eq!(refused(&with(r#""small":255,"#, r#""small":1,"small":1,"#)).0, "jer.member.duplicate");
    assert_eq!(refused(&with(r#""grouped":false,"#, "")), ("component.missing", "grouped".into()));
    assert_eq!(refused(&with(r#""small":255"#, r#""small":"255""#)), ("value.mismatch", "small".into()));
    assert_eq!(refused(&with("[0,255,7]", "[0,null,7]")), ("value.mismatch", "list[1]".into()));
    assert_eq!(refused(&with("1.2.840.113549", "1.40")), ("jer.oid", "id".into()));
    assert_eq!(refused(&with("1.2.840.113549", "1..2")), ("jer.oid", "id".into()));
    for wrong in ["null", "1", "true", "\"\"", "[]", "{}"] {
        read(wrong).unwrap_err();
    }
}

#[test]
fn line_and_column_count_characters() {
    let types = everything();
    let error = Notation::new(&types.model, types.holder).unwrap().read("{\n  \"key\": 1,\n  /* é */\n}").unwrap_err();
    assert_eq!((error.code, error.line, error.column), ("json.syntax", 3, 3));
    let error = Notation::new(&types.model, types.tree).unwrap().read("{\"label\": \"éé\", \"x\"}").unwrap_err();
    assert_eq!((error.line, error.column), (1, 20));
}

#[test]
fn unknown_members_are_ignored_only_in_extensible_types_and_not_when_strict() {
    let types = everything();
    let text = with("{\"flag\"", "{\"later\":[1,{\"x\":2}],\"flag\"");
    assert_eq!(read(&text).unwrap(), read(EVERYTHING).unwrap());
    let error = Notation::strict(&types.model, types.everything).unwrap().read(&text).unwrap_err();
    assert_eq!((error.code, error.column), ("jer.member.unknown", 2));
}

#[test]
fn unknown_additions_keep_their_octets() {
    let types = everything();
    let Value::Sequence { unknown, .. } = read(EVERYTHING).unwrap() else { panic!() };
    assert_eq!(unknown, [Unknown { index: 2, octets: vec![0xc0, 0xff, 0xee] }, Unknown { index: 7, octets: vec![] }]);
    // Additions 0 (`added`) and 1 (the group) have names.
    for name in ["...0", "...1", "...", "...02", "...+2", "...-1", "...4294967296"] {
        let text = with("\"...2\"", &format!("\"{name}\""));
        match name {
            "...0" | "...1" => assert_eq!(refused(&text).0, "jer.member.unknown"),
            _ => assert_eq!(
                read(&text).unwrap(),
                read(&with("\"...2\":\"C0FFEE\",", "")).unwrap(),
                "{name}: an ordinary unknown name"
            ),
        }
    }
    assert_eq!(refused(&with("...7", "...2")).0, "jer.member.duplicate");
    let (model, pick) = (&types.model, types.pick);
    let value = Notation::new(model, pick).unwrap().read(r#"{"...1":"AB"}"#).unwrap();
    assert_eq!(value, Value::UnknownChoice(Unknown { index: 1, octets: vec![0xab] }));
    assert_eq!(Notation::new(model, pick).unwrap().write(&value).unwrap(), r#"{"...1":"AB"}"#);
    Notation::new(model, pick).unwrap().read(r#"{"...0":"AB"}"#).unwrap_err();
    let text = with("\"blue\"", "\"...4\"");
    assert_eq!(Notation::new(model, types.everything).unwrap().write(&read(&text).unwrap()).unwrap(), text);
    assert_eq!(refused(&with("\"blue\"", "\"...0\"")).0, "jer.enumerated");
}

#[test]
fn an_open_type_is_its_value_where_its_type_is_known_and_octets_elsewhere() {
    let types = everything();
    let read = |text| Notation::new(&types.model, types.holder).unwrap().read(text);
    for text in [
        r#"{"content":true,"key":1}"#,
        r#"{"content":{"...":"FF"},"key":1}"#,
        r#"{"content":"FF","key":3}"#,
        r#"{"content":{"label":"x","children":[]},"key":2}"#,
    ] {
        assert_eq!(Notation::new(&types.model, types.holder).unwrap().write(&read(text).unwrap()).unwrap(), text);
    }
    assert_eq!(read(r#"{"content":true,"key":2}"#).unwrap_err().path, "content");
    assert_eq!(read(r#"{"content":true,"key":3}"#).unwrap_err().code, "jer.open");
    assert_eq!(read(r#"{"content":true}"#).unwrap_err().code, "component.missing");
    let lying = Value::sequence([Some(Value::choice(0, true)), Some(Value::from(2))]);
    assert_eq!(Notation::new(&types.model, types.holder).unwrap().write(&lying).unwrap_err().code, "jer.open");
}

#[test]
fn writing_a_value_of_another_type_is_an_error_with_its_path() {
    let types = everything();
    let tree = |label: Value| Value::sequence([Some(label), Some(Value::List(vec![])), None]);
    let outer = |label| Value::sequence([Some("x".into()), Some(Value::List(vec![tree(label)])), None]);
    Notation::new(&types.model, types.tree).unwrap().write(&outer("y".into())).unwrap();
    let error = Notation::new(&types.model, types.tree).unwrap().write(&outer(Value::Null)).unwrap_err();
    assert_eq!((error.code, &*error.path), ("value.mismatch", "children[0].label"));
    let error =
        Notation::new(&types.model, types.tree).unwrap().write(&Value::sequence([None, None, None])).unwrap_err();
    assert_eq!((error.code, &*error.path), ("component.missing", "label"));
    let mut deep = tree("leaf".into());
    for _ in 0..200 {
        deep = Value::sequence([Some("x".into()), Some(Value::List(vec![])), Some(deep)]);
    }
    assert_eq!(Notation::new(&types.model, types.tree).unwrap().write(&deep).unwrap_err().code, "limit.depth");
}

#[test]
fn depth_is_limited_just_so() {
    let types = everything();
    // The innermost has a list inside.
    let text = |levels: usize| {
        let open = r#"{"label":"","children":[],"next":"#.repeat(levels);
        format!(r#"{open}{{"label":"","children":[]}}{}"#, "}".repeat(levels))
    };
    let deepest = Notation::new(&types.model, types.tree).unwrap().read(&text(Value::MAX_DEPTH - 2)).unwrap();
    Notation::new(&types.model, types.tree).unwrap().write(&deepest).unwrap();
    let error = Notation::new(&types.model, types.tree).unwrap().read(&text(Value::MAX_DEPTH - 1)).unwrap_err();
    assert_eq!(error.code, "limit.depth");
}

/// Stands for a generated type: INTEGER (0..255) in a `u8`, a list of at most two in a struct.
#[derive(Default)]
struct Two(Vec<u8>);

impl Data for Two {
    fn begin(&mut self, shape: Shape) -> bool {
        self.0.clear();
        shape == Shape::List
    }
    fn push(&mut self) -> Option<&mut dyn Data> {
        if self.0.len() == 2 {
            return None;
        }
        self.0.push(0);
        self.0.last_mut().map(|element| element as &mut dyn Data)
    }
    fn length(&self) -> Option<usize> {
        Some(self.0.len())
    }
    fn element(&self, index: usize) -> Option<&dyn Data> {
        self.0.get(index).map(|element| element as &dyn Data)
    }
}

#[test]
fn other_holders_are_filled_and_say_what_they_cannot_hold() {
    let (mut model, small) = one(integer(Some(0), Some(255), false));
    let list = add(&mut model, list_of(small, size(0, Some(2), false)));
    let mut two = Two::default();
    Notation::new(&model, list).unwrap().read_into("[3, 200]", &mut two).unwrap();
    assert_eq!(two.0, [3, 200]);
    assert_eq!(Notation::new(&model, list).unwrap().write(&two).unwrap(), "[3,200]");
    let error = Notation::new(&model, list).unwrap().read_into("[3, 256]", &mut Two::default()).unwrap_err();
    assert_eq!((error.code, &*error.path), ("integer.width", "[1]"));
    let error = Notation::new(&model, list).unwrap().read_into("[1, 2, 3]", &mut Two::default()).unwrap_err();
    assert_eq!((error.code, error.column), ("size.capacity", 8));
    let error = Notation::new(&model, small).unwrap().read_into("1", &mut true).unwrap_err();
    assert_eq!(error.code, "integer.width");
    let mut word = roadwire_model::BitWord::default();
    let bits = add(
        &mut model,
        roadwire_model::Kind::BitString { size: size(7, Some(7), false), named: vec![], contains: None },
    );
    Notation::new(&model, bits).unwrap().read_into("\"fe\"", &mut word).unwrap();
    assert_eq!((word.value, word.bits), (0x7f, 7));
    assert_eq!(word.scalar(), Scalar::Word(word));
}
