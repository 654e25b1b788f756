//! The columns of a row group that have no value: their levels alone.

use std::io::Write as _;
use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::cast::AsArray as _;
use arrow_array::{Array as _, ArrayRef, RecordBatch};
use bytes::Bytes;
use parquet::basic::{Repetition, Type as PhysicalType};
use parquet::column::page::{CompressedPage, PageWriteSpec, PageWriter};
use parquet::column::writer::{ColumnCloseResult, ColumnWriter, get_column_writer};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::properties::WriterPropertiesPtr;
use parquet::file::statistics::Statistics;
use parquet::file::writer::{SerializedPageWriter, TrackedWrite};
use parquet::schema::types::{ColumnDescPtr, ColumnDescriptor, ColumnPath, Type};

use crate::presence::{Presence, parts_of};

/// All columns without a value.
pub(crate) struct Absent(Container);

/// A record, the elements of a list, or a row.
struct Container {
    /// A record that is not nullable has none: its columns have the levels of the container around
    /// it.
    has_levels: bool,
    is_nullable: bool,
    /// Of the columns that are absent in it.
    streams: Vec<Stream>,
    /// Its parts in which columns are absent, by their places.
    parts: Vec<(usize, Container)>,
}

/// The levels of columns that have the same ones.
struct Stream {
    leaves: Vec<usize>,
    max: (i16, i16),
    writer: ColumnWriter<'static>,
    pages: Pages,
}

/// A column chunk as it is written for one of these columns.
pub(crate) struct Chunk {
    pub(crate) octets: Bytes,
    close: ColumnCloseResult,
}

/// The path of levels in the properties of a file: no field has this name.
pub(crate) fn path() -> ColumnPath {
    ColumnPath::new(Vec::new())
}

impl Absent {
    pub(crate) fn new(
        columns: &[Presence],
        described: &[ColumnDescPtr],
        properties: &WriterPropertiesPtr,
    ) -> Result<Self> {
        let mut streams = Vec::new();
        let parts = Container::new(columns, &mut streams, described, properties)?;
        Ok(Absent(Container { has_levels: true, is_nullable: false, streams, parts }))
    }

    pub(crate) fn write(&mut self, batch: &RecordBatch) -> Result<()> {
        let rows = batch.num_rows();
        let places = (0..rows).map(Some).collect();
        let slots = Slots { definitions: vec![0; rows], repetitions: vec![0; rows], places, depth: 0 };
        self.0.write(&slots, batch.columns())
    }

    /// Octets so far, of all columns.
    pub(crate) fn octets(&self) -> usize {
        self.0.octets()
    }

    /// The chunks, by column; none for those that have values.
    pub(crate) fn close(self, columns: usize) -> Result<Vec<Option<Arc<Chunk>>>> {
        let mut chunks = vec![None; columns];
        self.0.close(&mut chunks)?;
        Ok(chunks)
    }
}

impl Container {
    /// Columns that are absent are put into `streams`: those of this container, or of the one
    /// around a record that is always in it.
    fn new(
        parts: &[Presence],
        streams: &mut Vec<Stream>,
        described: &[ColumnDescPtr],
        properties: &WriterPropertiesPtr,
    ) -> Result<Vec<(usize, Container)>> {
        let mut containers = Vec::new();
        for (at, part) in parts.iter().enumerate() {
            if !part.is_present {
                for leaf in part.leaves.clone() {
                    let max = (described[leaf].max_def_level(), described[leaf].max_rep_level());
                    match streams.iter_mut().find(|stream| stream.max == max) {
                        Some(stream) => stream.leaves.push(leaf),
                        None => streams.push(Stream::new(leaf, max, properties)?),
                    }
                }
                continue;
            }
            let has_levels = part.has_levels();
            let mut own = Vec::new();
            let of_part = if has_levels { &mut own } else { &mut *streams };
            let parts = Container::new(&part.parts, of_part, described, properties)?;
            if !own.is_empty() || !parts.is_empty() {
                containers.push((at, Container { has_levels, is_nullable: part.is_nullable(), streams: own, parts }));
            }
        }
        Ok(containers)
    }

