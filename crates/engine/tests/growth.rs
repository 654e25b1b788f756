//! Layouts and schemas grow with the text of a module, not with the number of paths through its
//! types. (Time and memory over size: `docs/limits.md`.)

mod support;

use roadwire_layout::{Rules, lower, xml_schema};
use support::Codec;

/// `A` over `levels` levels of records, each of which contains the one below twice.
fn doubled(levels: usize) -> String {
    let level = |at: usize| format!("A{at} ::= SEQUENCE {{ a A{below}, b A{below} }}", below = at - 1);
    let levels: Vec<String> = (1..levels).map(level).collect();
    format!("A ::= A{} A0 ::= SEQUENCE {{ a INTEGER, b INTEGER }} {}", levels.len(), levels.join(" "))
}

/// The same without names, by a parameterised type.
fn instances(levels: usize) -> String {
    format!("D{{T}} ::= SEQUENCE {{ a T, b T }} A ::= {}INTEGER{}", "D{".repeat(levels), "}".repeat(levels))
}

#[test]
fn merged_elements_have_a_bound() {
    for definitions in [doubled(60), instances(40)] {
        for rules in [Rules::ExiMerged, Rules::ExiFlat] {
            let codec = Codec::under(rules, &definitions).unwrap();
            assert!(codec.layout.nodes.len() < 100_000, "{} nodes", codec.layout.nodes.len());
        }
    }
}

#[test]
fn a_schema_names_types_that_would_multiply() {
    for definitions in [doubled(60), instances(40), "D{T} ::= SEQUENCE { a D{T} OPTIONAL, t T } A ::= D{NULL}".into()] {
        let codec = Codec::new(&definitions);
        for rules in [Rules::Exi, Rules::ExiDefault, Rules::ExiSplit] {
            let schema = xml_schema(&codec.model, codec.root, rules).unwrap();
            assert!(schema.len() < 100_000, "{} octets", schema.len());
        }
    }
    // A type that is used twice, but contains no other such type, is written out.
    let codec = Codec::new("D{T} ::= SEQUENCE { t T } A ::= SEQUENCE { a D{NULL}, b D{NULL} }");
    let schema = xml_schema(&codec.model, codec.root, Rules::Exi).unwrap();
    assert!(!schema.contains("type=\"D\""), "{schema}");
}

/// `A` with `levels` nested records.
fn chain(levels: usize) -> String {
    let level = |at: usize| format!("A{at} ::= SEQUENCE {{ a A{} OPTIONAL }} ", at + 1);
    format!("A ::= A1 {} A{levels} ::= NULL", (1..levels).map(level).collect::<String>())
}

#[test]
fn types_nest_500_levels() {
    for rules in Rules::ALL.into_iter().filter(|rules| *rules != Rules::Tls) {
        let refused = |levels| Codec::under(rules, &chain(levels)).err().map(|error| error.to_string());
        assert_eq!(refused(500), None, "{rules}");
        for levels in [501, 5_000] {
            let message = "types nest more than 500 levels, which no message may";
            assert_eq!(refused(levels).as_deref(), Some(message), "{rules}");
        }
    }
}

#[test]
fn uses_of_a_type_with_different_tags_share_its_contents() {
    let component = |at: usize, of: usize| format!("c{at} T{} OPTIONAL", (of + at) % 40);
    let record = |of: usize| {
        let components: Vec<String> = (0..20).map(|at| component(at, of)).collect();
        format!("T{of} ::= SEQUENCE {{ {} }}", components.join(", "))
    };
    let records: Vec<String> = (0..40).map(record).collect();
    let codec = Codec::new(&format!("A ::= T0 {}", records.join(" ")));
    for rules in [Rules::Ber, Rules::Der, Rules::Cer] {
        let layout = lower(&codec.model, codec.root, rules).unwrap();
        assert!(layout.members.len() <= 40 * 20, "{rules}: {} members", layout.members.len());
    }
}

/// A merged part is written at each use: a type without a name that has such a part has a name
/// then.
#[test]
fn a_schema_of_merged_types_that_contain_themselves_ends() {
    let lists = |levels: usize| {
        let level = |at: usize| format!("C{at} ::= CHOICE {{ a SEQUENCE OF C{0}, b SEQUENCE OF C{0} }}", at - 1);
        format!("C0 ::= CHOICE {{ a NULL, b NULL }} {} A ::= C{levels}", (1..=levels).map(level).collect::<String>())
    };
    for definitions in [
        "A ::= SEQUENCE { x SEQUENCE { a B } OPTIONAL } B ::= SEQUENCE { y SEQUENCE { a B } OPTIONAL }".into(),
        "A ::= CHOICE { number INTEGER, sum SEQUENCE OF A }".into(),
        "A ::= CHOICE { number INTEGER, sum SEQUENCE { a A, b A OPTIONAL } }".into(),
        lists(40),
    ] {
        let codec = Codec::new(&definitions);
        for rules in [Rules::ExiMerged, Rules::ExiFlat] {
            let schema = xml_schema(&codec.model, codec.root, rules).unwrap();
            assert!(schema.len() < 100_000, "{rules}: {} octets", schema.len());
        }
    }
}
