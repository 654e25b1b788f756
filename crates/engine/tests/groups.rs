//! Addition groups: a component without a mandatory component of the same group is an error under
//! all rules (X.680 §25.12).

use roadwire_layout::{Layout, Rules, lower};
use roadwire_model::{Model, TypeId, Value};

fn lowered(components: &str, kind: &str, rules: Rules) -> (Model, TypeId, Layout) {
    let text = format!("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN E ::= {kind} {{ {components} }} END");
    let source = roadwire_asn1::Source::new("m.asn", text.as_str());
    let model = roadwire_asn1::compile(&[source]).unwrap_or_else(|errors| panic!("{}", errors.render())).model;
    let root = model.find("M.E").unwrap();
    let layout = lower(&model, root, rules).unwrap();
    (model, root, layout)
}

/// The rules that encode a group's components like any others. PER and OER have a group in an open
/// type.
const BESIDE: [Rules; 13] = [
    Rules::Ber,
    Rules::Der,
    Rules::Cer,
    Rules::Xer,
    Rules::Cxer,
    Rules::Exer,
    Rules::Jer,
    Rules::Protobuf,
    Rules::Exi,
    Rules::ExiDefault,
    Rules::ExiMerged,
    Rules::ExiFlat,
    Rules::ExiSplit,
];

const GROUPS: &str = "a INTEGER (0..1), ..., [[ b INTEGER (0..1) DEFAULT 1, c BOOLEAN, d NULL OPTIONAL ]], e NULL, [[ f SEQUENCE OF NULL ]]";
/// The same without groups, with the same encoding.
const SINGLES: &str = "a INTEGER (0..1), ..., b INTEGER (0..1) OPTIONAL, c BOOLEAN OPTIONAL, d NULL OPTIONAL, e NULL, f SEQUENCE OF NULL OPTIONAL";

#[test]
fn extension_addition_group_without_a_mandatory_component_is_refused() {
    let number = |number: i64| Some(Value::from(number));
    let (c, null, f) = (|| Some(Value::Boolean(true)), || Some(Value::Null), || Some(Value::List(vec![])));
    // The components present besides `a`, and the one that is then missing.
    let cases = [
        (vec![None, None, None, None, None], None),
        (vec![number(0), None, None, None, None], Some("c")),
        (vec![number(1), None, None, None, None], Some("c")),
        (vec![None, None, null(), None, None], Some("c")),
        (vec![number(0), None, null(), null(), f()], Some("c")),
        (vec![number(0), None, None, null(), None], Some("c")),
        (vec![None, c(), None, None, None], None),
        (vec![number(0), c(), None, null(), f()], None),
        (vec![None, None, None, None, f()], None),
    ];
    for (rules, kind) in BESIDE.into_iter().flat_map(|rules| [(rules, "SEQUENCE"), (rules, "SET")]) {
        let (_, _, singles) = lowered(SINGLES, kind, rules);
        let (model, root, groups) = lowered(GROUPS, kind, rules);
        for (rest, missing) in &cases {
            let sent = Value::sequence([&[Some(Value::from(0))], &rest[..]].concat());
            let octets = roadwire_engine::encode_to_vec(&singles, &sent, 1 << 10).unwrap();
            let mut value = Value::Unset;
            let found = roadwire_engine::decode(&groups, &octets, &mut value);
            match (missing, found) {
                (Some(name), Err(error)) => {
                    assert_eq!((error.kind.code(), error.path.to_string().as_str()), ("component.missing", *name));
                }
                (None, Ok(_)) => {
                    assert!(roadwire_model::data::equal(&model, root, &sent, &value), "{rules} {kind}: {value:?}");
                    let again = roadwire_engine::encode_to_vec(&groups, &value, 1 << 10);
                    assert!(again.is_ok(), "{rules} {kind}: {again:?}");
                }
                (_, found) => panic!("{rules} {kind}: {found:?} of {sent:?}"),
            }
        }
    }
}

/// The fields of a message may come in any order.
#[test]
fn a_group_is_whole_in_whatever_order_its_fields_come() {
    let (_, _, layout) = lowered(GROUPS, "SEQUENCE", Rules::Protobuf);
    let decoded = |octets: &[u8]| {
        roadwire_engine::decode(&layout, octets, &mut Value::Unset).map(drop).map_err(|error| error.path.to_string())
    };
    assert_eq!(decoded(&[0x10, 0, 0x08, 0]), Err("c".into()));
    assert_eq!(decoded(&[0x18, 1, 0x10, 0, 0x08, 0]), Ok(()));
}
