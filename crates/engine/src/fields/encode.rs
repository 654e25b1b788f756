//! Encoding: values after field numbers (Protocol Buffers, "Encoding"), in the order of the
//! numbers.
//!
//! As with tags, one octet is left for the length of a delimited value, and the contents are moved
//! if it takes more.

use roadwire_layout::{Alternative, FieldNode, Node, NodeId, Sign};
use roadwire_wire::rt::{fields, varint};
use roadwire_wire::{BitWord, Data, ErrorKind, Rejected, Scalar, Unknown};

use crate::bits::without_zeros;
use crate::encode::{Encoder, Family};

/// Protocol Buffers.
#[derive(Default)]
pub(crate) struct Fields;

impl Family for Fields {
    #[inline(never)]
    fn node<'n>(encoder: &mut Encoder<'n, '_, '_, Self>, id: NodeId, value: &dyn Data) -> Result<(), Rejected> {
        match encoder.layout.node(id) {
            Node::Fields(node) => encoder.field(node, value),
            _ => encoder.shared(id, value),
        }
    }
}

impl<'n> Encoder<'n, '_, '_, Fields> {
    #[inline(never)]
    pub(crate) fn field(&mut self, node: &'n FieldNode, value: &dyn Data) -> Result<(), Rejected> {
        match *node {
            FieldNode::Single { key, content } => {
                varint::put(&mut self.writer, key.into())?;
                self.node(content, value)
            }
            FieldNode::Number { .. } => self.varint_number(node, value),
            FieldNode::Delimited { content } => self.delimited(content, value),
            FieldNode::Message { .. } => self.message(node, value),
            FieldNode::Choice { .. } => self.choice_of_fields(node, value),
            FieldNode::Wrapped { field } => self.wrapped(field, value),
            FieldNode::Repeated { .. } => self.repeated(node, value),
            _ => self.keyed_leaf(node, value),
        }
    }

    #[inline(never)]
    fn delimited(&mut self, content: NodeId, value: &dyn Data) -> Result<(), Rejected> {
        let start = self.open_delimited()?;
        self.node(content, value)?;
        self.close_delimited(start)
    }

    #[inline(never)]
    fn open_delimited(&mut self) -> Result<usize, Rejected> {
        self.writer.put(0, 8)?;
        Ok(self.writer.position() / 8)
    }

    #[inline(never)]
    fn close_delimited(&mut self, start: usize) -> Result<(), Rejected> {
        self.in_output(|output, end| fields::close(output, start, end))
    }

    #[inline(never)]
    fn message(&mut self, node: &'n FieldNode, value: &dyn Data) -> Result<(), Rejected> {
        let FieldNode::Message { members, .. } = *node else { return self.misplaced() };
        self.open_message(node, value)?;
        for (at, member) in self.layout.members(members).iter().enumerate() {
            match value.component(member.component as usize) {
                Some(component) if self.is_component_sent(member, component) => {
                    if self.node(member.node, component).is_err() {
                        return Err(self.within_member(member));
                    }
                }
                Some(_) => {}
                None => self.absent_field(node, at, value)?,
            }
        }
        self.close_message(node, value)
    }

    #[inline(never)]
    fn open_message(&mut self, node: &FieldNode, value: &dyn Data) -> Result<(), Rejected> {
        let FieldNode::Message { extensible, .. } = *node else { return self.misplaced() };
        self.descend()?;
        if value.is_record(extensible) {
            return Ok(());
        }
        self.mismatch("a SEQUENCE without additions that it has no place for")
    }

    #[inline(never)]
    fn absent_field(&mut self, node: &FieldNode, at: usize, value: &dyn Data) -> Result<(), Rejected> {
        let FieldNode::Message { members, groups, .. } = *node else { return self.misplaced() };
        self.absent(members, groups, at, value)
    }

    #[inline(never)]
    fn close_message(&mut self, node: &FieldNode, value: &dyn Data) -> Result<(), Rejected> {
        self.depth -= 1;
        if value.unknown().is_empty() { Ok(()) } else { self.unknown_fields(node, value) }
    }

