//! Prints the functions of the presentation language: an offset in the output, and the rest of the
//! input, are passed by value.

use std::collections::HashSet;

use roadwire_layout::NodeId;
use roadwire_model::TypeId;

use super::{Cursor, enough_levels, function, print};
use crate::Pdu;
use crate::pass::heads;
use crate::plan::{Draft, Stmt, Way};
use crate::source::Source;
use crate::tap::Heard;
use crate::walk::vectors;

/// Prints the functions of a message, and those of its parts that are not in `written` yet.
pub(crate) fn write(pdu: &Pdu<'_, '_>, written: &mut HashSet<TypeId>, out: &mut Source) {
    let (types, root, node) = (pdu.types, pdu.root, pdu.layout.root);
    let mut called = Vec::new();
    let levels = if types.reaches_recursion(root) { "let levels = engine::Limits::DEPTH;" } else { "" };
    let [encode, decode] = ["encode", "decode"].map(|way| format!("{}_{way}_tapped", pdu.functions()));
    pdu.begin_encode("", out);
    if pdu.is_told() {
        out.line(format!("{encode}(value, output, &mut ())"));
        out.calls(encode.clone());
        out.end_function();
        pdu.begin_decode("", out);
        out.line(format!("{decode}(value, input, &mut ())"));
        out.calls(decode.clone());
        out.end_function();
        out.begin_function("", encode, &pdu.encoder(Heard::TAP));
    }
    out.line(levels);
    out.line("let mut at = 0usize;");
    body(pdu, Way::Encode, (root, node), true, &mut called, out, "Ok(at)");
    out.end_function();
    if pdu.is_told() {
        out.begin_function("", decode, &pdu.decoder(Heard::TAP));
        out.line("let message = input;");
    } else {
        pdu.begin_decode("", out);
    }
    out.line(levels);
    out.line("let mut r = input;");
    body(pdu, Way::Decode, (root, node), true, &mut called, out, "Ok((input.len() - r.len()) * 8)");
    out.end_function();
    while let Some((id, node)) = called.pop() {
        if written.insert(id) {
            part(pdu, id, node, &mut called, out);
        }
    }
}

/// The functions of a part.
fn part(pdu: &Pdu<'_, '_>, id: TypeId, node: NodeId, called: &mut Vec<(TypeId, NodeId)>, out: &mut Source) {
    let types = pdu.types;
    let (name, function) = (types.name(id), function(types, id));
    let levels = if types.reaches_recursion(id) { ", levels: u32" } else { "" };
    let tap = if pdu.is_told() && types.leads_to_tap(id) { Heard::TAP } else { Heard::NOBODY };
    let signature = format!(
        "{}(value: &{}, output: &mut [u8], at: usize{levels}{}) -> Result<usize, wire::Rejected>",
        tap.generic(None),
        types.with_lifetime(name, id, "'_"),
        tap.parameter
    );
    out.begin_function("", format!("encode_{function}"), &signature);
    enough_levels(types, id, out);
    out.line("let mut at = at;");
    body(pdu, Way::Encode, (id, node), false, called, out, "Ok(at)");
    out.end_function();
    let message = if tap.is_tap() { ", message: &[u8]" } else { "" };
    let signature = format!(
        "{}(value: &mut {}, input: &'a [u8]{levels}{message}{}) -> Result<&'a [u8], wire::Rejected>",
        tap.generic(Some("'a")),
        types.with_lifetime(name, id, "'a"),
        tap.parameter
    );
    out.begin_function("", format!("decode_{function}"), &signature);
    enough_levels(types, id, out);
    out.line("let mut r = input;");
    body(pdu, Way::Decode, (id, node), false, called, out, "Ok(r)");
    out.end_function();
}

/// A function's body, and its last line.
fn body(
    pdu: &Pdu<'_, '_>,
    way: Way,
    (id, node): (TypeId, NodeId),
    is_message: bool,
    called: &mut Vec<(TypeId, NodeId)>,
    out: &mut Source,
    end: &str,
) {
    let mut draft = Draft::new(pdu, way, is_message);
    match is_message {
        true => vectors::message(&mut draft, id, node),
        false => vectors::body(&mut draft, id, node),
    }
    let block = match way {
        Way::Encode => heads::written(draft.take()),
        Way::Decode => heads::read(draft.take()),
    };
    print(pdu.types, way, Cursor::Rest, &block, out);
    out.record(draft.given_up);
    called.extend(draft.called);
    if block.last() != Some(&Stmt::GiveUp) {
        out.line(end);
    }
}
