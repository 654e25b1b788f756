//! Which parts of a table have had a value so far.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::cast::AsArray as _;
use arrow_array::{Array as _, ArrayRef};
use arrow_schema::{DataType, FieldRef, Fields};

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

    pub(crate) fn is_leaf(&self) -> bool {
        !matches!(self.field.data_type(), DataType::Struct(_) | DataType::List(_))
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
}

/// The arrays of a record's parts, or of a list's elements.
pub(crate) fn parts_of(array: &ArrayRef) -> &[ArrayRef] {
    match (array.as_struct_opt(), array.as_list_opt::<i32>()) {
        (Some(record), _) => record.columns(),
        (_, Some(lists)) => std::slice::from_ref(lists.values()),
        _ => &[],
    }
}
