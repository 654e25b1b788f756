//! Straight-line code for encodings whose fields are at places known in advance, or determined by earlier fields: the packed and the octet encoding rules.

pub(crate) mod choice;
pub(crate) mod decode;
pub(crate) mod determinant;
pub(crate) mod encode;
mod open;
pub(crate) mod phase;
pub(crate) mod read_item;
pub(crate) mod read_run;
pub(crate) mod run;

use std::collections::HashSet;

use roadwire_layout::{Count, Extent, Family, Layout, LengthForm, Node, NodeId};
use roadwire_model::TypeId;

use crate::Pdu;
use crate::packed::decode::DecodeWriter;
use crate::packed::encode::EncodeWriter;
use crate::source::Source;
use crate::types::Types;
use crate::types::taps::Heard;

/// Writes the functions of a message, and those of its parts that are not in `written` yet.
pub(crate) fn write(pdu: &Pdu<'_, '_>, written: &mut HashSet<TypeId>, out: &mut Source) {
    let (types, layout, root) = (pdu.types, &pdu.layout, pdu.root);
    let functions = pdu.functions();
    let octets = pdu.properties.octets;
    let is_told = pdu.is_told();
    let either = |call: &str| {
        let (put, general) = match is_told {
            true => (put(call), format!("{functions}_{call}_tapped(value, {}, &mut ())", put(call))),
            false => (put(call), format!("{functions}_{call}_general(value, {})", put(call))),
        };
        if !pdu.has_plain {
            return general;
        }
        format!("{functions}_{call}_plain(value, {put}).or_else(|_| {general})")
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
    let is_octet = encode::is_octet(layout);
    let mut called = Vec::new();
    let general = if is_told { "_tapped" } else { "_general" };
    for (suffix, inline) in [("_plain", "#[inline(always)]"), (general, "#[inline(never)]")] {
        let plain = suffix == "_plain";
        if plain && !pdu.has_plain {
            continue;
        }
        let tap = if plain || !is_told { Heard::NOBODY } else { Heard::TAP };
        out.line("");
        out.line(inline);
        out.line(format!("{}{} {{", tap.visible, pdu.encoder(&format!("{functions}_encode{suffix}"), tap)));
        if plain {
            // One check, instead of one for each word; a smaller output is left to the general code.
            out.line(format!("if output.len() < {} {{", octets.fewest + 8));
            out.line("return Err(wire::Rejected);");
            out.line("}");
        }
        if types.reaches_recursion(root) {
            out.line("let levels = engine::Limits::DEPTH;");
        }
        out.line("let mut w = wire::Writer::new(output);");
        let mut encoder = EncodeWriter::new(pdu, out, Some(0), tap.is_tap());
        match (plain, types.is_recursive(root)) {
            (true, _) => encoder.plain_body(root, layout.root),
            (false, false) => encoder.body(root, layout.root),
            (false, true) => encoder.call_body(root, layout.root),
        }
        called.append(&mut encoder.called);
        out.line(if layout.least_octets() == 0 { "w.finish_octets()" } else { "w.finish()" });
        out.line("}");
        out.line("");
        out.line(inline);
        out.line(format!("{}{} {{", tap.visible, pdu.decoder(&format!("{functions}_decode{suffix}"), tap)));
        if types.reaches_recursion(root) {
            out.line("let levels = engine::Limits::DEPTH;");
        }
        out.line(format!("let mut r = wire::{}::new(input);", if is_octet { "rt::OctetReader" } else { "Reader" }));
        let mut decoder = DecodeWriter::new(pdu, out, Some(octets.fewest), tap.is_tap());
        match (plain, types.is_recursive(root)) {
            (true, _) => decoder.plain_body(root, layout.root),
            (false, false) => decoder.body(root, layout.root),
            (false, true) => decoder.call_body(root, layout.root),
        }
        called.append(&mut decoder.called);
        out.line(if is_octet { "Ok(r.position_in(input))" } else { "Ok(r.position())" });
        out.line("}");
    }
    while let Some((id, node)) = called.pop() {
        if !written.insert(id) {
            continue;
        }
        out.is_message = false;
        let name = types.repr(id).name();
        let levels = if types.reaches_recursion(id) { ", levels: u32" } else { "" };
        let tap = if is_told && types.leads_to_tap(id) { Heard::TAP } else { Heard::NOBODY };
        // Enclosing types have left room for all other levels.
        let enough = |out: &mut Source| {
            if types.is_recursive(id) {
                out.line(format!("if levels < {} {{", types.levels(id)));
                out.line("return Err(wire::Rejected);");
                out.line("}");
            }
        };
        out.line("");
        let function = part_function(types, id, "encode");
        out.line(format!(
            "fn {function}{}(value: &{}, writer: &mut wire::Writer<'_>{levels}{}) -> Result<(), wire::Rejected> {{",
            tap.generic(None),
            types.with_lifetime(name, id, "'_"),
            tap.parameter
        ));
        enough(out);
        out.line("let mut w = core::mem::take(writer);");
        let mut encoder = EncodeWriter::new(pdu, out, None, tap.is_tap());
        encoder.body(id, node);
        called.append(&mut encoder.called);
        out.line("*writer = w;");
        out.line("Ok(())");
        out.line("}");
        out.line("");
        let function = part_function(types, id, "decode");
        // Two words are passed in registers.
        let (reader, back) = match is_octet {
            true => ("mut r: wire::rt::OctetReader<'a>", "wire::rt::OctetReader<'a>"),
            false => ("reader: &mut wire::Reader<'a>", "()"),
        };
        let input = if is_octet && tap.is_tap() { ", input: &[u8]" } else { "" };
        out.line(format!(
            "fn {function}{}(value: &mut {}, {reader}{levels}{input}{}) -> Result<{back}, wire::Rejected> {{",
            tap.generic(Some("'a")),
            types.with_lifetime(name, id, "'a"),
            tap.parameter
        ));
        enough(out);
        if !is_octet {
            out.line("let mut r = *reader;");
        }
        let mut decoder = DecodeWriter::new(pdu, out, None, tap.is_tap());
        decoder.body(id, node);
        called.append(&mut decoder.called);
        if is_octet {
            out.line("Ok(r)");
        } else {
            out.line("*reader = r;");
            out.line("Ok(())");
        }
        out.line("}");
    }
}

/// The function of a part of a message.
fn part_function(types: &Types<'_>, id: TypeId, call: &str) -> String {
    format!("{call}_{}", types.repr(id).name())
}

/// The other argument of a function, besides the value.
fn put(call: &str) -> &'static str {
    if call == "encode" { "output" } else { "input" }
}

/// The octets of an open type, which generated types hold of it, or of an object identifier.
fn any_octets(layout: &Layout, node: NodeId) -> Option<Extent> {
    let aligned = layout.length_form == LengthForm::Aligned;
    // What has no octets in itself takes one in an open type.
    let lower = if matches!(layout.node(node), Node::Oid { .. }) { 0 } else { layout.least_octets() };
    let extent = Extent { lower, upper: u64::MAX, count: Count::Determinant, extensible: false, aligned };
    has_octets(layout).then_some(extent)
}

/// Whether open types are octets after their length. In EXI they are elements.
fn has_octets(layout: &Layout) -> bool {
    matches!(layout.rules.family(), Family::Packed | Family::Octet)
}
