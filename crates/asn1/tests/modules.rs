//! Several modules together.

use roadwire_asn1::{Allow, Severity, Source, compile, reduce};

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

#[test]
fn names_with_underscores_are_taken_where_they_are_allowed_with_one_warning() {
    let text = "My_Module DEFINITIONS AUTOMATIC TAGS ::= BEGIN\nA_Type ::= SEQUENCE { a_b B, a-b INTEGER (0..max_b) }\n\
        B ::= ENUMERATED { one_two }\nmax_b INTEGER ::= 7\nEND";
    let refused = compile(&[Source::new("m.asn", text)]).unwrap_err();
    let codes: Vec<&str> = refused.iter().map(|one| one.code).collect();
    assert_eq!(codes, ["asn1.lex.name"; 6]);
    assert!(refused.render().contains("`--allow underscores`"), "{}", refused.render());

    let source = Source::new("m.asn", text).allowing(&[Allow::Underscores]);
    let compiled = compile(std::slice::from_ref(&source)).map_err(|found| found.render()).unwrap();
    let warnings: Vec<_> = compiled.warnings.iter().map(|one| (one.severity, one.line, one.message.as_str())).collect();
    let message = "`My_Module` has an underscore, which is not ASN.1: taken as written, and 5 more in this file";
    assert_eq!(warnings, [(Severity::Warning, 1, message)]);
    assert!(compiled.model.find("My_Module.A_Type").is_some());

    let reduced = reduce(&[source], &["A_Type"]).map_err(|error| error.to_string()).unwrap();
    assert!(reduced.contains("a_b B,") && reduced.contains("max_b INTEGER ::= 7"), "{reduced}");
}

#[test]
fn a_file_that_allows_underscores_does_not_allow_them_in_others() {
    let with = Source::new("1.asn", "P DEFINITIONS ::= BEGIN A_b ::= NULL END").allowing(&[Allow::Underscores]);
    let without = Source::new("2.asn", "Q DEFINITIONS ::= BEGIN C_d ::= NULL END");
    let found = compile(&[with, without]).unwrap_err();
    let errors: Vec<&str> =
        found.iter().filter(|one| one.severity == Severity::Error).map(|one| one.file.as_str()).collect();
    assert_eq!(errors, ["2.asn"]);
}
