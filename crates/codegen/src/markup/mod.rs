//! Straight-line code for XML documents: tags are constants, in the one form that is written.
//!
//! Left to the interpreter, besides what straight-line code leaves it everywhere: attributes, components and alternatives without tags of their own, real numbers, object
//! identifiers, open types, times, bit strings that are long or have named bits, octet strings in base 64 or with an extension marker, and white space that means nothing.

mod decode;
mod encode;

use std::collections::HashSet;

use roadwire_layout::{Layout, Member, Node, NodeId, Rules, XmlNode};
use roadwire_model::TypeId;

use crate::Pdu;
use crate::markup::decode::DecodeWriter;
use crate::markup::encode::EncodeWriter;
use crate::source::Source;
use crate::text::{self, Notation};

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
        // Encoding instructions may make a part another one in each message.
        notation.suffix = format!("_of_{}", pdu.functions());
        return text::write(pdu, content, &notation, &mut HashSet::new(), out);
    }
    text::write(pdu, content, &notation, written, out);
}

/// Whether an element with a content can be an empty one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Emptiness {
    Never,
    Always,
    Sometimes,
}

/// Of what is in an element.
fn emptiness(layout: &Layout, content: NodeId) -> Emptiness {
    let Node::Xml(node) = *layout.node(content) else { return Emptiness::Sometimes };
    let is_never = match node {
        XmlNode::Empty => return Emptiness::Always,
        XmlNode::Binary { lower, extensible, .. }
        | XmlNode::OctetDigits { lower, extensible, .. }
        | XmlNode::CharacterData { lower, extensible, .. } => lower > 0 && !extensible,
        XmlNode::Elements { lower, extensible, element, .. } => {
            lower > 0 && !extensible && emptiness(layout, element) == Emptiness::Never
        }
        XmlNode::Components { members, .. } => layout.members(members).iter().any(|member| {
            member.presence == roadwire_layout::Presence::Mandatory
                && emptiness(layout, member.node) == Emptiness::Never
        }),
        XmlNode::OneOf { alternatives, .. } => {
            layout.alternatives(alternatives).iter().all(|one| emptiness(layout, one.node) == Emptiness::Never)
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

/// The name and the content of what has tags of its own.
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

/// Those of a record, groups of additions aside; `None` where they are for the interpreter.
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
