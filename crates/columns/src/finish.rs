//! From growing columns to arrays.

use std::mem::take;
use std::sync::Arc;

use arrow_array::types::{
    Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{
    ArrayRef, ArrowPrimitiveType, BinaryArray, BooleanArray, DictionaryArray, FixedSizeBinaryArray, ListArray,
    PrimitiveArray, StringArray, StructArray,
};
use arrow_buffer::{BooleanBufferBuilder, Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, DataType, Fields};

use crate::node::{Content, Leaf, Node, Octets, pad_offsets};

impl Node {
    /// The array of this many rows. The columns are empty afterwards.
    pub(crate) fn finish(&mut self, rows: usize) -> Result<ArrayRef, ArrowError> {
        let nulls = self.valid.as_mut().map(|valid| NullBuffer::new(bits(valid, rows)));
        match &mut self.content {
            Content::Record(members) => {
                let arrays: Result<Vec<_>, _> = members.iter_mut().map(|member| member.node.finish(rows)).collect();
                record(self.field.data_type(), arrays?, nulls, rows)
            }
            Content::Choice { alternatives, octets } => {
                let nodes = alternatives.iter_mut().flatten().chain(octets.as_deref_mut());
                let arrays: Result<Vec<_>, _> = nodes.map(|node| node.finish(rows)).collect();
                record(self.field.data_type(), arrays?, nulls, rows)
            }
            Content::List { offsets, count, element } => {
                let values = element.finish(take(count))?;
                let offsets = ends(offsets, rows);
                Ok(Arc::new(ListArray::try_new(Arc::clone(&element.field), offsets, values, nulls)?))
            }
            Content::Leaf(leaf) => leaf.finish(self.field.data_type(), rows, nulls),
        }
    }
}

impl Leaf {
    fn finish(&mut self, of: &DataType, rows: usize, nulls: Option<NullBuffer>) -> Result<ArrayRef, ArrowError> {
        Ok(match self {
            Leaf::Boolean(values) => Arc::new(BooleanArray::new(bits(values, rows), nulls)),
            Leaf::I8(values) => Arc::new(numbers::<Int8Type>(values, rows, nulls)?),
            Leaf::I16(values) => Arc::new(numbers::<Int16Type>(values, rows, nulls)?),
            Leaf::I32(values) => Arc::new(numbers::<Int32Type>(values, rows, nulls)?),
            Leaf::I64(values) => Arc::new(numbers::<Int64Type>(values, rows, nulls)?),
            Leaf::U8(values) => Arc::new(numbers::<UInt8Type>(values, rows, nulls)?),
            Leaf::U16(values) => Arc::new(numbers::<UInt16Type>(values, rows, nulls)?),
            Leaf::U32(values) => Arc::new(numbers::<UInt32Type>(values, rows, nulls)?),
            Leaf::U64(values) => Arc::new(numbers::<UInt64Type>(values, rows, nulls)?),
            Leaf::F64(values) => Arc::new(numbers::<Float64Type>(values, rows, nulls)?),
            Leaf::Items(values, names) => {
                let keys = numbers::<Int16Type>(values, rows, nulls)?;
                Arc::new(DictionaryArray::try_new(keys, Arc::clone(names) as ArrayRef)?)
            }
            Leaf::Names(texts, _) | Leaf::Text(texts) => {
                let (offsets, octets) = texts.finish(rows);
                Arc::new(StringArray::try_new(offsets, octets, nulls)?)
            }
            Leaf::Octets(texts) => {
                let (offsets, octets) = texts.finish(rows);
                Arc::new(BinaryArray::try_new(offsets, octets, nulls)?)
            }
            Leaf::Fixed(size, octets) => fixed(*size, octets, rows, nulls)?,
            Leaf::FixedBits(size, octets) => fixed(size.div_ceil(8), octets, rows, nulls)?,
            Leaf::Bits(octets, lengths) => {
                let (offsets, octets) = octets.finish(rows);
                let octets: ArrayRef = Arc::new(BinaryArray::try_new(offsets, octets, None)?);
                let lengths: ArrayRef = Arc::new(numbers::<UInt32Type>(lengths, rows, None)?);
                record(of, vec![octets, lengths], nulls, rows)?
            }
        })
    }
}

impl Octets {
    fn finish(&mut self, rows: usize) -> (OffsetBuffer<i32>, Buffer) {
        (ends(&mut self.offsets, rows), Buffer::from_vec(take(&mut self.octets)))
    }
}

fn bits(values: &mut BooleanBufferBuilder, rows: usize) -> arrow_buffer::BooleanBuffer {
    values.advance(rows - values.len().min(rows));
    values.finish()
}

fn ends(offsets: &mut Vec<i32>, rows: usize) -> OffsetBuffer<i32> {
    pad_offsets(offsets, rows);
    OffsetBuffer::new(ScalarBuffer::from(std::mem::replace(offsets, vec![0])))
}

fn numbers<T: ArrowPrimitiveType>(
    values: &mut Vec<T::Native>,
    rows: usize,
    nulls: Option<NullBuffer>,
) -> Result<PrimitiveArray<T>, ArrowError> {
    let mut values = take(values);
    values.resize(rows, T::Native::default());
    PrimitiveArray::try_new(ScalarBuffer::from(values), nulls)
}

fn fixed(size: usize, octets: &mut Vec<u8>, rows: usize, nulls: Option<NullBuffer>) -> Result<ArrayRef, ArrowError> {
    let mut octets = take(octets);
    octets.resize(rows * size, 0);
    Ok(Arc::new(FixedSizeBinaryArray::try_new(size as i32, Buffer::from_vec(octets), nulls)?))
}

fn record(
    of: &DataType,
    arrays: Vec<ArrayRef>,
    nulls: Option<NullBuffer>,
    rows: usize,
) -> Result<ArrayRef, ArrowError> {
    let fields = match of {
        DataType::Struct(fields) => fields.clone(),
        _ => Fields::empty(),
    };
    Ok(Arc::new(StructArray::try_new_with_length(fields, arrays, nulls, rows)?))
}
