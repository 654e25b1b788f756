//! Frames as tables: CSV, Parquet or Arrow, one table for each message type, and one for frames without a message that is known.

mod frames;

use std::io::BufWriter;
use std::path::{Path, PathBuf};

use roadwire_columns::arrays::RecordBatch;
use roadwire_columns::fields::SchemaRef;
use roadwire_columns::{Columns, ColumnsError, Format, TableWriter, concat_batches};
use roadwire_files::Output;

pub use self::frames::Frames;
pub(crate) use self::frames::Row;
use crate::Error;
use crate::recognition::Candidate;

/// Octets of columns, about, that a table does not keep back.
const BATCH: usize = 1 << 20;
/// Rows that are worth it, too: fewer are put together, which takes longer than to write them.
const ENOUGH_ROWS: usize = 512;

/// All tables of a run.
pub struct Tables {
    format: Format,
    /// Nothing for stdout.
    path: Option<PathBuf>,
    force: bool,
    tables: Vec<Table>,
}

impl Tables {
    /// Tables in this file, or beside it where there are several.
    #[must_use]
    pub fn new(format: Format, path: Option<&Path>, force: bool) -> Tables {
        let path = path.filter(|path| path.as_os_str() != "-").map(Path::to_owned);
        // A pipe has no end to look at.
        let format = if path.is_none() && format == Format::Arrow { Format::ArrowStream } else { format };
        Tables { format, path, force, tables: Vec::new() }
    }

    /// Appends rows to the table of their message type.
    ///
    /// # Errors
    /// A table cannot be written.
    pub fn push(&mut self, rows: Rows) -> Result<(), Error> {
        let at = match self.tables.iter().position(|table| table.name == rows.name) {
            Some(at) => at,
            None => {
                self.open(rows.name, rows.batch.schema())?;
                self.tables.len() - 1
            }
        };
        let table = &mut self.tables[at];
        table.rows += rows.batch.num_rows();
        table.octets += rows.octets;
        table.waiting.push(rows.batch);
        if table.is_full() { table.flush() } else { Ok(()) }
    }

    /// Writes what has not been written yet.
    ///
    /// # Errors
    /// A table cannot be written.
    pub fn flush(&mut self) -> Result<(), Error> {
        self.tables.iter_mut().try_for_each(Table::flush)
    }

    /// Ends all files. One table is in the file that was asked for; of several, each is in a file of its own.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn finish(mut self) -> Result<(), Error> {
        if self.tables.is_empty() {
            let schema = Builder::new(None)?.take()?.batch.schema();
            self.open(None, schema)?;
        }
        let several = self.tables.len() > 1;
        for (at, mut table) in self.tables.into_iter().enumerate() {
            table.flush()?;
            let (path, name) = (table.path.clone(), table.name);
            let failed = |error| Error::io("write to", &path, &error);
            let sink = table.writer.finish().map_err(failed)?;
            let output = sink.into_inner().map_err(|error| failed(error.into_error()))?;
            output.finish().map_err(|error| Error::io("write", &path, &error))?;
            if several && at == 0 {
                std::fs::rename(&path, beside(&path, name)).map_err(failed)?;
            }
        }
        Ok(())
    }

    /// Opens the table of a message type.
    fn open(&mut self, name: Option<&'static str>, schema: SchemaRef) -> Result<(), Error> {
        let path = match (&self.path, self.tables.first()) {
            (path, None) => path.clone(),
            (Some(path), Some(first)) if !first.in_place => {
                let renamed = beside(path, first.name);
                if !self.force && renamed.exists() {
                    return Err(Error::of_output(&renamed, &std::io::ErrorKind::AlreadyExists.into()));
                }
                Some(beside(path, name))
            }
            (_, Some(_)) => {
                let failure =
                    Error::usage("capture.tables", "there are messages of several types, each of which is a table");
                return Err(
                    failure.advise("write them to files with -o FILE, or take one with --where 'message.type == CAM'")
                );
            }
        };
        let named = path.clone().unwrap_or_else(|| PathBuf::from("stdout"));
        let output = Output::open(path.as_deref(), self.force).map_err(|error| Error::of_output(&named, &error))?;
        let path = named;
        let in_place = output.is_in_place();
        let sink = BufWriter::with_capacity(BATCH / 4, output);
        let writer =
            TableWriter::new(self.format, &schema, sink).map_err(|error| Error::io("write to", &path, &error))?;
        self.tables.push(Table { name, path, in_place, schema, writer, waiting: Vec::new(), rows: 0, octets: 0 });
        Ok(())
    }
}

