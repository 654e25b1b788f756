//! Straight-line code for XML documents: tags are constants, in the one form that is written.
//!
//! Left to the interpreter, besides what all straight-line code leaves to it: attributes, components and alternatives without tags, real numbers, object
//! identifiers, open types, times, bit strings that are long or have named bits, octet strings in base 64 or with an extension marker, and insignificant white space.

mod decode;
mod encode;

use std::collections::HashSet;

use roadwire_layout::{Layout, Member, Node, NodeId, Rules, Span, XmlNode};
use roadwire_model::TypeId;

use crate::Pdu;
use crate::packed::run::Place;
use crate::source::Source;
use crate::text::{self, Notation, TextCode, octets_literal};
use crate::xml::decode::DecodeWriter;
use crate::xml::encode::EncodeWriter;

/// Writes the functions of a message, and those of its parts that are not in `written` yet.
pub(crate) fn write(pdu: &Pdu<'_, '_>, written: &mut HashSet<TypeId>, out: &mut Source) {
    let content = match *pdu.layout.node(pdu.layout.root) {
        Node::Xml(XmlNode::Prolog { element, namespaces }) if namespaces.count == 0 => element,
        _ => return crate::interpreted(pdu, out),
    };
    let mut notation = Notation {
        encode: |code, id, node| EncodeWriter { code }.body(id, node),
        decode: |code, id, node| DecodeWriter { code }.body(id, node),
        suffix: String::new(),
    };
    if pdu.layout.rules == Rules::Exer {
        // Encoding instructions may change a part in each message.
        notation.suffix = format!("_of_{}", pdu.functions());
        return text::write(pdu, content, &notation, &mut HashSet::new(), out);
    }
    text::write(pdu, content, &notation, written, out);
}

/// What encoders and decoders do with each kind of node.
trait Walk<'a, 'm: 'a> {
    fn code(&mut self) -> &mut TextCode<'a, 'm>;
    fn record(&mut self, id: TypeId, node: XmlNode, place: &Place);
    fn choice(&mut self, id: TypeId, alternatives: Span, place: &Place);
    fn list(&mut self, id: TypeId, node: XmlNode, place: &Place);
    fn truth(&mut self, is_text: bool, place: &Place);
    fn number(&mut self, id: TypeId, bounds: (i128, i128), place: &Place);
    fn item(&mut self, id: TypeId, items: Span, is_text: bool, place: &Place);
    fn bits(&mut self, id: TypeId, node: XmlNode, place: &Place);
    fn digits(&mut self, id: TypeId, bounds: (u64, u64), place: &Place);
    fn characters(&mut self, id: TypeId, node: XmlNode, place: &Place);

    /// A start tag of an element that may be empty, up to the part that depends on the value.
    fn open_tag(&self, name: &str) -> String;

    /// Begins the content of an element that may be empty, and returns a variable that is needed at its end.
    fn enter(&mut self) -> String;

    /// Ends it.
    fn leave(&mut self, entered: &str, end_tag: &str);

    /// Writes a function's body: from `value` to the writer `w`, or from the reader `r` to `value`.
    fn body(&mut self, id: TypeId, node: NodeId) {
        let value = Place::reference("value");
        let (id, layout) = (self.code().types.canonical(id), self.code().layout);
        match tags(layout, node) {
            Some((name, content)) => self.element(name, content, |walk| walk.structure(id, content, &value)),
            None => self.structure(id, node, &value),
        }
        self.code().flush();
    }

    fn value(&mut self, id: TypeId, node: NodeId, place: &Place) {
        let layout = self.code().layout;
        match tags(layout, node) {
            Some((name, content)) => self.element(name, content, |walk| walk.part(id, content, place)),
            None => self.part(id, node, place),
        }
    }

    fn element(&mut self, name: &str, content: NodeId, inside: impl FnOnce(&mut Self)) {
        let tag = self.start_tag(name, content);
        self.code().text.push_str(&tag);
        self.content(name, content, inside);
    }

    /// A start tag, up to the part that depends on the value.
    fn start_tag(&mut self, name: &str, content: NodeId) -> String {
        match emptiness(self.code().layout, content) {
            Emptiness::Always => format!("<{name}/>"),
            Emptiness::Never => format!("<{name}>"),
            Emptiness::Sometimes => self.open_tag(name),
        }
    }

    /// An element, from after the constant part of its start tag.
    fn content(&mut self, name: &str, content: NodeId, inside: impl FnOnce(&mut Self)) {
        match emptiness(self.code().layout, content) {
            Emptiness::Always => {}
            Emptiness::Never => {
                inside(self);
                self.code().text.push_str(&format!("</{name}>"));
            }
            Emptiness::Sometimes => {
                self.code().flush();
                let entered = self.enter();
                inside(self);
                self.code().flush();
                self.leave(&entered, &octets_literal(&format!("</{name}>")));
            }
        }
    }

    /// A part: by its separate function, if it has one.
    fn part(&mut self, id: TypeId, node: NodeId, place: &Place) {
        let id = self.code().types.canonical(id);
        if !self.code().leaves(id, node, place) {
            self.structure(id, node, place);
        }
    }

    fn structure(&mut self, id: TypeId, node: NodeId, place: &Place) {
        self.code().out.enter(id);
        self.inside(id, node, place);
        self.code().out.leave();
    }

    fn inside(&mut self, id: TypeId, node: NodeId, place: &Place) {
        let layout = self.code().layout;
        let Node::Xml(xml) = *layout.node(node) else { return self.code().leave_to_interpreter() };
        match xml {
            XmlNode::Components { .. } => self.record(id, xml, place),
            XmlNode::OneOf { alternatives, .. } => self.choice(id, alternatives, place),
            XmlNode::Elements { spaced: false, .. } => self.list(id, xml, place),
            XmlNode::Empty => {}
            XmlNode::TrueFalse { text } => self.truth(text, place),
            XmlNode::Decimal { range, extensible, names } if names.count == 0 => {
                match bounds(layout, range, extensible) {
                    Some(bounds) => self.number(id, bounds, place),
                    None => self.code().leave_to_interpreter(),
                }
            }
            XmlNode::ItemName { items, text, .. } => self.item(id, items, text, place),
            XmlNode::Binary { .. } => self.bits(id, xml, place),
            XmlNode::OctetDigits { lower, upper, extensible: false, base64: false, contains: false } => {
                self.digits(id, (lower, upper), place);
            }
            XmlNode::CharacterData { controls: true, .. } => self.characters(id, xml, place),
            _ => self.code().leave_to_interpreter(),
        }
    }
}

