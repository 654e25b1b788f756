//! Strings and open types whose contents are decoded, and what holds their octets.

use crate::{CborNode, Layout, Node, NodeId, Span, TlvNode};

impl Layout {
    /// Whether a string with a content, or an open type with a table, occurs.
    #[must_use]
    pub fn has_contents(&self) -> bool {
        self.nodes.iter().any(|node| octets_instead(node).is_some())
    }
}

/// The node for the octets of a content that is not decoded.
#[cfg_attr(not(feature = "lower"), expect(dead_code, reason = "made into layouts where types are lowered"))]
pub(crate) enum Instead {
    Node(Node),
    Place(NodeId),
}

/// For a string with a content, or an open type with a table. Not for families whose contents are
/// text or events, or are merged.
pub(crate) fn octets_instead(node: &Node) -> Option<Instead> {
    let none = Span { start: 0, count: 0 };
    match *node {
        Node::Contained { string: octets, .. } | Node::Fitting { octets, .. } => Some(Instead::Place(octets)),
        Node::Table { .. } => Some(Instead::Node(Node::Open)),
        Node::Tlv(TlvNode::Open { slot, rows }) if rows.count > 0 => {
            Some(Instead::Node(Node::Tlv(TlvNode::Open { slot, rows: none })))
        }
        Node::Cbor(CborNode::Embedded { slot, rows }) if rows.count > 0 => {
            Some(Instead::Node(Node::Cbor(CborNode::Embedded { slot, rows: none })))
        }
        _ => None,
    }
}
