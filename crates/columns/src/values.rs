//! The values of a leaf's array, whichever of the array types that programs use for them it is.

use arrow_array::types::{
    Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{
    Array, ArrayRef, BinaryArray, BinaryViewArray, BooleanArray, FixedSizeBinaryArray, LargeBinaryArray,
    LargeStringArray, PrimitiveArray, StringArray, StringViewArray, cast::AsArray,
};
use arrow_schema::DataType;

/// An array of leaves.
#[derive(Debug)]
pub(crate) enum Values {
    Boolean(BooleanArray),
    I8(PrimitiveArray<Int8Type>),
    I16(PrimitiveArray<Int16Type>),
    I32(PrimitiveArray<Int32Type>),
    I64(PrimitiveArray<Int64Type>),
    U8(PrimitiveArray<UInt8Type>),
    U16(PrimitiveArray<UInt16Type>),
    U32(PrimitiveArray<UInt32Type>),
    U64(PrimitiveArray<UInt64Type>),
    F32(PrimitiveArray<Float32Type>),
    F64(PrimitiveArray<Float64Type>),
    Text(StringArray),
    LargeText(LargeStringArray),
    TextView(StringViewArray),
    Octets(BinaryArray),
    LargeOctets(LargeBinaryArray),
    OctetsView(BinaryViewArray),
    Fixed(FixedSizeBinaryArray),
    /// Places among the values.
    Dictionary(Vec<usize>, Box<Values>),
}

impl Values {
    /// Nothing for an array of another kind.
    pub(crate) fn new(array: &ArrayRef) -> Option<Values> {
        Some(match array.data_type() {
            DataType::Boolean => Values::Boolean(array.as_boolean_opt()?.clone()),
            DataType::Int8 => Values::I8(array.as_primitive_opt()?.clone()),
            DataType::Int16 => Values::I16(array.as_primitive_opt()?.clone()),
            DataType::Int32 => Values::I32(array.as_primitive_opt()?.clone()),
            DataType::Int64 => Values::I64(array.as_primitive_opt()?.clone()),
            DataType::UInt8 => Values::U8(array.as_primitive_opt()?.clone()),
            DataType::UInt16 => Values::U16(array.as_primitive_opt()?.clone()),
            DataType::UInt32 => Values::U32(array.as_primitive_opt()?.clone()),
            DataType::UInt64 => Values::U64(array.as_primitive_opt()?.clone()),
            DataType::Float32 => Values::F32(array.as_primitive_opt()?.clone()),
            DataType::Float64 => Values::F64(array.as_primitive_opt()?.clone()),
            DataType::Utf8 => Values::Text(array.as_string_opt()?.clone()),
            DataType::LargeUtf8 => Values::LargeText(array.as_string_opt()?.clone()),
            DataType::Utf8View => Values::TextView(array.as_string_view_opt()?.clone()),
            DataType::Binary => Values::Octets(array.as_binary_opt()?.clone()),
            DataType::LargeBinary => Values::LargeOctets(array.as_binary_opt()?.clone()),
            DataType::BinaryView => Values::OctetsView(array.as_binary_view_opt()?.clone()),
            DataType::FixedSizeBinary(_) => Values::Fixed(array.as_fixed_size_binary_opt()?.clone()),
            DataType::Dictionary(..) => {
                let array = array.as_any_dictionary_opt()?;
                // An array of nulls may have no values, and no place to point to.
                let places = if array.values().is_empty() { vec![0; array.len()] } else { array.normalized_keys() };
                Values::Dictionary(places, Box::new(Values::new(array.values())?))
            }
            _ => return None,
        })
    }

    pub(crate) fn boolean(&self, row: usize) -> Option<bool> {
        match self {
            Values::Boolean(array) => Some(array.value(row)),
            Values::Dictionary(places, values) => values.boolean(*places.get(row)?),
            _ => None,
        }
    }

    pub(crate) fn integer(&self, row: usize) -> Option<i128> {
        Some(match self {
            Values::I8(array) => array.value(row).into(),
            Values::I16(array) => array.value(row).into(),
            Values::I32(array) => array.value(row).into(),
            Values::I64(array) => array.value(row).into(),
            Values::U8(array) => array.value(row).into(),
            Values::U16(array) => array.value(row).into(),
            Values::U32(array) => array.value(row).into(),
            Values::U64(array) => array.value(row).into(),
            Values::Dictionary(places, values) => return values.integer(*places.get(row)?),
            _ => return None,
        })
    }

    pub(crate) fn real(&self, row: usize) -> Option<f64> {
        match self {
            Values::F32(array) => Some(array.value(row).into()),
            Values::F64(array) => Some(array.value(row)),
            Values::Dictionary(places, values) => values.real(*places.get(row)?),
            _ => None,
        }
    }

    pub(crate) fn text(&self, row: usize) -> Option<&str> {
        match self {
            Values::Text(array) => Some(array.value(row)),
            Values::LargeText(array) => Some(array.value(row)),
            Values::TextView(array) => Some(array.value(row)),
            Values::Dictionary(places, values) => values.text(*places.get(row)?),
            _ => None,
        }
    }

    pub(crate) fn octets(&self, row: usize) -> Option<&[u8]> {
        match self {
            Values::Octets(array) => Some(array.value(row)),
            Values::LargeOctets(array) => Some(array.value(row)),
            Values::OctetsView(array) => Some(array.value(row)),
            Values::Fixed(array) => Some(array.value(row)),
            Values::Dictionary(places, values) => values.octets(*places.get(row)?),
            _ => None,
        }
    }
}
