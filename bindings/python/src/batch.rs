//! `Schema.decode_batch`: octets in rows to columns, without a Python object for each value.

use std::sync::Arc;
use std::time::{Duration, Instant};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use roadwire::{Rules, Tape, TypeId};
use roadwire_columns::arrays::builder::{StringBuilder, UInt64Builder};
use roadwire_columns::arrays::{Array, ArrayRef, RecordBatch as Batch, RecordBatchOptions, StructArray};
use roadwire_columns::fields::{DataType, Field, Fields, Schema as Fieldset, SchemaRef};
use roadwire_columns::{Columns, UnknownColumn};

use crate::arrow::{ArrowSchema, RecordBatch, Rows};
use crate::error::Problem;
use crate::schema::{Codecs, Schema, rules_of};
use crate::suggest::nearest_of;
use crate::unknown::{OnUnknown, Unknowns};

/// The column of errors; no component has this name, for an identifier has no underscore.
pub(crate) const ERROR: &str = "_error";

/// The code of an error that is of the batch, not of the row that it was found in.
pub(crate) const LIMIT: &str = "columns.limit";

/// Looks for signals, such as Ctrl-C, while rows are worked on without the interpreter's lock.
pub(crate) struct Interrupts {
    rows: usize,
    last: Instant,
}

impl Interrupts {
    /// The clock is read after so many rows.
    const ROWS: usize = 1 << 10;
    /// Taking the lock may mean to wait for another thread, so it is not done more often.
    const BETWEEN: Duration = Duration::from_millis(100);

    pub(crate) fn new() -> Self {
        Interrupts { rows: 0, last: Instant::now() }
    }

    /// To be called for each row.
    ///
    /// # Errors
    /// The exception that a handler of a signal raised.
    pub(crate) fn check(&mut self) -> PyResult<()> {
        self.rows += 1;
        if !self.rows.is_multiple_of(Self::ROWS) || self.last.elapsed() < Self::BETWEEN {
            return Ok(());
        }
        self.last = Instant::now();
        Python::attach(|py| py.check_signals())
    }
}

/// How a refused row is handled.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum OnError {
    Raise,
    Null,
    Column,
}

impl OnError {
    pub(crate) fn new(name: &str) -> PyResult<Self> {
        match name {
            "raise" => Ok(OnError::Raise),
            "null" => Ok(OnError::Null),
            "column" => Ok(OnError::Column),
            _ => Err(PyValueError::new_err(format!("errors is 'raise', 'null' or 'column', not {name:?}"))),
        }
    }

    /// The fields of a type, and the column of errors if there is one.
    pub(crate) fn fields(self, schema: &SchemaRef) -> Vec<Arc<Field>> {
        let error = (self == OnError::Column).then(|| Arc::new(error_field()));
        schema.fields().iter().cloned().chain(error).collect()
    }
}

