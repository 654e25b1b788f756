//! Extension additions that the type does not know, in rows that `decode_batch` makes.

use std::collections::HashMap;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use roadwire::{Cursor, Rules, TypeId};
use roadwire_columns::arrays::ArrayRef;
use roadwire_columns::{Columns, UnknownColumn, first_unknown_addition, unknown_additions};
use roadwire_model::Model;
use roadwire_wire::Data;

use crate::error::Problem;

/// Metadata of a batch: how many rows have such additions.
pub(crate) const UNKNOWN_ROWS: &str = "asn1.unknown_rows";

/// How they are handled.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum OnUnknown {
    Drop,
    Refuse,
    Column,
}

impl OnUnknown {
    pub(crate) fn new(name: &str) -> PyResult<Self> {
        match name {
            "drop" => Ok(OnUnknown::Drop),
            "refuse" => Ok(OnUnknown::Refuse),
            "column" => Ok(OnUnknown::Column),
            _ => Err(PyValueError::new_err(format!("unknown is 'drop', 'refuse' or 'column', not {name:?}"))),
        }
    }
}

/// The additions of a batch.
pub(crate) struct Unknowns<'m> {
    model: &'m Model,
    type_id: TypeId,
    rules: Rules,
    on_unknown: OnUnknown,
    column: Option<UnknownColumn>,
    /// So many rows have some.
    rows: usize,
}

impl<'m> Unknowns<'m> {
    pub(crate) fn new(model: &'m Model, type_id: TypeId, rules: Rules, on_unknown: OnUnknown) -> Result<Self, Problem> {
        let column = (on_unknown == OnUnknown::Column).then(UnknownColumn::new).transpose()?;
        Ok(Unknowns { model, type_id, rules, on_unknown, column, rows: 0 })
    }

    /// A row without a message.
    pub(crate) fn skip(&mut self) {
        self.column.iter_mut().for_each(UnknownColumn::skip);
    }

    /// The same as [`Unknowns::push`] for a message that straight-line code took: in PER and OER it
    /// takes none with such additions.
    pub(crate) fn push_generated(&mut self, columns: &mut Columns, value: &dyn Data) -> Result<(), Problem> {
        if !matches!(self.rules, Rules::Uper | Rules::Aper | Rules::Oer | Rules::Coer) {
            return self.push(columns, value);
        }
        columns.push(value)?;
        self.skip();
        Ok(())
    }

    /// The same for a message on a tape, which has none.
    pub(crate) fn push_tape(&mut self, columns: &mut Columns, value: Cursor<'_>) -> Result<(), Problem> {
        columns.push_part(value)?;
        self.skip();
        Ok(())
    }

    /// Appends a row to the columns, and its additions to theirs. After an error there is neither.
    pub(crate) fn push(&mut self, columns: &mut Columns, value: &dyn Data) -> Result<(), Problem> {
        let has_some = match (&mut self.column, self.on_unknown) {
            (Some(column), _) => {
                let additions = unknown_additions(self.model, self.type_id, value, self.rules.name());
                column.push(&additions)?;
                !additions.is_empty()
            }
            (None, OnUnknown::Refuse) => match first_unknown_addition(self.model, self.type_id, value) {
                Some(path) => {
                    let what = "the message has extension additions that the type does not know";
                    return Err(Problem { path, ..Problem::new("additions.unknown", what) });
                }
                None => false,
            },
            (None, _) => first_unknown_addition(self.model, self.type_id, value).is_some(),
        };
        if let Err(error) = columns.push(value) {
            self.column.iter_mut().for_each(UnknownColumn::pop);
            return Err(error.into());
        }
        self.rows += usize::from(has_some);
        Ok(())
    }

    /// The column, if it is asked for.
    pub(crate) fn finish(&mut self) -> Result<Option<ArrayRef>, Problem> {
        Ok(self.column.as_mut().map(UnknownColumn::finish).transpose()?)
    }

    /// The metadata of the batch.
    pub(crate) fn metadata(&self) -> HashMap<String, String> {
        let count = (self.rows > 0).then(|| (UNKNOWN_ROWS.to_owned(), self.rows.to_string()));
        count.into_iter().collect()
    }
}
