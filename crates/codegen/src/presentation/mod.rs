//! Straight-line code for the presentation language: octets at a place in the output, and what is left of the input, both handed on by value. Parts of fixed width one after the other
//! are one stretch of octets, of which it is looked at once whether it is there.

mod conditions;
mod decode;
mod encode;

use std::collections::HashSet;

use roadwire_layout::{Alternative, Layout, Node, NodeId, PresentationNode, Properties, Span};
use roadwire_model::TypeId;

use crate::Pdu;
use crate::names::snake;
use crate::packed::run::Place;
use crate::parts::Variant;
use crate::presentation::decode::DecodeWriter;
use crate::presentation::encode::EncodeWriter;
use crate::source::Source;
use crate::taps::Heard;
use crate::types::{Repr, Types};

/// Writes the functions of a message, and those of its parts that are not in `written` yet.
pub(crate) fn write(pdu: &Pdu<'_, '_>, written: &mut HashSet<TypeId>, out: &mut Source) {
    let (types, root) = (pdu.types, pdu.root);
    let mut called = Vec::new();
    let levels = if types.reaches_recursion(root) { "let levels = engine::Limits::DEPTH;" } else { "" };
    out.line("");
    pdu.begin_encode(out);
    if pdu.is_told() {
        let functions = pdu.functions();
        out.line(format!("{functions}_encode_tapped(value, output, &mut ())"));
        out.line("}");
        out.line("");
        pdu.begin_decode(out);
        out.line(format!("{functions}_decode_tapped(value, input, &mut ())"));
        out.line("}");
        out.line("");
        let tap = Heard::TAP;
        out.line(format!("{}{} {{", tap.visible, pdu.encoder(&format!("{functions}_encode_tapped"), tap)));
    }
    out.line(levels);
    out.line("let mut at = 0usize;");
    EncodeWriter { code: Code::new(pdu, pdu.layout.root, &mut called, out), run: Vec::new() }.message(root);
    out.line("Ok(at)");
    out.line("}");
    out.line("");
    if pdu.is_told() {
        let tap = Heard::TAP;
        out.line(format!("{}{} {{", tap.visible, pdu.decoder(&format!("{}_decode_tapped", pdu.functions()), tap)));
        out.line("let message = input;");
    } else {
        pdu.begin_decode(out);
    }
    out.line(levels);
    out.line("let mut r = input;");
    DecodeWriter { code: Code::new(pdu, pdu.layout.root, &mut called, out), run: Vec::new() }.message(root);
    out.line("Ok((input.len() - r.len()) * 8)");
    out.line("}");
    while let Some((id, node)) = called.pop() {
        if !written.insert(id) {
            continue;
        }
        out.is_message = false;
        let (name, function) = (types.repr(id).name(), function(types, id));
        let levels = if types.reaches_recursion(id) { ", levels: u32" } else { "" };
        let tap = if pdu.is_told() && types.leads_to_tap(id) { Heard::TAP } else { Heard::NOBODY };
        out.line("");
        out.line(format!(
            "fn encode_{function}{}(value: &{}, output: &mut [u8], at: usize{levels}{}) -> Result<usize, wire::Rejected> {{",
            tap.generic(None),
            types.with_lifetime(name, id, "'_"),
            tap.parameter
        ));
        enough_levels(types, id, out);
        out.line("let mut at = at;");
        EncodeWriter { code: Code::new(pdu, node, &mut called, out), run: Vec::new() }.body(id);
        out.line("Ok(at)");
        out.line("}");
        out.line("");
        let message = if tap.is_tap() { ", message: &[u8]" } else { "" };
        out.line(format!(
            "fn decode_{function}{}(value: &mut {}, input: &'a [u8]{levels}{message}{}) -> Result<&'a [u8], wire::Rejected> {{",
            tap.generic(Some("'a")),
            types.with_lifetime(name, id, "'a"),
            tap.parameter
        ));
        enough_levels(types, id, out);
        out.line("let mut r = input;");
        DecodeWriter { code: Code::new(pdu, node, &mut called, out), run: Vec::new() }.body(id);
        out.line("Ok(r)");
        out.line("}");
    }
}

