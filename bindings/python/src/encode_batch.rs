//! `Schema.encode_batch`: columns to octets in rows, without a Python object for each value.

use std::sync::Arc;

use pyo3::IntoPyObjectExt as _;
use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule, PyTuple};
use roadwire::{CodecError, Rules, Value};
use roadwire_columns::arrays::builder::{ArrayBuilder as _, BinaryBuilder};
use roadwire_columns::arrays::cast::AsArray as _;
use roadwire_columns::arrays::{Array as _, ArrayRef, BinaryArray, RecordBatch as Batch, RecordBatchOptions};
use roadwire_columns::fields::{DataType, Field, Schema as Fieldset};
use roadwire_columns::{Rows, UNKNOWN, UnknownAddition, UnknownRows};
use roadwire_model::check;

use crate::arrow::{RecordBatch, array_capsules, arrays, schema_capsule};
use crate::batch::{ERROR, Errors, Interrupts, LIMIT, OnError, error_field};
use crate::error::Problem;
use crate::schema::{Codecs, Schema, rules_of};

/// The most octets, and rows, of an array of binary.
const MOST_OCTETS: usize = i32::MAX as usize;

/// Encoded messages, some of which may be null.
#[pyclass(frozen, module = "roadwire")]
pub(crate) struct OctetArray(BinaryArray);

#[pymethods]
impl OctetArray {
    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, row: isize) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let length = self.0.len() as isize;
        let row = if row < 0 { row + length } else { row };
        if !(0..length).contains(&row) {
            return Err(PyIndexError::new_err(format!("row {row} of {length}")));
        }
        let row = row as usize;
        Ok(self.0.is_valid(row).then(|| PyBytes::new(py, self.0.value(row))))
    }

    /// A list of bytes, and None where there is no message.
    fn to_pylist<'py>(&self, py: Python<'py>) -> Vec<Option<Bound<'py, PyBytes>>> {
        self.0.iter().map(|row| row.map(|octets| PyBytes::new(py, octets))).collect()
    }

    fn __repr__(&self) -> String {
        format!("<roadwire.OctetArray: {} rows>", self.0.len())
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema_capsule(py, &field())
    }

    /// A request for another type is ignored, as the interface allows.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let _ = requested_schema;
        array_capsules(py, schema_capsule(py, &field())?, &self.0)
    }
}

fn field() -> Field {
    Field::new("octets", DataType::Binary, true)
}

