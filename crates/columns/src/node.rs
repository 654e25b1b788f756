//! Columns that grow by one value after the other.
//!
//! A row is a place in the columns of one level: messages, or the elements of a list. A column that has no value in some rows does not hear of them: it is filled up when the next value comes,
//! or at the end. So what is absent costs nothing, however many fields it has.

use std::sync::Arc;

use arrow_array::StringArray;
use arrow_buffer::BooleanBufferBuilder;
use arrow_schema::Field;
use roadwire_model::{Integer, Oid, Value};
use roadwire_wire::{Data, Scalar, number_of_unknown_item};

use crate::ColumnsError;

/// A column, or several that are one field.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) field: Arc<Field>,
    /// Which rows have a value; nothing where all do.
    pub(crate) valid: Option<BooleanBufferBuilder>,
    pub(crate) content: Content,
}

#[derive(Debug)]
pub(crate) enum Content {
    /// SEQUENCE, SET
    Record(Vec<Member>),
    /// CHOICE, and what may be in an open type: by index, `None` for alternatives that are left out. `octets` has what is of no known type.
    Choice { alternatives: Vec<Option<Node>>, octets: Option<Box<Node>> },
    /// SEQUENCE OF, SET OF: where each list ends, and how many elements there are.
    List { offsets: Vec<i32>, count: usize, element: Box<Node> },
    /// A leaf.
    Leaf(Leaf),
}

/// A component.
#[derive(Debug)]
pub(crate) struct Member {
    /// Among the components, in textual order.
    pub(crate) index: usize,
    /// What it is where it is absent.
    pub(crate) default: Option<Value>,
    pub(crate) node: Node,
}

#[derive(Debug)]
pub(crate) enum Leaf {
    /// BOOLEAN; and what has no content (NULL, an empty SEQUENCE), which is true where it is there.
    Boolean(BooleanBufferBuilder),
    I8(Vec<i8>),
    I16(Vec<i16>),
    I32(Vec<i32>),
    I64(Vec<i64>),
    U8(Vec<u8>),
    U16(Vec<u16>),
    U32(Vec<u32>),
    U64(Vec<u64>),
    F64(Vec<f64>),
    /// An ENUMERATED without extensions, by ordinal.
    Items(Vec<i16>, Arc<StringArray>),
    /// An ENUMERATED with extensions, by name.
    Names(Octets, Vec<String>),
    /// Text, object identifiers, and integers that may be beyond 64 bits.
    Text(Octets),
    Octets(Octets),
    /// Octets of one length.
    Fixed(usize, Vec<u8>),
    /// Bits of one length, in whole octets.
    FixedBits(usize, Vec<u8>),
    /// Bits in whole octets, and how many there are.
    Bits(Octets, Vec<u32>),
}

/// Strings one behind the other, and where each ends.
#[derive(Debug)]
pub(crate) struct Octets {
    pub(crate) offsets: Vec<i32>,
    pub(crate) octets: Vec<u8>,
}

impl Octets {
    pub(crate) fn new() -> Self {
        Octets { offsets: vec![0], octets: Vec::new() }
    }

    fn put(&mut self, row: usize, octets: &[u8]) -> Result<(), ColumnsError> {
        pad_offsets(&mut self.offsets, row);
        self.octets.extend_from_slice(octets);
        self.offsets.push(end(self.octets.len())?);
        Ok(())
    }

    fn truncate(&mut self, rows: usize) {
        self.offsets.truncate(rows + 1);
        self.octets.truncate(self.offsets.last().map_or(0, |end| *end as usize));
    }
}

/// Offsets for this many rows, where the last ones are empty.
pub(crate) fn pad_offsets(offsets: &mut Vec<i32>, rows: usize) {
    let last = offsets.last().copied().unwrap_or(0);
    offsets.resize(rows + 1, last);
}

fn end(count: usize) -> Result<i32, ColumnsError> {
    i32::try_from(count)
        .map_err(|_| ColumnsError::new("columns.limit", "a batch has more than 2^31 elements or octets"))
}

#[inline(always)]
fn put<T: Default + Clone>(values: &mut Vec<T>, row: usize, value: T) {
    if values.len() < row {
        values.resize(row, T::default());
    }
    values.push(value);
}

/// Appends a bit at a row; rows before it that have none are false.
#[inline]
fn put_bit(bits: &mut BooleanBufferBuilder, row: usize, value: bool) {
    if bits.len() < row {
        bits.advance(row - bits.len());
    }
    bits.append(value);
}

