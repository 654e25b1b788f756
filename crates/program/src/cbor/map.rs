//! Makes a program of a map.

use roadwire_layout::{Addition, CborNode, GROUP, Member, Node, NodeId, Presence};

use super::code::{Field, Map, Op};
use super::walk::Walk;
use crate::frame::Slot;
use crate::levels::Leveled;

/// An entry of a map.
#[derive(Clone, Copy)]
struct Entry<'l> {
    key: u64,
    part: Part<'l>,
    /// Its presence bits, if it may be absent, or has one.
    bits: u64,
    is_optional: bool,
}

#[derive(Clone, Copy)]
enum Part<'l> {
    Member(&'l Member),
    Group(NodeId),
}

impl Walk<'_> {
    pub(super) fn record(&mut self, item: &CborNode, slots: &[Slot], slot: u32) -> Option<()> {
        let &CborNode::Map { components, members, additions, .. } = item else { return None };
        let (layout, is_group) = (self.layout, components == GROUP);
        let members = layout.members(members).iter().map(Part::Member);
        let additions = layout.additions(additions).iter().map(|addition| match addition {
            Addition::Single(member) => Part::Member(member),
            Addition::Group(group) => Part::Group(*group),
        });
        let entries = members.chain(additions).zip(0..).map(|(part, key)| {
            let bits = self.bits(part, slots)?;
            let is_mandatory = matches!(part, Part::Member(Member { presence: Presence::Mandatory, .. }));
            Some(Entry { key, part, bits, is_optional: bits != 0 && !(is_group && is_mandatory) })
        });
        let entries = entries.collect::<Option<Vec<_>>>()?;
        if entries.iter().all(|entry| entry.bits == 0) {
            return self.fixed(&entries, slots, slot);
        }
        let is_single = |entry: &&Entry<'_>| matches!(entry.part, Part::Member(_));
        let map = Map {
            key: self.key(),
            fixed: entries.iter().filter(|entry| entry.bits == 0).count() as u32,
            mask: entries.iter().filter(is_single).fold(0, |mask, entry| mask | entry.bits),
            groups: entries.iter().filter(|entry| !is_single(entry)).map(|entry| entry.bits).collect(),
            least: u32::from(is_group),
        };
        self.code.maps.push(map);
        self.op(Op::Open { presence: slot, map: self.code.maps.len() as u32 - 1 });
        self.counted(&entries, slots, slot)?;
        for entry in &entries {
            if let Part::Member(member) = entry.part {
                self.default(member, slots, slot)?;
            }
        }
        self.op(Op::Close);
        Some(())
    }

    /// The presence bits of an entry.
    fn bits(&self, part: Part<'_>, slots: &[Slot]) -> Option<u64> {
        let bit = |member: &Member| Some(slots.get(member.component as usize)?.bit.map_or(0, |bit| 1 << bit));
        match part {
            Part::Member(member) => bit(member),
            Part::Group(group) => match *self.layout.node(group) {
                Node::Cbor(CborNode::Map { members, .. }) => {
                    let mut members = self.layout.members(members).iter();
                    members.try_fold(0, |bits, member| Some(bits | bit(member)?))
                }
                _ => None,
            },
        }
    }

    /// A map with all of its entries.
    fn fixed(&mut self, entries: &[Entry<'_>], slots: &[Slot], slot: u32) -> Option<()> {
        self.ahead(0xa0, entries.len() as u64);
        for entry in entries {
            let Part::Member(member) = entry.part else { return None };
            self.ahead(0, entry.key);
            self.at(member.node, slots.get(member.component as usize)?, slot)?;
        }
        Some(())
    }

    /// Entries that are counted.
    fn counted(&mut self, entries: &[Entry<'_>], slots: &[Slot], slot: u32) -> Option<()> {
        let (mut until, mut none) = (0, None);
        for (at, entry) in entries.iter().enumerate() {
            if at >= until {
                none.take().into_iter().for_each(|none| self.ends(none));
                let group = entries.get(at..)?.iter().take_while(|entry| entry.is_optional).collect::<Vec<_>>();
                let is_many = group.iter().filter(|entry| self.field(entry, slots).is_none()).count() > 1;
                let mask = group.iter().fold(0, |mask, entry| mask | entry.bits);
                until = at + group.len().max(1);
                none = is_many.then(|| self.op(Op::IfAny { presence: slot, mask, to: 0 }));
            }
            self.entry(entry, slots, slot)?;
        }
        none.into_iter().for_each(|none| self.ends(none));
        Some(())
    }

    /// An entry as a field of a run, and where it is.
    fn field(&self, entry: &Entry<'_>, slots: &[Slot]) -> Option<(Field, u32)> {
        let Part::Member(member) = entry.part else { return None };
        let place = slots.get(member.component as usize)?;
        let (has_bit, bit) = (place.bit.is_some(), place.bit.unwrap_or(0));
        let number = self.number(member.node, place.frame)?;
        Some((Field { bit, has_bit, is_optional: entry.is_optional, entry: 1, ..number }, place.at))
    }

    fn entry(&mut self, entry: &Entry<'_>, slots: &[Slot], slot: u32) -> Option<()> {
        // Octets that are the same for any value are not part of a key that may be absent.
        self.flush();
        self.ahead(0, entry.key);
        if let Some((field, at)) = self.field(entry, slots) {
            self.run(slot + at, Some(slot), field);
            return Some(());
        }
        let (key, is_group) = (self.key(), matches!(entry.part, Part::Group(_)));
        let op = match *entry {
            Entry { bits: mask, is_optional: true, .. } => Op::If { presence: slot, mask, is_group, key, to: 0 },
            Entry { bits: set, .. } => Op::Entry { presence: slot, set, key },
        };
        let absent = self.op(op);
        match entry.part {
            Part::Member(member) => self.at(member.node, slots.get(member.component as usize)?, slot)?,
            Part::Group(group) => match self.layout.node(group) {
                Node::Cbor(item) => self.nested(|walk| walk.record(item, slots, slot))?,
                _ => return None,
            },
        }
        if entry.is_optional {
            self.ends(absent);
        }
        Some(())
    }

    /// A component that has its DEFAULT is not sent.
    fn default(&mut self, member: &Member, slots: &[Slot], slot: u32) -> Option<()> {
        let Presence::Default(default) = member.presence else { return Some(()) };
        let place = slots.get(member.component as usize)?;
        let value = self.code.defaults.add(self.layout, default)?;
        self.op(Op::NotDefault { presence: slot, bit: place.bit?, slot: slot + place.at, value });
        Some(())
    }
}
