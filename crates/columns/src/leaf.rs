//! The columns of a row group that have values.

use std::ops::Range;

use arrow_array::cast::AsArray as _;
use arrow_array::types::{
    Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, TimestampMicrosecondType, UInt8Type, UInt16Type,
    UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, ArrowPrimitiveType};
use arrow_schema::{DataType, TimeUnit};
use bytes::Bytes;
use parquet::column::writer::{ColumnWriter, get_column_writer};
use parquet::data_type::{ByteArray, FixedLenByteArray};
use parquet::errors::{ParquetError, Result};
use parquet::file::properties::WriterPropertiesPtr;
use parquet::schema::types::ColumnDescPtr;

use crate::pages::Pages;
use crate::row_group::Chunk;
use crate::slots::Slots;

/// A column that has values.
pub(crate) struct Leaf {
    /// Its place among all of the file.
    pub(crate) at: usize,
    column: ColumnDescPtr,
    is_nullable: bool,
    writer: ColumnWriter<'static>,
    pages: Pages,
}

impl Leaf {
    pub(crate) fn new(at: usize, column: &ColumnDescPtr, is_nullable: bool, properties: &WriterPropertiesPtr) -> Leaf {
        let pages = Pages::default();
        let writer = get_column_writer(column.clone(), properties.clone(), Box::new(pages.clone()));
        Leaf { at, column: column.clone(), is_nullable, writer, pages }
    }

    /// Appends its values in the slots of the container around it.
    pub(crate) fn write(&mut self, slots: &Slots, array: &ArrayRef) -> Result<()> {
        let valid;
        let (definitions, places) = match (self.is_nullable, array.null_count()) {
            (true, 0) => (slots.present(), &slots.places),
            (true, _) => {
                valid = slots.valid(array);
                (&valid.0[..], &valid.1)
            }
            (false, 0) => (&slots.definitions[..], &slots.places),
            (false, _) => return Err(ParquetError::General(format!("{} is null", self.column.path()))),
        };
        let definitions = (self.column.max_def_level() > 0).then_some(definitions);
        let repetitions = (self.column.max_rep_level() > 0).then_some(&slots.repetitions[..]);
        let of = Values { array, places };
        match &mut self.writer {
            ColumnWriter::BoolColumnWriter(writer) => writer.write_batch(&of.flags()?, definitions, repetitions),
            ColumnWriter::Int32ColumnWriter(writer) => writer.write_batch(&of.integers()?, definitions, repetitions),
            ColumnWriter::Int64ColumnWriter(writer) => writer.write_batch(&of.long()?, definitions, repetitions),
            ColumnWriter::DoubleColumnWriter(writer) => {
                let numbers = of.numbers::<Float64Type, _>(|number| number)?;
                writer.write_batch(&numbers, definitions, repetitions)
            }
            ColumnWriter::ByteArrayColumnWriter(writer) => writer.write_batch(&of.texts()?, definitions, repetitions),
            ColumnWriter::FixedLenByteArrayColumnWriter(writer) => {
                let octets: Vec<FixedLenByteArray> = of.texts()?.into_iter().map(Into::into).collect();
                writer.write_batch(&octets, definitions, repetitions)
            }
            ColumnWriter::Int96ColumnWriter(_) | ColumnWriter::FloatColumnWriter(_) => Err(of.unknown()),
        }?;
        Ok(())
    }

    /// Octets so far, without those of pages that are not full.
    pub(crate) fn octets(&self) -> usize {
        self.pages.octets()
    }

    /// Its chunk.
    pub(crate) fn close(self) -> Result<Chunk> {
        Ok((self.pages, self.writer.close()?))
    }
}

/// The values of an array in these places, as Parquet has them.
struct Values<'a> {
    array: &'a ArrayRef,
    places: &'a [Range<usize>],
}