impl Node {
    /// Appends a value in a row behind all that have one.
    pub(crate) fn push(&mut self, row: usize, data: &dyn Data) -> Result<(), ColumnsError> {
        if let Some(valid) = &mut self.valid {
            put_bit(valid, row, true);
        }
        match &mut self.content {
            Content::Record(members) => {
                for member in members {
                    let value: Option<&dyn Data> = match (data.component(member.index), &member.default) {
                        (Some(value), _) => Some(value),
                        (None, Some(default)) => Some(default),
                        (None, None) => None,
                    };
                    match value {
                        Some(value) => {
                            member.node.push(row, value).map_err(|error| error.within(member.node.field.name()))?;
                        }
                        None if member.node.valid.is_some() => {}
                        None => {
                            let error = ColumnsError::new("columns.absent", "a mandatory component is absent");
                            return Err(error.within(member.node.field.name()));
                        }
                    }
                }
                Ok(())
            }
            Content::Choice { alternatives, octets } => match (data.alternative(), octets) {
                (Some((index, value)), _) => match alternatives.get_mut(index) {
                    Some(Some(node)) => node.push(row, value).map_err(|error| error.within(node.field.name())),
                    _ => Ok(()),
                },
                (None, Some(octets)) => octets.push(row, data),
                // An alternative of a later version: none of the columns has a value.
                (None, None) => Ok(()),
            },
            Content::List { offsets, count, element } => {
                pad_offsets(offsets, row);
                let length = data.length().ok_or_else(misfit)?;
                for index in 0..length {
                    let value = data.element(index).ok_or_else(misfit)?;
                    let pushed = element.push(*count, value);
                    pushed.map_err(|error| error.within(&format!("[{index}]")))?;
                    *count += 1;
                }
                offsets.push(end(*count)?);
                Ok(())
            }
            Content::Leaf(leaf) => leaf.push(row, data),
        }
    }

    /// Takes back all rows but the first ones.
    pub(crate) fn truncate(&mut self, rows: usize) {
        if let Some(valid) = &mut self.valid {
            valid.truncate(rows.min(valid.len()));
        }
        match &mut self.content {
            Content::Record(members) => members.iter_mut().for_each(|member| member.node.truncate(rows)),
            Content::Choice { alternatives, octets } => {
                alternatives.iter_mut().flatten().for_each(|node| node.truncate(rows));
                if let Some(octets) = octets {
                    octets.truncate(rows);
                }
            }
            Content::List { offsets, count, element } => {
                offsets.truncate(rows + 1);
                *count = offsets.last().map_or(0, |end| *end as usize);
                element.truncate(*count);
            }
            Content::Leaf(leaf) => leaf.truncate(rows),
        }
    }
}

