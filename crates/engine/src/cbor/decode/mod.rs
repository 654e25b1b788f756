//! Decoding data items (RFC 8949) in the one form that is deterministic (§4.2.1); all others are
//! refused.

use roadwire_layout::{Alternative, CborNode, Node, NodeId};
use roadwire_wire::rt::cbor::{self, Fault, Head, major, tag};
use roadwire_wire::{Data, ErrorKind, Rejected, Scalar, Shape, Thing, faults};

use crate::decode::{Decoder, Family};
use crate::listener::{Listener, What};

mod leaf;
mod map;
mod report;

/// CBOR.
#[derive(Clone, Default)]
pub(crate) struct Cbor;

impl Family for Cbor {
    #[inline(never)]
    fn node<'n, L: Listener>(
        decoder: &mut Decoder<'n, '_, '_, '_, L, Self>,
        id: NodeId,
        value: &mut dyn Data,
    ) -> Result<(), Rejected> {
        let node = decoder.layout.node(id);
        match node {
            Node::Cbor(node) => decoder.item_of(node, value),
            _ => decoder.of_any_family(node, value),
        }
    }
}

impl<'n, 'a, L: Listener> Decoder<'n, 'a, '_, '_, L, Cbor> {
    #[inline(never)]
    fn item_of(&mut self, node: &'n CborNode, value: &mut dyn Data) -> Result<(), Rejected> {
        match *node {
            CborNode::Map { .. } => self.map(node, value),
            CborNode::Choice { .. } => self.choice_of_items(node, value),
            CborNode::Array { .. } => self.array_of_items(node, value),
            CborNode::Embedded { .. } => self.embedded(node, value),
            _ => self.leaf_item(node, value),
        }
    }

    /// Reads a head, and returns it with its place. The caller reports it to the listener.
    fn take_head(&mut self) -> Result<(usize, Head), Rejected> {
        let at = self.reader.position();
        match cbor::head(self.left()) {
            Ok(head) => {
                self.reader.skip(head.octets * 8)?;
                Ok((at, head))
            }
            Err(fault) => Err(self.faulty_item(fault)),
        }
    }

    /// Reads the head of an array, a map or a tag; its kind must be `major`.
    fn take_number(&mut self, major: u8) -> Result<(usize, u64), Rejected> {
        let (at, head) = self.take_head()?;
        if head.major != major {
            return Err(self.other_major(at, major));
        }
        Ok((at, head.number))
    }

    /// Reads a tag, which must be this one.
    fn take_tag(&mut self, wanted: u64) -> Result<(), Rejected> {
        let (at, number) = self.take_number(major::TAG)?;
        if number != wanted {
            return Err(self.no_cbor_tag(at, number, &[wanted]));
        }
        self.show(at, What::Tag(""), Scalar::Unset);
        Ok(())
    }

