//! Encoding: values after identifiers and lengths (X.690).
//!
//! A length precedes its contents. One octet is left for it; if it takes more, the contents are
//! moved after they are written. Long contents are so copied once for each level of nesting, which
//! costs less than walking the value twice.

use roadwire_layout::{Alternative, Contents, Member, Node, NodeId, Order, Presence, Span, TlvNode};
use roadwire_wire::rt::tlv::{self, Identifier};
use roadwire_wire::{Data, ErrorKind, Rejected, Scalar, Unknown};

mod contents;
mod order;
mod segments;

use crate::encode::{Encoder, Family};

/// BER, DER and CER.
#[derive(Default)]
pub(crate) struct Tlv;

impl Family for Tlv {
    #[inline(never)]
    fn node<'n>(encoder: &mut Encoder<'n, '_, '_, Self>, id: NodeId, value: &dyn Data) -> Result<(), Rejected> {
        let node = encoder.layout.node(id);
        let Node::Tlv(node) = node else { return encoder.of_any_family(node, value) };
        match node {
            TlvNode::Tagged { .. } => encoder.tagged(node, value),
            TlvNode::Primitive { identifier, contents, indefinite } => {
                encoder.primitive(*identifier, contents, *indefinite, value)
            }
            TlvNode::Record { .. } => encoder.tagged_record(node, value),
            TlvNode::Choice { .. } => encoder.tagged_choice(node, value),
            TlvNode::List { .. } => encoder.tagged_list(node, value),
            TlvNode::Open { .. } => encoder.open_element(node, value),
        }
    }
}

impl<'n> Encoder<'n, '_, '_, Tlv> {
    #[inline(never)]
    pub(crate) fn tagged(&mut self, node: &'n TlvNode, value: &dyn Data) -> Result<(), Rejected> {
        let TlvNode::Tagged { identifier, contents, indefinite } = *node else { return self.misplaced() };
        let start = self.open_constructed(identifier, indefinite)?;
        self.node(contents, value)?;
        self.close_constructed(start, indefinite)
    }

    /// Writes the identifier, and leaves an octet for the length. Returns where the contents begin.
    #[inline(never)]
    fn open_constructed(&mut self, identifier: Identifier, indefinite: bool) -> Result<usize, Rejected> {
        self.identifier(identifier)?;
        self.writer.put(if indefinite { 0x80 } else { 0 }, 8)?;
        Ok(self.writer.position() / 8)
    }

    #[inline(never)]
    fn close_constructed(&mut self, start: usize, indefinite: bool) -> Result<(), Rejected> {
        if indefinite {
            return self.writer.put(0, 16);
        }
        self.in_output(|output, end| tlv::close(output, start, end))
    }

    #[inline(never)]
    fn primitive(
        &mut self,
        identifier: Identifier,
        leaf: &Contents,
        indefinite: bool,
        value: &dyn Data,
    ) -> Result<(), Rejected> {
        let start = self.writer.position() / 8;
        self.identifier(identifier)?;
        self.leaf_contents(leaf, value)?;
        match leaf.segments() {
            Some(segment) if indefinite => self.segments(start, segment),
            _ => Ok(()),
        }
    }

    #[inline(never)]
    fn identifier(&mut self, identifier: Identifier) -> Result<(), Rejected> {
        let number = identifier & tlv::NUMBER;
        if number < 31 {
            return self.writer.put(u64::from(identifier >> 29 << 5 | number), 8);
        }
        self.writer.put_octets(tlv::identifier_octets(identifier).as_slice())
    }

    /// Writes a definite length.
    fn length(&mut self, octets: usize) -> Result<(), Rejected> {
        if octets < 128 {
            return self.writer.put(octets as u64, 8);
        }
        self.writer.put_octets(tlv::length_octets(octets).as_slice())
    }

    #[inline(never)]
    pub(crate) fn tagged_record(&mut self, node: &'n TlvNode, value: &dyn Data) -> Result<(), Rejected> {
        let TlvNode::Record { members, additions, order, .. } = *node else { return self.misplaced() };
        let start = self.open_tagged_record(node, value)?;
        if matches!(order, Order::SortedByPlace(_)) || order == Order::Sorted && !value.unknown().is_empty() {
            return self.sorted_record(node, value);
        }
        let unknown_at = additions.map_or(usize::MAX, |additions| additions.range().end);
        for (at, member) in self.layout.members(members).iter().enumerate() {
            if at == unknown_at {
                self.unknown_elements(node, value)?;
            }
            if self.is_sent(node, at, member, value) {
                self.member(member, value)?;
            }
        }
        if unknown_at >= members.count as usize {
            self.unknown_elements(node, value)?;
        }
        self.close_tagged_record(node, start)
    }

    #[inline(never)]
    fn open_tagged_record(&mut self, node: &'n TlvNode, value: &dyn Data) -> Result<usize, Rejected> {
        let TlvNode::Record { additions, groups, members, .. } = *node else { return Err(Rejected) };
        self.descend()?;
        if !value.is_record(additions.is_some()) {
            self.mismatch("a SEQUENCE without additions that it has no place for")?;
        }
        for group in self.layout.numbers(groups).chunks_exact(2) {
            let span = Span { start: members.start + group[0], count: group[1] };
            let group = self.layout.members(span);
            if group.iter().any(|member| self.present(member, value)) {
                self.whole_group(group, value)?;
            }
        }
        Ok(self.writer.position() / 8)
    }