impl Leaf {
    #[inline]
    fn push(&mut self, row: usize, data: &dyn Data) -> Result<(), ColumnsError> {
        macro_rules! number {
            ($values:ident) => {{
                let value = data.integer().ok_or_else(|| too_large(data))?;
                put($values, row, value.try_into().map_err(|_| outside(value))?)
            }};
        }
        match self {
            Leaf::Boolean(bits) => put_bit(bits, row, !matches!(data.scalar(), Scalar::Boolean(false))),
            Leaf::I8(values) => number!(values),
            Leaf::I16(values) => number!(values),
            Leaf::I32(values) => number!(values),
            Leaf::I64(values) => put(values, row, data.integer().ok_or_else(|| too_large(data))?),
            Leaf::U8(values) => number!(values),
            Leaf::U16(values) => number!(values),
            Leaf::U32(values) => number!(values),
            Leaf::U64(values) => match data.scalar() {
                Scalar::Integer(value) => put(values, row, value.try_into().map_err(|_| outside(value))?),
                _ => return Err(too_large(data)),
            },
            Leaf::F64(values) => match data.scalar() {
                Scalar::Real(value) => put(values, row, value),
                _ => return Err(misfit()),
            },
            Leaf::Items(values, names) => match data.scalar() {
                Scalar::Enumerated(ordinal) if (ordinal as usize) < names_of(names) => put(values, row, ordinal as i16),
                _ => return Err(misfit()),
            },
            Leaf::Names(texts, names) => match data.scalar() {
                Scalar::Enumerated(ordinal) => match names.get(ordinal as usize) {
                    Some(name) => texts.put(row, name.as_bytes())?,
                    None => texts.put(row, unknown_item(ordinal, names.len()).as_bytes())?,
                },
                _ => return Err(misfit()),
            },
            Leaf::Text(texts) => match data.scalar() {
                Scalar::Text(text) => texts.put(row, text.as_bytes())?,
                Scalar::Oid(contents) => {
                    let oid = Oid::from_contents(contents).ok_or_else(misfit)?;
                    texts.put(row, oid.absolute_text().as_bytes())?;
                }
                Scalar::Integer(value) => texts.put(row, value.to_string().as_bytes())?,
                Scalar::WideInteger(octets) => {
                    texts.put(row, Integer::from_twos_complement(octets).to_string().as_bytes())?;
                }
                _ => return Err(misfit()),
            },
            Leaf::Octets(octets) => match data.scalar() {
                Scalar::Octets(value) => octets.put(row, value)?,
                _ => return Err(misfit()),
            },
            Leaf::Fixed(size, octets) => match data.scalar() {
                Scalar::Octets(value) if value.len() == *size => put_fixed(octets, *size, row, value),
                _ => return Err(misfit()),
            },
            Leaf::FixedBits(size, octets) => match data.scalar() {
                Scalar::Word(word) if usize::from(word.bits) == *size => {
                    put_fixed(octets, size.div_ceil(8), row, &word.to_octets());
                }
                Scalar::Bits(value, bits) if bits == *size => put_fixed(octets, size.div_ceil(8), row, value),
                _ => return Err(misfit()),
            },
            Leaf::Bits(octets, lengths) => {
                let word;
                let (value, bits) = match data.scalar() {
                    Scalar::Word(found) => {
                        word = found.to_octets();
                        (&word[..], usize::from(found.bits))
                    }
                    Scalar::Bits(value, bits) => (value, bits),
                    _ => return Err(misfit()),
                };
                octets.put(row, value.get(..bits.div_ceil(8)).ok_or_else(misfit)?)?;
                put(lengths, row, u32::try_from(bits).map_err(|_| misfit())?);
            }
        }
        Ok(())
    }

    fn truncate(&mut self, rows: usize) {
        match self {
            Leaf::Boolean(bits) => bits.truncate(rows.min(bits.len())),
            Leaf::I8(values) => values.truncate(rows),
            Leaf::I16(values) => values.truncate(rows),
            Leaf::I32(values) => values.truncate(rows),
            Leaf::I64(values) => values.truncate(rows),
            Leaf::U8(values) => values.truncate(rows),
            Leaf::U16(values) => values.truncate(rows),
            Leaf::U32(values) => values.truncate(rows),
            Leaf::U64(values) => values.truncate(rows),
            Leaf::F64(values) => values.truncate(rows),
            Leaf::Items(values, _) => values.truncate(rows),
            Leaf::Names(texts, _) | Leaf::Text(texts) | Leaf::Octets(texts) => texts.truncate(rows),
            Leaf::Fixed(size, octets) => octets.truncate(rows * *size),
            Leaf::FixedBits(size, octets) => octets.truncate(rows * size.div_ceil(8)),
            Leaf::Bits(octets, lengths) => {
                octets.truncate(rows);
                lengths.truncate(rows);
            }
        }
    }
}

fn names_of(names: &StringArray) -> usize {
    arrow_array::Array::len(names)
}

/// As JER has it here: by its index among the additions, or by its number.
fn unknown_item(ordinal: u32, known: usize) -> String {
    match number_of_unknown_item(ordinal) {
        Some(number) => format!("...({number})"),
        None => format!("...{}", (ordinal as usize).saturating_sub(known)),
    }
}

fn put_fixed(octets: &mut Vec<u8>, size: usize, row: usize, value: &[u8]) {
    octets.resize(row * size, 0);
    octets.extend_from_slice(value.get(..size).unwrap_or(value));
    octets.resize((row + 1) * size, 0);
}

/// A value that is not of the type: a fault of who calls.
fn misfit() -> ColumnsError {
    ColumnsError::new("columns.value", "the value is not of the column's type")
}

fn outside(value: impl std::fmt::Display) -> ColumnsError {
    ColumnsError::new("columns.range", format!("{value} is outside the column's range"))
}

fn too_large(data: &dyn Data) -> ColumnsError {
    match data.scalar() {
        Scalar::Integer(value) => outside(value),
        Scalar::WideInteger(octets) => outside(format!("an integer of {} octets", octets.len())),
        _ => misfit(),
    }
}
