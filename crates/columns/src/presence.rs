//! Which parts of a table have had a value so far.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::cast::AsArray as _;
use arrow_array::{Array as _, ArrayRef, ListArray, StructArray};
use arrow_schema::{ArrowError, DataType, Field, FieldRef, Fields};

/// A field of a Parquet file.
pub(crate) struct Presence {
    field: FieldRef,
    /// Its leaves among all of the file.
    pub(crate) leaves: Range<usize>,
    pub(crate) is_present: bool,
    /// Of a record its parts, of a list its elements.
    pub(crate) parts: Vec<Presence>,
}

/// Fields whose first leaf is this one. None has had a value.
pub(crate) fn leaves_of(fields: &Fields, mut first: usize) -> Vec<Presence> {
    let mut all = Vec::with_capacity(fields.len());
    for field in fields {
        let parts = match field.data_type() {
            DataType::Struct(parts) => leaves_of(parts, first),
            DataType::List(element) => leaves_of(&Fields::from(vec![Arc::clone(element)]), first),
            _ => Vec::new(),
        };
        let end = match field.data_type() {
            DataType::Struct(_) | DataType::List(_) => parts.last().map_or(first, |part| part.leaves.end),
            _ => first + 1,
        };
        all.push(Presence { field: Arc::clone(field), leaves: first..end, is_present: false, parts });
        first = end;
    }
    all
}

impl Presence {
    pub(crate) fn is_nullable(&self) -> bool {
        self.field.is_nullable()
    }

    /// Whether its parts have other levels than those of the record around it.
    pub(crate) fn has_levels(&self) -> bool {
        self.is_nullable() || !matches!(self.field.data_type(), DataType::Struct(_))
    }

    /// Whether a part has its first value in this array.
    pub(crate) fn notice(&mut self, array: &ArrayRef) -> bool {
        if array.is_empty() || self.is_nullable() && array.null_count() == array.len() {
            return false;
        }
        let mut is_new = !std::mem::replace(&mut self.is_present, true);
        for (part, array) in self.parts.iter_mut().zip(parts_of(array)) {
            is_new |= part.notice(array);
        }
        is_new
    }

    /// Appends the leaves that have had a value, in their order.
    pub(crate) fn present_leaves(&self, leaves: &mut Vec<usize>) {
        match self.field.data_type() {
            _ if !self.is_present => {}
            DataType::Struct(_) | DataType::List(_) => self.parts.iter().for_each(|part| part.present_leaves(leaves)),
            _ => leaves.push(self.leaves.start),
        }
    }

    /// An array, and its field, with those leaves alone.
    pub(crate) fn present_part(&self, array: &ArrayRef) -> Result<Option<(FieldRef, ArrayRef)>, ArrowError> {
        if !self.is_present {
            return Ok(None);
        }
        let (of_file, array): (_, ArrayRef) = match (self.field.data_type(), array.data_type()) {
            (DataType::Struct(_), DataType::Struct(of_array)) => {
                let record = array.as_struct();
                let (mut of_file, mut fields, mut arrays) = (Vec::new(), Vec::new(), Vec::new());
                for ((part, field), array) in self.parts.iter().zip(of_array).zip(record.columns()) {
                    if let Some((of_part, array)) = part.present_part(array)? {
                        fields.push(with_type(field, array.data_type().clone()));
                        of_file.push(of_part);
                        arrays.push(array);
                    }
                }
                if arrays.is_empty() {
                    return Ok(None);
                }
                let nulls = record.nulls().cloned();
                let record = StructArray::try_new_with_length(fields.into(), arrays, nulls, record.len())?;
                (DataType::Struct(of_file.into()), Arc::new(record))
            }
            (DataType::List(_), DataType::List(of_array)) => {
                let (lists, element) = (array.as_list::<i32>(), self.parts.first());
                let found = element.map(|element| element.present_part(lists.values())).transpose()?;
                let Some((of_file, elements)) = found.flatten() else { return Ok(None) };
                let field = with_type(of_array, elements.data_type().clone());
                let lists = ListArray::try_new(field, lists.offsets().clone(), elements, lists.nulls().cloned())?;
                (DataType::List(of_file), Arc::new(lists))
            }
            _ => return Ok(Some((Arc::clone(&self.field), Arc::clone(array)))),
        };
        Ok(Some((with_type(&self.field, of_file), array)))
    }
}

/// The arrays of a record's parts, or of a list's elements.
pub(crate) fn parts_of(array: &ArrayRef) -> &[ArrayRef] {
    match (array.as_struct_opt(), array.as_list_opt::<i32>()) {
        (Some(record), _) => record.columns(),
        (_, Some(lists)) => std::slice::from_ref(lists.values()),
        _ => &[],
    }
}

fn with_type(field: &FieldRef, data_type: DataType) -> FieldRef {
    Arc::new(Field::clone(field).with_data_type(data_type))
}