    /// Reads a string of octets or of text. The caller reports the content to the listener.
    fn take_string(&mut self, major: u8) -> Result<&'a [u8], Rejected> {
        let octets = self.string_ahead(major)?;
        self.reader.skip(octets.len() * 8)?;
        Ok(octets)
    }

    /// Reads the head of a string, and returns the content without consuming it.
    fn string_ahead(&mut self, major: u8) -> Result<&'a [u8], Rejected> {
        let (at, number) = self.take_number(major)?;
        self.show(at, What::Length(number), Scalar::Unset);
        let length = usize::try_from(number).unwrap_or(usize::MAX);
        match self.left().get(..length) {
            Some(octets) => Ok(octets),
            None => self.too_few_octets(length),
        }
    }

    /// Keeps the next item, which is unknown.
    #[cold]
    #[inline(never)]
    fn keep_item(&mut self, index: u32, value: &mut dyn Data) -> Result<(), Rejected> {
        let at = self.reader.position();
        let octets = match cbor::skip(self.left(), self.limits.depth.saturating_sub(self.depth)) {
            Ok(length) => self.left().get(..length).unwrap_or(&[]),
            Err(fault) => return Err(self.faulty_item(fault)),
        };
        self.reader.skip(octets.len() * 8)?;
        self.show(at, What::Unknown, Scalar::Octets(octets));
        self.keep_unknown(index, octets, value)
    }

    #[cold]
    #[inline(never)]
    fn faulty_item(&mut self, fault: Fault) -> Rejected {
        match fault {
            Fault::Truncated => self.fail(ErrorKind::Truncated { missing: 8 }),
            Fault::Malformed(what) if what.is_complete() => self.fail(ErrorKind::Malformed(what)),
            Fault::Malformed(what) => {
                let at = self.reader.position();
                self.found_octets(what, at, 2)
            }
            Fault::TooDeep => self.fail(ErrorKind::TooDeep { limit: self.limits.depth.min(cbor::DEEPEST) }),
        }
    }

    /// Reads a key. The caller reports it to the listener.
    fn take_key(&mut self) -> Result<(usize, u64), Rejected> {
        let (at, head) = self.take_head()?;
        if head.major != major::UNSIGNED {
            return Err(self.other_key(at));
        }
        Ok((at, head.number))
    }

    #[inline(never)]
    fn choice_of_items(&mut self, node: &'n CborNode, value: &mut dyn Data) -> Result<(), Rejected> {
        let (at, key, alternative) = self.open_choice_of_items(node)?;
        match alternative {
            Some(alternative) => self.alternative(alternative, value)?,
            None => self.later_alternative(node, at, key, value)?,
        }
        self.depth -= 1;
        Ok(())
    }

    /// Reads the key, and returns its place, the key, and its alternative; `None` if no alternative
    /// has it.
    #[inline(never)]
    fn open_choice_of_items(&mut self, node: &'n CborNode) -> Result<(usize, u64, Option<&'n Alternative>), Rejected> {
        let CborNode::Choice { alternatives, .. } = *node else { return Err(Rejected) };
        self.descend()?;
        let (at, entries) = self.take_number(major::MAP)?;
        if entries != 1 {
            return Err(self.found(faults::cbor::CHOICE, at, Thing::Number(entries), Thing::None));
        }
        self.show(at, What::Length(entries), Scalar::Unset);
        let (at, key) = self.take_key()?;
        let layout = self.layout;
        let place = usize::try_from(key).ok();
        let found = place.and_then(|place| layout.alternatives(alternatives).get(place));
        if L::ACTIVE {
            let name = found.map_or("", |alternative| layout.name(alternative.name));
            self.show(at, What::Choice(key, name), Scalar::Unset);
        }
        Ok((at, key, found))
    }

    #[cold]
    #[inline(never)]
    fn later_alternative(
        &mut self,
        node: &CborNode,
        at: usize,
        key: u64,
        value: &mut dyn Data,
    ) -> Result<(), Rejected> {
        let CborNode::Choice { root, extensible, .. } = *node else { return self.misplaced() };
        match u32::try_from(key.saturating_sub(root.into())) {
            Ok(index) if extensible => self.keep_item(index, value),
            _ => Err(self.no_key_of_choice(at, key, node)),
        }
    }

    #[inline(never)]
    fn array_of_items(&mut self, node: &'n CborNode, value: &mut dyn Data) -> Result<(), Rejected> {
        let CborNode::Array { element, sorted, .. } = *node else { return self.misplaced() };
        let count = self.open_array_of_items(node, value)?;
        let mut before = self.reader.position();
        for at in 0..count {
            let start = self.reader.position();
            self.count_element()?;
            self.element_at(element, at, count, value)?;
            if sorted && at > 0 {
                self.ascends(before, start, at)?;
            }
            before = start;
        }
        self.depth -= 1;
        Ok(())
    }

    /// Returns how many elements follow.
    #[inline(never)]
    fn open_array_of_items(&mut self, node: &CborNode, value: &mut dyn Data) -> Result<u64, Rejected> {
        let CborNode::Array { lower, upper, .. } = *node else { return Err(Rejected) };
        self.descend()?;
        let (at, size) = self.take_number(major::ARRAY)?;
        self.show(at, What::Length(size), Scalar::Unset);
        if size < lower || size > upper {
            return Err(self.fail_at(ErrorKind::Size { size, lower, upper }, at));
        }
        // Each takes at least one octet.
        let least = usize::try_from(size).unwrap_or(usize::MAX).saturating_mul(8);
        if self.reader.remaining() < least {
            return self.truncated(least);
        }
        if value.begin(Shape::List) { Ok(size) } else { Err(self.fail(ErrorKind::Mismatch { expected: "a list" })) }
    }

    /// Checks that the element just read, from bit `start` on, is not below the one that began at
    /// bit `before`.
    #[inline(never)]
    fn ascends(&mut self, before: usize, start: usize, at: u64) -> Result<(), Rejected> {
        let octets = self.reader.octets();
        let between = |from: usize, to: usize| octets.get(from / 8..to / 8).unwrap_or(&[]);
        if between(before, start) <= between(start, self.reader.position()) {
            return Ok(());
        }
        self.fail_at(ErrorKind::Malformed(faults::cbor::ORDER), start);
        Err(self.within_element(at))
    }

    /// An open type: a value of the type that its key selects, if `value` can hold one, or octets.
    #[inline(never)]
    fn embedded(&mut self, node: &'n CborNode, value: &mut dyn Data) -> Result<(), Rejected> {
        let CborNode::Embedded { slot, rows } = *node else { return self.misplaced() };
        self.take_tag(tag::EMBEDDED)?;
        if let Some(row) = self.slots.fill(slot).filter(|_| rows.count > 0) {
            let inner = self.layout.numbers(rows).get(row).copied();
            if let Some((inner, content)) = inner.zip(value.choose(row)) {
                let outer = self.open_embedded()?;
                self.node(NodeId(inner), content)?;
                return self.close_embedded(outer);
            }
        }
        self.octets_within(0, u64::MAX, What::Unknown, value)
    }

    /// Reads the head of a byte string, and restricts the reader to it; returns the outer end.
    #[inline(never)]
    fn open_embedded(&mut self) -> Result<usize, Rejected> {
        self.descend()?;
        let length = self.string_ahead(major::OCTETS)?.len();
        if length == 0 {
            return Err(self.fail(ErrorKind::Malformed(faults::shared::OPEN_TYPE_EMPTY)));
        }
        self.reader.enter(length * 8)
    }

    #[inline(never)]
    fn close_embedded(&mut self, outer: usize) -> Result<(), Rejected> {
        if self.reader.remaining() > 0 {
            let octets = self.left();
            return Err(self.other_length(faults::shared::OPEN_TYPE_TRAILING, self.reader.position(), octets));
        }
        self.reader.leave(outer);
        self.depth -= 1;
        Ok(())
    }
}
