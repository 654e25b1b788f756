//! Columns with the types that all readers of Parquet take: text for dictionaries, and times in
//! microseconds.
//!
//! pyarrow and pandas refuse a file whose mandatory dictionary is inside a part that is absent in
//! all rows: they find keys of an empty dictionary. Spark refuses times in nanoseconds.

use std::sync::Arc;

use arrow_array::cast::AsArray as _;
use arrow_array::types::{TimestampMicrosecondType, TimestampNanosecondType};
use arrow_array::{Array as _, ArrayRef, ListArray, RecordBatch, RecordBatchOptions, StructArray};
use arrow_schema::{ArrowError, DataType, Field, Fields, Schema, SchemaRef, TimeUnit};

/// The schema that a Parquet file has of these columns.
pub(crate) fn schema(schema: &Schema) -> SchemaRef {
    Arc::new(Schema::new_with_metadata(fields(schema.fields()), schema.metadata().clone()))
}

/// The rows of a batch for a file with that schema. Dictionaries stay: the writer takes them for
/// text.
pub(crate) fn rows(batch: &RecordBatch) -> Result<RecordBatch, ArrowError> {
    if !batch.schema_ref().fields().iter().any(|field| has_nanoseconds(field.data_type())) {
        return Ok(batch.clone());
    }
    let columns = batch.columns().iter().map(microseconds).collect::<Result<Vec<_>, _>>()?;
    let of = |(field, column): (&Arc<Field>, &ArrayRef)| field_of(field, column.data_type().clone());
    let fields: Fields = batch.schema_ref().fields().iter().zip(&columns).map(of).collect();
    let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
    RecordBatch::try_new_with_options(Arc::new(Schema::new(fields)), columns, &options)
}

fn fields(fields: &Fields) -> Fields {
    fields.iter().map(field).collect()
}

fn field(field: &Arc<Field>) -> Arc<Field> {
    match field.data_type() {
        DataType::Dictionary(_, values) => {
            Arc::new(Field::clone(field).with_data_type(DataType::clone(values)).with_nullable(true))
        }
        DataType::Timestamp(TimeUnit::Nanosecond, zone) => {
            field_of(field, DataType::Timestamp(TimeUnit::Microsecond, zone.clone()))
        }
        DataType::Struct(parts) => field_of(field, DataType::Struct(fields(parts))),
        DataType::List(element) => field_of(field, DataType::List(self::field(element))),
        _ => Arc::clone(field),
    }
}

fn field_of(field: &Field, of: DataType) -> Arc<Field> {
    Arc::new(field.clone().with_data_type(of))
}

fn has_nanoseconds(of: &DataType) -> bool {
    match of {
        DataType::Timestamp(unit, _) => *unit == TimeUnit::Nanosecond,
        DataType::Struct(fields) => fields.iter().any(|field| has_nanoseconds(field.data_type())),
        DataType::List(element) => has_nanoseconds(element.data_type()),
        _ => false,
    }
}

/// The array with its times in microseconds. They are rounded down, before 1970 as well.
fn microseconds(array: &ArrayRef) -> Result<ArrayRef, ArrowError> {
    match array.data_type() {
        of if !has_nanoseconds(of) => Ok(Arc::clone(array)),
        DataType::Struct(of) => {
            let of_parts = array.as_struct();
            let parts = of_parts.columns().iter().map(microseconds).collect::<Result<Vec<_>, _>>()?;
            let fields = of.iter().zip(&parts).map(|(field, part)| field_of(field, part.data_type().clone())).collect();
            Ok(Arc::new(StructArray::try_new(fields, parts, of_parts.nulls().cloned())?))
        }
        DataType::List(element) => {
            let lists = array.as_list::<i32>();
            let elements = microseconds(lists.values())?;
            let element = field_of(element, elements.data_type().clone());
            Ok(Arc::new(ListArray::try_new(element, lists.offsets().clone(), elements, lists.nulls().cloned())?))
        }
        of => {
            let zone = if let DataType::Timestamp(_, zone) = of { zone.clone() } else { None };
            let times = array.as_primitive::<TimestampNanosecondType>();
            let times = times.unary::<_, TimestampMicrosecondType>(|time| time.div_euclid(1000));
            Ok(Arc::new(times.with_timezone_opt(zone)))
        }
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::types::Int16Type;
    use arrow_array::{DictionaryArray, TimestampNanosecondArray};

    use super::*;

    fn batch(columns: Vec<(&str, ArrayRef)>) -> RecordBatch {
        RecordBatch::try_from_iter(columns).expect("columns of one length")
    }

    #[test]
    fn dictionary_is_nullable_text() {
        let items: DictionaryArray<Int16Type> = ["a", "b"].into_iter().collect();
        let items: ArrayRef = Arc::new(items);
        let inner = Field::new("items", items.data_type().clone(), false);
        let outer = StructArray::from(vec![(Arc::new(inner), items)]);
        let schema = schema(batch(vec![("outer", Arc::new(outer))]).schema_ref());
        let text = Fields::from(vec![Field::new("items", DataType::Utf8, true)]);
        assert_eq!(schema.field(0).data_type(), &DataType::Struct(text));
    }

    #[test]
    fn times_are_rounded_down_to_microseconds() {
        let times = TimestampNanosecondArray::from(vec![Some(1_999), Some(-1), None]).with_timezone("UTC");
        let times: ArrayRef = Arc::new(times);
        let element = Field::new("item", times.data_type().clone(), true);
        let offsets = arrow_buffer::OffsetBuffer::from_lengths([1, 0, 2]);
        let lists = ListArray::new(Arc::new(element), offsets, Arc::clone(&times), None);
        let outer = StructArray::from(vec![(Arc::new(Field::new("t", times.data_type().clone(), true)), times)]);
        let batch = batch(vec![("outer", Arc::new(outer)), ("lists", Arc::new(lists))]);
        let made = rows(&batch).expect("times");
        assert_eq!(made.schema_ref().fields(), schema(batch.schema_ref()).fields());
        let of = |array: &ArrayRef| {
            let times = array.as_primitive::<TimestampMicrosecondType>();
            times.iter().collect::<Vec<_>>()
        };
        let wanted = [Some(1), Some(-1), None];
        assert_eq!(of(made.column(0).as_struct().column(0)), wanted);
        assert_eq!(of(made.column(1).as_list::<i32>().values()), wanted);
    }
}