#[pymethods]
impl Schema {
    /// The columns of a type's values, those that `decode_batch` makes: an object with
    /// `__arrow_c_schema__`.
    ///
    /// A field has the ASN.1 type, and the unit where it is known, as metadata; `docs/arrow.md`
    /// says which type has which column. With `columns`, only these fields and their parts, by
    /// their paths. `errors` and `unknown` are those of `decode_batch`: with `"column"` there is a
    /// column `_error`, `_unknown`, after the others.
    ///
    /// Raises `Error`: `columns.unknown` for an unknown field, `columns.recursive` for a type that
    /// contains itself.
    ///
    /// >>> import roadwire
    /// >>> roadwire.schema("cam-1.4.1").arrow_schema().names
    /// ['header', 'cam']
    #[pyo3(signature = (r#type=None, columns=None, errors="raise", unknown="drop"))]
    fn arrow_schema(
        &self,
        r#type: Option<&str>,
        columns: Option<Vec<String>>,
        errors: &str,
        unknown: &str,
    ) -> PyResult<ArrowSchema> {
        let columns = self.columns(r#type, columns)?;
        let (on_error, on_unknown) = (OnError::new(errors)?, OnUnknown::new(unknown)?);
        Ok(ArrowSchema(all_fields(&columns.schema(), on_error, on_unknown)?))
    }

    /// Messages in columns, a row for each: an object with `__arrow_c_array__`, which pyarrow,
    /// polars, DuckDB and others take.
    ///
    /// Parts that only a later version of the type has (extension additions, alternatives) have no
    /// column of their own, and are left out: `unknown_rows` of the batch, and its metadata
    /// `asn1.unknown_rows`, say in how many rows. `unknown="column"` keeps them in a column
    /// `_unknown` (path, index, octets, rules), which `encode_batch` puts back; with
    /// `unknown="refuse"` such a message is refused (`additions.unknown`).
    ///
    /// `octets` is a list of bytes, or an array of binary or text of any such library: chunked,
    /// sliced, dictionary, with nulls. A null is a row of nulls.
    ///
    /// `errors` says what becomes of a message that is refused: `"raise"` raises `Error`, whose
    /// `row` says which one; `"null"` makes a row of nulls; `"column"` makes a row of nulls and
    /// describes the error in the column `_error` (code, message, bit, path). A batch that gets too
    /// large is an error in any case (`columns.limit`).
    ///
    /// Other threads run meanwhile.
    ///
    /// >>> import roadwire
    /// >>> octets = bytes.fromhex("020284db8a1042a600fa5e7aa18ea5ceac81901900003b791280")
    /// >>> roadwire.schema("cam-1.4.1").decode_batch("uper", [octets, None, octets])
    /// <roadwire.RecordBatch: 3 rows, 2 columns>
    ///
    /// >>> old = roadwire.compile(text="M DEFINITIONS AUTOMATIC TAGS ::= BEGIN T ::= SEQUENCE { a BOOLEAN, ... } END")
    /// >>> new = roadwire.compile(text="M DEFINITIONS AUTOMATIC TAGS ::= BEGIN T ::= SEQUENCE { a BOOLEAN, ..., b BOOLEAN } END")
    /// >>> later = new.encode("uper", {"a": True, "b": True})
    /// >>> old.decode_batch("uper", [later]).unknown_rows
    /// 1
    /// >>> old.encode_batch("uper", old.decode_batch("uper", [later], unknown="column")).to_pylist() == [later]
    /// True
    #[pyo3(signature = (rules, octets, columns=None, errors="raise", r#type=None, unknown="drop"))]
    #[allow(clippy::too_many_arguments, reason = "all but two are keywords in Python")]
    fn decode_batch(
        &self,
        py: Python<'_>,
        rules: &str,
        octets: &Bound<'_, PyAny>,
        columns: Option<Vec<String>>,
        errors: &str,
        r#type: Option<&str>,
        unknown: &str,
    ) -> PyResult<RecordBatch> {
        let (codecs, rules) = (self.codecs(r#type)?, rules_of(rules)?);
        let (on_error, on_unknown) = (OnError::new(errors)?, OnUnknown::new(unknown)?);
        let mut columns = self.columns(r#type, columns)?;
        let mut unknowns = Unknowns::new(self.model(), codecs.type_id(), rules, on_unknown)?;
        let rows = Rows::new(octets)?;
        let batch = py.detach(|| -> Result<Batch, Refused> {
            let made = self.decode_into(&codecs, rules, &rows, &mut columns, &mut unknowns, on_error)?;
            let mut arrays = made.columns().to_vec();
            arrays.extend(unknowns.finish()?);
            let fields = all_fields(&columns.schema(), on_error, on_unknown)?.fields().clone();
            let schema = Fieldset::new_with_metadata(fields, unknowns.metadata());
            let options = RecordBatchOptions::new().with_row_count(Some(made.num_rows()));
            Ok(Batch::try_new_with_options(schema.into(), arrays, &options).map_err(Problem::from)?)
        });
        Ok(RecordBatch(batch?))
    }
}

/// The reason that a batch could not be made.
pub(crate) enum Refused {
    /// A row, or the batch; it says which row.
    Row(Problem),
    /// A handler of a signal raised an exception.
    Raised(PyErr),
}

impl From<Problem> for Refused {
    fn from(problem: Problem) -> Self {
        Refused::Row(problem)
    }
}

impl From<PyErr> for Refused {
    fn from(error: PyErr) -> Self {
        Refused::Raised(error)
    }
}

impl From<Refused> for PyErr {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::Row(problem) => problem.into(),
            Refused::Raised(error) => error,
        }
    }
}

impl Schema {
    /// `decode_batch` of rows that are at hand, into columns of the type, which are empty again
    /// afterwards. Parts that the type does not know are left out.
    ///
    /// # Errors
    /// A row that is refused, if errors are raised.
    pub(crate) fn decode_rows(
        &self,
        rules: Rules,
        rows: &Rows,
        columns: &mut Columns,
        name: Option<&str>,
        on_error: OnError,
    ) -> Result<Batch, Refused> {
        let codecs = self.codecs(name)?;
        let mut unknowns = Unknowns::new(self.model(), codecs.type_id(), rules, OnUnknown::Drop)?;
        self.decode_into(&codecs, rules, rows, columns, &mut unknowns, on_error)
    }

    /// The values, and with `OnError::Column` the column of errors.
    fn decode_into(
        &self,
        codecs: &Arc<Codecs>,
        rules: Rules,
        rows: &Rows,
        columns: &mut Columns,
        unknowns: &mut Unknowns<'_>,
        on_error: OnError,
    ) -> Result<Batch, Refused> {
        if on_error != OnError::Raise {
            // Rules under which the type has no encoding are an error of the whole batch.
            self.interpreter(codecs, rules)?;
        }
        let mut code = self.take(codecs, rules);
        // Where there is generated code, the interpreter is made only if a message needs it.
        let program = if code.is_none() { self.interpreter(codecs, rules).ok() } else { None };
        let mut tape = Tape::new();
        let mut errors = (on_error == OnError::Column).then(Errors::default);
        let mut interrupts = Interrupts::new();
        let filled = rows.try_for_each(|row| -> Result<(), Refused> {
            interrupts.check()?;
            let Some(octets) = row else {
                columns.skip();
                unknowns.skip();
                errors.iter_mut().for_each(|errors| errors.push(None));
                return Ok(());
            };
            let pushed = match code.as_mut() {
                Some(code) => code.decode(octets).map(|data| unknowns.push_generated(columns, data)),
                None => {
                    let on_tape = program.and_then(|codec| codec.decode_on(&mut tape, octets));
                    on_tape.map(|part| unknowns.push_tape(columns, part))
                }
            };
            let pushed = pushed.unwrap_or_else(|| {
                let value = self.decode_interpreted(codecs, rules, octets);
                value.and_then(|value| unknowns.push(columns, &value))
            });
            if let Err(problem) = &pushed
                && (on_error == OnError::Raise || problem.code == LIMIT)
            {
                return Err(Problem { row: Some(columns.rows()), ..problem.again() }.into());
            }
            if pushed.is_err() {
                columns.skip();
                unknowns.skip();
            }
            errors.iter_mut().for_each(|errors| errors.push(pushed.as_ref().err()));
            Ok(())
        });
        if let Some(code) = code {
            self.give_back(codecs, rules, code);
        }
        filled?;
        let batch = columns.finish().map_err(Problem::from)?;
        let mut arrays = batch.columns().to_vec();
        arrays.extend(errors.map(Errors::finish).transpose()?);
        let fields = Fieldset::new(on_error.fields(&batch.schema()));
        let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
        Ok(Batch::try_new_with_options(fields.into(), arrays, &options).map_err(Problem::from)?)
    }
}

impl Schema {
    /// Columns of a type's values; rows without a value are null in all of them.
    pub(crate) fn columns(&self, name: Option<&str>, selected: Option<Vec<String>>) -> PyResult<Columns> {
        if selected.as_ref().is_some_and(Vec::is_empty) {
            return Err(PyValueError::new_err("columns names no column; leave it out for all of them"));
        }
        let selected = selected.unwrap_or_default();
        let selected: Vec<&str> = selected.iter().map(String::as_str).collect();
        let type_id = self.find(name)?;
        match Columns::new(self.model(), type_id, &selected) {
            Ok(columns) => Ok(columns.nullable()),
            Err(error) => {
                let hint = if error.code == "columns.unknown" { self.nearest_column(type_id, &selected) } else { None };
                let problem = Problem::from(error);
                let hint = hint.map_or(String::new(), |path| format!("; did you mean `{path}`?"));
                Err(Problem { what: format!("{}{hint}", problem.what), ..problem }.into())
            }
        }
    }

    /// Of the first selected path that no field has, the path as far as it is known, with the
    /// nearest name after it.
    #[cold]
    fn nearest_column(&self, type_id: TypeId, selected: &[&str]) -> Option<String> {
        let all = Columns::new(self.model(), type_id, &[]).ok()?.schema();
        selected.iter().find_map(|path| misspelt(all.fields(), path))
    }
}

fn misspelt(all: &Fields, path: &str) -> Option<String> {
    let (mut fields, mut known) = (all, String::new());
    for name in path.split('.') {
        match fields.iter().find(|field| field.name() == name) {
            Some(field) => fields = parts_of(field.data_type())?,
            None => {
                let near = nearest_of(name, fields.iter().map(|field| field.name().clone()))?;
                return Some(known + &near);
            }
        }
        known = known + name + ".";
    }
    None
}

/// The fields of a struct, or of the elements of a list.
fn parts_of(of: &DataType) -> Option<&Fields> {
    match of {
        DataType::Struct(fields) => Some(fields),
        DataType::List(element) => parts_of(element.data_type()),
        _ => None,
    }
}

/// The column of errors: what, at which bit, in which field; null where a row has a value, or had
/// no octets.
#[derive(Default)]
pub(crate) struct Errors {
    codes: StringBuilder,
    messages: StringBuilder,
    bits: UInt64Builder,
    paths: StringBuilder,
}

impl Errors {
    pub(crate) fn push(&mut self, problem: Option<&Problem>) {
        self.codes.append_option(problem.map(|problem| problem.code.as_str()));
        self.messages.append_option(problem.map(Problem::message));
        self.bits.append_option(problem.and_then(|problem| problem.bit).map(|bit| bit as u64));
        self.paths.append_option(problem.map(|problem| problem.path.as_str()));
    }

    pub(crate) fn finish(mut self) -> Result<ArrayRef, Problem> {
        let codes = self.codes.finish();
        let nulls = codes.nulls().cloned();
        let parts: Vec<ArrayRef> = vec![
            Arc::new(codes),
            Arc::new(self.messages.finish()),
            Arc::new(self.bits.finish()),
            Arc::new(self.paths.finish()),
        ];
        Ok(Arc::new(StructArray::try_new(error_fields(), parts, nulls).map_err(Problem::from)?))
    }
}

/// The fields of a type, and those that are asked for beside them.
fn all_fields(schema: &SchemaRef, on_error: OnError, on_unknown: OnUnknown) -> Result<SchemaRef, Problem> {
    let mut fields = on_error.fields(schema);
    if on_unknown == OnUnknown::Column {
        fields.push(Arc::new(UnknownColumn::new()?.field()));
    }
    Ok(Arc::new(Fieldset::new(fields)))
}

pub(crate) fn error_field() -> Field {
    Field::new(ERROR, DataType::Struct(error_fields()), true)
}

fn error_fields() -> Fields {
    let text = |name: &str| Field::new(name, DataType::Utf8, true);
    vec![text("code"), text("message"), Field::new("bit", DataType::UInt64, true), text("path")].into()
}