/// A table that is being written.
struct Table {
    /// The schema, or nothing for frames without a message that is known.
    name: Option<&'static str>,
    path: PathBuf,
    /// A stream or a device: there is no file that could be renamed.
    in_place: bool,
    schema: SchemaRef,
    writer: TableWriter<BufWriter<Output>>,
    /// Batches that are too small to be written each for itself.
    waiting: Vec<RecordBatch>,
    /// Of these.
    rows: usize,
    octets: usize,
}

impl Table {
    fn is_full(&self) -> bool {
        self.rows >= ENOUGH_ROWS || self.octets >= BATCH
    }

    fn flush(&mut self) -> Result<(), Error> {
        let waiting = std::mem::take(&mut self.waiting);
        (self.rows, self.octets) = (0, 0);
        let batch = match waiting.as_slice() {
            [] => return Ok(()),
            [one] => one.clone(),
            several => concat_batches(&self.schema, several)?,
        };
        self.writer.write(&batch).map_err(|error| Error::io("write to", &self.path, &error))
    }
}

/// Makes rows for tables: of the frames of a chunk.
#[derive(Default)]
pub struct Builders {
    builders: Vec<Builder>,
    /// Those that have rows, in the order of their first ones.
    filled: Vec<usize>,
}

/// Rows of a table.
pub struct Rows {
    name: Option<&'static str>,
    batch: RecordBatch,
    /// That they take, about.
    octets: usize,
}

/// Columns of a table: frames, beside them the values of one type.
struct Builder {
    name: Option<&'static str>,
    frames: Frames,
    values: Option<Columns>,
    /// Of the frames, as they were recorded.
    octets: usize,
}

impl Builders {
    /// Appends a frame.
    ///
    /// # Errors
    /// Outer: the message's schema has no columns. Inner: the message has no row in its columns, and nothing was appended.
    pub(crate) fn push(&mut self, row: &Row<'_>) -> Result<Result<(), ColumnsError>, Error> {
        let name = row.known.map(|known| known.name);
        let at = match self.builders.iter().position(|one| one.name == name) {
            Some(at) => at,
            None => {
                self.builders.push(Builder::new(row.known)?);
                self.builders.len() - 1
            }
        };
        let builder = &mut self.builders[at];
        let is_first = builder.frames.rows() == 0;
        if let Err(error) = builder.push(row) {
            return Ok(Err(error));
        }
        if is_first {
            self.filled.push(at);
        }
        Ok(Ok(()))
    }

    /// All rows so far; afterwards there are none.
    ///
    /// # Errors
    /// Columns that do not become arrays.
    pub(crate) fn take(&mut self) -> Result<Vec<Rows>, Error> {
        let filled = std::mem::take(&mut self.filled);
        filled.into_iter().filter_map(|at| Some(self.builders.get_mut(at)?.take())).collect()
    }
}

impl Builder {
    fn new(known: Option<&Candidate<'_>>) -> Result<Self, Error> {
        let values = known.map(Candidate::columns).transpose()?;
        Ok(Builder { name: known.map(|known| known.name), frames: Frames::new(), values, octets: 0 })
    }

    fn push(&mut self, row: &Row<'_>) -> Result<(), ColumnsError> {
        if let (Some(values), Some(known)) = (&mut self.values, row.known) {
            values.push(known.message())?;
        }
        self.octets += row.layers.as_ref().map_or(0, |layers| layers.found.frame.len());
        self.frames.push(row);
        Ok(())
    }

    fn take(&mut self) -> Result<Rows, Error> {
        let width = self.frames.row_octets() + self.values.as_ref().map_or(0, Columns::row_octets);
        let octets = std::mem::take(&mut self.octets) + width * self.frames.rows();
        let values = self.values.as_mut().map(Columns::finish_struct).transpose()?;
        Ok(Rows { name: self.name, batch: self.frames.finish(values.as_ref())?.into(), octets })
    }
}

/// `drive.parquet` as `drive.cam-1.4.1.parquet`, or `drive.other.parquet`.
fn beside(path: &Path, name: Option<&str>) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let name = name.unwrap_or("other");
    let ending = path.extension().map(|ending| format!(".{}", ending.to_string_lossy())).unwrap_or_default();
    path.with_file_name(format!("{stem}.{name}{ending}"))
}
