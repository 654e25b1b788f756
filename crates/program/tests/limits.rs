//! A program never takes a message that the interpreter refuses for what it costs, and its own
//! size is linear in that of the layout.

use roadwire_frontend::{Source, compile};
use roadwire_layout::{Rules, lower};
use roadwire_model::{Model, Unknown, Value};
use roadwire_program::{Frames, Program, Tape};
use roadwire_wire::Data;

fn model(text: &str) -> Model {
    let module = format!("Demo DEFINITIONS AUTOMATIC TAGS ::= BEGIN\n{text}\nEND");
    compile(&[Source::new("demo.asn", module.as_str())]).unwrap_or_else(|errors| panic!("{}", errors.render())).model
}

/// Whether the program and the interpreter take a message.
fn takes(rules: Rules, text: &str, octets: &[u8]) -> [bool; 2] {
    let model = model(text);
    let root = model.find("Demo.A").unwrap();
    let layout = lower(&model, root, rules).unwrap();
    let program = Program::new(&model, root, &layout).unwrap();
    let (mut tape, mut value) = (Tape::new(), Value::Unset);
    let taken = program.decode(octets, &mut tape).is_ok();
    [taken, roadwire_engine::decode(&layout, octets, &mut value).is_ok()]
}

#[test]
fn elements_of_no_bits_are_counted() {
    let list = "A ::= SEQUENCE (SIZE (0..65535)) OF INTEGER (5)";
    assert_eq!(takes(Rules::Uper, list, &[0x80, 0x00]), [true, true]);
    let lists = "A ::= SEQUENCE (SIZE (4)) OF SEQUENCE (SIZE (0..65535)) OF INTEGER (5)";
    assert_eq!(takes(Rules::Uper, lists, &[0x00; 8]), [true, true]);
    assert_eq!(takes(Rules::Uper, lists, &[0xff; 8]), [false, false]);
}

#[test]
fn absent_parts_are_counted() {
    let nulls: Vec<String> = (0..60).map(|at| format!("n{at} NULL")).collect();
    let wide = format!("A ::= SEQUENCE (SIZE (0..65535)) OF SEQUENCE {{ a INTEGER (5), {} }}", nulls.join(", "));
    assert_eq!(takes(Rules::Uper, &wide, &[0xff, 0xff]), [false, false]);
    assert_eq!(takes(Rules::Uper, &wide, &[0x00, 0xff]), [true, true]);
    // By tags each element has two octets.
    let optional = wide.replace(" NULL", " NULL OPTIONAL").replace("a INTEGER (5), ", "");
    let elements = |count: usize| {
        let octets = (count as u16 * 2).to_be_bytes();
        [[0x30, 0x82].to_vec(), octets.to_vec(), [0x30, 0x00].repeat(count)].concat()
    };
    assert_eq!(takes(Rules::Der, &optional, &elements(30_000)), [false, false]);
    assert_eq!(takes(Rules::Der, &optional, &elements(500)), [true, true]);
    // The limit of places is for values of up to so many octets each.
    assert!(Value::Unset.place() <= 128);
}

#[test]
fn absent_parts_are_counted_where_each_element_has_octets() {
    let booleans: Vec<String> = (0..60).map(|at| format!("b{at} BOOLEAN OPTIONAL")).collect();
    let wide = format!("A ::= SEQUENCE OF SEQUENCE {{ {} }}", booleans.join(", "));
    let array = |elements: u32| match u16::try_from(elements) {
        Ok(few) => [&[0x99][..], &few.to_be_bytes(), &vec![0xa0; few.into()]].concat(),
        Err(_) => [&[0x9a][..], &elements.to_be_bytes(), &vec![0xa0; elements as usize]].concat(),
    };
    for (elements, are_taken) in [(2_000, true), (100_000, false)] {
        assert_eq!(takes(Rules::Protobuf, &wide, &[0x0a, 0x00].repeat(elements)), [are_taken; 2]);
        assert_eq!(takes(Rules::Cbor, &wide, &array(elements as u32)), [are_taken; 2]);
    }
    // Of a large message, the interpreter takes fewer parts for each octet.
    let narrow = "A ::= SEQUENCE OF SEQUENCE { a BOOLEAN OPTIONAL, b BOOLEAN OPTIONAL, c BOOLEAN OPTIONAL }";
    assert_eq!(takes(Rules::Cbor, narrow, &array(200_000)), [true, true]);
    assert_eq!(takes(Rules::Cbor, narrow, &array(2_200_000)), [false, false]);
}

