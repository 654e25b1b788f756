//! Encoding: nodes that only the presentation language has.

use roadwire_layout::{Count, Extent, Layout, Member, Node, NodeId, Span, VectorNode};
use roadwire_wire::rt::vectors;
use roadwire_wire::{Data, ErrorKind, Reader, Rejected, Scalar, number_of_unknown_item};

use crate::conditions;
use crate::encode::{Encoder, Family};

/// The presentation language.
#[derive(Default)]
pub(crate) struct Vectors;

impl Family for Vectors {
    #[inline(never)]
    fn node<'n>(encoder: &mut Encoder<'n, '_, '_, Self>, id: NodeId, value: &dyn Data) -> Result<(), Rejected> {
        match encoder.layout.node(id) {
            Node::Vectors(node) => encoder.vector_node(node, value),
            _ => encoder.shared(id, value),
        }
    }
}

impl<'n> Encoder<'n, '_, '_, Vectors> {
    #[inline(never)]
    pub(crate) fn vector_node(&mut self, node: &'n VectorNode, value: &dyn Data) -> Result<(), Rejected> {
        match *node {
            VectorNode::Variable => self.ones_number(value, vectors::GREATEST, vectors::put_number),
            VectorNode::Psid => self.ones_number(value, vectors::GREATEST_PSID, vectors::put_psid),
            VectorNode::Item { .. } => self.item_by_number(node, value),
            VectorNode::Flags { octets } => self.counted_flags(octets, value),
            VectorNode::Choice { .. } => self.choice_by_number(node, value),
            VectorNode::Octets { field, lower, upper } => self.octets_of(field, lower, upper, value),
            VectorNode::Vector { .. } => self.vector(node, value),
            VectorNode::Struct { members, tests, .. } => self.conditional(self.layout.members(members), tests, value),
        }
    }

