//! Decoding: values after field numbers (Protocol Buffers, "Encoding"), in all forms that the wire
//! format allows.

use roadwire_layout::{Alternative, FieldNode, Node, NodeId};
use roadwire_wire::rt::fields::{self, WireType};
use roadwire_wire::{BitWord, Data, ErrorKind, Rejected, Scalar, Shape, faults};

mod merge;
mod message;
mod report;

use crate::decode::{Decoder, Family};
use crate::listener::{Listener, What};

/// Which of a list's elements come next in a message.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Run {
    /// All.
    #[default]
    All,
    /// The first ones; more may follow after other fields.
    First,
    /// More of them.
    Later,
}

/// The next part of a list.
enum Next {
    /// Something else.
    End,
    /// An element.
    One,
    /// Elements up to the end of the reader's restriction; holds the outer end.
    Packed(usize),
}

/// Protocol Buffers.
#[derive(Clone, Default)]
pub(crate) struct Fields {
    /// Which of a list's elements are next.
    run: Run,
}

impl Family for Fields {
    #[inline(never)]
    fn node<'n, L: Listener>(
        decoder: &mut Decoder<'n, '_, '_, '_, L, Self>,
        id: NodeId,
        value: &mut dyn Data,
    ) -> Result<(), Rejected> {
        match decoder.layout.node(id) {
            Node::Fields(node) => decoder.field(node, value),
            _ => decoder.shared(id, value),
        }
    }
}