#[test]
fn elements_that_do_not_come_have_no_memory() {
    let list = "A ::= SEQUENCE OF BOOLEAN";
    assert_eq!(takes(Rules::Cbor, list, &[0x9a, 0, 1, 0, 0, 0xf4]), [false, false]);
    assert_eq!(takes(Rules::Cbor, list, &[0x81, 0xf4]), [true, true]);
    assert_eq!(takes(Rules::Cbor, list, &[0x82, 0xf4]), [false, false]);
}

#[test]
fn a_message_may_have_no_bits() {
    let model = model("A ::= SEQUENCE { }");
    let root = model.find("Demo.A").unwrap();
    let programs = Rules::ALL.into_iter().filter_map(|rules| {
        let layout = lower(&model, root, rules).ok()?;
        Some((Program::new(&model, root, &layout)?, layout))
    });
    let mut count = 0;
    for (program, layout) in programs {
        let (mut tape, mut output, value) = (Tape::new(), [0; 8], Value::sequence([]));
        let written = roadwire_engine::encode_to_vec(&layout, &value, 8).unwrap();
        tape.read(program.frames(), &value).unwrap();
        let octets = program.encode(&tape, &mut output).unwrap();
        assert_eq!(output[..octets], written[..], "{}", layout.rules);
        if layout.rules != Rules::Jer {
            assert_eq!(layout.octets_of(program.decode(&written, &mut tape).unwrap()), octets, "{}", layout.rules);
        }
        count += 1;
    }
    assert!(count >= 8, "{count}");
}

#[test]
fn sixty_types_with_the_one_before_twice_have_no_program() {
    let mut text = "A0 ::= SEQUENCE { a INTEGER (0..7), b BOOLEAN }\n".to_owned();
    for at in 1..60 {
        text += &format!("A{at} ::= SEQUENCE {{ a A{0} OPTIONAL, b A{0} }}\n", at - 1);
    }
    text += "A ::= A59";
    let model = model(&text);
    let root = model.find("Demo.A").unwrap();
    for rules in [Rules::Uper, Rules::Der, Rules::Jer] {
        let layout = lower(&model, root, rules).unwrap();
        assert!(Program::new(&model, root, &layout).is_none());
    }
}

#[test]
fn text_without_values_is_counted() {
    let mut text = "A0 ::= SEQUENCE { a NULL, b NULL }\n".to_owned();
    for at in 1..20 {
        text += &format!("A{at} ::= SEQUENCE {{ a A{0}, b A{0} }}\n", at - 1);
    }
    let model = model(&text);
    for (root, has_program) in [("Demo.A3", true), ("Demo.A19", false)] {
        let root = model.find(root).unwrap();
        let layout = lower(&model, root, Rules::Jer).unwrap();
        assert_eq!(Program::new(&model, root, &layout).is_some(), has_program);
    }
}

#[test]
fn text_has_as_many_levels_as_the_interpreter_writes() {
    for levels in [Value::MAX_DEPTH, Value::MAX_DEPTH + 1] {
        let mut text = "A1 ::= SEQUENCE { a NULL }\n".to_owned();
        for at in 2..=levels {
            text += &format!("A{at} ::= SEQUENCE {{ a A{} }}\n", at - 1);
        }
        let model = model(&text);
        let root = model.find(&format!("Demo.A{levels}")).unwrap();
        let layout = lower(&model, root, Rules::Jer).unwrap();
        let nested = |inner, _: usize| Value::Sequence { components: vec![Some(inner)], unknown: Vec::new() };
        let value = (0..levels).fold(Value::Null, nested);
        let wanted = roadwire_engine::encode_to_vec(&layout, &value, 1 << 12).ok();
        let found = Program::new(&model, root, &layout).map(|program| {
            let (mut tape, mut output) = (Tape::new(), vec![0; 1 << 12]);
            tape.read(program.frames(), &value).unwrap();
            let count = program.encode(&tape, &mut output).unwrap();
            output[..count].to_vec()
        });
        assert_eq!((found.is_some(), found), (levels == Value::MAX_DEPTH, wanted));
    }
}

#[test]
fn levels_are_counted_as_by_the_interpreter() {
    let nested = |levels: usize| {
        let mut text = "A1 ::= SEQUENCE { a INTEGER (0..7) }\n".to_owned();
        for at in 2..=levels {
            text += &format!("A{at} ::= SEQUENCE {{ a A{} }}\n", at - 1);
        }
        text + &format!("A ::= A{levels}")
    };
    type Octets = fn(usize) -> Vec<u8>;
    let one = |_: usize| vec![0x20u8];
    let maps = |levels: usize| [[0xa1, 0].repeat(levels), vec![1]].concat();
    let by_tags = |levels: usize| {
        (0..levels).rev().fold(vec![0x80, 1, 1], |inner, level| {
            let tag = if level == 0 { 0x30 } else { 0xa0 };
            [&[tag, 0x82, (inner.len() >> 8) as u8, inner.len() as u8], &inner[..]].concat()
        })
    };
    for (rules, octets) in [(Rules::Uper, one as Octets), (Rules::Der, by_tags), (Rules::Cbor, maps)] {
        assert_eq!(takes(rules, &nested(Value::MAX_DEPTH), &octets(Value::MAX_DEPTH)), [true, true]);
        // A layout of more levels has no program, and the interpreter takes no message of it.
        let model = model(&nested(Value::MAX_DEPTH + 1));
        let root = model.find("Demo.A").unwrap();
        let layout = lower(&model, root, rules).unwrap();
        assert!(Program::new(&model, root, &layout).is_none());
        assert!(roadwire_engine::decode(&layout, &octets(Value::MAX_DEPTH + 1), &mut Value::Unset).is_err());
    }
}

