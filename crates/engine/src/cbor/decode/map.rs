//! Decoding maps. Keys ascend, so that a later key shows which components are absent.

use roadwire_layout::{Addition, CborNode, GROUP, Member, Presence};
use roadwire_wire::rt::cbor::major;
use roadwire_wire::{Data, ErrorKind, Rejected, Scalar, Thing, faults};

use super::Cbor;
use crate::decode::Decoder;
use crate::equal::is_default;
use crate::listener::{Listener, What};

impl<'n, L: Listener> Decoder<'n, '_, '_, '_, L, Cbor> {
    #[inline(never)]
    pub(crate) fn map(&mut self, node: &'n CborNode, value: &mut dyn Data) -> Result<(), Rejected> {
        let CborNode::Map { members, additions, .. } = *node else { return self.misplaced() };
        let layout = self.layout;
        let (members, additions) = (layout.members(members), layout.additions(additions));
        let entries = self.open_map(node, value)?;
        // The least key that may come.
        let mut next = 0;
        for _ in 0..entries {
            let (at, key) = self.key_of_entry(node, next)?;
            next = key.saturating_add(1);
            let place = usize::try_from(key).unwrap_or(usize::MAX);
            match (members.get(place), place.checked_sub(members.len()).and_then(|index| additions.get(index))) {
                (Some(member), _) | (None, Some(Addition::Single(member))) => {
                    self.member(member, value)?;
                    self.is_worth_sending(member, at, value)?;
                }
                (None, Some(Addition::Group(group))) => self.node(*group, value)?,
                (None, None) => self.later_entry(node, at, key, value)?,
            }
        }
        self.are_absent(members, (next, u64::MAX), self.reader.position())?;
        self.depth -= 1;
        Ok(())
    }

    /// Returns how many entries follow.
    #[inline(never)]
    fn open_map(&mut self, node: &CborNode, value: &mut dyn Data) -> Result<u64, Rejected> {
        let CborNode::Map { components, .. } = *node else { return Err(Rejected) };
        self.descend()?;
        let (at, entries) = self.take_number(major::MAP)?;
        self.show(at, What::Length(entries), Scalar::Unset);
        if components != GROUP {
            self.begin_record(components, value)?;
        } else if entries == 0 {
            return Err(self.fail_at(ErrorKind::Malformed(faults::cbor::GROUP_EMPTY), at));
        }
        Ok(entries)
    }

    /// Reads a key that is at least `next`, and handles the members that it skips. Returns its
    /// place and the key.
    #[inline(never)]
    fn key_of_entry(&mut self, node: &CborNode, next: u64) -> Result<(usize, u64), Rejected> {
        let CborNode::Map { members, additions, .. } = *node else { return Err(Rejected) };
        let layout = self.layout;
        let (at, key) = self.take_key()?;
        if key < next {
            return Err(self.found(faults::cbor::KEY_ORDER, at, Thing::Number(key), Thing::None));
        }
        let members = layout.members(members);
        if L::ACTIVE {
            let place = usize::try_from(key).unwrap_or(usize::MAX);
            let added = || layout.additions(additions).get(place.checked_sub(members.len())?);
            let name = match (members.get(place), added()) {
                (Some(member), _) | (None, Some(Addition::Single(member))) => layout.name(member.name),
                (None, Some(Addition::Group(_))) => "[[ ]]",
                (None, None) => "",
            };
            self.show(at, What::Tag(name), Scalar::Unset);
        }
        if key > next {
            self.are_absent(members, (next, key), at)?;
        }
        Ok((at, key))
    }

    /// Checks that the members with these keys may all be absent. They would have been at bit `at`.
    #[inline(never)]
    fn are_absent(&mut self, members: &'n [Member], (from, to): (u64, u64), at: usize) -> Result<(), Rejected> {
        let place = |key: u64| usize::try_from(key).unwrap_or(usize::MAX).min(members.len());
        let absent = members.get(place(from)..place(to)).unwrap_or(&[]);
        match absent.iter().find(|member| member.presence == Presence::Mandatory) {
            Some(member) => {
                self.fail_at(ErrorKind::Missing, at);
                Err(self.within_member(member))
            }
            None => Ok(()),
        }
    }

    /// Refuses a component that is equal to its DEFAULT.
    #[inline(always)]
    fn is_worth_sending(&mut self, member: &'n Member, at: usize, value: &dyn Data) -> Result<(), Rejected> {
        match member.presence {
            Presence::Default(place) => self.is_not_default(member, place, at, value),
            _ => Ok(()),
        }
    }

    #[inline(never)]
    fn is_not_default(&mut self, member: &'n Member, place: u32, at: usize, value: &dyn Data) -> Result<(), Rejected> {
        let component = value.component(member.component as usize);
        if component.is_some_and(|component| is_default(self.layout, place, component)) {
            self.fail_at(ErrorKind::Malformed(faults::cbor::DEFAULT), at);
            return Err(self.within_member(member));
        }
        Ok(())
    }

    /// An addition of a later version.
    #[cold]
    #[inline(never)]
    fn later_entry(&mut self, node: &CborNode, at: usize, key: u64, value: &mut dyn Data) -> Result<(), Rejected> {
        let CborNode::Map { members, extensible, .. } = *node else { return self.misplaced() };
        match u32::try_from(key.saturating_sub(members.count.into())) {
            Ok(index) if extensible => self.keep_item(index, value),
            _ => Err(self.no_key(at, key, node)),
        }
    }
}
