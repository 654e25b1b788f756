//! Straight-line code for JSON text: constants between the values, in the one form that is written.

mod decode;
mod encode;

use std::collections::HashSet;

use roadwire_layout::{JsonNode, Node};
use roadwire_model::{Component, Presence as ModelPresence, TypeId};

use crate::Pdu;
use crate::data::constant;
use crate::json::decode::DecodeWriter;
use crate::json::encode::EncodeWriter;
use crate::names::snake;
use crate::source::Source;
use crate::types::{Repr, Types};

/// Writes the functions of a message, and those of its parts that are not in `written` yet.
pub(crate) fn write(pdu: &Pdu<'_, '_>, written: &mut HashSet<TypeId>, out: &mut Source) {
    let (types, layout, root, name) = (pdu.types, &pdu.layout, pdu.root, pdu.name);
    let Node::Json(JsonNode::Document { content }) = *layout.node(layout.root) else {
        return crate::interpreted(pdu, out);
    };
    let functions = pdu.functions();
    let mut called = Vec::new();
    out.line("");
    out.line(format!("fn {functions}_encode(value: &{name}, output: &mut [u8]) -> Result<usize, wire::Rejected> {{"));
    out.line("let mut w = wire::json::TextWriter::new(output);");
    let mut encoder = EncodeWriter::new(types, layout, out);
    encoder.body(root, content);
    called.append(&mut encoder.called);
    out.line("Ok(w.position())");
    out.line("}");
    out.line("");
    out.line(format!("fn {functions}_decode(value: &mut {name}, input: &[u8]) -> Result<usize, wire::Rejected> {{"));
    out.line("let mut r = wire::json::TextReader::new(input);");
    let mut decoder = DecodeWriter::new(types, layout, out);
    decoder.body(root, content);
    called.append(&mut decoder.called);
    out.line("r.finish()");
    out.line("}");
    while let Some((id, node)) = called.pop() {
        if !written.insert(id) {
            continue;
        }
        let (Repr::Struct(name) | Repr::Choice(name)) = types.repr(id) else { continue };
        let function = part_function(name);
        out.line("");
        out.line(format!(
            "fn encode_{function}(value: &{name}, writer: &mut wire::json::TextWriter<'_>) -> Result<(), wire::Rejected> {{"
        ));
        out.line("let mut w = core::mem::take(writer);");
        let mut encoder = EncodeWriter::new(types, layout, out);
        encoder.body(id, node);
        called.append(&mut encoder.called);
        out.line("*writer = w;");
        out.line("Ok(())");
        out.line("}");
        out.line("");
        out.line(format!(
            "fn decode_{function}(value: &mut {name}, reader: &mut wire::json::TextReader<'_>) -> Result<(), wire::Rejected> {{"
        ));
        out.line("let mut r = *reader;");
        let mut decoder = DecodeWriter::new(types, layout, out);
        decoder.body(id, node);
        called.append(&mut decoder.called);
        out.line("*reader = r;");
        out.line("Ok(())");
        out.line("}");
    }
}

/// What the names of a part's functions end with.
fn part_function(rust: &str) -> String {
    snake(rust)
}

/// Whether a component is sent, as an expression.
fn sent(types: &Types<'_>, component: &Component, field: &str) -> String {
    match &component.presence {
        ModelPresence::Default(value) => {
            let default = constant(types, component.type_id, value);
            // Minus zero is a value of its own (X.690 §8.5.9), and a NaN is itself.
            let bits = if *types.repr(component.type_id) == Repr::Real { ".to_bits()" } else { "" };
            format!("({field}{bits} != {default}{bits})")
        }
        _ => format!("{field}.is_some()"),
    }
}

/// Text as the source of a constant of octets.
fn octets_literal(text: &str) -> String {
    format!("b\"{}\"", text.escape_default())
}

/// A name as a JSON string; only what needs no escape is ever asked for by straight-line code.
fn quoted(name: &str) -> Option<String> {
    let plain = name.chars().all(|character| character.is_ascii_graphic() && !matches!(character, '"' | '\\'));
    plain.then(|| format!("\"{name}\""))
}
