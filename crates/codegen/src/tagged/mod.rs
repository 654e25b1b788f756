//! Straight-line code for encodings by tag, length and contents (X.690). What its encoders write, its decoders read; other forms of the basic encoding rules are the interpreter's.

mod decode;
mod encode;

use std::collections::HashSet;

use roadwire_layout::contents::item_values;
use roadwire_layout::{Layout, Rules, Span};
use roadwire_model::TypeId;
use roadwire_wire::tlv::{self, Identifier};

use crate::Pdu;
use crate::names::snake;
use crate::source::Source;
use crate::tagged::decode::DecodeWriter;
use crate::tagged::encode::EncodeWriter;
use crate::types::{Repr, Types};

/// Writes the functions of a message, and those of its parts that are not in `written` yet.
pub(crate) fn write(pdu: &Pdu<'_, '_>, written: &mut HashSet<TypeId>, out: &mut Source) {
    let (types, layout, root, name) = (pdu.types, &pdu.layout, pdu.root, pdu.name);
    let functions = pdu.functions();
    let indefinite = layout.rules == Rules::Cer;
    let mut called = Vec::new();
    out.line("");
    out.line(format!(
        "pub(super) fn {functions}_encode(value: &{name}, output: &mut [u8]) -> Result<usize, wire::Rejected> {{"
    ));
    out.line("let mut at = 0usize;");
    let mut encoder = EncodeWriter::new(types, layout, out);
    encoder.body(root, layout.root);
    called.append(&mut encoder.called);
    out.line("Ok(at)");
    out.line("}");
    out.line("");
    out.line(format!(
        "pub(super) fn {functions}_decode(value: &mut {name}, input: &[u8]) -> Result<usize, wire::Rejected> {{"
    ));
    out.line("let (mut at, end) = (0usize, input.len());");
    let mut decoder = DecodeWriter::new(types, layout, out, indefinite);
    decoder.body(root, layout.root);
    called.append(&mut decoder.called);
    out.line("if at > end {");
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
        let mut decoder = DecodeWriter::new(types, layout, out, indefinite);
        decoder.body(id, node);
        called.append(&mut decoder.called);
        out.line("Ok(at)");
        out.line("}");
    }
}

/// The name of the function that encodes or decodes the contents of a type.
fn function(types: &Types<'_>, id: TypeId, what: &str) -> String {
    format!("{what}_{}", snake(&types.rust_structure(id)))
}

/// The one octet of an identifier; those of more are rare.
fn identifier_octet(identifier: Identifier) -> Option<u8> {
    match tlv::identifier_octets(identifier).as_slice() {
        [octet] => Some(*octet),
        _ => None,
    }
}

/// How many octets a number takes.
fn octets_of(number: i64) -> usize {
    roadwire_wire::TwosComplement::signed(number.into()).octets().len()
}

/// An enumeration's numbers, ascending, with the ordinals of their items.
fn item_numbers(layout: &Layout, values: Span) -> Vec<(i64, u32)> {
    item_values(layout, values).collect()
}

/// Whether a number of type `i64` is outside bounds, as an expression.
fn outside(number: &str, lower: i64, upper: i64) -> String {
    match (lower, upper) {
        (i64::MIN, i64::MAX) => "false".into(),
        (i64::MIN, _) => format!("{number} > {upper}"),
        (_, i64::MAX) => format!("{number} < {lower}i64"),
        _ => format!("{number} < {lower}i64 || {number} > {upper}i64"),
    }
}
