//! Each key draws what its page (docs/distributions.md) says, and wrong files are refused at their
//! place.

use roadwire_distributions::{Distributions, Invalid, Unmet, Values};
use roadwire_model::random::Rng;
use roadwire_model::{Model, TypeId, Value};
use roadwire_notation::Notation;
use serde_json::Value as Json;

const MODULE: &str = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
    T ::= SEQUENCE { n INTEGER (0..9) OPTIONAL, d INTEGER (0..9) DEFAULT 4, r REAL, l SEQUENCE (SIZE (0..5)) OF C,
        ll SEQUENCE OF SEQUENCE OF NULL, ..., a BOOLEAN, [[ g BOOLEAN, h BOOLEAN OPTIONAL ]] }
    C ::= CHOICE { x INTEGER (1..3 | 7), y NULL } END";

fn model() -> (Model, TypeId) {
    let model = roadwire_asn1::compile(&[roadwire_asn1::Source::new("m.asn", MODULE)]).unwrap().model;
    let id = model.find("T").unwrap();
    (model, id)
}

fn drawn(component: &str) -> Result<Vec<Json>, Unmet> {
    let (model, id) = model();
    let distributions =
        Distributions::read(component, &model, id).unwrap_or_else(|error| panic!("{component}: {error}"));
    let (values, mut rng) = (Values::new(&model, id, distributions), Rng::new(5));
    let notation = Notation::new(&model, id).unwrap();
    let text = |value| notation.write(&value).unwrap();
    (0..300).map(|_| Ok(serde_json::from_str(&text(values.next(&mut rng)?)).unwrap())).collect()
}

/// The distinct values of a part, which is a JSON pointer, as text.
fn distinct(component: &str, part: &str) -> Vec<String> {
    let values = drawn(component).unwrap();
    let mut all: Vec<String> = values.iter().filter_map(|value| Some(value.pointer(part)?.to_string())).collect();
    all.sort();
    all.dedup();
    all
}

fn refused(component: &str) -> Invalid {
    let (model, id) = model();
    Distributions::read(component, &model, id).expect_err(component)
}

#[test]
fn each_item_with_a_weight_is_drawn_and_no_other() {
    let list = "[[component]]\npath = 'n'\npresent = 1\nvalues = [3, 1, 8, 2]\nweights = [0, 1, 0, 1]";
    assert_eq!(distinct(list, "/n"), ["1", "2"]);
}

#[test]
fn both_ends_of_a_range_are_drawn() {
    assert_eq!(distinct("[[component]]\npath = 'n'\nuniform = { from = 2, to = 4 }", "/n"), ["2", "3", "4"]);
    let lengths = drawn("[[component]]\npath = 'l'\nlength = { from = 1, to = 3 }").unwrap();
    let mut lengths: Vec<usize> = lengths.iter().map(|value| value["l"].as_array().unwrap().len()).collect();
    lengths.sort_unstable();
    lengths.dedup();
    assert_eq!(lengths, [1, 2, 3]);
}

#[test]
fn a_normal_distribution_has_its_mean_and_its_deviation_within_the_constraint() {
    assert_eq!(distinct("[[component]]\npath = 'n'\nnormal = { mean = 5, sd = 0 }", "/n"), ["5"]);
    let wide = distinct("[[component]]\npath = 'n'\nnormal = { mean = 5, sd = 100 }", "/n");
    assert_eq!(wide.len(), 10, "{wide:?}");
}

#[test]
fn a_part_is_present_as_often_as_asked_and_a_default_is_not_sent() {
    assert_eq!(
        drawn("[[component]]\npath = 'n'\npresent = 1").unwrap().iter().filter(|one| one["n"].is_null()).count(),
        0
    );
    assert!(distinct("[[component]]\npath = 'n'\npresent = 0", "/n").is_empty());
    assert!(distinct("[[component]]\npath = 'd'\npresent = 1\nvalue = 4", "/d").is_empty());
    // JER leaves a DEFAULT out, so the value itself is asked.
    let (model, id) = model();
    let distributions = Distributions::read("[[component]]\npath = 'd'\npresent = 1\nvalue = 4", &model, id).unwrap();
    let Value::Sequence { components, .. } = Values::new(&model, id, distributions).next(&mut Rng::new(5)).unwrap()
    else {
        panic!("a SEQUENCE")
    };
    assert_eq!(components[1], None);
}

#[test]
fn an_alternative_has_content_of_its_own() {
    let chosen = "[[component]]\npath = 'l'\nlength = 1\n[[component]]\npath = 'l[]'\nalternatives = { y = 1 }";
    assert_eq!(distinct(chosen, "/l/0"), [r#"{"y":null}"#]);
    // One that is drawn already keeps what was drawn in it.
    let kept = format!("{}\n[[component]]\npath = 'l[].x'\nvalue = 7", chosen.replace("y = 1", "x = 1"));
    assert_eq!(distinct(&kept, "/l/0"), [r#"{"x":7}"#]);
}

#[test]
fn an_addition_brings_those_before_it_and_the_mandatory_ones_of_its_group() {
    for value in drawn("[[component]]\npath = 'h'\npresent = 1").unwrap() {
        assert!(value["a"].is_boolean() && value["g"].is_boolean() && value["h"].is_boolean(), "{value}");
    }
    let without = drawn("[[component]]\npath = 'g'\npresent = 0").unwrap();
    let with_group: Vec<&Json> = without.iter().filter(|value| value["h"].is_boolean()).collect();
    assert!(!with_group.is_empty() && with_group.iter().all(|value| value["g"].is_boolean()));
}

#[test]
fn a_file_asks_for_a_bounded_number_of_parts() {
    let many = "[[component]]\npath = 'll'\nlength = 1000\n[[component]]\npath = 'll[]'\nlength = 1000";
    assert!(drawn(many).unwrap_err().message.contains("at most 200000 parts"));
}

#[test]
fn a_wrong_file_is_refused_at_its_place() {
    for (file, code, place) in [
        ("[[component]]\npath = 'n'\nvalues = [1, 2]\nweights = [3, -1]", "distribution.value", (4, 11)),
        ("[[component]]\npath = 'n'\nvalues = [1, 2]\nweights = [1]", "distribution.value", (4, 11)),
        ("[[component]]\npath = 'n'\npresent = 1.5", "distribution.value", (3, 11)),
        ("[[component]]\npath = 'r'\npresent = 1", "distribution.kind", (3, 11)),
        ("[[component]]\npath = 'l'\nlength = 6", "distribution.value", (3, 10)),
        ("[[component]]\npath = 'n'\nvalue = 1\n[[component]]\npath = 'n'\nvalue = 2", "distribution.path", (5, 8)),
    ] {
        let error = refused(file);
        assert_eq!((error.code, (error.line, error.column)), (code, place), "{file}: {error}");
    }
}
