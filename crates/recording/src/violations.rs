//! Constraints that a value breaks, as objects and as a column.

use roadwire::{Offending, Violation};
#[cfg(feature = "columns")]
use roadwire_columns::arrays::ArrayRef;
#[cfg(feature = "columns")]
use roadwire_columns::arrays::builder::{Int64Builder, ListBuilder, StringBuilder, StructBuilder};
#[cfg(feature = "columns")]
use roadwire_columns::fields::{DataType, Field, Fields};
use serde_json::{Value as Json, json};

/// As an array of objects: `docs/violations.md` has their members.
#[must_use]
pub fn to_json(violations: &[Violation]) -> Json {
    violations.iter().map(one_to_json).collect()
}

fn one_to_json(of: &Violation) -> Json {
    let mut object = json!({"path": of.path, "constraint": of.constraint, "code": of.code, "message": of.message});
    if let Some(at) = of.at {
        object["at"] = at.into();
    }
    if let Some(value) = &of.value {
        object["value"] = value_to_json(value);
    }
    object
}

/// Numbers of more than 64 bits are text.
fn value_to_json(value: &Offending) -> Json {
    match value {
        Offending::Text(text) => json!(text),
        Offending::Number(number) => match (i64::try_from(number), u64::try_from(number)) {
            (Ok(number), _) => json!(number),
            (_, Ok(number)) => json!(number),
            _ => json!(number.to_string()),
        },
    }
}

/// The members of an object in a column. The value is text: its number, or itself.
#[cfg(feature = "columns")]
fn fields() -> Fields {
    let field = |name, is_number, nullable| {
        Field::new(name, if is_number { DataType::Int64 } else { DataType::Utf8 }, nullable)
    };
    Fields::from(vec![
        field("path", false, false),
        field("at", true, true),
        field("value", false, true),
        field("constraint", false, false),
        field("code", false, false),
        field("message", false, false),
    ])
}

/// The type of the column: a list of structs.
#[cfg(feature = "columns")]
pub(crate) fn data_type() -> DataType {
    DataType::List(Field::new("item", DataType::Struct(fields()), false).into())
}

/// The column of these rows, in their order, among so many; the others are null.
#[cfg(feature = "columns")]
pub(crate) fn to_array(of_rows: Vec<(usize, Vec<Violation>)>, rows: usize) -> ArrayRef {
    let objects = StructBuilder::from_fields(fields(), of_rows.len());
    let mut lists = ListBuilder::new(objects).with_field(Field::new("item", DataType::Struct(fields()), false));
    let mut row = 0;
    for (at, violations) in of_rows {
        (row..at).for_each(|_| lists.append_null());
        row = at + 1;
        violations.iter().for_each(|one| append(lists.values(), one));
        lists.append(true);
    }
    (row..rows).for_each(|_| lists.append_null());
    std::sync::Arc::new(lists.finish())
}

#[cfg(feature = "columns")]
fn append(object: &mut StructBuilder, of: &Violation) {
    let value = of.value.as_ref().map(|value| match value {
        Offending::Text(text) => text.clone(),
        Offending::Number(number) => number.to_string(),
    });
    let texts = [(0, Some(&of.path)), (2, value.as_ref()), (3, Some(&of.constraint)), (5, Some(&of.message))];
    for (place, text) in texts {
        if let Some(column) = object.field_builder::<StringBuilder>(place) {
            column.append_option(text);
        }
    }
    if let Some(column) = object.field_builder::<StringBuilder>(4) {
        column.append_value(of.code);
    }
    if let Some(column) = object.field_builder::<Int64Builder>(1) {
        column.append_option(of.at.and_then(|bit| i64::try_from(bit).ok()));
    }
    object.append(true);
}
