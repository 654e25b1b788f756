//! Which elements can be empty.

use roadwire_layout::{Layout, Node, NodeId, Presence, XmlNode};

/// Whether an element with this content can be empty.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Emptiness {
    Never,
    Always,
    Sometimes,
}

/// The most nodes to visit: the content of an element may contain the same merged parts many times.
/// Beyond it, nothing is known.
const NODES: u32 = 10_000;

/// Whether an element with this content can be empty.
pub(super) fn emptiness(layout: &Layout, content: NodeId) -> Emptiness {
    emptiness_of(layout, content, &mut { NODES })
}

fn emptiness_of(layout: &Layout, content: NodeId, left: &mut u32) -> Emptiness {
    let Some(fewer) = left.checked_sub(1) else { return Emptiness::Sometimes };
    *left = fewer;
    let node = match *layout.node(content) {
        Node::Xml(node) => node,
        Node::Scope { record: node, .. } | Node::Key { node, .. } => return emptiness_of(layout, node, left),
        _ => return Emptiness::Sometimes,
    };
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
            .any(|member| member.presence == Presence::Mandatory && is_never_empty(member.node)),
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
