//! Prints the functions of families that move octet by octet, with a position `at` in `output`, or
//! in `input` up to `end`.

use std::collections::HashSet;

use roadwire_layout::{Family, NodeId};
use roadwire_model::TypeId;
use roadwire_plan::{Entry, Way};

use super::Cursor;
use super::functions::Functions;
use crate::Pdu;
use crate::source::Source;

/// How many levels types may nest: all that values may, or half of them where a type may take two
/// levels.
const ALL_LEVELS: &str = "engine::Limits::DEPTH";
const HALF: &str = "engine::Limits::DEPTH / 2";

/// Prints the functions of a message, and those of its parts that are not in `written` yet.
pub(crate) fn write(pdu: &Pdu<'_, '_>, start: NodeId, written: &mut HashSet<TypeId>, out: &mut Source) {
    let (types, root) = (pdu.types, pdu.root);
    let wrong_end = if pdu.layout.rules.family() == Family::Fields { "at != end" } else { "at > end" };
    let most_levels = if pdu.takes_two_levels() { HALF } else { ALL_LEVELS };
    let mut functions = Functions::new(pdu, Cursor::Octets, String::new());
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
    functions.body(Way::Encode, Entry::General, (root, start), &["Ok(at)"], out);
    pdu.begin_decode("", out);
    levels(out);
    out.line("let (mut at, end) = (0usize, input.len());");
    let wrong_end = format!("if {wrong_end} {{");
    let end = [wrong_end.as_str(), "return Err(wire::Rejected);", "}", "Ok(at * 8)"];
    functions.body(Way::Decode, Entry::General, (root, start), &end, out);
    functions.parts(written, out);
}
