//! The traits that a message implements.

use crate::pdu::Pdu;
use crate::source::Source;

/// The message trait: lengths, layout, and calls of the straight-line code.
/// `check` are the calls that check a message, and that find out what is wrong with it.
pub(crate) fn message(pdu: &Pdu<'_, '_>, check: Option<(String, String)>, out: &mut Source) {
    let (octets, in_roots) = (pdu.properties.octets, pdu.properties.octets_in_roots);
    let functions = pdu.functions();
    let is_lent = pdu.types.lends(pdu.root);
    ["encode", "decode"].into_iter().for_each(|way| out.calls(format!("{functions}_{way}")));
    out.line("");
    out.line(format!("impl engine::Message<Rules> for {} {{", pdu.name_with("'_")));
    out.line(format!("const MIN_OCTETS: usize = {};", octets.fewest));
    out.line(format!("const MAX_OCTETS: Option<usize> = {:?};", octets.most));
    if in_roots.most != octets.most {
        out.line(format!("const MAX_OCTETS_IN_ROOTS: Option<usize> = {:?};", in_roots.most));
    }
    out.line("");
    if let Some((check, explain)) = check {
        if pdu.types.options.check_all {
            out.line("const CHECKS_DECODED: bool = true;");
            out.line("");
        }
        self::check("check", &check, &explain, out);
        out.line("");
    }
    out.line("fn layout() -> &'static layout::Layout {");
    out.line(format!("&tables::{}", pdu.table));
    out.line("}");
    out.line("");
    out.line("#[inline]");
    out.line("fn encode_fast(&self, output: &mut [u8]) -> Result<usize, wire::Rejected> {");
    out.line(format!("{functions}_encode(self, output)"));
    out.line("}");
    out.line("");
    out.line("#[inline]");
    if is_lent {
        // Input that does not live as long must not be borrowed.
        out.line("fn decode_fast(&mut self, _: &[u8]) -> Result<usize, wire::Rejected> {");
        out.line("Err(wire::Rejected)");
    } else {
        out.line("fn decode_fast(&mut self, input: &[u8]) -> Result<usize, wire::Rejected> {");
        out.line(format!("{functions}_decode(self, input)"));
    }
    out.line("}");
    out.line("}");
    if pdu.types.is_borrowed() {
        out.line("");
        out.line(format!("impl<'a> engine::Lent<'a, Rules> for {} {{", pdu.name_with("'a")));
        out.line("#[inline]");
        out.line("fn decode_lent_fast(&mut self, input: &'a [u8]) -> Result<usize, wire::Rejected> {");
        out.line(format!("{functions}_decode(self, input)"));
        out.line("}");
        out.line("}");
    }
}

/// The method that checks constraints by the call `check`, and finds out by `explain` what is
/// wrong.
pub(crate) fn check(method: &str, check: &str, explain: &str, out: &mut Source) {
    // Not inlined: each crate that uses the message would compile it again.
    out.line(format!("fn {method}(&self) -> Result<(), wire::Error<'static>> {{"));
    out.line(format!("if {check} {{"));
    out.line("return Ok(());");
    out.line("}");
    out.line(format!("Err(wire::rt::constraint::explain(|trail| {explain}))"));
    out.line("}");
}

/// The trait of a message with tapped parts.
pub(crate) fn tapped(pdu: &Pdu<'_, '_>, out: &mut Source) {
    let (functions, name) = (pdu.functions(), pdu.name_with("'a"));
    ["encode", "decode"].into_iter().for_each(|way| out.calls(format!("{functions}_{way}_tapped")));
    out.line("");
    out.line(format!("impl<'a> engine::Tapped<'a, Rules> for {name} {{"));
    out.line("const WAYS: &'static [engine::Way] = &[");
    for (way, part) in pdu.types.ways_to_taps(pdu.root) {
        out.line(format!("(&{way:?}, {part}),"));
    }
    out.line("];");
    out.line("");
    out.line("#[inline]");
    out.line(
        "fn encode_tapped_fast<T: wire::Tap>(&self, output: &mut [u8], tap: &mut T) -> Result<usize, wire::Rejected> {",
    );
    out.line(format!("{functions}_encode_tapped(self, output, tap)"));
    out.line("}");
    out.line("");
    out.line("#[inline]");
    out.line("fn decode_tapped_fast<T: wire::Tap>(&mut self, input: &'a [u8], tap: &mut T) -> Result<usize, wire::Rejected> {");
    out.line(format!("{functions}_decode_tapped(self, input, tap)"));
    out.line("}");
    out.line("}");
}

/// No straight-line code: all is left to the interpreter.
pub(crate) fn interpreted(pdu: &Pdu<'_, '_>, out: &mut Source) {
    out.give_up_message(pdu.root);
    for begin in [Pdu::begin_encode, Pdu::begin_decode] {
        begin(pdu, "", out);
        out.line("Err(wire::Rejected)");
        out.end_function();
    }
}
