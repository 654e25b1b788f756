//! Decoding: an addition group is present as a whole or not at all (X.680 §25.12): if one component
//! of it is present, so are those without OPTIONAL or DEFAULT.

use roadwire_layout::{Member, Presence, Span};
use roadwire_wire::{ErrorKind, Rejected};

use crate::decode::{Decoder, Family};
use crate::listener::Listener;
use crate::seen::Seen;

impl<'n, L: Listener, F: Family> Decoder<'n, '_, '_, '_, L, F> {
    /// For members in any order, of which `seen` have been read.
    #[cold]
    #[inline(never)]
    pub(crate) fn groups_seen_are_whole(&mut self, members: Span, groups: Span, seen: &Seen) -> Result<(), Rejected> {
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

    /// For members in order: the member before `next` is present, and so is that at `at`, which may
    /// be the end; those between are absent.
    #[cold]
    #[inline(never)]
    pub(crate) fn groups_are_whole(
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
    pub(crate) fn lacks(&mut self, member: &'n Member) -> Result<(), Rejected> {
        self.fail(ErrorKind::Missing);
        Err(self.within_member(member))
    }
}

fn is_mandatory(member: &Member) -> bool {
    member.presence == Presence::Mandatory
}