    /// Fields of a later version, as received.
    #[cold]
    #[inline(never)]
    fn unknown_fields(&mut self, node: &FieldNode, value: &dyn Data) -> Result<(), Rejected> {
        let FieldNode::Message { members, additions, .. } = *node else { return self.misplaced() };
        let unknown = value.unknown();
        let ascending = unknown.windows(2).all(|pair| pair[0].index < pair[1].index);
        if !ascending || unknown.first().is_some_and(|first| first.index < additions) {
            return self.mismatch("a SEQUENCE whose unknown additions ascend, and come after the known ones");
        }
        let layout = self.layout;
        let nodes = || layout.members(members).iter().map(|member| member.node);
        // An entry without octets stands for an absent addition.
        unknown.iter().filter(|one| !one.octets.is_empty()).try_for_each(|one| self.unknown_field(nodes(), one))
    }

    fn unknown_field(&mut self, mut known: impl Iterator<Item = NodeId>, unknown: &Unknown) -> Result<(), Rejected> {
        let whole = fields::field(&unknown.octets) == Ok(unknown.octets.len());
        let number = fields::key(&unknown.octets).map(|(number, ..)| number);
        let of = |node: NodeId| self.layout.field(node).and_then(FieldNode::number);
        if !whole || known.any(|node| of(node) == number.ok()) {
            return self.mismatch("with an unknown addition or alternative that is a field with a number of its own");
        }
        self.writer.put_octets(&unknown.octets)
    }

    #[inline(never)]
    fn choice_of_fields(&mut self, node: &'n FieldNode, value: &dyn Data) -> Result<(), Rejected> {
        let Some((which, content)) = value.alternative() else { return self.unknown_choice(node, value) };
        let alternative = self.open_choice_of_fields(node, which)?;
        self.alternative(alternative, content)?;
        self.depth -= 1;
        Ok(())
    }

