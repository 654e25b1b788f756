//! Straight-line code for values after field numbers. Its decoders read what its encoders write: fields in the order of their numbers, each once. Other forms are left to the interpreter.

mod decode;
mod encode;

use std::collections::HashSet;

use roadwire_layout::{FieldNode, Key, Node, NodeId};
use roadwire_model::TypeId;
use roadwire_wire::rt::varint;

use crate::Pdu;
use crate::delimited::{self, Family, Writer};
use crate::fields::decode::DecodeWriter;
use crate::fields::encode::EncodeWriter;
use crate::packed::run::Place;
use crate::source::Source;

/// Writes the functions of a message, and those of its parts that are not in `written` yet.
pub(crate) fn write(pdu: &Pdu<'_, '_>, written: &mut HashSet<TypeId>, out: &mut Source) {
    let family = Family {
        encode: |code, id, node| EncodeWriter { code }.body(id, node),
        decode: |code, id, node| DecodeWriter { code }.body(id, node),
        wrong_end: "at != end",
    };
    delimited::write(pdu, &family, written, out);
}

/// The walk from messages to the values after keys.
trait Walk<'a, 'm: 'a>: Writer<'a, 'm> {
    fn record(&mut self, id: TypeId, node: NodeId, place: &Place);
    fn choice(&mut self, id: TypeId, node: NodeId, place: &Place);
    fn repeated(&mut self, id: TypeId, node: NodeId, place: &Place);
    fn leaf(&mut self, id: TypeId, key: Octets, node: NodeId, place: &Place);

    /// The value after a key.
    fn content(&mut self, id: TypeId, key: Octets, node: NodeId, place: &Place) {
        self.code().out.enter(id);
        self.leaf(id, key, node, place);
        self.code().out.leave();
    }

    /// Fields up to the end of the enclosing value. The caller checks this end.
    fn message(&mut self, id: TypeId, node: NodeId, place: &Place) {
        self.code().out.enter(id);
        self.fields(id, node, place);
        self.code().out.leave();
    }

    fn fields(&mut self, id: TypeId, node: NodeId, place: &Place) {
        match *self.code().layout.node(node) {
            Node::Null => {}
            Node::Fields(FieldNode::Message { .. }) => self.record(id, node, place),
            Node::Fields(FieldNode::Choice { .. }) => self.choice(id, node, place),
            Node::Fields(FieldNode::Wrapped { field }) => self.field(id, field, place),
            _ => self.code().leave_to_interpreter(),
        }
    }

    /// A value after its key.
    fn field(&mut self, id: TypeId, node: NodeId, place: &Place) {
        let code = self.code();
        let id = code.types.canonical(id);
        match *code.layout.node(node) {
            _ if code.types.is_recursive(id) => code.leave_part(id),
            Node::Fields(FieldNode::Single { key, content }) => match Octets::of(key) {
                Some(key) => self.content(id, key, content, place),
                None => code.leave_to_interpreter(),
            },
            Node::Fields(FieldNode::Repeated { .. }) => self.repeated(id, node, place),
            _ => code.leave_to_interpreter(),
        }
    }
}

/// A key's octets, the first in the lowest bits, and how many there are; more than two are rare.
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

    /// As function arguments.
    fn arguments(self) -> String {
        format!("{:#x}, {}", self.word, self.count)
    }
}

/// The most bits of the varint of a number between bounds.
fn bits_of(varints: [u64; 2]) -> u32 {
    varints.into_iter().map(|varint| 64 - varint.leading_zeros()).max().unwrap_or(64).max(1)
}

/// The Rust type in which integers up to `upper` are compared.
fn held(upper: i128) -> &'static str {
    if upper > i64::MAX.into() { "u64" } else { "i64" }
}
