//! Prints the functions of text: a writer `w`, or a reader `r`, is a variable.

use std::collections::HashSet;

use roadwire_layout::NodeId;
use roadwire_model::TypeId;

use super::places::name;
use super::stream::takes_stream;
use super::{Cursor, Printer, enough_levels, function};
use crate::Pdu;
use crate::data::item_names;
use crate::source::Source;
use roadwire_plan::Repr;
use roadwire_plan::{Arg, Block, Entry, Planner, Prim, Stmt, Text, Way};

/// Prints the functions of a message, and those of its parts that are not in `written` yet.
pub(crate) fn write(pdu: &Pdu<'_, '_>, start: NodeId, written: &mut HashSet<TypeId>, out: &mut Source) {
    // Encoding instructions may change a part in each message.
    let (suffix, mut own) = (format!("_of_{}", pdu.functions()), HashSet::new());
    let (suffix, written) = if pdu.is_instructed { (suffix, &mut own) } else { (String::new(), written) };
    Functions { pdu, planner: Planner::new(pdu), suffix, called: Vec::new() }.write(start, written, out);
}

/// The functions of a message and its parts.
struct Functions<'p, 'm> {
    pdu: &'p Pdu<'p, 'm>,
    planner: Planner<'p, 'm>,
    /// What ends the names of parts' functions, if a part is not the same in all messages.
    suffix: String,
    /// Types whose functions are called, and so must be made.
    called: Vec<(TypeId, NodeId)>,
}

impl Functions<'_, '_> {
    fn write(&mut self, content: NodeId, written: &mut HashSet<TypeId>, out: &mut Source) {
        let (pdu, root) = (self.pdu, self.pdu.root);
        let levels = |out: &mut Source| {
            if pdu.types.reaches_recursion(root) {
                out.line("let levels = engine::Limits::DEPTH;");
            }
        };
        pdu.begin_encode("", out);
        levels(out);
        out.line("let mut w = wire::rt::text::TextWriter::new(output);");
        self.body(Way::Encode, Entry::General, (root, content), out, &["Ok(w.position())"]);
        pdu.begin_decode("", out);
        levels(out);
        out.line("let mut r = wire::rt::text::TextReader::new(input);");
        self.body(Way::Decode, Entry::General, (root, content), out, &["r.finish()"]);
        while let Some((id, node)) = self.called.pop() {
            if written.insert(id) {
                self.part(id, node, out);
            }
        }
    }

    fn part(&mut self, id: TypeId, node: NodeId, out: &mut Source) {
        let types = self.pdu.types;
        let name = types.name(id);
        let function = format!("{}{}", function(types, id), self.suffix);
        let levels = if types.reaches_recursion(id) { ", levels: u32" } else { "" };
        let signature = |parameters: &str| format!("({parameters}{levels}) -> Result<(), wire::Rejected>");
        let parameters = format!("value: &{name}, writer: &mut wire::rt::text::TextWriter<'_>");
        out.begin_function("", format!("encode_{function}"), &signature(&parameters));
        enough_levels(types, id, out);
        out.line("let mut w = core::mem::take(writer);");
        self.body(Way::Encode, Entry::Part, (id, node), out, &["*writer = w;", "Ok(())"]);
        let parameters = format!("value: &mut {name}, reader: &mut wire::rt::text::TextReader<'_>");
        out.begin_function("", format!("decode_{function}"), &signature(&parameters));
        enough_levels(types, id, out);
        out.line("let mut r = *reader;");
        self.body(Way::Decode, Entry::Part, (id, node), out, &["*reader = r;", "Ok(())"]);
    }

    /// A function's body, with its last lines.
    fn body(&mut self, way: Way, entry: Entry, of: (TypeId, NodeId), out: &mut Source, end: &[&str]) {
        let plan = self.planner.function(way, entry, of);
        Printer { types: self.pdu.types, way, cursor: Cursor::Text, suffix: &self.suffix, out }.block(&plan.block);
        if !plan.is_left() {
            end.iter().for_each(|line| out.line(line));
        }
        out.record(plan.given_up);
        self.called.extend(plan.called);
        out.end_function();
    }
}

