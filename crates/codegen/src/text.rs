//! Shared by straight-line code for text: constants between the values, in the one form that is written.

use std::collections::{HashMap, HashSet};

use roadwire_layout::{Layout, NodeId, Span};
use roadwire_model::{Alternative, Component, Kind, TypeId};

use crate::Pdu;
use crate::names::snake;
use crate::open::Keys;
use crate::packed::run::Place;
use crate::parts::Variant;
use crate::source::Source;
use crate::types::{Repr, Storage, Types, bounds};

/// Constant text of more octets than this is written before alternatives, not in each of them.
const WAITING: usize = 1000;

/// Writes a function's body: from `value` to the writer `w`, or from the reader `r` to `value`.
pub(crate) type Body = fn(&mut TextCode<'_, '_>, TypeId, NodeId);

/// A notation: how its functions' bodies are written, and their names.
pub(crate) struct Notation {
    pub(crate) encode: Body,
    pub(crate) decode: Body,
    /// The suffix of part functions' names, if a part is not the same in all messages.
    pub(crate) suffix: String,
}

/// The direction of a function.
struct Direction {
    verb: &'static str,
    /// The variable of the writer or reader.
    stream: &'static str,
    /// The method for constant text.
    constant: &'static str,
    /// How a value is passed to a function.
    value: fn(&Place) -> String,
}

const ENCODE: Direction = Direction { verb: "encode", stream: "w", constant: "put", value: Place::shared };
const DECODE: Direction = Direction { verb: "decode", stream: "r", constant: "expect", value: Place::exclusive };

/// Writes the functions of a message, and those of its parts that are not in `written` yet.
pub(crate) fn write(
    pdu: &Pdu<'_, '_>,
    content: NodeId,
    notation: &Notation,
    written: &mut HashSet<TypeId>,
    out: &mut Source,
) {
    let suffix = notation.suffix.as_str();
    let mut parts = Parts::default();
    out.line("");
    pdu.begin_encode(out);
    out.line("let mut w = wire::rt::text::TextWriter::new(output);");
    (notation.encode)(&mut TextCode::new(pdu, &ENCODE, suffix, &mut parts, out), pdu.root, content);
    out.line("Ok(w.position())");
    out.line("}");
    out.line("");
    pdu.begin_decode(out);
    out.line("let mut r = wire::rt::text::TextReader::new(input);");
    (notation.decode)(&mut TextCode::new(pdu, &DECODE, suffix, &mut parts, out), pdu.root, content);
    out.line("r.finish()");
    out.line("}");
    while let Some((id, node)) = parts.called.pop() {
        if !written.insert(id) {
            continue;
        }
        out.is_message = false;
        let (Repr::Struct(name) | Repr::Choice(name)) = pdu.types.repr(id) else { continue };
        let function = format!("{}{suffix}", snake(name));
        out.line("");
        out.line(format!(
            "fn encode_{function}(value: &{name}, writer: &mut wire::rt::text::TextWriter<'_>) -> Result<(), wire::Rejected> {{"
        ));
        out.line("let mut w = core::mem::take(writer);");
        (notation.encode)(&mut TextCode::new(pdu, &ENCODE, suffix, &mut parts, out), id, node);
        out.line("*writer = w;");
        out.line("Ok(())");
        out.line("}");
        out.line("");
        out.line(format!(
            "fn decode_{function}(value: &mut {name}, reader: &mut wire::rt::text::TextReader<'_>) -> Result<(), wire::Rejected> {{"
        ));
        out.line("let mut r = *reader;");
        (notation.decode)(&mut TextCode::new(pdu, &DECODE, suffix, &mut parts, out), id, node);
        out.line("*reader = r;");
        out.line("Ok(())");
        out.line("}");
    }
}

/// Types with functions of their own.
#[derive(Default)]
pub(crate) struct Parts {
    /// Those that are called, and so must be written.
    called: Vec<(TypeId, NodeId)>,
    /// The node of each; another use of the type may have another.
    nodes: HashMap<TypeId, NodeId>,
}

