//! Decoding: fields of a message that occur more than once. The last of several values counts;
//! several messages are merged, as if their octets were concatenated.

use super::Fields;
use alloc::vec::Vec;
use core::num::NonZeroUsize;

use roadwire_layout::{Alternative, FieldNode, Member, Node, NodeId};
use roadwire_wire::rt::fields::{self, WireType};
use roadwire_wire::{Data, ErrorKind, Rejected, faults};

use crate::decode::Decoder;
use crate::listener::Listener;

impl<'n, L: Listener> Decoder<'n, '_, '_, '_, L, Fields> {
    /// A member that is a message. All of its occurrences are read at the first one.
    pub(crate) fn merged_member(
        &mut self,
        member: &'n Member,
        content: NodeId,
        first: bool,
        value: &mut dyn Data,
    ) -> Result<(), Rejected> {
        if !first {
            return self.whole_field().map(drop);
        }
        let at = self.reader.position();
        let Some(octets) = self.gathered()? else { return self.member(member, value) };
        self.whole_field()?;
        if L::ACTIVE {
            self.listener.enter(self.layout.step(member.name, member.component));
        }
        let done = match value.component_mut(member.component as usize) {
            Some(component) => self.merged(content, &octets, at, component),
            None => self.mismatch("a SEQUENCE with this component"),
        };
        if L::ACTIVE {
            self.listener.leave();
        }
        done.map_err(|Rejected| self.within_member(member))
    }

    /// An alternative that occurs more than once, and nothing else.
    #[cold]
    #[inline(never)]
    pub(crate) fn alternative_again(
        &mut self,
        alternative: &'n Alternative,
        value: &mut dyn Data,
    ) -> Result<(), Rejected> {
        let layout = self.layout;
        let content = match layout.field(alternative.node) {
            Some(FieldNode::Single { content, .. }) if layout.is_merged(*content) => *content,
            _ => {
                while self.reader.remaining() > 0 {
                    self.alternative(alternative, value)?;
                }
                return Ok(());
            }
        };
        let at = self.reader.position();
        let octets = self.gathered()?.unwrap_or_default();
        while self.reader.remaining() > 0 {
            self.whole_field()?;
        }
        if L::ACTIVE {
            self.listener.enter(layout.step(alternative.name, alternative.alternative));
        }
        let done = match value.choose(alternative.alternative as usize) {
            Some(component) => self.merged(content, &octets, at, component),
            None => self.mismatch("a CHOICE with this alternative"),
        };
        if L::ACTIVE {
            self.listener.leave();
        }
        done.map_err(|Rejected| self.within_alternative(alternative))
    }

    /// Checks that all fields have this number, which must be known.
    #[cold]
    #[inline(never)]
    pub(crate) fn only(&mut self, wanted: u32, known: bool) -> Result<(), Rejected> {
        let mut rest = self.left();
        let mut first = true;
        while !rest.is_empty() {
            let field = fields::key(rest).and_then(|(number, ..)| Ok((number, fields::field(rest)?)));
            let (number, length) = match field {
                Ok(field) => field,
                Err(fault) => return Err(self.faulty(fault)),
            };
            if number != wanted || !known && !first {
                let at = self.reader.position() + self.reader.remaining() - rest.len() * 8;
                return Err(self.fail_at(ErrorKind::Malformed(faults::fields::CHOICE_MANY), at));
            }
            first = false;
            rest = rest.get(length..).unwrap_or(&[]);
        }
        Ok(())
    }

    /// The concatenated contents of all fields with the number of the next one; `None` if that is
    /// the only one.
    fn gathered(&mut self) -> Result<Option<Vec<u8>>, Rejected> {
        let (wanted, _) = self.key_ahead()?;
        let mut rest = self.left();
        let mut octets = Vec::new();
        let mut count = 0;
        // Anything that is not a field is reported later.
        while let (Ok((number, wire_type, front)), Ok(length)) = (fields::key(rest), fields::field(rest)) {
            if number == wanted {
                if wire_type != WireType::DELIMITED {
                    let at = self.reader.position() + self.reader.remaining() - rest.len() * 8;
                    return Err(self.other_wire_type(at, wire_type, WireType::DELIMITED));
                }
                let value = rest.get(front..length).unwrap_or(&[]);
                let (_, front) = fields::read(value).unwrap_or((0, 0));
                octets.extend_from_slice(value.get(front..).unwrap_or(&[]));
                count += 1;
            }
            rest = rest.get(length..).unwrap_or(&[]);
        }
        Ok((count > 1).then_some(octets))
    }

    /// Reads a message from concatenated octets, the first of which follow bit `at`.
    fn merged(&mut self, content: NodeId, octets: &[u8], at: usize, value: &mut dyn Data) -> Result<(), Rejected> {
        let Node::Fields(FieldNode::Delimited { content }) = *self.layout.node(content) else {
            return self.misplaced();
        };
        let end = self.detached.or(NonZeroUsize::new(self.reader.position()));
        let done = self.apart(octets, end, Fields { run: self.family.run }, |nested| nested.node(content, value));
        if let (Err(Rejected), Some(Some(error))) = (done, &mut self.explanation) {
            error.bit = at;
        }
        done
    }
}
