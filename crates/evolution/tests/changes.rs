//! Which changes are found, and what they are called.

use roadwire_evolution::{Comparison, Version, Why};
use roadwire_frontend::{Source, compile};
use roadwire_layout::Rules;
use roadwire_model::{Model, Value};

fn model(types: &str) -> Model {
    let text = format!("Demo DEFINITIONS AUTOMATIC TAGS ::= BEGIN {types} END");
    compile(&[Source::new("demo.asn", text)]).expect("a module").model
}

/// The changes from `T` to `T`, as text.
fn changes(old: &str, new: &str) -> Vec<String> {
    let (old, new) = (model(old), model(new));
    let version = |model| Version { model, type_id: Model::find(model, "T").expect("T") };
    Comparison::new(version(&old), version(&new)).changes().iter().map(ToString::to_string).collect()
}

#[test]
fn components() {
    let found = changes(
        "T ::= SEQUENCE { a BOOLEAN, b INTEGER (0..7) OPTIONAL, c NULL, d INTEGER (0..7) DEFAULT 1, e BOOLEAN }",
        "T ::= SEQUENCE { a BOOLEAN OPTIONAL, bb INTEGER (0..7) OPTIONAL, d INTEGER (0..7) DEFAULT 2, e BOOLEAN, ..., f NULL }",
    );
    assert_eq!(found[..2], ["(message): extension marker added", "a: made optional"]);
    assert!(found.contains(&"c: removed, a mandatory component".to_owned()), "{found:?}");
    assert!(found.contains(&"d: DEFAULT changed, another value".to_owned()), "{found:?}");
    assert!(found.contains(&"f: added, a mandatory component after the extension marker".to_owned()), "{found:?}");
    assert!(found.contains(&"b: renamed, now bb".to_owned()), "{found:?}");
}

/// Names that differ in capitals and hyphens alone are one name, wherever the component is; a type
/// that gets a name stays the same type.
#[test]
fn renamed_components() {
    assert_eq!(
        changes(
            "T ::= SEQUENCE { version INTEGER (0..255), messageID INTEGER { cam(2) } (0..255), stationID StationID }
             StationID ::= INTEGER (0..9)",
            "T ::= SEQUENCE { version INTEGER (0..255), messageId MessageId, stationId StationId }
             MessageId ::= INTEGER { cam(2), mim(18) } (0..255) StationId ::= INTEGER (0..9)",
        ),
        [
            "messageID: renamed, now messageId",
            "stationID: renamed, now stationId",
            "stationID: type renamed, from StationID to StationId",
        ]
    );
    assert_eq!(
        changes("T ::= SEQUENCE { a-b NULL, c BOOLEAN }", "T ::= SEQUENCE { c BOOLEAN, aB NULL }"),
        ["a-b: renamed, now aB", "(message): another order, the components"]
    );
    assert_eq!(
        changes("T ::= CHOICE { roadID NULL, c BOOLEAN }", "T ::= CHOICE { roadId NULL, c BOOLEAN }"),
        ["roadID: renamed, now roadId"]
    );
    // A type that got a name, or another one, and kept its range.
    assert_eq!(
        changes("T ::= SEQUENCE { old INTEGER (0..7) }", "T ::= SEQUENCE { new N } N ::= INTEGER (0..7)"),
        ["old: renamed, now new"]
    );
    assert_eq!(
        changes("T ::= SEQUENCE { old M } M ::= INTEGER (0..7)", "T ::= SEQUENCE { new N } N ::= INTEGER (0..7)"),
        ["old: renamed, now new", "old: type renamed, from M to N"]
    );
    // Two names with the same letters, other ranges and other kinds are no rename.
    assert_eq!(
        changes(
            "T ::= SEQUENCE { ab A, c NULL } A ::= BOOLEAN",
            "T ::= SEQUENCE { aB B, c NULL, a-b B } B ::= BOOLEAN"
        )
        .len(),
        3
    );
    assert_eq!(
        changes("T ::= SEQUENCE { old INTEGER (0..7) }", "T ::= SEQUENCE { new N } N ::= INTEGER (0..9)").len(),
        2
    );
    assert_eq!(changes("T ::= SEQUENCE { ab INTEGER }", "T ::= SEQUENCE { aB BOOLEAN }").len(), 2);
}

#[test]
fn constraints() {
    assert_eq!(changes("T ::= INTEGER (0..7)", "T ::= INTEGER (0..9)"), ["(message): widened, (0..7), now (0..9)"]);
    assert_eq!(changes("T ::= INTEGER (0..7)", "T ::= INTEGER (2..7)"), ["(message): narrowed, (0..7), now (2..7)"]);
    assert_eq!(
        changes("T ::= INTEGER (0..7)", "T ::= INTEGER (2..9)"),
        ["(message): other values, (0..7), now (2..9)"]
    );
    assert_eq!(
        changes("T ::= OCTET STRING (SIZE (2))", "T ::= OCTET STRING (SIZE (1..MAX))"),
        ["(message): widened, SIZE(2), now SIZE(1..MAX)"]
    );
    assert_eq!(changes("T ::= INTEGER (0..7)", "T ::= BOOLEAN"), ["(message): another type, INTEGER, now BOOLEAN"]);
}

