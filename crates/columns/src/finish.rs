//! From growing columns to arrays.

use std::sync::Arc;

use arrow_array::types::{
    Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, TimestampNanosecondType, UInt8Type, UInt16Type, UInt32Type,
    UInt64Type,
};
use arrow_array::{
    ArrayRef, ArrowPrimitiveType, BinaryArray, BooleanArray, DictionaryArray, FixedSizeBinaryArray, ListArray,
    PrimitiveArray, StringArray, StructArray,
};
use arrow_buffer::{BooleanBuffer, Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, DataType, Fields};
use roadwire_wire::column::{Flags, Strings, take_ends, take_values};
use roadwire_wire::{Cells, Column};

use crate::gaps::Gaps;
use crate::node::{Content, Node, count};

impl Node {
    /// The array of this many rows. The columns are empty afterwards.
    pub(crate) fn finish(&self, columns: &mut [Column], gaps: &mut Gaps, rows: usize) -> Result<ArrayRef, ArrowError> {
        if let Some(valid) = gaps.take(self.at, rows) {
            columns[self.at].valid = Some(valid);
            let finished = self.finish(columns, gaps, rows);
            columns[self.at].valid = None;
            return finished;
        }
        let data_type = self.field.data_type();
        let parts: Vec<&Node> = match &self.content {
            Content::Record(members) => members.iter().map(|member| &member.node).collect(),
            Content::Choice { alternatives, octets } => {
                alternatives.iter().flatten().chain(octets.as_deref()).collect()
            }
            Content::List(element) => {
                let column = &mut columns[self.at];
                let elements = count(column);
                let nulls = nulls(column, rows);
                let Cells::Lists(ends) = &mut column.cells else { return finish_column(column, data_type, rows) };
                let ends = OffsetBuffer::new(ScalarBuffer::from(take_ends(ends, rows)));
                let values = element.finish(columns, gaps, elements)?;
                return Ok(Arc::new(ListArray::try_new(Arc::clone(&element.field), ends, values, nulls)?));
            }
            Content::Items(names) => {
                let column = &mut columns[self.at];
                let nulls = nulls(column, rows);
                let Cells::Items(values, _) = &mut column.cells else { return finish_column(column, data_type, rows) };
                let keys = numbers::<Int16Type>(values, rows, nulls)?;
                return Ok(Arc::new(DictionaryArray::try_new(keys, Arc::clone(names) as ArrayRef)?));
            }
            Content::Oid { .. } | Content::Leaf => return finish_column(&mut columns[self.at], data_type, rows),
        };
        let valid = columns[self.at].valid.as_mut().map(|valid| valid.take(rows));
        let arrays: Result<Vec<_>, _> = parts.into_iter().map(|node| node.finish(columns, gaps, rows)).collect();
        finish_record(fields_of(data_type), arrays?, valid, rows)
    }
}

