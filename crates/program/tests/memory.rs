//! A tape takes at most a quarter of the memory of a dynamic value, without the octets of strings,
//! which both hold.

use roadwire_frontend::{Source, compile};
use roadwire_model::Value;
use roadwire_model::random::{Generator, Rng, Settings};
use roadwire_program::{Frames, Tape};

/// The octets on the heap of a value, without what an allocator adds; and those of its strings.
fn heap(value: &Value) -> (usize, usize) {
    let sum = |all: &mut dyn Iterator<Item = &Value>| {
        all.map(heap).fold((0, 0), |(parts, strings), (more, octets)| (parts + more, strings + octets))
    };
    match value {
        Value::Sequence { components, .. } => {
            let (inside, strings) = sum(&mut components.iter().flatten());
            (components.capacity() * size_of::<Option<Value>>() + inside, strings)
        }
        Value::List(elements) => {
            let (inside, strings) = sum(&mut elements.iter());
            (elements.capacity() * size_of::<Value>() + inside, strings)
        }
        Value::Choice(_, inner) => {
            let (inside, strings) = heap(inner);
            (size_of::<Value>() + inside, strings)
        }
        Value::BitString { octets, .. } | Value::OctetString(octets) => (0, octets.len()),
        Value::Text(text) => (0, text.len()),
        Value::Oid(oid) => (0, oid.contents().len()),
        _ => (0, 0),
    }
}

#[test]
fn a_tape_takes_a_quarter_of_a_value() {
    let mut schemas = 0;
    let settings = Settings { extensions: 0, ..Settings::default() };
    for schema in roadwire_messages::SCHEMAS {
        let sources: Vec<_> = schema.modules.iter().map(|(file, text)| Source::new(*file, *text)).collect();
        let model = compile(&sources).unwrap_or_else(|errors| panic!("{}", errors.render())).model;
        for pdu in schema.pdus {
            let root = model.find(pdu).unwrap();
            let Some(frames) = Frames::new(&model, root) else { continue };
            schemas += 1;
            // Mandatory parts, all parts, and as it comes.
            for optional in [0, 100, 50] {
                let settings = Settings { integer_bits: 62, max_length: 8, optional, ..settings.clone() };
                let value = Generator::new(&model, settings).value(root, &mut Rng::new(11));
                let mut tape = Tape::new();
                tape.read(&frames, &value).unwrap_or_else(|_| panic!("{pdu}: {value:?}"));
                let (parts, strings) = heap(&value);
                let (dynamic, taped) = (size_of::<Value>() + parts, tape.size() - strings);
                println!("{pdu}, {optional} %: tape {taped}, value {dynamic}, strings {strings}");
                assert!(taped * 4 <= dynamic, "{pdu}, {optional} %: {taped} of {dynamic} octets");
            }
        }
    }
    assert!(schemas >= 10, "{schemas} schemas have tapes");
}
