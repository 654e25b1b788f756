//! Values without parts.

use roadwire_layout::{Count as LayoutCount, Form as WordForm, Node, NodeId, Span, Width};

use super::Walk;
use crate::frame::Form;
use crate::packed::code::{Count, Field, Map, NOWHERE, Number, Op, Text, Units};

/// The most bits of a field that begins at any bit.
const MOST_BITS: u32 = 57;

impl Walk<'_> {
    /// A value without parts; `ahead` is how many zero bits come before it.
    pub(super) fn leaf(&mut self, node: NodeId, form: &Form, slot: u32, ahead: u32) -> Option<()> {
        let layout = self.layout;
        match (layout.node(node), form) {
            (Node::Null, Form::Null) => Some(()),
            (Node::Boolean { bits: 1 }, Form::Boolean) => {
                self.field(slot, offset(1, 0, 1)?);
                Some(())
            }
            (Node::Boolean { bits: 8 }, Form::Boolean) => {
                let ordinals = (0..0x100).map(|octet| u32::from(octet != 0)).collect();
                self.mapped(slot, offset(8, 0, 0xff)?, Map { ordinals, values: vec![0, 0xff] });
                Some(())
            }
            (Node::Word { .. }, Form::Integer | Form::Unsigned) => self.word(layout.node(node), form, slot, ahead),
            (&Node::Integer { form: octets, lower, upper }, Form::Integer | Form::Unsigned) => {
                self.zeros(ahead);
                let (lower, upper) = layout.bounds(lower, upper);
                let is_unsigned = matches!(form, Form::Unsigned);
                self.number(
                    slot,
                    Number { form: octets, width: 0, lower, upper, counted: 0, is_unsigned, selects: false },
                )
            }
            (&Node::Extension { root, .. }, Form::Integer | Form::Unsigned) => self.leaf(root, form, slot, ahead + 1),
            (&Node::Enumerated { width, root, additions, ordinals, .. }, Form::Enumerated) => {
                let width = self.width(width, additions.is_some().into())?;
                let field = offset(width, 0, i128::from(root) - 1)?;
                match layout.numbers(ordinals) {
                    [] => self.field(slot, field),
                    ordinals => self.mapped(slot, field, map(ordinals.iter().copied().zip(0..))),
                }
                Some(())
            }
            (&Node::Numbered { values, .. }, Form::Enumerated) => {
                let numbers = layout.numbers(values).chunks_exact(2);
                // Others have more octets than one.
                let short = (0..).zip(numbers).filter(|(_, number)| number[0] == 0 && number[1] < 0x80);
                let map = map(short.map(|(ordinal, number)| (ordinal, number[1])));
                let field = offset(8, 0, map.ordinals.len() as i128 - 1)?;
                self.mapped(slot, field, map);
                Some(())
            }
            (Node::Bits { extent, trim, whole }, Form::Bits) => {
                let trim = trim.least().filter(|_| extent.count != LayoutCount::Fixed);
                let units = if *whole { Units::PaddedBits } else { Units::Bits };
                let count = self.count_of(extent, &units)?;
                self.text(slot, Text { count, units, trim, is_aligned: extent.aligned, selects: false })
            }
            (Node::Octets { extent }, Form::Octets) => self.string(slot, extent, Units::Octets),
            (&Node::Oid { .. }, Form::Oid) => {
                let count = Count::Determinant { lower: 0, upper: u64::MAX };
                self.text(slot, Text { count, units: Units::Oid, trim: None, is_aligned: false, selects: false })
            }
            (Node::Characters { extent, characters }, Form::Text) => {
                let units = self.characters(&layout.character_set(*characters))?;
                self.string(slot, extent, units)
            }
            (&Node::Text { utf8: true, lower, upper, alphabet: Span { count: 0, .. } }, Form::Text) => {
                let count = Count::Determinant { lower: 0, upper: u64::MAX };
                self.text(
                    slot,
                    Text { count, units: Units::Utf8(lower, upper), trim: None, is_aligned: false, selects: false },
                )
            }
            _ => None,
        }
    }

    fn word(&mut self, node: &Node, on_tape: &Form, slot: u32, ahead: u32) -> Option<()> {
        let &Node::Word { width, form, lower, upper } = node else { return None };
        let (lower, upper) = self.layout.bounds(lower, upper);
        let is_unsigned = matches!(on_tape, Form::Unsigned);
        if let Width::Counted { bits: counted, aligned } = width {
            self.zeros(ahead);
            if aligned {
                self.op(Op::Align);
            }
            return self.number(slot, Number { form, width: 0, counted, lower, upper, is_unsigned, selects: false });
        }
        let width = self.width(width, ahead)?;
        let most = if form == WordForm::Offset { MOST_BITS } else { 64 };
        match offset(width, lower, upper) {
            Some(field) if width <= most => {
                let sign = if form == WordForm::Signed { 1 << (width - 1) } else { 0 };
                self.field(slot, Field { sign, ..field });
                Some(())
            }
            _ => {
                let width = u8::try_from(width).ok()?;
                self.number(slot, Number { form, width, counted: 0, lower, upper, is_unsigned, selects: false })
            }
        }
    }

    /// How many bits a number takes, with so many zero bits before it: those too, unless it
    /// begins at an octet border.
    pub(super) fn width(&mut self, width: Width, ahead: u32) -> Option<u32> {
        match width {
            Width::Anywhere(bits) => Some(bits + ahead),
            Width::Aligned(bits) => {
                self.zeros(ahead);
                self.op(Op::Align);
                Some(bits)
            }
            Width::Counted { .. } => None,
        }
    }

    fn zeros(&mut self, count: u32) {
        for _ in 0..count {
            self.op(Op::Zero);
        }
    }

    fn number(&mut self, slot: u32, number: Number) -> Option<()> {
        if number.width > 64 || (number.form == WordForm::Offset && number.lower < i128::MIN / 2) {
            return None;
        }
        self.code.numbers.push(number);
        let number = self.code.numbers.len() as u32 - 1;
        self.op(Op::Number { slot, number });
        Some(())
    }

    /// A field whose numbers on the tape are those of a map.
    pub(super) fn mapped(&mut self, slot: u32, field: Field, map: Map) {
        if (0..).zip(&map.ordinals).all(|(number, ordinal)| number == *ordinal) {
            return self.field(slot, field);
        }
        let at = self.code.fields.len() as u32;
        self.code.fields.push(field);
        self.code.maps.push(map);
        let map = self.code.maps.len() as u32 - 1;
        self.op(Op::Mapped { slot, field: at, map });
    }
}

/// The map of ordinals and their numbers.
pub(super) fn map(pairs: impl Iterator<Item = (u32, u32)>) -> Map {
    let mut map = Map { ordinals: Vec::new(), values: Vec::new() };
    for (ordinal, number) in pairs {
        for (table, from, to) in [(&mut map.ordinals, number, ordinal), (&mut map.values, ordinal, number)] {
            let from = from as usize;
            if table.len() <= from {
                table.resize(from + 1, NOWHERE);
            }
            if let Some(place) = table.get_mut(from) {
                *place = to;
            }
        }
    }
    map
}

/// How many bits a number takes that is not aligned.
pub(super) fn bits(width: Width) -> Option<u32> {
    match width {
        Width::Anywhere(bits) => Some(bits),
        _ => None,
    }
}

/// A field without sign.
pub(super) fn offset(width: u32, lower: i128, upper: i128) -> Option<Field> {
    let range = u64::try_from(upper.checked_sub(lower)?).ok()?;
    i64::try_from(upper).ok()?;
    let lower = i64::try_from(lower).ok()?;
    (width <= 64).then_some(Field { lower, range, width: width as u8, ..Field::default() })
}
