//! The columns of frames, beside those of their messages.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::Arc;

use roadwire_columns::arrays::{Array as _, ArrayRef, StructArray};
use roadwire_columns::fields::{DataType, Field, Fields, TimeUnit};
use roadwire_columns::{Cells, Column, finish_column, finish_record};

use crate::Error;
use crate::fields::{FIELDS, Field as RecordField, Kind};
use crate::problem::Problem;
use crate::recognition::Candidate;
use crate::record::{self, Cell, Heading, Layers, Members};

/// A column for each field of a record but those of the message's value.
pub struct Frames {
    slots: Vec<Slot>,
    rows: usize,
    /// Where the next member is looked for: they come in the order of the fields.
    at: usize,
    /// For each such place, what was found last: most frames have the same members.
    last: Vec<usize>,
    depth: usize,
    /// A value that is shown as text.
    shown: String,
}

/// A frame, as far as it was understood.
pub(crate) struct Row<'r> {
    pub(crate) heading: &'r Heading<'r>,
    pub(crate) layers: Option<Layers<'r>>,
    pub(crate) octets: Option<&'r [u8]>,
    pub(crate) known: Option<&'r Candidate<'r>>,
    pub(crate) problem: Option<&'r Problem>,
}

struct Slot {
    name: &'static str,
    depth: usize,
    unit: &'static str,
    data_type: DataType,
    /// Nothing for the message's value, which comes at the end.
    column: Option<Column>,
}

