//! The columns of rows as those that generated code and tapes read.

use arrow_buffer::{BooleanBuffer, NullBuffer};
use roadwire_wire::column::{Bitmap, NOWHERE, Source, SourceCells, SourceStrings};

use super::{Content, Form, Member, Part, Rows};
use crate::values::Values;

/// In place of an alternative where there are several.
const SEVERAL: u32 = NOWHERE - 1;

impl Rows {
    /// The columns of the type, in the order of [`Data::append`](roadwire_wire::Data::append), for
    /// [`Data::fill_row`](roadwire_wire::Data::fill_row): many times as fast as [`Rows::fill`],
    /// which says what is wrong with a row that is not taken, and takes columns of any form.
    #[must_use]
    pub fn sources(&self) -> Vec<Source<'_>> {
        let mut sources = vec![Source::absent(); self.root.columns];
        self.root.read(&mut sources);
        sources
    }
}

impl Part {
    /// Puts its columns at the start of those that are left.
    fn read<'a>(&'a self, sources: &mut [Source<'a>]) {
        let Some((own, parts)) = sources.split_first_mut() else { return };
        let nulls = self.nulls.as_ref().map_or(0, NullBuffer::null_count);
        if nulls == self.rows || matches!(self.content, Content::Nothing) {
            return;
        }
        own.valid = self.nulls.as_ref().map(|nulls| bitmap(nulls.inner()));
        own.cells = match &self.content {
            Content::Nothing => SourceCells::None,
            Content::Record(..) => SourceCells::Parts,
            Content::Choice(members, count, octets) => self.chosen(members, *count, octets.as_deref()),
            Content::List(lists, _) => SourceCells::Lists(lists),
            Content::Leaf(form, values) => self.cells(form, values),
            Content::Bits(values, lengths) => {
                let length = |row| lengths.integer(row).and_then(|bits| u32::try_from(bits).ok()).unwrap_or(NOWHERE);
                let lengths = self.rows().map(|row| row.map_or(0, length)).collect();
                self.strings(values).map_or(SourceCells::None, |octets| SourceCells::Bits(octets, lengths))
            }
        };
        let mut read = |part: &'a Part, at: usize| part.read(parts.get_mut(at - 1..).unwrap_or_default());
        match &self.content {
            Content::Record(members, _) => members.iter().for_each(|member| read(&member.part, member.at)),
            Content::Choice(members, _, octets) => {
                members.iter().for_each(|member| read(&member.part, member.at));
                octets.iter().for_each(|part| read(part, self.columns - 1));
            }
            Content::List(_, element) => read(element, 1),
            Content::Nothing | Content::Leaf(..) | Content::Bits(..) => {}
        }
    }

    /// Its rows; `None` for those without a value.
    fn rows(&self) -> impl Iterator<Item = Option<usize>> {
        (0..self.rows).map(|row| (!self.is_null(row)).then_some(row))
    }

    /// The alternative of each row.
    fn chosen(&self, members: &[Member], count: usize, octets: Option<&Part>) -> SourceCells<'_> {
        let mut chosen = vec![NOWHERE; self.rows].into_boxed_slice();
        let mut choose = |part: &Part, index: usize| {
            let mut choose = |row: usize| {
                if let Some(place) = chosen.get_mut(row) {
                    *place = if *place == NOWHERE { index as u32 } else { SEVERAL };
                }
            };
            match &part.nulls {
                Some(nulls) => nulls.valid_indices().for_each(choose),
                None => (0..part.rows).for_each(&mut choose),
            }
        };
        members.iter().for_each(|member| choose(&member.part, member.index));
        octets.iter().for_each(|octets| choose(octets, count));
        chosen.iter_mut().filter(|index| **index == SEVERAL).for_each(|index| *index = NOWHERE);
        SourceCells::Chosen(chosen)
    }

    fn cells<'a>(&'a self, form: &'a Form, values: &'a Values) -> SourceCells<'a> {
        match (form, values) {
            (Form::Boolean, Values::Boolean(array)) => SourceCells::Flags(bitmap(array.values())),
            (Form::Null | Form::Empty, Values::Boolean(array)) => SourceCells::True(bitmap(array.values())),
            (Form::Integer | Form::Digits, values) => integers(values),
            (Form::Real, Values::F32(array)) => SourceCells::F32(array.values()),
            (Form::Real, Values::F64(array)) => SourceCells::F64(array.values()),
            (Form::Enumerated(items), _) => SourceCells::Items(&items.0),
            (Form::Bits(bits), values) => {
                self.strings(values).map_or(SourceCells::None, |octets| SourceCells::FixedBits(*bits, octets))
            }
            (Form::Octets, values) => self.strings(values).map_or(SourceCells::None, SourceCells::Octets),
            (Form::Text, values) => self.strings(values).map_or(SourceCells::None, SourceCells::Text),
            // Identifiers are made from text.
            (Form::Oid { .. } | Form::Boolean | Form::Null | Form::Empty | Form::Real, _) => SourceCells::None,
        }
    }

    /// Strings of any array.
    fn strings<'a>(&'a self, values: &'a Values) -> Option<SourceStrings<'a>> {
        Some(match values {
            Values::Text(array) => SourceStrings::Ends(array.value_offsets(), array.value_data()),
            Values::Octets(array) => SourceStrings::Ends(array.value_offsets(), array.value_data()),
            Values::Fixed(array) => SourceStrings::Fixed(array.value_size(), array.value_data()),
            values => {
                let of = |row| values.octets(row).or_else(|| values.text(row).map(str::as_bytes));
                SourceStrings::Slices(self.rows().map(|row| row.map_or(Some(&[][..]), of)).collect::<Option<_>>()?)
            }
        })
    }
}

fn integers(values: &Values) -> SourceCells<'_> {
    match values {
        Values::I8(array) => SourceCells::I8(array.values()),
        Values::I16(array) => SourceCells::I16(array.values()),
        Values::I32(array) => SourceCells::I32(array.values()),
        Values::I64(array) => SourceCells::I64(array.values()),
        Values::U8(array) => SourceCells::U8(array.values()),
        Values::U16(array) => SourceCells::U16(array.values()),
        Values::U32(array) => SourceCells::U32(array.values()),
        Values::U64(array) => SourceCells::U64(array.values()),
        // Digits, and dictionaries.
        _ => SourceCells::None,
    }
}

fn bitmap(bits: &BooleanBuffer) -> Bitmap<'_> {
    Bitmap::new(bits.values(), bits.offset())
}
