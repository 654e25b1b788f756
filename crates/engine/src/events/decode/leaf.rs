//! Decoding: values in a stream of events.

use super::Events;
use alloc::vec::Vec;

use roadwire_layout::{EventNode, Items, Node, NodeId, Number, Span};
use roadwire_wire::rt::events::{self, Arcs};
use roadwire_wire::rt::varint;
use roadwire_wire::{BitWord, Data, ErrorKind, Rejected, Scalar, Shape, faults};

use crate::decode::Decoder;
use crate::listener::{Listener, What};
use crate::wide;

impl<'n, L: Listener> Decoder<'n, '_, '_, '_, L, Events> {
    #[inline(never)]
    pub(crate) fn event_leaf(&mut self, node: &'n EventNode, value: &mut dyn Data) -> Result<(), Rejected> {
        let EventNode::Leaf { name, value: leaf, code, follow } = *node else { return self.misplaced() };
        let text = self.layout.name(name);
        self.happens("SE", text)?;
        if code > 0 {
            return self.coded_leaf(node, value);
        }
        self.family.partition = name.start();
        self.node(leaf, value)?;
        self.expect(follow, false)
    }

    /// A value with event codes before it and before the end of its element.
    fn coded_leaf(&mut self, node: &'n EventNode, value: &mut dyn Data) -> Result<(), Rejected> {
        let EventNode::Leaf { name, value: leaf, code, follow } = *node else { return self.misplaced() };
        let text = self.layout.name(name);
        self.family.partition = name.start();
        // A bit string's attribute may come first.
        let is_attribute =
            matches!(*self.layout.node(leaf), Node::Events(EventNode::Bits { lower, upper, .. }) if lower != upper);
        self.expect(code, true)?;
        if !is_attribute && self.family.code.left_out == 1 && self.ends_empty(leaf, value)? {
            return self.expect(follow, false);
        }
        self.happens(if is_attribute { "AT" } else { "CH" }, "")?;
        if is_attribute && self.attributed_bits(leaf, value)? {
            return self.expect(follow, false);
        }
        if !is_attribute {
            self.node(leaf, value)?;
        }
        self.expect(code, false)?;
        self.happens("EE", text)?;
        self.expect(follow, false)
    }

    /// §8.5.4.4.1: whether an element ends without characters, by the first code of the second
    /// level.
    fn ends_empty(&mut self, leaf: NodeId, value: &mut dyn Data) -> Result<bool, Rejected> {
        let start = self.reader;
        if self.take(u32::from(EventNode::SECOND_PART))? != 0 {
            self.reader = start;
            return Ok(false);
        }
        let (size, shape) = match *self.layout.node(leaf) {
            Node::Events(EventNode::Bits { upper: 0, .. }) => {
                self.empty_event();
                let none = BitWord { value: 0, bits: 0 };
                return self.set_bit_word(self.reader.position(), none, value).map(|()| true);
            }
            Node::Events(EventNode::Octets { lower, upper }) => ((lower, upper), Shape::Octets),
            Node::Events(EventNode::Text { lower, upper, .. }) => ((lower, upper), Shape::Text),
            _ => {
                self.reader = start;
                return Ok(false);
            }
        };
        self.empty_event();
        let (lower, upper) = size;
        self.size_of(0, lower, upper, self.family.code.at)?;
        if !value.begin(shape) {
            return self.mismatch("a place for a string").map(|()| true);
        }
        if shape == Shape::Octets && value.extend_octets(0).is_none() {
            return self.full(0).map(|()| true);
        }
        self.show(self.reader.position(), What::Value(""), value.scalar());
        Ok(true)
    }

    /// Reports a code of two parts, of which the second has just been read.
    fn empty_event(&mut self) {
        let at = self.family.code.at;
        self.show(at, What::Event("EE", ""), Scalar::Unset);
    }

    fn size_of(&mut self, size: u64, lower: u64, upper: u64, at: usize) -> Result<(), Rejected> {
        if lower <= size && size <= upper {
            return Ok(());
        }
        Err(self.fail_at(ErrorKind::Size { size, lower, upper }, at))
    }

    #[inline(never)]
    pub(crate) fn event_value(&mut self, node: &'n EventNode, value: &mut dyn Data) -> Result<(), Rejected> {
        match *node {
            EventNode::Integer { range, number } => self.bounded_number(range, number, value),
            EventNode::ItemNumber { values, items, number } => self.item_of_number(values, items, number, value),
            EventNode::Octets { lower, upper } => self.event_octets(lower, upper, value),
            EventNode::Bits { lower, upper, trim, .. } if lower == upper => {
                self.event_bits(0, lower, upper, trim, value)
            }
            EventNode::Bits { lower, upper, trim, .. } => {
                let unused = self.unused_bits()?;
                self.event_bits(unused, lower, upper, trim, value)
            }
            EventNode::Text { lower, upper, alphabet } => self.event_text([lower, upper], alphabet, value),
            EventNode::Real => self.event_real(value),
            EventNode::Arcs { relative } => self.event_arcs(relative, value),
            _ => self.misplaced(),
        }
    }

    /// Reads a number of units.
    pub(crate) fn event_length(&mut self) -> Result<u64, Rejected> {
        let at = self.reader.position();
        let Ok(length) = varint::take(&mut self.reader) else {
            return Err(self.refuse(at, 8, faults::events::LENGTH));
        };
        self.show(at, What::Length(length), Scalar::Unset);
        Ok(length)
    }

    /// Reads how many octets follow, and checks that there are as many.
    fn octets_ahead(&mut self) -> Result<usize, Rejected> {
        let length = self.event_length()?;
        match usize::try_from(length).ok().filter(|octets| *octets <= self.reader.remaining() / 8) {
            Some(octets) => Ok(octets),
            None => self.too_few_octets(usize::try_from(length).unwrap_or(usize::MAX)),
        }
    }

    fn item_of_number(
        &mut self,
        values: Span,
        items: Items,
        number: Number,
        value: &mut dyn Data,
    ) -> Result<(), Rejected> {
        let at = self.reader.position();
        let found = self.narrow_number(number)?;
        let mut numbers = self.layout.numbers(values).chunks_exact(2);
        let place = numbers.position(|pair| i128::from(wide::item_number([pair[0], pair[1]])) == found);
        let Some(ordinal) = place else {
            let numbers = self.layout.numbers(values).chunks_exact(2);
            let numbers = numbers.map(|pair| wide::item_number([pair[0], pair[1]])).zip(0..);
            return Err(self.no_item(at, found, numbers, items));
        };
        if L::ACTIVE {
            self.show_item(items, ordinal as u32, at);
        }
        self.set_item(ordinal as u32, value)
    }

    #[inline(never)]
    fn event_octets(&mut self, lower: u64, upper: u64, value: &mut dyn Data) -> Result<(), Rejected> {
        let start = self.reader.position();
        let octets = self.octets_ahead()?;
        self.size_of(octets as u64, lower, upper, start)?;
        if !value.begin(Shape::Octets) {
            return self.mismatch("a place for an OCTET STRING");
        }
        let at = self.reader.position();
        match value.extend_octets(octets) {
            Some(place) if place.len() == octets => {
                self.reader.take_octets(place)?;
                self.show(at, What::Value(""), Scalar::Octets(place));
                Ok(())
            }
            _ => self.full(octets as u64),
        }
    }

    /// Reads the attribute with the number of unused bits in the last octet.
    fn unused_bits(&mut self) -> Result<u8, Rejected> {
        let at = self.reader.position();
        let unused = self.take(3)? as u8;
        self.show(at, What::Length(unused.into()), Scalar::Unset);
        Ok(unused)
    }

    /// A bit string after its attribute, if these have codes. Returns whether the element has ended
    /// because there are no bits.
    fn attributed_bits(&mut self, leaf: NodeId, value: &mut dyn Data) -> Result<bool, Rejected> {
        let Node::Events(EventNode::Bits { lower, upper, trim, code }) = *self.layout.node(leaf) else {
            return self.misplaced().map(|()| true);
        };
        let unused = self.unused_bits()?;
        self.expect(code, false)?;
        if self.family.code.left_out == 1 {
            let start = self.reader;
            // An end, an attribute, an attribute not of its type, an element, characters.
            if self.take(u32::from(EventNode::SECOND_PART))? == 0 {
                self.empty_event();
                let at = self.reader.position();
                self.bit_contents(at, &[unused], (lower, upper, trim.then_some(0)), value)?;
                return Ok(true);
            }
            self.reader = start;
        }
        self.happens("CH", "")?;
        self.event_bits(unused, lower, upper, trim, value)?;
        Ok(false)
    }

    #[inline(never)]
    fn event_bits(
        &mut self,
        unused: u8,
        lower: u64,
        upper: u64,
        trim: bool,
        value: &mut dyn Data,
    ) -> Result<(), Rejected> {
        let start = self.reader.position();
        let octets = self.octets_ahead()?;
        let at = self.reader.position();
        if lower != upper {
            // Most have few octets.
            let (mut few, mut many) = ([unused; 33], Vec::new());
            let contents = match few.get_mut(..=octets) {
                Some(few) => few,
                None => {
                    many.resize(octets + 1, unused);
                    &mut many[..]
                }
            };
            if let Some(place) = contents.get_mut(1..) {
                self.reader.take_octets(place)?;
            }
            return self.bit_contents(at, contents, (lower, upper, trim.then_some(0)), value);
        }
        // With a fixed size, the number of unused bits follows from it.
        if octets as u64 != upper.div_ceil(8) {
            let size = octets as u64 * 8;
            return Err(self.fail_at(ErrorKind::Size { size, lower, upper }, start));
        }
        let bits = upper as usize;
        let padding = octets * 8 - bits;
        if bits <= 64 {
            let word = BitWord { value: self.take(bits as u32)?, bits: bits as u8 };
            self.set_bit_word(at, word, value)?;
        } else {
            if !value.begin(Shape::Bits) {
                return self.mismatch("a place for a BIT STRING");
            }
            match value.extend_bits(bits) {
                Some(place) if place.len() == octets => {
                    self.reader.take_bits(place, bits)?;
                    self.show(at, What::Value(""), Scalar::Bits(place, bits));
                }
                _ => return self.full(upper),
            }
        }
        self.skip(padding)?;
        self.show_padding(padding);
        Ok(())
    }

    /// §7.1.11, §7.1.6
    #[inline(never)]
    fn event_arcs(&mut self, relative: bool, value: &mut dyn Data) -> Result<(), Rejected> {
        let count = self.event_length()?;
        let at = self.reader.position();
        let mut arcs = Arcs { relative, ..Arcs::default() };
        for _ in 0..count {
            self.count_character()?;
            let Ok(number) = events::take_wide(&mut self.reader) else {
                return Err(self.refuse(at, 8, faults::events::LIMIT_ARC));
            };
            arcs.push(number).map_err(|kind| self.fail_at(kind, at))?;
        }
        if arcs.contents.is_empty() {
            return Err(self.fail_at(ErrorKind::Malformed(faults::events::OID), at));
        }
        self.set_oid(at, &arcs.contents, value)
    }
}
