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

/// Encodings are compared octet by octet. None is a prefix of another, so the padding of a shorter encoding does not matter.
pub(crate) fn by_octets(a: &[u8], b: &[u8]) -> Ordering {
    a.cmp(b)
}

/// Up to this many values are sorted in place.
const FEW: usize = 32;

impl<'n> Encoder<'n, '_, '_, Tlv> {
    /// A SET whose components are ordered by their types, and its unknown additions by their tags (X.690 §9.3).
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
            sort(output.get_mut(start..end).ok_or(Rejected)?, compare)?;
            Ok(end)
        })
    }
}

fn sort(values: &mut [u8], compare: fn(&[u8], &[u8]) -> Ordering) -> Result<(), Rejected> {
    // The ends of the values sorted so far.
    let mut ends = [0usize; FEW];
    let mut sorted = 0;
    while sorted < FEW {
        let start = sorted.checked_sub(1).map_or(0, |last| ends[last]);
        let rest = values.get(start..).ok_or(Rejected)?;
        if rest.is_empty() {
            return Ok(());
        }
        let length = tlv::element(rest).map_err(|_| Rejected)?;
        let (before, from) = values.split_at(start);
        let value = from.get(..length).ok_or(Rejected)?;
        let begins = |at: usize| at.checked_sub(1).map_or(0, |last| ends[last]);
        let mut place = sorted;
        while place > 0 && before.get(begins(place - 1)..ends[place - 1]).is_some_and(|one| compare(one, value).is_gt())
        {
            place -= 1;
        }
        let at = begins(place);
        values.get_mut(at..start + length).ok_or(Rejected)?.rotate_right(length);
        ends.copy_within(place..sorted, place + 1);
        ends[place] = at;
        ends[place..=sorted].iter_mut().for_each(|end| *end += length);
        sorted += 1;
    }
    sort_many(values, compare)
}

#[cold]
#[inline(never)]
fn sort_many(values: &mut [u8], compare: fn(&[u8], &[u8]) -> Ordering) -> Result<(), Rejected> {
    let copy = values.to_vec();
    let mut parts: Vec<&[u8]> = Vec::new();
    let mut rest = &copy[..];
    while !rest.is_empty() {
        let (value, later) = rest.split_at_checked(tlv::element(rest).map_err(|_| Rejected)?).ok_or(Rejected)?;
        parts.push(value);
        rest = later;
    }
    parts.sort_by(|a, b| compare(a, b));
    values.iter_mut().zip(parts.into_iter().flatten()).for_each(|(place, octet)| *place = *octet);
    Ok(())
}
