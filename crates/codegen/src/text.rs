//! What straight-line code for texts has in common: constants between the values, in the one form that is written.

use std::collections::{HashMap, HashSet};

use roadwire_layout::{Layout, NodeId};
use roadwire_model::{Component, Kind, Presence, TypeId};

use crate::Pdu;
use crate::data::constant;
use crate::names::snake;
use crate::packed::run::Place;
use crate::source::Source;
use crate::types::{Repr, Types};

/// Writes a function's body: from `value` to the writer `w`, or from the reader `r` to `value`.
pub(crate) type Body = fn(&mut TextCode<'_, '_>, TypeId, NodeId);

/// A notation: what its functions' bodies are, and what they are called.
pub(crate) struct Notation {
    pub(crate) encode: Body,
    pub(crate) decode: Body,
    /// What the names of functions of parts end with, where a part is not the same in all messages.
    pub(crate) suffix: String,
}

/// Writes the functions of a message, and those of its parts that are not in `written` yet.
pub(crate) fn write(
    pdu: &Pdu<'_, '_>,
    content: NodeId,
    notation: &Notation,
    written: &mut HashSet<TypeId>,
    out: &mut Source,
) {
    let (types, layout, root, name) = (pdu.types, &pdu.layout, pdu.root, pdu.name);
    let functions = pdu.functions();
    let suffix = notation.suffix.as_str();
    let mut parts = Parts::default();
    out.line("");
    out.line(format!(
        "pub(super) fn {functions}_encode(value: &{name}, output: &mut [u8]) -> Result<usize, wire::Rejected> {{"
    ));
    out.line("let mut w = wire::text::TextWriter::new(output);");
    (notation.encode)(&mut TextCode::new(types, layout, suffix, &mut parts, out), root, content);
    out.line("Ok(w.position())");
    out.line("}");
    out.line("");
    out.line(format!(
        "pub(super) fn {functions}_decode(value: &mut {name}, input: &[u8]) -> Result<usize, wire::Rejected> {{"
    ));
    out.line("let mut r = wire::text::TextReader::new(input);");
    (notation.decode)(&mut TextCode::new(types, layout, suffix, &mut parts, out), root, content);
    out.line("r.finish()");
    out.line("}");
    while let Some((id, node)) = parts.called.pop() {
        if !written.insert(id) {
            continue;
        }
        let (Repr::Struct(name) | Repr::Choice(name)) = types.repr(id) else { continue };
        let function = format!("{}{suffix}", snake(name));
        out.line("");
        out.line(format!(
            "fn encode_{function}(value: &{name}, writer: &mut wire::text::TextWriter<'_>) -> Result<(), wire::Rejected> {{"
        ));
        out.line("let mut w = core::mem::take(writer);");
        (notation.encode)(&mut TextCode::new(types, layout, suffix, &mut parts, out), id, node);
        out.line("*writer = w;");
        out.line("Ok(())");
        out.line("}");
        out.line("");
        out.line(format!(
            "fn decode_{function}(value: &mut {name}, reader: &mut wire::text::TextReader<'_>) -> Result<(), wire::Rejected> {{"
        ));
        out.line("let mut r = *reader;");
        (notation.decode)(&mut TextCode::new(types, layout, suffix, &mut parts, out), id, node);
        out.line("*reader = r;");
        out.line("Ok(())");
        out.line("}");
    }
}

/// Types with functions of their own.
#[derive(Default)]
pub(crate) struct Parts {
    /// Those that are called and so have to be written.
    called: Vec<(TypeId, NodeId)>,
    /// The node of each; another use of the type may have another.
    nodes: HashMap<TypeId, NodeId>,
}

/// A function's body being written.
pub(crate) struct TextCode<'a, 'm> {
    pub(crate) types: &'a Types<'m>,
    pub(crate) layout: &'a Layout,
    pub(crate) out: &'a mut Source,
    suffix: &'a str,
    parts: &'a mut Parts,
    /// Constant text that comes next.
    pub(crate) text: String,
    variables: usize,
}

impl<'a, 'm> TextCode<'a, 'm> {
    fn new(
        types: &'a Types<'m>,
        layout: &'a Layout,
        suffix: &'a str,
        parts: &'a mut Parts,
        out: &'a mut Source,
    ) -> Self {
        TextCode { types, layout, out, suffix, parts, text: String::new(), variables: 0 }
    }

    /// Leaves a part to its function, if it has one of its own; `None` if not.
    fn function(&mut self, id: TypeId, node: NodeId) -> Option<String> {
        let types = self.types;
        let (Repr::Struct(name) | Repr::Choice(name)) = types.repr(id) else { return None };
        if !types.is_function(id) || *self.parts.nodes.entry(id).or_insert(node) != node {
            return None;
        }
        self.parts.called.push((id, node));
        Some(format!("{}{}", snake(name), self.suffix))
    }

    /// Calls a part's encoder, if it has a function of its own.
    pub(crate) fn calls_encoder(&mut self, id: TypeId, node: NodeId, place: &Place) -> bool {
        let Some(function) = self.function(id, node) else { return false };
        self.flush();
        // On a copy, so that the writer itself stays in registers.
        self.out.line("w = {");
        self.out.line("let mut w = w;");
        self.out.line(format!("encode_{function}({}, &mut w)?;", place.shared()));
        self.out.line("w");
        self.out.line("};");
        true
    }

    /// Calls a part's decoder, if it has a function of its own.
    pub(crate) fn calls_decoder(&mut self, id: TypeId, node: NodeId, place: &Place) -> bool {
        let Some(function) = self.function(id, node) else { return false };
        self.settle();
        self.out.line("r = {");
        self.out.line("let mut r = r;");
        self.out.line(format!("decode_{function}({}, &mut r)?;", place.exclusive()));
        self.out.line("r");
        self.out.line("};");
        true
    }