/// A function's body being written.
pub(crate) struct TextCode<'a, 'm> {
    pub(crate) types: &'a Types<'m>,
    pub(crate) layout: &'a Layout,
    pub(crate) out: &'a mut Source,
    direction: &'static Direction,
    suffix: &'a str,
    parts: &'a mut Parts,
    /// Pending constant text.
    pub(crate) text: String,
    /// The components so far that select types of open types.
    pub(crate) keys: Keys,
}

impl<'a, 'm> TextCode<'a, 'm> {
    fn new(
        pdu: &'a Pdu<'_, 'm>,
        direction: &'static Direction,
        suffix: &'a str,
        parts: &'a mut Parts,
        out: &'a mut Source,
    ) -> Self {
        out.begin_body();
        TextCode {
            types: pdu.types,
            layout: &pdu.layout,
            out,
            direction,
            suffix,
            parts,
            text: String::new(),
            keys: Keys::default(),
        }
    }

    /// A component has been written or read; see [`Keys::pass`].
    pub(crate) fn pass(&mut self, component: &Component, node: NodeId, field: &Place) {
        self.keys.pass(self.types, self.layout, component, node, field);
    }

    /// Leaves a recursive part to the interpreter, which counts levels, or a part to its separate function; returns whether it did.
    pub(crate) fn leaves(&mut self, id: TypeId, node: NodeId, place: &Place) -> bool {
        if self.types.is_recursive(id) {
            self.out.enter(id);
            self.leave_to_interpreter();
            self.out.leave();
            return true;
        }
        let Some(function) = self.function(id, node) else { return false };
        let Direction { verb, stream, value, .. } = self.direction;
        self.apart(&format!("{verb}_{function}({}, &mut {stream})?;", value(place)));
        true
    }

    /// A call that takes the address of the writer or reader, with a copy, so that it stays in registers itself.
    pub(crate) fn apart(&mut self, call: &str) {
        let stream = self.direction.stream;
        self.flush();
        self.out.line(format!("{stream} = {{"));
        self.out.line(format!("let mut {stream} = {stream};"));
        self.out.line(call);
        self.out.line(stream);
        self.out.line("};");
    }

    /// The separate function of a part, if it has one, which must then be written.
    fn function(&mut self, id: TypeId, node: NodeId) -> Option<String> {
        let types = self.types;
        let (Repr::Struct(name) | Repr::Choice(name)) = types.repr(id) else { return None };
        let function = format!("{}{}", snake(name), self.suffix);
        if self.out.has_given_up() {
            return Some(function);
        }
        if !(types.is_function(id) || types.is_shared(id, false)) || *self.parts.nodes.entry(id).or_insert(node) != node
        {
            return None;
        }
        self.parts.called.push((id, node));
        Some(function)
    }

    /// Writes a whole number within bounds.
    pub(crate) fn put_number(&mut self, id: TypeId, (lower, upper): (i128, i128), place: &Place) {
        let Some(rust) = self.types.word(id).filter(|rust| *rust != "i128") else {
            return self.leave_to_interpreter();
        };
        self.flush();
        let value = match self.types.repr(id) {
            Repr::AnyInteger => {
                let value = self.out.variable();
                self.out.line(format!("let {value} = {};", self.types.number(id, place)));
                value
            }
            _ => place.value(),
        };
        let outside = outside(rust, &value, lower, upper);
        if !outside.is_empty() {
            self.out.refuse_if(&outside.join(" || "));
        }
        let signed = rust.starts_with('i') && lower < 0;
        let (put, wide) = if signed { ("put_signed", "i64") } else { ("put_unsigned", "u64") };
        self.out.line(format!("w.{put}({value} as {wide})?;"));
    }

