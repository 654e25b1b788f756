//! Decoding: messages. Usually each field occurs once, in the order of the numbers; then a later
//! field shows that earlier ones are absent. Otherwise this is known only at the end.

use super::Fields;
use roadwire_layout::{FieldNode, Member, Presence, Span};
use roadwire_wire::rt::fields;
use roadwire_wire::{Data, ErrorKind, Rejected};

use super::Run;
use crate::decode::Decoder;
use crate::listener::Listener;
use crate::seen::Seen;

impl<'n, L: Listener> Decoder<'n, '_, '_, '_, L, Fields> {
    #[inline(never)]
    pub(crate) fn message(&mut self, node: &'n FieldNode, value: &mut dyn Data) -> Result<(), Rejected> {
        if !self.open_message(node, value)? {
            return self.scrambled_message(node, value);
        }
        let mut next = 0;
        while let Some(at) = self.field_ahead(node, next, value)? {
            self.field_at(node, at, value)?;
            next = at + 1;
        }
        self.depth -= 1;
        Ok(())
    }

    /// Returns whether the field numbers ascend.
    #[inline(never)]
    fn open_message(&mut self, node: &'n FieldNode, value: &mut dyn Data) -> Result<bool, Rejected> {
        let FieldNode::Message { components, members, .. } = *node else { return Err(Rejected) };
        self.descend()?;
        self.begin_record(components, value)?;
        Ok(self.ascends(members))
    }

    /// Whether the fields are in the order of their numbers, and only those of lists occur more
    /// than once. Checked in advance: starting again at each level would double the time with each
    /// level.
    fn ascends(&self, members: Span) -> bool {
        let mut rest = self.left();
        let mut last = 0;
        // Anything that is not a field is reported later.
        while let Ok((number, ..)) = fields::key(rest) {
            if number < last || number == last && !self.is_list(members, number) {
                return false;
            }
            last = number;
            let Ok(length) = fields::field(rest) else { return true };
            rest = rest.get(length..).unwrap_or(&[]);
        }
        true
    }

    #[cold]
    fn is_list(&self, members: Span, number: u32) -> bool {
        let mut fields = self.layout.members(members).iter().filter_map(|member| self.layout.field(member.node));
        let found = fields.find(|field| field.number() == Some(number));
        // Unknown fields may occur any number of times.
        matches!(found, None | Some(FieldNode::Repeated { .. }))
    }

    #[inline(always)]
    fn field_at(&mut self, node: &'n FieldNode, at: usize, value: &mut dyn Data) -> Result<(), Rejected> {
        let FieldNode::Message { members, .. } = *node else { return self.misplaced() };
        match self.layout.members(members).get(at) {
            Some(member) => self.member(member, value),
            None => self.misplaced(),
        }
    }

    /// The index of the next member present, from `next` on; `None` at the end. Keeps unknown
    /// fields, and handles absent members.
    #[inline(never)]
    fn field_ahead(
        &mut self,
        node: &'n FieldNode,
        next: usize,
        value: &mut dyn Data,
    ) -> Result<Option<usize>, Rejected> {
        let FieldNode::Message { members: span, groups, .. } = *node else { return Err(Rejected) };
        let layout = self.layout;
        let members = layout.members(span);
        let rest = members.get(next..).unwrap_or(&[]);
        while self.reader.remaining() > 0 {
            let (number, _) = self.key_ahead()?;
            let is_it = |member: &Member| layout.field(member.node).and_then(FieldNode::number) == Some(number);
            match rest.iter().position(is_it) {
                Some(skipped) => {
                    for at in next..next + skipped {
                        self.absent_field(node, at, value)?;
                    }
                    if skipped > 0 && groups.count > 0 {
                        self.groups_are_whole(span, groups, next, next + skipped)?;
                    }
                    return Ok(Some(next + skipped));
                }
                None => self.unknown_field(node, value)?,
            }
        }
        for at in next..members.len() {
            self.absent_field(node, at, value)?;
        }
        if groups.count > 0 {
            self.groups_are_whole(span, groups, next, members.len())?;
        }
        Ok(None)
    }

    /// A field that is absent; an absent list is empty.
    fn absent_field(&mut self, node: &'n FieldNode, at: usize, value: &mut dyn Data) -> Result<(), Rejected> {
        let FieldNode::Message { members, .. } = *node else { return self.misplaced() };
        match self.layout.members(members).get(at) {
            Some(member) if member.presence == Presence::Mandatory => self.absent_mandatory(node, at, member, value),
            _ => Ok(()),
        }
    }

    #[cold]
    #[inline(never)]
    fn absent_mandatory(
        &mut self,
        node: &'n FieldNode,
        at: usize,
        member: &'n Member,
        value: &mut dyn Data,
    ) -> Result<(), Rejected> {
        if node.may_be_absent(self.layout, at) {
            return Ok(());
        }
        let done = match (self.layout.field(member.node), value.component_mut(member.component as usize)) {
            (Some(list @ FieldNode::Repeated { .. }), Some(component)) => self.empty_list(list, component),
            _ => Err(self.fail(ErrorKind::Missing)),
        };
        done.map_err(|Rejected| self.within_member(member))
    }

    #[cold]
    #[inline(never)]
    fn unknown_field(&mut self, node: &FieldNode, value: &mut dyn Data) -> Result<(), Rejected> {
        match *node {
            FieldNode::Message { additions, extensible: true, .. } => {
                self.keep_field(additions.saturating_add(value.unknown().len() as u32), value)
            }
            _ => Err(self.no_field(node)),
        }
    }

    /// Fields in another order, or that occur more than once.
    #[cold]
    #[inline(never)]
    fn scrambled_message(&mut self, node: &'n FieldNode, value: &mut dyn Data) -> Result<(), Rejected> {
        let FieldNode::Message { members: span, groups, .. } = *node else { return self.misplaced() };
        let layout = self.layout;
        let members = layout.members(span);
        let mut seen = Seen::default();
        while self.reader.remaining() > 0 {
            let (number, _) = self.key_ahead()?;
            let of = |member: &Member| layout.field(member.node).filter(|field| field.number() == Some(number));
            let found = members.iter().enumerate().find_map(|(at, member)| Some((at, member, of(member)?)));
            let Some((at, member, field)) = found else {
                self.unknown_field(node, value)?;
                continue;
            };
            let first = seen.insert(at);
            match *field {
                FieldNode::Repeated { .. } => {
                    self.family.run = if first { Run::First } else { Run::Later };
                    self.member(member, value)?;
                }
                FieldNode::Single { content, .. } if layout.is_merged(content) => {
                    self.merged_member(member, content, first, value)?;
                }
                _ => self.member(member, value)?,
            }
        }
        for (at, member) in members.iter().enumerate() {
            if seen.has(at) {
                self.long_enough(member, value)?;
            } else {
                self.absent_field(node, at, value)?;
            }
        }
        if groups.count > 0 {
            self.groups_seen_are_whole(span, groups, &seen)?;
        }
        self.depth -= 1;
        Ok(())
    }

    /// Checks that a complete list has enough elements.
    fn long_enough(&mut self, member: &'n Member, value: &dyn Data) -> Result<(), Rejected> {
        let Some(FieldNode::Repeated { lower, upper, .. }) = self.layout.field(member.node) else { return Ok(()) };
        let size = value.component(member.component as usize).and_then(|list| list.length()).unwrap_or(0) as u64;
        if size >= *lower {
            return Ok(());
        }
        self.fail(ErrorKind::Size { size, lower: *lower, upper: *upper });
        Err(self.within_member(member))
    }
}
