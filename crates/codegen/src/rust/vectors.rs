//! Prints the functions of the presentation language: an offset in the output, and the rest of the
//! input, are passed by value.

use std::collections::HashSet;

use roadwire_layout::NodeId;
use roadwire_model::TypeId;
use roadwire_plan::{Entry, Way};

use super::Cursor;
use super::functions::Functions;
use crate::Pdu;
use crate::source::Source;
use crate::tap::Heard;

/// Prints the functions of a message, and those of its parts that are not in `written` yet.
pub(crate) fn write(pdu: &Pdu<'_, '_>, start: NodeId, written: &mut HashSet<TypeId>, out: &mut Source) {
    let (types, root) = (pdu.types, pdu.root);
    let mut functions = Functions::new(pdu, Cursor::Rest, String::new());
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
    functions.body(Way::Encode, Entry::General, (root, start), &["Ok(at)"], out);
    if pdu.is_told() {
        out.begin_function("", decode, &pdu.decoder(Heard::TAP));
        out.line("let message = input;");
    } else {
        pdu.begin_decode("", out);
    }
    out.line(levels);
    out.line("let mut r = input;");
    functions.body(Way::Decode, Entry::General, (root, start), &["Ok((input.len() - r.len()) * 8)"], out);
    functions.parts(written, out);
}