    fn ones_number(
        &mut self,
        value: &dyn Data,
        upper: u64,
        put: fn(&mut roadwire_wire::Writer<'_>, u64) -> Result<(), Rejected>,
    ) -> Result<(), Rejected> {
        match value.scalar() {
            Scalar::Integer(number) => match u64::try_from(number) {
                Ok(number) if number <= upper => put(&mut self.writer, number),
                _ => Err(self.fail(ErrorKind::IntegerRange { value: number, lower: 0, upper: upper.into() })),
            },
            Scalar::WideInteger(_) => Err(self.fail(ErrorKind::IntegerWidth)),
            _ => self.mismatch("an INTEGER"),
        }
    }

    fn item_by_number(&mut self, node: &VectorNode, value: &dyn Data) -> Result<(), Rejected> {
        let VectorNode::Item { bits, extensible, values, .. } = *node else { return self.misplaced() };
        let Scalar::Enumerated(ordinal) = value.scalar() else { return self.mismatch("an ENUMERATED") };
        let numbers = self.layout.numbers(values);
        let unknown = || {
            let number = number_of_unknown_item(ordinal).and_then(|number| u64::try_from(number).ok());
            number.filter(|number| {
                extensible && !numbers.iter().any(|one| u64::from(*one) == *number) && *number >> bits == 0
            })
        };
        match numbers.get(ordinal as usize).map(|number| u64::from(*number)).or_else(unknown) {
            Some(number) => self.writer.put(number, bits.into()),
            None => {
                let (index, count) = (ordinal.into(), values.count.into());
                Err(self.fail(ErrorKind::EnumerationIndex { index, count }))
            }
        }
    }

    fn counted_flags(&mut self, octets: u8, value: &dyn Data) -> Result<(), Rejected> {
        let size = u64::from(octets) * 7;
        let (bits, word) = match value.scalar() {
            Scalar::Word(word) => (u64::from(word.bits), word.masked()),
            Scalar::Bits(octets, bits) if bits as u64 <= size && octets.len() >= bits.div_ceil(8) => {
                let octet = |at: usize| u64::from(octets.get(at).copied().unwrap_or(0));
                let word = (0..8).fold(0, |word, at| word << 8 | octet(at));
                (bits as u64, if bits == 0 { 0 } else { word >> (64 - bits) })
            }
            Scalar::Bits(_, bits) => (bits as u64, 0),
            _ => return self.mismatch("a BIT STRING"),
        };
        // Trailing zero bits have no meaning, and may be missing.
        let Some(missing) = size.checked_sub(bits) else {
            return Err(self.fail(ErrorKind::Size { size: bits, lower: size, upper: size }));
        };
        self.writer.put((1 << octets) - 2, octets.into())?;
        self.writer.put(word << missing, size as u32)
    }

    #[inline(never)]
    fn choice_by_number(&mut self, node: &'n VectorNode, value: &dyn Data) -> Result<(), Rejected> {
        let VectorNode::Choice { bits, alternatives, numbers, .. } = *node else { return self.misplaced() };
        self.descend()?;
        let Some((which, content)) = value.alternative() else { return self.kept_by_number(node, value) };
        let mut all = self.layout.alternatives(alternatives).iter().zip(self.layout.numbers(numbers));
        let Some((alternative, number)) = all.find(|(one, _)| one.alternative as usize == which) else {
            let count = alternatives.count.into();
            return Err(self.fail(ErrorKind::ChoiceIndex { index: which as u64, count }));
        };
        self.writer.put((*number).into(), bits.into())?;
        self.alternative(alternative, content)?;
        self.depth -= 1;
        Ok(())
    }

    /// An alternative with an unknown number, written with the number and its length.
    #[cold]
    #[inline(never)]
    fn kept_by_number(&mut self, node: &VectorNode, value: &dyn Data) -> Result<(), Rejected> {
        let VectorNode::Choice { bits, extensible, numbers, .. } = *node else { return self.misplaced() };
        let is_new = |octets: &[u8]| {
            let mut reader = Reader::new(octets);
            let number = reader.take(bits.into());
            let known =
                number.is_ok_and(|number| self.layout.numbers(numbers).iter().any(|one| u64::from(*one) == number));
            number.is_ok() && !known && vectors::take_counted(&mut reader).is_ok() && reader.remaining() == 0
        };
        match value.unknown() {
            [unknown] if extensible && is_new(&unknown.octets) => {
                self.writer.put_octets(&unknown.octets)?;
                self.depth -= 1;
                Ok(())
            }
            _ => self.mismatch("a CHOICE with one of its alternatives"),
        }
    }

    fn put_told_length(&mut self, field: u8, octets: u64) -> Result<(), Rejected> {
        if field == 0 {
            vectors::put_number(&mut self.writer, octets)
        } else {
            self.writer.put_wide(octets, field.into())
        }
    }

    fn octets_of(&mut self, field: u8, lower: u64, upper: u64, value: &dyn Data) -> Result<(), Rejected> {
        let Scalar::Octets(octets) = value.scalar() else { return self.mismatch("an OCTET STRING") };
        let size = octets.len() as u64;
        let extent = Extent { lower, upper, count: Count::Determinant, extensible: false, aligned: false };
        if !extent.admits(size) {
            return Err(self.fail(ErrorKind::Size { size, lower, upper }));
        }
        self.put_told_length(field, size)?;
        self.writer.put_octets(octets)
    }

    #[inline(never)]
    fn vector(&mut self, node: &'n VectorNode, value: &dyn Data) -> Result<(), Rejected> {
        let VectorNode::Vector { element, .. } = *node else { return self.misplaced() };
        self.descend()?;
        let (start, count) = self.open_vector(node, value)?;
        for at in 0..count {
            self.list_element(element, at, value)?;
        }
        self.depth -= 1;
        self.close_vector(node, start)
    }

    /// Checks the number of elements, and leaves room for the length.
    fn open_vector(&mut self, node: &VectorNode, value: &dyn Data) -> Result<(usize, usize), Rejected> {
        let VectorNode::Vector { field, lower, upper, .. } = *node else { return Err(Rejected) };
        let Some(count) = value.length() else {
            return Err(self.fail(ErrorKind::Mismatch { expected: "a list" }));
        };
        let upper = if upper == u32::MAX { u64::MAX } else { upper.into() };
        let (size, lower) = (count as u64, lower.into());
        if size < lower || size > upper {
            return Err(self.fail(ErrorKind::Size { size, lower, upper }));
        }
        let start = if field == 0 {
            vectors::begin_vector(&mut self.writer)?
        } else {
            self.writer.put_wide(0, field.into())?;
            self.writer.position()
        };
        Ok((start, count))
    }

    /// Writes the length of a vector whose elements began at bit `start`.
    fn close_vector(&mut self, node: &VectorNode, start: usize) -> Result<(), Rejected> {
        let VectorNode::Vector { field, floor, ceiling, .. } = *node else { return Err(Rejected) };
        if field == 0 {
            return vectors::end_vector(&mut self.writer, start);
        }
        let size = (self.writer.position() - start) as u64 / 8;
        if size < floor || size > ceiling {
            return Err(self.fail(ErrorKind::Size { size, lower: floor, upper: ceiling }));
        }
        let octets = usize::from(field) / 8;
        self.writer.replace(start - usize::from(field), octets, size, octets)
    }

    #[inline(never)]
    fn conditional(&mut self, members: &'n [Member], tests: Span, value: &dyn Data) -> Result<(), Rejected> {
        self.descend()?;
        if !value.is_record(false) {
            self.mismatch("a SEQUENCE without additions that it has no place for")?;
        }
        let mut tests = self.layout.numbers(tests);
        for member in members {
            if conditions::hold(Layout::next_tests(&mut tests), value) {
                self.member(member, value)?;
            } else if value.component(member.component as usize).is_some() {
                self.fail(ErrorKind::Mismatch { expected: "absent, as an earlier component says" });
                return Err(self.within_member(member));
            }
        }
        self.depth -= 1;
        Ok(())
    }
}