impl Printer<'_, '_> {
    pub(super) fn text_statement(&mut self, statement: &Stmt) {
        match statement {
            Stmt::PutText(text) => {
                let constant = if self.way == Way::Encode { "put" } else { "expect" };
                self.line(format!("{}.{constant}({})?;", self.stream(), octets_literal(text)));
            }
            Stmt::Do(by, args) => self.line(format!("{};", self.taken(*by, args))),
            Stmt::Apart(by, args) => {
                let call = format!("{};", self.taken(*by, args));
                self.apart(&call);
            }
            Stmt::Get(var, by, args) => self.line(format!("let {} = {};", name(*var), self.taken(*by, args))),
            Stmt::SetBy(place, by, args) => {
                self.line(format!("{} = {};", self.place(place).value(), self.taken(*by, args)));
            }
            Stmt::SetFlagsBy(id, place, by, args) => {
                let (_, word) = self.flags(*id);
                self.line(format!("{}.0 = {} as {word};", self.place(place).object(), self.taken(*by, args)));
            }
            Stmt::Position(var) => self.line(format!("let {} = {}.position();", name(*var), self.stream())),
            Stmt::LetFlag(var) => self.line(format!("let mut {} = true;", name(*var))),
            Stmt::ClearFlag(var) => self.line(format!("{} = false;", name(*var))),
            Stmt::PutTruth { place, texts } => {
                let ([yes, no], value) = (texts.each_ref().map(|text| octets_literal(text)), self.place(place).value());
                self.line(format!("w.put_slice(if {value} {{ &{yes}[..] }} else {{ {no} }})?;"));
            }
            Stmt::PutLabel { id, place, labels } => self.put_label(*id, &self.place(place).value(), labels),
            Stmt::SetByLabel { id, place, by, labels } => {
                let taken = self.taken(*by, &[]);
                self.set_by_label(*id, &self.place(place).value(), &taken, labels);
            }
            Stmt::TakeFlagDigits { digits, octets } => {
                let digits = name(*digits);
                self.line(format!("let mut {digits} = [0u8; 8];"));
                self.line(format!("r.fill(&mut {digits}[..{octets}])?;"));
                self.line(format!("let {digits} = u64::from_be_bytes({digits});"));
            }
            Stmt::FillDigits { octets, place, digits, count, is_inline } => {
                let (octets, digits, count) = (name(*octets), name(*digits), name(*count));
                self.line(format!("let {octets} = {};", self.place(place).exclusive()));
                self.line(format!("{octets}.0.clear();"));
                if *is_inline {
                    self.line(format!("for _ in 0..{count} {{"));
                    self.line(format!("if {octets}.0.try_push(0).is_err() {{ return Err(wire::Rejected) }}"));
                    self.line("}");
                } else {
                    self.line(format!("{octets}.0.resize({count}, 0);"));
                }
                self.line(format!("wire::rt::text::fill({digits}, &mut {octets}.0)?;"));
            }
            Stmt::FillArray(place, digits) => {
                let octets = self.place(place).exclusive();
                self.line(format!("wire::rt::text::fill({}, {octets})?;", name(*digits)));
            }
            Stmt::FillArcs { place, text, is_relative } => {
                let contents = self.place(place);
                let contents = contents.object();
                self.line(format!("wire::rt::text::fill_arcs({}, {is_relative}, &mut {contents}.0)?;", name(*text)));
            }
            Stmt::FillBits(place, (lower, upper)) => {
                let word = self.place(place).exclusive();
                self.line(format!("wire::rt::xml::fill_word(r.take_word(), {lower}..={upper}, {word})?;"));
            }
            Stmt::TakeCharacters { id, place, bound, by, bounds: (lower, upper), ranges } => {
                let (text, by) = (name(*bound), method(*by));
                self.line(format!("let {text} = {};", self.place(place).exclusive()));
                self.line(format!("{text}.clear();"));
                let take = match self.types.repr(*id) {
                    Repr::Text(_) => format!("{text}.try_push_str(piece).is_ok()"),
                    _ => format!("{{ {text}.push_str(piece); true }}"),
                };
                self.line(format!("r.{by}(({lower}, {upper}), &{ranges:?}, |piece| {take})?;"));
            }
            Stmt::Separated { element, body } => self.between_commas(body, |printer| printer.element(element, body)),
            Stmt::SetAbsent(component, place) => {
                let absent = self.types.absent(self.types.component(*component));
                self.line(format!("{} = {absent};", self.place(place).object()));
            }
            Stmt::MayBeUnused(var) => self.line(format!("let _ = {};", name(*var))),
            _ => {}
        }
    }

