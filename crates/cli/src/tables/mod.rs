//! Frames as tables: CSV, Parquet or Arrow, one table for each message type, and one for frames without a message that is known.

mod frames;

use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use roadwire_columns::arrays::{ArrayRef, RecordBatch, StructArray};
use roadwire_columns::fields::{Schema, SchemaRef};
use roadwire_columns::{Columns, ColumnsError, Format, TableWriter};

pub(crate) use self::frames::{Frames, Row};
use crate::failure::Failure;
use crate::output::{self, Output};
use crate::recognition::Candidate;

/// The most rows of a batch.
const MOST_ROWS: usize = 1 << 16;
/// Octets of frames, or of columns, after which a batch is written: of each table.
const BATCH: usize = 2 << 20;

/// All tables of a run.
pub(crate) struct Tables {
    format: Format,
    /// Nothing for stdout.
    path: Option<PathBuf>,
    force: bool,
    tables: Vec<Table>,
}

impl Tables {
    /// Tables in this file, or beside it where there are several.
    pub(crate) fn new(format: Format, path: Option<&Path>, force: bool) -> Tables {
        let path = path.filter(|path| path.as_os_str() != "-").map(Path::to_owned);
        // A pipe has no end to look at.
        let format = if path.is_none() && format == Format::Arrow { Format::ArrowStream } else { format };
        Tables { format, path, force, tables: Vec::new() }
    }

    /// Appends a frame to the table of its message type.
    ///
    /// # Errors
    /// Outer: a table cannot be written. Inner: the message has no row in its columns, and nothing was appended.
    pub(crate) fn push(&mut self, row: &Row<'_>) -> Result<Result<(), ColumnsError>, Failure> {
        let name = row.known.map(|known| known.name);
        let at = match self.tables.iter().position(|table| table.name == name) {
            Some(at) => at,
            None => self.open(row.known)?,
        };
        let Some(table) = self.tables.get_mut(at) else { return Err(Failure::told()) };
        if let Err(error) = table.push(row) {
            return Ok(Err(error));
        }
        if table.is_full() {
            table.flush()?;
        }
        Ok(Ok(()))
    }

    /// Writes what has not been written yet.
    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        self.tables.iter_mut().try_for_each(Table::flush)
    }

    /// Ends all files. One table is in the file that was asked for; of several, each is in a file of its own.
    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        if self.tables.is_empty() {
            self.open(None)?;
        }
        let several = self.tables.len() > 1;
        for (at, mut table) in self.tables.into_iter().enumerate() {
            table.flush()?;
            let (path, name) = (table.path.clone(), table.name);
            let failed = |error| Failure::io("write to", &path, &error);
            let sink = table.writer.finish().map_err(failed)?;
            sink.into_inner().map_err(|error| failed(error.into_error()))?.finish()?;
            if several && at == 0 {
                std::fs::rename(&path, beside(&path, name)).map_err(failed)?;
            }
        }
        Ok(())
    }

    /// Opens the table of a message type.
    fn open(&mut self, known: Option<&Candidate<'_>>) -> Result<usize, Failure> {
        let name = known.map(|known| known.name);
        let path = match (&self.path, self.tables.first()) {
            (path, None) => path.clone(),
            (Some(path), Some(first)) => {
                let renamed = beside(path, first.name);
                if !self.force && renamed.exists() {
                    return Err(output::is_there(&renamed));
                }
                Some(beside(path, name))
            }
            (None, Some(_)) => {
                let failure =
                    Failure::usage("capture.tables", "there are messages of several types, each of which is a table");
                return Err(
                    failure.advise("write them to files with -o FILE, or take one with --where 'message.type == CAM'")
                );
            }
        };
        let values = known.map(values).transpose()?;
        let mut frames = Frames::new();
        let value = values.as_ref().map(Columns::schema);
        let schema = Arc::new(Schema::new(frames.finish(value.as_ref().map(empty).as_ref())?.fields().clone()));
        let output = Output::open(path.as_deref(), self.force)?;
        let path = path.unwrap_or_else(|| PathBuf::from("stdout"));
        let sink = BufWriter::with_capacity(BATCH / 8, output);
        let writer =
            TableWriter::new(self.format, &schema, sink).map_err(|error| Failure::io("write to", &path, &error))?;
        let width = frames.row_octets() + values.as_ref().map_or(0, Columns::row_octets);
        let most_rows = (BATCH / width.max(1)).clamp(1, MOST_ROWS);
        self.tables.push(Table { name, path, frames, values, schema, writer, most_rows, octets: 0 });
        Ok(self.tables.len() - 1)
    }
}

/// A table: frames, beside them the values of one type.
struct Table {
    /// The schema, or nothing for frames without a message that is known.
    name: Option<&'static str>,
    path: PathBuf,
    frames: Frames,
    values: Option<Columns>,
    schema: SchemaRef,
    writer: TableWriter<BufWriter<Output>>,
    most_rows: usize,
    /// Of the frames in this batch.
    octets: usize,
}

impl Table {
    fn push(&mut self, row: &Row<'_>) -> Result<(), ColumnsError> {
        if let (Some(values), Some(known)) = (&mut self.values, row.known) {
            values.push(known.message())?;
        }
        self.octets += row.layers.as_ref().map_or(0, |layers| layers.found.frame.len());
        self.frames.push(row);
        Ok(())
    }

    fn is_full(&self) -> bool {
        self.frames.rows() >= self.most_rows || self.octets >= BATCH
    }

    fn flush(&mut self) -> Result<(), Failure> {
        if self.frames.rows() == 0 {
            return Ok(());
        }
        self.octets = 0;
        let values = self.values.as_mut().map(Columns::finish_struct).transpose().map_err(|error| refused(&error))?;
        let columns: Vec<ArrayRef> = self.frames.finish(values.as_ref())?.columns().to_vec();
        let batch = RecordBatch::try_new(Arc::clone(&self.schema), columns);
        let batch = batch.map_err(|error| Failure::refused("columns.arrow", error.to_string()))?;
        self.writer.write(&batch).map_err(|error| Failure::io("write to", &self.path, &error))
    }
}

/// The columns of a message type.
fn values(known: &Candidate<'_>) -> Result<Columns, Failure> {
    let (model, type_id) = known.types()?;
    Columns::new(model, type_id, &[]).map_err(|error| refused(&error))
}

/// An array of no rows.
fn empty(schema: &SchemaRef) -> StructArray {
    StructArray::from(RecordBatch::new_empty(Arc::clone(schema)))
}

pub(crate) fn refused(error: &ColumnsError) -> Failure {
    let path = (!error.path.is_empty()).then(|| error.path.clone());
    Failure::refused(error.code, error.message.clone()).at(crate::failure::Place { path, ..Default::default() })
}

/// `drive.parquet` as `drive.cam-1.4.1.parquet`, or `drive.other.parquet`.
fn beside(path: &Path, name: Option<&str>) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let name = name.unwrap_or("other");
    let ending = path.extension().map(|ending| format!(".{}", ending.to_string_lossy())).unwrap_or_default();
    path.with_file_name(format!("{stem}.{name}{ending}"))
}
