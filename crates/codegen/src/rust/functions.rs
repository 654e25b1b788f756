//! Prints the functions of a message and of its parts, for all families.

use std::collections::HashSet;

use roadwire_layout::NodeId;
use roadwire_model::TypeId;
use roadwire_plan::{Entry, Planner, Way};

use super::{Cursor, Printer, events, part_name};
use crate::Pdu;
use crate::source::Source;
use crate::tap::Heard;

/// A message's functions being printed, and those of its parts.
pub(super) struct Functions<'p, 'm> {
    pub(super) pdu: &'p Pdu<'p, 'm>,
    planner: Planner<'p, 'm>,
    pub(super) cursor: Cursor,
    /// The suffix of the names of parts' functions, if a part is not the same in all messages.
    suffix: String,
    /// Types whose functions are called, and so must be made.
    called: Vec<(TypeId, NodeId)>,
}

impl<'p, 'm: 'p> Functions<'p, 'm> {
    pub(super) fn new(pdu: &'p Pdu<'p, 'm>, cursor: Cursor, suffix: String) -> Self {
        Functions { pdu, planner: Planner::new(pdu), cursor, suffix, called: Vec::new() }
    }

    /// The functions of parts that are called, if they are not in `written` yet.
    pub(super) fn parts(&mut self, written: &mut HashSet<TypeId>, out: &mut Source) {
        while let Some((id, node)) = self.called.pop() {
            if written.insert(id) {
                self.part(Way::Encode, (id, node), out);
                self.part(Way::Decode, (id, node), out);
            }
        }
    }

    fn part(&mut self, way: Way, (id, node): (TypeId, NodeId), out: &mut Source) {
        let (pdu, types, cursor) = (self.pdu, self.pdu.types, self.cursor);
        let has_strings = pdu.has_strings(node);
        let tap = if pdu.is_told() && types.leads_to_tap(id) { Heard::TAP } else { Heard::NOBODY };
        let lifetime = match (way, cursor) {
            (Way::Encode, _) => has_strings.then_some("'v"),
            (Way::Decode, Cursor::Octets | Cursor::Text) => None,
            (Way::Decode, _) => Some("'a"),
        };
        let (prefix, value) = match way {
            Way::Encode if has_strings => ("encode", format!("&'v {}", types.with_lifetime(types.name(id), id, "'_"))),
            Way::Encode => ("encode", format!("&{}", types.with_lifetime(types.name(id), id, "'_"))),
            Way::Decode => ("decode", format!("&mut {}", types.with_lifetime(types.name(id), id, "'a"))),
        };
        let (parameter, back, begin, end) = stream(way, cursor);
        let levels = if types.reaches_recursion(id) { ", levels: u32" } else { "" };
        let strings = match has_strings {
            true => format!(", strings: &mut {}", events::table(pdu, way, "'v")),
            false => String::new(),
        };
        let whole = match (way, cursor) {
            (Way::Decode, Cursor::Whole) if tap.is_tap() => ", input: &[u8]",
            (Way::Decode, Cursor::Rest) if tap.is_tap() => ", message: &[u8]",
            _ => "",
        };
        let signature = format!(
            "{}(value: {value}, {parameter}{levels}{strings}{whole}{}) -> Result<{back}, wire::Rejected>",
            tap.generic(lifetime),
            tap.parameter
        );
        out.begin_function("", format!("{prefix}_{}{}", part_name(types, cursor, id), self.suffix), &signature);
        // A recursive type checks that all levels of its body are left; enclosing types have left
        // room for all others.
        if types.is_recursive(id) {
            out.refuse_if(&format!("levels < {}", types.levels(id)));
        }
        begin.iter().for_each(|line| out.line(line));
        self.body(way, Entry::Part, (id, node), end, out);
    }

    /// A function's body, with its last lines.
    pub(super) fn body(&mut self, way: Way, entry: Entry, of: (TypeId, NodeId), end: &[&str], out: &mut Source) {
        let pdu = self.pdu;
        let plan = self.planner.function(way, entry, of);
        if entry != Entry::Part && plan.uses_strings {
            out.line(format!("let strings = &mut <{}>::default();", events::table(pdu, way, "'_")));
        }
        Printer { types: pdu.types, way, cursor: self.cursor, suffix: &self.suffix, out }.block(&plan.block);
        if !plan.is_left() {
            end.iter().for_each(|line| out.line(line));
        }
        out.record(plan.given_up);
        self.called.extend(plan.called);
        out.end_function();
    }
}

/// The input or output of a part's function: its parameter, its result, and its first and last
/// lines.
fn stream(way: Way, cursor: Cursor) -> (&'static str, &'static str, &'static [&'static str], &'static [&'static str]) {
    const WRITER: (&[&str], &[&str]) = (&["let mut w = core::mem::take(writer);"], &["*writer = w;", "Ok(())"]);
    const READER: (&[&str], &[&str]) = (&["let mut r = *reader;"], &["*reader = r;", "Ok(())"]);
    const AT: (&[&str], &[&str]) = (&["let mut at = at;"], &["Ok(at)"]);
    let (parameter, back, (begin, end)) = match (way, cursor) {
        (Way::Encode, Cursor::Octets | Cursor::Rest) => ("output: &mut [u8], at: usize", "usize", AT),
        (Way::Decode, Cursor::Octets) => ("input: &[u8], at: usize, end: usize", "usize", AT),
        (Way::Decode, Cursor::Rest) => ("input: &'a [u8]", "&'a [u8]", (&["let mut r = input;"][..], &["Ok(r)"][..])),
        (Way::Encode, Cursor::Text) => ("writer: &mut wire::rt::text::TextWriter<'_>", "()", WRITER),
        (Way::Decode, Cursor::Text) => ("reader: &mut wire::rt::text::TextReader<'_>", "()", READER),
        (Way::Encode, Cursor::Bits | Cursor::Whole) => ("writer: &mut wire::Writer<'_>", "()", WRITER),
        (Way::Decode, Cursor::Bits) => ("reader: &mut wire::Reader<'a>", "()", READER),
        // Two words are passed in registers.
        (Way::Decode, Cursor::Whole) => {
            ("mut r: wire::rt::OctetReader<'a>", "wire::rt::OctetReader<'a>", (&[][..], &["Ok(r)"][..]))
        }
    };
    (parameter, back, begin, end)
}
