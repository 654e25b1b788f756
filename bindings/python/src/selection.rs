//! Which rows and columns of a recording are wanted, and the values of its messages beside its
//! frames.

use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use roadwire::Rules;
use roadwire_columns::Columns;
use roadwire_columns::arrays::cast::AsArray as _;
use roadwire_columns::arrays::types::Int64Type;
use roadwire_columns::arrays::{ArrayRef, RecordBatch as Batch, RecordBatchOptions, RecordBatchReader};
use roadwire_columns::fields::{ArrowError, Field, Schema as Fieldset, SchemaRef};
use roadwire_recording::{CaptureOptions, CaptureStream};

use crate::arrow::Rows;
use crate::batch::{OnError, Refused};
use crate::error::Problem;
use crate::schema::{Schema, schema};

/// The arguments of `read_capture` that select: `columns`, `message`, `fields`, `errors`, `where`.
pub(crate) type Selected<'a> = (Option<Vec<String>>, Option<String>, Option<Vec<String>>, String, Option<String>);

/// Columns of the frame that a message's values need, whether they are wanted or not.
const OF_MESSAGES: [&str; 3] = ["file", "frame", "message"];

/// The same, checked.
pub(crate) struct Selection {
    columns: Option<Vec<String>>,
    filter: Option<String>,
    message: Option<Message>,
}

/// A schema, and how its messages are decoded.
struct Message {
    name: String,
    schema: Py<Schema>,
    columns: Columns,
    on_error: OnError,
}

impl Selection {
    /// # Errors
    /// Columns that are not each named once, fields without a message, and those of the schema.
    pub(crate) fn new(py: Python<'_>, selected: Selected<'_>) -> PyResult<Self> {
        let (columns, message, fields, errors, filter) = selected;
        let on_error = OnError::new(&errors)?;
        if let Some(columns) = &columns {
            let is_double = |(at, name)| columns.iter().take(at).any(|before| before == name);
            if columns.is_empty() || columns.iter().enumerate().any(is_double) {
                return Err(PyValueError::new_err(format!(
                    "columns are named each once, and one at least, not {columns:?}"
                )));
            }
        }
        let message = match message {
            Some(name) => {
                let schema = schema(py, &name)?;
                let columns = schema.get().columns(None, fields)?;
                Some(Message { name, schema, columns, on_error })
            }
            None if fields.is_some() => {
                return Err(PyValueError::new_err("fields are those of a message: name its schema with message"));
            }
            None => None,
        };
        Ok(Selection { columns, filter, message })
    }

    /// The options of the recording itself.
    pub(crate) fn options(&self) -> CaptureOptions {
        let needed = self.message.iter().flat_map(|_| OF_MESSAGES).map(str::to_owned);
        let columns = self.columns.as_ref().map(|columns| columns.iter().cloned().chain(needed).collect());
        let message = self.message.as_ref().map(|message| message.name.clone());
        CaptureOptions { columns, message, filter: self.filter.clone(), ..CaptureOptions::default() }
    }

    /// The rows that a stream with these options becomes.
    ///
    /// # Errors
    /// `ValueError` for a column that frames do not have, or two of the same name; `Error` for an
    /// expression that has no sense.
    pub(crate) fn rows(self, options: &CaptureOptions) -> PyResult<Made> {
        let frames = options.schema().map_err(|error| match error.code.as_str() {
            "columns.unknown" => PyValueError::new_err(error.message),
            _ => Problem::from(error).into(),
        })?;
        let chosen: Vec<usize> = match &self.columns {
            Some(columns) => columns.iter().filter_map(|name| frames.index_of(name).ok()).collect(),
            None => (0..frames.fields().len()).collect(),
        };
        let mut fields: Vec<Arc<Field>> = chosen.iter().filter_map(|at| frames.fields().get(*at).cloned()).collect();
        if let Some(Message { columns, on_error, .. }) = &self.message {
            let values = on_error.fields(&columns.schema());
            let double = values.iter().find(|value| fields.iter().any(|field| field.name() == value.name()));
            if let Some(double) = double {
                let what =
                    format!("the frame and the message have a column {:?}: leave it out of columns", double.name());
                return Err(PyValueError::new_err(what));
            }
            fields.extend(values);
        }
        Ok(Made { schema: Arc::new(Fieldset::new(fields)), chosen, message: self.message })
    }
}

/// The way from a batch of frames to the rows that are wanted.
pub(crate) struct Made {
    schema: SchemaRef,
    /// The places of the frame's columns.
    chosen: Vec<usize>,
    message: Option<Message>,
}

impl Made {
    pub(crate) fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn of(&mut self, frames: &Batch) -> PyResult<Batch> {
        let mut columns: Vec<ArrayRef> =
            self.chosen.iter().filter_map(|at| frames.columns().get(*at).cloned()).collect();
        if let Some(message) = &mut self.message {
            columns.extend(message.values(frames)?);
        }
        let options = RecordBatchOptions::new().with_row_count(Some(frames.num_rows()));
        Ok(Batch::try_new_with_options(self.schema(), columns, &options).map_err(Problem::from)?)
    }
}

impl Message {
    /// The columns of the values of the messages in these frames.
    fn values(&mut self, frames: &Batch) -> PyResult<Vec<ArrayRef>> {
        let octets =
            frames.column_by_name("message").and_then(|column| column.as_struct_opt()?.column_by_name("octets"));
        let rows = Rows::of_arrays(octets.into_iter().cloned().collect());
        let made = self.schema.get().decode_rows(Rules::Uper, &rows, &mut self.columns, None, self.on_error);
        made.map(|batch| batch.columns().to_vec()).map_err(|refused| match refused {
            Refused::Row(problem) => in_frame(problem, frames).into(),
            Refused::Raised(error) => error,
        })
    }
}

/// The problem with the frame of its row: the number of a row in a batch does not identify it.
#[cold]
fn in_frame(problem: Problem, frames: &Batch) -> Problem {
    let row = problem.row.unwrap_or(0);
    let file = frames.column_by_name("file").and_then(|files| files.as_string_opt::<i32>());
    let frame = frames.column_by_name("frame").and_then(|numbers| numbers.as_primitive_opt::<Int64Type>());
    let (Some(file), Some(frame)) = (file, frame) else { return problem };
    if row >= frames.num_rows() {
        return problem;
    }
    let what = format!("{}, in frame {} of {}", problem.what, frame.value(row), file.value(row));
    Problem { what, row: None, ..problem }
}

/// A recording that is read, with what is selected of it.
pub(crate) struct Frames {
    stream: CaptureStream,
    rows: Made,
    /// Nothing comes after an error.
    is_failed: bool,
}

impl Frames {
    pub(crate) fn new(stream: CaptureStream, rows: Made) -> Self {
        Frames { stream, rows, is_failed: false }
    }

    pub(crate) fn next_batch(&mut self) -> Option<PyResult<Batch>> {
        if self.is_failed {
            return None;
        }
        let frames = self.stream.next()?.map_err(|error| Problem::from(error).into());
        let made = frames.and_then(|frames| self.rows.of(&frames));
        self.is_failed = made.is_err();
        Some(made)
    }
}

impl Iterator for Frames {
    type Item = Result<Batch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.next_batch()?;
        Some(next.map_err(|error| ArrowError::ExternalError(Box::new(error))))
    }
}

impl RecordBatchReader for Frames {
    fn schema(&self) -> SchemaRef {
        self.rows.schema()
    }
}
