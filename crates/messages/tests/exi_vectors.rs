//! The published EXI vectors (recorded material outside the project; without it the test says that
//! it was skipped): streams that three other processors agree on, decoded, compared with the XML
//! from which they were made, and encoded again.

mod common;

use std::collections::BTreeMap;

use common::{hex, vectors};
use roadwire_asn1::{Source, compile};
use roadwire_layout::{Rules, lower};
use roadwire_model::{Kind, Model, TypeId, Value};

/// The vectors' mappings, and our mappings with the same octets.
const MAPPINGS: [(&str, &str, Rules); 5] = [
    ("std-RIS", "strict", Rules::Exi),
    // In strict mode, a mandatory element takes no bits.
    ("opt-RIS", "strict", Rules::Exi),
    ("std-BB", "default", Rules::ExiDefault),
    ("opt-BB", "default", Rules::ExiMerged),
    ("std-RS-split", "strict", Rules::ExiSplit),
];

#[test]
fn vectors_both_ways() {
    let Some(table) = vectors("exi/vectors.tsv") else { return };
    let text = include_str!("exi_vectors.asn");
    let model = compile(&[Source::new("vectors.asn", text)]).expect("the module compiles").model;
    let mut checked: BTreeMap<Rules, usize> = BTreeMap::new();
    for row in table.lines().skip(1) {
        let fields: Vec<&str> = row.split('\t').collect();
        let [_, schema, data, fidelity, _, octets, ..] = fields[..] else { panic!("{row}") };
        let (message, mapping) = schema.split_once('-').expect("a message and a mapping");
        let Some((.., rules)) = MAPPINGS.iter().find(|(its, fine, _)| *its == mapping && *fine == fidelity) else {
            continue;
        };
        let octets = hex(octets);
        let root = model.find(&message.to_uppercase()).unwrap();
        let layout = lower(&model, root, *rules).unwrap();
        let mut value = Value::Unset;
        let bits = roadwire_engine::decode(&layout, &octets, &mut value)
            .unwrap_or_else(|error| panic!("{schema} {data}: {error}"));
        assert_eq!(bits.div_ceil(8), octets.len(), "{schema} {data}");
        let xml = vectors(&format!("exi/{schema}.{data}.xml")).unwrap();
        let mut leaves = Vec::new();
        texts(&model, root, &value, *rules, &mut leaves);
        assert_eq!(leaves, digits_joined(&xml, &leaves), "{schema} {data}");
        let again = roadwire_engine::encode_to_vec(&layout, &value, 1000).unwrap();
        assert_eq!(again, octets, "{schema} {data}");
        *checked.entry(*rules).or_default() += 1;
    }
    assert_eq!(checked.into_values().collect::<Vec<_>>(), [14, 7, 7, 7]);
}

/// The texts of the elements without child elements, in order.
fn texts(model: &Model, id: TypeId, value: &Value, rules: Rules, into: &mut Vec<String>) {
    match (&model.get(id).kind, value) {
        (Kind::Sequence { components, .. }, Value::Sequence { components: values, .. }) => {
            for (component, value) in components.iter().zip(values) {
                value.iter().for_each(|value| texts(model, component.type_id, value, rules, into));
            }
        }
        (Kind::SequenceOf { element, .. }, Value::List(values)) => {
            values.iter().for_each(|value| texts(model, *element, value, rules, into));
        }
        (Kind::Choice { alternatives, .. }, Value::Choice(which, value)) => {
            texts(model, alternatives[*which as usize].type_id, value, rules, into);
        }
        (Kind::Enumerated(items), Value::Enumerated(ordinal)) => {
            let (name, number) = items.all().nth(*ordinal as usize).unwrap();
            let by_number = matches!(rules, Rules::ExiDefault | Rules::ExiMerged | Rules::ExiFlat);
            into.push(if by_number { number.to_string() } else { name.clone() });
        }
        (_, Value::Integer(number)) => into.push(number.to_bigint().to_string()),
        (_, Value::OctetString(octets)) => into.push(octets.iter().map(|octet| format!("{octet:02X}")).collect()),
        (_, other) => panic!("{other:?}"),
    }
}

/// The texts in a document; digits (`name.2` to `name.0`) are joined to their number, counted from
/// the least value, which is derived from the number found.
fn digits_joined(xml: &str, found: &[String]) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    let mut offset = 0i64;
    for part in xml.split("</").filter(|part| part.contains('<')) {
        let (tags, text) = part.rsplit_once('>').unwrap();
        let name = tags.rsplit_once('<').unwrap().1;
        let Some((_, place)) = name.rsplit_once('.') else {
            texts.push(text.to_owned());
            continue;
        };
        offset = offset << 12 | text.parse::<i64>().unwrap();
        if place == "0" {
            let number: i64 = found.get(texts.len()).and_then(|number| number.parse().ok()).unwrap();
            // Ranges of split integers begin at zero or at a multiple of a thousand, with a few
            // exceptions.
            let lower = number - offset;
            assert!(
                [0, -900_000_000, -1_800_000_000, -100_000, -30_000, -32_766, -131_071, -12_700].contains(&lower),
                "{name}"
            );
            texts.push(number.to_string());
            offset = 0;
        }
    }
    texts
}
