//! Constraints that take away the extension additions of the constraint before them (X.680 §50.8):
//! warnings, with both sets of values.

#[path = "../../source/tests/support/shared.rs"]
mod shared;

use roadwire_asn1::{Compiled, Source, compile};
use roadwire_model::check;

const CODE: &str = "asn1.extension.dropped";

fn compiled(types: &str) -> Compiled {
    let module = format!("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN {types} END");
    compile(&[Source::new("m.asn", module)]).unwrap_or_else(|errors| panic!("{types}\n{}", errors.render()))
}

/// The permitted values, from each warning.
fn dropped(types: &str) -> Vec<String> {
    let found = compiled(types).warnings;
    let found = found.iter().filter(|one| one.code == CODE).map(|one| one.message.as_str());
    let what = |message: &str| {
        let (_, what) = message.split_once("`: ").expect("the constraint before it");
        what.strip_suffix(" (X.680 §50.8)").expect("the clause").to_owned()
    };
    found.map(what).collect()
}

#[track_caller]
fn drops(types: &str, what: &str) {
    assert_eq!(dropped(types), [what], "{types}");
}

#[track_caller]
fn drops_nothing(types: &str) {
    assert_eq!(dropped(types), [""; 0], "{types}");
}

#[test]
fn inner_subtyping_drops_the_sizes_added_by_the_constraint_before_it() {
    let path = "Path ::= SEQUENCE (SIZE (1..16, ..., 17..40)) OF P  P ::= SEQUENCE { t BOOLEAN OPTIONAL }";
    let what = "sizes 1..16 are permitted here, not 17..40";
    drops(&format!("{path} A ::= Path (WITH COMPONENT (WITH COMPONENTS {{..., t ABSENT}}))"), what);
    let either =
        "((WITH COMPONENT (WITH COMPONENTS {..., t ABSENT})) | (WITH COMPONENT (WITH COMPONENTS {..., t PRESENT})))";
    drops(&format!("{path} A ::= SEQUENCE {{ p Path {either} }}"), what);
    drops_nothing(&format!("{path} A ::= SEQUENCE {{ p Path, q Path OPTIONAL, ... }}"));
}

#[test]
fn a_constraint_of_what_the_marker_is_about_drops_what_it_would_permit_itself() {
    let sizes = "A ::= OCTET STRING (SIZE (1..16, ...))";
    drops(&format!("{sizes} B ::= A (SIZE (3..16, ...))"), "sizes 1..16 are permitted here, no others");
    drops(&format!("{sizes} B ::= A (SIZE (3..20))"), "sizes 3..16 are permitted here, no others");
    drops_nothing(&format!("{sizes} B ::= A (SIZE (3..16))"));
    let numbers = "A ::= INTEGER (0..10, ..., 20..30)";
    drops(&format!("{numbers} B ::= A (5..25)"), "values 5..10 are permitted here, not 20..25");
    drops(&format!("{numbers} B ::= A (5 | 7, ...)"), "values 0..10 are permitted here, not 20..30");
    drops_nothing(&format!("{numbers} B ::= A (0..5)"));
    drops_nothing(&format!("{numbers} B ::= A (0..15)"));
    let letters = "A ::= IA5String (FROM (\"a\"..\"f\", ...))";
    drops(&format!("{letters} B ::= A (FROM (\"c\"..\"k\"))"), "characters \"c\"..\"f\" are permitted here, no others");
    drops_nothing(&format!("{letters} B ::= A (FROM (\"c\"))"));
}

#[test]
fn a_constraint_of_something_else_drops_the_marker() {
    drops(
        "A ::= IA5String (SIZE (1..4, ..., 8)) B ::= A (FROM (\"a\"..\"f\"))",
        "sizes 1..4 are permitted here, not 8",
    );
    drops(
        "A ::= IA5String (FROM (\"a\"..\"f\", ...)) B ::= A (SIZE (1..4))",
        "characters \"a\"..\"f\" are permitted here, no others",
    );
    drops("A ::= IA5String (SIZE (1..4), ...) B ::= A (PATTERN \"a*\")", "sizes 1..4 are permitted here, no others");
}

#[test]
fn a_marker_of_a_constraint_that_is_not_visible_is_dropped() {
    let one = "A ::= SEQUENCE { a NULL OPTIONAL, b NULL OPTIONAL } (WITH COMPONENTS {..., a PRESENT}, ...)";
    drops(&format!("{one} B ::= A (WITH COMPONENTS {{..., b ABSENT}})"), "only values of its root are permitted here");
    drops_nothing("A ::= IA5String (\"a\" | \"b\", ...) B ::= A (\"a\")");
}

#[test]
fn the_marker_of_the_last_constraint_alone_counts() {
    let types = "A ::= OCTET STRING (SIZE (1..8, ...)) B ::= A (SIZE (1..4, ..., 5)) C ::= B (SIZE (2..9)) D ::= C (SIZE (2..9))";
    let both = ["sizes 1..8 are permitted here, no others", "sizes 2..4 are permitted here, not 5"];
    assert_eq!(dropped(types), both, "of B and of C; C has no marker");
}

#[test]
fn the_warning_is_at_the_later_constraint_and_shows_the_one_before_it() {
    let text = "A ::= OCTET STRING (SIZE (1..8, ... -- later --)) B ::= A (SIZE (1..9))";
    let warnings = compiled(text).warnings;
    let one = warnings.iter().find(|one| one.code == CODE).expect("a warning");
    assert_eq!(&one.source_line[one.column as usize - 1..], "(SIZE (1..9)) END");
    assert!(one.message.starts_with("this constraint drops the extension marker of `(SIZE (1..8, ... ))`: "), "{one}");
}

#[test]
fn a_value_error_names_the_constraint_and_the_one_that_drops_its_additions() {
    let types = "B ::= SEQUENCE (SIZE (1..2, ..., 3..5)) OF Q  Q ::= SEQUENCE { t BOOLEAN OPTIONAL }
        T ::= B (WITH COMPONENT (WITH COMPONENTS {..., t ABSENT}))  v B ::= {{}, {}, {}}";
    let model = compiled(types).model;
    let (_, value) = model.values.values().next().expect("one value");
    let found: Vec<String> =
        check::value(&model, model.find("M.T").unwrap(), value).iter().map(ToString::to_string).collect();
    let constraint = "the value breaks the constraint (SIZE (1..2, ..., 3..5)) without its additions, \
                      which (WITH COMPONENT (WITH COMPONENTS {..., t ABSENT})) drops (X.680 §50.8)";
    assert!(found.iter().any(|one| one.contains(constraint)), "{found:?}");
}

#[test]
fn published_modules_have_such_places() {
    let Some(folder) = shared::shared("modules/release2") else { return };
    let file = |name: &str| Source::new(name, std::fs::read(folder.join(name)).expect("a module"));
    let modules = ["TS102894-2v241-CDD.asn", "TS103900v231-CAM.asn", "TS103831v231-DENM.asn"].map(file);
    let found = compile(&modules).expect("modules without errors").warnings;
    let found: Vec<(u32, bool)> =
        found.iter().filter(|one| one.code == CODE).map(|one| (one.line, one.message.contains("not 17..40"))).collect();
    // PathPredicted2.pathPredicted and PolygonalShape.polygon.
    assert_eq!(found, [(6570, true), (6779, false)]);
}
