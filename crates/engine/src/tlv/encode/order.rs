//! Encoding: values in the order of their tags or of their encodings (X.690 §10.3, §11.6).

use super::Tlv;
use alloc::vec::Vec;
use core::cmp::Ordering;

use roadwire_layout::{Node, NodeId, Order, TlvNode};
use roadwire_wire::rt::tlv::{self, Identifier};
use roadwire_wire::{Data, Rejected, Unknown};

use crate::encode::Encoder;

/// A tag's class and number, which is the order of tags (X.680 §8.6).
fn tag(identifier: Identifier) -> (u32, u32) {
    (identifier >> 30, identifier & tlv::NUMBER)
}

fn tag_of(octets: &[u8]) -> (u32, u32) {
    tag(tlv::identifier(octets).map_or(u32::MAX, |(identifier, _)| identifier))
}

pub(crate) fn by_tag(a: &[u8], b: &[u8]) -> Ordering {
    tag_of(a).cmp(&tag_of(b))
}

impl<'n> Encoder<'n, '_, '_, Tlv> {
    /// A SET whose components are ordered by their types, and its unknown additions by their tags
    /// (X.690 §9.3).
    #[cold]
    #[inline(never)]
    pub(crate) fn sorted_record(&mut self, node: &'n TlvNode, value: &dyn Data) -> Result<(), Rejected> {
        let TlvNode::Record { members, order, .. } = *node else { return self.misplaced() };
        self.unknown_in_order(node, value)?;
        let mut unknown: Vec<&Unknown> = value.unknown().iter().filter(|one| !one.octets.is_empty()).collect();
        unknown.sort_by_key(|one| tag_of(&one.octets));
        let mut unknown = unknown.into_iter().peekable();
        let places = match order {
            Order::SortedByPlace(places) => self.layout.numbers(places),
            _ => &[],
        };
        for at in 0..members.count {
            let at = places.get(at as usize).map_or(at, |place| *place) as usize;
            let Some(member) = self.layout.members(members).get(at) else { return self.misplaced() };
            let own = self.smallest_tag(member.node);
            while let Some(earlier) = unknown.next_if(|one| own.is_some_and(|own| tag_of(&one.octets) < own)) {
                self.unknown_element(earlier)?;
            }
            if self.is_sent(node, at, member, value) {
                self.member(member, value)?;
            }
        }
        self.depth -= 1;
        unknown.try_for_each(|one| self.unknown_element(one))
    }

    /// The smallest tag that a component may have, whatever its value.
    fn smallest_tag(&self, id: NodeId) -> Option<(u32, u32)> {
        match *self.layout.node(id) {
            Node::Tlv(TlvNode::Tagged { identifier, .. } | TlvNode::Primitive { identifier, .. }) => {
                Some(tag(identifier))
            }
            Node::Key { node, .. } | Node::Contained { string: node, .. } => self.smallest_tag(node),
            Node::Tlv(TlvNode::Choice { alternatives, .. }) => {
                let alternatives = self.layout.alternatives(alternatives).iter();
                alternatives.filter_map(|one| self.smallest_tag(one.node)).min()
            }
            _ => None,
        }
    }

    /// Sorts the values written from octet `start` on.
    #[inline(never)]
    pub(crate) fn sort(&mut self, start: usize, compare: fn(&[u8], &[u8]) -> Ordering) -> Result<(), Rejected> {
        self.in_output(|output, end| {
            tlv::sort_by(output.get_mut(start..end).ok_or(Rejected)?, compare)?;
            Ok(end)
        })
    }
}
