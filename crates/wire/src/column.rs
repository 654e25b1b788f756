//! Columns that [`Data::append`](crate::Data::append) fills, one value after the other.
//!
//! A row is a place in the columns of one level: messages, or the elements of a list. A column is
//! not touched for rows without a value: it is padded when the next value comes, or at the end. So
//! absent parts cost nothing, however many fields they have.
//!
//! The columns of a type are one slice, in this order: its own, and then those of its parts, one
//! part after the other. A leaf has one column. The own column of a SEQUENCE, a CHOICE or an open
//! type has no cells, and that of a list holds the end of each list.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::data::Scalar;
use crate::error::Rejected;
use crate::item::number_of_unknown_item;

pub use self::flags::Flags;
pub use self::source::{Bitmap, NOWHERE, Source, SourceCells, SourceStrings};
pub(crate) use self::source::{fill_list, fill_number};
pub use self::strings::Strings;

mod flags;
mod source;
mod strings;

/// A column.
#[derive(Clone, Debug)]
pub struct Column {
    /// The values.
    pub cells: Cells,
    /// Which rows have a value; `None` if all do.
    pub valid: Option<Flags>,
}

/// The values of a column.
#[derive(Clone, Debug)]
pub enum Cells {
    /// None: the column and those of its parts are not selected.
    Skipped,
    /// None of its own: those of a SEQUENCE, a CHOICE or an open type are in the columns of its
    /// parts.
    Parts,
    /// Lists: where each ends among the elements, after a zero.
    Lists(Vec<i32>),
    /// BOOLEAN; also types without content (NULL, an empty SEQUENCE), true if present.
    Flags(Flags),
    /// Integers of 8 bits with sign.
    I8(Vec<i8>),
    /// Integers of 16 bits with sign.
    I16(Vec<i16>),
    /// Integers of 32 bits with sign.
    I32(Vec<i32>),
    /// Integers of 64 bits with sign.
    I64(Vec<i64>),
    /// Integers of 8 bits.
    U8(Vec<u8>),
    /// Integers of 16 bits.
    U16(Vec<u16>),
    /// Integers of 32 bits.
    U32(Vec<u32>),
    /// Integers of 64 bits.
    U64(Vec<u64>),
    /// REAL
    F64(Vec<f64>),
    /// An ENUMERATED without extensions, by ordinal, and the number of items.
    Items(Vec<i16>, u16),
    /// An ENUMERATED with extensions, by name: those that are known, by ordinal, and how many of
    /// them are in the root.
    Names(Strings, Box<[String]>, u32),
    /// Text.
    Text(Strings),
    /// Octets.
    Octets(Strings),
    /// Octets of one length.
    Fixed(usize, Vec<u8>),
    /// A fixed number of bits, in whole octets.
    FixedBits(usize, Vec<u8>),
    /// Bits in whole octets, and how many there are.
    Bits(Box<(Strings, Vec<u32>)>),
}

impl Column {
    /// A column of mandatory parts, or of parts that may be absent.
    #[must_use]
    pub fn new(cells: Cells, is_nullable: bool) -> Column {
        Column { cells, valid: is_nullable.then(Flags::default) }
    }

    /// A column that is not selected.
    #[must_use]
    pub const fn skipped() -> Column {
        Column { cells: Cells::Skipped, valid: None }
    }

    /// Whether the column and those of its parts are not selected.
    #[inline(always)]
    #[must_use]
    pub const fn is_skipped(&self) -> bool {
        matches!(self.cells, Cells::Skipped)
    }

    /// Marks a row as having a value.
    #[inline]
    pub fn mark(&mut self, row: usize) {
        if let Some(valid) = &mut self.valid {
            valid.set(row);
        }
    }

    /// Appends a list, and returns the row of its first element; `None` if the column is not
    /// selected.
    ///
    /// # Errors
    /// The column is not one of lists, has that row already, or holds 2^31 elements.
    #[inline]
    pub fn put_list(&mut self, row: usize, length: usize) -> Result<Option<usize>, Rejected> {
        match &mut self.cells {
            Cells::Lists(ends) => {
                pad_ends(ends, row)?;
                let first = ends.last().map_or(0, |end| *end as usize);
                ends.push(i32::try_from(first + length).map_err(|_| Rejected)?);
                Ok(Some(first))
            }
            Cells::Skipped => Ok(None),
            _ => Err(Rejected),
        }
    }

