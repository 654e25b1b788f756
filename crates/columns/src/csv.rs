//! Batches as CSV (RFC 4180): a column for each leaf field, called by its path; a list is one cell
//! of JSON.

use std::io::{self, Write};

use arrow_array::cast::AsArray;
use arrow_array::temporal_conversions::timestamp_ns_to_datetime;
use arrow_array::types::{
    Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, TimestampNanosecondType, UInt8Type, UInt16Type, UInt32Type,
    UInt64Type,
};
use arrow_array::{Array, BinaryArray, BooleanArray, FixedSizeBinaryArray, RecordBatch, StringArray};
use arrow_buffer::NullBuffer;
use arrow_schema::{DataType, Field, TimeUnit};

/// Octets that are written at once.
const BLOCK: usize = 64 << 10;

/// The names of all leaf fields, in a line.
pub(crate) fn write_head<'f>(fields: impl Iterator<Item = &'f Field>, sink: &mut impl Write) -> io::Result<()> {
    let mut names = Vec::new();
    for field in fields {
        leaf_names(field, "", &mut names);
    }
    let mut line = Vec::new();
    for (at, name) in names.iter().enumerate() {
        if at > 0 {
            line.push(b',');
        }
        push_text(name, &mut line);
    }
    line.push(b'\n');
    sink.write_all(&line)
}

/// A line for each row.
pub(crate) fn write_rows(batch: &RecordBatch, sink: &mut impl Write) -> io::Result<()> {
    let mut columns: Vec<_> = batch.columns().iter().map(|array| Column::of(array.as_ref(), false)).collect();
    // A record without components has no cell.
    columns.retain(|column| column.leaves > 0);
    let mut lines = Vec::with_capacity(BLOCK);
    for row in 0..batch.num_rows() {
        for (at, column) in columns.iter_mut().enumerate() {
            if at > 0 {
                lines.push(b',');
            }
            column.push_cells(row, &mut lines);
        }
        lines.push(b'\n');
        if lines.len() >= BLOCK {
            sink.write_all(&lines)?;
            lines.clear();
        }
    }
    sink.write_all(&lines)
}

fn leaf_names(field: &Field, around: &str, names: &mut Vec<String>) {
    let path = if around.is_empty() { field.name().clone() } else { format!("{around}.{}", field.name()) };
    match field.data_type() {
        DataType::Struct(fields) => fields.iter().for_each(|field| leaf_names(field, &path, names)),
        _ => names.push(path),
    }
}

/// A column of a batch.
struct Column<'a> {
    nulls: Option<&'a NullBuffer>,
    /// How many leaf fields it has.
    leaves: usize,
    cells: Cells<'a>,
}

