//! Prints the functions of families that move octet by octet, with a position `at` in `output`, or
//! in `input` up to `end`.

use std::collections::HashSet;

use roadwire_layout::NodeId;
use roadwire_model::TypeId;

use super::{Cursor, enough_levels, function, print};
use crate::Pdu;
use crate::pass::words::{self, Words};
use crate::plan::{Cbor, Draft, Fields, Prim, Stmt, Tlv, Way};
use crate::source::Source;
use crate::walk::{cbor, fields, tlv};

/// A family: how the body of a function is planned.
struct Family {
    body: fn(&mut Draft<'_, '_>, TypeId, NodeId),
    /// How encoders write words.
    words: Words,
    /// The condition under which a message does not end correctly.
    wrong_end: &'static str,
    /// How many levels types may nest: all that values may, or half of them where a type may take
    /// two levels.
    levels: &'static str,
}

const ALL_LEVELS: &str = "engine::Limits::DEPTH";
const HALF: &str = "engine::Limits::DEPTH / 2";

/// Prints the functions of a message in BER, DER or CER, and those of its parts that are not in
/// `written` yet.
pub(crate) fn write_tlv(pdu: &Pdu<'_, '_>, written: &mut HashSet<TypeId>, out: &mut Source) {
    let words = Words { by: Prim::Tlv(Tlv::PutWord), is_little: false, before_alternatives: 0 };
    write(pdu, &Family { body: tlv::body, words, wrong_end: "at > end", levels: ALL_LEVELS }, written, out);
}

/// The same in Protocol Buffers. A list may be in a message of its own.
pub(crate) fn write_fields(pdu: &Pdu<'_, '_>, written: &mut HashSet<TypeId>, out: &mut Source) {
    let words = Words { by: Prim::Fields(Fields::PutWord), is_little: true, before_alternatives: 0 };
    write(pdu, &Family { body: fields::body, words, wrong_end: "at != end", levels: HALF }, written, out);
}

/// The same in CBOR. The head of a number is one word with the constant octets before it. An
/// addition group is a map in a map.
pub(crate) fn write_cbor(pdu: &Pdu<'_, '_>, written: &mut HashSet<TypeId>, out: &mut Source) {
    let words = Words { by: Prim::Cbor(Cbor::PutWord), is_little: false, before_alternatives: 16 };
    write(pdu, &Family { body: cbor::body, words, wrong_end: "at > end", levels: HALF }, written, out);
}

fn write(pdu: &Pdu<'_, '_>, family: &Family, written: &mut HashSet<TypeId>, out: &mut Source) {
    let (types, root) = (pdu.types, pdu.root);
    let mut called = Vec::new();
    let body = |way, id, node, is_message, out: &mut Source| {
        let mut draft = Draft::new(pdu, way, is_message);
        (family.body)(&mut draft, id, node);
        let block = match way {
            Way::Encode => words::written(draft.take(), family.words),
            Way::Decode => words::read(draft.take()),
        };
        print(types, way, Cursor::Octets, &block, out);
        out.record(draft.given_up);
        (draft.called, block.last() != Some(&Stmt::GiveUp))
    };
    // Recursive types check their own levels.
    let levels = |out: &mut Source| {
        if types.reaches_recursion(root) {
            out.line(format!("let levels = {};", family.levels));
            if !types.is_recursive(root) {
                out.refuse_if(&format!("levels < {}", types.levels(root)));
            }
        }
    };
    pdu.begin_encode("", out);
    levels(out);
    out.line("let mut at = 0usize;");
    let (more, has_end) = body(Way::Encode, root, pdu.layout.root, true, out);
    called.extend(more);
    if has_end {
        out.line("Ok(at)");
    }
    out.end_function();
    pdu.begin_decode("", out);
    levels(out);
    out.line("let (mut at, end) = (0usize, input.len());");
    let (more, has_end) = body(Way::Decode, root, pdu.layout.root, true, out);
    called.extend(more);
    if has_end {
        out.refuse_if(family.wrong_end);
        out.line("Ok(at * 8)");
    }
    out.end_function();
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
            let (more, has_end) = body(way, id, node, false, out);
            called.extend(more);
            if has_end {
                out.line("Ok(at)");
            }
            out.end_function();
        }
    }
}
