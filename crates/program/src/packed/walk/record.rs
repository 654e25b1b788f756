//! Records: presence bits, components, extension additions.

use roadwire_layout::{Addition, Member, Node, NodeId, Presence, Span};

use super::Walk;
use super::leaf::offset;
use crate::frame::Slot;
use crate::group::Group;
use crate::levels::Leveled;
use crate::packed::code::{Field, Op};

/// The most presence bits.
const MOST_BITS: u32 = 57;

impl Walk<'_> {
    pub(super) fn record(&mut self, node: NodeId, slots: &[Slot], slot: u32) -> Option<()> {
        let Node::Record { extensible, bitmap, padding, members, additions, .. } = *self.layout.node(node) else {
            return None;
        };
        let (members, additions) = (self.layout.members(members), self.layout.additions(additions));
        self.defaults(members, slots, slot)?;
        let width = u32::from(bitmap) + u32::from(extensible) + u32::from(padding);
        if width > MOST_BITS {
            return None;
        }
        let root = offset(width, 0, (1i128 << bitmap) - 1)?;
        if additions.is_empty() {
            if width > 0 {
                self.field(slot, Field { padding, selects: true, ..root });
            }
            return self.members(members, slots, slot, bitmap);
        }
        let groups = additions.iter().map(|one| self.bits(one, slots)).collect::<Option<Vec<Group>>>()?;
        let all = groups.iter().fold(0, |all, group| all | group.any);
        self.code.fields.push(Field { padding, selects: true, range: root.range * 2 + 1, ..root });
        self.op(Op::Presence { slot, field: self.code.fields.len() as u32 - 1, additions: all });
        self.members(members, slots, slot, bitmap)?;
        self.additions(additions, &groups, slots, (slot, u8::try_from(bitmap).ok()?))
    }

    /// The components of a root, `left` of which have a bit in the bitmap.
    fn members(&mut self, members: &[Member], slots: &[Slot], slot: u32, mut left: u16) -> Option<()> {
        let mut rest = members;
        while let Some((first, later)) = rest.split_first() {
            if first.presence == Presence::Mandatory {
                self.at(first.node, slots.get(first.component as usize)?, slot)?;
                rest = later;
                continue;
            }
            let group = rest.iter().take_while(|member| member.presence != Presence::Mandatory).count();
            let (optional, later) = rest.split_at(group);
            self.optional(optional, slots, slot, &mut left)?;
            rest = later;
        }
        Some(())
    }

    /// Components that may be absent, `left` of which have a bit in the bitmap.
    fn optional(&mut self, members: &[Member], slots: &[Slot], slot: u32, left: &mut u16) -> Option<()> {
        let bits = members.iter().map(|member| slots.get(member.component as usize)?.bit);
        let bits = bits.collect::<Option<Vec<u8>>>()?;
        let mask = bits.iter().fold(0u64, |mask, bit| mask | 1 << bit);
        let none = (members.len() > 1).then(|| self.op(Op::IfAny { slot, mask, to: 0 }));
        for (member, bit) in members.iter().zip(bits) {
            *left = left.checked_sub(1)?;
            // A SET has its components in another order.
            if u16::from(bit) != *left {
                return None;
            }
            let absent = self.op(Op::If { slot, bit, to: 0 });
            self.at(member.node, slots.get(member.component as usize)?, slot)?;
            self.ends(absent);
        }
        none.into_iter().for_each(|none| self.ends(none));
        Some(())
    }

    /// The presence bits of an addition: those of a group, or one.
    fn bits(&self, addition: &Addition, slots: &[Slot]) -> Option<Group> {
        match addition {
            Addition::Single(member) => {
                let bit = 1 << slots.get(member.component as usize)?.bit?;
                Some(Group { any: bit, mandatory: bit })
            }
            Addition::Group(group) => {
                let Node::Record { extensible: false, members, .. } = *self.layout.node(*group) else { return None };
                Group::new(self.layout.members(members), slots)
            }
        }
    }

    /// The known additions of a record, whose presence bit for them all is `bit`.
    fn additions(
        &mut self,
        additions: &[Addition],
        groups: &[Group],
        slots: &[Slot],
        (slot, bit): (u32, u8),
    ) -> Option<()> {
        let (first, count) = (self.code.masks.len() as u32, u32::try_from(additions.len()).ok()?);
        if count > 64 {
            return None;
        }
        self.code.masks.extend(groups.iter().map(|group| group.any));
        let none = self.op(Op::Additions { slot, bit, first, count, to: 0 });
        for (index, (addition, group)) in (0..).zip(additions.iter().zip(groups)) {
            let absent = self.op(Op::Addition { slot, index, sets: group.mandatory, to: 0 });
            self.within(|walk| {
                walk.open(|walk| match addition {
                    Addition::Single(member) => {
                        walk.defaults(core::slice::from_ref(member), slots, slot)?;
                        walk.at(member.node, slots.get(member.component as usize)?, slot)
                    }
                    Addition::Group(group) => walk.nested(|walk| walk.group(*group, slots, slot)),
                })
            })?;
            self.ends(absent);
        }
        self.op(Op::Known);
        self.ends(none);
        Some(())
    }

    /// The content of an open type.
    pub(super) fn open(&mut self, content: impl FnOnce(&mut Self) -> Option<()>) -> Option<()> {
        self.op(Op::Open);
        self.within(content)?;
        self.op(Op::Close);
        Some(())
    }

    /// A group of additions.
    fn group(&mut self, group: NodeId, slots: &[Slot], slot: u32) -> Option<()> {
        let Node::Record { bitmap, padding, members, additions: Span { count: 0, .. }, .. } = *self.layout.node(group)
        else {
            return None;
        };
        let members = self.layout.members(members);
        self.defaults(members, slots, slot)?;
        let optional = members.iter().filter(|member| member.presence != Presence::Mandatory);
        let masks = optional.map(|member| Some(1 << slots.get(member.component as usize)?.bit?));
        let masks = masks.collect::<Option<Vec<u64>>>()?;
        if masks.len() != usize::from(bitmap) || bitmap > 57 {
            return None;
        }
        if bitmap > 0 {
            let first = self.code.masks.len() as u32;
            self.code.masks.extend(masks);
            self.op(Op::Group { slot, first, count: bitmap.into(), padding });
        }
        for member in members {
            let place = slots.get(member.component as usize)?;
            let absent = match (member.presence, place.bit) {
                (Presence::Mandatory, _) => None,
                (_, bit) => Some(self.op(Op::If { slot, bit: bit?, to: 0 })),
            };
            self.at(member.node, place, slot)?;
            absent.into_iter().for_each(|absent| self.ends(absent));
        }
        Some(())
    }

    /// An encoder does not send a component that has its DEFAULT.
    fn defaults(&mut self, members: &[Member], slots: &[Slot], slot: u32) -> Option<()> {
        for member in members {
            let Presence::Default(default) = member.presence else { continue };
            let place = slots.get(member.component as usize)?;
            let value = self.code.defaults.add(self.layout, default)?;
            self.op(Op::NotDefault { presence: slot, bit: place.bit?, slot: slot + place.at, value });
        }
        Some(())
    }
}
