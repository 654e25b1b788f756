//! Straight-line code for the presentation language: an offset in the output, and the rest of the input, are passed by value. Adjacent parts of fixed width
//! are one run of octets, with one length check.

mod conditions;
mod decode;
mod encode;

use std::collections::HashSet;

use roadwire_layout::{Alternative, Layout, Node, NodeId, Properties, Span, VectorNode};
use roadwire_model::TypeId;

use crate::Pdu;
use crate::names::snake;
use crate::packed::run::Place;
use crate::parts::Variant;
use crate::source::Source;
use crate::types::taps::Heard;
use crate::types::{Repr, Types};
use crate::vectors::decode::DecodeWriter;
use crate::vectors::encode::EncodeWriter;

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

/// A recursive type checks that all levels of its body are left; enclosing types have left room for all others.
fn enough_levels(types: &Types<'_>, id: TypeId, out: &mut Source) {
    if types.is_recursive(id) {
        out.refuse_if(&format!("levels < {}", types.levels(id)));
    }
}

/// The suffix of the names of a type's functions.
fn function(types: &Types<'_>, id: TypeId) -> String {
    snake(types.repr(id).name())
}

/// A function's body being written.
struct Code<'a, 'm> {
    types: &'a Types<'m>,
    layout: &'a Layout,
    properties: &'a Properties,
    out: &'a mut Source,
    /// Types whose functions are called, and so must be written.
    called: &'a mut Vec<(TypeId, NodeId)>,
    /// The node whose function it is.
    node: NodeId,
    /// How many levels of nesting surround the current part in this function.
    depth: u32,
    /// Whether taps are called for parts of these messages.
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

    /// The end of a call of a part's function, which must then be written; `message` is the additional argument of a decoder with a tap.
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

    /// The number of a tapped component.
    fn tap(&self, id: TypeId, component: u32) -> Option<usize> {
        self.types.tap(id, component as usize).filter(|_| self.told)
    }
}

/// The walk shared by encoders and decoders.
trait Walk<'a, 'm: 'a> {
    fn code(&mut self) -> &mut Code<'a, 'm>;

    /// Writes or reads the pending parts.
    fn flush(&mut self);

    /// Gives up.
    fn leave_to_interpreter(&mut self);

    /// The arguments of a tap at the end of a part, as expressions: the message so far, and the next bit.
    const SO_FAR: (&'static str, &'static str);

    /// A component that may be tapped.
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

    /// A value of a fixed number of octets.
    fn fixed(&mut self, id: TypeId, fixed: Fixed, place: &Place);
    fn ones_number(&mut self, id: TypeId, node: &VectorNode, place: &Place);
    fn octets_of(&mut self, id: TypeId, node: &VectorNode, place: &Place);
    fn list(&mut self, id: TypeId, count: u64, element: NodeId, place: &Place);
    fn vector(&mut self, id: TypeId, node: &VectorNode, place: &Place);
    fn choice(&mut self, id: TypeId, node: &VectorNode, place: &Place);
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

    /// An element or an optional part: inline, or by a separate function.
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
            Node::Vectors(ref node) => match *node {
                VectorNode::Variable | VectorNode::Psid => self.ones_number(id, node, place),
                VectorNode::Choice { .. } => self.choice(id, node, place),
                VectorNode::Octets { .. } => self.octets_of(id, node, place),
                VectorNode::Vector { .. } => self.vector(id, node, place),
                VectorNode::Struct { members, .. } => self.conditional(id, members, place),
                VectorNode::Item { .. } | VectorNode::Flags { .. } => self.leave_to_interpreter(),
            },
            _ => self.leave_to_interpreter(),
        }
        self.code().depth -= 1;
    }
}

/// A value of a fixed number of octets that is neither a record nor a list.
#[derive(Clone, Copy)]
enum Fixed {
    Nothing,
    /// An integer, with its number of octets and its bounds.
    Word {
        octets: usize,
        signed: bool,
        lower: i128,
        upper: i128,
    },
    /// An octet string of this many octets.
    Array(usize),
    /// An enumeration item's number.
    Item {
        octets: usize,
        extensible: bool,
        values: Span,
    },
    /// A bit string with seven bits for each octet.
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
            (Node::Vectors(VectorNode::Item { bits, extensible, values, .. }), Repr::Enum(_)) => {
                Fixed::Item { octets: usize::from(bits) / 8, extensible, values }
            }
            (Node::Vectors(VectorNode::Flags { octets }), Repr::BitFlags { .. }) => {
                Fixed::Flags { octets: octets.into() }
            }
            _ => return None,
        })
    }
}

/// The alternatives of a CHOICE: for each the layout's alternative, its number, and its variant.
fn alternatives<'a, 'm>(
    code: &Code<'a, 'm>,
    id: TypeId,
    (alternatives, numbers): (Span, Span),
) -> Option<Vec<(&'a Alternative, u32, Variant<'m>)>> {
    let mut variants: Vec<Option<Variant<'m>>> = code.types.variants(id)?.into_iter().map(Some).collect();
    let all = code.layout.alternatives(alternatives).iter().zip(code.layout.numbers(numbers));
    all.map(|(one, number)| Some((one, *number, variants.get_mut(one.alternative as usize)?.take()?))).collect()
}