    /// Reads elements with commas between them, and the bracket after the last one.
    pub(super) fn between_commas(&mut self, body: &Block, one: impl FnOnce(&mut Self)) {
        self.line("if !r.accept(b\"]\") {");
        self.line("loop {");
        one(self);
        if body.last() != Some(&Stmt::GiveUp) {
            self.line("if !r.accept(b\",\") {");
            self.line("break;");
            self.line("}");
        }
        self.line("}");
        self.line("r.expect(b\"]\")?;");
        self.line("}");
    }

    /// A call that takes the address of the writer or reader, with a copy, so that it stays in
    /// registers itself.
    pub(super) fn apart(&mut self, call: &str) {
        let stream = self.stream();
        self.line(format!("{stream} = {{"));
        self.line(format!("let mut {stream} = {stream};"));
        self.line(call);
        self.line(stream);
        self.line("};");
    }

    /// The variable of the writer or reader.
    pub(super) fn stream(&self) -> &'static str {
        if self.way == Way::Encode { "w" } else { "r" }
    }

    /// What a primitive reads, or what it writes.
    fn taken(&self, by: Prim, args: &[Arg]) -> String {
        let may_fail = if by == Prim::Text(Text::TakeWord) { "" } else { "?" };
        let first = match (by, self.way) {
            (Prim::Mover(by), Way::Encode) if takes_stream(by) => vec!["&mut w"],
            (Prim::Mover(by), Way::Decode) if takes_stream(by) => vec!["&mut r"],
            _ => Vec::new(),
        };
        format!("{}{may_fail}", self.call(by, args, &first))
    }

    fn put_label(&mut self, id: TypeId, value: &str, labels: &[String]) {
        let Some((enumeration, enumerators)) = self.types.enumeration(id) else { return };
        self.line(format!("w.put_slice(match {value} {{"));
        for (label, item) in labels.iter().zip(item_names(enumerators)) {
            self.line(format!("{enumeration}::{item} => &{}[..],", octets_literal(label)));
        }
        if enumerators.extensible {
            self.line(format!("{enumeration}::UnknownAddition(_) => return Err(wire::Rejected),"));
        }
        self.line("})?;");
    }

    fn set_by_label(&mut self, id: TypeId, to: &str, taken: &str, labels: &[(String, usize)]) {
        let Some((enumeration, enumerators)) = self.types.enumeration(id) else { return };
        let items = item_names(enumerators);
        self.line(format!("{to} = match {taken} {{"));
        for (label, at) in labels {
            self.line(format!("{} => {enumeration}::{},", octets_literal(label), items[*at]));
        }
        self.line("_ => return Err(wire::Rejected),");
        self.line("};");
    }

    /// What stands between two conditions of a chain.
    pub(super) fn otherwise(&self) -> &'static str {
        if self.cursor == Cursor::Text { "} else" } else { "} else " }
    }
}

/// Text as the source of a constant of octets.
pub(super) fn octets_literal(text: &str) -> String {
    format!("b\"{}\"", text.as_bytes().escape_ascii())
}

/// The method of a primitive.
pub(super) fn method(by: Text) -> &'static str {
    match by {
        Text::PutSigned => "put_signed",
        Text::PutUnsigned => "put_unsigned",
        Text::PutBits => "put_bits",
        Text::PutAnyBitDigits => "put_any_bit_digits",
        Text::PutBitDigits => "put_bit_digits",
        Text::PutDigits => "put_digits",
        Text::PutOctetDigits => "put_octet_digits",
        Text::PutString => "put_string",
        Text::PutCharacters => "put_characters",
        Text::PutCanonicalCharacters => "put_canonical_characters",
        Text::PutScientific => "put_scientific",
        Text::TakeScientific => "take_scientific",
        Text::PutReal => "put_real",
        Text::PutArcs => "put_arcs",
        Text::CloseList => "close_list",
        Text::CloseElement => "close_element",
        Text::TakeSigned => "take_signed",
        Text::TakeUnsigned => "take_unsigned",
        Text::TakeTruth => "take_truth",
        Text::TakeTruthElement => "take_truth_element",
        Text::TakeName => "take_name",
        Text::TakeEmpty => "take_empty",
        Text::TakeWord => "take_word",
        Text::TakeBits => "take_bits",
        Text::TakeAnyBitDigits => "take_any_bit_digits",
        Text::TakeBitDigits => "take_bit_digits",
        Text::TakeDigits => "take_digits",
        Text::TakeString => "take_string",
        Text::TakeCharacters => "take_characters",
        Text::TakeReal => "take_real",
        Text::Enter => "enter",
        Text::Leave => "leave",
    }
}
