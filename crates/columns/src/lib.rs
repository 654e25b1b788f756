//! Values of ASN.1 types as Arrow columns, straight from what codecs fill: generated types and
//! dynamic values alike, through the trait [`Data`].
//!
//! Invariants: a type always has the same columns. A row is appended whole or not at all, so all
//! columns have the same length. Unknown additions have a column of their own where it is asked
//! for.
//!
//! Absent on purpose: readers of files (other libraries read Arrow, Parquet and CSV), computation
//! on columns, and the fields of frames, which `recording` has.
//!
//! ```
//! use arrow_array::{Array, cast::AsArray, types::UInt16Type};
//! use roadwire_columns::Columns;
//! # use roadwire_model::{Kind, Model, Value};
//! # use roadwire_model::{Component, Field, Presence, Type, constraint::IntegerRange};
//! # let mut model = Model::default();
//! # let range = |upper: i64| Kind::Integer { range: IntegerRange { lower: Some(0.into()), upper: Some(upper.into()), extensible: false }, named: vec![] };
//! # let plain = |kind| Type { name: None, reference: None, tags: vec![], kind, instructions: vec![] };
//! # let (speed, lane) = (model.add(plain(range(16383))), model.add(plain(range(14))));
//! # let component = |name: &str, type_id, presence| Component { name: name.into(), type_id, presence, field: Field::Root };
//! # let components = vec![component("speed", speed, Presence::Mandatory), component("lane", lane, Presence::Optional)];
//! # let motion = model.add(plain(Kind::Sequence { set: false, components, extensible: false }));
//! // Motion ::= SEQUENCE { speed INTEGER (0..16383), lane INTEGER (0..14) OPTIONAL }
//! let mut columns = Columns::new(&model, motion, &[])?;
//! columns.push(&Value::sequence([Some(1200.into()), Some(3.into())]))?;
//! columns.push(&Value::sequence([Some(900.into()), None]))?;
//!
//! let batch = columns.finish()?;
//! assert_eq!(batch.column(0).as_primitive::<UInt16Type>().values(), &[1200, 900]);
//! assert_eq!((batch.column(1).null_count(), batch.schema().field(1).name().as_str()), (1, "lane"));
//! # Ok::<(), roadwire_columns::ColumnsError>(())
//! ```
//!
//! Which type becomes which column is in `docs/arrow.md` of the repository.
#![forbid(unsafe_code)]

mod csv;
mod error;
mod files;
mod finish;
mod gaps;
mod leaf;
mod node;
mod pages;
mod parquet_file;
mod parquet_types;
mod plan;
mod presence;
mod row_group;
mod rows;
mod slots;
mod units;
mod unknown;
mod values;

use std::sync::Arc;

use arrow_array::{RecordBatch, RecordBatchOptions, StructArray, cast::AsArray};
use arrow_schema::{ArrowError, DataType, Field, Fields, Schema, SchemaRef};
use roadwire_model::{Model, TypeId};
use roadwire_wire::{Data, Part, Rejected};

pub use arrow_array as arrays;
pub use arrow_schema as fields;
pub use arrow_select::concat::concat_batches;
pub use error::ColumnsError;
pub use files::{Format, TableWriter};
pub use finish::{finish_column, finish_record};
use gaps::Gaps;
use node::{Content, Node};
pub use roadwire_wire::{Cells, Column};
pub use rows::Rows;
pub use unknown::{UNKNOWN, UnknownAddition, UnknownColumn, UnknownRows, first_unknown_addition, unknown_additions};

/// Columns of a type's values, a row for each value.
#[derive(Clone, Debug)]
pub struct Columns {
    root: Node,
    columns: Vec<Column>,
    schema: SchemaRef,
    rows: usize,
    walked: usize,
    /// The columns that only became nullable, which generated code does not know.
    marked: Vec<usize>,
    gaps: Gaps,
}

impl Columns {
    /// The columns of a type: those of its components, or, if it is no SEQUENCE, one that is called
    /// `value`. With `selected`, only these fields and their parts, by their paths, such as
    /// `cam.generationDeltaTime`; elements of lists have no name.
    ///
    /// # Errors
    /// `columns.unknown` for an unknown selected field; `columns.recursive` for a type that
    /// contains itself; `columns.limit` for one of more than 100,000 fields or 100 levels.
    ///
    /// # Panics
    /// On a type id of another model.
    pub fn new(model: &Model, type_id: TypeId, selected: &[&str]) -> Result<Columns, ColumnsError> {
        let (root, columns) = plan::root(model, type_id, selected)?;
        Ok(Columns {
            schema: schema_of(&root),
            root,
            columns,
            rows: 0,
            walked: 0,
            marked: Vec::new(),
            gaps: Gaps::default(),
        })
    }

    /// The fields of a batch.
    #[must_use]
    pub fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    /// How many rows there are.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Appends a row. After an error there is none.
    ///
    /// # Errors
    /// `columns.range` for an integer that its column does not hold, which only types without a
    /// bound or with an extensible range have; `columns.value` and `columns.absent` for a value
    /// that is not of the type; `columns.limit` where the batch is full.
    pub fn push(&mut self, value: &dyn Data) -> Result<(), ColumnsError> {
        if value.can_append() {
            // It does not say what is wrong, and has no code for types that contain themselves or
            // whose content is only known as octets.
            let appended = value.append(&mut self.columns, self.rows);
            if self.end_appended(appended).is_ok() {
                return Ok(());
            }
        }
        self.push_part(value)
    }

