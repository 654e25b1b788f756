//! Prints the functions of the presentation language: an offset in the output, and the rest of the
//! input, are passed by value.

use std::collections::HashSet;

use roadwire_layout::NodeId;
use roadwire_model::TypeId;
use roadwire_plan::{Entry, Planner, Way};

use super::{Cursor, enough_levels, function, print};
use crate::Pdu;
use crate::source::Source;
use crate::tap::Heard;

/// Prints the functions of a message, and those of its parts that are not in `written` yet.
pub(crate) fn write(pdu: &Pdu<'_, '_>, start: NodeId, written: &mut HashSet<TypeId>, out: &mut Source) {
    let (types, root) = (pdu.types, pdu.root);
    let (planner, mut called) = (&mut Planner::new(pdu), Vec::new());
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
    body(pdu, planner, (Way::Encode, Entry::General), (root, start), &mut called, out, "Ok(at)");
    out.end_function();
    if pdu.is_told() {
        out.begin_function("", decode, &pdu.decoder(Heard::TAP));
        out.line("let message = input;");
    } else {
        pdu.begin_decode("", out);
    }
    out.line(levels);
    out.line("let mut r = input;");
    let end = "Ok((input.len() - r.len()) * 8)";
    body(pdu, planner, (Way::Decode, Entry::General), (root, start), &mut called, out, end);
    out.end_function();
    while let Some((id, node)) = called.pop() {
        if written.insert(id) {
            part(pdu, planner, (id, node), &mut called, out);
        }
    }
}

/// The functions of a part.
fn part<'a, 'm: 'a>(
    pdu: &Pdu<'_, '_>,
    planner: &mut Planner<'a, 'm>,
    (id, node): (TypeId, NodeId),
    called: &mut Vec<(TypeId, NodeId)>,
    out: &mut Source,
) {
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
    body(pdu, planner, (Way::Encode, Entry::Part), (id, node), called, out, "Ok(at)");
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
    body(pdu, planner, (Way::Decode, Entry::Part), (id, node), called, out, "Ok(r)");
    out.end_function();
}

/// A function's body, and its last line.
fn body<'a, 'm: 'a>(
    pdu: &Pdu<'_, '_>,
    planner: &mut Planner<'a, 'm>,
    (way, entry): (Way, Entry),
    of: (TypeId, NodeId),
    called: &mut Vec<(TypeId, NodeId)>,
    out: &mut Source,
    end: &str,
) {
    let plan = planner.function(way, entry, of);
    print(pdu.types, way, Cursor::Rest, &plan.block, out);
    if !plan.is_left() {
        out.line(end);
    }
    out.record(plan.given_up);
    called.extend(plan.called);
}
