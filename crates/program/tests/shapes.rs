//! Messages whose fields are where those of an earlier one were.

use roadwire_frontend::{Source, compile};
use roadwire_layout::{Rules, lower};
use roadwire_model::Value;
use roadwire_program::{Program, Tape};

const MODULE: &str = "Demo DEFINITIONS AUTOMATIC TAGS ::= BEGIN
    A ::= SEQUENCE {
        a INTEGER (0..1000), b INTEGER (-5..5) OPTIONAL, c SEQUENCE (SIZE (0..60)) OF INTEGER (0..255),
        d CHOICE { e BOOLEAN, f IA5String (SIZE (3)), ... }, g ENUMERATED { h(7), i(2), j(4) }, k INTEGER,
        l OCTET STRING (SIZE (4)), m UTF8String }
    B ::= SEQUENCE { a INTEGER (0..1000), b INTEGER (0..1000), c OCTET STRING (SIZE (12)) }
END";

struct Type {
    layout: roadwire_layout::Layout,
    program: Program,
}

impl Type {
    fn new(name: &str, rules: Rules) -> Type {
        let model = compile(&[Source::new("demo.asn", MODULE)]).unwrap_or_else(|errors| panic!("{}", errors.render()));
        let root = model.model.find(&format!("Demo.{name}")).unwrap();
        let layout = lower(&model.model, root, rules).unwrap();
        let program = Program::new(&model.model, root, &layout).unwrap();
        Type { layout, program }
    }

    /// Decodes by a tape, as the interpreter does; whether the program takes it.
    fn decode(&self, octets: &[u8], tape: &mut Tape) -> bool {
        let mut wanted = Value::Unset;
        let bits = roadwire_engine::decode(&self.layout, octets, &mut wanted);
        let found = self.program.decode(octets, tape);
        if found.is_ok() {
            assert_eq!(found.ok(), bits.ok(), "{octets:02x?}");
            let mut value = Value::Unset;
            tape.root(self.program.frames()).fill(&mut value).unwrap();
            assert_eq!(value, wanted, "{octets:02x?}");
        }
        found.is_ok()
    }
}

/// A message of `A` in OER, with so many elements.
fn message(elements: u8) -> Vec<u8> {
    let mut octets = vec![0x80, 0, 100, 3, 1, elements];
    octets.extend(0..elements);
    octets.extend([0x81, b'a', b'b', b'c', 2, 1, 7, 1, 2, 3, 4, 2, b'x', b'y']);
    octets
}

#[test]
fn every_octet_of_a_message_may_change() {
    let a = Type::new("A", Rules::Oer);
    let mut tape = Tape::new();
    let first = message(3);
    assert!(a.decode(&first, &mut tape) && tape.shapes() == 1);
    let mut taken = 0;
    for at in 0..first.len() {
        for octet in 0..=255 {
            let mut other = first.clone();
            other[at] = octet;
            taken += usize::from(a.decode(&other, &mut tape));
        }
    }
    assert!(taken > 2000, "{taken}");
    // One character of two octets in place of two of one, and half of it.
    let text = |end: [u8; 2]| [&first[..first.len() - 2], &end].concat();
    assert!(a.decode(&text([0xc3, 0xa4]), &mut tape));
    assert!(!a.decode(&text([0xc3, 0x41]), &mut tape));
    assert!(a.decode(&first, &mut tape));
}

#[test]
fn octets_after_a_message_are_not_of_its_shape() {
    let b = Type::new("B", Rules::Uper);
    let mut tape = Tape::new();
    let octets: Vec<u8> = (0..20).collect();
    let mut other = octets.clone();
    other[16..].fill(0xff);
    assert!(b.decode(&octets, &mut tape) && b.decode(&other, &mut tape));
    assert_eq!(tape.shapes(), 1);
    // It begins with a number above 1000.
    other[0] = 0xff;
    assert!(!b.decode(&other, &mut tape));
}

#[test]
fn a_tape_is_for_any_program() {
    let (a, b) = (Type::new("A", Rules::Oer), Type::new("B", Rules::Oer));
    let mut tape = Tape::new();
    let octets = [0, 3, 0, 4, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
    for _ in 0..3 {
        assert!(a.decode(&message(2), &mut tape));
        assert!(b.decode(&octets, &mut tape));
        assert_eq!(tape.shapes(), 1);
        // Of the same length, and not of this type.
        a.decode(&octets, &mut tape);
    }
}

#[test]
fn not_all_shapes_are_remembered() {
    let a = Type::new("A", Rules::Oer);
    let mut tape = Tape::new();
    for round in 0..5 {
        for elements in 0..=60 {
            assert!(a.decode(&message(elements), &mut tape));
        }
        assert_eq!(tape.shapes(), 24, "round {round}");
    }
    let mut none = Tape::without_shapes();
    assert!(a.decode(&message(1), &mut none) && none.shapes() == 0);
}