#[test]
fn items_alternatives_and_bits() {
    assert_eq!(
        changes("T ::= ENUMERATED { a(0), b(1), c(2) }", "T ::= ENUMERATED { a(0), bb(1), c(3) }"),
        ["(message): renamed, the item b, now bb", "(message): another number, the item c(2), now 3"]
    );
    assert_eq!(
        changes("T ::= CHOICE { a NULL, b BOOLEAN }", "T ::= CHOICE { a NULL, c INTEGER }"),
        ["b: removed, an alternative", "c: added, an alternative"]
    );
    assert_eq!(
        changes("T ::= BIT STRING { a(0), b(1) }", "T ::= BIT STRING { a(1), c(2) }"),
        [
            "(message): another number, the named bit a(0), now 1",
            "(message): removed, the named bit b(1)",
            "(message): added, the named bit c(2)"
        ]
    );
}

/// A type that contains itself is visited once, and a change in it is listed once.
#[test]
fn recursive_types() {
    let old = "T ::= SEQUENCE { value INTEGER (0..7), next T OPTIONAL }";
    let new = "T ::= SEQUENCE { value INTEGER (0..9), next T OPTIONAL }";
    assert_eq!(changes(old, new), ["value: widened, (0..7), now (0..9)"]);
    let (old, new) = (model(old), model(new));
    let version = |model| Version { model, type_id: Model::find(model, "T").expect("T") };
    for rules in Rules::ALL.into_iter().filter(|rules| *rules != Rules::Tls) {
        Comparison::new(version(&old), version(&new)).verdict(rules, 50).expect("a verdict");
    }
}

/// Types that nest deeper than values may, and types of many parts.
#[test]
fn large_types() {
    let deep = |last: &str| {
        let each = (0..450).map(|at| format!("T{at} ::= SEQUENCE {{ a BOOLEAN, t T{} OPTIONAL }}", at + 1));
        format!("T ::= T0 {} T450 ::= {last}", each.collect::<Vec<_>>().join(" "))
    };
    let wide = |count: usize| {
        let items = (0..count).map(|at| format!("i{at}")).collect::<Vec<_>>().join(", ");
        let parts = (0..count).map(|at| format!("c{at} BOOLEAN OPTIONAL")).collect::<Vec<_>>().join(", ");
        format!("T ::= SEQUENCE {{ item ENUMERATED {{ {items} }}, {parts} }}")
    };
    for (old, new) in [(deep("NULL"), deep("BOOLEAN")), (wide(3000), wide(3001))] {
        let (old, new) = (model(&old), model(&new));
        let version = |model| Version { model, type_id: Model::find(model, "T").expect("T") };
        let comparison = Comparison::new(version(&old), version(&new));
        assert!(!comparison.changes().is_empty());
        for rules in [Rules::Uper, Rules::Der, Rules::Jer, Rules::Xer, Rules::Cbor] {
            let verdict = comparison.verdict(rules, 2);
            assert!(!matches!(verdict, Err(roadwire_evolution::NoVerdict::Contradiction(_))), "{verdict:?}");
        }
    }
}

#[test]
fn what_has_no_place_is_named() {
    let old = model("T ::= SEQUENCE { a INTEGER (0..99), b ENUMERATED { x, y } OPTIONAL, c BOOLEAN OPTIONAL }");
    let new = model("T ::= SEQUENCE { a INTEGER (0..9), b ENUMERATED { x } OPTIONAL }");
    let version = |model| Version { model, type_id: Model::find(model, "T").expect("T") };
    let comparison = Comparison::new(version(&old), version(&new));
    let value = |a: i64| {
        Value::sequence([Some(Value::Integer(a.into())), Some(Value::Enumerated(1)), Some(Value::Boolean(true))])
    };
    let migration = comparison.migrate(&value(5)).expect("a value");
    assert_eq!(migration.value, Value::sequence([Some(Value::Integer(5.into())), None]));
    let lost: Vec<String> = migration.lost.iter().map(ToString::to_string).collect();
    assert_eq!(
        lost,
        ["b: unknown item: the other version has no `y`", "c: removed: the other version has no such component"]
    );
    let refused = comparison.migrate(&value(50)).expect_err("out of range");
    assert_eq!((refused.path.as_str(), refused.why.code()), ("a", "range"));

    let required = model("T ::= SEQUENCE { a INTEGER (0..99), d BOOLEAN }");
    let refused = Comparison::new(version(&old), version(&required)).migrate(&value(5)).expect_err("no d");
    assert_eq!((refused.path.as_str(), refused.why), ("d", Why::Missing));
}
