//! Generated C and the interpreter agree on every construct that has C.

#[path = "support/c99.rs"]
mod c99;
mod support;

use c99::{Message, agree};
use roadwire_constructs::{MODULE, module, pdus};
use roadwire_layout::Rules;

/// Rules that have C, and how many constructs have none there: those with parts without a bound,
/// DEFAULT values beyond an extensible bound, REAL and times; packed named bits whose zeros at the
/// end come and go.
const RULES: [(Rules, usize); 7] = [
    (Rules::Uper, 49),
    (Rules::Aper, 49),
    (Rules::Oer, 55),
    (Rules::Coer, 55),
    (Rules::Ber, 42),
    (Rules::Der, 42),
    (Rules::Cer, 42),
];

#[test]
fn generated_c_agrees_with_the_interpreter() {
    let pdus = pdus();
    let source = roadwire_asn1::Source::new("constructs.asn", module(&pdus).as_str());
    let model = roadwire_asn1::compile(&[source]).unwrap_or_else(|errors| panic!("{}", errors.render())).model;
    for (rules, most) in RULES {
        let (mut with, mut without) = (Vec::new(), Vec::new());
        for pdu in &pdus {
            let root = model.find(&format!("{MODULE}.{}", pdu.name)).unwrap();
            match Message::new(&model, &pdu.name, root, rules) {
                Ok(message) => with.push(message),
                Err(error) => without.push(format!("{}: {error}", pdu.name)),
            }
        }
        assert!(without.len() <= most, "{rules}: {} without C: {without:#?}", without.len());
        agree(&model, rules, "constructs", &with);
    }
}
