//! Straight-line code for values behind field numbers. What its encoders write, its decoders read: fields in the order of their numbers, each once; other forms are the interpreter's.

mod decode;
mod encode;

use std::collections::HashSet;

use roadwire_layout::{Key, Layout, Span};
use roadwire_model::TypeId;
use roadwire_wire::varint;

use crate::Pdu;
use crate::fields::decode::DecodeWriter;
use crate::fields::encode::EncodeWriter;
use crate::names::snake;
use crate::source::Source;
use crate::types::{Repr, Types};

/// Writes the functions of a message, and those of its parts that are not in `written` yet.
pub(crate) fn write(pdu: &Pdu<'_, '_>, written: &mut HashSet<TypeId>, out: &mut Source) {
    let (types, layout, root, name) = (pdu.types, &pdu.layout, pdu.root, pdu.name);
    let functions = pdu.functions();
    let mut called = Vec::new();
    out.line("");
    out.line(format!("fn {functions}_encode(value: &{name}, output: &mut [u8]) -> Result<usize, wire::Rejected> {{"));
    out.line("let mut at = 0usize;");
    let mut encoder = EncodeWriter::new(types, layout, out);
    encoder.body(root, layout.root);
    called.append(&mut encoder.called);
    out.line("Ok(at)");
    out.line("}");
    out.line("");
    out.line(format!("fn {functions}_decode(value: &mut {name}, input: &[u8]) -> Result<usize, wire::Rejected> {{"));
    out.line("let (mut at, end) = (0usize, input.len());");
    let mut decoder = DecodeWriter::new(types, layout, out);
    decoder.body(root, layout.root);
    called.append(&mut decoder.called);
    out.line("if at != end {");
    out.line("return Err(wire::Rejected);");
    out.line("}");
    out.line("Ok(at * 8)");
    out.line("}");
    while let Some((id, node)) = called.pop() {
        if !written.insert(id) {
            continue;
        }
        let (Repr::Struct(name) | Repr::Choice(name)) = types.repr(id) else { continue };
        out.line("");
        out.line(format!(
            "fn {}(value: &{name}, output: &mut [u8], at: usize) -> Result<usize, wire::Rejected> {{",
            function(types, id, "encode")
        ));
        out.line("let mut at = at;");
        let mut encoder = EncodeWriter::new(types, layout, out);
        encoder.body(id, node);
        called.append(&mut encoder.called);
        out.line("Ok(at)");
        out.line("}");
        out.line("");
        out.line(format!(
            "fn {}(value: &mut {name}, input: &[u8], at: usize, end: usize) -> Result<usize, wire::Rejected> {{",
            function(types, id, "decode")
        ));
        out.line("let mut at = at;");
        let mut decoder = DecodeWriter::new(types, layout, out);
        decoder.body(id, node);
        called.append(&mut decoder.called);
        out.line("Ok(at)");
        out.line("}");
    }
}

/// The name of the function that encodes or decodes the fields of a type.
fn function(types: &Types<'_>, id: TypeId, what: &str) -> String {
    format!("{what}_{}", snake(&types.rust_structure(id)))
}

/// A key's octets, the first one least significant, and how many there are; those of more than two are rare.
#[derive(Clone, Copy)]
struct Octets {
    word: u64,
    count: u32,
}

/// In front of an element of a packed list.
const NO_KEY: Octets = Octets { word: 0, count: 0 };

impl Octets {
    fn of(key: Key) -> Option<Self> {
        let key = u64::from(key);
        match varint::octets_of(key) {
            1 => Some(Octets { word: key, count: 1 }),
            2 => Some(Octets { word: key & 0x7f | 0x80 | key >> 7 << 8, count: 2 }),
            _ => None,
        }
    }

    /// As the arguments that functions take.
    fn arguments(self) -> String {
        format!("{:#x}, {}", self.word, self.count)
    }
}

/// An enumeration's numbers by ordinal.
fn item_numbers(layout: &Layout, values: Span) -> Vec<i64> {
    let numbers = layout.numbers(values).chunks_exact(2);
    numbers.map(|pair| pair.iter().fold(0u64, |number, half| number << 32 | u64::from(*half)) as i64).collect()
}

/// How many bits the varint of a number between bounds has at most.
fn bits_of(varints: [u64; 2]) -> u32 {
    varints.into_iter().map(|varint| 64 - varint.leading_zeros()).max().unwrap_or(64).max(1)
}

/// The Rust type that integers up to here are looked at in.
fn held(upper: i128) -> &'static str {
    if upper > i64::MAX.into() { "u64" } else { "i64" }
}