/// Whether an element with this content can be empty.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Emptiness {
    Never,
    Always,
    Sometimes,
}

/// The most nodes to visit: the content of an element may contain the same merged parts many times. Beyond it, nothing is known.
const NODES: u32 = 10_000;

/// Whether an element with this content can be empty.
fn emptiness(layout: &Layout, content: NodeId) -> Emptiness {
    emptiness_of(layout, content, &mut { NODES })
}

fn emptiness_of(layout: &Layout, content: NodeId, left: &mut u32) -> Emptiness {
    let (Node::Xml(node), Some(fewer)) = (*layout.node(content), left.checked_sub(1)) else {
        return Emptiness::Sometimes;
    };
    *left = fewer;
    let mut is_never_empty = |node: NodeId| emptiness_of(layout, node, left) == Emptiness::Never;
    let is_never = match node {
        XmlNode::Empty => return Emptiness::Always,
        XmlNode::Binary { lower, extensible, .. }
        | XmlNode::OctetDigits { lower, extensible, .. }
        | XmlNode::CharacterData { lower, extensible, .. } => lower > 0 && !extensible,
        XmlNode::Elements { lower, extensible, element, .. } => lower > 0 && !extensible && is_never_empty(element),
        XmlNode::Components { members, .. } => layout
            .members(members)
            .iter()
            .any(|member| member.presence == roadwire_layout::Presence::Mandatory && is_never_empty(member.node)),
        XmlNode::OneOf { alternatives, .. } => {
            layout.alternatives(alternatives).iter().all(|one| is_never_empty(one.node))
        }
        XmlNode::Tags { .. }
        | XmlNode::TrueFalse { .. }
        | XmlNode::Decimal { .. }
        | XmlNode::ItemName { .. }
        | XmlNode::Scientific { .. }
        | XmlNode::Arcs { .. } => true,
        XmlNode::Prolog { .. }
        | XmlNode::Namespace { .. }
        | XmlNode::Attribute { .. }
        | XmlNode::OrEmpty { .. }
        | XmlNode::CanonicalTime { .. }
        | XmlNode::Typed { .. } => false,
    };
    if is_never { Emptiness::Never } else { Emptiness::Sometimes }
}

/// The name and the content of a node with tags.
fn tags(layout: &Layout, node: NodeId) -> Option<(&str, NodeId)> {
    match *layout.node(node) {
        Node::Xml(XmlNode::Tags { name, namespace: None, content }) => Some((layout.name(name), content)),
        _ => None,
    }
}

/// A record's components in the order in which they are written.
struct Components {
    members: Vec<Member>,
    extensible: bool,
    complete: bool,
}

/// The components of a record, without addition groups; `None` if they are left to the interpreter.
fn components(layout: &Layout, node: XmlNode) -> Option<Components> {
    let XmlNode::Components { attributes, members, before, additions, extensible, complete, embedded: false, .. } =
        node
    else {
        return None;
    };
    let (first, last) = layout.members(members).split_at_checked(before as usize)?;
    let singles = layout.additions(additions).iter().filter_map(|addition| match addition {
        roadwire_layout::Addition::Single(member) => Some(member),
        roadwire_layout::Addition::Group(_) => None,
    });
    let members: Vec<Member> = first.iter().chain(singles).chain(last).copied().collect();
    let all_have_tags = members.iter().all(|member| tags(layout, member.node).is_some());
    (attributes.count == 0 && all_have_tags).then_some(Components { members, extensible, complete })
}

/// The bounds of a number.
fn bounds(layout: &Layout, range: NodeId, extensible: bool) -> Option<(i128, i128)> {
    match *layout.node(range) {
        _ if extensible => Some((i128::MIN, i128::MAX)),
        Node::Word { lower, upper, .. } => Some((lower, upper)),
        Node::Integer { lower, upper, .. } => Some((lower.unwrap_or(i128::MIN), upper.unwrap_or(i128::MAX))),
        _ => None,
    }
}
