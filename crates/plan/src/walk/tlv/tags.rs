//! Tags: what a value may begin with.

use roadwire_layout::{Layout, Node, NodeId, Span, TlvNode};
use roadwire_wire::rt::tlv::{self, Identifier};

use crate::plan::Cond;

/// The identifiers with which a value may begin.
#[derive(Clone, Default)]
pub(super) struct Tags {
    /// Those of one octet.
    pub(super) single: Vec<u8>,
    /// Those of several octets (X.690 §8.1.2.4).
    pub(super) longer: Vec<Identifier>,
}

/// A tag's class and number: the order of tags (X.680 §8.6).
type Tag = (u32, u32);

impl Tags {
    /// Those of all alternatives.
    pub(super) fn of_all(layout: &Layout, alternatives: Span) -> Option<Self> {
        let mut tags = Tags::default();
        layout.alternatives(alternatives).iter().try_for_each(|one| tags.add(layout, one.node))?;
        Some(tags)
    }

    pub(super) fn extend(&mut self, other: Self) {
        self.single.extend(other.single);
        self.longer.extend(other.longer);
    }

    /// The identifiers as numbers, without the bit for "constructed".
    pub(super) fn numbers(&self) -> Vec<u32> {
        let single = self.single.iter().map(|octet| u32::from(octet >> 6) << 30 | u32::from(octet & 0x1f));
        single.chain(self.longer.iter().map(|identifier| identifier & !tlv::CONSTRUCTED)).collect()
    }

    /// The same tags, of primitive and of constructed values.
    pub(super) fn in_both_forms(mut self) -> Self {
        let others: Vec<u8> = self.single.iter().map(|octet| octet ^ 0x20).collect();
        self.single.extend(others);
        let others: Vec<Identifier> = self.longer.iter().map(|identifier| identifier ^ tlv::CONSTRUCTED).collect();
        self.longer.extend(others);
        self
    }

    /// Those of a node; `None` if others are possible.
    pub(super) fn of(layout: &Layout, node: NodeId) -> Option<Self> {
        let mut tags = Tags::default();
        tags.add(layout, node)?;
        Some(tags)
    }

    fn add(&mut self, layout: &Layout, node: NodeId) -> Option<()> {
        match *layout.node(node) {
            Node::Tlv(TlvNode::Tagged { identifier, .. } | TlvNode::Primitive { identifier, .. }) => {
                match octets(identifier).as_slice() {
                    [octet] => self.single.push(*octet),
                    _ => self.longer.push(identifier),
                }
            }
            Node::Tlv(TlvNode::Choice { alternatives, .. }) => {
                for one in layout.alternatives(alternatives) {
                    self.add(layout, one.node)?;
                }
            }
            Node::Key { node, .. } => self.add(layout, node)?,
            _ => return None,
        }
        Some(())
    }

    /// The condition under which one of them comes next.
    pub(super) fn are_next(&self) -> Cond {
        if self.longer.is_empty() {
            return Cond::TagIs(self.single.clone());
        }
        let mut all = self.longer_next();
        if !self.single.is_empty() {
            all.insert(0, Cond::TagIs(self.single.clone()));
        }
        Cond::either(all)
    }

    fn longer_next(&self) -> Vec<Cond> {
        let is_next = |identifier: &Identifier| {
            let octets = octets(*identifier);
            let word = octets.iter().fold(0, |word, octet| word << 8 | u64::from(*octet));
            Cond::IsNext { word, octets: octets.len() }
        };
        self.longer.iter().map(is_next).collect()
    }

    /// The least and the greatest tag.
    pub(super) fn bounds(&self) -> Option<(Tag, Tag)> {
        let single = self.single.iter().map(|octet| (u32::from(octet >> 6), u32::from(octet & 0x1f)));
        let longer = self.longer.iter().map(|identifier| (identifier >> 30, identifier & tlv::NUMBER));
        let all: Vec<Tag> = single.chain(longer).collect();
        all.iter().min().copied().zip(all.iter().max().copied())
    }
}

/// Whether a value may have a tag that is not known: it is an open type, or a CHOICE without a tag
/// that may have other alternatives.
pub(super) fn is_open(layout: &Layout, node: NodeId) -> bool {
    match *layout.node(node) {
        Node::Tlv(TlvNode::Choice { alternatives, extensible, .. }) => {
            extensible || layout.alternatives(alternatives).iter().any(|one| is_open(layout, one.node))
        }
        Node::Tlv(TlvNode::Open { .. }) => true,
        Node::Key { node, .. } => is_open(layout, node),
        _ => false,
    }
}

/// The first octets of identifiers.
pub(super) fn firsts<'t>(tags: impl Iterator<Item = &'t Tags>) -> Vec<u8> {
    let of = |tags: &Tags| {
        let longer = tags.longer.iter().filter_map(|identifier| octets(*identifier).first().copied());
        tags.single.iter().copied().chain(longer).collect::<Vec<_>>()
    };
    let mut firsts: Vec<u8> = tags.flat_map(of).collect();
    firsts.sort_unstable();
    firsts.dedup();
    firsts
}

pub(super) fn octets(identifier: Identifier) -> Vec<u8> {
    tlv::identifier_octets(identifier).as_slice().to_vec()
}
