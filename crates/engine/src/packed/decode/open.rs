//! Decoding: open types, whole and in fragments.

use core::num::NonZeroUsize;

use roadwire_layout::{Alternative, Member, NodeId};
use roadwire_wire::rt::packed::Length;
use roadwire_wire::{Data, Rejected, Scalar, Thing, faults};

use crate::decode::{Decoder, Family};
use crate::listener::{Listener, What};

/// The content of an open type.
#[derive(Clone, Copy)]
pub(crate) enum Content<'n> {
    Member(&'n Member),
    Node(NodeId),
    Alternative(&'n Alternative),
}

impl<'n, L: Listener, F: Family> Decoder<'n, '_, '_, '_, L, F> {
    /// Reads an open type (X.691 §11.2) and decodes its content.
    #[inline(never)]
    pub(crate) fn open(&mut self, content: Content<'n>, value: &mut dyn Data) -> Result<(), Rejected> {
        self.align_determinant()?;
        let at = self.reader;
        let Ok(Length::Last(octets)) = self.take_length() else {
            self.reader = at;
            return self.open_fragments(content, value);
        };
        self.show(at.position(), What::OpenLength(octets), Scalar::Unset);
        if (octets as u64) < self.layout.least_octets() {
            return self.empty_open_type(at.position());
        }
        let Ok(outer) = self.reader.enter(octets * 8) else { return self.too_few_octets(octets) };
        let start = self.reader.position();
        self.content(content, value)?;
        self.end_of_content(start)?;
        self.reader.leave(outer);
        Ok(())
    }

    /// Decodes octets that have been reassembled, and that precede bit `end` of the message.
    pub(crate) fn apart(
        &mut self,
        octets: &[u8],
        end: Option<NonZeroUsize>,
        family: F,
        decode: impl FnOnce(&mut Decoder<'n, '_, '_, '_, L, F>) -> Result<(), Rejected>,
    ) -> Result<(), Rejected> {
        let mut nested = self.nested(octets, end, family);
        let done = decode(&mut nested);
        if done.is_err() {
            nested.explained();
        }
        let (elements, heap, slots) = (nested.elements, nested.heap, nested.slots);
        (self.elements, self.heap, self.slots) = (elements, heap, slots);
        done
    }

    /// Checks that a content that began at bit `start` is a complete encoding: only bits up to an
    /// octet border follow, or the single octet of a value without bits (X.691 §11.1.3). Further
    /// octets would be lost when encoding again, and no later version of the type has them here.
    pub(crate) fn end_of_content(&mut self, start: usize) -> Result<(), Rejected> {
        let (at, left) = (self.reader.position(), self.reader.remaining());
        let most = if at == start { self.layout.least_octets() * 8 } else { 7 };
        if left as u64 > most {
            return Err(self.found(
                faults::shared::OPEN_TYPE_TRAILING,
                at,
                Thing::Length(left as u64 / 8),
                Thing::None,
            ));
        }
        if L::ACTIVE && left > 0 {
            self.item(at, left, What::Padding, Scalar::Unset);
        }
        Ok(())
    }

    pub(crate) fn content(&mut self, content: Content<'n>, value: &mut dyn Data) -> Result<(), Rejected> {
        match content {
            Content::Member(member) => self.member(member, value),
            Content::Node(node) => self.node(node, value),
            Content::Alternative(alternative) => self.alternative(alternative, value),
        }
    }
}
