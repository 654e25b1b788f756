//! Makes the program of a record, whose components have different tags.

use roadwire_layout::{Contents, Layout, Member, Node, Order, Presence, TlvNode};
use roadwire_wire::rt::tlv;

use super::code::Op;
use super::walk::Walk;
use crate::frame::Slot;
use crate::group::Group;
use crate::levels::Leveled;

impl Walk<'_> {
    /// Components in the order in which they are written. A SET is read in any order by the
    /// interpreter alone.
    pub(super) fn record(&mut self, node: &TlvNode, slots: &[Slot], slot: u32) -> Option<()> {
        let TlvNode::Record { members, additions, groups, order, .. } = *node else { return None };
        let (Order::Textual | Order::Any | Order::Sorted) = order else { return None };
        let members = self.layout.members(members);
        let outer = std::mem::replace(&mut self.presence, slot);
        if additions.is_some() {
            self.op(Op::Known { slot });
        }
        for member in members {
            let place = slots.get(member.component as usize)?;
            match place.bit {
                None => self.at(member.node, place, slot)?,
                Some(bit) if is_in_run(self.layout, member) => {
                    self.node(member.node, place.frame, slot + place.at, bit)?;
                }
                Some(bit) => self.optional(member, place, slot, bit)?,
            }
        }
        for group in self.layout.numbers(groups).chunks_exact(2) {
            let group = Group::new(members.get(group[0] as usize..)?.get(..group[1] as usize)?, slots)?;
            if group.can_be_half() {
                self.code.groups.push(group);
                self.op(Op::Group { slot, group: self.code.groups.len() as u32 - 1 });
            }
        }
        self.presence = outer;
        Some(())
    }

    /// A component that may be absent.
    fn optional(&mut self, member: &Member, place: &Slot, slot: u32, bit: u8) -> Option<()> {
        let (first, tags) = (self.code.tags.len() as u32, self.tags(member.node)?);
        let count = tags.len() as u32;
        self.code.tags.extend(tags);
        let absent = self.op(Op::If { slot, first, to: 0, count, bit });
        let is_default = match member.presence {
            Presence::Default(default) => {
                let value = self.code.defaults.add(self.layout, default)?;
                self.code.values.push(value);
                let value = self.code.values.len() as u32 - 1;
                Some(self.op(Op::NotDefault { slot: slot + place.at, value, to: 0 }))
            }
            _ => None,
        };
        self.at(member.node, place, slot)?;
        self.ends(absent);
        is_default.into_iter().for_each(|is_default| self.ends(is_default));
        Some(())
    }
}

/// Whether a component that may be absent is a number of a run: one of an identifier octet, without
/// a DEFAULT.
fn is_in_run(layout: &Layout, member: &Member) -> bool {
    let Node::Tlv(TlvNode::Primitive { identifier, contents, .. }) = *layout.node(member.node) else { return false };
    let is_number = matches!(contents, Contents::Boolean | Contents::Integer { .. } | Contents::WideInteger { .. });
    let is_short = identifier & tlv::NUMBER < 31;
    is_number && is_short && !matches!(member.presence, Presence::Default(_))
}
