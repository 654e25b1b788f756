//! Batches as CSV (RFC 4180): a column for each leaf field, called by its path; a list is one cell
//! of JSON.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::rc::Rc;

use arrow_array::cast::AsArray;
use arrow_array::temporal_conversions::timestamp_ns_to_datetime;
use arrow_array::types::{
    ArrowPrimitiveType, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, TimestampNanosecondType, UInt8Type,
    UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, RecordBatch};
use arrow_schema::{DataType, Field, TimeUnit};

/// Octets that are written at once.
const BLOCK: usize = 64 << 10;

/// The names of all leaf fields, in a line.
pub(crate) fn write_head<'f>(fields: impl Iterator<Item = &'f Field>, sink: &mut impl Write) -> io::Result<()> {
    let mut names = Vec::new();
    for field in fields {
        leaf_names(field, "", &mut names);
    }
    let mut line = String::new();
    for (at, name) in names.iter().enumerate() {
        if at > 0 {
            line.push(',');
        }
        quote(name, &mut line);
    }
    line.push('\n');
    sink.write_all(line.as_bytes())
}

/// A line for each row.
pub(crate) fn write_rows(batch: &RecordBatch, sink: &mut impl Write) -> io::Result<()> {
    let mut leaves = Vec::new();
    for array in batch.columns() {
        leaf_cells(array.as_ref(), Rc::new(|_| true), &mut leaves);
    }
    let mut lines = String::with_capacity(BLOCK);
    let mut cell = String::new();
    for row in 0..batch.num_rows() {
        for (at, leaf) in leaves.iter().enumerate() {
            if at > 0 {
                lines.push(',');
            }
            leaf(row, &mut cell);
            quote(&cell, &mut lines);
            cell.clear();
        }
        lines.push('\n');
        if lines.len() >= BLOCK {
            sink.write_all(lines.as_bytes())?;
            lines.clear();
        }
    }
    sink.write_all(lines.as_bytes())
}

fn leaf_names(field: &Field, around: &str, names: &mut Vec<String>) {
    let path = if around.is_empty() { field.name().clone() } else { format!("{around}.{}", field.name()) };
    match field.data_type() {
        DataType::Struct(fields) => fields.iter().for_each(|field| leaf_names(field, &path, names)),
        _ => names.push(path),
    }
}

/// Appends the value of a row.
type Show<'a> = Box<dyn Fn(usize, &mut String) + 'a>;
/// Whether there is something in a row.
type IsThere<'a> = Rc<dyn Fn(usize) -> bool + 'a>;

/// The leaf fields of an array. Of a record that is absent in a row, nothing is shown.
fn leaf_cells<'a>(array: &'a dyn Array, around: IsThere<'a>, leaves: &mut Vec<Show<'a>>) {
    let is_there: IsThere<'a> = match array.nulls() {
        Some(nulls) => Rc::new(move |row| around(row) && nulls.is_valid(row)),
        None => around,
    };
    if let Some(record) = array.as_struct_opt() {
        for column in record.columns() {
            leaf_cells(column.as_ref(), Rc::clone(&is_there), leaves);
        }
        return;
    }
    let show = shown(array, false);
    leaves.push(Box::new(move |row, text| {
        if is_there(row) {
            show(row, text);
        }
    }));
}

