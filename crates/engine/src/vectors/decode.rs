//! Decoding: nodes that only the presentation language has.

use roadwire_layout::{Alternative, Count, Extent, Layout, Member, Node, NodeId, Span, VectorNode};
use roadwire_wire::rt::vectors;
use roadwire_wire::{
    BitWord, Data, ErrorKind, Few, Form, Rejected, Scalar, Shape, Thing, Unexpected, Unknown, Writer, faults,
    ordinal_of_unknown_item,
};

use crate::conditions;
use crate::decode::{Decoder, Family};
use crate::listener::{Listener, What};
use crate::packed::decode::extent::Chunk;

/// The presentation language.
#[derive(Clone, Default)]
pub(crate) struct Vectors;

impl Family for Vectors {
    #[inline(never)]
    fn node<'n, L: Listener>(
        decoder: &mut Decoder<'n, '_, '_, '_, L, Self>,
        id: NodeId,
        value: &mut dyn Data,
    ) -> Result<(), Rejected> {
        match decoder.layout.node(id) {
            Node::Vectors(node) => decoder.vector_node(node, value),
            _ => decoder.shared(id, value),
        }
    }
}

impl<'n, L: Listener> Decoder<'n, '_, '_, '_, L, Vectors> {
    #[inline(never)]
    pub(crate) fn vector_node(&mut self, node: &'n VectorNode, value: &mut dyn Data) -> Result<(), Rejected> {
        match *node {
            VectorNode::Variable | VectorNode::Psid => self.ones_number(node, value),
            VectorNode::Item { .. } => self.item_by_number(node, value),
            VectorNode::Flags { octets } => self.counted_flags(octets, value),
            VectorNode::Choice { .. } => self.choice_by_number(node, value),
            VectorNode::Octets { field, lower, upper } => self.octets_of(field, lower, upper, value),
            VectorNode::Vector { .. } => self.vector(node, value),
            VectorNode::Struct { components, members, tests } => {
                self.conditional(components, self.layout.members(members), tests, value)
            }
        }
    }

    fn ones_number(&mut self, node: &VectorNode, value: &mut dyn Data) -> Result<(), Rejected> {
        let at = self.reader.position();
        let number = match node {
            VectorNode::Psid => vectors::take_psid(&mut self.reader),
            _ => vectors::take_number(&mut self.reader),
        };
        match number {
            Ok(number) => self.set(at, Scalar::Integer(number.into()), value),
            Err(Rejected) => Err(self.refuse_ones(at)),
        }
    }

    /// The error for a variable-length number that was refused from bit `at` on.
    #[cold]
    fn refuse_ones(&mut self, at: usize) -> Rejected {
        let left = self.reader.position().saturating_sub(at) + self.reader.remaining();
        let leading = (0..8).take_while(|bit| self.reader.bit_at(at + bit)).count();
        let wanted = 8 + leading * 8;
        if left < 8 {
            self.fail_at(ErrorKind::Truncated { missing: 8 - left }, at)
        } else if leading < 8 && left < wanted {
            self.fail_at(ErrorKind::Truncated { missing: wanted - left }, at)
        } else {
            self.fail_at(ErrorKind::Malformed(faults::vectors::NUMBER), at)
        }
    }

    fn item_by_number(&mut self, node: &VectorNode, value: &mut dyn Data) -> Result<(), Rejected> {
        let VectorNode::Item { bits, extensible, values, items } = *node else { return self.misplaced() };
        let at = self.reader.position();
        let number = self.take(bits.into())?;
        let known = self.layout.numbers(values).iter().position(|one| u64::from(*one) == number);
        let kept = || if extensible { ordinal_of_unknown_item(i64::try_from(number).ok()?) } else { None };
        match known.map(|known| known as u32).or_else(kept) {
            Some(ordinal) => {
                if L::ACTIVE {
                    self.show_item(items, ordinal, at);
                }
                self.set_item(ordinal, value)
            }
            None => {
                let numbers = self.layout.numbers(values).iter().map(|one| i64::from(*one)).zip(0..);
                Err(self.no_item(at, number.into(), numbers, items))
            }
        }
    }

    fn counted_flags(&mut self, octets: u8, value: &mut dyn Data) -> Result<(), Rejected> {
        let at = self.reader.position();
        let front = self.take(octets.into())?;
        self.show(at, What::Length(octets.into()), Scalar::Unset);
        // One bit 1 for each further octet, and a 0.
        if front != (1 << octets) - 2 {
            return Err(self.other_flags(front, octets, at));
        }
        let (at, bits) = (self.reader.position(), octets.saturating_mul(7));
        let word = BitWord { value: self.take(bits.into())?, bits };
        self.set(at, Scalar::Word(word), value)
    }

    #[inline(never)]
    fn choice_by_number(&mut self, node: &'n VectorNode, value: &mut dyn Data) -> Result<(), Rejected> {
        let VectorNode::Choice { bits, extensible, alternatives, numbers } = *node else {
            return self.misplaced();
        };
        self.descend()?;
        let at = self.reader.position();
        let number = self.take(bits.into())?;
        let place = self.layout.numbers(numbers).iter().position(|one| u64::from(*one) == number);
        let known: Option<&'n Alternative> = place.and_then(|place| self.layout.alternatives(alternatives).get(place));
        if L::ACTIVE {
            let name = known.map_or("", |alternative| self.layout.name(alternative.name));
            self.show(at, What::Choice(number, name), Scalar::Unset);
        }
        match known {
            Some(alternative) => self.alternative(alternative, value)?,
            None if extensible => self.keep_by_number(number, bits, value)?,
            None => {
                return Err(self.no_number_of_choice(node, number, at));
            }
        }
        self.depth -= 1;
        Ok(())
    }

    /// Flags in another number of octets, which their first bits give.
    #[cold]
    #[inline(never)]
    fn other_flags(&mut self, front: u64, octets: u8, at: usize) -> Rejected {
        let ones = (front << (64 - u32::from(octets.clamp(1, 63)))).leading_ones();
        let found = if ones < octets.into() { Thing::Length(u64::from(ones) + 1) } else { Thing::Word("more") };
        self.found(faults::vectors::FLAGS, at, found, Thing::Length(octets.into()))
    }

    /// A number that selects no alternative.
    #[cold]
    #[inline(never)]
    fn no_number_of_choice(&mut self, node: &VectorNode, found: u64, at: usize) -> Rejected {
        let VectorNode::Choice { alternatives, numbers, .. } = *node else { return Rejected };
        self.unexpected(faults::shared::CHOICE_NUMBER, at, |decoder| {
            let layout = decoder.layout;
            let mut expected = Few::none();
            for (number, one) in layout.numbers(numbers).iter().zip(layout.alternatives(alternatives)) {
                expected.add(|| (*number, layout.place_of_alternative(one)));
            }
            Unexpected::Number { form: Form::Plain, found: i64::try_from(found).unwrap_or(i64::MAX), expected }
        })
    }

    /// Keeps an unknown number, with the octets after it and their length.
    #[cold]
    #[inline(never)]
    fn keep_by_number(&mut self, number: u64, bits: u8, value: &mut dyn Data) -> Result<(), Rejected> {
        let mut unknown = Unknown::default();
        unknown.octets.extend(number.to_be_bytes().iter().skip(8 - usize::from(bits) / 8));
        let octets = self.told_length(0)?;
        let mut scratch = [0u8; 16];
        let mut writer = Writer::new(&mut scratch);
        vectors::put_number(&mut writer, octets)?;
        let length = writer.finish()?;
        unknown.octets.extend(scratch.iter().take(length));
        let at = self.reader.position();
        let start = unknown.octets.len();
        self.append_octets(Chunk { units: octets, more: false }, &mut unknown.octets)?;
        self.show(at, What::Unknown, Scalar::Octets(unknown.octets.get(start..).unwrap_or(&[])));
        if value.keep(unknown) { Ok(()) } else { self.mismatch("a type that can keep unknown alternatives") }
    }

    /// Reads a length of `field` bits, or a variable-length number.
    fn told_length(&mut self, field: u8) -> Result<u64, Rejected> {
        let at = self.reader.position();
        let octets = match field {
            0 => vectors::take_length(&mut self.reader).map(|length| length as u64),
            _ => return self.field_length(field),
        };
        match octets {
            Ok(octets) => {
                self.show(at, What::Length(octets), Scalar::Unset);
                Ok(octets)
            }
            Err(Rejected) => Err(self.refuse_ones(at)),
        }
    }

    fn field_length(&mut self, field: u8) -> Result<u64, Rejected> {
        let at = self.reader.position();
        let octets = self.take(field.into())?;
        if octets > (usize::MAX >> 4) as u64 {
            return Err(self.fail_at(ErrorKind::Malformed(faults::vectors::LENGTH), at));
        }
        self.show(at, What::Length(octets), Scalar::Unset);
        Ok(octets)
    }

    fn octets_of(&mut self, field: u8, lower: u64, upper: u64, value: &mut dyn Data) -> Result<(), Rejected> {
        let at = self.reader.position();
        let units = self.told_length(field)?;
        if units < lower || units > upper {
            return Err(self.fail_at(ErrorKind::Size { size: units, lower, upper }, at));
        }
        if !value.begin(Shape::Octets) {
            return self.mismatch("a place for an OCTET STRING");
        }
        let extent = Extent { lower, upper, count: Count::Determinant, extensible: false, aligned: false };
        self.fill(Chunk { units, more: false }, &extent, 8, value)
    }

    #[inline(never)]
    fn vector(&mut self, node: &'n VectorNode, value: &mut dyn Data) -> Result<(), Rejected> {
        let VectorNode::Vector { lower, upper, element, .. } = *node else { return self.misplaced() };
        self.descend()?;
        if !value.begin(Shape::List) {
            return self.mismatch("a list");
        }
        let outer = self.begin_vector(node)?;
        let start = self.reader.position();
        let mut at = 0u32;
        while self.reader.remaining() > 0 {
            if at == upper {
                return self.wrong_count(at.saturating_add(1), node, start);
            }
            self.element_of_vector(element, at, value)?;
            at += 1;
        }
        if at < lower {
            return self.wrong_count(at, node, start);
        }
        self.reader.leave(outer);
        self.depth -= 1;
        Ok(())
    }

    /// Reads how many octets a vector has, and restricts the reader to them.
    fn begin_vector(&mut self, node: &VectorNode) -> Result<usize, Rejected> {
        let VectorNode::Vector { field, floor, ceiling, .. } = *node else { return Err(Rejected) };
        let at = self.reader.position();
        let octets = self.told_length(field)?;
        if octets < floor || octets > ceiling {
            return Err(self.fail_at(ErrorKind::Size { size: octets, lower: floor, upper: ceiling }, at));
        }
        match self.reader.enter(octets as usize * 8) {
            Ok(outer) => Ok(outer),
            Err(Rejected) => self.too_few_octets(octets as usize),
        }
    }

    fn element_of_vector(&mut self, element: NodeId, at: u32, value: &mut dyn Data) -> Result<(), Rejected> {
        self.count_element()?;
        let (start, at) = (self.reader.position(), u64::from(at));
        if self.element_at(element, at, at + 1, value).is_err() {
            self.off_border();
            return Err(Rejected);
        }
        if self.reader.position() > start {
            return Ok(());
        }
        let octets = self.reader.remaining() as u64 / 8;
        self.found(faults::vectors::ELEMENT_EMPTY, start, Thing::Length(octets), Thing::None);
        Err(self.within_element(at))
    }

    /// An element that extends past the end of its vector: more input does not help.
    #[cold]
    fn off_border(&mut self) {
        if let Some(Some(error)) = &mut self.explanation {
            if error.kind.is_truncated() {
                error.kind = ErrorKind::Malformed(faults::vectors::ELEMENT_CUT);
            }
        }
    }

    #[cold]
    #[inline(never)]
    fn wrong_count(&mut self, size: u32, node: &VectorNode, at: usize) -> Result<(), Rejected> {
        let VectorNode::Vector { lower, upper, .. } = *node else { return self.misplaced() };
        let upper = if upper == u32::MAX { u64::MAX } else { upper.into() };
        Err(self.fail_at(ErrorKind::Size { size: size.into(), lower: lower.into(), upper }, at))
    }

    #[inline(never)]
    fn conditional(
        &mut self,
        components: u32,
        members: &'n [Member],
        tests: Span,
        value: &mut dyn Data,
    ) -> Result<(), Rejected> {
        self.descend()?;
        self.begin_record(components, value)?;
        let mut tests = self.layout.numbers(tests);
        for member in members {
            if conditions::hold(Layout::next_tests(&mut tests), value) {
                self.member(member, value)?;
            }
        }
        self.depth -= 1;
        Ok(())
    }
}
