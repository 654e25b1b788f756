//! Columns as other programs make them: with nulls anywhere, in wider and in other arrays, and as a
//! part of longer ones.

use std::sync::Arc;

use roadwire_columns::arrays::cast::AsArray;
use roadwire_columns::arrays::types::{Int32Type, UInt8Type, UInt16Type};
use roadwire_columns::arrays::{
    Array as _, ArrayRef, BinaryViewArray, BooleanArray, Int64Array, LargeBinaryArray, LargeStringArray, RecordBatch,
    StringViewArray, StructArray, make_array,
};
use roadwire_columns::fields::{DataType, Field, Fields, Schema};
use roadwire_model::random::Rng;

/// One row in so many is changed.
pub(crate) struct Changes<'r> {
    pub(crate) rng: &'r mut Rng,
    pub(crate) one_in: u64,
    /// Whether arrays become others of the same values.
    pub(crate) widen: bool,
}

impl Changes<'_> {
    /// A batch with changes, without its first rows.
    pub(crate) fn of(&mut self, batch: &RecordBatch, first: usize) -> RecordBatch {
        let columns: Vec<_> = batch.columns().iter().map(|column| self.array(column)).collect();
        let fields =
            batch.schema().fields().iter().zip(&columns).map(|(field, column)| of_type(field, column)).collect();
        let changed =
            RecordBatch::try_new(Arc::new(Schema::new(Fields::from_iter::<Vec<_>>(fields))), columns).unwrap();
        changed.slice(first, changed.num_rows() - first)
    }

    fn is_changed(&mut self) -> bool {
        self.one_in > 0 && self.rng.below(self.one_in) == 0
    }

    fn array(&mut self, array: &ArrayRef) -> ArrayRef {
        let valid: Vec<bool> = (0..array.len()).map(|row| array.is_valid(row) != self.is_changed()).collect();
        let array = match array.data_type() {
            DataType::Struct(fields) => {
                let parts: Vec<_> = array.as_struct().columns().iter().map(|part| self.array(part)).collect();
                let fields = fields.iter().zip(&parts).map(|(field, part)| of_type(field, part)).collect();
                return Arc::new(StructArray::new(fields, parts, Some(valid.into())));
            }
            DataType::List(element) => {
                let elements = self.array(array.as_list::<i32>().values());
                let data_type = DataType::List(of_type(element, &elements));
                let data = array.to_data().into_builder().data_type(data_type).child_data(vec![elements.to_data()]);
                make_array(data.build().unwrap())
            }
            DataType::Boolean => {
                let flags = array.as_boolean();
                Arc::new(
                    (0..flags.len()).map(|row| Some(flags.value(row) != self.is_changed())).collect::<BooleanArray>(),
                )
            }
            _ if self.widen => widened(array),
            _ => array.clone(),
        };
        make_array(array.to_data().into_builder().nulls(Some(valid.into())).build().unwrap())
    }
}

fn of_type(field: &Field, array: &ArrayRef) -> Arc<Field> {
    Arc::new(field.clone().with_data_type(array.data_type().clone()).with_nullable(true))
}

/// The same values in another array.
fn widened(array: &ArrayRef) -> ArrayRef {
    match array.data_type() {
        DataType::UInt8 => Arc::new(array.as_primitive::<UInt8Type>().unary::<_, UInt16Type>(u16::from)),
        DataType::UInt16 => Arc::new(
            array.as_primitive::<UInt16Type>().iter().map(|value| value.map(i64::from)).collect::<Int64Array>(),
        ),
        DataType::Int32 => {
            Arc::new(array.as_primitive::<Int32Type>().iter().map(|value| value.map(i64::from)).collect::<Int64Array>())
        }
        DataType::Utf8 => Arc::new(array.as_string::<i32>().iter().collect::<StringViewArray>()),
        DataType::Binary => Arc::new(array.as_binary::<i32>().iter().collect::<LargeBinaryArray>()),
        DataType::FixedSizeBinary(_) => Arc::new(array.as_fixed_size_binary().iter().collect::<BinaryViewArray>()),
        DataType::Dictionary(..) => {
            let (items, keys) = (array.as_any_dictionary().values(), array.as_any_dictionary().normalized_keys());
            let name = |key: usize| Some(items.as_string::<i32>().value(key));
            Arc::new(keys.into_iter().map(name).collect::<LargeStringArray>())
        }
        _ => array.clone(),
    }
}
