//! Text of values that no decoder gives: those that have a DEFAULT, and those that break a rule.

use roadwire_frontend::{Source, compile};
use roadwire_layout::{Rules, lower, value_notation};
use roadwire_model::Value;
use roadwire_program::{Program, Tape};

/// The text that programs and the interpreter write of a value: with constraints, and without. The
/// value is read from text that may lack any component.
fn written(module: &str, text: &str) -> [Option<String>; 2] {
    let module = format!("Demo DEFINITIONS AUTOMATIC TAGS ::= BEGIN\n{module}\nEND");
    let source = Source::new("demo.asn", module.as_str());
    let model = compile(&[source]).unwrap_or_else(|errors| panic!("{}", errors.render())).model;
    let root = model.find("Demo.A").unwrap();
    let notation = value_notation(&model, root, true).unwrap();
    let mut value = Value::Unset;
    roadwire_engine::decode(&notation.for_parts(), text.as_bytes(), &mut value).unwrap();
    [lower(&model, root, Rules::Jer).unwrap(), notation].map(|layout| {
        let program = Program::new(&model, root, &layout).unwrap();
        let (mut tape, mut output) = (Tape::new(), vec![0; 1 << 10]);
        tape.read(program.frames(), &value).unwrap();
        let count = program.encode(&tape, &mut output).ok();
        let found = count.map(|count| String::from_utf8(output[..count].to_vec()).unwrap());
        let wanted = roadwire_engine::encode_to_vec(&layout, &value, 1 << 10).ok();
        assert_eq!(found, wanted.map(|octets| String::from_utf8(octets).unwrap()), "{text}");
        found
    })
}

/// The same text for both layouts.
fn both(text: &str) -> [Option<String>; 2] {
    [Some(text.to_owned()), Some(text.to_owned())]
}

#[test]
fn a_component_that_has_its_default_is_left_out() {
    let module = "A ::= SEQUENCE {
        a INTEGER DEFAULT 5, b BIT STRING { x (0), y (9) } DEFAULT { x }, c UTF8String DEFAULT \"é\",
        d BOOLEAN DEFAULT TRUE, e B DEFAULT second, f OCTET STRING DEFAULT '00FF'H, g REAL DEFAULT 0
    }
    B ::= ENUMERATED { first, second }";
    let text = r#"{"a":5,"b":{"value":"8000","length":10},"c":"é","d":true,"e":"second","f":"00FF","g":0}"#;
    assert_eq!(written(module, text), both("{}"));
    let text = r#"{"a":6,"b":{"value":"8040","length":10},"c":"e","d":false,"e":"first","f":"00FE","g":"-0"}"#;
    assert_eq!(written(module, text), both(text));
    assert_eq!(written(module, r#"{"a":5,"c":"e","g":0}"#), both(r#"{"c":"e"}"#));
}

#[test]
fn a_group_has_all_of_its_mandatory_components_or_none() {
    let module = "A ::= SEQUENCE { ..., [[ a INTEGER, b BOOLEAN OPTIONAL ]], c NULL }";
    assert_eq!(written(module, r#"{"b":true}"#), [None, None]);
    for text in ["{}", r#"{"c":null}"#, r#"{"a":1}"#, r#"{"a":1,"b":true,"c":null}"#] {
        assert_eq!(written(module, text), both(text));
    }
}

#[test]
fn sizes_are_checked_where_the_interpreter_checks_them() {
    for (types, texts) in [
        ("SEQUENCE (SIZE (1..2)) OF BOOLEAN", ["[true]", "[]", "[true,false,true]"]),
        ("OCTET STRING (SIZE (1..2))", ["\"00\"", "\"\"", "\"000000\""]),
        ("IA5String (SIZE (1..2))", ["\"a\"", "\"\"", "\"abc\""]),
        ("NumericString", ["\"0 9\"", "\"a\"", "\"é\""]),
        ("INTEGER (-5..5)", ["-5", "-6", "6"]),
        ("INTEGER (5..MAX)", ["18446744073709551615", "4", "0"]),
    ] {
        let module = format!("A ::= {types}");
        assert_eq!(written(&module, texts[0]), both(texts[0]));
        for text in &texts[1..] {
            assert_eq!(written(&module, text), [None, Some((*text).to_owned())], "{types}");
        }
    }
}

#[test]
fn bits_have_their_number_unless_it_is_the_fixed_one() {
    let fixed = "A ::= BIT STRING (SIZE (7))";
    assert_eq!(written(fixed, "\"AA\""), both("\"AA\""));
    let longer = r#"{"value":"AA80","length":9}"#;
    assert_eq!(written(fixed, longer), [None, Some(longer.to_owned())]);
    assert_eq!(written("A ::= BIT STRING", longer), both(longer));
    assert_eq!(written("A ::= BIT STRING (SIZE (9, ...))", longer), both(longer));
}

#[test]
fn characters_are_escaped_as_the_interpreter_does() {
    let text = r#""a\"\\\n\r\t\u0000\u007F\u0085\u2028é/𝄞""#;
    assert_eq!(written("A ::= UTF8String", text), both(text));
}
