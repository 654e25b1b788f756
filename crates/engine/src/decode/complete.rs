//! Decoding: an addition group is there as a whole or not at all (X.680 §25.12): where one component of it is there, those without OPTIONAL or DEFAULT are, too.

use roadwire_layout::{Member, Presence, Span};
use roadwire_wire::{ErrorKind, Rejected};

use super::Decoder;
use crate::listener::Listener;
use crate::seen::Seen;

impl<'n, L: Listener> Decoder<'n, '_, '_, '_, L> {
    /// Where members come in any order: these have been seen.
    #[cold]
    #[inline(never)]
    pub(super) fn groups_seen_are_whole(&mut self, members: Span, groups: Span, seen: &Seen) -> Result<(), Rejected> {
        let layout = self.layout;
        let members = layout.members(members);
        for mut group in layout.groups(groups).filter(|group| group.clone().any(|at| seen.has(at))) {
            let is_missing = |at: &usize| members.get(*at).is_some_and(is_mandatory) && !seen.has(*at);
            if let Some(member) = group.find(is_missing).and_then(|at| members.get(at)) {
                return self.lacks(member);
            }
        }
        Ok(())
    }

    /// Where members come in order: the one in front of place `next` is there, and so is the one at `at`, which may be the end; none between them is.
    #[cold]
    #[inline(never)]
    pub(super) fn groups_are_whole(
        &mut self,
        members: Span,
        groups: Span,
        next: usize,
        at: usize,
    ) -> Result<(), Rejected> {
        let layout = self.layout;
        let members = layout.members(members);
        for group in layout.groups(groups) {
            let begun = next > 0 && group.contains(&(next - 1));
            if !begun && !group.contains(&at) {
                continue;
            }
            let passed = members.get(next.max(group.start)..at.min(group.end)).unwrap_or(&[]);
            if let Some(member) = passed.iter().find(|member| is_mandatory(member)) {
                return self.lacks(member);
            }
        }
        Ok(())
    }

    #[cold]
    #[inline(never)]
    pub(super) fn lacks(&mut self, member: &'n Member) -> Result<(), Rejected> {
        self.fail(ErrorKind::Missing);
        Err(self.within_member(member))
    }
}

fn is_mandatory(member: &Member) -> bool {
    member.presence == Presence::Mandatory
}
