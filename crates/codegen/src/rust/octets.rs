//! Prints the functions of families that move octet by octet, with a position `at` in `output`, or
//! in `input` up to `end`.

use std::collections::HashSet;

use roadwire_layout::{Family, NodeId};
use roadwire_model::TypeId;
use roadwire_plan::{Entry, Planner, Way};

use super::{Cursor, enough_levels, function, print};
use crate::Pdu;
use crate::source::Source;

/// How many levels types may nest: all that values may, or half of them where a type may take two
/// levels.
const ALL_LEVELS: &str = "engine::Limits::DEPTH";
const HALF: &str = "engine::Limits::DEPTH / 2";

/// Prints the functions of a message, and those of its parts that are not in `written` yet.
pub(crate) fn write(pdu: &Pdu<'_, '_>, start: NodeId, written: &mut HashSet<TypeId>, out: &mut Source) {
    let (types, root) = (pdu.types, pdu.root);
    let (wrong_end, most_levels) = match pdu.layout.rules.family() {
        // A list may be in a message of its own.
        Family::Fields => ("at != end", HALF),
        // An addition group is a map in a map.
        Family::Cbor => ("at > end", HALF),
        Family::Tlv
        | Family::Packed
        | Family::Octet
        | Family::Events
        | Family::Xml
        | Family::Json
        | Family::Vectors => ("at > end", ALL_LEVELS),
    };
    let mut planner = Planner::new(pdu);
    let mut called = Vec::new();
    // Prints a body, and the line after it.
    let mut body = |way, entry, of, end: &[&str], called: &mut Vec<_>, out: &mut Source| {
        let plan = planner.function(way, entry, of);
        print(types, way, Cursor::Octets, &plan.block, out);
        if !plan.is_left() {
            end.iter().for_each(|line| out.line(line));
        }
        out.record(plan.given_up);
        called.extend(plan.called);
        out.end_function();
    };
    // Recursive types check their own levels.
    let levels = |out: &mut Source| {
        if types.reaches_recursion(root) {
            out.line(format!("let levels = {most_levels};"));
            if !types.is_recursive(root) {
                out.refuse_if(&format!("levels < {}", types.levels(root)));
            }
        }
    };
    pdu.begin_encode("", out);
    levels(out);
    out.line("let mut at = 0usize;");
    body(Way::Encode, Entry::General, (root, start), &["Ok(at)"], &mut called, out);
    pdu.begin_decode("", out);
    levels(out);
    out.line("let (mut at, end) = (0usize, input.len());");
    let wrong_end = format!("if {wrong_end} {{");
    let end = [wrong_end.as_str(), "return Err(wire::Rejected);", "}", "Ok(at * 8)"];
    body(Way::Decode, Entry::General, (root, start), &end, &mut called, out);
    while let Some((id, node)) = called.pop() {
        if !written.insert(id) {
            continue;
        }
        let name = types.name(id);
        let (function, levels) = (function(types, id), if types.reaches_recursion(id) { ", levels: u32" } else { "" });
        let parts = [
            (Way::Encode, "encode", format!("(value: &{name}, output: &mut [u8], at: usize{levels})")),
            (Way::Decode, "decode", format!("(value: &mut {name}, input: &[u8], at: usize, end: usize{levels})")),
        ];
        for (way, prefix, parameters) in parts {
            let signature = format!("{parameters} -> Result<usize, wire::Rejected>");
            out.begin_function("", format!("{prefix}_{function}"), &signature);
            enough_levels(types, id, out);
            out.line("let mut at = at;");
            body(way, Entry::Part, (id, node), &["Ok(at)"], &mut called, out);
        }
    }
}
