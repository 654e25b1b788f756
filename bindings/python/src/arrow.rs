//! Arrow arrays from and for other libraries, through capsules (the Arrow PyCapsule interface):
//! pyarrow, polars, DuckDB and others have it, and none of them is needed.
#![allow(unsafe_code, reason = "the C data interface has pointers; who makes a capsule answers for what is in it")]

use std::ffi::CStr;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyCapsule, PyString, PyTuple};
use roadwire_columns::ColumnsError;
use roadwire_columns::arrays::cast::AsArray as _;
use roadwire_columns::arrays::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi};
use roadwire_columns::arrays::ffi_stream::{ArrayStreamReader, FFI_ArrowArrayStream};
use roadwire_columns::arrays::{
    Array, ArrayRef, RecordBatch as Batch, RecordBatchReader, StructArray, array::AnyDictionaryArray as AnyDictionary,
    make_array,
};
use roadwire_columns::fields::{ArrowError, DataType, SchemaRef};
use roadwire_recording::StreamError;

use crate::error::Problem;
use crate::unknown::UNKNOWN_ROWS;

const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";
const STREAM: &CStr = c"arrow_array_stream";

/// The names and types of columns.
#[pyclass(frozen, module = "roadwire")]
pub(crate) struct ArrowSchema(pub(crate) SchemaRef);

#[pymethods]
impl ArrowSchema {
    #[getter]
    fn names(&self) -> Vec<&str> {
        self.0.fields().iter().map(|field| field.name().as_str()).collect()
    }

    fn __len__(&self) -> usize {
        self.0.fields().len()
    }

    fn __repr__(&self) -> String {
        format!("<roadwire.ArrowSchema: {}>", self.names().join(", "))
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema_capsule(py, &*self.0)
    }
}

/// Rows in columns.
#[pyclass(frozen, module = "roadwire")]
pub(crate) struct RecordBatch(pub(crate) Batch);

#[pymethods]
impl RecordBatch {
    #[getter]
    fn num_rows(&self) -> usize {
        self.0.num_rows()
    }

    #[getter]
    fn num_columns(&self) -> usize {
        self.0.num_columns()
    }

    #[getter]
    fn schema(&self) -> ArrowSchema {
        ArrowSchema(self.0.schema())
    }

    /// In how many rows `decode_batch` found parts that the type does not know: extension additions
    /// of a later version. The batch's metadata `asn1.unknown_rows` says the same, if there are
    /// any.
    #[getter]
    fn unknown_rows(&self) -> usize {
        self.0.schema_ref().metadata().get(UNKNOWN_ROWS).and_then(|count| count.parse().ok()).unwrap_or(0)
    }

    fn __len__(&self) -> usize {
        self.0.num_rows()
    }

    fn __repr__(&self) -> String {
        let unknown = match self.unknown_rows() {
            0 => String::new(),
            rows => format!(", unknown additions in {rows}"),
        };
        format!("<roadwire.RecordBatch: {} rows, {} columns{unknown}>", self.0.num_rows(), self.0.num_columns())
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema_capsule(py, &*self.0.schema())
    }

    /// A request for another schema is ignored, as the interface allows.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let _ = requested_schema;
        array_capsules(py, schema_capsule(py, &*self.0.schema())?, &StructArray::from(self.0.clone()))
    }
}

pub(crate) fn schema_capsule<'py, S>(py: Python<'py>, schema: &'_ S) -> PyResult<Bound<'py, PyCapsule>>
where
    FFI_ArrowSchema: for<'s> TryFrom<&'s S, Error = ArrowError>,
{
    let schema = FFI_ArrowSchema::try_from(schema).map_err(Problem::from)?;
    PyCapsule::new_with_value(py, schema, SCHEMA)
}

