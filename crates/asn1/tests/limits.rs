//! The limits of `docs/limits.md`: text at the limit is accepted, text just beyond it is refused
//! with a code and a position.

use roadwire_asn1::{Source, compile};

/// The first error's code, line and column.
fn first(sources: &[Source]) -> Option<(&'static str, String, u32, u32)> {
    let errors = compile(sources).err()?;
    let error = errors.iter().find(|found| found.severity == roadwire_asn1::Severity::Error)?;
    Some((error.code, error.file.clone(), error.line, error.column))
}

/// Checks that a module with `most` of something is accepted, and that one with one more is
/// refused.
#[track_caller]
fn limit(code: &str, most: usize, line: u32, body: impl Fn(usize) -> String) {
    let module = |count| format!("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN\n{}\nEND\n", body(count));
    assert_eq!(first(&[Source::new("m.asn", module(most))]), None, "{most}");
    let (found, file, at, column) = first(&[Source::new("m.asn", module(most + 1))]).expect("one more is refused");
    assert_eq!((found, file.as_str(), at), (code, "m.asn", line), "{}", most + 1);
    assert!(column > 0);
}

fn list(count: usize, part: impl Fn(usize) -> String) -> String {
    (0..count).map(part).collect::<Vec<_>>().join(", ")
}

#[test]
fn all_files_have_16_mebibytes() {
    let text = |length: usize| {
        let (begin, end) = ("M DEFINITIONS ::= BEGIN A ::= NULL /*", "*/ END");
        format!("{begin}{}{end}", "x".repeat(length - begin.len() - end.len()))
    };
    let other = "N DEFINITIONS ::= BEGIN B ::= NULL END";
    let files = |length| [Source::new("n.asn", other), Source::new("m.asn", text(length - other.len()))];
    assert_eq!(first(&files(16 << 20)), None);
    assert_eq!(first(&files((16 << 20) + 1)), Some(("asn1.limit.text", "m.asn".into(), 1, 1)));
}

#[test]
fn text_nests_128_levels() {
    limit("asn1.limit.nesting", 127, 2, |count| format!("A ::= {}NULL", "SEQUENCE OF ".repeat(count)));
    limit("asn1.limit.nesting", 61, 2, |count| format!("A ::= INTEGER ({}1{})", "(".repeat(count), ")".repeat(count)));
}

#[test]
fn references_follow_each_other_500_times() {
    // From the last one back, so that none is built earlier.
    let chain = |count: usize| {
        let links: String = (0..count).map(|at| format!("\nv{at} INTEGER ::= v{}", at + 1)).collect();
        format!("A ::= INTEGER (0..v0){links}\nv{count} INTEGER ::= 5")
    };
    limit("asn1.limit.chain", 497, 501, chain);
}

#[test]
fn a_type_has_20000_components() {
    limit("asn1.limit.components", 20_000, 2, |count| {
        format!("A ::= SEQUENCE {{ {} }}", list(count, |at| format!("a{at} NULL")))
    });
}

#[test]
fn a_type_has_100000_items_and_named_numbers() {
    limit("asn1.limit.items", 100_000, 2, |count| {
        format!("A ::= ENUMERATED {{ {} }}", list(count, |at| format!("a{at}")))
    });
    let added = |count| list(count - 1, |at| format!("a{at}({})", 2 * at + 1));
    limit("asn1.limit.items", 100_000, 2, |count| format!("A ::= ENUMERATED {{ z, ..., {} }}", added(count)));
    let named = |count| list(count, |at| format!("a{at}({at})"));
    limit("asn1.limit.items", 100_000, 2, |count| format!("A ::= INTEGER {{ {} }}", named(count)));
    limit("asn1.limit.items", 100_000, 2, |count| format!("A ::= BIT STRING {{ {} }}", named(count)));
}

#[test]
fn a_number_has_5000_digits() {
    limit("asn1.limit.number", 5_000, 3, |count| format!("\na INTEGER ::= {}", "9".repeat(count)));
}

#[test]
fn parameterised_definitions_are_nested_64_deep() {
    limit("asn1.limit.instance", 64, 3, |count| {
        let levels = (1..=count).map(|at| format!("\nD{at}{{T}} ::= SEQUENCE {{ a D{}{{T}} }}", at - 1));
        let levels: Vec<String> = levels.collect();
        format!("D0{{T}} ::= SEQUENCE {{ t T }}{} \nA ::= D{}{{NULL}}", levels.concat(), count - 1)
    });
}

#[test]
fn modules_make_400000_types() {
    limit("asn1.limit.types", 400_000, 2, |count| (0..count).map(|at| format!("T{at} ::= NULL ")).collect());
}

#[test]
fn definitions_have_20000_instances() {
    limit("asn1.limit.instance", 20_000, 2, |count| {
        let uses: String = (0..count).map(|at| format!("A{at} ::= D{{INTEGER (0..{at})}} ")).collect();
        format!("D{{T}} ::= SEQUENCE OF T {uses}")
    });
}

/// A class, and a set of `count` objects.
fn objects(count: usize) -> String {
    let objects: Vec<String> = (0..count).map(|at| format!("{{&id {at}}}")).collect();
    format!("C ::= CLASS {{ &id INTEGER }}\nS C ::= {{ {} }}", objects.join(" | "))
}

#[test]
fn a_set_has_100000_objects() {
    limit("asn1.limit.objects", 100_000, 3, objects);
}

#[test]
fn four_million_values_are_copied() {
    // 400 copies of 9951 parts, and one with the rest.
    let copies: String = (0..400).map(|at| format!("v{at} L ::= v ")).collect();
    limit("asn1.limit.copies", 19_597, 2, |count| {
        let of = |count| list(count, |_| "1".to_owned());
        format!("L ::= SEQUENCE OF INTEGER v L ::= {{ {} }} w L ::= {{ {} }} {copies} x L ::= w", of(9_950), of(count))
    });
}

#[test]
fn an_object_identifier_has_1000_arcs() {
    limit("asn1.limit.arcs", 1_000, 2, |count| format!("a OBJECT IDENTIFIER ::= {{ 1 2 {}}}", "3 ".repeat(count - 2)));
}

#[test]
fn named_bits_are_up_to_2_to_the_power_of_20() {
    limit("asn1.limit.bits", 1 << 20, 2, |bit| format!("A ::= BIT STRING {{ far({bit}) }} b A ::= {{ far }}"));
}

#[test]
fn two_hundred_errors_and_warnings_are_told() {
    let told = |count: usize, line: &dyn Fn(usize) -> String| {
        let lines: String = (0..count).map(line).collect();
        let found = compile(&[Source::new("m.asn", format!("M DEFINITIONS ::= BEGIN\n{lines} A ::= B END\n"))]);
        found.unwrap_err().iter().count()
    };
    let error = |at| format!("A{at} ::= B{at}\n");
    let warning = |at| format!("a{at} INTEGER ::= 0{at}\n");
    assert_eq!([199, 200, 100_000].map(|count| told(count, &error)), [200, 200, 200]);
    assert_eq!([199, 200, 201].map(|count| told(count, &warning)), [200, 201, 201]);
}

#[test]
fn similar_names_are_looked_for_20_times() {
    let lines: String = (0..30).map(|at| format!("A{at} ::= Speeed{at} Speed{at} ::= NULL\n")).collect();
    let found = compile(&[Source::new("m.asn", format!("M DEFINITIONS ::= BEGIN\n{lines} END\n"))]);
    let found = found.unwrap_err();
    assert_eq!((found.iter().count(), found.iter().filter(|error| error.note.is_some()).count()), (30, 20));
}
