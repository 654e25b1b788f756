//! Straight-line code for JSON text: constants between the values, in the one form that is written.

mod decode;
mod encode;

use std::collections::HashSet;

use roadwire_layout::{JsonNode, Node, NodeId, Span};
use roadwire_model::TypeId;

use crate::Pdu;
use crate::json::decode::DecodeWriter;
use crate::json::encode::EncodeWriter;
use crate::open::Row;
use crate::packed::run::Place;
use crate::source::Source;
use crate::text::{self, Notation, TextCode};

/// Writes the functions of a message, and those of its parts that are not in `written` yet.
pub(crate) fn write(pdu: &Pdu<'_, '_>, written: &mut HashSet<TypeId>, out: &mut Source) {
    let Node::Json(JsonNode::Document { content }) = *pdu.layout.node(pdu.layout.root) else {
        return crate::interpreted(pdu, out);
    };
    let notation = Notation {
        encode: |code, id, node| EncodeWriter { code }.body(id, node),
        decode: |code, id, node| DecodeWriter { code }.body(id, node),
        suffix: String::new(),
    };
    text::write(pdu, content, &notation, written, out);
}

/// What [`JsonNode::BitDigits`] says.
#[derive(Clone, Copy)]
struct Bits {
    fixed: Option<u64>,
    lower: u64,
    upper: u64,
}

/// What encoders and decoders do with each kind of node.
trait Walk<'a, 'm: 'a> {
    fn code(&mut self) -> &mut TextCode<'a, 'm>;
    fn object(&mut self, id: TypeId, node: JsonNode, place: &Place);
    fn choice(&mut self, id: TypeId, alternatives: Span, place: &Place);
    fn list(&mut self, id: TypeId, bounds: (u64, u64), element: NodeId, place: &Place);
    fn truth(&mut self, place: &Place);
    fn number(&mut self, id: TypeId, bounds: (i128, i128), place: &Place);
    fn item(&mut self, id: TypeId, place: &Place);
    fn bits(&mut self, id: TypeId, bits: Bits, place: &Place);
    fn digits(&mut self, id: TypeId, bounds: (u64, u64), place: &Place);
    fn string(&mut self, id: TypeId, bounds: (u64, u64), alphabet: Span, place: &Place);
    /// An open type whose content has this row, and one of these nodes.
    fn selected(&mut self, id: TypeId, row: &Row, nodes: &[u32], place: &Place);

    /// Writes a function's body: from `value` to the writer `w`, or from the reader `r` to `value`.
    fn body(&mut self, id: TypeId, node: NodeId) {
        let id = self.code().types.canonical(id);
        self.structure(id, node, &Place::reference("value"));
        self.code().flush();
    }

    fn value(&mut self, id: TypeId, node: NodeId, place: &Place) {
        let id = self.code().types.canonical(id);
        if !self.code().leaves(id, node, place) {
            self.structure(id, node, place);
        }
    }

    fn structure(&mut self, id: TypeId, node: NodeId, place: &Place) {
        self.code().out.enter(id);
        self.inside(id, node, place);
        self.code().out.leave();
    }

    fn inside(&mut self, id: TypeId, node: NodeId, place: &Place) {
        let json = match *self.code().layout.node(node) {
            Node::Json(json) => json,
            Node::Scope { record, slots } => {
                let code = self.code();
                code.keys.enter(code.layout, slots);
                return self.inside(id, record, place);
            }
            Node::Key { node, .. } => return self.inside(id, node, place),
            _ => return self.code().leave_to_interpreter(),
        };
        match json {
            JsonNode::Selected { slot, rows } if self.code().types.is_open(id) => {
                let code = self.code();
                code.flush();
                let row = code.keys.row(code.types, id, slot, code.out);
                let nodes = code.layout.numbers(rows).to_vec();
                match row {
                    // Objects are read with their keys first, wherever these are.
                    Row::Unknown | Row::Ahead => code.leave_to_interpreter(),
                    row => self.selected(id, &row, &nodes, place),
                }
            }
            JsonNode::Nothing => self.code().text.push_str("null"),
            JsonNode::Truth => self.truth(place),
            JsonNode::Number { lower, upper } => self.number(id, (lower, upper), place),
            JsonNode::Item { .. } => self.item(id, place),
            JsonNode::BitDigits { fixed, lower, upper, .. } => self.bits(id, Bits { fixed, lower, upper }, place),
            JsonNode::Digits { lower, upper } => self.digits(id, (lower, upper), place),
            JsonNode::Quoted { lower, upper, alphabet } => self.string(id, (lower, upper), alphabet, place),
            JsonNode::Array { lower, upper, element } => self.list(id, (lower, upper), element, place),
            JsonNode::Object { .. } => self.object(id, json, place),
            JsonNode::Single { alternatives, .. } => self.choice(id, alternatives, place),
            JsonNode::Document { .. }
            | JsonNode::Float
            | JsonNode::Dotted { .. }
            | JsonNode::OpenDigits
            | JsonNode::Selected { .. } => self.code().leave_to_interpreter(),
        }
    }
}

/// A name as a JSON string; straight-line code only handles names that need no escapes.
fn quoted(name: &str) -> Option<String> {
    let plain = name.chars().all(|character| character.is_ascii_graphic() && !matches!(character, '"' | '\\'));
    plain.then(|| format!("\"{name}\""))
}
