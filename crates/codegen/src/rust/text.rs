//! Prints the functions of text: a writer `w`, or a reader `r`, is a variable.

use std::collections::HashSet;

use roadwire_layout::NodeId;
use roadwire_model::TypeId;

use super::calls::primitive;
use super::functions::Functions;
use super::places::name;
use super::{Cursor, Printer, no_text};
use crate::Pdu;
use crate::data::item_names;
use crate::source::Source;
use roadwire_plan::{Arg, Block, Entry, Prim, Repr, Stmt, Text, Way};

/// Prints the functions of a message, and those of its parts that are not in `written` yet.
pub(crate) fn write(pdu: &Pdu<'_, '_>, start: NodeId, written: &mut HashSet<TypeId>, out: &mut Source) {
    // Encoding instructions may change a part in each message.
    let (suffix, mut own) = (format!("_of_{}", pdu.functions()), HashSet::new());
    let (suffix, written) = if pdu.is_instructed { (suffix, &mut own) } else { (String::new(), written) };
    let (mut functions, of) = (Functions::new(pdu, Cursor::Text, suffix), (pdu.root, start));
    let levels = |out: &mut Source| {
        if pdu.types.reaches_recursion(pdu.root) {
            out.line("let levels = engine::Limits::DEPTH;");
        }
    };
    pdu.begin_encode("", out);
    levels(out);
    out.line("let mut w = wire::rt::text::TextWriter::new(output);");
    functions.body(Way::Encode, Entry::General, of, &["Ok(w.position())"], out);
    pdu.begin_decode("", out);
    levels(out);
    out.line("let mut r = wire::rt::text::TextReader::new(input);");
    functions.body(Way::Decode, Entry::General, of, &["r.finish()"], out);
    functions.parts(written, out);
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
            Stmt::Get(var, by, args) => self.named(*var, self.taken(*by, args)),
            Stmt::SetBy(place, by, args) => {
                self.line(format!("{} = {};", self.place(place).value(), self.taken(*by, args)));
            }
            Stmt::Position(var) => self.named(*var, format!("{}.position()", self.stream())),
            Stmt::LetOrder(var) => {
                let units = if self.cursor == Cursor::Text { "" } else { " / 8" };
                self.line(format!("let mut {} = wire::rt::Order::new(w.position(){units});", name(*var)));
            }
            Stmt::SettleOrder(var) => self.apart(&format!("{}.settle(&mut w)?;", name(*var))),
            Stmt::LetFlag(var) => self.line(format!("let mut {} = true;", name(*var))),
            Stmt::ClearFlag(var) => self.line(format!("{} = false;", name(*var))),
            Stmt::MayBeUnused(var) => self.line(format!("let _ = {};", name(*var))),
            other => self.line(no_text(other)),
        }
    }

    /// Labels and digits of values.
    pub(super) fn text_value(&mut self, statement: &Stmt) {
        match statement {
            Stmt::SetFlagsBy(id, place, by, args) => {
                let (_, word) = self.flags(*id);
                self.line(format!("{}.0 = {} as {word};", self.place(place).object(), self.taken(*by, args)));
            }
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
                let (text, by) = (name(*bound), primitive(by));
                self.line(format!("let {text} = {};", self.place(place).exclusive()));
                self.line(format!("{text}.clear();"));
                let take = match self.types.repr(*id) {
                    Repr::Text(_) => format!("{text}.try_push_str(piece).is_ok()"),
                    _ => format!("{{ {text}.push_str(piece); true }}"),
                };
                self.line(format!("r.{by}(({lower}, {upper}), &{ranges:?}, |piece| {take})?;"));
            }
            other => self.line(no_text(other)),
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

    /// The value that a primitive reads or writes.
    fn taken(&self, by: Prim, args: &[Arg]) -> String {
        let may_fail = if matches!(by, Prim::Text(Text::TakeWord | Text::Revisit)) { "" } else { "?" };
        let first = match (by, self.way) {
            (Prim::Mover(by), _) if self.module(by).is_none() => &[][..],
            (Prim::Mover(_), Way::Encode) => &["&mut w"],
            (Prim::Mover(_), Way::Decode) => &["&mut r"],
            _ => &[],
        };
        format!("{}{may_fail}", self.call(by, args, first))
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

    /// The operator between two conditions of a chain.
    pub(super) fn otherwise(&self) -> &'static str {
        if self.cursor == Cursor::Text { "} else" } else { "} else " }
    }
}

/// Text as the source of a constant of octets.
pub(super) fn octets_literal(text: &str) -> String {
    format!("b\"{}\"", text.as_bytes().escape_ascii())
}
