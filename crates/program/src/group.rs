//! Addition groups: with any component, all mandatory ones are present.

use roadwire_layout::{Member, Presence};
use roadwire_wire::Rejected;

use crate::frame::Slot;

/// The presence bits of a group's components.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group {
    pub(crate) any: u64,
    /// Those of mandatory ones.
    pub(crate) mandatory: u64,
}

impl Group {
    /// `None` if a component has no bit: it is no addition.
    pub(crate) fn new(members: &[Member], slots: &[Slot]) -> Option<Group> {
        members.iter().try_fold(Group { any: 0, mandatory: 0 }, |group, member| {
            let bit = 1 << slots.get(member.component as usize)?.bit?;
            let mandatory = if member.presence == Presence::Mandatory { bit } else { 0 };
            Some(Group { any: group.any | bit, mandatory: group.mandatory | mandatory })
        })
    }

    /// Whether some presence bits fail the check.
    pub(crate) fn can_be_half(self) -> bool {
        self.mandatory != 0 && self.any.count_ones() > 1
    }

    /// Refuses presence bits of half a group.
    #[inline(always)]
    pub(crate) fn check(self, presence: u64) -> Result<(), Rejected> {
        let is_half = presence & self.any != 0 && presence & self.mandatory != self.mandatory;
        if is_half { Err(Rejected) } else { Ok(()) }
    }
}
