//! Decoding: values after identifiers and lengths (X.690), in all forms that the basic encoding
//! rules allow.

use roadwire_layout::{Alternative, Node, NodeId, TlvNode};
use roadwire_wire::rt::tlv::{self, Identifier, Length};
use roadwire_wire::{Data, ErrorKind, Rejected, Scalar, Shape, faults};

mod contents;
mod record;
mod report;
mod segments;

use crate::decode::{Decoder, Family};
use crate::listener::{Listener, What};

/// The surroundings of a value's contents: the reader's outer end.
pub(crate) struct Frame {
    outer: usize,
    /// Whether the enclosing value has an indefinite length.
    indefinite: bool,
}

/// How well a tag fits a type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    No,
    /// The type accepts any tag, or those of unknown alternatives.
    Open,
    Yes,
}

/// BER, DER and CER.
#[derive(Clone, Default)]
pub(crate) struct Tlv {
    /// Whether the value being read has an indefinite length, and so ends with end-of-contents
    /// octets.
    indefinite: bool,
}

impl Family for Tlv {
    #[inline(never)]
    fn node<'n, L: Listener>(
        decoder: &mut Decoder<'n, '_, '_, '_, L, Self>,
        id: NodeId,
        value: &mut dyn Data,
    ) -> Result<(), Rejected> {
        let node = decoder.layout.node(id);
        let Node::Tlv(node) = node else { return decoder.of_any_family(node, value) };
        match node {
            TlvNode::Tagged { .. } => decoder.tagged(node, value),
            TlvNode::Primitive { identifier, contents, .. } => decoder.primitive(*identifier, contents, value),
            TlvNode::Record { .. } => decoder.tagged_record(node, value),
            TlvNode::Choice { .. } => decoder.tagged_choice(node, value),
            TlvNode::List { .. } => decoder.tagged_list(node, value),
            TlvNode::Open { .. } => decoder.open_element(node, value),
        }
    }
}

impl<'n, 'a, L: Listener> Decoder<'n, 'a, '_, '_, L, Tlv> {
    #[inline(never)]
    pub(crate) fn tagged(&mut self, node: &'n TlvNode, value: &mut dyn Data) -> Result<(), Rejected> {
        let TlvNode::Tagged { identifier, contents, .. } = *node else { return self.misplaced() };
        let frame = self.open_value(identifier)?;
        self.node(contents, value)?;
        self.close_value(&frame)
    }

    /// Reads an identifier, which must be this one, and a length, and restricts the reader to it.
    #[inline(never)]
    fn open_value(&mut self, wanted: Identifier) -> Result<Frame, Rejected> {
        let at = self.reader.position();
        let found = self.take_identifier()?;
        if found != wanted {
            return Err(self.other_tag(found, wanted, at));
        }
        self.enter()
    }

    /// Reads a length, and restricts the reader to it.
    fn enter(&mut self) -> Result<Frame, Rejected> {
        let mut frame = Frame { outer: usize::MAX, indefinite: self.family.indefinite };
        let length = self.take_tagged_length()?;
        self.family.indefinite = length == Length::Indefinite;
        if let Length::Definite(octets) = length {
            match self.reader.enter(octets.saturating_mul(8)) {
                Ok(outer) => frame.outer = outer,
                Err(Rejected) => return self.too_few_octets(octets),
            }
        }
        Ok(frame)
    }

    /// Checks that the contents end here, and continues after them.
    #[inline(never)]
    fn close_value(&mut self, frame: &Frame) -> Result<(), Rejected> {
        if !self.at_end()? {
            let octets = self.left();
            return Err(self.other_length(faults::shared::CONTENTS_TRAILING, self.reader.position(), octets));
        }
        if self.family.indefinite {
            let at = self.reader.position();
            self.reader.skip(16)?;
            self.show(at, What::End, Scalar::Unset);
        } else {
            self.reader.leave(frame.outer);
        }
        self.family.indefinite = frame.indefinite;
        Ok(())
    }

    /// Whether the contents end here.
    fn at_end(&mut self) -> Result<bool, Rejected> {
        if !self.family.indefinite {
            return Ok(self.reader.remaining() == 0);
        }
        match self.left() {
            [0, 0, ..] => Ok(true),
            [] => self.truncated(16),
            _ => Ok(false),
        }
    }

    /// The next identifier, without its bit for "constructed".
    fn tag_ahead(&mut self) -> Result<Identifier, Rejected> {
        match tlv::identifier(self.left()) {
            Ok((identifier, _)) => Ok(identifier & !tlv::CONSTRUCTED),
            Err(fault) => Err(self.faulty(fault)),
        }
    }

    fn take_identifier(&mut self) -> Result<Identifier, Rejected> {
        let at = self.reader.position();
        match tlv::identifier(self.left()) {
            Ok((identifier, octets)) => {
                self.reader.skip(octets * 8)?;
                self.show(at, What::Tag(""), Scalar::Unset);
                Ok(identifier)
            }
            Err(fault) => Err(self.faulty(fault)),
        }
    }

    fn take_tagged_length(&mut self) -> Result<Length, Rejected> {
        let at = self.reader.position();
        match tlv::length(self.left()) {
            Ok((length, octets)) => {
                self.reader.skip(octets * 8)?;
                let told = match length {
                    Length::Definite(octets) => octets as u64,
                    Length::Indefinite => u64::MAX,
                };
                self.show(at, What::Length(told), Scalar::Unset);
                Ok(length)
            }
            Err(fault) => Err(self.faulty(fault)),
        }
    }

