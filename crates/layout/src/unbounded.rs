//! The component for which a message has no greatest length.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;

use roadwire_wire::Step;

use crate::length_bounds::{LengthBounds, Values};
use crate::node::{Addition, Layout, Name, Node, NodeId, Span};
use crate::properties::{length_bounds, of_values};
use crate::{CborNode, EventNode, FieldNode, JsonNode, TlvNode, VectorNode, XmlNode};

impl Layout {
    /// The path of the first component, in the order of the encoding, that has no greatest length,
    /// or that contains itself: `cam.pathHistory[].pathPosition`. It is empty for the type itself,
    /// and `None` if a message has a greatest length.
    #[must_use]
    pub fn unbounded_component(&self) -> Option<String> {
        let bounds = of_values(self, Values::All);
        let is_unbounded = |node: NodeId| bounds[node.0 as usize].at(0).most.is_none();
        let mut at = Some(self.root).filter(|root| is_unbounded(*root))?;
        let mut path = String::new();
        let mut visited = BTreeSet::new();
        while visited.insert(at.0) && !self.is_unbounded_itself(at) {
            let mut next = None;
            length_bounds(self, at.0 as usize, Values::All, |part| {
                next = next.or(Some(part).filter(|part| is_unbounded(*part)));
                bounds[part.0 as usize]
            });
            let Some(part) = next else { break };
            self.extend(&mut path, self.node(at), part);
            at = part;
        }
        Some(path)
    }

    /// Whether a node has no greatest length although all its parts have one.
    fn is_unbounded_itself(&self, node: NodeId) -> bool {
        let octet = LengthBounds::exactly(8);
        length_bounds(self, node.0 as usize, Values::All, |_| octet).at(0).most.is_none()
    }

    /// Appends the name that a part has in its node, if it has one.
    fn extend(&self, path: &mut String, node: &Node, part: NodeId) {
        let Parts { members, additions, alternatives, is_list } = Parts::of(node);
        let of_members = members.into_iter().flat_map(|members| self.members(members));
        let of_additions = self.additions(additions).iter().filter_map(|addition| match addition {
            Addition::Single(member) => Some(member),
            Addition::Group(_) => None,
        });
        let mut members = of_members.chain(of_additions).map(|one| (one.node, one.name, one.component));
        let mut alternatives = self.alternatives(alternatives).iter().map(|one| (one.node, one.name, one.alternative));
        let is_it = |one: &(NodeId, Name, u32)| one.0 == part;
        match members.find(is_it).or_else(|| alternatives.find(is_it)).map(|(_, name, number)| self.step(name, number))
        {
            Some(Step::Name(name)) if path.is_empty() => path.push_str(name),
            Some(Step::Name(name)) => path.push_str(&format!(".{name}")),
            Some(Step::Index(number)) => path.push_str(&format!("[{number}]")),
            None if is_list => path.push_str("[]"),
            None => {}
        }
    }
}

/// Where the names of a node's parts are.
#[derive(Default)]
struct Parts {
    members: [Span; 2],
    additions: Span,
    alternatives: Span,
    is_list: bool,
}

impl Parts {
    fn of(node: &Node) -> Self {
        let members = |members: Span| Parts { members: [members, Span::default()], ..Parts::default() };
        let alternatives = |alternatives: Span| Parts { alternatives, ..Parts::default() };
        match *node {
            Node::Record { members: all, additions, .. }
            | Node::Cbor(CborNode::Map { members: all, additions, .. }) => Parts { additions, ..members(all) },
            Node::Xml(XmlNode::Components { attributes, members, additions, .. }) => {
                Parts { members: [attributes, members], additions, ..Parts::default() }
            }
            Node::Tlv(TlvNode::Record { members: all, .. })
            | Node::Fields(FieldNode::Message { members: all, .. })
            | Node::Json(JsonNode::Object { members: all, .. })
            | Node::Events(EventNode::Sequence { members: all, .. })
            | Node::Vectors(VectorNode::Struct { members: all, .. }) => members(all),
            Node::Choice { alternatives: all, .. }
            | Node::Tlv(TlvNode::Choice { alternatives: all, .. })
            | Node::Fields(FieldNode::Choice { alternatives: all, .. })
            | Node::Json(JsonNode::Single { alternatives: all, .. })
            | Node::Xml(XmlNode::OneOf { alternatives: all, .. })
            | Node::Events(EventNode::Choice { alternatives: all, .. })
            | Node::Vectors(VectorNode::Choice { alternatives: all, .. })
            | Node::Cbor(CborNode::Choice { alternatives: all, .. }) => alternatives(all),
            _ => Parts { is_list: is_list(node), ..Parts::default() },
        }
    }
}

fn is_list(node: &Node) -> bool {
    matches!(
        node,
        Node::List { .. }
            | Node::Tlv(TlvNode::List { .. })
            | Node::Fields(FieldNode::Repeated { .. })
            | Node::Json(JsonNode::Array { .. })
            | Node::Xml(XmlNode::Elements { .. })
            | Node::Events(EventNode::Repeat { .. })
            | Node::Vectors(VectorNode::Vector { .. })
            | Node::Cbor(CborNode::Array { .. })
    )
}
