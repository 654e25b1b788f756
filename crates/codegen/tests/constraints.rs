//! Which constraints generated code checks.

use roadwire_codegen::{Options, generate};
use roadwire_layout::Rules;

/// EXTERNAL and similar types stand for a SEQUENCE that has a constraint (X.680 §36.5).
#[test]
fn the_constraint_of_embedded_pdv_is_checked() {
    let text = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN A ::= SEQUENCE { pdv EMBEDDED PDV } END";
    let source = roadwire_asn1::Source::new("m.asn", text);
    let model = roadwire_asn1::compile(&[source]).unwrap_or_else(|errors| panic!("{}", errors.render())).model;
    let written = generate(&model, &[model.find("A").unwrap()], &[Rules::Exi], Options::default()).unwrap().source;
    assert!(written.contains("data_value_descriptor.is_none()"), "{written}");
}
