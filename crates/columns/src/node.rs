//! Columns that grow by one value after the other, for values whose parts are known at run time
//! alone; and which value a column does not hold.

use std::sync::Arc;

use arrow_array::StringArray;
use arrow_schema::{DataType, Field, Fields};
use roadwire_model::{Integer, Oid, Value};
use roadwire_wire::{Cells, Column, Data, Part, Scalar};

use crate::ColumnsError;
use crate::gaps::Gaps;

/// A column, or several that are one field.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) field: Arc<Field>,
    /// Its place among all columns.
    pub(crate) at: usize,
    pub(crate) content: Content,
}

#[derive(Clone, Debug)]
pub(crate) enum Content {
    /// SEQUENCE, SET
    Record(Vec<Member>),
    /// CHOICE, and the types of an open type: by index, `None` for alternatives that are left out.
    /// `octets` has content of unknown types.
    Choice { alternatives: Vec<Option<Node>>, octets: Option<Box<Node>> },
    /// SEQUENCE OF, SET OF: its elements.
    List(Box<Node>),
    /// ENUMERATED by ordinal, and the names.
    Items(Arc<StringArray>),
    /// An object identifier, as text.
    Oid { relative: bool },
    /// All of it is in one column.
    Leaf,
}

/// A component.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    /// Among the components, in textual order.
    pub(crate) index: usize,
    /// Its value where it is absent.
    pub(crate) default: Option<Value>,
    pub(crate) is_mandatory: bool,
    pub(crate) node: Node,
}

impl Node {
    /// Makes the columns of a root nullable: those in it, or itself. Returns the places of those
    /// that were not.
    pub(crate) fn admit_nulls(&mut self, columns: &mut [Column]) -> Vec<usize> {
        let Content::Record(members) = &mut self.content else {
            // Alternatives of a CHOICE are nullable.
            let is_choice = matches!(self.content, Content::Choice { .. });
            return if is_choice { Vec::new() } else { self.admit_null(columns).into_iter().collect() };
        };
        let places = members.iter_mut().filter_map(|member| member.node.admit_null(columns)).collect();
        let fields: Fields = members.iter().map(|member| Arc::clone(&member.node.field)).collect();
        self.field = Arc::new(Field::clone(&self.field).with_data_type(DataType::Struct(fields)));
        places
    }

    /// Its place, if it was not nullable before.
    fn admit_null(&mut self, columns: &mut [Column]) -> Option<usize> {
        let valid = &mut columns[self.at].valid;
        let is_new = valid.is_none();
        valid.get_or_insert_default();
        self.field = Arc::new(Field::clone(&self.field).with_nullable(true));
        is_new.then_some(self.at)
    }

    /// Makes the fields nullable that cannot hold all values of their encoding. Their columns stay
    /// as they are, and say nothing of rows that have a value.
    pub(crate) fn admit_gaps(&mut self, columns: &[Column]) {
        let data_type = match &mut self.content {
            Content::Record(members) => struct_of(members.iter_mut().map(|member| &mut member.node), columns),
            Content::Choice { alternatives, octets } => {
                struct_of(alternatives.iter_mut().flatten().chain(octets.as_deref_mut()), columns)
            }
            Content::List(element) => {
                element.admit_gaps(columns);
                DataType::List(Arc::clone(&element.field))
            }
            Content::Items(_) | Content::Oid { .. } | Content::Leaf => {
                if !holds_all(&columns[self.at].cells) {
                    self.field = Arc::new(Field::clone(&self.field).with_nullable(true));
                }
                return;
            }
        };
        self.field = Arc::new(Field::clone(&self.field).with_data_type(data_type));
    }

    /// Appends a value in a row behind all that have one. With gaps, a column has no value where it
    /// cannot hold it; without them this is an error.
    pub(crate) fn push<P: Part>(
        &self,
        columns: &mut [Column],
        mut gaps: Option<&mut Gaps>,
        row: usize,
        data: P,
    ) -> Result<(), ColumnsError> {
        let column = &mut columns[self.at];
        column.mark(row);
        match &self.content {
            Content::Record(members) => {
                for member in members {
                    let (node, gaps) = (&member.node, gaps.as_deref_mut());
                    let pushed = match (data.component(member.index), &member.default) {
                        (Some(value), _) => node.push(columns, gaps, row, value),
                        (None, Some(default)) => node.push(columns, gaps, row, default as &dyn Data),
                        (None, None) if !member.is_mandatory => Ok(()),
                        (None, None) => Err(ColumnsError::new("columns.absent", "a mandatory component is absent")),
                    };
                    pushed.map_err(|error| error.within(node.field.name()))?;
                }
                Ok(())
            }
            Content::Choice { alternatives, octets } => match (data.alternative(), octets) {
                (Some((index, value)), _) => match alternatives.get(index) {
                    Some(Some(node)) => {
                        let pushed = node.push(columns, gaps, row, value);
                        pushed.map_err(|error| error.within(node.field.name()))
                    }
                    _ => Ok(()),
                },
                (None, Some(octets)) => octets.push(columns, gaps, row, data),
                // An alternative of a later version: none of the columns has a value.
                (None, None) => Ok(()),
            },
            Content::List(element) => {
                let length = data.length().ok_or_else(misfit)?;
                let first = column.put_list(row, length).map_err(|_| full())?.ok_or_else(misfit)?;
                for index in 0..length {
                    let value = data.element(index).ok_or_else(misfit)?;
                    let pushed = element.push(columns, gaps.as_deref_mut(), first + index, value);
                    pushed.map_err(|error| error.at(index))?;
                }
                Ok(())
            }
            Content::Leaf if data.integer().is_some_and(|value| column.put_integer(row, value)) => Ok(()),
            Content::Oid { .. } | Content::Items(_) | Content::Leaf => {
                let relative = matches!(self.content, Content::Oid { relative: true });
                let put = put(column, row, &data, relative);
                match (put, gaps) {
                    (Err(error), Some(gaps)) if self.field.is_nullable() && error.is_of_value() => {
                        column.truncate(row);
                        if column.valid.is_none() {
                            gaps.add(self.at, row);
                        }
                        Ok(())
                    }
                    (put, _) => put,
                }
            }
        }
    }