    #[cold]
    #[inline(never)]
    fn whole_group(&mut self, group: &'n [Member], value: &dyn Data) -> Result<(), Rejected> {
        for member in group {
            if member.presence == Presence::Mandatory && value.component(member.component as usize).is_none() {
                let _ = self.missing();
                return Err(self.within_member(member));
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn is_sent(&self, node: &TlvNode, at: usize, member: &Member, value: &dyn Data) -> bool {
        let TlvNode::Record { additions, .. } = *node else { return false };
        let added = || additions.is_some_and(|additions| additions.range().contains(&at));
        (member.presence == Presence::Mandatory && !added()) || self.present(member, value)
    }

    /// Extension additions of a later version, as received.
    #[inline(never)]
    fn unknown_elements(&mut self, node: &TlvNode, value: &dyn Data) -> Result<(), Rejected> {
        if value.unknown().is_empty() {
            return Ok(());
        }
        self.unknown_in_order(node, value)?;
        // An entry without octets stands for an absent addition.
        value.unknown().iter().filter(|one| !one.octets.is_empty()).try_for_each(|one| self.unknown_element(one))
    }

    fn unknown_in_order(&mut self, node: &TlvNode, value: &dyn Data) -> Result<(), Rejected> {
        let TlvNode::Record { known, .. } = *node else { return self.misplaced() };
        let unknown = value.unknown();
        let ascending = unknown.windows(2).all(|pair| pair[0].index < pair[1].index);
        if !ascending || unknown.first().is_some_and(|first| first.index < known) {
            return self.mismatch("a SEQUENCE whose unknown additions ascend, and come after the known ones");
        }
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn unknown_element(&mut self, unknown: &Unknown) -> Result<(), Rejected> {
        if tlv::element(&unknown.octets) != Ok(unknown.octets.len()) {
            return self.mismatch("with an unknown addition or alternative of identifier, length and contents");
        }
        self.writer.put_octets(&unknown.octets)
    }

    #[inline(never)]
    fn close_tagged_record(&mut self, node: &TlvNode, start: usize) -> Result<(), Rejected> {
        let TlvNode::Record { order, .. } = *node else { return self.misplaced() };
        self.depth -= 1;
        if order == Order::SortedByValue { self.sort(start, order::by_tag) } else { Ok(()) }
    }

    #[inline(never)]
    pub(crate) fn tagged_choice(&mut self, node: &'n TlvNode, value: &dyn Data) -> Result<(), Rejected> {
        let Some((which, content)) = value.alternative() else { return self.other_alternative(node, value) };
        let alternative = self.open_tagged_choice(node, which)?;
        self.alternative(alternative, content)?;
        self.depth -= 1;
        Ok(())
    }

    #[inline(never)]
    fn open_tagged_choice(&mut self, node: &'n TlvNode, which: usize) -> Result<&'n Alternative, Rejected> {
        let TlvNode::Choice { alternatives, .. } = *node else { return Err(Rejected) };
        self.descend()?;
        let alternatives = self.layout.alternatives(alternatives);
        // They are in textual order.
        alternatives
            .get(which)
            .ok_or_else(|| self.fail(ErrorKind::ChoiceIndex { index: which as u64, count: alternatives.len() as u64 }))
    }

    #[cold]
    #[inline(never)]
    fn other_alternative(&mut self, node: &TlvNode, value: &dyn Data) -> Result<(), Rejected> {
        let TlvNode::Choice { alternatives, root, extensible } = *node else { return self.misplaced() };
        match value.unknown() {
            [unknown] if extensible && unknown.index >= alternatives.count - root => self.unknown_element(unknown),
            _ => self.mismatch("a CHOICE with one of its alternatives"),
        }
    }

    #[inline(never)]
    pub(crate) fn tagged_list(&mut self, node: &'n TlvNode, value: &dyn Data) -> Result<(), Rejected> {
        let TlvNode::List { element, .. } = *node else { return self.misplaced() };
        let (start, count) = self.open_tagged_list(node, value)?;
        for at in 0..count {
            self.list_element(element, at, value)?;
        }
        self.close_tagged_list(node, start)
    }

    #[inline(never)]
    fn open_tagged_list(&mut self, node: &TlvNode, value: &dyn Data) -> Result<(usize, usize), Rejected> {
        let TlvNode::List { lower, upper, .. } = *node else { return Err(Rejected) };
        self.descend()?;
        let Some(count) = value.length() else {
            return Err(self.fail(ErrorKind::Mismatch { expected: "a list" }));
        };
        self.size(count as u64, lower, upper)?;
        Ok((self.writer.position() / 8, count))
    }

    #[inline(never)]
    fn close_tagged_list(&mut self, node: &TlvNode, start: usize) -> Result<(), Rejected> {
        let TlvNode::List { sorted, .. } = *node else { return self.misplaced() };
        self.depth -= 1;
        if sorted { self.sort(start, |a, b| a.cmp(b)) } else { Ok(()) }
    }

    fn size(&mut self, size: u64, lower: u64, upper: u64) -> Result<(), Rejected> {
        if lower <= size && size <= upper { Ok(()) } else { Err(self.fail(ErrorKind::Size { size, lower, upper })) }
    }

    /// An open type: a value of the type that its key selects, or one value as octets.
    #[inline(never)]
    pub(crate) fn open_element(&mut self, node: &'n TlvNode, value: &dyn Data) -> Result<(), Rejected> {
        let TlvNode::Open { slot, rows } = *node else { return self.misplaced() };
        if let Some((row, content)) = value.alternative() {
            let inner = self.row(slot, rows, row)?;
            self.descend()?;
            self.node(inner, content)?;
            self.depth -= 1;
            return Ok(());
        }
        match value.scalar() {
            Scalar::Octets(octets) if tlv::element(octets) == Ok(octets.len()) => self.writer.put_octets(octets),
            Scalar::Octets(_) => self.mismatch("the octets of one value in an open type"),
            _ => self.mismatch("the octets of an open type"),
        }
    }
}