    #[inline(never)]
    fn open_choice_of_fields(&mut self, node: &'n FieldNode, which: usize) -> Result<&'n Alternative, Rejected> {
        let FieldNode::Choice { alternatives, .. } = *node else { return Err(Rejected) };
        self.descend()?;
        let alternatives = self.layout.alternatives(alternatives);
        alternatives
            .iter()
            .find(|one| one.alternative as usize == which)
            .ok_or_else(|| self.fail(ErrorKind::ChoiceIndex { index: which as u64, count: alternatives.len() as u64 }))
    }

    #[cold]
    #[inline(never)]
    fn unknown_choice(&mut self, node: &'n FieldNode, value: &dyn Data) -> Result<(), Rejected> {
        let FieldNode::Choice { alternatives, additions, extensible } = *node else { return self.misplaced() };
        match value.unknown() {
            [unknown] if extensible && unknown.index >= additions => {
                self.unknown_field(self.layout.alternatives(alternatives).iter().map(|one| one.node), unknown)
            }
            _ => self.mismatch("a CHOICE with one of its alternatives"),
        }
    }

    #[inline(never)]
    fn wrapped(&mut self, field: NodeId, value: &dyn Data) -> Result<(), Rejected> {
        self.descend()?;
        self.node(field, value)?;
        self.depth -= 1;
        Ok(())
    }

    #[inline(never)]
    fn repeated(&mut self, node: &'n FieldNode, value: &dyn Data) -> Result<(), Rejected> {
        let FieldNode::Repeated { key, element, packed, .. } = *node else { return self.misplaced() };
        let count = self.open_repeated(node, value)?;
        let start = if packed && count > 0 { self.open_packed(key)? } else { 0 };
        for at in 0..count {
            if !packed {
                varint::put(&mut self.writer, key.into())?;
            }
            self.list_element(element, at, value)?;
        }
        self.depth -= 1;
        if packed && count > 0 { self.close_delimited(start) } else { Ok(()) }
    }

    #[inline(never)]
    fn open_repeated(&mut self, node: &FieldNode, value: &dyn Data) -> Result<usize, Rejected> {
        let FieldNode::Repeated { lower, upper, .. } = *node else { return Err(Rejected) };
        self.descend()?;
        let Some(count) = value.length() else {
            return Err(self.fail(ErrorKind::Mismatch { expected: "a list" }));
        };
        let size = count as u64;
        if lower <= size && size <= upper { Ok(count) } else { Err(self.fail(ErrorKind::Size { size, lower, upper })) }
    }

    fn open_packed(&mut self, key: u32) -> Result<usize, Rejected> {
        varint::put(&mut self.writer, key.into())?;
        self.open_delimited()
    }

    #[inline(never)]
    fn varint_number(&mut self, node: &FieldNode, value: &dyn Data) -> Result<(), Rejected> {
        let FieldNode::Number { sign, lower, upper } = *node else { return self.misplaced() };
        match value.integer().map(i128::from) {
            Some(number) if lower <= number && number <= upper => varint::put(&mut self.writer, sign.write(number)),
            _ => self.other_number(sign, lower, upper, value),
        }
    }

    #[cold]
    #[inline(never)]
    fn other_number(&mut self, sign: Sign, lower: i128, upper: i128, value: &dyn Data) -> Result<(), Rejected> {
        match value.scalar() {
            Scalar::Integer(value) if lower <= value && value <= upper => {
                varint::put(&mut self.writer, sign.write(value))
            }
            Scalar::Integer(value) => Err(self.fail(ErrorKind::IntegerRange { value, lower, upper })),
            Scalar::WideInteger(_) => Err(self.fail(ErrorKind::IntegerWidth)),
            _ => self.mismatch("an INTEGER"),
        }
    }

    #[inline(never)]
    fn keyed_leaf(&mut self, node: &FieldNode, value: &dyn Data) -> Result<(), Rejected> {
        match (*node, value.scalar()) {
            (FieldNode::Truth, Scalar::Boolean(value)) => self.writer.put(value.into(), 8),
            (FieldNode::Truth, _) => self.mismatch("a BOOLEAN"),
            (FieldNode::Item { values, extensible, .. }, Scalar::Enumerated(ordinal)) => {
                let number = self.number_of_item(values, extensible, ordinal)?;
                varint::put(&mut self.writer, number as u64)
            }
            (FieldNode::Item { .. }, _) => self.mismatch("an ENUMERATED"),
            (FieldNode::Flags { .. }, scalar) => self.flags(node, scalar),
            (FieldNode::Double, Scalar::Real(value)) => self.writer.put_wide(value.to_bits().swap_bytes(), 64),
            (FieldNode::Double, _) => self.mismatch("a REAL"),
            _ => self.misplaced(),
        }
    }

    /// For named bits, trailing zero bits are added or removed to meet the size; otherwise the size
    /// is fixed.
    #[inline(never)]
    fn flags(&mut self, node: &FieldNode, scalar: Scalar<'_>) -> Result<(), Rejected> {
        let FieldNode::Flags { lower, upper, trim } = *node else { return self.misplaced() };
        let (lower, upper) = (u64::from(lower), u64::from(upper));
        let word = match scalar {
            Scalar::Word(word) => word,
            Scalar::Bits(octets, bits) if bits.div_ceil(8) <= octets.len() => {
                let meant = if trim { without_zeros(octets, bits) } else { bits };
                match BitWord::from_octets(octets, meant) {
                    Some(word) => word,
                    None => return Err(self.fail(ErrorKind::Size { size: meant as u64, lower, upper })),
                }
            }
            _ => return self.mismatch("a BIT STRING"),
        };
        let flags = match word.bits {
            0 => 0,
            bits => word.masked().reverse_bits() >> (64 - u32::from(bits)),
        };
        let meant = u64::from(64 - flags.leading_zeros());
        let size = if trim { meant.max(lower) } else { word.bits.into() };
        if size < lower || size > upper {
            return Err(self.fail(ErrorKind::Size { size, lower, upper }));
        }
        varint::put(&mut self.writer, flags)
    }
}
