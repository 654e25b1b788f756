//! The columns of frames, beside those of their messages.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::Arc;

use roadwire_columns::arrays::builder::{
    ArrayBuilder as _, BinaryBuilder, BooleanBufferBuilder, BooleanBuilder, Int64Builder, StringBuilder,
    TimestampNanosecondBuilder,
};
use roadwire_columns::arrays::{Array as _, ArrayRef, StructArray};
use roadwire_columns::fields::Field;

use crate::failure::Failure;
use crate::filter::{FIELDS, Kind};
use crate::record::{Cell, Members};

/// A column for each field of a record but those of the message's value.
pub(crate) struct Frames {
    slots: Vec<Slot>,
    rows: usize,
    /// Where the next member is looked for: they come in the order of the fields.
    at: usize,
    depth: usize,
}

struct Slot {
    name: &'static str,
    depth: usize,
    unit: &'static str,
    cells: Cells,
}

enum Cells {
    Number(Int64Builder),
    Flag(BooleanBuilder),
    Time(TimestampNanosecondBuilder),
    Text(StringBuilder),
    Octets(BinaryBuilder),
    /// Which rows have it.
    Object(BooleanBufferBuilder),
    /// The message's value, which comes at the end.
    Value,
}

impl Frames {
    pub(crate) fn new() -> Frames {
        let slot = |field: &'static crate::filter::Field| Slot {
            name: field.path.rsplit('.').next().unwrap_or(field.path),
            depth: field.path.matches('.').count(),
            unit: field.unit,
            cells: match field.kind {
                Kind::Number => Cells::Number(Int64Builder::new()),
                Kind::Flag => Cells::Flag(BooleanBuilder::new()),
                Kind::Time => Cells::Time(TimestampNanosecondBuilder::new().with_timezone("UTC")),
                Kind::Text | Kind::TypeName => Cells::Text(StringBuilder::new()),
                Kind::Octets => Cells::Octets(BinaryBuilder::new()),
                Kind::Object if field.path == "message.value" => Cells::Value,
                Kind::Object => Cells::Object(BooleanBufferBuilder::new(0)),
            },
        };
        Frames { slots: FIELDS.iter().map(slot).collect(), rows: 0, at: 0, depth: 0 }
    }

    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    /// Octets that a row takes, about.
    pub(crate) fn row_octets(&self) -> usize {
        self.slots.len() * 8
    }

    pub(crate) fn end_row(&mut self) {
        self.rows += 1;
        self.at = 0;
    }

    /// All rows, with the values of their messages. The columns are empty afterwards.
    pub(crate) fn finish(&mut self, value: Option<&StructArray>) -> Result<StructArray, Failure> {
        let rows = std::mem::take(&mut self.rows);
        let mut at = 0;
        let (fields, arrays) = self.level(&mut at, 0, rows, value)?;
        StructArray::try_new_with_length(fields.into(), arrays, None, rows).map_err(|error| failed(&error))
    }

    /// The fields of one object, and of those in it.
    fn level(
        &mut self,
        at: &mut usize,
        depth: usize,
        rows: usize,
        value: Option<&StructArray>,
    ) -> Result<(Vec<Field>, Vec<ArrayRef>), Failure> {
        let (mut fields, mut arrays) = (Vec::new(), Vec::new());
        while self.slots.get(*at).is_some_and(|slot| slot.depth == depth) {
            let index = *at;
            *at += 1;
            let (name, unit) = (self.slots[index].name, self.slots[index].unit);
            let array: ArrayRef = match &mut self.slots[index].cells {
                Cells::Number(cells) => {
                    cells.append_nulls(rows - cells.len());
                    Arc::new(cells.finish())
                }
                Cells::Flag(cells) => {
                    cells.append_nulls(rows - cells.len());
                    Arc::new(cells.finish())
                }
                Cells::Time(cells) => {
                    cells.append_nulls(rows - cells.len());
                    Arc::new(cells.finish())
                }
                Cells::Text(cells) => {
                    cells.append_nulls(rows - cells.len());
                    Arc::new(cells.finish())
                }
                Cells::Octets(cells) => {
                    cells.append_nulls(rows - cells.len());
                    Arc::new(cells.finish())
                }
                Cells::Object(valid) => {
                    valid.advance(rows - valid.len());
                    let nulls = Some(valid.finish().into());
                    let (fields, arrays) = self.level(at, depth + 1, rows, value)?;
                    let made = StructArray::try_new_with_length(fields.into(), arrays, nulls, rows);
                    Arc::new(made.map_err(|error| failed(&error))?)
                }
                Cells::Value => match value {
                    Some(value) => Arc::new(value.clone()),
                    None => continue,
                },
            };
            let is_always_there = matches!(name, "file" | "frame") && depth == 0;
            let mut field = Field::new(name, array.data_type().clone(), !is_always_there);
            if !unit.is_empty() {
                field = field.with_metadata(HashMap::from([("unit".to_owned(), unit.to_owned())]));
            }
            fields.push(field);
            arrays.push(array);
        }
        Ok((fields, arrays))
    }

    /// The column of a member of the object that is being filled.
    fn slot(&mut self, name: &str) -> Option<usize> {
        let rest = self.slots.get(self.at..)?;
        let found = self.at + rest.iter().position(|slot| slot.depth == self.depth && is_same(slot.name, name))?;
        self.at = found + 1;
        Some(found)
    }
}

