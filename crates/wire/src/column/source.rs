//! Columns that are read, row by row: what [`Data::fill_row`](crate::Data::fill_row) takes.
//!
//! They are in the order of those that [`Data::append`](crate::Data::append) fills.

use alloc::boxed::Box;

use crate::data::{Data, Scalar, Shape};
use crate::error::Rejected;
use crate::parts::fill_leaf;

/// A column that is read.
#[derive(Clone, Debug)]
pub struct Source<'a> {
    /// The values.
    pub cells: SourceCells<'a>,
    /// Which rows have a value; `None` if all do.
    pub valid: Option<Bitmap<'a>>,
}

/// The values of a column that is read. A row without a value has any cell.
#[derive(Clone, Debug)]
pub enum SourceCells<'a> {
    /// None: no row has a value, or its form is rare.
    None,
    /// None of its own: those of a SEQUENCE are in the columns of its parts.
    Parts,
    /// Which alternative each CHOICE has, by index; [`NOWHERE`] for none and for several. That of
    /// content that is known as octets alone comes after the others.
    Chosen(Box<[u32]>),
    /// Where each list begins and ends among the elements.
    Lists(&'a [(usize, usize)]),
    /// BOOLEAN
    Flags(Bitmap<'a>),
    /// Types without content (NULL, an empty SEQUENCE): true for each row that has one.
    True(Bitmap<'a>),
    /// Integers of 8 bits with sign.
    I8(&'a [i8]),
    /// Integers of 16 bits with sign.
    I16(&'a [i16]),
    /// Integers of 32 bits with sign.
    I32(&'a [i32]),
    /// Integers of 64 bits with sign.
    I64(&'a [i64]),
    /// Integers of 8 bits.
    U8(&'a [u8]),
    /// Integers of 16 bits.
    U16(&'a [u16]),
    /// Integers of 32 bits.
    U32(&'a [u32]),
    /// Integers of 64 bits.
    U64(&'a [u64]),
    /// REAL
    F64(&'a [f64]),
    /// REAL in 32 bits.
    F32(&'a [f32]),
    /// ENUMERATED, by ordinal; [`NOWHERE`] for what is no item.
    Items(&'a [u32]),
    /// Text.
    Text(SourceStrings<'a>),
    /// Octets.
    Octets(SourceStrings<'a>),
    /// So many bits in each.
    FixedBits(usize, SourceStrings<'a>),
    /// Bits, and how many there are: no column has 2^32.
    Bits(SourceStrings<'a>, Box<[u32]>),
}

/// In place of an ordinal or an alternative.
pub const NOWHERE: u32 = u32::MAX;

/// Octets in rows.
#[derive(Clone, Debug)]
pub enum SourceStrings<'a> {
    /// One after the other, and where each ends, after the start of the first one.
    Ends(&'a [i32], &'a [u8]),
    /// So many in each.
    Fixed(usize, &'a [u8]),
    /// Anywhere.
    Slices(Box<[&'a [u8]]>),
}

/// A bit for each row, after so many others; the lowest bit of an octet is the first one.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bitmap<'a> {
    octets: &'a [u8],
    before: usize,
}

impl<'a> Bitmap<'a> {
    /// Bits after the first ones.
    #[must_use]
    pub const fn new(octets: &'a [u8], before: usize) -> Self {
        Bitmap { octets, before }
    }

    /// The bit of a row; of one past the end, it is not set.
    #[inline(always)]
    #[must_use]
    pub fn is_set(self, row: usize) -> bool {
        let bit = self.before.wrapping_add(row);
        self.octets.get(bit / 8).is_some_and(|octet| octet >> (bit % 8) & 1 == 1)
    }
}

impl<'a> SourceStrings<'a> {
    /// The octets of a row.
    #[inline]
    #[must_use]
    pub fn get(&self, row: usize) -> Option<&'a [u8]> {
        match self {
            SourceStrings::Ends(ends, octets) => match ends.get(row..)? {
                [from, to, ..] => octets.get(usize::try_from(*from).ok()?..usize::try_from(*to).ok()?),
                _ => None,
            },
            SourceStrings::Fixed(size, octets) => {
                let from = row.checked_mul(*size)?;
                octets.get(from..from.checked_add(*size)?)
            }
            SourceStrings::Slices(slices) => slices.get(row).copied(),
        }
    }
}

impl<'a> Source<'a> {
    /// A column of which no row has a value.
    #[must_use]
    pub const fn absent() -> Self {
        Source { cells: SourceCells::None, valid: Some(Bitmap::new(&[], 0)) }
    }

    /// Whether it is [such a column](Source::absent).
    #[must_use]
    pub fn is_absent(&self) -> bool {
        self.valid.is_some_and(|valid| valid.octets.is_empty())
    }

    /// Whether a row has a value.
    #[inline(always)]
    #[must_use]
    pub fn is_present(&self, row: usize) -> bool {
        self.valid.is_none_or(|valid| valid.is_set(row))
    }

    /// The alternative of a row of a CHOICE.
    #[inline]
    #[must_use]
    pub fn chosen(&self, row: usize) -> Option<usize> {
        let SourceCells::Chosen(chosen) = &self.cells else { return None };
        chosen.get(row).filter(|index| **index != NOWHERE).map(|index| *index as usize)
    }

    /// Where the list of a row begins and ends among the elements.
    #[inline]
    #[must_use]
    pub fn list(&self, row: usize) -> Option<(usize, usize)> {
        let SourceCells::Lists(lists) = &self.cells else { return None };
        lists.get(row).copied()
    }

    /// The integer of a row, if it has up to 64 bits.
    #[inline(always)]
    #[must_use]
    pub fn integer(&self, row: usize) -> Option<i64> {
        Some(match &self.cells {
            SourceCells::I8(cells) => (*cells.get(row)?).into(),
            SourceCells::I16(cells) => (*cells.get(row)?).into(),
            SourceCells::I32(cells) => (*cells.get(row)?).into(),
            SourceCells::I64(cells) => *cells.get(row)?,
            SourceCells::U8(cells) => (*cells.get(row)?).into(),
            SourceCells::U16(cells) => (*cells.get(row)?).into(),
            SourceCells::U32(cells) => (*cells.get(row)?).into(),
            SourceCells::U64(cells) => (*cells.get(row)?).try_into().ok()?,
            _ => return None,
        })
    }

    /// The leaf of a row. Nothing for one that is no value: bits after the last one, for example.
    #[inline]
    #[must_use]
    pub fn scalar(&self, row: usize) -> Option<Scalar<'a>> {
        Some(match &self.cells {
            SourceCells::Flags(flags) => Scalar::Boolean(flags.is_set(row)),
            SourceCells::True(flags) => Some(Scalar::Null).filter(|_| flags.is_set(row))?,
            SourceCells::F64(cells) => Scalar::Real(*cells.get(row)?),
            SourceCells::F32(cells) => Scalar::Real((*cells.get(row)?).into()),
            SourceCells::Items(cells) => {
                Scalar::Enumerated(cells.get(row).copied().filter(|ordinal| *ordinal != NOWHERE)?)
            }
            SourceCells::Text(cells) => Scalar::Text(core::str::from_utf8(cells.get(row)?).ok()?),
            SourceCells::Octets(cells) => Scalar::Octets(cells.get(row)?),
            SourceCells::FixedBits(bits, cells) => bits_of(cells.get(row)?, *bits)?,
            SourceCells::Bits(cells, lengths) => bits_of(cells.get(row)?, *lengths.get(row)? as usize)?,
            SourceCells::U64(cells) => Scalar::Integer((*cells.get(row)?).into()),
            _ => Scalar::Integer(self.integer(row)?.into()),
        })
    }

    /// Fills a leaf with that of a row.
    ///
    /// # Errors
    /// It cannot hold it.
    #[inline]
    pub fn fill(&self, row: usize, value: &mut (impl Data + ?Sized)) -> Result<(), Rejected> {
        match self.scalar(row).ok_or(Rejected)? {
            // Times take their text as a whole.
            Scalar::Text(text) if !value.begin(Shape::Text) && value.set(Scalar::Text(text)) => Ok(()),
            leaf => fill_leaf(value, leaf),
        }
    }
}

/// A bit string, without bits after its last one.
fn bits_of(octets: &[u8], bits: usize) -> Option<Scalar<'_>> {
    let last = octets.last().copied().unwrap_or(0);
    let is_clean = bits % 8 == 0 || last << (bits % 8) == 0;
    (octets.len() == bits.div_ceil(8) && is_clean).then_some(Scalar::Bits(octets, bits))
}

/// `Data::fill_row` of a type whose column is usually of this kind.
macro_rules! fill_number {
    ($variant:ident) => {
        #[inline]
        fn fill_row(&mut self, columns: &[crate::Source<'_>], row: usize) -> Result<(), crate::Rejected> {
            let [column] = columns else { return Err(crate::Rejected) };
            if let crate::SourceCells::$variant(cells) = &column.cells {
                *self = *cells.get(row).ok_or(crate::Rejected)?;
                return Ok(());
            }
            match column.integer(row) {
                Some(value) if self.set_integer(value) => Ok(()),
                _ => column.fill(row, self),
            }
        }
    };
}
pub(crate) use fill_number;

/// `Data::fill_row` of a list.
macro_rules! fill_list {
    () => {
        fn fill_row(&mut self, columns: &[crate::Source<'_>], row: usize) -> Result<(), crate::Rejected> {
            let [list, elements @ ..] = columns else { return Err(crate::Rejected) };
            let element = elements.first().ok_or(crate::Rejected)?;
            let (from, to) = list.list(row).ok_or(crate::Rejected)?;
            self.clear();
            (from..to).try_for_each(|row| {
                if !element.is_present(row) {
                    return Err(crate::Rejected);
                }
                self.push_empty().ok_or(crate::Rejected)?.fill_row(elements, row)
            })
        }
    };
}
pub(crate) use fill_list;