    /// Writes a whole number within bounds.
    pub(crate) fn put_number(&mut self, id: TypeId, (lower, upper): (i128, i128), place: &Place) {
        let Repr::Integer(rust) = self.types.repr(id) else { return self.leave_to_interpreter() };
        if *rust == "i128" {
            return self.leave_to_interpreter();
        }
        self.flush();
        let value = place.value();
        let outside = outside(rust, &value, lower, upper);
        if !outside.is_empty() {
            self.refuse_if(&outside.join(" || "));
        }
        let signed = rust.starts_with('i') && lower < 0;
        let (put, wide) = if signed { ("put_signed", "i64") } else { ("put_unsigned", "u64") };
        self.out.line(format!("w.{put}({value} as {wide})?;"));
    }

    /// Reads a whole number within bounds.
    pub(crate) fn take_number(&mut self, id: TypeId, (lower, upper): (i128, i128), place: &Place) {
        let Repr::Integer(rust) = self.types.repr(id) else { return self.leave_to_interpreter() };
        if *rust == "i128" {
            return self.leave_to_interpreter();
        }
        self.settle();
        let (number, signed) = (self.variable(), lower < 0);
        self.out.line(format!("let {number} = r.take_{}()?;", if signed { "signed" } else { "unsigned" }));
        let wide = if signed { "i64" } else { "u64" };
        // What does not fit into the type is outside its bounds too.
        let (least, most) = bounds(rust);
        let outside = outside(wide, &number, lower.max(least), upper.min(most));
        if !outside.is_empty() {
            self.refuse_if(&outside.join(" || "));
        }
        self.out.line(format!("{} = {number} as {rust};", place.value()));
    }

    /// Refuses a list of another length; one that is stored inline has none above its bound.
    pub(crate) fn refuse_other_lengths(&mut self, list: &str, (lower, upper): (u64, u64), stored: Option<u64>) {
        if lower == 0 && stored == Some(upper) {
            return;
        }
        if upper < u64::MAX {
            self.refuse_if(&format!("!({lower}..={upper}).contains(&({list}.len() as u64))"));
        } else if lower > 0 {
            self.refuse_if(&format!("({list}.len() as u64) < {lower}"));
        }
    }

    pub(crate) fn refuse_if(&mut self, condition: &str) {
        self.out.line(format!("if {condition} {{"));
        self.out.line("return Err(wire::Rejected);");
        self.out.line("}");
    }

    pub(crate) fn leave_to_interpreter(&mut self) {
        self.text.clear();
        self.refuse_if("true");
    }

    /// Writes the constant text that is on its way out.
    pub(crate) fn flush(&mut self) {
        let text = std::mem::take(&mut self.text);
        if !text.is_empty() {
            self.out.line(format!("w.put({})?;", octets_literal(&text)));
        }
    }

    /// Reads the constant text that comes next.
    pub(crate) fn settle(&mut self) {
        let text = std::mem::take(&mut self.text);
        if !text.is_empty() {
            self.out.line(format!("r.expect({})?;", octets_literal(&text)));
        }
    }

    pub(crate) fn variable(&mut self) -> String {
        self.variables += 1;
        format!("v{}", self.variables)
    }

    /// Whether a component is sent, as an expression.
    pub(crate) fn sent(&self, component: &Component, field: &str) -> String {
        match &component.presence {
            Presence::Default(value) => {
                let default = constant(self.types, component.type_id, value);
                // Minus zero is a value of its own (X.690 §8.5.9), and a NaN is itself.
                let bits = if *self.types.repr(component.type_id) == Repr::Real { ".to_bits()" } else { "" };
                format!("({field}{bits} != {default}{bits})")
            }
            _ => format!("{field}.is_some()"),
        }
    }

    /// Whether a component's DEFAULT is told by more than a comparison of what is in memory: trailing zero bits of named ones mean nothing.
    pub(crate) fn has_named_bits_default(&self, component: &Component) -> bool {
        let named = matches!(self.types.kind(component.type_id), Kind::BitString { named, .. } if !named.is_empty());
        let flags = matches!(self.types.repr(component.type_id), Repr::BitFlags { .. });
        named && !flags && matches!(component.presence, Presence::Default(_))
    }

    /// What a component is when it is not there.
    pub(crate) fn absent(&self, component: &Component) -> String {
        match &component.presence {
            Presence::Default(value) if !Types::is_option(component) => constant(self.types, component.type_id, value),
            _ => "None".into(),
        }
    }
}

/// Text as the source of a constant of octets.
pub(crate) fn octets_literal(text: &str) -> String {
    format!("b\"{}\"", text.as_bytes().escape_ascii())
}

/// The comparisons that tell whether a number of a primitive type is outside its bounds: none where the type holds no others.
fn outside(rust: &str, value: &str, lower: i128, upper: i128) -> Vec<String> {
    let (least, most) = bounds(rust);
    let mut outside = Vec::new();
    if lower > least {
        outside.push(format!("{value} < {lower}"));
    }
    if upper < most {
        outside.push(format!("{value} > {upper}"));
    }
    outside
}

/// What a primitive type holds.
fn bounds(rust: &str) -> (i128, i128) {
    match rust {
        "u8" => (0, u8::MAX.into()),
        "u16" => (0, u16::MAX.into()),
        "u32" => (0, u32::MAX.into()),
        "u64" => (0, u64::MAX.into()),
        "i8" => (i8::MIN.into(), i8::MAX.into()),
        "i16" => (i16::MIN.into(), i16::MAX.into()),
        "i32" => (i32::MIN.into(), i32::MAX.into()),
        _ => (i64::MIN.into(), i64::MAX.into()),
    }
}
