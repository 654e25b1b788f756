//! Several modules together.

use roadwire_asn1::{Source, compile};

#[test]
fn modules_of_one_name_have_names_of_their_own_in_the_model() {
    let first = Source::new("1.asn", "P { 1 2 1 } DEFINITIONS ::= BEGIN S ::= INTEGER END");
    let second = Source::new("2.asn", "P { 1 2 2 } DEFINITIONS ::= BEGIN S ::= BOOLEAN END");
    for sources in [[first.clone(), second.clone()], [second, first]] {
        let model = compile(&sources).map_err(|found| found.render()).unwrap().model;
        let names: Vec<String> = model.definitions.keys().map(ToString::to_string).collect();
        assert_eq!(names, ["P-1-2-1.S", "P-1-2-2.S"]);
        assert!(model.modules.iter().all(|name| name.starts_with("P-1-2-")), "{:?}", model.modules);
        assert!(model.find("P-1-2-1.S") != model.find("P-1-2-2.S"));
    }
}

#[test]
fn a_name_like_that_of_another_module_is_refused() {
    let text =
        "P { 1 2 1 } DEFINITIONS ::= BEGIN END P { 1 2 2 } DEFINITIONS ::= BEGIN END P-1-2-2 DEFINITIONS ::= BEGIN END";
    let found = compile(&[Source::new("m.asn", text)]).unwrap_err();
    let codes: Vec<&str> = found.iter().map(|one| one.code).collect();
    assert_eq!(codes, ["asn1.module.duplicate"]);
}
