//! A row group that is being written: columns that have values, and the levels of those that have
//! none.

use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch};
use parquet::basic::{Repetition, Type as PhysicalType};
use parquet::column::writer::{ColumnCloseResult, ColumnWriter, get_column_writer};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::properties::WriterPropertiesPtr;
use parquet::file::statistics::Statistics;
use parquet::schema::types::{ColumnDescPtr, ColumnDescriptor, ColumnPath, Type};

use crate::leaf::Leaf;
use crate::pages::Pages;
use crate::presence::{Presence, parts_of};
use crate::slots::Slots;

/// A row group that is being written.
pub(crate) struct RowGroup {
    root: Container,
    rows: usize,
}

/// A record, the elements of a list, or a row.
struct Container {
    /// A record that is not nullable has none: its columns have the levels of the container around
    /// it.
    has_levels: bool,
    is_nullable: bool,
    /// Of the columns that are absent in it.
    streams: Vec<Stream>,
    /// Its columns that have values, by their places.
    leaves: Vec<(usize, Leaf)>,
    /// Its other parts that have columns, by their places.
    parts: Vec<(usize, Container)>,
}

/// The levels of columns that have the same ones.
struct Stream {
    leaves: Vec<usize>,
    max: (i16, i16),
    writer: ColumnWriter<'static>,
    pages: Pages,
}

/// A column chunk.
pub(crate) type Chunk = (Pages, ColumnCloseResult);

/// The columns of a file, and how they are written.
struct Of<'a> {
    described: &'a [ColumnDescPtr],
    properties: &'a WriterPropertiesPtr,
}

/// The path of levels in the properties of a file: no field has this name.
pub(crate) fn path() -> ColumnPath {
    ColumnPath::new(Vec::new())
}

impl RowGroup {
    pub(crate) fn new(
        columns: &[Presence],
        described: &[ColumnDescPtr],
        properties: &WriterPropertiesPtr,
    ) -> Result<Self> {
        let mut root = Container::new(true, false);
        let mut streams = Vec::new();
        root.add(columns, &mut streams, &Of { described, properties })?;
        root.streams = streams;
        Ok(RowGroup { root, rows: 0 })
    }

    pub(crate) fn write(&mut self, batch: &RecordBatch) -> Result<()> {
        self.rows += batch.num_rows();
        self.root.write(&Slots::of_rows(batch.num_rows()), batch.columns())
    }

    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    /// Octets so far, of all columns.
    pub(crate) fn octets(&self) -> usize {
        self.root.octets()
    }

    /// The chunks, by column.
    pub(crate) fn close(self, described: &[ColumnDescPtr]) -> Result<Vec<Option<Chunk>>> {
        let mut chunks = described.iter().map(|_| None).collect::<Vec<_>>();
        self.root.close(described, &mut chunks)?;
        Ok(chunks)
    }
}

impl Container {
    fn new(has_levels: bool, is_nullable: bool) -> Container {
        Container { has_levels, is_nullable, streams: Vec::new(), leaves: Vec::new(), parts: Vec::new() }
    }

    /// Adds its columns. Those that are absent are put into `streams`: those of this container, or
    /// of the one around a record that is always in it.
    fn add(&mut self, parts: &[Presence], streams: &mut Vec<Stream>, of: &Of<'_>) -> Result<()> {
        for (at, part) in parts.iter().enumerate() {
            let first = part.leaves.start;
            if !part.is_present {
                part.leaves.clone().try_for_each(|leaf| Stream::add(leaf, streams, of))?;
            } else if part.is_leaf() {
                self.leaves.push((at, Leaf::new(first, &of.described[first], part.is_nullable(), of.properties)));
            } else {
                let mut inner = Container::new(part.has_levels(), part.is_nullable());
                let mut own = Vec::new();
                inner.add(&part.parts, if inner.has_levels { &mut own } else { &mut *streams }, of)?;
                inner.streams = own;
                self.parts.push((at, inner));
            }
        }
        Ok(())
    }

    fn write(&mut self, slots: &Slots, arrays: &[ArrayRef]) -> Result<()> {
        for stream in &mut self.streams {
            stream.write(slots)?;
        }
        let none = || ParquetError::General("a batch has another schema".into());
        for (at, leaf) in &mut self.leaves {
            leaf.write(slots, arrays.get(*at).ok_or_else(none)?)?;
        }
        for (at, part) in &mut self.parts {
            let array = arrays.get(*at).ok_or_else(none)?;
            if part.has_levels {
                part.write(&slots.inside(array, part.is_nullable), parts_of(array))?;
            } else {
                part.write(slots, parts_of(array))?;
            }
        }
        Ok(())
    }

