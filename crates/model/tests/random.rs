//! Random values satisfy their types' constraints, and are unchanged after encoding and decoding in
//! JER.

mod support;

use roadwire_model::data::equal;
use roadwire_model::random::{Generator, Rng, Settings, value};
use roadwire_model::{Constraint, Enumerators, Kind, Model, TypeId, Unknown, Value, ValueSet, check};
use roadwire_notation::Notation;
use support::*;

const LIVELY: Settings = Settings {
    optional: 50,
    extensions: 40,
    in_roots: false,
    unknown: 20,
    boundary: 40,
    max_elements: 6,
    max_length: 20,
    integer_bits: 300,
    open_types: true,
    contents: true,
    tagged: false,
    budget: 300,
    max_depth: 20,
};

fn many(model: &Model, id: TypeId, settings: Settings, count: usize) -> Vec<Value> {
    let generator = Generator::new(model, settings);
    let mut rng = Rng::new(7);
    (0..count).map(|_| generator.value(id, &mut rng)).collect()
}

#[test]
fn random_values_break_no_constraint_and_survive_jer() {
    let types = everything();
    for settings in [LIVELY, Settings::default(), Settings { extensions: 0, boundary: 100, ..Settings::default() }] {
        for value in many(&types.model, types.everything, settings, 300) {
            assert_eq!(check::value(&types.model, types.everything, &value), [], "{value:?}");
            let text = Notation::new(&types.model, types.everything).unwrap().write(&value).unwrap();
            let again = Notation::new(&types.model, types.everything)
                .unwrap()
                .read(&text)
                .unwrap_or_else(|error| panic!("{error}: {text}"));
            assert_eq!(again, value, "{text}");
            assert!(equal(&types.model, types.everything, &again, &value));
            serde_json::from_str::<serde_json::Value>(&text).unwrap();
        }
    }
}