#[test]
fn lengths_inside_each_other_are_as_many_as_a_machine_has_room_for() {
    let nested = |levels: usize| {
        let inner = (2..=levels).fold("INTEGER (0..7)".to_owned(), |inner, _| format!("SEQUENCE {{ a {inner} }}"));
        format!("A ::= SEQUENCE {{ a {inner} }}")
    };
    let message = |levels: u8| (1..levels).fold(vec![8, 1], |inner, at| [vec![10, at * 2], inner].concat());
    assert_eq!(takes(Rules::Protobuf, &nested(48), &message(48)), [true, true]);
    let model = model(&nested(49));
    let root = model.find("Demo.A").unwrap();
    let layout = lower(&model, root, Rules::Protobuf).unwrap();
    assert!(Program::new(&model, root, &layout).is_none());
}

#[test]
fn half_a_group_is_not_written() {
    let model = model("A ::= SEQUENCE { a BOOLEAN, ..., [[ b INTEGER (0..9), c BOOLEAN OPTIONAL, d BOOLEAN ]] }");
    let root = model.find("Demo.A").unwrap();
    let (truth, number) = (Value::Boolean(true), Value::from(0));
    let mut count = 0;
    for rules in Rules::ALL {
        let Ok(layout) = lower(&model, root, rules) else { continue };
        let Some(program) = Program::new(&model, root, &layout) else { continue };
        for (group, is_whole) in [
            ([None, Some(&truth), None], false),
            ([Some(&number), Some(&truth), None], false),
            ([None, None, Some(&truth)], false),
            ([Some(&number), None, Some(&truth)], true),
            ([None, None, None], true),
        ] {
            let value = Value::sequence([Some(&truth)].into_iter().chain(group).map(|part| part.cloned()));
            let (mut tape, mut output) = (Tape::new(), [0; 128]);
            tape.read(program.frames(), &value).unwrap();
            let written = program.encode(&tape, &mut output).map(|count| output[..count].to_vec());
            let wanted = roadwire_engine::encode_to_vec(&layout, &value, 128);
            assert_eq!(wanted.is_ok(), is_whole, "{rules}: {value:?}");
            assert_eq!(written.ok(), wanted.ok(), "{rules}: {value:?}");
        }
        count += 1;
    }
    assert!(count >= 9, "{count}");
}

/// The interpreter refuses an addition in a type without an extension marker, so a tape has no
/// place for it.
#[test]
fn additions_need_an_extension_marker() {
    let unknown = Unknown { index: 0, octets: vec![1, 0] };
    let record = |components| Value::Sequence { components, unknown: vec![unknown.clone()] };
    let three = Some(Value::from(3));
    for (text, value, has_place) in [
        ("SEQUENCE { a INTEGER (0..7) OPTIONAL }", record(vec![None]), false),
        ("SEQUENCE { a INTEGER (0..7) }", record(vec![three.clone()]), false),
        ("SEQUENCE { a INTEGER (0..7), ... }", record(vec![three]), true),
        // A value that is no record has no components, and is not an empty one.
        ("SEQUENCE { a INTEGER (0..7) OPTIONAL }", Value::Enumerated(1), false),
        ("SEQUENCE { a INTEGER (0..7) OPTIONAL }", record(vec![]), false),
        ("SEQUENCE { a INTEGER (0..7) OPTIONAL }", Value::sequence([None]), true),
        ("CHOICE { a NULL }", Value::UnknownChoice(unknown.clone()), false),
        ("CHOICE { a NULL, ... }", Value::UnknownChoice(unknown.clone()), true),
    ] {
        let model = model(&format!("A ::= {text}"));
        let root = model.find("A").unwrap();
        let layout = lower(&model, root, Rules::Uper).unwrap();
        assert_eq!(roadwire_engine::encode_to_vec(&layout, &value, 64).is_ok(), has_place, "{text}");
        assert_eq!(Tape::new().read(&Frames::new(&model, root).unwrap(), &value).is_ok(), has_place, "{text}");
    }
}