    fn octets(&self) -> usize {
        let levels = self.streams.iter().map(|stream| stream.pages.octets() * stream.leaves.len());
        let leaves = self.leaves.iter().map(|(_, leaf)| leaf.octets());
        levels.chain(leaves).sum::<usize>() + self.parts.iter().map(|(_, part)| part.octets()).sum::<usize>()
    }

    fn close(self, described: &[ColumnDescPtr], chunks: &mut [Option<Chunk>]) -> Result<()> {
        for stream in self.streams {
            let close = stream.writer.close()?;
            for leaf in stream.leaves {
                chunks[leaf] = Some((stream.pages.clone(), close_of(&close, &described[leaf])?));
            }
        }
        for (_, leaf) in self.leaves {
            let at = leaf.at;
            chunks[at] = Some(leaf.close()?);
        }
        self.parts.into_iter().try_for_each(|(_, part)| part.close(described, chunks))
    }
}

impl Stream {
    /// Adds an absent column. Levels are of so many bits that those of columns with other maxima
    /// are often the same.
    fn add(leaf: usize, streams: &mut Vec<Stream>, of: &Of<'_>) -> Result<()> {
        let column = &of.described[leaf];
        let max = (all_bits(column.max_def_level()), all_bits(column.max_rep_level()));
        match streams.iter_mut().find(|stream| stream.max == max) {
            Some(stream) => stream.leaves.push(leaf),
            None => streams.push(Stream::new(leaf, max, of.properties)?),
        }
        Ok(())
    }

    /// Its column is one of BOOLEAN: without a value, columns of all types are the same octets.
    fn new(leaf: usize, max: (i16, i16), properties: &WriterPropertiesPtr) -> Result<Stream> {
        let of = Type::primitive_type_builder("", PhysicalType::BOOLEAN);
        let of = of.with_repetition(Repetition::OPTIONAL).build()?;
        let column = ColumnDescriptor::new(Arc::new(of), max.0, max.1, path());
        let pages = Pages::default();
        let writer = get_column_writer(Arc::new(column), Arc::clone(properties), Box::new(pages.clone()));
        Ok(Stream { leaves: vec![leaf], max, writer, pages })
    }

    fn write(&mut self, slots: &Slots) -> Result<()> {
        if let ColumnWriter::BoolColumnWriter(writer) = &mut self.writer {
            let repetitions = (self.max.1 > 0).then_some(&slots.repetitions[..]);
            writer.write_batch(&[], Some(&slots.definitions), repetitions)?;
        }
        Ok(())
    }
}

/// The largest number of as many bits.
fn all_bits(level: i16) -> i16 {
    (1 << (i16::BITS - level.leading_zeros())) - 1
}

/// The description of a chunk without values in the file, as one of this column.
fn close_of(close: &ColumnCloseResult, column: &ColumnDescPtr) -> Result<ColumnCloseResult> {
    let of = &close.metadata;
    let nulls = Some(of.num_values() as u64);
    let statistics = match column.physical_type() {
        PhysicalType::BOOLEAN => Statistics::boolean(None, None, None, nulls, false),
        PhysicalType::INT32 => Statistics::int32(None, None, None, nulls, false),
        PhysicalType::INT64 => Statistics::int64(None, None, None, nulls, false),
        PhysicalType::INT96 => Statistics::int96(None, None, None, nulls, false),
        PhysicalType::FLOAT => Statistics::float(None, None, None, nulls, false),
        PhysicalType::DOUBLE => Statistics::double(None, None, None, nulls, false),
        PhysicalType::BYTE_ARRAY => Statistics::byte_array(None, None, None, nulls, false),
        PhysicalType::FIXED_LEN_BYTE_ARRAY => Statistics::fixed_len_byte_array(None, None, None, nulls, false),
    };
    let metadata = ColumnChunkMetaData::builder(Arc::clone(column))
        .set_compression_codec(of.compression_codec())
        .set_encodings_mask(*of.encodings_mask())
        .set_total_compressed_size(of.compressed_size())
        .set_total_uncompressed_size(of.uncompressed_size())
        .set_num_values(of.num_values())
        .set_data_page_offset(of.data_page_offset())
        .set_repetition_level_histogram(of.repetition_level_histogram().cloned())
        .set_definition_level_histogram(of.definition_level_histogram().cloned())
        .set_statistics(statistics);
    Ok(ColumnCloseResult { metadata: metadata.build()?, ..close.clone() })
}
