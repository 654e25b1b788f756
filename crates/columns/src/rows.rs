//! From columns back to values, row by row.

mod fill;
mod items;
mod make;
mod sources;

use arrow_array::RecordBatch;
use arrow_buffer::NullBuffer;
use roadwire_model::{Model, TypeId, Value};
use roadwire_wire::Data;

use self::items::Items;
use crate::ColumnsError;
use crate::unknown::{Tree, UnknownAddition, nowhere};
use crate::values::Values;

/// The rows of a batch as values of a type: what [`Columns`](crate::Columns) makes of values, read
/// again.
///
/// Arrays may also be of the wider, the larger and the "view" types, and dictionaries: what other
/// programs make of them.
#[derive(Debug)]
pub struct Rows {
    root: Part,
    rows: usize,
}

/// The columns of a part of a value.
#[derive(Debug)]
struct Part {
    nulls: Option<NullBuffer>,
    content: Content,
    /// How many extension additions the type knows, if it is extensible.
    known: Option<u32>,
    /// How many columns the type has.
    columns: usize,
    rows: usize,
}

#[derive(Debug)]
enum Content {
    /// Nulls alone: what other programs make of a column without values.
    Nothing,
    /// How many components there are.
    Record(Vec<Member>, usize),
    /// How many alternatives there are. The last one may be content that is known as octets alone.
    Choice(Vec<Member>, usize, Option<Box<Part>>),
    /// Where each list begins and ends among the elements.
    List(Vec<(usize, usize)>, Box<Part>),
    Leaf(Form, Values),
    /// Bits, and how many there are.
    Bits(Values, Values),
}

/// A component, or an alternative.
#[derive(Debug)]
struct Member {
    index: usize,
    name: String,
    /// The place of its first column, from the first one of what it is in.
    at: usize,
    is_mandatory: bool,
    part: Part,
}

/// The form of a leaf's values.
#[derive(Debug)]
enum Form {
    Boolean,
    Null,
    /// A SEQUENCE without components.
    Empty,
    Integer,
    /// Integers that may be beyond 64 bits.
    Digits,
    Real,
    Enumerated(Items),
    /// So many bits in each.
    Bits(usize),
    Octets,
    Text,
    Oid {
        relative: bool,
    },
}

impl Rows {
    /// The columns of a batch, found by their names. Those of optional parts may be missing.
    ///
    /// # Errors
    /// `columns.unknown` for a column that the type does not have; `columns.double` for several of
    /// the same name; `columns.absent` for a mandatory one that is missing; `columns.type` for one
    /// of another type; `columns.recursive` and `columns.limit` as for
    /// [`Columns::new`](crate::Columns::new).
    ///
    /// # Panics
    /// On a type id of another model.
    pub fn new(model: &Model, type_id: TypeId, batch: &RecordBatch) -> Result<Rows, ColumnsError> {
        Ok(Rows { root: make::root(model, type_id, batch)?, rows: batch.num_rows() })
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// Fills a value with a row. Constraints are not checked.
    ///
    /// # Errors
    /// `columns.absent` for a mandatory component or a CHOICE without a value; `columns.choice` for
    /// a CHOICE with several; `columns.value` for a value that is not of the type, or that `value`
    /// does not hold; `columns.row` past the end.
    pub fn fill(&self, row: usize, value: &mut dyn Data) -> Result<(), ColumnsError> {
        self.fill_with(row, value, None)
    }

    fn fill_with(&self, row: usize, value: &mut dyn Data, unknown: Option<&Tree<'_>>) -> Result<(), ColumnsError> {
        if row >= self.rows {
            return Err(ColumnsError::new("columns.row", format!("row {row} of {}", self.rows)));
        }
        if self.root.is_null(row) {
            return Err(absent());
        }
        self.root.fill(row, value, unknown).map_err(|error| *error)
    }

    /// A row as a value.
    ///
    /// # Errors
    /// As [`Rows::fill`].
    pub fn value(&self, row: usize) -> Result<Value, ColumnsError> {
        let mut value = Value::Unset;
        self.fill(row, &mut value)?;
        Ok(value)
    }

    /// A row as a value, with the parts that the type does not know.
    ///
    /// # Errors
    /// As [`Rows::fill`]; `columns.addition` for an addition whose path leads to nothing that can
    /// have it, that the type knows, or that comes twice; `columns.choice` for a CHOICE that has a
    /// known alternative as well.
    pub fn value_with(&self, row: usize, additions: &[UnknownAddition]) -> Result<Value, ColumnsError> {
        let (mut value, tree) = (Value::Unset, Tree::new(additions)?);
        self.fill_with(row, &mut value, Some(&tree))?;
        match tree.left().and_then(|at| Some((at, additions.get(at)?))) {
            Some((at, addition)) => Err(nowhere(at, addition)),
            None => Ok(value),
        }
    }

    /// Whether a row is null, or a list without elements.
    pub(crate) fn is_empty_at(&self, row: usize) -> bool {
        row >= self.rows
            || self.root.is_null(row)
            || matches!(&self.root.content, Content::List(lists, _) if lists.get(row).is_none_or(|(from, to)| from == to))
    }
}

impl Part {
    #[inline]
    fn is_null(&self, row: usize) -> bool {
        self.nulls.as_ref().is_some_and(|nulls| nulls.is_null(row))
    }
}

fn absent() -> ColumnsError {
    ColumnsError::new("columns.absent", "a mandatory component is absent")
}
