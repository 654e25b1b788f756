//! A row that is read part by part, without a value.

use roadwire_wire::{Part as Read, Scalar};

use super::{Content, Form, Member, Part, Rows};

/// A part of a row. It does not say what is wrong with it: it then has no value, or another one
/// than that of its type.
#[derive(Clone, Copy, Debug)]
pub struct Row<'r> {
    part: &'r Part,
    row: usize,
}

impl Rows {
    /// A row, without the parts that the type does not know; nothing past the end, for a row
    /// without a value, and for types with parts that have to be made from text.
    #[must_use]
    pub fn row(&self, row: usize) -> Option<Row<'_>> {
        let has_value = self.has_parts && row < self.rows && !self.root.is_null(row);
        has_value.then_some(Row { part: &self.root, row })
    }
}

impl Part {
    /// Whether a row of it can be read part by part.
    pub(super) fn has_parts(&self) -> bool {
        match &self.content {
            Content::Nothing | Content::Bits(..) => true,
            Content::Record(members, _) => members.iter().all(|member| member.part.has_parts()),
            Content::Choice(alternatives, octets) => {
                octets.is_none() && alternatives.iter().all(|(.., part)| part.has_parts())
            }
            Content::List(_, element) => element.has_parts(),
            // They have a value that may be wrong, and is not looked at.
            Content::Leaf(Form::Null | Form::Empty | Form::Digits | Form::Oid { .. }, _) => false,
            Content::Leaf(..) => true,
        }
    }
}

impl Read for Row<'_> {
    fn scalar(&self) -> Scalar<'_> {
        let row = self.row;
        match &self.part.content {
            Content::Leaf(form, values) => match form {
                Form::Boolean => values.boolean(row).map(Scalar::Boolean),
                Form::Integer => values.integer(row).map(Scalar::Integer),
                Form::Real => values.real(row).map(Scalar::Real),
                Form::Enumerated(items) => items.ordinal(values, row).map(Scalar::Enumerated),
                Form::Bits(bits) => values.octets(row).and_then(|octets| bits_of(octets, *bits)),
                Form::Octets => values.octets(row).map(Scalar::Octets),
                Form::Text => values.text(row).map(Scalar::Text),
                Form::Null | Form::Empty | Form::Digits | Form::Oid { .. } => None,
            },
            Content::Bits(values, lengths) => {
                let bits = lengths.integer(row).and_then(|bits| usize::try_from(bits).ok());
                values.octets(row).zip(bits).and_then(|(octets, bits)| bits_of(octets, bits))
            }
            _ => None,
        }
        .unwrap_or(Scalar::Unset)
    }

    fn integer(&self) -> Option<i64> {
        match &self.part.content {
            Content::Leaf(Form::Integer, values) => values.small(self.row),
            _ => None,
        }
    }

    fn component(self, index: usize) -> Option<Self> {
        let Content::Record(members, _) = &self.part.content else { return None };
        let here = members.get(index).filter(|member| member.index == index);
        let Member { part, .. } = match here {
            Some(member) => member,
            None => members.get(members.binary_search_by_key(&index, |member| member.index).ok()?)?,
        };
        (!part.is_null(self.row)).then_some(Row { part, row: self.row })
    }

    fn length(self) -> Option<usize> {
        let Content::List(lists, _) = &self.part.content else { return None };
        lists.get(self.row).map(|(from, to)| to - from)
    }

    fn element(self, index: usize) -> Option<Self> {
        let Content::List(lists, part) = &self.part.content else { return None };
        let (from, to) = *lists.get(self.row)?;
        let row = from + index;
        (row < to && !part.is_null(row)).then_some(Row { part, row })
    }

    fn alternative(self) -> Option<(usize, Self)> {
        let Content::Choice(alternatives, _) = &self.part.content else { return None };
        let mut there = alternatives.iter().filter(|(.., part)| !part.is_null(self.row));
        let (index, _, part) = there.next()?;
        // Of several, none is meant.
        there.next().is_none().then_some((*index, Row { part, row: self.row }))
    }
}

/// A bit string, without bits after its last one.
fn bits_of(octets: &[u8], bits: usize) -> Option<Scalar<'_>> {
    let last = octets.last().copied().unwrap_or(0);
    let is_clean = bits.is_multiple_of(8) || last << (bits % 8) == 0;
    (octets.len() == bits.div_ceil(8) && is_clean).then_some(Scalar::Bits(octets, bits))
}
