//! Batches as files: CSV, Parquet, Arrow IPC. The memory for writing is bounded, however many
//! batches there are.

use std::io::{self, Write};

use arrow_array::RecordBatch;
use arrow_ipc::writer::{FileWriter, StreamWriter};
use arrow_schema::{ArrowError, SchemaRef};
use parquet::arrow::ArrowSchemaConverter;
use parquet::basic::{Compression, Encoding, Type};
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties};

use crate::parquet_file::ParquetFile;
use crate::{csv, parquet_types, row_group};

/// The kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// RFC 4180, with a head: a column for each leaf field; a list is one cell of JSON.
    Csv,
    /// Parquet, compressed with Snappy. Dictionaries are text that may be null there, and times are
    /// in microseconds.
    Parquet,
    /// The file format of Arrow IPC.
    Arrow,
    /// The streaming format of Arrow IPC.
    ArrowStream,
}

/// A file that is being written.
pub struct TableWriter<W: Write + Send>(Kind<W>);

enum Kind<W: Write + Send> {
    Csv(W),
    Parquet(Box<ParquetFile<W>>),
    Arrow(FileWriter<W>),
    ArrowStream(StreamWriter<W>),
}

/// Octets of a column's dictionary in Parquet; values are written as they are beyond it.
const DICTIONARY: usize = 64 << 10;

/// Rows of a page of Parquet. Until it is full, each text takes eight octets.
const PAGE: usize = 8192;
/// Rows of a page with lists within lists. Until it is full, each of their elements takes four
/// octets in each of their columns.
const PAGE_OF_LISTS: usize = 2048;

impl<W: Write + Send> TableWriter<W> {
    /// Begins a file of batches with these fields.
    ///
    /// # Errors
    /// The error of the sink.
    pub fn new(format: Format, schema: &SchemaRef, mut sink: W) -> io::Result<Self> {
        Ok(TableWriter(match format {
            Format::Csv => {
                csv::write_head(schema.fields().iter().map(AsRef::as_ref), &mut sink)?;
                Kind::Csv(sink)
            }
            Format::Parquet => {
                let schema = parquet_types::schema(schema);
                let properties = properties(&schema).map_err(parquet)?;
                let writer = ParquetFile::new(sink, &schema, properties).map_err(parquet)?;
                Kind::Parquet(Box::new(writer))
            }
            Format::Arrow => Kind::Arrow(FileWriter::try_new(sink, schema).map_err(arrow)?),
            Format::ArrowStream => Kind::ArrowStream(StreamWriter::try_new(sink, schema).map_err(arrow)?),
        }))
    }

    /// Writes a batch.
    ///
    /// # Errors
    /// The error of the sink.
    pub fn write(&mut self, batch: &RecordBatch) -> io::Result<()> {
        match &mut self.0 {
            Kind::Csv(sink) => csv::write_rows(batch, sink),
            Kind::Parquet(writer) => writer.write(parquet_types::rows(batch).map_err(arrow)?).map_err(parquet),
            Kind::Arrow(writer) => writer.write(batch).map_err(arrow),
            Kind::ArrowStream(writer) => writer.write(batch).map_err(arrow),
        }
    }

    /// Ends the file, and gives back the sink.
    ///
    /// # Errors
    /// The error of the sink.
    pub fn finish(self) -> io::Result<W> {
        match self.0 {
            Kind::Csv(sink) => Ok(sink),
            Kind::Parquet(writer) => writer.finish().map_err(parquet),
            Kind::Arrow(mut writer) => writer.finish().and_then(|()| writer.into_inner()).map_err(arrow),
            Kind::ArrowStream(mut writer) => writer.finish().and_then(|()| writer.into_inner()).map_err(arrow),
        }
    }
}

/// How the columns of a Parquet file are written: text with a dictionary, integers as differences.
/// A dictionary of integers would take 80 kB of memory for each of hundreds of columns, and more of
/// the file.
fn properties(schema: &SchemaRef) -> Result<WriterProperties, ParquetError> {
    let mut properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_dictionary_enabled(false)
        .set_dictionary_page_size_limit(DICTIONARY)
        // Readers use it with statistics of pages, which are not written.
        .set_offset_index_disabled(true)
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_column_statistics_enabled(row_group::path(), EnabledStatistics::None);
    let columns = ArrowSchemaConverter::new().convert(schema)?;
    let has_lists = columns.columns().iter().any(|column| column.max_rep_level() > 1);
    properties = properties.set_data_page_row_count_limit(if has_lists { PAGE_OF_LISTS } else { PAGE });
    for column in columns.columns() {
        let path = column.path().clone();
        properties = match column.physical_type() {
            Type::BYTE_ARRAY => properties.set_column_dictionary_enabled(path, true),
            Type::INT32 | Type::INT64 => properties.set_column_encoding(path, Encoding::DELTA_BINARY_PACKED),
            _ => properties,
        };
        // Readers leave out row groups by statistics of fields, and not of list elements.
        if column.max_rep_level() > 0 {
            properties = properties.set_column_statistics_enabled(column.path().clone(), EnabledStatistics::None);
        }
    }
    Ok(properties.build())
}

fn arrow(error: ArrowError) -> io::Error {
    match error {
        ArrowError::IoError(_, source) => source,
        error => io::Error::other(error),
    }
}

fn parquet(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(source) => match source.downcast::<io::Error>() {
            Ok(source) => *source,
            Err(source) => io::Error::other(source),
        },
        error => io::Error::other(error),
    }
}
