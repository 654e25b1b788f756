//! Prints the functions of families whose fields are at places known in advance, or determined by
//! earlier fields: a writer `w`, or a reader `r`, is a variable.

use std::collections::HashSet;

use roadwire_layout::{Family, NodeId};
use roadwire_model::TypeId;
use roadwire_plan::{Entry, Planner, Way};

use super::{Cursor, Printer, enough_levels, events};
use crate::Pdu;
use crate::source::Source;
use crate::tap::Heard;

/// Prints the functions of a message, and those of its parts that are not in `written` yet.
pub(crate) fn write(pdu: &Pdu<'_, '_>, start: NodeId, written: &mut HashSet<TypeId>, out: &mut Source) {
    calls(pdu, out);
    let is_octet = pdu.layout.rules.family() == Family::Octet;
    let mut functions = Functions { pdu, start, planner: Planner::new(pdu), is_octet, called: Vec::new() };
    let general = if pdu.is_told() { "_tapped" } else { "_general" };
    if pdu.has_plain {
        functions.message(("_plain", "#[inline(always)]"), Entry::Plain, out);
    }
    if pdu.has_usual() {
        functions.message(("_usual", "#[inline]"), Entry::Usual, out);
    }
    functions.message((general, "#[inline(never)]"), Entry::General, out);
    while let Some((id, node)) = functions.called.pop() {
        if written.insert(id) {
            functions.part(id, node, out);
        }
    }
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

/// A message's functions being printed, and those of its parts.
struct Functions<'p, 'm> {
    pdu: &'p Pdu<'p, 'm>,
    start: NodeId,
    planner: Planner<'p, 'm>,
    /// Whether all that is written and read is whole octets.
    is_octet: bool,
    /// Types whose functions are called, and so must be made.
    called: Vec<(TypeId, NodeId)>,
}

impl Functions<'_, '_> {
    /// The encoder and the decoder of a message, either for plain values or for all.
    fn message(&mut self, (suffix, inline): (&str, &str), entry: Entry, out: &mut Source) {
        let (pdu, of) = (self.pdu, (self.pdu.root, self.start));
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
        self.body(Way::Encode, of, entry, out, &[end]);
        out.begin_function(inline, format!("{functions}_decode{suffix}"), &pdu.decoder(tap));
        if levels {
            out.line("let levels = engine::Limits::DEPTH;");
        }
        let (reader, end) = match self.is_octet {
            true => ("rt::OctetReader", "Ok(r.position_in(input))"),
            false => ("Reader", "Ok(r.position())"),
        };
        out.line(format!("let mut r = wire::{reader}::new(input);"));
        self.body(Way::Decode, of, entry, out, &[end]);
    }

    /// The functions of a part.
    fn part(&mut self, id: TypeId, node: NodeId, out: &mut Source) {
        let (pdu, types, is_octet) = (self.pdu, self.pdu.types, self.is_octet);
        let (name, levels) = (types.name(id), if types.reaches_recursion(id) { ", levels: u32" } else { "" });
        let has_strings = pdu.has_strings(node);
        let strings = |way| match has_strings {
            true => format!(", strings: &mut {}", events::table(pdu, way, "'v")),
            false => String::new(),
        };
        let tap = if pdu.is_told() && types.leads_to_tap(id) { Heard::TAP } else { Heard::NOBODY };
        let signature = format!(
            "{}(value: &{}{}, writer: &mut wire::Writer<'_>{levels}{}{}) -> Result<(), wire::Rejected>",
            tap.generic(has_strings.then_some("'v")),
            if has_strings { "'v " } else { "" },
            types.with_lifetime(name, id, "'_"),
            strings(Way::Encode),
            tap.parameter
        );
        out.begin_function("", format!("encode_{name}"), &signature);
        enough_levels(types, id, out);
        out.line("let mut w = core::mem::take(writer);");
        self.body(Way::Encode, (id, node), Entry::Part, out, &["*writer = w;", "Ok(())"]);
        // Two words are passed in registers.
        let (reader, back) = match is_octet {
            true => ("mut r: wire::rt::OctetReader<'a>", "wire::rt::OctetReader<'a>"),
            false => ("reader: &mut wire::Reader<'a>", "()"),
        };
        let input = if is_octet && tap.is_tap() { ", input: &[u8]" } else { "" };
        let signature = format!(
            "{}(value: &mut {}, {reader}{levels}{}{input}{}) -> Result<{back}, wire::Rejected>",
            tap.generic(Some("'a")),
            types.with_lifetime(name, id, "'a"),
            strings(Way::Decode),
            tap.parameter
        );
        out.begin_function("", format!("decode_{name}"), &signature);
        enough_levels(types, id, out);
        if !is_octet {
            out.line("let mut r = *reader;");
        }
        let end: &[&str] = if is_octet { &["Ok(r)"] } else { &["*reader = r;", "Ok(())"] };
        self.body(Way::Decode, (id, node), Entry::Part, out, end);
    }

    /// A function's body, with its last lines.
    fn body(&mut self, way: Way, of: (TypeId, NodeId), entry: Entry, out: &mut Source, end: &[&str]) {
        let pdu = self.pdu;
        let plan = self.planner.function(way, entry, of);
        if entry != Entry::Part && plan.uses_strings {
            out.line(format!("let strings = &mut <{}>::default();", events::table(pdu, way, "'_")));
        }
        let cursor = if self.is_octet { Cursor::Whole } else { Cursor::Bits };
        Printer { types: pdu.types, way, cursor, suffix: "", out }.block(&plan.block);
        if !plan.is_left() {
            end.iter().for_each(|line| out.line(line));
        }
        out.record(plan.given_up);
        self.called.extend(plan.called);
        out.end_function();
    }
}
