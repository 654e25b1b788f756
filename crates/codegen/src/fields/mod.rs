//! Straight-line code for values behind field numbers. What its encoders write, its decoders read: fields in the order of their numbers, each once; other forms are the interpreter's.

mod decode;
mod encode;

use std::collections::HashSet;

use roadwire_layout::{FieldNode, Key, Layout, Node, NodeId, Span};
use roadwire_model::TypeId;
use roadwire_wire::varint;

use crate::Pdu;
use crate::fields::decode::DecodeWriter;
use crate::fields::encode::EncodeWriter;
use crate::octets::{self, Family, Writer};
use crate::packed::run::Place;
use crate::source::Source;

/// Writes the functions of a message, and those of its parts that are not in `written` yet.
pub(crate) fn write(pdu: &Pdu<'_, '_>, written: &mut HashSet<TypeId>, out: &mut Source) {
    let family = Family {
        encode: |code, id, node| EncodeWriter { code }.body(id, node),
        decode: |code, id, node| DecodeWriter { code }.body(id, node),
        wrong_end: "at != end",
    };
    octets::write(pdu, &family, written, out);
}

/// The walk from messages to what is behind a key.
trait Walk<'a, 'm: 'a>: Writer<'a, 'm> {
    fn record(&mut self, id: TypeId, node: NodeId, place: &Place);
    fn choice(&mut self, id: TypeId, node: NodeId, place: &Place);
    fn repeated(&mut self, id: TypeId, node: NodeId, place: &Place);
    fn leaf(&mut self, id: TypeId, key: Octets, node: NodeId, place: &Place);

    /// What is behind a key.
    fn content(&mut self, id: TypeId, key: Octets, node: NodeId, place: &Place) {
        self.code().out.enter(id);
        self.leaf(id, key, node, place);
        self.code().out.leave();
    }

    /// Fields up to the end of what they are in. Whether they are there is for the caller to check.
    fn message(&mut self, id: TypeId, node: NodeId, place: &Place) {
        self.code().out.enter(id);
        self.fields(id, node, place);
        self.code().out.leave();
    }

    fn fields(&mut self, id: TypeId, node: NodeId, place: &Place) {
        match *self.code().layout.node(node) {
            Node::Null => {}
            Node::Keyed(FieldNode::Message { .. }) => self.record(id, node, place),
            Node::Keyed(FieldNode::Choice { .. }) => self.choice(id, node, place),
            Node::Keyed(FieldNode::Wrapped { field }) => self.field(id, field, place),
            _ => self.code().leave_to_interpreter(),
        }
    }

    /// A value behind its key.
    fn field(&mut self, id: TypeId, node: NodeId, place: &Place) {
        let code = self.code();
        let id = code.types.canonical(id);
        match *code.layout.node(node) {
            _ if code.types.is_recursive(id) => code.leave_part(id),
            Node::Keyed(FieldNode::Single { key, content }) => match Octets::of(key) {
                Some(key) => self.content(id, key, content, place),
                None => code.leave_to_interpreter(),
            },
            Node::Keyed(FieldNode::Repeated { .. }) => self.repeated(id, node, place),
            _ => code.leave_to_interpreter(),
        }
    }
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
