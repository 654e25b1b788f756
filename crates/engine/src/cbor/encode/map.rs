//! Encoding maps. The number of entries precedes them.

use roadwire_layout::{Addition, CborNode, GROUP, Member, Node, Presence};
use roadwire_wire::rt::cbor::major;
use roadwire_wire::{Data, Rejected};

use super::Cbor;
use crate::encode::Encoder;

impl<'n> Encoder<'n, '_, '_, Cbor> {
    #[inline(never)]
    pub(crate) fn map(&mut self, node: &'n CborNode, value: &dyn Data) -> Result<(), Rejected> {
        let CborNode::Map { members, additions, .. } = *node else { return self.misplaced() };
        self.open_map(node, value)?;
        let mut key = 0;
        for member in self.layout.members(members) {
            self.entry(key, member, member.presence == Presence::Mandatory, value)?;
            key += 1;
        }
        for addition in self.layout.additions(additions) {
            match addition {
                Addition::Single(member) => self.entry(key, member, false, value)?,
                Addition::Group(group) if self.is_added(addition, value) => {
                    self.head(major::UNSIGNED, key)?;
                    self.node(*group, value)?;
                }
                Addition::Group(_) => {}
            }
            key += 1;
        }
        if !value.unknown().is_empty() {
            self.later_entries(node, value)?;
        }
        self.depth -= 1;
        Ok(())
    }

    /// A component after its key, if it is sent.
    #[inline(always)]
    fn entry(&mut self, key: u64, member: &'n Member, mandatory: bool, value: &dyn Data) -> Result<(), Rejected> {
        match value.component(member.component as usize) {
            Some(component) if self.is_component_sent(member, component) => {
                self.head(major::UNSIGNED, key)?;
                if self.node(member.node, component).is_err() {
                    return Err(self.within_member(member));
                }
                Ok(())
            }
            None if mandatory => {
                let _ = self.missing();
                Err(self.within_member(member))
            }
            _ => Ok(()),
        }
    }

    #[inline(never)]
    fn open_map(&mut self, node: &CborNode, value: &dyn Data) -> Result<(), Rejected> {
        let CborNode::Map { components, extensible, members, additions } = *node else { return Err(Rejected) };
        self.descend()?;
        if components != GROUP && !value.is_record(extensible) {
            return self.mismatch("a SEQUENCE without additions that it has no place for");
        }
        let layout = self.layout;
        let known = layout.members(members).iter().filter(|member| self.present(member, value)).count()
            + layout.additions(additions).iter().filter(|addition| self.is_added(addition, value)).count();
        // The unknown additions are those of the record that the group is a part of.
        let unknown = if components == GROUP { &[] } else { value.unknown() };
        let later = unknown.iter().filter(|one| !one.octets.is_empty()).count();
        self.head(major::MAP, (known + later) as u64)
    }

    fn is_added(&self, addition: &Addition, value: &dyn Data) -> bool {
        match addition {
            Addition::Single(member) => self.present(member, value),
            Addition::Group(group) => match *self.layout.node(*group) {
                Node::Cbor(CborNode::Map { members, .. }) => {
                    self.layout.members(members).iter().any(|member| self.present(member, value))
                }
                _ => false,
            },
        }
    }

    #[cold]
    #[inline(never)]
    fn later_entries(&mut self, node: &CborNode, value: &dyn Data) -> Result<(), Rejected> {
        let CborNode::Map { components, members, additions, .. } = *node else { return self.misplaced() };
        if components == GROUP {
            return Ok(());
        }
        let unknown = value.unknown();
        let ascending = unknown.windows(2).all(|pair| pair[0].index < pair[1].index);
        if !ascending || unknown.first().is_some_and(|first| first.index < additions.count) {
            return self.mismatch("a SEQUENCE whose unknown additions ascend, and come after the known ones");
        }
        // An entry without octets stands for an absent addition.
        let mut there = unknown.iter().filter(|one| !one.octets.is_empty());
        there.try_for_each(|one| self.later(u64::from(members.count) + u64::from(one.index), one))
    }
}