    /// Reads a whole value as octets.
    fn whole_element(&mut self) -> Result<&'a [u8], Rejected> {
        self.whole(tlv::element(self.left()))
    }

    /// Keeps an unknown extension addition or alternative.
    #[cold]
    #[inline(never)]
    fn unknown_element(&mut self, index: u32, value: &mut dyn Data) -> Result<(), Rejected> {
        let octets = self.whole_element()?;
        self.keep_unknown(index, octets, value)
    }

    /// Whether a value with this tag may be of the type.
    fn fit(&self, node: NodeId, tag: Identifier) -> Fit {
        match *self.layout.node(node) {
            Node::Tlv(TlvNode::Primitive { identifier, .. }) if identifier == tag => Fit::Yes,
            Node::Tlv(TlvNode::Tagged { identifier, .. }) if identifier & !tlv::CONSTRUCTED == tag => Fit::Yes,
            Node::Tlv(TlvNode::Choice { alternatives, extensible, .. }) => {
                let least = if extensible { Fit::Open } else { Fit::No };
                let fits = self.layout.alternatives(alternatives).iter().map(|one| self.fit(one.node, tag));
                fits.fold(least, Fit::max)
            }
            Node::Tlv(TlvNode::Open { .. }) => Fit::Open,
            Node::Key { node, .. } | Node::Contained { string: node, .. } | Node::Fitting { content: node, .. } => {
                self.fit(node, tag)
            }
            _ => Fit::No,
        }
    }

    #[inline(never)]
    pub(crate) fn tagged_choice(&mut self, node: &'n TlvNode, value: &mut dyn Data) -> Result<(), Rejected> {
        match self.open_tagged_choice(node)? {
            Some(alternative) => self.alternative(alternative, value)?,
            None => self.other_alternative(node, value)?,
        }
        self.depth -= 1;
        Ok(())
    }

    /// Finds the alternative with the next tag.
    #[inline(never)]
    fn open_tagged_choice(&mut self, node: &'n TlvNode) -> Result<Option<&'n Alternative>, Rejected> {
        let TlvNode::Choice { alternatives, extensible, .. } = *node else { return Err(Rejected) };
        self.descend()?;
        let tag = self.tag_ahead()?;
        let alternatives = self.layout.alternatives(alternatives);
        for wanted in [Fit::Yes, Fit::Open] {
            if let Some(found) = alternatives.iter().find(|one| self.fit(one.node, tag) == wanted) {
                return Ok(Some(found));
            }
        }
        if extensible { Ok(None) } else { Err(self.no_alternative(tag, alternatives)) }
    }

    #[cold]
    #[inline(never)]
    fn other_alternative(&mut self, node: &'n TlvNode, value: &mut dyn Data) -> Result<(), Rejected> {
        let TlvNode::Choice { alternatives, root, .. } = *node else { return self.misplaced() };
        self.unknown_element(alternatives.count.saturating_sub(root), value)
    }

    #[inline(never)]
    pub(crate) fn tagged_list(&mut self, node: &'n TlvNode, value: &mut dyn Data) -> Result<(), Rejected> {
        let TlvNode::List { element, .. } = *node else { return self.misplaced() };
        let start = self.reader.position();
        self.open_tagged_list(value)?;
        let mut at = 0u64;
        while self.another_element(node, at)? {
            self.element_at(element, at, at + 1, value)?;
            at += 1;
        }
        self.close_tagged_list(node, at, start)
    }

    #[inline(never)]
    fn open_tagged_list(&mut self, value: &mut dyn Data) -> Result<(), Rejected> {
        self.descend()?;
        if value.begin(Shape::List) { Ok(()) } else { self.mismatch("a list") }
    }

    #[inline(never)]
    fn another_element(&mut self, node: &TlvNode, at: u64) -> Result<bool, Rejected> {
        if self.at_end()? {
            return Ok(false);
        }
        self.count_element()?;
        match *node {
            TlvNode::List { lower, upper, .. } if at >= upper => {
                Err(self.fail(ErrorKind::Size { size: at.saturating_add(1), lower, upper }))
            }
            _ => Ok(true),
        }
    }

    #[inline(never)]
    fn close_tagged_list(&mut self, node: &TlvNode, size: u64, start: usize) -> Result<(), Rejected> {
        let TlvNode::List { lower, upper, .. } = *node else { return self.misplaced() };
        self.depth -= 1;
        if size < lower { Err(self.fail_at(ErrorKind::Size { size, lower, upper }, start)) } else { Ok(()) }
    }

    /// An open type: a value of the type that its key selects, if `value` can hold one, or the
    /// octets of one value.
    #[inline(never)]
    pub(crate) fn open_element(&mut self, node: &'n TlvNode, value: &mut dyn Data) -> Result<(), Rejected> {
        let TlvNode::Open { slot, rows } = *node else { return self.misplaced() };
        if let Some(row) = self.slots.fill(slot) {
            let inner = self.layout.numbers(rows).get(row).copied();
            if let Some((inner, content)) = inner.zip(value.choose(row)) {
                self.descend()?;
                self.node(NodeId(inner), content)?;
                self.depth -= 1;
                return Ok(());
            }
        }
        self.element_octets(value)
    }

    #[inline(never)]
    fn element_octets(&mut self, value: &mut dyn Data) -> Result<(), Rejected> {
        if !value.begin(Shape::Octets) {
            return self.mismatch("a place for an open type");
        }
        let octets = self.whole_element()?;
        match value.extend_octets(octets.len()) {
            Some(place) if place.len() == octets.len() => {
                place.copy_from_slice(octets);
                Ok(())
            }
            _ => self.full(octets.len() as u64),
        }
    }
}