/// An array after its schema.
pub(crate) fn array_capsules<'py>(
    py: Python<'py>,
    schema: Bound<'py, PyCapsule>,
    array: &dyn Array,
) -> PyResult<Bound<'py, PyTuple>> {
    PyTuple::new(py, [schema, PyCapsule::new_with_value(py, FFI_ArrowArray::new(&array.to_data()), ARRAY)?])
}

/// A stream that another library reads.
pub(crate) fn stream_capsule(
    py: Python<'_>,
    reader: Box<dyn RecordBatchReader + Send>,
) -> PyResult<Bound<'_, PyCapsule>> {
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(reader), STREAM)
}

/// The arrays of an object with `__arrow_c_array__` or `__arrow_c_stream__`; nothing if it has
/// neither.
///
/// # Errors
/// The object's own, and those of its data.
pub(crate) fn arrays(object: &Bound<'_, PyAny>) -> PyResult<Option<Vec<ArrayRef>>> {
    if let Some(export) = object.getattr_opt("__arrow_c_array__")? {
        let (schema, array): (Bound<'_, PyCapsule>, Bound<'_, PyCapsule>) = export.call0()?.extract()?;
        return Ok(Some(vec![array_of(&schema, &array)?]));
    }
    let Some(export) = object.getattr_opt("__arrow_c_stream__")? else { return Ok(None) };
    let stream = export.call0()?.cast_into::<PyCapsule>()?;
    let pointer = stream.pointer_checked(Some(STREAM))?.cast::<FFI_ArrowArrayStream>();
    // SAFETY: a capsule of this name has a stream, which is moved out of it.
    let stream = unsafe { FFI_ArrowArrayStream::from_raw(pointer.as_ptr()) };
    let reader = ArrayStreamReader::try_new(stream).map_err(Problem::from)?;
    Ok(Some(reader.collect::<Result<_, _>>().map_err(Problem::from)?))
}

fn array_of(schema: &Bound<'_, PyCapsule>, array: &Bound<'_, PyCapsule>) -> PyResult<ArrayRef> {
    let schema = schema.pointer_checked(Some(SCHEMA))?.cast::<FFI_ArrowSchema>();
    let array = array.pointer_checked(Some(ARRAY))?.cast::<FFI_ArrowArray>();
    // SAFETY: capsules of these names have these structs. The array is moved out of its capsule,
    // and the schema's capsule outlives this call.
    let mut data =
        unsafe { from_ffi(FFI_ArrowArray::from_raw(array.as_ptr()), schema.as_ref()) }.map_err(Problem::from)?;
    // Another library may have put them anywhere.
    data.align_buffers();
    Ok(make_array(data))
}

/// Octets in rows, some of which may be null.
pub(crate) enum Rows {
    Objects(Vec<Option<PyBackedBytes>>),
    Arrays(Vec<ArrayRef>),
}

impl Rows {
    /// # Errors
    /// `TypeError`: an array of something other than octets or text.
    pub(crate) fn new(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Some(arrays) = arrays(object)? {
            let arrays: Vec<ArrayRef> = arrays.into_iter().map(only_column).collect();
            return match arrays.iter().find(|array| !has_octets(array.data_type())) {
                Some(array) => Err(PyTypeError::new_err(format!(
                    "expected an array of binary or text, found {}",
                    array.data_type()
                ))),
                None => Ok(Rows::Arrays(arrays)),
            };
        }
        if object.is_instance_of::<PyString>() || object.is_instance_of::<PyBytes>() {
            return Err(PyTypeError::new_err(
                "expected an array of octets, or a list of bytes, found a single message",
            ));
        }
        let mut rows = Vec::new();
        for item in object.try_iter()? {
            let item = item?;
            rows.push(if item.is_none() { None } else { Some(octets_of(&item)?) });
        }
        Ok(Rows::Objects(rows))
    }

    /// Arrays of octets.
    pub(crate) fn of_arrays(arrays: Vec<ArrayRef>) -> Self {
        Rows::Arrays(arrays)
    }

