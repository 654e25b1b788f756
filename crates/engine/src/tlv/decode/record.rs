//! Decoding: components that are identified by their tags (X.690 §8.9 to §8.12).

use super::Tlv;
use roadwire_layout::{Member, Order, Presence, Span, TlvNode};
use roadwire_wire::rt::tlv::Identifier;
use roadwire_wire::{Data, ErrorKind, Rejected, faults};

use super::Fit;
use crate::decode::Decoder;
use crate::listener::Listener;
use crate::seen::Seen;

impl<'n, L: Listener> Decoder<'n, '_, '_, '_, L, Tlv> {
    #[inline(never)]
    pub(crate) fn tagged_record(&mut self, node: &'n TlvNode, value: &mut dyn Data) -> Result<(), Rejected> {
        let TlvNode::Record { order, .. } = *node else { return self.misplaced() };
        self.open_tagged_record(node, value)?;
        if order != Order::Textual {
            return self.tagged_set(node, value);
        }
        let mut next = 0;
        while !self.at_end()? {
            match self.member_ahead(node, next)? {
                Some(at) => {
                    self.member_at(node, at, value)?;
                    next = at + 1;
                }
                None => self.unknown_addition(node, value)?,
            }
        }
        self.nothing_missing(node, next)?;
        self.depth -= 1;
        Ok(())
    }

    #[inline(never)]
    fn open_tagged_record(&mut self, node: &TlvNode, value: &mut dyn Data) -> Result<(), Rejected> {
        let TlvNode::Record { members, .. } = *node else { return self.misplaced() };
        self.descend()?;
        self.begin_record(members.count, value)
    }

    #[inline(always)]
    fn member_at(&mut self, node: &'n TlvNode, at: usize, value: &mut dyn Data) -> Result<(), Rejected> {
        let TlvNode::Record { members, .. } = *node else { return self.misplaced() };
        match self.layout.members(members).get(at) {
            Some(member) => self.member(member, value),
            None => self.misplaced(),
        }
    }

    /// The index of the next member; `None` for an unknown extension addition.
    #[inline(never)]
    fn member_ahead(&mut self, node: &'n TlvNode, next: usize) -> Result<Option<usize>, Rejected> {
        let TlvNode::Record { members: span, additions, groups, .. } = *node else { return Err(Rejected) };
        let members = self.layout.members(span);
        let tag = self.tag_ahead()?;
        let mut open = None;
        for (at, member) in members.iter().enumerate().skip(next) {
            match self.fit(member.node, tag) {
                Fit::Yes => {
                    if at > next && groups.count > 0 {
                        self.groups_are_whole(span, groups, next, at)?;
                    }
                    return Ok(Some(at));
                }
                Fit::Open if open.is_none() => open = Some(at),
                _ => {}
            }
            if is_mandatory(node, at, member) {
                break;
            }
        }
        if let Some(at) = open {
            if groups.count > 0 {
                self.groups_are_whole(span, groups, next, at)?;
            }
            return Ok(open);
        }
        if additions.is_some_and(|additions| self.may_be_unknown(node, additions, next, tag)) {
            return Ok(None);
        }
        match members.iter().enumerate().skip(next).find(|(at, member)| is_mandatory(node, *at, member)) {
            Some((last, member)) => {
                let expected = members.get(next..=last).unwrap_or(&[]);
                self.no_component(faults::tlv::TAG_COMPONENT, tag, expected.iter(), false);
                Err(self.within_member(member))
            }
            None => {
                let expected = members.get(next..).unwrap_or(&[]);
                Err(self.no_component(faults::tlv::TAG_TRAILING, tag, expected.iter(), true))
            }
        }
    }

    /// Whether an element with this tag, before the members from `next` on, can be an addition
    /// of a later version. Additions are between the two parts of the root, and their tags differ
    /// from those of the components with which they could be confused (X.680 §25.6).
    #[cold]
    #[inline(never)]
    fn may_be_unknown(&self, node: &'n TlvNode, additions: Span, next: usize, tag: Identifier) -> bool {
        let TlvNode::Record { members, .. } = *node else { return false };
        let range = additions.range();
        next <= range.end
            && self.layout.members(members).iter().enumerate().all(|(at, member)| {
                let passed = at < next || at >= range.start || !is_mandatory(node, at, member);
                let distinct = at < range.start && is_mandatory(node, at, member);
                passed && (distinct || self.fit(member.node, tag) != Fit::Yes)
            })
    }

    #[cold]
    #[inline(never)]
    fn unknown_addition(&mut self, node: &TlvNode, value: &mut dyn Data) -> Result<(), Rejected> {
        let TlvNode::Record { known, .. } = *node else { return self.misplaced() };
        let before = value.unknown().len() as u32;
        self.unknown_element(known.saturating_add(before), value)
    }

    /// Checks that no component from index `next` on is mandatory.
    #[inline(never)]
    fn nothing_missing(&mut self, node: &'n TlvNode, next: usize) -> Result<(), Rejected> {
        let TlvNode::Record { members, groups, .. } = *node else { return self.misplaced() };
        let mut rest = self.layout.members(members).iter().enumerate().skip(next);
        match rest.find(|(at, member)| is_mandatory(node, *at, member)) {
            None if groups.count > 0 => self.groups_are_whole(members, groups, next, members.count as usize),
            None => Ok(()),
            Some((_, member)) => self.lacks(member),
        }
    }

    /// A SET: components in any order, each once.
    #[inline(never)]
    fn tagged_set(&mut self, node: &'n TlvNode, value: &mut dyn Data) -> Result<(), Rejected> {
        let mut seen = Seen::default();
        while !self.at_end()? {
            match self.set_member_ahead(node, &mut seen)? {
                Some(at) => self.member_at(node, at, value)?,
                None => self.unknown_addition(node, value)?,
            }
        }
        self.set_is_whole(node, &seen)?;
        self.depth -= 1;
        Ok(())
    }

    #[inline(never)]
    fn set_member_ahead(&mut self, node: &'n TlvNode, seen: &mut Seen) -> Result<Option<usize>, Rejected> {
        let TlvNode::Record { members, additions, .. } = *node else { return Err(Rejected) };
        let tag = self.tag_ahead()?;
        let members = self.layout.members(members);
        for wanted in [Fit::Yes, Fit::Open] {
            let mut fitting = members.iter().enumerate().filter(|(_, member)| self.fit(member.node, tag) == wanted);
            if let Some((at, member)) = fitting.find(|(at, _)| wanted == Fit::Yes || !seen.has(*at)) {
                if seen.has(at) {
                    self.fail(ErrorKind::Malformed(faults::tlv::SET_REPEATED));
                    return Err(self.within_member(member));
                }
                seen.insert(at);
                return Ok(Some(at));
            }
        }
        if additions.is_some() {
            return Ok(None);
        }
        let missing = members.iter().enumerate().any(|(at, member)| is_mandatory(node, at, member) && !seen.has(at));
        let expected = members.iter().enumerate().filter(|(at, _)| !seen.has(*at)).map(|(_, member)| member);
        Err(self.no_component(faults::tlv::TAG_SET, tag, expected, !missing))
    }

    #[inline(never)]
    fn set_is_whole(&mut self, node: &'n TlvNode, seen: &Seen) -> Result<(), Rejected> {
        let TlvNode::Record { members, groups, .. } = *node else { return self.misplaced() };
        let mut all = self.layout.members(members).iter().enumerate();
        match all.find(|(at, member)| is_mandatory(node, *at, member) && !seen.has(*at)) {
            None if groups.count > 0 => self.groups_seen_are_whole(members, groups, seen),
            None => Ok(()),
            Some((_, member)) => self.lacks(member),
        }
    }
}

/// Whether a member is mandatory whatever the sender's version.
fn is_mandatory(node: &TlvNode, at: usize, member: &Member) -> bool {
    let TlvNode::Record { additions, .. } = *node else { return false };
    member.presence == Presence::Mandatory && !additions.is_some_and(|additions| additions.range().contains(&at))
}