/// A type that contains itself asks for all levels of its body; what is around it has left room for all others.
fn enough_levels(types: &Types<'_>, id: TypeId, out: &mut Source) {
    if types.is_recursive(id) {
        out.refuse_if(&format!("levels < {}", types.levels(id)));
    }
}

/// What the names of the functions of a type end with.
fn function(types: &Types<'_>, id: TypeId) -> String {
    snake(types.repr(id).name())
}

/// A function's body being written.
struct Code<'a, 'm> {
    types: &'a Types<'m>,
    layout: &'a Layout,
    properties: &'a Properties,
    out: &'a mut Source,
    /// Types whose functions are called and so have to be written.
    called: &'a mut Vec<(TypeId, NodeId)>,
    /// Whose function it is.
    node: NodeId,
    /// How many levels of nesting there are around what is being written, in this function.
    depth: u32,
    /// Whether taps hear of parts of messages of this kind.
    told: bool,
}

impl<'a, 'm> Code<'a, 'm> {
    fn new(pdu: &'a Pdu<'a, 'm>, node: NodeId, called: &'a mut Vec<(TypeId, NodeId)>, out: &'a mut Source) -> Self {
        out.begin_body();
        Code {
            types: pdu.types,
            layout: &pdu.layout,
            properties: &pdu.properties,
            out,
            called,
            node,
            depth: 0,
            told: pdu.is_told(),
        }
    }

    fn variable(&mut self) -> String {
        self.out.variable()
    }

    /// What a call of a function of a part ends with, which has to be written; `message` is what a decoder with a tap is handed beside it.
    fn call(&mut self, id: TypeId, node: NodeId, message: &str) -> String {
        if !self.out.has_given_up() {
            self.called.push((id, node));
        }
        let levels = match self.types.reaches_recursion(id) {
            true => format!(", levels - {}", self.depth),
            false => String::new(),
        };
        if self.told && self.types.leads_to_tap(id) { format!("{levels}{message}, tap") } else { levels }
    }

    /// The number of a component that a tap hears of.
    fn tap(&self, id: TypeId, component: u32) -> Option<usize> {
        self.types.tap(id, component as usize).filter(|_| self.told)
    }
}

/// What encoders and decoders walk alike.
trait Walk<'a, 'm: 'a> {
    fn code(&mut self) -> &mut Code<'a, 'm>;

    /// Writes out, or reads, what waits.
    fn flush(&mut self);

    /// Gives up.
    fn leave_to_interpreter(&mut self);

    /// The message so far, where a tap is told that a part ends, and the next bit, as expressions.
    const SO_FAR: (&'static str, &'static str);

    /// A component that a tap may hear of.
    fn component(&mut self, tap: Option<usize>, value: impl FnOnce(&mut Self))
    where
        Self: Sized,
    {
        let Some(part) = tap else { return value(self) };
        let (message, at) = Self::SO_FAR;
        self.flush();
        self.code().out.line(format!("tap.begins({part}, {at});"));
        value(self);
        self.flush();
        self.code().out.line(format!("tap.ends({part}, {message}, {at});"));
    }

    /// What takes the same number of octets always.
    fn fixed(&mut self, id: TypeId, fixed: Fixed, place: &Place);
    fn ones_number(&mut self, id: TypeId, node: &PresentationNode, place: &Place);
    fn octets_of(&mut self, id: TypeId, node: &PresentationNode, place: &Place);
    fn list(&mut self, id: TypeId, count: u64, element: NodeId, place: &Place);
    fn vector(&mut self, id: TypeId, node: &PresentationNode, place: &Place);
    fn choice(&mut self, id: TypeId, node: &PresentationNode, place: &Place);
    fn conditional(&mut self, id: TypeId, members: Span, place: &Place);
    fn call(&mut self, id: TypeId, node: NodeId, place: &Place);

    /// A whole message's body.
    fn message(&mut self, id: TypeId) {
        let node = self.code().node;
        self.value(id, node, &Place::reference("value"));
        self.flush();
    }

    /// The body of a part's function.
    fn body(&mut self, id: TypeId) {
        let (id, node) = (self.code().types.canonical(id), self.code().node);
        self.structure(id, node, &Place::reference("value"));
        self.flush();
    }

    /// An element, or what may be absent: here, or by a function of its own.
    fn part(&mut self, id: TypeId, node: NodeId, place: &Place) {
        let id = self.code().types.canonical(id);
        if self.code().types.is_function(id) { self.call(id, node, place) } else { self.value(id, node, place) }
    }

    /// An alternative.
    fn content(&mut self, id: TypeId, node: NodeId, place: &Place) {
        if self.code().types.has_list(id) { self.part(id, node, place) } else { self.value(id, node, place) }
    }

    fn value(&mut self, id: TypeId, node: NodeId, place: &Place) {
        let id = self.code().types.canonical(id);
        let types = self.code().types;
        if types.is_recursive(id) || types.is_shared(id, false) {
            self.call(id, node, place);
        } else {
            self.structure(id, node, place);
        }
    }

    fn structure(&mut self, id: TypeId, node: NodeId, place: &Place) {
        self.code().out.enter(id);
        self.inside(id, node, place);
        self.code().out.leave();
    }

    fn inside(&mut self, id: TypeId, node: NodeId, place: &Place) {
        if let Some(fixed) = Fixed::of(self.code(), id, node) {
            return self.fixed(id, fixed, place);
        }
        self.code().depth += 1;
        match *self.code().layout.node(node) {
            Node::List { extent, element, .. } => self.list(id, extent.lower, element, place),
            Node::Record { members, .. } => self.conditional(id, members, place),
            Node::Presentation(ref node) => match *node {
                PresentationNode::Variable | PresentationNode::Psid => self.ones_number(id, node, place),
                PresentationNode::Choice { .. } => self.choice(id, node, place),
                PresentationNode::Octets { .. } => self.octets_of(id, node, place),
                PresentationNode::Vector { .. } => self.vector(id, node, place),
                PresentationNode::Struct { members, .. } => self.conditional(id, members, place),
                PresentationNode::Item { .. } | PresentationNode::Flags { .. } => self.leave_to_interpreter(),
            },
            _ => self.leave_to_interpreter(),
        }
        self.code().depth -= 1;
    }
}

