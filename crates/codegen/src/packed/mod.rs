//! Straight-line code for encodings that are bits and octets at places known beforehand, or told by what is in front: the packed and the octet encoding rules.

mod choice;
mod decode;
mod decode_events;
mod decode_octets;
mod decode_presentation;
pub(crate) mod determinant;
mod encode;
mod encode_events;
mod encode_octets;
mod encode_presentation;
mod events;
mod phase;
pub(crate) mod run;

use std::collections::HashSet;

use roadwire_layout::{Lengths, Node, Properties};
use roadwire_model::TypeId;

use crate::Pdu;
use crate::packed::decode::DecodeWriter;
use crate::packed::encode::EncodeWriter;
use crate::source::Source;
use crate::types::Repr;

/// Writes the functions of a message, and those of its parts that are not in `written` yet.
pub(crate) fn write(pdu: &Pdu<'_, '_>, written: &mut HashSet<TypeId>, out: &mut Source) {
    let (types, layout, root, name) = (pdu.types, &pdu.layout, pdu.root, pdu.name);
    let functions = pdu.functions();
    let octets = Properties::of(layout).octets;
    // Where parts follow each other by what is in them, values have no plain form that is common.
    let has_plain = !layout.nodes.iter().any(|node| matches!(node, Node::Presentation(_)));
    let either = |call: &str| match has_plain {
        true => format!(
            "{functions}_{call}_plain(value, {0}).or_else(|_| {functions}_{call}_general(value, {0}))",
            put(call)
        ),
        false => format!("{functions}_{call}_general(value, {})", put(call)),
    };
    out.line("");
    out.line("#[inline]");
    pdu.begin_encode(out);
    out.line(either("encode"));
    out.line("}");
    out.line("");
    out.line("#[inline]");
    pdu.begin_decode(out);
    out.line(either("decode"));
    out.line("}");
    let mut called = Vec::new();
    for (suffix, inline) in [("_plain", "#[inline(always)]"), ("_general", "#[inline(never)]")] {
        let plain = suffix == "_plain";
        if plain && !has_plain {
            continue;
        }
        out.line("");
        out.line(inline);
        out.line(format!(
            "fn {functions}_encode{suffix}(value: &{name}, output: &mut [u8]) -> Result<usize, wire::Rejected> {{"
        ));
        if plain {
            // Once, instead of at each word; what does not fit is left to the general code.
            out.line(format!("if output.len() < {} {{", octets.fewest + 8));
            out.line("return Err(wire::Rejected);");
            out.line("}");
        }
        if types.reaches_recursion(root) {
            out.line("let levels = engine::Limits::DEPTH;");
        }
        out.line("let mut w = wire::Writer::new(output);");
        let mut encoder = EncodeWriter::new(types, layout, out, Some(0));
        match (plain, types.is_recursive(root)) {
            (true, _) => encoder.plain_body(root, layout.root),
            (false, false) => encoder.body(root, layout.root),
            (false, true) => encoder.call_body(root, layout.root),
        }
        called.append(&mut encoder.called);
        out.line(match layout.lengths {
            Lengths::Definite | Lengths::Varint => "w.finish_octets()",
            Lengths::Fragmented | Lengths::Aligned => "w.finish()",
        });
        out.line("}");
        out.line("");
        out.line(inline);
        out.line(format!(
            "fn {functions}_decode{suffix}(value: &mut {name}, input: &[u8]) -> Result<usize, wire::Rejected> {{"
        ));
        if types.reaches_recursion(root) {
            out.line("let levels = engine::Limits::DEPTH;");
        }
        out.line("let mut r = wire::Reader::new(input);");
        let mut decoder = DecodeWriter::new(types, layout, out, Some(octets.fewest));
        match (plain, types.is_recursive(root)) {
            (true, _) => decoder.plain_body(root, layout.root),
            (false, false) => decoder.body(root, layout.root),
            (false, true) => decoder.call_body(root, layout.root),
        }
        called.append(&mut decoder.called);
        out.line("Ok(r.position())");
        out.line("}");
    }
    while let Some((id, node)) = called.pop() {
        if !written.insert(id) {
            continue;
        }
        let (Repr::Struct(name) | Repr::Choice(name)) = types.repr(id) else { continue };
        let (implemented, encode, decode, levels) = match types.reaches_recursion(id) {
            true => ("Nested", "encode_nested", "decode_nested", ", levels: u32"),
            false => ("Codec", "encode_to", "decode_from", ""),
        };
        // What is around has left room for all others.
        let enough = |out: &mut Source| {
            if types.is_recursive(id) {
                out.line(format!("if levels < {} {{", types.levels(id)));
                out.line("return Err(wire::Rejected);");
                out.line("}");
            }
        };
        out.line("");
        out.line(format!("impl engine::{implemented}<Rules> for {name} {{"));
        out.line(format!("fn {encode}(&self, writer: &mut wire::Writer<'_>{levels}) -> Result<(), wire::Rejected> {{"));
        enough(out);
        out.line("let value = self;");
        out.line("let mut w = core::mem::take(writer);");
        let mut encoder = EncodeWriter::new(types, layout, out, None);
        encoder.body(id, node);
        called.append(&mut encoder.called);
        out.line("*writer = w;");
        out.line("Ok(())");
        out.line("}");
        out.line("");
        out.line(format!(
            "fn {decode}(&mut self, reader: &mut wire::Reader<'_>{levels}) -> Result<(), wire::Rejected> {{"
        ));
        enough(out);
        out.line("let value = self;");
        out.line("let mut r = *reader;");
        let mut decoder = DecodeWriter::new(types, layout, out, None);
        decoder.body(id, node);
        called.append(&mut decoder.called);
        out.line("*reader = r;");
        out.line("Ok(())");
        out.line("}");
        out.line("}");
    }
}

/// What a function of the message works on beside the value.
fn put(call: &str) -> &'static str {
    if call == "encode" { "output" } else { "input" }
}
