//! Frames as tables: CSV, Parquet or Arrow, one table for each message type, and one for frames
//! without a message that is known.

mod frames;

use std::io::BufWriter;
use std::path::{Path, PathBuf};

use roadwire_columns::arrays::RecordBatch;
use roadwire_columns::fields::SchemaRef;
use roadwire_columns::{Columns, ColumnsError, Format, TableWriter, concat_batches};
use roadwire_files::{Identity, Output};

pub use self::frames::Frames;
pub(crate) use self::frames::Row;
use crate::Error;
use crate::recognition::{Candidate, Message};

/// Octets of columns, about, that a table does not keep back.
const BATCH: usize = 1 << 20;
/// Rows that are worth a batch of an Arrow file: fewer are joined, which takes longer than writing
/// them.
const ENOUGH_ROWS: usize = 512;
/// The same for files without batches.
const ENOUGH_WITHOUT_BATCHES: usize = 128;

/// All tables of a run. Their files get their names together, when all of them are complete.
pub struct Tables {
    format: Format,
    /// Nothing for stdout.
    path: Option<PathBuf>,
    force: bool,
    /// No table may have the name of one of these.
    inputs: Vec<Identity>,
    tables: Vec<Table>,
}

impl Tables {
    /// Tables in this file, or beside it where there are several. No table replaces one of
    /// `inputs`.
    #[must_use]
    pub fn new(format: Format, path: Option<&Path>, force: bool, inputs: &[PathBuf]) -> Tables {
        let path = path.filter(|path| path.as_os_str() != "-").map(Path::to_owned);
        // A pipe has no end to look at.
        let format = if path.is_none() && format == Format::Arrow { Format::ArrowStream } else { format };
        let inputs = inputs.iter().filter_map(|input| Identity::of_input(input)).collect();
        Tables { format, path, force, inputs, tables: Vec::new() }
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
        let enough = match self.format {
            Format::Arrow | Format::ArrowStream => ENOUGH_ROWS,
            Format::Csv | Format::Parquet => ENOUGH_WITHOUT_BATCHES,
        };
        if table.rows >= enough || table.octets >= BATCH { table.flush() } else { Ok(()) }
    }

    /// Writes the rows that have not been written yet.
    ///
    /// # Errors
    /// A table cannot be written.
    pub fn flush(&mut self) -> Result<(), Error> {
        self.tables.iter_mut().try_for_each(Table::flush)
    }

    /// Whether there are files that [`finish`](Tables::finish) would replace; otherwise they are
    /// not changed.
    #[must_use]
    pub fn replaces(&self) -> bool {
        match self.tables.is_empty() {
            true => self.path.as_ref().is_some_and(|path| path.is_file()),
            false => match (&self.path, &self.tables[..]) {
                (Some(path), [first, ..]) if self.tables.len() > 1 => {
                    beside(path, first.name).is_file() || self.tables[1..].iter().any(|table| table.replaces)
                }
                (_, tables) => tables.iter().any(|table| table.replaces),
            },
        }
    }

    /// Ends all files, and gives them their names. One table is in the file that was asked for; of
    /// several, each is in a file of its own.
    ///
    /// # Errors
    /// A file cannot be written: then no existing file is changed.
    pub fn finish(mut self) -> Result<(), Error> {
        if self.tables.is_empty() {
            let schema = Builder::new(None)?.take()?.batch.schema();
            self.open(None, schema)?;
        }
        let renamed = match (&self.path, &self.tables[..]) {
            (Some(path), [first, _, ..]) => Some(beside(path, first.name)),
            _ => None,
        };
        let mut outputs = Vec::new();
        for mut table in self.tables {
            table.flush()?;
            let failed = |error| Error::io("write to", &table.path, &error);
            let sink = table.writer.finish().map_err(failed)?;
            outputs.push(sink.into_inner().map_err(|error| failed(error.into_error()))?);
        }
        if let (Some(path), Some(first)) = (renamed, outputs.first_mut()) {
            first.rename(&path, self.force).map_err(|error| Error::of_output(&path, &error))?;
        }
        let path = self.path.unwrap_or_else(|| PathBuf::from("stdout"));
        Output::finish_all(outputs).map_err(|error| Error::io("write", &path, &error))
    }

    /// Opens the table of a message type.
    fn open(&mut self, name: Option<&'static str>, schema: SchemaRef) -> Result<(), Error> {
        let path = match (self.path.clone(), self.tables.first()) {
            (path, None) => path,
            (Some(path), Some(first)) if !first.in_place => {
                // The first one gets a name of its own when all are complete.
                let renamed = beside(&path, first.name);
                self.check(&renamed)?;
                if !self.force && renamed.symlink_metadata().is_ok() {
                    return Err(Error::of_output(&renamed, &std::io::ErrorKind::AlreadyExists.into()));
                }
                Some(beside(&path, name))
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
        self.check(&named)?;
        let output = Output::pending(path.as_deref(), self.force).map_err(|error| Error::of_output(&named, &error))?;
        let (in_place, replaces) = (output.is_in_place(), output.replaces());
        let sink = BufWriter::with_capacity(BATCH / 4, output);
        let writer =
            TableWriter::new(self.format, &schema, sink).map_err(|error| Error::io("write to", &named, &error))?;
        self.tables.push(Table {
            name,
            path: named,
            in_place,
            replaces,
            schema,
            writer,
            waiting: Vec::new(),
            rows: 0,
            octets: 0,
        });
        Ok(())
    }

    /// Refuses a table that would replace an input.
    fn check(&self, path: &Path) -> Result<(), Error> {
        if !Identity::of(path).is_some_and(|found| self.inputs.contains(&found)) {
            return Ok(());
        }
        Err(Error::usage("file.same", format!("{} is both input and output", path.display()))
            .advise("each type of message is a table of its own: choose another output"))
    }
}

/// A table that is being written.
struct Table {
    /// The schema, or nothing for frames without a message that is known.
    name: Option<&'static str>,
    path: PathBuf,
    /// A stream or a device, which cannot be renamed.
    in_place: bool,
    /// There is an existing file, which it replaces when it is finished.
    replaces: bool,
    schema: SchemaRef,
    writer: TableWriter<BufWriter<Output>>,
    /// Batches that are too small to be written each for itself.
    waiting: Vec<RecordBatch>,
    /// Of these.
    rows: usize,
    octets: usize,
}

impl Table {
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
    /// The message's schema has no columns, or the message has no row in them; nothing was
    /// appended.
    pub(crate) fn push(&mut self, row: &Row<'_>) -> Result<(), Error> {
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
        builder.push(row)?;
        if is_first {
            self.filled.push(at);
        }
        Ok(())
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
            match known.message() {
                Message::Data(value) if known.violations.is_empty() => values.push(value)?,
                Message::Data(value) => values.push_with_gaps(value)?,
                Message::OnTape(value) => values.push_part(value)?,
            }
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
