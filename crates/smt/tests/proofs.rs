//! Scripts exist for all types of the list, and for nothing that has no meaning here. Solvers are
//! asked by `proofs/smt/run`.

use std::cell::Cell;

use roadwire_frontend::{Source, compile};
use roadwire_layout::Rules;
use roadwire_smt::{PLANTED, Proof, SUBJECTS, Sentence, Setting, proofs};

fn of(components: &str, rules: Rules) -> Result<Vec<Proof>, String> {
    let text = format!("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN T ::= SEQUENCE {{ {components} }} END");
    let model = compile(&[Source::new("m.asn", text)]).map_err(|errors| errors.render())?.model;
    let root = model.find("M.T").ok_or("no type")?;
    let setting = Setting { model: &model, root, rules, assume: &|_| None, change: &|_, _| (), any_octets: false };
    Ok(proofs(&setting)?.0)
}

#[test]
fn each_subject_has_all_its_proofs() {
    for subject in SUBJECTS {
        let model = subject.model().unwrap();
        for rules in subject.rules {
            let root = model.find(subject.of).unwrap();
            let (assume, change) = (&subject.assume, &|_: &mut _, _| ());
            let setting = Setting { model: &model, root, rules: *rules, assume, change, any_octets: false };
            let (all, _) = proofs(&setting).unwrap_or_else(|error| panic!("{} in {rules}: {error}", subject.name));
            for sentence in [Sentence::Written, Sentence::Fits, Sentence::Bounded, Sentence::Same, Sentence::Some] {
                assert!(all.iter().any(|one| one.sentence == sentence), "{} in {rules}: {sentence:?}", subject.name);
            }
        }
    }
}

#[test]
fn each_planted_fault_has_a_place() {
    for planted in PLANTED {
        let subject = SUBJECTS.iter().find(|one| one.name == planted.subject).unwrap();
        let (model, done) = (subject.model().unwrap(), Cell::new(false));
        let (root, change) = (model.find(subject.of).unwrap(), planted.plant(&done));
        let rules = planted.rules;
        let setting =
            Setting { model: &model, root, rules, assume: &subject.assume, change: &change, any_octets: false };
        proofs(&setting).unwrap_or_else(|error| panic!("{}: {error}", planted.name));
        assert!(done.get(), "{}", planted.name);
    }
}

#[test]
fn statements_without_a_meaning_are_named() {
    let error = |components| of(components, Rules::Uper).err().unwrap_or_default();
    assert_eq!(error("a GraphicString"), "GraphicString is left to the interpreter");
    assert!(error("a DATE").starts_with("there is no SMT-LIB for "), "{}", error("a DATE"));
    assert!(error("a REAL").starts_with("there is no SMT-LIB for "), "{}", error("a REAL"));
    assert!(
        error("a IA5String (SIZE (2))").starts_with("there is no SMT-LIB for "),
        "{}",
        error("a IA5String (SIZE (2))")
    );
    assert!(error("a OCTET STRING").contains("value.a has no small bound: assume its size"));
}

#[test]
fn a_proof_is_about_something() {
    // Nothing that a script asks is answered before a solver sees it.
    let all = of("a INTEGER (0..1000), b BOOLEAN OPTIONAL", Rules::Uper).unwrap();
    let some = all.iter().find(|one| one.sentence == Sentence::Some).unwrap();
    assert!(some.script.contains("(declare-const |value.a| (_ BitVec 16))"), "{}", some.script);
    let same = all.iter().find(|one| one.sentence == Sentence::Same).unwrap();
    assert!(same.script.contains("|value.b.has|"), "{}", same.script);
}
