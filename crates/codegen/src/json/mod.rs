//! Straight-line code for JSON text: constants between the values, in the one form that is written.

mod decode;
mod encode;

use std::collections::HashSet;

use roadwire_layout::{JsonNode, Node};
use roadwire_model::TypeId;

use crate::Pdu;
use crate::json::decode::DecodeWriter;
use crate::json::encode::EncodeWriter;
use crate::source::Source;
use crate::text::{self, Notation};

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

/// A name as a JSON string; only what needs no escape is ever asked for by straight-line code.
fn quoted(name: &str) -> Option<String> {
    let plain = name.chars().all(|character| character.is_ascii_graphic() && !matches!(character, '"' | '\\'));
    plain.then(|| format!("\"{name}\""))
}
