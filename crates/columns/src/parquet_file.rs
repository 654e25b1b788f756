//! A Parquet file in which a part that no row has takes no work for each of its columns.
//!
//! Types of messages have hundreds of columns, of which usual messages have few. A column without a
//! value is levels alone, and columns that are absent with the same record have the same ones: they
//! are encoded once, and copied.

use std::io::Write;
use std::sync::Arc;

use arrow_array::{Array as _, ArrayRef, RecordBatch};
use arrow_schema::SchemaRef;
use bytes::Bytes;
use parquet::arrow::{ArrowSchemaConverter, add_encoded_arrow_schema_to_metadata};
use parquet::errors::{ParquetError, Result};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;

use crate::presence::{Presence, leaves_of};
use crate::row_group::RowGroup;

/// Octets that are kept in memory until they are a row group.
const ROW_GROUP: usize = 8 << 20;
/// Octets of columns that are kept back, to know which have values before they are written.
const KEPT_BACK: usize = 2 << 20;
/// Rows of a row group at most.
const ROWS: usize = 1 << 20;

/// A file that is being written.
pub(crate) struct ParquetFile<W: Write + Send> {
    writer: SerializedFileWriter<W>,
    columns: Vec<Presence>,
    group: Option<RowGroup>,
    kept_back: Vec<RecordBatch>,
    /// That these take.
    octets: usize,
}

impl<W: Write + Send> ParquetFile<W> {
    pub(crate) fn new(sink: W, schema: &SchemaRef, mut properties: WriterProperties) -> Result<Self> {
        let columns = ArrowSchemaConverter::new().convert(schema)?;
        add_encoded_arrow_schema_to_metadata(schema, &mut properties);
        let writer = SerializedFileWriter::new(sink, columns.root_schema_ptr(), Arc::new(properties))?;
        Ok(ParquetFile {
            writer,
            columns: leaves_of(schema.fields(), 0),
            group: None,
            kept_back: Vec::new(),
            octets: 0,
        })
    }

    /// Appends the rows of a batch.
    pub(crate) fn write(&mut self, batch: RecordBatch) -> Result<()> {
        if batch.num_rows() == 0 {
            return Ok(());
        }
        self.octets += octets_of(&batch);
        self.kept_back.push(batch);
        if self.octets > KEPT_BACK { self.write_kept_back() } else { Ok(()) }
    }

    /// A column that has its first value in these rows begins a row group.
    fn write_kept_back(&mut self) -> Result<()> {
        let batches = std::mem::take(&mut self.kept_back);
        self.octets = 0;
        let mut is_new = false;
        for batch in &batches {
            for (column, array) in self.columns.iter_mut().zip(batch.columns()) {
                is_new |= column.notice(array);
            }
        }
        if is_new {
            self.flush()?;
        }
        for batch in batches {
            let group = match &mut self.group {
                Some(group) => group,
                none => {
                    let described = self.writer.schema_descr().columns();
                    none.insert(RowGroup::new(&self.columns, described, self.writer.properties())?)
                }
            };
            group.write(&batch)?;
            if group.octets() > ROW_GROUP || group.rows() >= ROWS {
                self.flush()?;
            }
        }
        Ok(())
    }

    /// Ends the row group.
    fn flush(&mut self) -> Result<()> {
        let Some(group) = self.group.take() else { return Ok(()) };
        let columns = self.writer.schema_descr().columns().to_vec();
        let chunks = group.close(&columns)?;
        let mut row_group = self.writer.next_row_group()?;
        for (column, chunk) in columns.iter().zip(chunks) {
            let (pages, close) =
                chunk.ok_or_else(|| ParquetError::General(format!("no levels of {}", column.path())))?;
            row_group.append_column(&Bytes::from(pages.concat()), close)?;
        }
        row_group.close()?;
        Ok(())
    }

    /// Ends the file.
    pub(crate) fn finish(mut self) -> Result<W> {
        self.write_kept_back()?;
        self.flush()?;
        self.writer.into_inner()
    }
}

/// The octets of a batch by its values alone: which rows begin a row group must not depend on how
/// much memory there is around them.
fn octets_of(batch: &RecordBatch) -> usize {
    let octets = |array: &ArrayRef| array.to_data().get_slice_memory_size().unwrap_or(KEPT_BACK);
    batch.columns().iter().map(octets).fold(0, usize::saturating_add)
}