    /// Reads a whole number within bounds.
    pub(crate) fn take_number(&mut self, id: TypeId, (lower, upper): (i128, i128), place: &Place) {
        let Some(rust) = self.types.word(id).filter(|rust| *rust != "i128") else {
            return self.leave_to_interpreter();
        };
        self.flush();
        let (number, signed) = (self.out.variable(), lower < 0);
        self.out.line(format!("let {number} = r.take_{}()?;", if signed { "signed" } else { "unsigned" }));
        let wide = if signed { "i64" } else { "u64" };
        // A number that does not fit into the type is also outside its bounds.
        let (least, most) = bounds(rust);
        let outside = outside(wide, &number, lower.max(least), upper.min(most));
        if !outside.is_empty() {
            self.out.refuse_if(&outside.join(" || "));
        }
        self.out.line(self.types.set_number(id, place, &format!("{number} as {rust}")));
    }

    /// Writes the alternatives of a CHOICE: pending text continues inside each.
    pub(crate) fn put_alternatives(
        &mut self,
        id: TypeId,
        alternatives: Span,
        place: &Place,
        mut put: impl FnMut(&mut Self, &Alternative, NodeId, &Place),
    ) {
        let Some(variants) = self.types.variants(id) else { return self.leave_to_interpreter() };
        if self.text.len() > WAITING {
            self.flush();
        }
        let before = std::mem::take(&mut self.text);
        self.out.line(format!("match {} {{", place.shared()));
        for one in self.layout.alternatives(alternatives) {
            let Variant { path, alternative, .. } = &variants[one.alternative as usize];
            let inner = self.out.variable();
            self.out.line(format!("{path}({inner}) => {{"));
            self.text.clone_from(&before);
            put(self, alternative, one.node, &Place::reference(inner));
            self.flush();
            self.out.line("}");
        }
        if matches!(self.types.kind(id), Kind::Choice { extensible: true, .. }) {
            self.out.line("_ => return Err(wire::Rejected),");
        }
        self.out.line("}");
    }

    /// Reads the alternatives of a CHOICE, selected by conditions.
    pub(crate) fn take_alternatives(
        &mut self,
        id: TypeId,
        alternatives: Span,
        place: &Place,
        mut comes: impl FnMut(&mut Self, &Alternative, NodeId) -> Option<String>,
        mut take: impl FnMut(&mut Self, &Alternative, NodeId, &Place),
    ) {
        let Some(variants) = self.types.variants(id) else { return self.leave_to_interpreter() };
        self.flush();
        for one in self.layout.alternatives(alternatives) {
            let variant = &variants[one.alternative as usize];
            let Some(comes) = comes(self, variant.alternative, one.node) else { continue };
            self.out.line(format!("if {comes} {{"));
            let inner = self.types.choose(variant, place, self.out);
            take(self, variant.alternative, one.node, &Place::reference(inner));
            self.flush();
            self.out.line("} else");
        }
        self.out.line("{");
        self.out.line("return Err(wire::Rejected);");
        self.out.line("}");
    }

    /// Refuses a list of another length; an inline list cannot exceed its bound.
    pub(crate) fn refuse_other_lengths(&mut self, list: &str, (lower, upper): (u64, u64), storage: Storage) {
        if lower == 0 && storage == Storage::Inline(upper) {
            return;
        }
        if upper < u64::MAX {
            self.out.refuse_if(&format!("!({lower}..={upper}).contains(&({list}.len() as u64))"));
        } else if lower > 0 {
            self.out.refuse_if(&format!("({list}.len() as u64) < {lower}"));
        }
    }

    pub(crate) fn leave_to_interpreter(&mut self) {
        self.text.clear();
        self.out.give_up();
    }

    /// Writes or reads the pending constant text.
    pub(crate) fn flush(&mut self) {
        let text = std::mem::take(&mut self.text);
        if !text.is_empty() {
            let Direction { stream, constant, .. } = self.direction;
            self.out.line(format!("{stream}.{constant}({})?;", octets_literal(&text)));
        }
    }
}

/// Text as the source of a constant of octets.
pub(crate) fn octets_literal(text: &str) -> String {
    format!("b\"{}\"", text.as_bytes().escape_ascii())
}

/// The comparisons that show whether a number of a primitive type is outside its bounds: none if the type holds no others.
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