    /// Appends an integer. `false` if the column has none of its own for it; [`Column::put`] then
    /// says whether it has another place for it.
    #[inline]
    pub fn put_integer(&mut self, row: usize, value: i64) -> bool {
        macro_rules! number {
            ($cells:ident) => {
                value.try_into().is_ok_and(|value| put($cells, row, value).is_ok())
            };
        }
        match &mut self.cells {
            Cells::I8(cells) => number!(cells),
            Cells::I16(cells) => number!(cells),
            Cells::I32(cells) => number!(cells),
            Cells::I64(cells) => number!(cells),
            Cells::U8(cells) => number!(cells),
            Cells::U16(cells) => number!(cells),
            Cells::U32(cells) => number!(cells),
            Cells::U64(cells) => number!(cells),
            _ => false,
        }
    }

    /// Appends the value of a leaf.
    ///
    /// # Errors
    /// The column does not hold it, it has that row already, or it is full. A row may be left
    /// half-written: [`Column::truncate`].
    pub fn put(&mut self, row: usize, value: Scalar<'_>) -> Result<(), Rejected> {
        macro_rules! number {
            ($cells:ident) => {
                match value {
                    Scalar::Integer(value) => put($cells, row, value.try_into().map_err(|_| Rejected)?),
                    _ => Err(Rejected),
                }
            };
        }
        match (&mut self.cells, value) {
            (Cells::Skipped, _) => Ok(()),
            (Cells::Flags(flags), value) => {
                if value != Scalar::Boolean(false) {
                    flags.set(row);
                }
                Ok(())
            }
            (Cells::I8(cells), _) => number!(cells),
            (Cells::I16(cells), _) => number!(cells),
            (Cells::I32(cells), _) => number!(cells),
            (Cells::I64(cells), _) => number!(cells),
            (Cells::U8(cells), _) => number!(cells),
            (Cells::U16(cells), _) => number!(cells),
            (Cells::U32(cells), _) => number!(cells),
            (Cells::U64(cells), _) => number!(cells),
            (Cells::F64(cells), Scalar::Real(value)) => put(cells, row, value),
            (Cells::Items(cells, count), Scalar::Enumerated(ordinal)) if ordinal < u32::from(*count) => {
                put(cells, row, ordinal as i16)
            }
            (Cells::Names(cells, names, root), Scalar::Enumerated(ordinal)) => match names.get(ordinal as usize) {
                Some(name) => cells.put(row, name.as_bytes()),
                None => cells.put(row, unknown_item(ordinal, *root).as_bytes()),
            },
            (Cells::Text(cells), Scalar::Text(text)) => cells.put(row, text.as_bytes()),
            (Cells::Text(cells), Scalar::Integer(value)) => cells.put(row, value.to_string().as_bytes()),
            (Cells::Octets(cells), Scalar::Octets(octets)) => cells.put(row, octets),
            (Cells::Fixed(size, cells), Scalar::Octets(octets)) if octets.len() == *size => {
                put_fixed(cells, *size, row, octets)
            }
            (Cells::FixedBits(size, cells), Scalar::Word(word)) if usize::from(word.bits) == *size => {
                put_fixed(cells, size.div_ceil(8), row, &word.to_octets())
            }
            (Cells::FixedBits(size, cells), Scalar::Bits(octets, bits)) if bits == *size => {
                put_fixed(cells, size.div_ceil(8), row, octets)
            }
            (Cells::Bits(cells), Scalar::Word(word)) => put_bits(cells, row, &word.to_octets(), word.bits.into()),
            (Cells::Bits(cells), Scalar::Bits(octets, bits)) => put_bits(cells, row, octets, bits),
            _ => Err(Rejected),
        }
    }