impl Values<'_> {
    fn integers(&self) -> Result<Vec<i32>> {
        match self.array.data_type() {
            DataType::Int8 => self.numbers::<Int8Type, _>(i32::from),
            DataType::Int16 => self.numbers::<Int16Type, _>(i32::from),
            DataType::Int32 => self.numbers::<Int32Type, _>(|number| number),
            DataType::UInt8 => self.numbers::<UInt8Type, _>(i32::from),
            DataType::UInt16 => self.numbers::<UInt16Type, _>(i32::from),
            // The same bits, of which the schema says what they are.
            _ => self.numbers::<UInt32Type, _>(u32::cast_signed),
        }
    }

    fn long(&self) -> Result<Vec<i64>> {
        match self.array.data_type() {
            DataType::Timestamp(TimeUnit::Microsecond, _) => self.numbers::<TimestampMicrosecondType, _>(|time| time),
            DataType::UInt64 => self.numbers::<UInt64Type, _>(u64::cast_signed),
            _ => self.numbers::<Int64Type, _>(|number| number),
        }
    }

    fn numbers<T: ArrowPrimitiveType, N>(&self, to: impl Fn(T::Native) -> N) -> Result<Vec<N>> {
        let array = self.array.as_primitive_opt::<T>().ok_or_else(|| self.unknown())?;
        let mut numbers = Vec::with_capacity(self.count());
        for places in self.places {
            numbers.extend(array.values()[places.clone()].iter().map(|number| to(*number)));
        }
        Ok(numbers)
    }

    fn flags(&self) -> Result<Vec<bool>> {
        let array = self.array.as_boolean_opt().ok_or_else(|| self.unknown())?;
        Ok(self.each().map(|place| array.value(place)).collect())
    }

    /// They lie in one copy of the octets of all, not each in memory of its own.
    fn texts(&self) -> Result<Vec<ByteArray>> {
        let array = self.array;
        match array.data_type() {
            DataType::Utf8 => {
                let texts = array.as_string::<i32>();
                Ok(self.parts(texts.value_data(), texts.value_offsets(), |place| place))
            }
            DataType::Binary => {
                let octets = array.as_binary::<i32>();
                Ok(self.parts(octets.value_data(), octets.value_offsets(), |place| place))
            }
            DataType::FixedSizeBinary(size) => {
                let (octets, size) = (array.as_fixed_size_binary().value_data(), *size as usize);
                let octets = Bytes::copy_from_slice(octets);
                Ok(self.each().map(|place| octets.slice(place * size..(place + 1) * size).into()).collect())
            }
            DataType::Dictionary(..) => {
                let items = array.as_dictionary_opt::<Int16Type>().ok_or_else(|| self.unknown())?;
                let names = items.values().as_string_opt::<i32>().ok_or_else(|| self.unknown())?;
                let keys = items.keys().values();
                Ok(self.parts(names.value_data(), names.value_offsets(), |place| keys[place] as usize))
            }
            _ => Err(self.unknown()),
        }
    }

    /// The parts of these octets, in which a part ends where the next one begins.
    fn parts(&self, octets: &[u8], offsets: &[i32], part: impl Fn(usize) -> usize) -> Vec<ByteArray> {
        let (Some(first), Some(last)) = (offsets.first(), offsets.last()) else { return Vec::new() };
        let octets = Bytes::copy_from_slice(&octets[*first as usize..*last as usize]);
        let range = |part: usize| (offsets[part] - first) as usize..(offsets[part + 1] - first) as usize;
        self.each().map(|place| octets.slice(range(part(place))).into()).collect()
    }

    fn each(&self) -> impl Iterator<Item = usize> {
        self.places.iter().cloned().flatten()
    }

    fn count(&self) -> usize {
        self.places.iter().map(ExactSizeIterator::len).sum()
    }

    fn unknown(&self) -> ParquetError {
        ParquetError::General(format!("no Parquet is made of {}", self.array.data_type()))
    }
}