/// The values of a column.
enum Cells<'a> {
    /// The parts of a record, each with a comma, its name in JSON and a colon.
    Record(Vec<(Vec<u8>, Column<'a>)>),
    /// Offsets, and the elements.
    List(&'a [i32], Box<Column<'a>>),
    Numbers(Numbers<'a>),
    Flags(&'a BooleanArray),
    Text(&'a StringArray),
    Items(&'a [i16], &'a StringArray),
    Octets(&'a BinaryArray),
    Fixed(&'a FixedSizeBinaryArray),
    Times(&'a [i64], Day),
    /// Not made here.
    Other,
}

impl<'a> Column<'a> {
    /// In a list, parts that no element has are left out.
    fn of(array: &'a dyn Array, in_list: bool) -> Column<'a> {
        let cells = Cells::of(array, in_list);
        let leaves = match &cells {
            Cells::Record(parts) => parts.iter().map(|(_, part)| part.leaves).sum(),
            _ => 1,
        };
        Column { nulls: array.nulls(), leaves, cells }
    }

    fn is_present(&self, row: usize) -> bool {
        self.nulls.is_none_or(|nulls| nulls.is_valid(row))
    }

    /// Appends the cells of a row with commas between them. Those of an absent record are empty.
    fn push_cells(&mut self, row: usize, line: &mut Vec<u8>) {
        if !self.is_present(row) {
            line.resize(line.len() + self.leaves.saturating_sub(1), b',');
            return;
        }
        match &mut self.cells {
            Cells::Record(parts) => {
                let mut is_first = true;
                for (_, part) in parts.iter_mut().filter(|(_, part)| part.leaves > 0) {
                    if !std::mem::take(&mut is_first) {
                        line.push(b',');
                    }
                    part.push_cells(row, line);
                }
            }
            Cells::Numbers(numbers) => numbers.push(row, line),
            Cells::Text(texts) => push_text(texts.value(row), line),
            Cells::Items(keys, names) => push_text(names.value(keys[row] as usize), line),
            Cells::List(..) => {
                let start = line.len();
                line.push(b'"');
                self.push_json(row, line);
                if line[start + 1..].iter().any(|octet| matches!(octet, b'"' | b',')) {
                    line.push(b'"');
                } else {
                    line.remove(start);
                }
            }
            cells => cells.push_plain(row, line),
        }
    }

    /// Appends a value in JSON as it is in a cell in quotes: each of its own quotes is doubled.
    fn push_json(&mut self, row: usize, line: &mut Vec<u8>) {
        match &mut self.cells {
            Cells::Numbers(numbers) => numbers.push(row, line),
            Cells::Record(parts) => {
                line.push(b'{');
                let mut without_comma = 1;
                for (name, part) in parts {
                    if part.is_present(row) {
                        line.extend_from_slice(&name[without_comma..]);
                        without_comma = 0;
                        // Most parts are numbers: a call for each would take longer than its
                        // digits.
                        match &part.cells {
                            Cells::Numbers(numbers) => numbers.push(row, line),
                            _ => part.push_json(row, line),
                        }
                    }
                }
                line.push(b'}');
            }
            Cells::List(offsets, elements) => {
                line.push(b'[');
                let (start, end) = (offsets[row] as usize, offsets[row + 1] as usize);
                for at in start..end {
                    if at > start {
                        line.push(b',');
                    }
                    match elements.is_present(at) {
                        true => elements.push_json(at, line),
                        false => line.extend_from_slice(b"null"),
                    }
                }
                line.push(b']');
            }
            Cells::Text(texts) => push_json_text(texts.value(row), line),
            Cells::Items(keys, names) => push_json_text(names.value(keys[row] as usize), line),
            cells @ (Cells::Octets(_) | Cells::Fixed(_) | Cells::Times(..)) => {
                line.extend_from_slice(QUOTE);
                cells.push_plain(row, line);
                line.extend_from_slice(QUOTE);
            }
            cells => cells.push_plain(row, line),
        }
    }
}

impl<'a> Cells<'a> {
    fn of(array: &'a dyn Array, in_list: bool) -> Cells<'a> {
        match array.data_type() {
            DataType::Int8 => Cells::Numbers(Numbers::I8(array.as_primitive::<Int8Type>().values())),
            DataType::Int16 => Cells::Numbers(Numbers::I16(array.as_primitive::<Int16Type>().values())),
            DataType::Int32 => Cells::Numbers(Numbers::I32(array.as_primitive::<Int32Type>().values())),
            DataType::Int64 => Cells::Numbers(Numbers::I64(array.as_primitive::<Int64Type>().values())),
            DataType::UInt8 => Cells::Numbers(Numbers::U8(array.as_primitive::<UInt8Type>().values())),
            DataType::UInt16 => Cells::Numbers(Numbers::U16(array.as_primitive::<UInt16Type>().values())),
            DataType::UInt32 => Cells::Numbers(Numbers::U32(array.as_primitive::<UInt32Type>().values())),
            DataType::UInt64 => Cells::Numbers(Numbers::U64(array.as_primitive::<UInt64Type>().values())),
            DataType::Float64 => Cells::Numbers(Numbers::F64(array.as_primitive::<Float64Type>().values())),
            DataType::Boolean => Cells::Flags(array.as_boolean()),
            DataType::Utf8 => Cells::Text(array.as_string()),
            DataType::Dictionary(..) => match array.as_dictionary_opt::<Int16Type>() {
                Some(items) => Cells::Items(items.keys().values(), items.values().as_string()),
                None => Cells::Other,
            },
            DataType::Binary => Cells::Octets(array.as_binary()),
            DataType::FixedSizeBinary(_) => Cells::Fixed(array.as_fixed_size_binary()),
            DataType::Timestamp(TimeUnit::Nanosecond, _) => {
                Cells::Times(array.as_primitive::<TimestampNanosecondType>().values(), Day::default())
            }
            DataType::Struct(fields) => {
                let mut parts = Vec::with_capacity(fields.len());
                for (field, array) in fields.iter().zip(array.as_struct().columns()) {
                    if !in_list || array.null_count() < array.len() {
                        let mut name = vec![b','];
                        push_json_text(field.name(), &mut name);
                        name.push(b':');
                        parts.push((name, Column::of(array.as_ref(), in_list)));
                    }
                }
                Cells::Record(parts)
            }
            DataType::List(_) => {
                let lists = array.as_list::<i32>();
                Cells::List(lists.value_offsets(), Box::new(Column::of(lists.values().as_ref(), true)))
            }
            _ => Cells::Other,
        }
    }

    /// Appends a value that has neither parts nor characters with a meaning in CSV or JSON.
    fn push_plain(&mut self, row: usize, line: &mut Vec<u8>) {
        match self {
            Cells::Flags(flags) => line.extend_from_slice(if flags.value(row) { b"true" } else { b"false" }),
            Cells::Octets(octets) => push_hex(octets.value(row), line),
            Cells::Fixed(octets) => push_hex(octets.value(row), line),
            Cells::Times(times, day) => day.push_time(times[row], line),
            Cells::Record(_)
            | Cells::List(..)
            | Cells::Numbers(_)
            | Cells::Text(_)
            | Cells::Items(..)
            | Cells::Other => {}
        }
    }
}

/// Numbers of all widths.
enum Numbers<'a> {
    I8(&'a [i8]),
    I16(&'a [i16]),
    I32(&'a [i32]),
    I64(&'a [i64]),
    U8(&'a [u8]),
    U16(&'a [u16]),
    U32(&'a [u32]),
    U64(&'a [u64]),
    F64(&'a [f64]),
}

impl Numbers<'_> {
    fn push(&self, row: usize, line: &mut Vec<u8>) {
        let number = match self {
            Numbers::I8(numbers) => numbers[row].into(),
            Numbers::I16(numbers) => numbers[row].into(),
            Numbers::I32(numbers) => numbers[row].into(),
            Numbers::I64(numbers) => numbers[row],
            Numbers::U8(numbers) => numbers[row].into(),
            Numbers::U16(numbers) => numbers[row].into(),
            Numbers::U32(numbers) => numbers[row].into(),
            Numbers::U64(numbers) => {
                return line.extend_from_slice(itoa::Buffer::new().format(numbers[row]).as_bytes());
            }
            Numbers::F64(numbers) => {
                let _ = write!(line, "{}", numbers[row]);
                return;
            }
        };
        // One digit is the most frequent.
        match number {
            0..=9 => line.push(b'0' + number as u8),
            _ => line.extend_from_slice(itoa::Buffer::new().format(number).as_bytes()),
        }
    }
}

/// The day of the last time of a column: most rows have the same one.
#[derive(Default)]
struct Day {
    /// Since 1970.
    number: Option<i64>,
    /// `2019-06-11T`
    text: String,
}

/// Nanoseconds of a day.
const DAY: i64 = 86_400_000_000_000;

impl Day {
    /// Appends a time as records have it: in microseconds, or nanoseconds where it has them.
    fn push_time(&mut self, nanoseconds: i64, line: &mut Vec<u8>) {
        let (day, time) = (nanoseconds.div_euclid(DAY), nanoseconds.rem_euclid(DAY));
        if self.number != Some(day) {
            let Some(date) = timestamp_ns_to_datetime(nanoseconds) else { return };
            *self = Day { number: Some(day), text: date.format("%FT").to_string() };
        }
        line.extend_from_slice(self.text.as_bytes());
        let (second, fraction) = (time / 1_000_000_000, time % 1_000_000_000);
        for (number, behind) in [(second / 3600, b':'), (second / 60 % 60, b':'), (second % 60, b'.')] {
            push_digits(number, 2, line);
            line.push(behind);
        }
        match fraction % 1000 {
            0 => push_digits(fraction / 1000, 6, line),
            _ => push_digits(fraction, 9, line),
        }
        line.push(b'Z');
    }
}

/// The last decimal digits of a number that is not negative.
fn push_digits(mut number: i64, count: usize, line: &mut Vec<u8>) {
    let start = line.len();
    line.resize(start + count, b'0');
    for digit in line[start..].iter_mut().rev() {
        *digit = b'0' + (number % 10) as u8;
        number /= 10;
    }
}

fn push_hex(octets: &[u8], line: &mut Vec<u8>) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let start = line.len();
    line.resize(start + 2 * octets.len(), b'0');
    for (pair, octet) in line[start..].chunks_exact_mut(2).zip(octets) {
        pair[0] = DIGITS[usize::from(octet >> 4)];
        pair[1] = DIGITS[usize::from(octet & 15)];
    }
}

/// A quote of JSON, doubled (RFC 4180 §2).
const QUOTE: &[u8] = b"\"\"";

/// A JSON string (RFC 8259 §7) with its quotes doubled.
fn push_json_text(text: &str, line: &mut Vec<u8>) {
    line.extend_from_slice(QUOTE);
    if !has(text, |octet| octet < b' ' || octet == b'"' || octet == b'\\') {
        line.extend_from_slice(text.as_bytes());
        line.extend_from_slice(QUOTE);
        return;
    }
    for octet in text.bytes() {
        match octet {
            b'"' => line.extend_from_slice(b"\\\"\""),
            b'\\' => line.extend_from_slice(b"\\\\"),
            0..=0x1f => {
                let _ = write!(line, "\\u{octet:04x}");
            }
            _ => line.push(octet),
        }
    }
    line.extend_from_slice(QUOTE);
}

/// A cell: in quotes where it has characters that mean something (RFC 4180 §2).
fn push_text(text: &str, line: &mut Vec<u8>) {
    if !has(text, |octet| matches!(octet, b'"' | b',' | b'\n' | b'\r')) {
        line.extend_from_slice(text.as_bytes());
        return;
    }
    line.push(b'"');
    for octet in text.bytes() {
        line.extend_from_slice(if octet == b'"' { QUOTE } else { std::slice::from_ref(&octet) });
    }
    line.push(b'"');
}

/// Whether a text has such an octet. All of it is read, which is faster than stopping at the first.
fn has(text: &str, is_wanted: impl Fn(u8) -> bool) -> bool {
    text.bytes().fold(false, |found, octet| found | is_wanted(octet))
}