impl Frames {
    /// Without rows.
    #[must_use]
    pub fn new() -> Frames {
        let slot = |field: &'static RecordField| {
            let (data_type, cells) = match field.kind {
                Kind::Number => (DataType::Int64, Cells::I64(Vec::new())),
                Kind::Flag => (DataType::Boolean, Cells::Flags(Default::default())),
                Kind::Time => (DataType::Timestamp(TimeUnit::Nanosecond, Some("UTC".into())), Cells::I64(Vec::new())),
                Kind::Text | Kind::TypeName => (DataType::Utf8, Cells::Text(Default::default())),
                Kind::Octets => (DataType::Binary, Cells::Octets(Default::default())),
                Kind::Object => (DataType::Struct(Fields::empty()), Cells::Parts),
            };
            Slot {
                name: field.path.rsplit('.').next().unwrap_or(field.path),
                depth: field.path.matches('.').count(),
                unit: field.unit,
                data_type,
                column: (field.path != "message.value").then(|| Column::new(cells, true)),
            }
        };
        let slots: Vec<Slot> = FIELDS.iter().map(slot).collect();
        Frames { last: (0..slots.len()).collect(), slots, rows: 0, at: 0, depth: 0, shown: String::new() }
    }

    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    /// Octets that a row takes, about.
    pub(crate) fn row_octets(&self) -> usize {
        self.slots.len() * 8
    }

    /// Appends a frame; not the value of its message.
    pub(crate) fn push(&mut self, row: &Row<'_>) {
        record::heading(self, row.heading);
        if let Some(layers) = &row.layers {
            record::layers(self, layers);
        }
        if let Some(octets) = row.octets {
            self.object("message", |inner| {
                if let Some(known) = row.known {
                    inner.member("schema", Cell::Word(known.name));
                    inner.member("type", Cell::Word(known.type_name));
                    inner.member("rules", Cell::Word("uper"));
                }
                inner.member("octets", Cell::Octets(octets));
            });
        }
        if let Some(problem) = row.problem {
            record::problem(self, problem);
        }
        self.rows += 1;
        self.at = 0;
    }

    /// All rows, with the values of their messages. The columns are empty afterwards.
    pub(crate) fn finish(&mut self, value: Option<&StructArray>) -> Result<StructArray, Error> {
        let rows = std::mem::take(&mut self.rows);
        let mut at = 0;
        let (fields, arrays) = self.level(&mut at, 0, rows, value)?;
        Ok(StructArray::try_new_with_length(fields.into(), arrays, None, rows)?)
    }

    /// The fields of one object, and of those in it.
    fn level(
        &mut self,
        at: &mut usize,
        depth: usize,
        rows: usize,
        value: Option<&StructArray>,
    ) -> Result<(Vec<Field>, Vec<ArrayRef>), Error> {
        let (mut fields, mut arrays) = (Vec::new(), Vec::new());
        while self.slots.get(*at).is_some_and(|slot| slot.depth == depth) {
            let slot = &mut self.slots[*at];
            *at += 1;
            let (name, unit) = (slot.name, slot.unit);
            let array: ArrayRef = match (&mut slot.column, &slot.data_type) {
                (Some(column), DataType::Struct(_)) => {
                    let valid = column.valid.as_mut().map(|valid| valid.take(rows)).unwrap_or_default();
                    let (fields, arrays) = self.level(at, depth + 1, rows, value)?;
                    finish_record(fields.into(), arrays, Some(valid), rows)?
                }
                (Some(column), data_type) => finish_column(column, data_type, rows)?,
                (None, _) => match value {
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
    #[inline]
    fn slot(&mut self, name: &'static str) -> Option<&mut Column> {
        let last = self.last.get(self.at).copied().filter(|last| {
            self.slots.get(*last).is_some_and(|slot| slot.depth == self.depth && std::ptr::eq(slot.name, name))
        });
        let found = last.or_else(|| self.find(name))?;
        self.at = found + 1;
        self.slots.get_mut(found)?.column.as_mut()
    }

    /// The place of a member that was not in this place last time.
    #[cold]
    fn find(&mut self, name: &'static str) -> Option<usize> {
        let is_it = |slot: &Slot| slot.depth == self.depth && slot.name == name;
        let found = self.at + self.slots.get(self.at..)?.iter().position(is_it)?;
        *self.last.get_mut(self.at)? = found;
        // Where its caller has the name: next time a look at the address is enough.
        self.slots.get_mut(found)?.name = name;
        Some(found)
    }

    fn put_number(&mut self, name: &'static str, value: i64) {
        self.put(name, |cells, row| match cells {
            Cells::I64(cells) => {
                debug_assert!(cells.len() <= row, "{name} has that row");
                // It may have been absent in the rows before.
                cells.resize(row, 0);
                cells.push(value);
            }
            _ => debug_assert!(false, "{name} is no number"),
        });
    }

    fn put_octets(&mut self, name: &'static str, value: &[u8]) {
        self.put(name, |cells, row| match cells {
            Cells::Text(cells) | Cells::Octets(cells) => {
                let put = cells.put(row, value);
                debug_assert!(put.is_ok(), "{name} has that row");
            }
            _ => debug_assert!(false, "{name} is no string"),
        });
    }

    #[inline]
    fn put(&mut self, name: &'static str, put: impl FnOnce(&mut Cells, usize)) {
        let row = self.rows;
        if let Some(column) = self.slot(name) {
            put(&mut column.cells, row);
            column.mark(row);
        }
    }
}

impl Members for Frames {
    #[inline]
    fn member(&mut self, name: &'static str, cell: Cell<'_>) {
        match cell {
            Cell::Number(value) => {
                if let Ok(value) = i64::try_from(value) {
                    self.put_number(name, value);
                }
            }
            Cell::Time(time) => {
                let nanoseconds = time.seconds.checked_mul(1_000_000_000);
                if let Some(count) = nanoseconds.and_then(|count| count.checked_add(time.nanoseconds.into())) {
                    self.put_number(name, count);
                }
            }
            Cell::Word(value) | Cell::Text(value) => self.put_octets(name, value.as_bytes()),
            Cell::Octets(value) => self.put_octets(name, value),
            Cell::Shown(value) => {
                let mut shown = std::mem::take(&mut self.shown);
                shown.clear();
                let _ = write!(shown, "{value}");
                self.put_octets(name, shown.as_bytes());
                self.shown = shown;
            }
            Cell::Flag(value) => self.put(name, |cells, row| match cells {
                Cells::Flags(flags) => {
                    if value {
                        flags.set(row);
                    }
                }
                _ => debug_assert!(false, "{name} is no flag"),
            }),
        }
    }

    fn object(&mut self, name: &'static str, members: impl FnOnce(&mut Self)) {
        let row = self.rows;
        let Some(column) = self.slot(name) else { return };
        column.mark(row);
        self.depth += 1;
        members(self);
        self.depth -= 1;
    }
}