#[pymethods]
impl Schema {
    /// Messages from columns, as `decode_batch` makes them: an object with `__arrow_c_array__`, an
    /// array of binary.
    ///
    /// `batch` is a record batch, a table or a stream of any library with the PyCapsule interface.
    /// Columns are found by their names, each of which may occur once; those of optional parts may
    /// be missing. Wider integers, large and view types, and dictionaries are also taken. A row of
    /// nulls becomes null, and a column `_error` is ignored. The content of a column `_unknown`, as
    /// `decode_batch` makes it with `unknown="column"`, is put back where it was; under rules that
    /// its octets are not of, the message is refused (`additions.foreign`).
    ///
    /// `errors` says what becomes of a row that is refused: `"raise"` raises `Error`, whose `row`
    /// says which one; `"null"` makes a null; `"column"` makes a `RecordBatch` of the columns
    /// `octets` and `_error` (code, message, bit, path).
    ///
    /// Raises `Error` with the row, the field, and the fault: `columns.absent`, `columns.choice`,
    /// `columns.value`, `columns.addition`, or what `encode` says. Whatever `errors` is, it raises
    /// `columns.type`, `columns.unknown` and `columns.double` for columns that do not fit the type,
    /// and `columns.limit` for messages of more than 2^31 octets together.
    ///
    /// Other threads run meanwhile.
    ///
    /// >>> import roadwire
    /// >>> cam = roadwire.schema("cam-1.4.1")
    /// >>> octets = bytes.fromhex("020284db8a1042a600fa5e7aa18ea5ceac81901900003b791280")
    /// >>> batch = cam.decode_batch("uper", [octets, None])
    /// >>> cam.encode_batch("uper", batch).to_pylist() == [octets, None]
    /// True
    #[pyo3(signature = (rules, batch, r#type=None, errors="raise"))]
    fn encode_batch<'py>(
        &self,
        py: Python<'py>,
        rules: &str,
        batch: &Bound<'py, PyAny>,
        r#type: Option<&str>,
        errors: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (codecs, rules, on_error) = (self.codecs(r#type)?, rules_of(rules)?, OnError::new(errors)?);
        let Some(tables) = arrays(batch)? else {
            return Err(PyTypeError::new_err(
                "expected columns: an object with __arrow_c_array__ or __arrow_c_stream__",
            ));
        };
        let made = py.detach(|| {
            if on_error != OnError::Raise {
                // Rules under which the type has no encoding are an error of the whole batch.
                self.interpreter(&codecs, rules)?;
            }
            let mut made = Encoded::new(on_error);
            tables.iter().try_for_each(|table| self.encode_rows(&codecs, rules, table, &mut made))?;
            Ok::<_, PyErr>(made)
        })?;
        let Encoded { mut octets, errors, .. } = made;
        let octets = octets.finish();
        match errors {
            None => OctetArray(octets).into_bound_py_any(py),
            Some(errors) => {
                let fields = Fieldset::new(vec![field(), error_field()]);
                let columns: Vec<ArrayRef> = vec![Arc::new(octets), errors.finish()?];
                let batch = Batch::try_new(fields.into(), columns).map_err(Problem::from)?;
                RecordBatch(batch).into_bound_py_any(py)
            }
        }
    }
}

/// The rows that are encoded so far.
struct Encoded {
    octets: BinaryBuilder,
    /// A row for each row of octets, where they are asked for.
    errors: Option<Errors>,
    on_error: OnError,
    interrupts: Interrupts,
}

impl Encoded {
    fn new(on_error: OnError) -> Self {
        let errors = (on_error == OnError::Column).then(Errors::default);
        Encoded { octets: BinaryBuilder::new(), errors, on_error, interrupts: Interrupts::new() }
    }

    /// Appends a message, or null.
    fn push(&mut self, message: Option<&[u8]>) -> Result<(), Problem> {
        let length = message.map_or(0, <[u8]>::len);
        if self.octets.values_slice().len() + length > MOST_OCTETS || self.octets.len() >= MOST_OCTETS {
            let what = "a batch has more than 2^31 rows or octets: encode it in parts";
            return Err(Problem { row: Some(self.octets.len()), ..Problem::new(LIMIT, what) });
        }
        self.octets.append_option(message);
        self.errors.iter_mut().for_each(|errors| errors.push(None));
        Ok(())
    }

    /// Appends a row that was refused, unless that ends all.
    fn refuse(&mut self, problem: Problem) -> Result<(), Problem> {
        if self.on_error == OnError::Raise {
            return Err(Problem { row: Some(self.octets.len()), ..problem });
        }
        self.octets.append_null();
        self.errors.iter_mut().for_each(|errors| errors.push(Some(&problem)));
        Ok(())
    }
}

impl Schema {
    fn encode_rows(&self, codecs: &Codecs, rules: Rules, table: &ArrayRef, made: &mut Encoded) -> PyResult<()> {
        let (batch, unknown) = batch_of(table)?;
        let unknown = unknown.map(|column| UnknownRows::new(&column)).transpose().map_err(Problem::from)?;
        let rows = Rows::new(self.model(), codecs.type_id(), &batch).map_err(Problem::from)?;
        let columns = rows.sources();
        let mut code = self.take_for_encoding(codecs, rules);
        let codec = if code.is_none() { self.interpreter(codecs, rules).ok() } else { None };
        let mut program = codec.and_then(|codec| codec.row_encoder(&columns));
        let done = (0..rows.len()).try_for_each(|row| -> PyResult<()> {
            made.interrupts.check()?;
            let is_null = |column: &ArrayRef| column.is_null(row);
            let unknown = unknown.as_ref().filter(|unknown| !table.is_null(row) && !unknown.is_empty_at(row));
            let is_empty = batch.num_columns() > 0 && batch.columns().iter().all(is_null);
            if table.is_null(row) || is_empty && unknown.is_none() {
                return Ok(made.push(None)?);
            }
            let octets = match (unknown, &mut code, &mut program) {
                (None, Some(code), _) => code.encode_row(&columns, row),
                (None, None, Some(program)) => program.encode(row),
                // Neither writes anything that the type does not know.
                _ => None,
            };
            if octets.is_some() {
                return Ok(made.push(octets)?);
            }
            // The interpreter reports what is wrong, and takes what generated code leaves to it.
            match self.encode_row(codecs, rules, &rows, unknown, row) {
                Ok(octets) => Ok(made.push(Some(&octets))?),
                Err(problem) => Ok(made.refuse(problem)?),
            }
        });
        if let Some(code) = code {
            self.give_back(codecs, rules, code);
        }
        done
    }