/// What takes the same number of octets always, and is neither record nor list.
#[derive(Clone, Copy)]
enum Fixed {
    Nothing,
    /// An integer in so many octets, from where to where it goes.
    Word {
        octets: usize,
        signed: bool,
        lower: i128,
        upper: i128,
    },
    /// An octet string of so many octets.
    Array(usize),
    /// An enumeration item's number.
    Item {
        octets: usize,
        extensible: bool,
        values: Span,
    },
    /// A bit string of seven bits an octet.
    Flags {
        octets: usize,
    },
}

impl Fixed {
    fn of(code: &Code<'_, '_>, id: TypeId, node: NodeId) -> Option<Self> {
        let repr = code.types.repr(id);
        Some(match (*code.layout.node(node), repr) {
            (Node::Null, _) => Fixed::Nothing,
            (Node::Word { width, form, lower, upper }, Repr::Integer(_)) => {
                let roadwire_layout::Width::Anywhere(bits) = width else { return None };
                let signed = form == roadwire_layout::Form::Signed;
                Fixed::Word { octets: bits as usize / 8, signed, lower, upper }
            }
            (Node::Octets { .. }, Repr::FixedOctets(count)) => Fixed::Array(*count as usize),
            (Node::Presentation(PresentationNode::Item { bits, extensible, values, .. }), Repr::Enum(_)) => {
                Fixed::Item { octets: usize::from(bits) / 8, extensible, values }
            }
            (Node::Presentation(PresentationNode::Flags { octets }), Repr::BitFlags { .. }) => {
                Fixed::Flags { octets: octets.into() }
            }
            _ => return None,
        })
    }
}

/// The alternatives of a CHOICE: what each is in the layout, its number, and its variant.
fn alternatives<'a, 'm>(
    code: &Code<'a, 'm>,
    id: TypeId,
    (alternatives, numbers): (Span, Span),
) -> Option<Vec<(&'a Alternative, u32, Variant<'m>)>> {
    let mut variants: Vec<Option<Variant<'m>>> = code.types.variants(id)?.into_iter().map(Some).collect();
    let all = code.layout.alternatives(alternatives).iter().zip(code.layout.numbers(numbers));
    all.map(|(one, number)| Some((one, *number, variants.get_mut(one.alternative as usize)?.take()?))).collect()
}
