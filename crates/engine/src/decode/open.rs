//! Decoding: open types, whole and in fragments.

use alloc::vec::Vec;
use core::num::NonZeroUsize;

use roadwire_layout::{Alternative, Lengths, Member, NodeId};
use roadwire_wire::per::{self, Length};
use roadwire_wire::{Data, ErrorKind, Reader, Rejected, Scalar, Writer, oer};

use super::extent::Chunk;
use super::{Decoder, event};
use crate::listener::{Listener, What};

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

    /// The same from 16K octets on: the fragments are put together first. The listener hears of them as they lie, and then of what is in them as
    /// items of no bits, for a value may lie on both sides of a length determinant.
    #[cold]
    #[inline(never)]
    pub(super) fn open_fragments(&mut self, content: Content<'n>, value: &mut dyn Data) -> Result<(), Rejected> {
        let start = self.reader;
        let mut octets = Vec::new();
        self.open_octets(&mut octets)?;
        let end = self.detached.or(NonZeroUsize::new(self.reader.position()));
        let done = self.apart(&octets, end, |nested| {
            nested.content(content, value)?;
            nested.end_of_content(0)
        });
        if let (Err(Rejected), Some(Some(error))) = (done, &mut self.explanation) {
            error.bit = position_in_fragments(start, error.bit);
        }
        done
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
            document: super::xml::Document::default(),
            events: event::Events::default(),
            run: self.run,
            layout: self.layout,
            reader: Reader::new(octets),
            detached: end,
            indefinite: false,
            depth: self.depth,
            elements: self.elements,
            limits: self.limits,
            slots: core::mem::take(&mut self.slots),
            listener: &mut *self.listener,
            explanation: self.explanation.as_deref_mut(),
        };
        let done = decode(&mut nested);
        if done.is_err() {
            nested.within(|_| ());
        }
        self.elements = nested.elements;
        self.slots = nested.slots;
        done
    }

    /// A content that began at bit `start` is a complete encoding: nothing follows but bits up to an octet border, or the one octet of a value that has no bits (X.691 §11.1.3).
    /// Octets would be lost on encoding again; there is no later version that has them here.
    fn end_of_content(&mut self, start: usize) -> Result<(), Rejected> {
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

    /// Reads an open type's octets, length included.
    pub(crate) fn open_octets(&mut self, octets: &mut Vec<u8>) -> Result<(), Rejected> {
        loop {
            let chunk = self.next_chunk()?;
            let at = self.reader.position();
            let start = octets.len();
            self.append_octets(chunk, octets)?;
            if (octets.len() as u64) < self.layout.lengths.least_octets() {
                return self.empty_open_type(at);
            }
            self.show(at, What::Unknown, Scalar::Octets(octets.get(start..).unwrap_or(&[])));
            if !chunk.more {
                return Ok(());
            }
        }
    }

    /// Reads an open type to be kept, as [`Unknown`](roadwire_wire::Unknown) says.
    pub(super) fn keep_open_type(&mut self, octets: &mut Vec<u8>) -> Result<(), Rejected> {
        if self.layout.lengths != Lengths::Definite {
            return self.open_octets(octets);
        }
        let mut content = Vec::new();
        self.open_octets(&mut content)?;
        let mut scratch = [0u8; 16];
        let mut writer = Writer::new(&mut scratch);
        oer::put_length(&mut writer, content.len())?;
        let length = writer.finish()?;
        octets.extend(scratch.iter().take(length));
        octets.append(&mut content);
        Ok(())
    }

    pub(crate) fn append_octets(&mut self, chunk: Chunk, octets: &mut Vec<u8>) -> Result<(), Rejected> {
        let units = chunk.units as usize;
        // Before any memory is asked for.
        if self.reader.need(units * 8).is_err() {
            return self.truncated(units * 8);
        }
        let start = octets.len();
        octets.resize(start + units, 0);
        self.reader.take_octets(octets.get_mut(start..).unwrap_or(&mut []))
    }
}

/// Where bit `bit` of an open type's content lies in the message; `reader` is at the first of its length determinants.
fn position_in_fragments(mut reader: Reader<'_>, bit: usize) -> usize {
    let mut left = bit;
    while let Ok(Length::Fragment(octets)) = per::take_length(&mut reader) {
        if left < octets * 8 || reader.skip(octets * 8).is_err() {
            break;
        }
        left -= octets * 8;
    }
    reader.position() + left
}