impl Members for Frames {
    fn member(&mut self, name: &'static str, cell: Cell<'_>) {
        let rows = self.rows;
        let Some(slot) = self.slot(name) else { return };
        match (&mut self.slots[slot].cells, cell) {
            (Cells::Number(cells), Cell::Number(value)) => {
                if cells.len() < rows {
                    cells.append_nulls(rows - cells.len());
                }
                match i64::try_from(value) {
                    Ok(value) => cells.append_value(value),
                    Err(_) => cells.append_null(),
                }
            }
            (Cells::Flag(cells), Cell::Flag(value)) => {
                if cells.len() < rows {
                    cells.append_nulls(rows - cells.len());
                }
                cells.append_value(value);
            }
            (Cells::Time(cells), Cell::Time(time)) => {
                if cells.len() < rows {
                    cells.append_nulls(rows - cells.len());
                }
                let nanoseconds = time.seconds.checked_mul(1_000_000_000);
                cells.append_option(nanoseconds.and_then(|count| count.checked_add(time.nanoseconds.into())));
            }
            (Cells::Text(cells), Cell::Text(value)) => {
                if cells.len() < rows {
                    cells.append_nulls(rows - cells.len());
                }
                cells.append_value(value);
            }
            (Cells::Text(cells), Cell::Plain(value)) => {
                if cells.len() < rows {
                    cells.append_nulls(rows - cells.len());
                }
                let _ = write!(cells, "{value}");
                cells.append_value("");
            }
            (Cells::Octets(cells), Cell::Octets(value)) => {
                if cells.len() < rows {
                    cells.append_nulls(rows - cells.len());
                }
                cells.append_value(value);
            }
            _ => debug_assert!(false, "{name} is of another kind"),
        }
    }

    fn object(&mut self, name: &'static str, members: impl FnOnce(&mut Self)) {
        let rows = self.rows;
        let Some(slot) = self.slot(name) else { return };
        if let Cells::Object(valid) = &mut self.slots[slot].cells {
            valid.advance(rows - valid.len());
            valid.append(true);
        }
        self.depth += 1;
        members(self);
        self.depth -= 1;
    }
}

fn failed(error: &roadwire_columns::fields::ArrowError) -> Failure {
    Failure::refused("columns.arrow", error.to_string())
}

/// Whether two names are the same: by their first letter and length in most cases.
fn is_same(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.as_bytes().first() == b.as_bytes().first() && a == b
}