    /// Passes each row to a function, in their order.
    ///
    /// # Errors
    /// The first of the function, after which it is not called again.
    pub(crate) fn try_for_each<E>(&self, mut each: impl FnMut(Option<&[u8]>) -> Result<(), E>) -> Result<(), E> {
        match self {
            Rows::Objects(rows) => rows.iter().try_for_each(|row| each(row.as_deref())),
            Rows::Arrays(arrays) => arrays.iter().try_for_each(|array| of_array(array, &mut each)),
        }
    }
}

/// The octets of a bytes-like object, or of a str.
fn octets_of(object: &Bound<'_, PyAny>) -> PyResult<PyBackedBytes> {
    if let Ok(octets) = object.cast::<PyBytes>() {
        return Ok(octets.clone().into());
    }
    let octets = crate::schema::with_input(object, true, |octets| PyBytes::new(object.py(), octets))?;
    Ok(octets.into())
}

/// The column of a table that has only one; another array as it is.
fn only_column(array: ArrayRef) -> ArrayRef {
    match array.as_struct_opt() {
        Some(table) if table.num_columns() == 1 && table.null_count() == 0 => table.column(0).clone(),
        _ => array,
    }
}

fn has_octets(of: &DataType) -> bool {
    match of {
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView | DataType::FixedSizeBinary(_) => true,
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View | DataType::Null => true,
        DataType::Dictionary(_, values) => has_octets(values),
        _ => false,
    }
}

/// The function that is called for each row.
type Each<'e, E> = dyn FnMut(Option<&[u8]>) -> Result<(), E> + 'e;

fn of_array<E>(array: &ArrayRef, each: &mut Each<'_, E>) -> Result<(), E> {
    if let Some(dictionary) = array.as_any_dictionary_opt() {
        return of_dictionary(dictionary, each);
    }
    macro_rules! octets {
        ($array:expr) => {
            $array.iter().try_for_each(|row| each(row.map(AsRef::as_ref)))
        };
    }
    match array.data_type() {
        DataType::Binary => octets!(array.as_binary::<i32>()),
        DataType::LargeBinary => octets!(array.as_binary::<i64>()),
        DataType::BinaryView => octets!(array.as_binary_view()),
        DataType::FixedSizeBinary(_) => octets!(array.as_fixed_size_binary()),
        DataType::Utf8 => octets!(array.as_string::<i32>()),
        DataType::LargeUtf8 => octets!(array.as_string::<i64>()),
        DataType::Utf8View => octets!(array.as_string_view()),
        // An array of another type has no octets: its rows are null.
        _ => (0..array.len()).try_for_each(|_| each(None)),
    }
}

fn of_dictionary<E>(dictionary: &dyn AnyDictionary, each: &mut Each<'_, E>) -> Result<(), E> {
    let mut values: Vec<Option<Vec<u8>>> = Vec::with_capacity(dictionary.values().len());
    let copied = of_array(dictionary.values(), &mut |value| {
        values.push(value.map(<[u8]>::to_vec));
        Ok::<(), E>(())
    });
    copied?;
    let keys = if values.is_empty() { Vec::new() } else { dictionary.normalized_keys() };
    (0..dictionary.len()).try_for_each(|row| {
        let key = keys.get(row).filter(|_| dictionary.keys().is_valid(row));
        each(key.and_then(|key| values.get(*key)?.as_deref()))
    })
}

/// A recording's own errors come through Arrow's streams; all others are Arrow's.
impl From<ArrowError> for Problem {
    fn from(error: ArrowError) -> Self {
        match error {
            ArrowError::ExternalError(error) => match error.downcast::<StreamError>() {
                Ok(error) => (*error).into(),
                Err(error) => Problem::new("columns.arrow", error.to_string()),
            },
            error => Problem::new("columns.arrow", error.to_string()),
        }
    }
}

impl From<ColumnsError> for Problem {
    fn from(error: ColumnsError) -> Self {
        Problem { path: error.path, ..Problem::new(error.code, error.message) }
    }
}