    /// Removes all rows but the first ones.
    pub fn truncate(&mut self, rows: usize) {
        if let Some(valid) = &mut self.valid {
            valid.truncate(rows);
        }
        match &mut self.cells {
            Cells::Skipped | Cells::Parts => {}
            Cells::Lists(ends) => ends.truncate(rows + 1),
            Cells::Flags(flags) => flags.truncate(rows),
            Cells::I8(cells) => cells.truncate(rows),
            Cells::I16(cells) | Cells::Items(cells, _) => cells.truncate(rows),
            Cells::I32(cells) => cells.truncate(rows),
            Cells::I64(cells) => cells.truncate(rows),
            Cells::U8(cells) => cells.truncate(rows),
            Cells::U16(cells) => cells.truncate(rows),
            Cells::U32(cells) => cells.truncate(rows),
            Cells::U64(cells) => cells.truncate(rows),
            Cells::F64(cells) => cells.truncate(rows),
            Cells::Names(cells, ..) | Cells::Text(cells) | Cells::Octets(cells) => cells.truncate(rows),
            Cells::Fixed(size, cells) => cells.truncate(rows * *size),
            Cells::FixedBits(size, cells) => cells.truncate(rows * size.div_ceil(8)),
            Cells::Bits(cells) => {
                cells.0.truncate(rows);
                cells.1.truncate(rows);
            }
        }
    }
}

/// Appends a value to cells in a row after all rows that have one.
///
/// # Errors
/// They have that row already.
#[inline(always)]
pub fn put<T: Default + Clone>(cells: &mut Vec<T>, row: usize, value: T) -> Result<(), Rejected> {
    if cells.len() != row {
        pad(cells, row)?;
    }
    cells.push(value);
    Ok(())
}

#[cold]
fn pad<T: Default + Clone>(cells: &mut Vec<T>, row: usize) -> Result<(), Rejected> {
    if cells.len() > row {
        return Err(Rejected);
    }
    cells.resize(row, T::default());
    Ok(())
}

fn put_fixed(cells: &mut Vec<u8>, size: usize, row: usize, octets: &[u8]) -> Result<(), Rejected> {
    let octets = octets.get(..size).ok_or(Rejected)?;
    if cells.len() != row * size {
        pad(cells, row * size)?;
    }
    cells.extend_from_slice(octets);
    Ok(())
}

fn put_bits(cells: &mut (Strings, Vec<u32>), row: usize, octets: &[u8], bits: usize) -> Result<(), Rejected> {
    cells.0.put(row, octets.get(..bits.div_ceil(8)).ok_or(Rejected)?)?;
    put(&mut cells.1, row, u32::try_from(bits).map_err(|_| Rejected)?)
}

/// Pads the ends to this many rows; the new rows are empty.
#[inline]
fn pad_ends(ends: &mut Vec<i32>, rows: usize) -> Result<(), Rejected> {
    if ends.len() != rows + 1 {
        if ends.len() > rows + 1 {
            return Err(Rejected);
        }
        let last = ends.last().copied().unwrap_or(0);
        ends.resize(rows + 1, last);
    }
    Ok(())
}

/// Takes the ends for this many rows, and leaves none.
#[must_use]
pub fn take_ends(ends: &mut Vec<i32>, rows: usize) -> Vec<i32> {
    let last = ends.last().copied().unwrap_or(0);
    let mut taken = take_values(ends);
    taken.resize(rows + 1, last);
    ends.push(0);
    taken
}

/// Takes all values, and leaves room for as many: the next batch probably has about as many rows.
#[must_use]
pub fn take_values<T>(values: &mut Vec<T>) -> Vec<T> {
    let next = Vec::with_capacity(values.len());
    core::mem::replace(values, next)
}

/// An unknown item as JER writes it: its index among the additions, or its number.
fn unknown_item(ordinal: u32, root: u32) -> String {
    match number_of_unknown_item(ordinal) {
        Some(number) => format!("...({number})"),
        None => format!("...{}", ordinal.saturating_sub(root)),
    }
}

/// `Data::append` of a type whose column is usually of this kind.
macro_rules! append_number {
    ($variant:ident) => {
        #[inline]
        fn append(&self, columns: &mut [crate::Column], row: usize) -> Result<(), crate::Rejected> {
            match columns {
                [crate::Column { cells: crate::Cells::$variant(cells), .. }] => crate::column::put(cells, row, *self),
                [column] => column.put(row, crate::Data::scalar(self)),
                _ => Err(crate::Rejected),
            }
        }
    };
}
pub(crate) use append_number;

/// `Data::append` of a list.
macro_rules! append_list {
    () => {
        #[inline]
        fn append(&self, columns: &mut [crate::Column], row: usize) -> Result<(), crate::Rejected> {
            let [list, element @ ..] = columns else { return Err(crate::Rejected) };
            if let Some(first) = list.put_list(row, self.len())? {
                for (at, value) in self.iter().enumerate() {
                    value.append(element, first + at)?;
                }
            }
            Ok(())
        }
    };
}
pub(crate) use append_list;