    /// Takes back all rows but the first ones.
    pub(crate) fn truncate(&self, columns: &mut [Column], gaps: &mut Gaps, rows: usize) {
        columns[self.at].truncate(rows);
        gaps.truncate(self.at, rows);
        match &self.content {
            Content::Record(members) => members.iter().for_each(|member| member.node.truncate(columns, gaps, rows)),
            Content::Choice { alternatives, octets } => {
                let parts = alternatives.iter().flatten().chain(octets.as_deref());
                parts.for_each(|node| node.truncate(columns, gaps, rows));
            }
            Content::List(element) => element.truncate(columns, gaps, count(&columns[self.at])),
            Content::Items(_) | Content::Oid { .. } | Content::Leaf => {}
        }
    }
}

/// The type of a record of these parts, which admit gaps.
fn struct_of<'n>(parts: impl Iterator<Item = &'n mut Node>, columns: &[Column]) -> DataType {
    let field = |node: &mut Node| {
        node.admit_gaps(columns);
        Arc::clone(&node.field)
    };
    DataType::Struct(parts.map(field).collect())
}

/// Whether a column holds all values that an encoding can have.
fn holds_all(cells: &Cells) -> bool {
    matches!(
        cells,
        Cells::Skipped
            | Cells::Parts
            | Cells::Lists(_)
            | Cells::Flags(_)
            | Cells::F64(_)
            | Cells::Names(..)
            | Cells::Text(_)
            | Cells::Octets(_)
            | Cells::Bits(_)
    )
}

/// How many elements there are in a column of lists.
pub(crate) fn count(lists: &Column) -> usize {
    match &lists.cells {
        Cells::Lists(ends) => ends.last().map_or(0, |end| *end as usize),
        _ => 0,
    }
}

fn put(column: &mut Column, row: usize, data: &impl Part, relative: bool) -> Result<(), ColumnsError> {
    let scalar = data.scalar();
    let text;
    let value = match (&column.cells, scalar) {
        (Cells::Text(_), Scalar::Oid(contents)) => {
            let oid = Oid::from_contents(contents).ok_or_else(misfit)?;
            text = if relative { oid.relative_text() } else { oid.absolute_text() };
            Scalar::Text(&text)
        }
        (Cells::Text(_), Scalar::WideInteger(octets)) => {
            text = Integer::from_twos_complement(octets).to_string();
            Scalar::Text(&text)
        }
        _ => scalar,
    };
    column.put(row, value).map_err(|_| refused(column, scalar))
}

/// The error for a value that a column does not hold.
fn refused(column: &Column, value: Scalar<'_>) -> ColumnsError {
    match (&column.cells, value) {
        (
            Cells::I8(_)
            | Cells::I16(_)
            | Cells::I32(_)
            | Cells::I64(_)
            | Cells::U8(_)
            | Cells::U16(_)
            | Cells::U32(_)
            | Cells::U64(_),
            Scalar::Integer(value),
        ) => outside(value),
        (_, Scalar::WideInteger(octets)) => outside(format!("an integer of {} octets", octets.len())),
        (Cells::Text(_), Scalar::Text(_))
        | (Cells::Octets(_), Scalar::Octets(_))
        | (Cells::Bits(_), Scalar::Bits(..)) => full(),
        _ => misfit(),
    }
}

/// A value that is not of the type: a fault of who calls.
fn misfit() -> ColumnsError {
    ColumnsError::new("columns.value", "the value is not of the column's type")
}

fn full() -> ColumnsError {
    ColumnsError::new("columns.limit", "a batch has more than 2^31 elements or octets")
}

fn outside(value: impl std::fmt::Display) -> ColumnsError {
    ColumnsError::new("columns.range", format!("{value} is outside the column's range"))
}