/// How a value is shown: in JSON, or as it is. Octets are hex digits.
fn shown<'a>(array: &'a dyn Array, json: bool) -> Show<'a> {
    let text = move |value: &str, text: &mut String| if json { quote_json(value, text) } else { text.push_str(value) };
    match array.data_type() {
        DataType::Int8 => number::<Int8Type>(array),
        DataType::Int16 => number::<Int16Type>(array),
        DataType::Int32 => number::<Int32Type>(array),
        DataType::Int64 => number::<Int64Type>(array),
        DataType::UInt8 => number::<UInt8Type>(array),
        DataType::UInt16 => number::<UInt16Type>(array),
        DataType::UInt32 => number::<UInt32Type>(array),
        DataType::UInt64 => number::<UInt64Type>(array),
        DataType::Float64 => number::<Float64Type>(array),
        DataType::Boolean => {
            let values = array.as_boolean();
            Box::new(move |row, text| text.push_str(if values.value(row) { "true" } else { "false" }))
        }
        DataType::Utf8 => {
            let values = array.as_string::<i32>();
            Box::new(move |row, into| text(values.value(row), into))
        }
        DataType::Dictionary(..) => match array.as_dictionary_opt::<Int16Type>() {
            Some(items) => {
                let names = items.values().as_string::<i32>();
                Box::new(move |row, into| text(names.value(items.keys().value(row) as usize), into))
            }
            None => Box::new(|_, _| {}),
        },
        DataType::Binary => {
            let values = array.as_binary::<i32>();
            Box::new(move |row, into| hex(values.value(row), json, into))
        }
        DataType::FixedSizeBinary(_) => {
            let values = array.as_fixed_size_binary();
            Box::new(move |row, into| hex(values.value(row), json, into))
        }
        DataType::Timestamp(TimeUnit::Nanosecond, _) => {
            let values = array.as_primitive::<TimestampNanosecondType>();
            Box::new(move |row, into| {
                if let Some(time) = timestamp_ns_to_datetime(values.value(row)) {
                    // As records have it.
                    let form = if values.value(row) % 1000 == 0 { "%FT%T%.6fZ" } else { "%FT%T%.9fZ" };
                    text(&time.format(form).to_string(), into);
                }
            })
        }
        DataType::Struct(fields) => {
            let record = array.as_struct();
            let columns = record.columns().iter().zip(fields);
            let members: Vec<_> =
                columns.map(|(column, field)| (field.name(), column, shown(column.as_ref(), true))).collect();
            Box::new(move |row, into| {
                into.push('{');
                let there = members.iter().filter(|(_, column, _)| column.is_valid(row));
                for (at, (name, _, show)) in there.enumerate() {
                    if at > 0 {
                        into.push(',');
                    }
                    quote_json(name, into);
                    into.push(':');
                    show(row, into);
                }
                into.push('}');
            })
        }
        DataType::List(_) => {
            let lists = array.as_list::<i32>();
            let elements = lists.values();
            let show = shown(elements.as_ref(), true);
            Box::new(move |row, into| {
                into.push('[');
                let (start, end) = (lists.value_offsets()[row], lists.value_offsets()[row + 1]);
                for at in start..end {
                    if at > start {
                        into.push(',');
                    }
                    match elements.is_valid(at as usize) {
                        true => show(at as usize, into),
                        false => into.push_str("null"),
                    }
                }
                into.push(']');
            })
        }
        // Not made here.
        _ => Box::new(|_, _| {}),
    }
}

fn number<'a, T: ArrowPrimitiveType>(array: &'a dyn Array) -> Show<'a>
where
    T::Native: std::fmt::Display,
{
    let values = array.as_primitive::<T>();
    Box::new(move |row, text| {
        let _ = write!(text, "{}", values.value(row));
    })
}

fn hex(octets: &[u8], json: bool, text: &mut String) {
    const DIGITS: [char; 16] = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'];
    let around = if json { "\"" } else { "" };
    text.push_str(around);
    for octet in octets {
        text.extend([DIGITS[usize::from(octet >> 4)], DIGITS[usize::from(octet & 15)]]);
    }
    text.push_str(around);
}

/// A JSON string (RFC 8259 §7).
fn quote_json(value: &str, text: &mut String) {
    text.push('"');
    for character in value.chars() {
        match character {
            '"' | '\\' => text.extend(['\\', character]),
            '\0'..='\x1f' => {
                let _ = write!(text, "\\u{:04x}", u32::from(character));
            }
            _ => text.push(character),
        }
    }
    text.push('"');
}

/// A cell: in quotes where it has characters that mean something (RFC 4180 §2).
fn quote(cell: &str, line: &mut String) {
    if cell.bytes().any(|octet| matches!(octet, b'"' | b',' | b'\n' | b'\r')) {
        line.push('"');
        line.extend(cell.split('"').enumerate().flat_map(|(at, part)| [if at > 0 { "\"\"" } else { "" }, part]));
        line.push('"');
    } else {
        line.push_str(cell);
    }
}
