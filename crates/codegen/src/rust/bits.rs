//! Prints the functions of families whose fields are at places known in advance, or determined by
//! earlier fields: a writer `w`, or a reader `r`, is a variable.

use std::collections::HashSet;

use roadwire_layout::{Family, NodeId};
use roadwire_model::TypeId;
use roadwire_plan::{Entry, Way};

use super::Cursor;
use super::functions::Functions;
use crate::Pdu;
use crate::source::Source;
use crate::tap::Heard;

/// Prints the functions of a message, and those of its parts that are not in `written` yet.
pub(crate) fn write(pdu: &Pdu<'_, '_>, start: NodeId, written: &mut HashSet<TypeId>, out: &mut Source) {
    calls(pdu, out);
    let cursor = if pdu.layout.rules.family() == Family::Octet { Cursor::Whole } else { Cursor::Bits };
    let mut functions = Functions::new(pdu, cursor, String::new());
    let general = if pdu.is_told() { "_tapped" } else { "_general" };
    if pdu.has_plain {
        functions.message(start, ("_plain", "#[inline(always)]"), Entry::Plain, out);
    }
    if pdu.has_usual() {
        functions.message(start, ("_usual", "#[inline]"), Entry::Usual, out);
    }
    functions.message(start, (general, "#[inline(never)]"), Entry::General, out);
    functions.parts(written, out);
}

/// The functions that try those for plain and usual values first. They are not inlined: the code
/// for plain values is in them, and each crate that uses the message would compile it again.
fn calls(pdu: &Pdu<'_, '_>, out: &mut Source) {
    for (way, buffer) in [("encode", "output"), ("decode", "input")] {
        let begin = if way == "encode" { Pdu::begin_encode } else { Pdu::begin_decode };
        begin(pdu, "", out);
        let mut call = |end: &str, tap: &str| {
            let name = format!("{}_{way}{end}", pdu.functions());
            let call = format!("{name}(value, {buffer}{tap})");
            out.calls(name);
            call
        };
        let general = if pdu.is_told() { call("_tapped", ", &mut ()") } else { call("_general", "") };
        let before = [(pdu.has_plain, "_plain"), (pdu.has_usual(), "_usual")].into_iter().filter(|(has, _)| *has);
        let calls: Vec<String> = before.map(|(_, end)| call(end, "")).chain([general]).collect();
        out.line(calls.join(".or_else(|_| ") + &")".repeat(calls.len() - 1));
        out.end_function();
    }
}

impl Functions<'_, '_> {
    /// The encoder and the decoder of a message, either for plain values or for all.
    fn message(&mut self, start: NodeId, (suffix, inline): (&str, &str), entry: Entry, out: &mut Source) {
        let (pdu, of) = (self.pdu, (self.pdu.root, start));
        let (functions, octets) = (pdu.functions(), pdu.properties.octets);
        let is_plain = matches!(entry, Entry::Plain | Entry::Usual);
        let tap = if is_plain || !pdu.is_told() { Heard::NOBODY } else { Heard::TAP };
        let levels = pdu.types.reaches_recursion(pdu.root);
        out.begin_function(inline, format!("{functions}_encode{suffix}"), &pdu.encoder(tap));
        if is_plain {
            // One check, instead of one for each word; a smaller output is left to the general
            // code.
            out.refuse_if(&format!("output.len() < {}", octets.fewest + 8));
        }
        if levels {
            out.line("let levels = engine::Limits::DEPTH;");
        }
        out.line("let mut w = wire::Writer::new(output);");
        let end = if pdu.layout.least_octets() == 0 { "w.finish_octets()" } else { "w.finish()" };
        self.body(Way::Encode, entry, of, &[end], out);
        out.begin_function(inline, format!("{functions}_decode{suffix}"), &pdu.decoder(tap));
        if levels {
            out.line("let levels = engine::Limits::DEPTH;");
        }
        let (reader, end) = match self.cursor {
            Cursor::Whole => ("rt::OctetReader", "Ok(r.position_in(input))"),
            _ => ("Reader", "Ok(r.position())"),
        };
        out.line(format!("let mut r = wire::{reader}::new(input);"));
        self.body(Way::Decode, entry, of, &[end], out);
    }
}
