//! The columns of frames, beside those of their messages.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::Arc;

use roadwire::Violation;
use roadwire_columns::arrays::{Array as _, ArrayRef, StructArray};
use roadwire_columns::fields::{DataType, Field, Fields, TimeUnit};
use roadwire_columns::{Cells, Column, finish_column, finish_record};

use crate::Error;
use crate::fields::{FIELDS, Field as RecordField, Kind};
use crate::problem::Problem;
use crate::recognition::Candidate;
use crate::record::{self, Cell, Heading, Layers, Members};
use crate::violations;

/// A column for each field of a record but those of the message's value.
pub struct Frames {
    slots: Vec<Slot>,
    rows: usize,
    /// Of messages that break constraints, with their rows.
    violations: Vec<(usize, Vec<Violation>)>,
    /// The place after the last member: with the depth, it says which object is filled.
    at: usize,
    /// For each such place, the member that was found last: most frames have the same members in
    /// the same order.
    last: Vec<usize>,
    depth: usize,
    /// A member without a column, which is an error when the rows are taken.
    unknown: Option<&'static str>,
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
    /// Nothing for the message's value and violations, which come at the end.
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
                Kind::Violations => (violations::data_type(), Cells::Skipped),
            };
            Slot {
                name: field.path.rsplit('.').next().unwrap_or(field.path),
                depth: field.path.matches('.').count(),
                unit: field.unit,
                data_type,
                column: (!is_at_end(field)).then(|| Column::new(cells, true)),
            }
        };
        let slots: Vec<Slot> = FIELDS.iter().map(slot).collect();
        let last = (0..=slots.len()).collect();
        Frames { last, slots, rows: 0, violations: Vec::new(), at: 0, depth: 0, unknown: None, shown: String::new() }
    }

    /// Without rows, and only with columns of these names, in the order of records; all without
    /// names.
    ///
    /// # Errors
    /// `columns.unknown`: frames have no such column.
    pub(crate) fn of(columns: Option<&[String]>) -> Result<Frames, Error> {
        let mut frames = Frames::new();
        let Some(columns) = columns else { return Ok(frames) };
        let tops = || FIELDS.iter().map(|field| field.path).filter(|path| !path.contains('.'));
        if let Some(unknown) = columns.iter().find(|name| tops().all(|top| top != name.as_str())) {
            let error = Error::usage("columns.unknown", format!("frames have no column `{unknown}`"));
            let advice = crate::fields::alike(unknown, tops());
            return Err(
                error.advise(advice.unwrap_or_else(|| format!("they have {}", Vec::from_iter(tops()).join(", "))))
            );
        }
        for (slot, field) in frames.slots.iter_mut().zip(FIELDS) {
            let top = field.path.split('.').next().unwrap_or(field.path);
            if columns.iter().all(|name| name != top) {
                slot.column = None;
            }
        }
        Ok(frames)
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
        if let Some(known) = row.known.filter(|known| !known.violations.is_empty()) {
            self.violations.push((self.rows, known.violations.clone()));
        }
        if let Some(problem) = row.problem {
            record::problem(self, problem);
        }
        self.rows += 1;
        self.at = 0;
    }

    /// All rows, with the values of their messages. The columns are empty afterwards.
    ///
    /// # Errors
    /// A member of a record has no column; or what arrow reports.
    pub(crate) fn finish(&mut self, value: Option<&StructArray>) -> Result<StructArray, Error> {
        if let Some(name) = self.unknown {
            return Err(Error::refused("columns.arrow", format!("the member `{name}` of a record has no column")));
        }
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
                (None, data_type) => match (value, data_type) {
                    (None, _) => {
                        while self.slots.get(*at).is_some_and(|slot| slot.depth > depth) {
                            *at += 1;
                        }
                        continue;
                    }
                    (Some(_), DataType::List(_)) => violations::to_array(std::mem::take(&mut self.violations), rows),
                    (Some(value), _) => Arc::new(value.clone()),
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

    /// The place of a member of the object that is being filled, in whatever order members come.
    #[cold]
    fn find(&mut self, name: &'static str) -> Option<usize> {
        let (before, depth) = (self.slots.get(..self.at)?, self.depth);
        let first = before.iter().rposition(|slot| slot.depth < depth).map_or(0, |object| object + 1);
        let mut members = self.slots[first..].iter().take_while(|slot| slot.depth >= depth);
        let Some(found) = members.position(|slot| slot.depth == depth && slot.name == name) else {
            self.unknown.get_or_insert(name);
            return None;
        };
        let found = first + found;
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

/// Whether a field has its column when the rows are taken.
fn is_at_end(field: &RecordField) -> bool {
    field.kind == Kind::Violations || field.path == "message.value"
}

impl Default for Frames {
    fn default() -> Self {
        Frames::new()
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

#[cfg(test)]
mod tests {
    use roadwire_columns::arrays::{cast::AsArray as _, types::Int64Type};

    use super::*;

    /// Two rows, the members of which are put by `fill`.
    fn rows(fill: impl Fn(&mut Frames)) -> Result<StructArray, Error> {
        let mut frames = Frames::new();
        for frame in [1, 2] {
            frames.member("file", Cell::Text("a.pcap"));
            frames.number("frame", frame);
            fill(&mut frames);
            frames.rows += 1;
            frames.at = 0;
        }
        frames.finish(None)
    }

    #[test]
    fn members_come_to_their_columns_in_any_order() {
        let found = rows(|frames| {
            frames.object("security", |inner| {
                inner.word("verdict", "valid");
                inner.number("psid", 36);
                inner.member("certificate", Cell::Octets(&[1, 2]));
                inner.word("signer", "certificate");
            });
            frames.object("geonetworking", |inner| {
                inner.object("area", |area| area.number("latitude", 7));
                inner.object("source", |source| source.number("latitude", 8));
                inner.number("version", 1);
            });
            frames.word("link", "ethernet");
        });
        let found = found.unwrap_or_else(|error| panic!("{error}"));
        let of = |path: &[&str]| -> ArrayRef {
            path.iter().fold(Arc::new(found.clone()), |array: ArrayRef, name| {
                Arc::clone(array.as_struct().column_by_name(name).unwrap_or_else(|| panic!("{path:?}")))
            })
        };
        for (path, number) in [
            (&["security", "psid"][..], 36),
            (&["geonetworking", "area", "latitude"], 7),
            (&["geonetworking", "source", "latitude"], 8),
            (&["geonetworking", "version"], 1),
        ] {
            let numbers: Vec<_> = of(path).as_primitive::<Int64Type>().iter().collect();
            assert_eq!(numbers, [Some(number); 2], "{path:?}");
        }
        assert!(of(&["geonetworking", "destination"]).is_null(0), "an object that was not put");
        for path in [&["security", "verdict"][..], &["security", "certificate"], &["security", "signer"], &["link"]] {
            assert_eq!(of(path).null_count(), 0, "{path:?}");
        }
    }

    #[test]
    fn a_member_without_a_column_is_an_error() {
        let found = rows(|frames| frames.object("security", |inner| inner.word("colour", "green")));
        assert!(found.is_err_and(|error| error.what.contains("`colour`")));
        let found = rows(|frames| frames.object("btp", |inner| inner.number("psid", 1)));
        assert!(found.is_err_and(|error| error.what.contains("`psid`")), "a column of another object");
    }
}
