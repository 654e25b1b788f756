//! A Parquet file in which a part that no row has takes no work for each of its columns.
//!
//! Types of messages have hundreds of columns, of which usual messages have few. A column without a
//! value is levels alone, and columns that are absent with the same record have the same ones: they
//! are encoded once, and copied.

use std::io::Write;
use std::sync::Arc;

use arrow_array::{Array as _, ArrayRef, RecordBatch};
use arrow_schema::SchemaRef;
use parquet::arrow::arrow_writer::{ArrowColumnWriter, ArrowRowGroupWriterFactory, compute_leaves};
use parquet::arrow::{ArrowSchemaConverter, add_encoded_arrow_schema_to_metadata};
use parquet::errors::{ParquetError, Result};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;

use crate::absent::{Absent, Chunk};
use crate::presence::{Presence, leaves_of};

/// Octets that are kept in memory until they are a row group.
const ROW_GROUP: usize = 8 << 20;
/// Octets of columns that are kept back, to know which have values before they are written.
const KEPT_BACK: usize = 4 << 20;
/// Rows of a row group at most.
const ROWS: usize = 1 << 20;

/// A file that is being written.
pub(crate) struct ParquetFile<W: Write + Send> {
    writer: SerializedFileWriter<W>,
    factory: ArrowRowGroupWriterFactory,
    columns: Vec<Presence>,
    group: Option<Group>,
    kept_back: Vec<RecordBatch>,
    /// That these take.
    octets: usize,
}

/// A row group that is being written.
struct Group {
    /// Those of columns that have values.
    writers: Vec<(usize, ArrowColumnWriter)>,
    absent: Absent,
    rows: usize,
}

impl<W: Write + Send> ParquetFile<W> {
    pub(crate) fn new(sink: W, schema: &SchemaRef, mut properties: WriterProperties) -> Result<Self> {
        let columns = ArrowSchemaConverter::new().convert(schema)?;
        add_encoded_arrow_schema_to_metadata(schema, &mut properties);
        let writer = SerializedFileWriter::new(sink, columns.root_schema_ptr(), Arc::new(properties))?;
        let factory = ArrowRowGroupWriterFactory::new(&writer, Arc::clone(schema));
        Ok(ParquetFile {
            writer,
            factory,
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
                none => none.insert(Group::new(&self.writer, &self.factory, &self.columns)?),
            };
            group.write(&self.columns, &batch)?;
            if group.octets() > ROW_GROUP || group.rows >= ROWS {
                self.flush()?;
            }
        }
        Ok(())
    }

    /// Ends the row group.
    fn flush(&mut self) -> Result<()> {
        let Some(group) = self.group.take() else { return Ok(()) };
        let columns = self.writer.schema_descr().columns().to_vec();
        let mut absent = group.absent.close(columns.len())?;
        let mut row_group = self.writer.next_row_group()?;
        let mut present = group.writers.into_iter().peekable();
        for (at, column) in columns.iter().enumerate() {
            if let Some((_, writer)) = present.next_if(|(of, _)| *of == at) {
                writer.close()?.append_to_row_group(&mut row_group)?;
                continue;
            }
            let chunk: Option<Arc<Chunk>> = absent[at].take();
            let chunk = chunk.ok_or_else(|| ParquetError::General(format!("no levels of {}", column.path())))?;
            row_group.append_column(&chunk.octets, chunk.close_of(column)?)?;
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

impl Group {
    fn new<W: Write + Send>(
        file: &SerializedFileWriter<W>,
        factory: &ArrowRowGroupWriterFactory,
        columns: &[Presence],
    ) -> Result<Group> {
        let mut present = Vec::new();
        columns.iter().for_each(|column| column.present_leaves(&mut present));
        let writers = factory.create_column_writers(file.flushed_row_groups().len())?;
        let writers = writers.into_iter().enumerate().filter(|(at, _)| present.binary_search(at).is_ok()).collect();
        let absent = Absent::new(columns, file.schema_descr().columns(), file.properties())?;
        Ok(Group { writers, absent, rows: 0 })
    }

    fn write(&mut self, columns: &[Presence], batch: &RecordBatch) -> Result<()> {
        let mut writers = self.writers.iter_mut();
        for (column, array) in columns.iter().zip(batch.columns()) {
            let Some((field, array)) = column.present_part(array)? else { continue };
            for (leaf, (_, writer)) in compute_leaves(&field, &array)?.iter().zip(writers.by_ref()) {
                writer.write(leaf)?;
            }
        }
        self.rows += batch.num_rows();
        self.absent.write(batch)
    }

    /// Octets so far, about.
    fn octets(&self) -> usize {
        self.writers.iter().map(|(_, writer)| writer.get_estimated_total_bytes()).sum::<usize>() + self.absent.octets()
    }
}

/// The octets of a batch by its values alone: which rows begin a row group must not depend on how
/// much memory there is around them.
fn octets_of(batch: &RecordBatch) -> usize {
    let octets = |array: &ArrayRef| array.to_data().get_slice_memory_size().unwrap_or(KEPT_BACK);
    batch.columns().iter().map(octets).fold(0, usize::saturating_add)
}
