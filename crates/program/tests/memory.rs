//! A tape takes at most a quarter of the memory of a dynamic value, of messages whose strings are
//! short: both hold their octets.

use roadwire_frontend::{Source, compile};
use roadwire_model::Value;
use roadwire_model::random::{Generator, Rng, Settings};
use roadwire_program::{Frames, Tape};

/// The octets on the heap of a value, without what an allocator adds.
fn heap(value: &Value) -> usize {
    match value {
        Value::Sequence { components, .. } => {
            let inside: usize = components.iter().flatten().map(heap).sum();
            components.capacity() * size_of::<Option<Value>>() + inside
        }
        Value::List(elements) => elements.capacity() * size_of::<Value>() + elements.iter().map(heap).sum::<usize>(),
        Value::Choice(_, inner) => size_of::<Value>() + heap(inner),
        Value::BitString { octets, .. } | Value::OctetString(octets) => octets.capacity(),
        Value::Text(text) => text.capacity(),
        _ => 0,
    }
}

#[test]
fn a_tape_takes_a_quarter_of_a_value() {
    let mut schemas = 0;
    let settings = Settings { contents: false, extensions: 0, ..Settings::default() };
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
                tape.read(&frames, &value).unwrap();
                let dynamic = size_of::<Value>() + heap(&value);
                println!("{pdu}, {optional} %: tape {}, value {dynamic}", tape.size());
                assert!(tape.size() * 4 <= dynamic, "{pdu}, {optional} %: {} of {dynamic} octets", tape.size());
            }
        }
    }
    assert!(schemas >= 10, "{schemas} schemas have tapes");
}
