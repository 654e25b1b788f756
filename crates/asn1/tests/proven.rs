//! Which constraints of a decoded value are checked after its decoder.

use roadwire_asn1::{Source, compile};
use roadwire_model::Value;
use roadwire_model::check::Proven;

#[test]
fn constraints_that_decoders_check_are_not_checked_again() {
    let module = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
        T ::= SEQUENCE { a INTEGER (0..9), b INTEGER (0..9 EXCEPT 5), c IA5String (SIZE (1..4)), d L }
        L ::= SEQUENCE (SIZE (0..4)) OF INTEGER (0..9) END";
    let model = compile(&[Source::new("m.asn", module)]).unwrap().model;
    let (root, proven) = (model.find("M.T").unwrap(), Proven::of(&model));
    let holds = |a: i64, b: i64, c: &str, d: i64| {
        let parts = [Value::Integer(a.into()), Value::Integer(b.into()), c.into(), Value::List(vec![d.into()])];
        proven.holds(&model, root, &Value::sequence(parts.map(Some)))
    };
    assert!(holds(1, 1, "abc", 1));
    assert!(!holds(1, 5, "abc", 1), "no encoding depends on EXCEPT");
    assert!(!holds(1, 1, "abcde", 1), "not all encodings depend on the size of a string");
    assert!(holds(10, 1, "abc", 10), "each decoder checks the range of an INTEGER");
}