    /// The same for a value that is read by value, such as one on a tape.
    ///
    /// # Errors
    /// As [`Columns::push`].
    pub fn push_part(&mut self, value: impl Part) -> Result<(), ColumnsError> {
        if value.can_append() {
            let appended = value.append(&mut self.columns, self.rows);
            if self.end_appended(appended).is_ok() {
                return Ok(());
            }
        }
        let pushed = self.root.push(&mut self.columns, None, self.rows, value);
        self.end_row(pushed)
    }

    /// Appends a row to columns [with gaps](Columns::with_gaps). Where a column cannot hold its
    /// value it has none; the others have theirs.
    ///
    /// # Errors
    /// `columns.absent` and `columns.limit`, as [`Columns::push`].
    pub fn push_with_gaps(&mut self, value: &dyn Data) -> Result<(), ColumnsError> {
        let pushed = self.root.push(&mut self.columns, Some(&mut self.gaps), self.rows, value);
        self.end_row(pushed)
    }

    /// Takes back the parts of a row that was not appended whole.
    fn end_appended(&mut self, appended: Result<(), Rejected>) -> Result<(), Rejected> {
        match appended {
            Ok(()) => {
                self.marked.iter().for_each(|at| self.columns[*at].mark(self.rows));
                self.rows += 1;
            }
            Err(Rejected) => self.truncate(),
        }
        appended
    }

    fn end_row(&mut self, pushed: Result<(), ColumnsError>) -> Result<(), ColumnsError> {
        if pushed.is_err() {
            self.truncate();
            return pushed;
        }
        self.rows += 1;
        self.walked += 1;
        Ok(())
    }

    /// The same columns, for values outside their constraints: a column that cannot hold all that
    /// its encoding can say is nullable.
    #[must_use]
    pub fn with_gaps(mut self) -> Self {
        self.root.admit_gaps(&self.columns);
        self.schema = schema_of(&self.root);
        self
    }

    /// The same columns, for rows that may have [no value](Columns::skip): all of them are
    /// nullable.
    #[must_use]
    pub fn nullable(mut self) -> Self {
        self.marked = self.root.admit_nulls(&mut self.columns);
        self.schema = schema_of(&self.root);
        self
    }

    /// Appends a row without a value, which is null in all [nullable](Columns::nullable) columns.
    /// In others it is what an absent value is.
    pub fn skip(&mut self) {
        self.rows += 1;
    }

    /// Takes back the last row, if there is one.
    pub fn pop(&mut self) {
        self.rows = self.rows.saturating_sub(1);
        self.truncate();
    }

    /// Removes the contents of rows after the last one.
    fn truncate(&mut self) {
        self.root.truncate(&mut self.columns, &mut self.gaps, self.rows);
    }

    /// How many rows so far, in all batches, were filled by a walk over the type, and not by
    /// generated code or a plan for a tape, which are several times as fast.
    #[must_use]
    pub fn walked(&self) -> usize {
        self.walked
    }

    /// How many octets a row takes whose fields are all empty or absent: the columns of absent
    /// fields have room for it in a batch.
    #[must_use]
    pub fn row_octets(&self) -> usize {
        row_octets(&self.root.field)
    }

    /// All rows as one array. The columns are empty afterwards.
    ///
    /// # Errors
    /// `columns.arrow`: does not happen.
    pub fn finish_struct(&mut self) -> Result<StructArray, ColumnsError> {
        let rows = std::mem::take(&mut self.rows);
        let array = self.root.finish(&mut self.columns, &mut self.gaps, rows).map_err(arrow)?;
        match array.as_struct_opt() {
            Some(array) if self.schema.fields() == array.fields() => Ok(array.clone()),
            _ => StructArray::try_new(self.schema.fields().clone(), vec![array], None).map_err(arrow),
        }
    }

    /// All rows as a batch. The columns are empty afterwards.
    ///
    /// # Errors
    /// As [`Columns::finish_struct`].
    pub fn finish(&mut self) -> Result<RecordBatch, ColumnsError> {
        let options = RecordBatchOptions::new().with_row_count(Some(self.rows));
        let (_, arrays, _) = self.finish_struct()?.into_parts();
        RecordBatch::try_new_with_options(self.schema(), arrays, &options).map_err(arrow)
    }
}

/// The fields of a root: those in it, or itself.
fn schema_of(root: &Node) -> SchemaRef {
    let fields = match (&root.content, root.field.data_type()) {
        (Content::Record(_) | Content::Choice { .. }, DataType::Struct(fields)) => fields.clone(),
        _ => Fields::from(vec![Arc::clone(&root.field)]),
    };
    Arc::new(Schema::new(fields))
}

fn row_octets(field: &Field) -> usize {
    let own = match field.data_type() {
        DataType::Struct(fields) => fields.iter().map(|field| row_octets(field)).sum(),
        DataType::FixedSizeBinary(size) => *size as usize,
        other => other.primitive_width().unwrap_or(4),
    };
    own + usize::from(field.is_nullable())
}

fn arrow(error: ArrowError) -> ColumnsError {
    ColumnsError::new("columns.arrow", error.to_string())
}