/// The array of this many rows of one column, which is empty afterwards.
///
/// # Errors
/// The column is of another type.
pub fn finish_column(column: &mut Column, of: &DataType, rows: usize) -> Result<ArrayRef, ArrowError> {
    if let Cells::Bits(cells) = &mut column.cells {
        let (ends, octets) = strings(&mut cells.0, rows);
        let octets: ArrayRef = Arc::new(BinaryArray::try_new(ends, octets, None)?);
        let lengths: ArrayRef = Arc::new(numbers::<UInt32Type>(&mut cells.1, rows, None)?);
        let valid = column.valid.as_mut().map(|valid| valid.take(rows));
        return finish_record(fields_of(of), vec![octets, lengths], valid, rows);
    }
    let nulls = nulls(column, rows);
    Ok(match &mut column.cells {
        Cells::Flags(values) => Arc::new(BooleanArray::new(bits(values, rows), nulls)),
        Cells::I8(values) => Arc::new(numbers::<Int8Type>(values, rows, nulls)?),
        Cells::I16(values) | Cells::Items(values, _) => Arc::new(numbers::<Int16Type>(values, rows, nulls)?),
        Cells::I32(values) => Arc::new(numbers::<Int32Type>(values, rows, nulls)?),
        Cells::I64(values) => match of {
            DataType::Timestamp(_, zone) => {
                let times = numbers::<TimestampNanosecondType>(values, rows, nulls)?;
                Arc::new(times.with_timezone_opt(zone.clone()))
            }
            _ => Arc::new(numbers::<Int64Type>(values, rows, nulls)?),
        },
        Cells::U8(values) => Arc::new(numbers::<UInt8Type>(values, rows, nulls)?),
        Cells::U16(values) => Arc::new(numbers::<UInt16Type>(values, rows, nulls)?),
        Cells::U32(values) => Arc::new(numbers::<UInt32Type>(values, rows, nulls)?),
        Cells::U64(values) => Arc::new(numbers::<UInt64Type>(values, rows, nulls)?),
        Cells::F64(values) => Arc::new(numbers::<Float64Type>(values, rows, nulls)?),
        Cells::Names(texts, ..) | Cells::Text(texts) => {
            let (ends, octets) = strings(texts, rows);
            Arc::new(StringArray::try_new(ends, octets, nulls)?)
        }
        Cells::Octets(texts) => {
            let (ends, octets) = strings(texts, rows);
            Arc::new(BinaryArray::try_new(ends, octets, nulls)?)
        }
        Cells::Fixed(size, octets) => fixed(*size, octets, rows, nulls)?,
        Cells::FixedBits(size, octets) => fixed(size.div_ceil(8), octets, rows, nulls)?,
        Cells::Skipped | Cells::Parts | Cells::Lists(_) | Cells::Bits(_) => {
            return Err(ArrowError::InvalidArgumentError("the column has no values of its own".into()));
        }
    })
}

fn fields_of(data_type: &DataType) -> Fields {
    match data_type {
        DataType::Struct(fields) => fields.clone(),
        _ => Fields::empty(),
    }
}

fn nulls(column: &mut Column, rows: usize) -> Option<NullBuffer> {
    column.valid.as_mut().map(|valid| NullBuffer::new(bits(valid, rows)))
}

fn bits(flags: &mut Flags, rows: usize) -> BooleanBuffer {
    BooleanBuffer::new(Buffer::from_vec(flags.take(rows)), 0, rows)
}

fn strings(texts: &mut Strings, rows: usize) -> (OffsetBuffer<i32>, Buffer) {
    let (ends, octets) = texts.take(rows);
    (OffsetBuffer::new(ScalarBuffer::from(ends)), Buffer::from_vec(octets))
}

fn numbers<T: ArrowPrimitiveType>(
    values: &mut Vec<T::Native>,
    rows: usize,
    nulls: Option<NullBuffer>,
) -> Result<PrimitiveArray<T>, ArrowError> {
    let mut values = take_values(values);
    values.resize(rows, T::Native::default());
    PrimitiveArray::try_new(ScalarBuffer::from(values), nulls)
}

fn fixed(size: usize, octets: &mut Vec<u8>, rows: usize, nulls: Option<NullBuffer>) -> Result<ArrayRef, ArrowError> {
    let mut octets = take_values(octets);
    octets.resize(rows * size, 0);
    Ok(Arc::new(FixedSizeBinaryArray::try_new(size as i32, Buffer::from_vec(octets), nulls)?))
}

/// A struct of these parts, and which of this many rows have it.
///
/// # Errors
/// An array of another type, or of another length.
pub fn finish_record(
    fields: Fields,
    arrays: Vec<ArrayRef>,
    valid: Option<Vec<u8>>,
    rows: usize,
) -> Result<ArrayRef, ArrowError> {
    let nulls = valid.map(|octets| NullBuffer::new(BooleanBuffer::new(Buffer::from_vec(octets), 0, rows)));
    Ok(Arc::new(StructArray::try_new_with_length(fields, arrays, nulls, rows)?))
}