impl<'n, 'a, L: Listener> Decoder<'n, 'a, '_, '_, L, Fields> {
    #[inline(never)]
    pub(crate) fn field(&mut self, node: &'n FieldNode, value: &mut dyn Data) -> Result<(), Rejected> {
        match *node {
            FieldNode::Single { key, content } => {
                self.take_key(key)?;
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

    /// The number and wire type of the next field.
    #[inline(never)]
    fn key_ahead(&mut self) -> Result<(u32, WireType), Rejected> {
        match fields::key(self.left()) {
            Ok((number, wire_type, _)) => Ok((number, wire_type)),
            Err(fault) => Err(self.faulty_key(fault)),
        }
    }

    /// Reads a key, whose number has been checked, and which must be this one.
    #[inline(never)]
    fn take_key(&mut self, key: u32) -> Result<(), Rejected> {
        let at = self.reader.position();
        match fields::key(self.left()) {
            Ok((number, wire_type, octets)) if number << 3 | u32::from(wire_type.0) == key => {
                self.reader.skip(octets * 8)?;
                self.show(at, What::Tag(""), Scalar::Unset);
                Ok(())
            }
            Ok((number, wire_type, _)) if number == key >> 3 => {
                Err(self.other_wire_type(at, wire_type, WireType((key & 7) as u8)))
            }
            Ok((number, ..)) => Err(self.other_field(at, number, key >> 3)),
            Err(fault) => Err(self.faulty_key(fault)),
        }
    }

    #[inline(never)]
    fn delimited(&mut self, content: NodeId, value: &mut dyn Data) -> Result<(), Rejected> {
        let outer = self.enter_delimited()?;
        self.node(content, value)?;
        self.leave_delimited(outer)
    }

    /// Reads a length, and restricts the reader to it; returns the outer end.
    #[inline(never)]
    fn enter_delimited(&mut self) -> Result<usize, Rejected> {
        let bits = self.next_chunk()?.units as usize * 8;
        match self.reader.enter(bits) {
            Ok(outer) => Ok(outer),
            Err(Rejected) => self.too_few_octets(bits / 8),
        }
    }

    #[inline(never)]
    fn leave_delimited(&mut self, outer: usize) -> Result<(), Rejected> {
        if self.reader.remaining() > 0 {
            let octets = self.left();
            return Err(self.other_length(faults::shared::CONTENTS_TRAILING, self.reader.position(), octets));
        }
        self.reader.leave(outer);
        Ok(())
    }

    /// Reads a whole field as octets.
    fn whole_field(&mut self) -> Result<&'a [u8], Rejected> {
        self.whole(fields::field(self.left()))
    }

    /// Keeps a field of a later version.
    #[cold]
    #[inline(never)]
    fn keep_field(&mut self, index: u32, value: &mut dyn Data) -> Result<(), Rejected> {
        let octets = self.whole_field()?;
        self.keep_unknown(index, octets, value)
    }

    #[inline(never)]
    fn choice_of_fields(&mut self, node: &'n FieldNode, value: &mut dyn Data) -> Result<(), Rejected> {
        match self.open_choice_of_fields(node)? {
            (Some(alternative), true) => self.alternative(alternative, value)?,
            (Some(alternative), false) => self.alternative_again(alternative, value)?,
            (None, _) => {
                let FieldNode::Choice { additions, .. } = *node else { return self.misplaced() };
                self.keep_field(additions, value)?;
            }
        }
        self.depth -= 1;
        Ok(())
    }

    /// Finds the alternative by its number (there must be only one); `None` for one of a later
    /// version. Also returns whether it occurs once.
    #[inline(never)]
    fn open_choice_of_fields(&mut self, node: &'n FieldNode) -> Result<(Option<&'n Alternative>, bool), Rejected> {
        let FieldNode::Choice { alternatives, extensible, .. } = *node else { return Err(Rejected) };
        self.descend()?;
        if self.reader.remaining() == 0 {
            return Err(self.fail(ErrorKind::Malformed(faults::fields::CHOICE_NONE)));
        }
        let (number, _) = self.key_ahead()?;
        let layout = self.layout;
        let is_it = |one: &&Alternative| layout.field(one.node).and_then(FieldNode::number) == Some(number);
        let found = layout.alternatives(alternatives).iter().find(is_it);
        if found.is_none() && !extensible {
            return Err(self.no_field_of_choice(number, layout.alternatives(alternatives)));
        }
        let once = fields::field(self.left()).is_ok_and(|length| length * 8 == self.reader.remaining());
        if !once {
            self.only(number, found.is_some())?;
        }
        Ok((found, once))
    }

    /// One field, which is the value.
    #[inline(never)]
    fn wrapped(&mut self, field: NodeId, value: &mut dyn Data) -> Result<(), Rejected> {
        self.descend()?;
        if self.reader.remaining() == 0 {
            self.nothing_wrapped(field, value)?;
        }
        while self.reader.remaining() > 0 {
            let (number, _) = self.key_ahead()?;
            let wanted = self.layout.field(field).and_then(FieldNode::number);
            if wanted != Some(number) {
                return Err(self.other_field(self.reader.position(), number, wanted.unwrap_or(0)));
            }
            self.node(field, value)?;
        }
        self.depth -= 1;
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn nothing_wrapped(&mut self, field: NodeId, value: &mut dyn Data) -> Result<(), Rejected> {
        match self.layout.field(field) {
            Some(repeated @ FieldNode::Repeated { .. }) => self.empty_list(repeated, value),
            _ => Err(self.fail(ErrorKind::Missing)),
        }
    }

    /// A list without elements.
    fn empty_list(&mut self, node: &FieldNode, value: &mut dyn Data) -> Result<(), Rejected> {
        let FieldNode::Repeated { lower, upper, .. } = *node else { return self.misplaced() };
        if lower > 0 {
            return Err(self.fail(ErrorKind::Size { size: 0, lower, upper }));
        }
        if value.begin(Shape::List) { Ok(()) } else { self.mismatch("a list") }
    }

    #[inline(never)]
    fn repeated(&mut self, node: &'n FieldNode, value: &mut dyn Data) -> Result<(), Rejected> {
        let FieldNode::Repeated { element, .. } = *node else { return self.misplaced() };
        let run = core::mem::take(&mut self.family.run);
        let start = self.reader.position();
        let mut at = self.open_repeated(run, value)?;
        let mut outer = None;
        loop {
            match outer {
                Some(end) if self.reader.remaining() == 0 => {
                    self.reader.leave(end);
                    outer = None;
                    continue;
                }
                Some(_) => {}
                None => match self.next_element(node)? {
                    Next::End => break,
                    Next::One => {}
                    Next::Packed(end) => {
                        outer = Some(end);
                        continue;
                    }
                },
            }
            self.one_more(node, at)?;
            self.element_at(element, at, at + 1, value)?;
            at += 1;
        }
        self.close_repeated(node, run, at, start)
    }

    #[inline(never)]
    fn open_repeated(&mut self, run: Run, value: &mut dyn Data) -> Result<u64, Rejected> {
        self.descend()?;
        if run == Run::Later {
            return Ok(value.length().unwrap_or(0) as u64);
        }
        if value.begin(Shape::List) { Ok(0) } else { Err(self.fail(ErrorKind::Mismatch { expected: "a list" })) }
    }

    /// Reads a key of the list, if it comes next.
    #[inline(never)]
    fn next_element(&mut self, node: &FieldNode) -> Result<Next, Rejected> {
        let FieldNode::Repeated { key, element, packed, .. } = *node else { return Err(Rejected) };
        if self.reader.remaining() == 0 {
            return Ok(Next::End);
        }
        let (number, wire_type) = self.key_ahead()?;
        if number != key >> 3 {
            return Ok(Next::End);
        }
        if packed && wire_type == WireType::DELIMITED {
            self.take_key(key)?;
            return Ok(Next::Packed(self.enter_delimited()?));
        }
        let own = self.layout.field(element).map_or(WireType::DELIMITED, FieldNode::wire_type);
        self.take_key(key & !7 | u32::from(own.0))?;
        Ok(Next::One)
    }

    fn one_more(&mut self, node: &FieldNode, at: u64) -> Result<(), Rejected> {
        self.count_element()?;
        match *node {
            FieldNode::Repeated { lower, upper, .. } if at >= upper => {
                Err(self.fail(ErrorKind::Size { size: at.saturating_add(1), lower, upper }))
            }
            _ => Ok(()),
        }
    }

    #[inline(never)]
    fn close_repeated(&mut self, node: &FieldNode, run: Run, size: u64, start: usize) -> Result<(), Rejected> {
        let FieldNode::Repeated { lower, upper, .. } = *node else { return self.misplaced() };
        self.depth -= 1;
        if run == Run::All && size < lower {
            return Err(self.fail_at(ErrorKind::Size { size, lower, upper }, start));
        }
        Ok(())
    }

    /// Reads a varint, and returns where it begins.
    fn take_varint(&mut self) -> Result<(usize, u64), Rejected> {
        let at = self.reader.position();
        match fields::read(self.left()) {
            Ok((number, octets)) => {
                self.reader.skip(octets * 8)?;
                Ok((at, number))
            }
            Err(fault) => Err(self.faulty(fault)),
        }
    }

    #[inline(never)]
    fn varint_number(&mut self, node: &FieldNode, value: &mut dyn Data) -> Result<(), Rejected> {
        let FieldNode::Number { sign, lower, upper } = *node else { return self.misplaced() };
        let (at, word) = self.take_varint()?;
        let number = sign.read(word);
        if number < lower || number > upper {
            return Err(self.fail_at(ErrorKind::IntegerRange { value: number, lower, upper }, at));
        }
        self.show(at, What::Value(""), Scalar::Integer(number));
        self.set_word(at, number, value)
    }

    #[inline(never)]
    fn keyed_leaf(&mut self, node: &'n FieldNode, value: &mut dyn Data) -> Result<(), Rejected> {
        if *node == FieldNode::Double {
            let at = self.reader.position();
            let word = self.take(64)?.swap_bytes();
            return self.set(at, Scalar::Real(f64::from_bits(word)), value);
        }
        let (at, word) = self.take_varint()?;
        match *node {
            FieldNode::Truth => self.set(at, Scalar::Boolean(word != 0), value),
            FieldNode::Item { values, items, extensible } => {
                self.set_numbered(at, word as i64, (values, items, extensible), value)
            }
            FieldNode::Flags { lower, upper, .. } => {
                let bits = ((64 - word.leading_zeros()) as u8).max(lower);
                if bits > upper {
                    let (size, lower, upper) = (bits.into(), lower.into(), upper.into());
                    return Err(self.fail_at(ErrorKind::Size { size, lower, upper }, at));
                }
                let value_of = if bits == 0 { 0 } else { word.reverse_bits() >> (64 - u32::from(bits)) };
                self.set(at, Scalar::Word(BitWord { value: value_of, bits }), value)
            }
            _ => self.misplaced(),
        }
    }
}