#[test]
fn every_kind_of_string_and_time_is_made_within_its_repertoire() {
    use roadwire_model::StringKind::*;
    use roadwire_model::TimeKind;
    let mut kinds: Vec<Kind> =
        [Utf8, Numeric, Printable, Ia5, Visible, Teletex, Videotex, Graphic, General, Universal, Bmp, ObjectDescriptor]
            .into_iter()
            .map(|kind| string(kind, size(1, Some(30), true), None))
            .collect();
    use TimeKind::*;
    kinds.extend(
        [Utc, Generalized, Time, Date, TimeOfDay, DateTime, Duration]
            .map(|kind| Kind::Time { kind, settings: Vec::new() }),
    );
    kinds.extend([Kind::Iri { relative: true }, Kind::Iri { relative: false }]);
    for kind in kinds {
        let mut model = Model::default();
        let id = add(&mut model, kind.clone());
        for value in many(&model, id, LIVELY, 300) {
            assert_eq!(check::value(&model, id, &value), [], "{kind:?} {value:?}");
            assert_eq!(
                Notation::new(&model, id)
                    .unwrap()
                    .read(&Notation::new(&model, id).unwrap().write(&value).unwrap())
                    .unwrap(),
                value
            );
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_values() {
    let types = everything();
    assert_eq!(many(&types.model, types.everything, LIVELY, 20), many(&types.model, types.everything, LIVELY, 20));
    let one = value(&types.model, types.tree, &mut Rng::new(1), &LIVELY);
    let other = value(&types.model, types.tree, &mut Rng::new(2), &LIVELY);
    assert_ne!(one, other);
}

#[test]
fn ends_of_ranges_and_what_lies_beyond_extension_markers_come_up() {
    let mut model = Model::default();
    let wide = add(&mut model, integer(Some(-1000), Some(1_000_000), false));
    let values = many(&model, wide, Settings::default(), 500);
    for end in [-1000i64, -999, 0, 1, 999_999, 1_000_000] {
        assert!(values.contains(&Value::from(end)), "{end}");
    }
    let types = everything();
    let all: String = many(&types.model, types.everything, LIVELY, 300)
        .iter()
        .map(|value| Notation::new(&types.model, types.everything).unwrap().write(value).unwrap())
        .collect();
    for sign in [
        "\"blue\"",
        "\"...2\":",
        "\"added\":",
        "\"grouped\":",
        "{\"c\":null}",
        "\"color\":\"...",
        "\"odd\":-6",
        "{\"content\":true,\"key\":1}",
        "\"content\":{\"label\"",
        "\"five\":",
        "\"next\":",
    ] {
        assert!(all.contains(sign), "{sign}");
    }
    let plain: String = many(&types.model, types.everything, Settings { extensions: 0, ..Settings::default() }, 100)
        .iter()
        .map(|value| Notation::new(&types.model, types.everything).unwrap().write(value).unwrap())
        .collect();
    for sign in ["\"blue\"", "\"...2\"", "\"...1\"", "\"color\":\"...", "\"added\":", "\"grouped\":", "{\"c\":null}"] {
        assert!(!plain.contains(sign), "{sign}");
    }
}

/// `B (SIZE (3..6, ...))` of `B ::= SEQUENCE (SIZE (1..6, ...)) OF BOOLEAN`: a list of one or two
/// is a value, outside the root.
#[test]
fn sizes_that_a_constraint_leaves_outside_the_root_are_extensions() {
    let mut model = Model::default();
    let element = add(&mut model, Kind::Boolean);
    let id = add(&mut model, list_of(element, size(3, Some(6), true)));
    let sizes = |range| vec![Constraint { text: String::new(), set: ValueSet::Sizes(vec![range]) }];
    let lengths = |model: &Model, extensions| -> Vec<usize> {
        let settings = Settings { extensions, ..Settings::default() };
        let length =
            |value: &Value| if let Value::List(all) = value { all.len() } else { panic!("no list: {value:?}") };
        many(model, id, settings, 300).iter().map(length).collect()
    };
    model.constraints.insert(id, sizes((1, 6)));
    assert!(lengths(&model, 0).iter().all(|length| (3..=6).contains(length)));
    let some = lengths(&model, 40);
    assert!(some.iter().all(|length| (1..=6).contains(length)) && some.iter().any(|length| *length < 3));
    // Where nothing of the root is left, all values are outside it.
    model.constraints.insert(id, sizes((1, 2)));
    assert!(lengths(&model, 0).iter().all(|length| (1..=2).contains(length)));
}

#[test]
fn recursive_types_end() {
    let mut model = Model::default();
    let boolean = add(&mut model, Kind::Boolean);
    // Expr ::= CHOICE { both SEQUENCE { left Expr, right Expr }, leaf BOOLEAN }, and a list of at
    // least three of them.
    let expression = add(&mut model, Kind::Null);
    let both = Kind::Sequence {
        set: false,
        components: vec![root("left", expression), root("right", expression)],
        extensible: false,
    };
    let both = add(&mut model, both);
    model.types[expression.0 as usize].kind = Kind::Choice {
        alternatives: vec![alternative("both", both, false), alternative("leaf", boolean, false)],
        extensible: false,
    };
    let three = add(&mut model, list_of(expression, size(3, None, false)));
    for value in many(&model, three, Settings { budget: 200, ..Settings::default() }, 200) {
        let text = Notation::new(&model, three).unwrap().write(&value).unwrap();
        assert!(text.len() < 100_000);
        assert_eq!(Notation::new(&model, three).unwrap().read(&text).unwrap(), value);
    }
    // A type without a finite value: terminates anyway.
    let endless = add(&mut model, Kind::Null);
    model.types[endless.0 as usize].kind =
        Kind::Sequence { set: false, components: vec![root("again", endless)], extensible: false };
    many(&model, endless, Settings::default(), 1);
}

#[test]
fn check_names_what_is_broken_and_where() {
    let types = everything();
    let good = Notation::new(&types.model, types.everything).unwrap().read(EVERYTHING).unwrap();
    assert_eq!(check::value(&types.model, types.everything, &good), []);
    for (replace, by, code, path, message) in [
        ("\"small\":255", "\"small\":256", "integer.range", "small", "value 256 above 255 (range 0..255)"),
        ("\"small\":255", "\"small\":-1", "integer.range", "small", "value -1 below 0 (range 0..255)"),
        ("\"00112233AABBCCDD\"", "\"00\"", "size.range", "hash", "1 octet outside SIZE(8)"),
        ("[0,255,7]", "[]", "size.range", "list", "0 elements outside SIZE(1..40)"),
        ("[0,255,7]", "[0,256,7]", "integer.range", "list[1]", "value 256 above 255 (range 0..255)"),
        ("\"0049\"", "\"00 9\"", "text.alphabet", "digits", "character ' ' outside the permitted alphabet"),
        ("\"é\"", "\"€\"", "text.alphabet", "latin", "character '€' outside the permitted alphabet"),
        (
            "\"label\":\"b\"",
            "\"label\":\"ü\"",
            "text.alphabet",
            "tree.children[0].label",
            "character 'ü' outside the permitted alphabet",
        ),
        ("20240229123456.7Z", "2024-02-29", "text.form", "when", "not the form of its time type (Generalized)"),
        (
            "\"value\":\"8900\",\"length\":9",
            "\"value\":\"8900\",\"length\":16",
            "size.range",
            "bits",
            "16 bits outside SIZE(1..13)",
        ),
    ] {
        assert!(EVERYTHING.contains(replace), "{replace}");
        let text = EVERYTHING.replacen(replace, by, 1);
        let value = Notation::new(&types.model, types.everything).unwrap().read(&text).unwrap();
        let found = check::value(&types.model, types.everything, &value);
        let found: Vec<_> = found.iter().map(|one| (one.path.as_str(), one.message.as_str(), one.code)).collect();
        assert_eq!(found, [(path, message, code)], "{by}");
    }
}

#[test]
fn check_finds_all_at_once_and_what_does_not_fit_the_type_at_all() {
    let types = everything();
    let two = Value::sequence([Some(Value::Null), None, None]);
    let codes: Vec<_> = check::value(&types.model, types.tree, &two).into_iter().map(|v| (v.code, v.path)).collect();
    assert_eq!(codes, [("value.mismatch", "label".into()), ("component.missing", "children".into())]);
    let wrong = |id, value: Value| check::value(&types.model, id, &value).first().map(|violation| violation.code);
    let spare = &check::value(&types.model, types.pick, &Value::choice(3, true))[0];
    assert_eq!((spare.code, &*spare.message), ("choice.index", "expected a choice index of 0..2, found 3"));
    assert_eq!(wrong(types.pick, Value::UnknownChoice(Unknown { index: 5, octets: vec![] })), None);
    assert_eq!(wrong(types.pick, Value::Null), Some("value.mismatch"));
    assert_eq!(wrong(types.tree, Value::Null), Some("value.mismatch"));
    let mut model = Model::default();
    let closed =
        add(&mut model, Kind::Enumerated(Enumerators { root: vec![("a".into(), 0)], ..Enumerators::default() }));
    let spare = &check::value(&model, closed, &Value::Enumerated(1))[0];
    assert_eq!((spare.code, &*spare.message), ("enumerated.index", "expected an enumeration index of 0..0, found 1"));
    // Named bits: trailing zeros do not count.
    let named = vec![("a".to_owned(), 0)];
    let flags = add(&mut model, Kind::BitString { size: size(2, Some(4), false), named, contains: None });
    assert_eq!(check::value(&model, flags, &Value::bit_string(&[0x80, 0], 16)), []);
    assert_eq!(check::value(&model, flags, &Value::bit_string(&[0x80], 1)), []);
    assert_eq!(check::value(&model, flags, &Value::bit_string(&[0x08], 5))[0].code, "size.range");
}