    fn encode_row(
        &self,
        codecs: &Codecs,
        rules: Rules,
        rows: &Rows,
        unknown: Option<&UnknownRows>,
        row: usize,
    ) -> Result<Vec<u8>, Problem> {
        let additions = unknown.map_or_else(|| Ok(Vec::new()), |unknown| unknown.row(row))?;
        let value = rows.value_with(row, &additions)?;
        self.can_carry(codecs, &value, &additions, rules)?;
        let violations = check::value(self.model(), codecs.type_id(), &value);
        let encoded = match violations.is_empty() {
            true => self.interpreter(codecs, rules)?.encode(&value),
            false => Err(CodecError::Broken(violations)),
        };
        encoded.map_err(|error| Problem::of(&error, &[]))
    }

    /// Refuses a value with octets of other encoding rules, which mean nothing under these.
    fn can_carry(&self, codecs: &Codecs, value: &Value, of: &[UnknownAddition], to: Rules) -> Result<(), Problem> {
        let mut last = None;
        for (at, addition) in of.iter().enumerate() {
            // Those of one message came together.
            if last == Some(&addition.rules) {
                continue;
            }
            let path = || format!("{UNKNOWN}[{at}].rules");
            let from = rules_of(&addition.rules).map_err(|problem| Problem { path: path(), ..problem })?;
            let carried = self.shared().can_carry(codecs.type_id(), value, from, to);
            carried.map_err(|error| Problem::of(&error, &[]))?;
            last = Some(&addition.rules);
        }
        Ok(())
    }
}

/// The columns of an array of structs, without that of errors, and that of unknown additions.
fn batch_of(table: &ArrayRef) -> Result<(Batch, Option<ArrayRef>), Problem> {
    let Some(fields) = table.as_struct_opt() else {
        let what = format!("expected columns, found an array of {}", table.data_type());
        return Err(Problem::new("columns.type", what));
    };
    let all = fields.fields().iter().zip(fields.columns());
    let is_unknown = |field: &&Arc<Field>| field.name() == UNKNOWN;
    if fields.fields().iter().filter(is_unknown).count() > 1 {
        return Err(Problem::new("columns.double", format!("several columns are called `{UNKNOWN}`")));
    }
    let wanted = all.filter(|(field, _)| ![ERROR, UNKNOWN].contains(&field.name().as_str()));
    let (names, columns): (Vec<_>, Vec<_>) = wanted.map(|(field, column)| (field.clone(), column.clone())).unzip();
    // A row that is null as a whole has something in columns that have no nulls of their own.
    let names: Vec<_> = names.iter().map(|field| Field::clone(field).with_nullable(true)).collect();
    let options = RecordBatchOptions::new().with_row_count(Some(table.len()));
    let batch = Batch::try_new_with_options(Fieldset::new(names).into(), columns, &options)?;
    Ok((batch, fields.column_by_name(UNKNOWN).cloned()))
}
