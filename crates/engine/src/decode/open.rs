//! Decoding: open types, whole and in fragments.

use core::num::NonZeroUsize;

use roadwire_layout::{Alternative, Member, NodeId};
use roadwire_wire::per::Length;
use roadwire_wire::{Data, ErrorKind, Reader, Rejected, Scalar};

use super::*;

/// What an open type contains.
#[derive(Clone, Copy)]
pub(super) enum Content<'n> {
    Member(&'n Member),
    Node(NodeId),
    Alternative(&'n Alternative),
}

impl<'n, L: Listener> Decoder<'n, '_, '_, '_, L> {
    /// Reads an open type (X.691 §11.2) and decodes its content.
    #[inline(never)]
    pub(super) fn open(&mut self, content: Content<'n>, value: &mut dyn Data) -> Result<(), Rejected> {
        self.align_determinant()?;
        let at = self.reader;
        let Ok(Length::Last(octets)) = self.take_length() else {
            self.reader = at;
            return self.open_fragments(content, value);
        };
        self.show(at.position(), What::OpenLength(octets), Scalar::Unset);
        if (octets as u64) < self.layout.lengths.least_octets() {
            return self.empty_open_type(at.position());
        }
        let Ok(outer) = self.reader.enter(octets * 8) else { return self.truncated(octets * 8) };
        let start = self.reader.position();
        self.content(content, value)?;
        self.end_of_content(start)?;
        self.reader.leave(outer);
        Ok(())
    }

    /// Decodes octets that have been put together, which lie in front of bit `end` of the message.
    pub(super) fn apart(
        &mut self,
        octets: &[u8],
        end: Option<NonZeroUsize>,
        decode: impl FnOnce(&mut Decoder<'n, '_, '_, '_, L>) -> Result<(), Rejected>,
    ) -> Result<(), Rejected> {
        let mut nested = Decoder {
            tag: self.tag,
            spaced: false,
            document: xml::Document::default(),
            events: event::Events::default(),
            run: self.run,
            layout: self.layout,
            reader: Reader::new(octets),
            detached: end,
            indefinite: false,
            depth: self.depth,
            elements: self.elements,
            heap: self.heap,
            place: self.place,
            limits: self.limits,
            slots: core::mem::take(&mut self.slots),
            listener: &mut *self.listener,
            explanation: self.explanation.as_deref_mut(),
        };
        let done = decode(&mut nested);
        if done.is_err() {
            nested.explained();
        }
        self.elements = nested.elements;
        self.heap = nested.heap;
        self.slots = nested.slots;
        done
    }

    /// A content that began at bit `start` is a complete encoding: nothing follows but bits up to an octet border, or the one octet of a value that has no bits (X.691 §11.1.3).
    /// Octets would be lost on encoding again; there is no later version that has them here.
    pub(super) fn end_of_content(&mut self, start: usize) -> Result<(), Rejected> {
        let (at, left) = (self.reader.position(), self.reader.remaining());
        let most = if at == start { self.layout.lengths.least_octets() * 8 } else { 7 };
        if left as u64 > most {
            return Err(self.fail_at(ErrorKind::Malformed("octets after the content of an open type"), at));
        }
        if L::ACTIVE && left > 0 {
            self.item(at, left, What::Padding, Scalar::Unset);
        }
        Ok(())
    }

    pub(super) fn content(&mut self, content: Content<'n>, value: &mut dyn Data) -> Result<(), Rejected> {
        match content {
            Content::Member(member) => self.member(member, value),
            Content::Node(node) => self.node(node, value),
            Content::Alternative(alternative) => self.alternative(alternative, value),
        }
    }
}
