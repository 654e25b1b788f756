//! Programs for BER, DER and CER, where random values and mutated messages seldom come: each
//! message beside the interpreter.

use roadwire_frontend::{Source, compile};
use roadwire_layout::{Layout, Rules, lower};
use roadwire_model::Value;
use roadwire_program::{Program, Tape};

/// The program and the layout of a type `A`.
fn program(rules: Rules, text: &str) -> (Program, Layout) {
    let module = format!("Demo DEFINITIONS AUTOMATIC TAGS ::= BEGIN A ::= {text} END");
    let compiled = compile(&[Source::new("demo.asn", module.as_str())]);
    let model = compiled.unwrap_or_else(|errors| panic!("{}", errors.render())).model;
    let root = model.find("Demo.A").unwrap();
    let layout = lower(&model, root, rules).unwrap();
    (Program::new(&model, root, &layout).unwrap(), layout)
}

/// Whether the program and the interpreter take a message.
fn takes(rules: Rules, text: &str, octets: &[u8]) -> [bool; 2] {
    let (program, layout) = program(rules, text);
    let taken = program.decode(octets, &mut Tape::new()).is_ok();
    [taken, roadwire_engine::decode(&layout, octets, &mut Value::Unset).is_ok()]
}

/// The octets that the program and the interpreter write.
fn written(rules: Rules, text: &str, value: &Value) -> [Option<Vec<u8>>; 2] {
    let (program, layout) = program(rules, text);
    let (mut tape, mut output) = (Tape::new(), vec![0; 4000]);
    tape.read(program.frames(), value).unwrap();
    let count = program.encode(&tape, &mut output).ok();
    [count.map(|count| output[..count].to_vec()), roadwire_engine::encode_to_vec(&layout, value, 4000).ok()]
}

#[test]
fn addition_groups_are_whole() {
    let text = "SEQUENCE { ..., [[ a INTEGER, b BOOLEAN OPTIONAL, c INTEGER ]] }";
    assert_eq!(takes(Rules::Der, text, &[0x30, 6, 0x80, 1, 5, 0x82, 1, 6]), [true, true]);
    assert_eq!(takes(Rules::Der, text, &[0x30, 0]), [true, true]);
    for part in [[0x80, 1, 5], [0x81, 1, 0xff], [0x82, 1, 6]] {
        assert_eq!(takes(Rules::Der, text, &[&[0x30, 3], &part[..]].concat()), [false, false]);
    }
}

#[test]
fn components_after_the_contents_are_not_inside() {
    // The last component inside is absent, and the next one outside has its tag.
    let text = "SEQUENCE { a SEQUENCE { a INTEGER, b INTEGER OPTIONAL, c NULL OPTIONAL }, b INTEGER, c NULL }";
    assert_eq!(takes(Rules::Der, text, &[0x30, 10, 0xa0, 3, 0x80, 1, 5, 0x81, 1, 6, 0x82, 0]), [true, true]);
}

#[test]
fn contents_end_where_their_length_says() {
    let text = "SEQUENCE { a SEQUENCE { a INTEGER, b OCTET STRING OPTIONAL } }";
    assert_eq!(takes(Rules::Der, text, &[0x30, 5, 0xa0, 3, 0x80, 1, 5]), [true, true]);
    for octets in [
        // The length inside is too small, too great, or greater than that around it.
        &[0x30, 5, 0xa0, 2, 0x80, 1, 5][..],
        &[0x30, 5, 0xa0, 4, 0x80, 1, 5, 0],
        &[0x30, 5, 0xa0, 5, 0x80, 1, 5, 0x81, 0],
        &[0x30, 5, 0xa0, 3, 0x80, 2, 5, 0],
        &[0x30, 5, 0xa0, 3, 0x80, 1],
        &[0x30, 4, 0xa0, 3, 0x80, 1, 5],
    ] {
        assert_eq!(takes(Rules::Der, text, octets), [false, false], "{octets:02x?}");
    }
}

/// X.690 §9.2
#[test]
fn long_strings_have_segments_under_cer() {
    for (count, is_taken) in [(127, true), (128, true), (256, true), (1000, true), (1001, false)] {
        let value = Value::OctetString(vec![7; count]);
        for rules in [Rules::Der, Rules::Cer] {
            let [found, wanted] = written(rules, "OCTET STRING", &value);
            assert_eq!(found, wanted.filter(|_| is_taken || rules == Rules::Der), "{rules} {count}");
        }
    }
}

#[test]
fn numbers_have_up_to_eight_octets() {
    let around = |bit: u32| [1i64 << bit, (1i64 << bit) - 1, -(1i64 << bit), -(1i64 << bit) - 1];
    for number in (0..63).flat_map(around).chain([i64::MIN, i64::MAX]) {
        let [found, wanted] = written(Rules::Der, "INTEGER", &Value::Integer(number.into()));
        assert!(found.is_some() && found == wanted, "{number}");
        assert_eq!(takes(Rules::Der, "INTEGER", &found.unwrap_or_default()), [true, true], "{number}");
    }
}

#[test]
fn long_contents_move() {
    let value = |count| Value::List(vec![Value::List(vec![Value::Integer(9.into()); count]); 2]);
    for count in [20, 21, 22, 42, 43, 85, 86, 400] {
        let [found, wanted] = written(Rules::Der, "SEQUENCE OF SEQUENCE OF INTEGER", &value(count));
        assert!(found.is_some() && found == wanted, "{count}");
    }
}