    fn write(&mut self, slots: &Slots, arrays: &[ArrayRef]) -> Result<()> {
        for stream in &mut self.streams {
            stream.write(slots)?;
        }
        for (at, part) in &mut self.parts {
            match arrays.get(*at) {
                Some(array) if part.has_levels => {
                    part.write(&slots.inside(array, part.is_nullable), parts_of(array))?;
                }
                Some(array) => part.write(slots, parts_of(array))?,
                None => {}
            }
        }
        Ok(())
    }

    fn octets(&self) -> usize {
        let own = self.streams.iter().map(|stream| stream.pages.octets() * stream.leaves.len());
        own.sum::<usize>() + self.parts.iter().map(|(_, part)| part.octets()).sum::<usize>()
    }

    fn close(self, chunks: &mut [Option<Arc<Chunk>>]) -> Result<()> {
        for stream in self.streams {
            let close = stream.writer.close()?;
            let chunk = Arc::new(Chunk { octets: stream.pages.take()?, close });
            stream.leaves.into_iter().for_each(|leaf| chunks[leaf] = Some(Arc::clone(&chunk)));
        }
        self.parts.into_iter().try_for_each(|(_, part)| part.close(chunks))
    }
}

impl Stream {
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

impl Chunk {
    /// The description of the chunk in the file, as one of this column.
    pub(crate) fn close_of(&self, column: &ColumnDescPtr) -> Result<ColumnCloseResult> {
        let of = &self.close.metadata;
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
        Ok(ColumnCloseResult { metadata: metadata.build()?, ..self.close.clone() })
    }
}

/// The levels of a container in a batch, one of each for a slot of its columns.
struct Slots {
    definitions: Vec<i16>,
    repetitions: Vec<i16>,
    /// Where the container is in its array, unless it is absent.
    places: Vec<Option<usize>>,
    /// How many lists are around it.
    depth: i16,
}

impl Slots {
    /// Those of a record in it, or of the elements of a list.
    fn inside(&self, array: &ArrayRef, is_nullable: bool) -> Slots {
        let (mut definitions, mut repetitions) = (self.definitions.clone(), self.repetitions.clone());
        let is_valid = |place: &usize| array.is_valid(*place);
        let Some(lists) = array.as_list_opt::<i32>() else {
            let places: Vec<_> = self.places.iter().map(|place| place.filter(is_valid)).collect();
            for (level, place) in definitions.iter_mut().zip(&places) {
                *level += i16::from(is_nullable && place.is_some());
            }
            return Slots { definitions, repetitions, places, depth: self.depth };
        };
        definitions.clear();
        repetitions.clear();
        let (mut places, offsets, depth) = (Vec::new(), lists.value_offsets(), self.depth + 1);
        for ((place, level), repetition) in self.places.iter().zip(&self.definitions).zip(&self.repetitions) {
            let Some(place) = place.filter(is_valid) else {
                definitions.push(*level);
                repetitions.push(*repetition);
                places.push(None);
                continue;
            };
            let level = level + i16::from(is_nullable);
            let (start, end) = (offsets[place] as usize, offsets[place + 1] as usize);
            if start == end {
                definitions.push(level);
                places.push(None);
            }
            repetitions.push(*repetition);
            places.extend((start..end).map(Some));
            definitions.resize(places.len(), level + 1);
            repetitions.resize(places.len(), depth);
        }
        Slots { definitions, repetitions, places, depth }
    }
}

/// The pages of a column chunk, in memory.
#[derive(Clone)]
struct Pages(Arc<Mutex<TrackedWrite<Vec<u8>>>>);

impl Default for Pages {
    fn default() -> Self {
        Pages(Arc::new(Mutex::new(TrackedWrite::new(Vec::new()))))
    }
}

impl Pages {
    fn octets(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).bytes_written()
    }

    fn take(&self) -> Result<Bytes> {
        let mut pages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        pages.flush()?;
        Ok(std::mem::take(pages.inner_mut()).into())
    }
}

impl PageWriter for Pages {
    fn write_page(&mut self, page: CompressedPage) -> Result<PageWriteSpec> {
        let mut pages = self.0.lock().map_err(|_| ParquetError::General("a page was not written".into()))?;
        SerializedPageWriter::new(&mut pages).write_page(page)
    }

    fn close(&mut self) -> Result<()> {
        Ok(())
    }
}
