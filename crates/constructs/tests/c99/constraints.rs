//! Constraints that encoding rules do not take into account, in generated C: encoders refuse the
//! values that the check over the model refuses, in the same part.

use roadwire_layout::Rules;
use roadwire_model::random::{Generator, Rng, Settings};
use roadwire_model::{Model, Value, check};

use crate::c99::{Message, held};

/// All kinds of constraints.
fn model() -> Model {
    let source = roadwire_asn1::Source::new("constraints.asn", include_str!("../../../sink/constraints.asn"));
    roadwire_asn1::compile(&[source]).unwrap_or_else(|errors| panic!("{}", errors.render())).model
}

fn refuses_the_same(rules: Rules) {
    let model = model();
    let root = model.find("Constraints.Message").unwrap();
    let mut loose = model.clone();
    loose.constraints.clear();
    let message = [Message::new(&model, "Message", root, rules).unwrap_or_else(|error| panic!("{error}"))];
    let settings = Settings { integer_bits: 62, extensions: 30, budget: 60, ..Settings::default() };
    let (mut rng, mut broken) = (Rng::new(20_261_130), 0);
    let generators = [&model, &loose].map(|model| Generator::new(model, settings.clone()));
    let values: Vec<Value> =
        (0..1000).map(|at| generators[at % 2].try_value(root, &mut rng).expect("a value")).collect();
    let all = values.iter().filter_map(|value| {
        let octets = message[0].encoded(value).ok()?;
        broken += usize::from(!check::constraints(&model, root, value).is_empty());
        Some(octets)
    });
    let all: Vec<Vec<u8>> = all.collect();
    assert!(broken > 300 && all.len() > broken + 300, "{broken} of {}", all.len());
    let [taken, by_c] = held(&model, rules, "constraints", &message, |_| all.clone())["Message"];
    assert_eq!([taken, by_c], [all.len(); 2], "{rules}");
}

#[test]
fn packed_and_octet() {
    [Rules::Uper, Rules::Coer].into_iter().for_each(refuses_the_same);
}

#[test]
fn basic() {
    refuses_the_same(Rules::Der);
}

#[test]
fn items_and_fields() {
    [Rules::Cbor, Rules::Protobuf].into_iter().for_each(refuses_the_same);
}
