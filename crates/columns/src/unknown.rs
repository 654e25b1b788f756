//! Extension additions, and alternatives of a CHOICE, that the type does not know: a column of
//! their own, beside those of the type, and back.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::ops::ControlFlow::{self, Break, Continue};

use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{Field, Schema};
use roadwire_model::constraint::{IntegerRange, Size};
use roadwire_model::{Component, Field as Place, Kind, Model, Presence, StringKind, Type, TypeId, Value};
use roadwire_wire::{Data, Unknown};

use crate::plan::{CONTAINING, MOST_DEPTH, content_names};
use crate::{Columns, ColumnsError, Rows};

/// The column's name beside those of the type; no component has it, for an identifier has no
/// underscore.
pub const UNKNOWN: &str = "_unknown";

/// An extension addition, or an alternative of a CHOICE, that a type does not know, and where it is
/// in a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownAddition {
    /// The SEQUENCE, SET or CHOICE that it belongs to: its path by the names of columns, with the
    /// numbers of list elements, such as `a.list[3].b`; empty for the value itself.
    pub path: String,
    /// Its place among all additions, and its octets.
    pub unknown: Unknown,
    /// The encoding rules that the octets came in.
    pub rules: String,
}

/// All unknown additions of a value that came in an encoding by these rules: those of a part before
/// those of what it is in.
///
/// # Panics
/// On a type id of another model.
#[must_use]
pub fn unknown_additions(model: &Model, type_id: TypeId, value: &dyn Data, rules: &str) -> Vec<UnknownAddition> {
    let mut found = Vec::new();
    let _ = walk(model, type_id, value, &mut Vec::new(), &mut |steps, unknown| {
        let (path, rules) = (path_of(model, steps), rules.to_owned());
        found.push(UnknownAddition { path, unknown: unknown.clone(), rules });
        Continue(())
    });
    found
}

/// The path of the first unknown addition of a value, if it has any.
///
/// # Panics
/// On a type id of another model.
#[must_use]
pub fn first_unknown_addition(model: &Model, type_id: TypeId, value: &dyn Data) -> Option<String> {
    let mut first = None;
    let _ = walk(model, type_id, value, &mut Vec::new(), &mut |steps, _| {
        first = Some(path_of(model, steps));
        Break(())
    });
    first
}

/// The column of unknown additions: a list of structs (`path`, `index`, `octets`, `rules`) for each
/// row, null where there are none.
#[derive(Clone, Debug)]
pub struct UnknownColumn(Columns);

impl UnknownColumn {
    /// A column without rows.
    ///
    /// # Errors
    /// None: the type of the column is always the same.
    pub fn new() -> Result<Self, ColumnsError> {
        let (model, type_id) = list_type();
        Ok(UnknownColumn(Columns::new(&model, type_id, &[])?.nullable()))
    }

    /// Its field, which is called [`UNKNOWN`].
    #[must_use]
    pub fn field(&self) -> Field {
        Field::new(UNKNOWN, self.0.schema().field(0).data_type().clone(), true)
    }

    /// Appends a row without any.
    pub fn skip(&mut self) {
        self.0.skip();
    }

    /// Appends a row. After an error there is none.
    ///
    /// # Errors
    /// `columns.limit` where the batch is full.
    pub fn push(&mut self, additions: &[UnknownAddition]) -> Result<(), ColumnsError> {
        if additions.is_empty() {
            self.skip();
            return Ok(());
        }
        let entry = |addition: &UnknownAddition| {
            let UnknownAddition { path, unknown, rules } = addition;
            Value::sequence([
                Some(Value::Text(path.clone())),
                Some(i128::from(unknown.index).into()),
                Some(Value::OctetString(unknown.octets.clone())),
                Some(Value::Text(rules.clone())),
            ])
        };
        self.0.push(&Value::List(additions.iter().map(entry).collect()))
    }

    /// Takes back the last row.
    pub fn pop(&mut self) {
        self.0.pop();
    }

    /// All rows as an array. The column is empty afterwards.
    ///
    /// # Errors
    /// `columns.arrow`: does not happen.
    pub fn finish(&mut self) -> Result<ArrayRef, ColumnsError> {
        Ok(ArrayRef::clone(self.0.finish()?.column(0)))
    }
}

/// The rows of a column of unknown additions: what [`UnknownColumn`] makes, or another program made
/// of it.
#[derive(Debug)]
pub struct UnknownRows(Rows);

impl UnknownRows {
    /// The rows of an array.
    ///
    /// # Errors
    /// As [`Rows::new`].
    pub fn new(column: &ArrayRef) -> Result<Self, ColumnsError> {
        let (model, type_id) = list_type();
        let schema = Schema::new(vec![Field::new("value", column.data_type().clone(), true)]);
        let batch = RecordBatch::try_new(schema.into(), vec![ArrayRef::clone(column)]).map_err(crate::arrow)?;
        let rows = Rows::new(&model, type_id, &batch).map_err(|error| match error.path.strip_prefix("value") {
            Some(rest) => ColumnsError { path: format!("{UNKNOWN}{rest}"), ..error },
            None => error.within(UNKNOWN),
        });
        Ok(UnknownRows(rows?))
    }

    /// Whether a row has none.
    #[must_use]
    pub fn is_empty_at(&self, row: usize) -> bool {
        self.0.is_empty_at(row)
    }

    /// The additions of a row; none where it is null.
    ///
    /// # Errors
    /// `columns.absent` for an entry without one of its parts, and `columns.addition` for an index
    /// that is none.
    pub fn row(&self, row: usize) -> Result<Vec<UnknownAddition>, ColumnsError> {
        if self.is_empty_at(row) {
            return Ok(Vec::new());
        }
        let Value::List(entries) = self.0.value(row).map_err(|error| error.within(UNKNOWN))? else {
            return Err(misfit().within(UNKNOWN));
        };
        let entries = entries.into_iter().enumerate();
        entries.map(|(at, entry)| addition(entry).map_err(|error| error.at(at).within(UNKNOWN))).collect()
    }
}

fn addition(entry: Value) -> Result<UnknownAddition, ColumnsError> {
    let Value::Sequence { components, .. } = entry else { return Err(misfit()) };
    let Ok([Some(Value::Text(path)), Some(index), Some(Value::OctetString(octets)), Some(Value::Text(rules))]) =
        <[Option<Value>; 4]>::try_from(components)
    else {
        return Err(misfit());
    };
    let index = index.integer().and_then(|index| u32::try_from(index).ok()).ok_or_else(|| {
        ColumnsError::new("columns.addition", "an addition's index is 0 to 4294967295").within("index")
    })?;
    Ok(UnknownAddition { path, unknown: Unknown { index, octets }, rules })
}

fn misfit() -> ColumnsError {
    ColumnsError::new("columns.value", "the entry is not of the type")
}

/// The type of the column's rows.
fn list_type() -> (Model, TypeId) {
    let mut model = Model::default();
    let mut add = |kind| model.add(Type { name: None, reference: None, tags: vec![], kind, instructions: vec![] });
    let text =
        Kind::String { kind: StringKind::Utf8, size: Size::default(), alphabet: None, alphabet_extensible: false };
    let text = add(text);
    let range = IntegerRange { lower: Some(0.into()), upper: Some(u32::MAX.into()), extensible: false };
    let index = add(Kind::Integer { range, named: vec![] });
    let octets = add(Kind::OctetString { size: Size::default(), contains: None });
    let component = |(name, type_id): (&str, TypeId)| Component {
        name: name.to_owned(),
        type_id,
        presence: Presence::Mandatory,
        field: Place::Root,
    };
    let parts = [("path", text), ("index", index), ("octets", octets), ("rules", text)];
    let components = parts.into_iter().map(component).collect();
    let element = add(Kind::Sequence { set: false, components, extensible: false });
    let list = add(Kind::SequenceOf { set: false, element, element_name: None, size: Size::default() });
    (model, list)
}

/// A step of a path.
enum Step<'m> {
    Name(&'m str),
    Index(usize),
    /// The content of an open type, by the row of its table.
    Content(TypeId, usize),
}

/// Passes each unknown addition to a function until it breaks off. Values nest no deeper than the
/// decoders' limit.
fn walk<'m>(
    model: &'m Model,
    id: TypeId,
    value: &dyn Data,
    steps: &mut Vec<Step<'m>>,
    each: &mut dyn FnMut(&[Step<'m>], &Unknown) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let kind = &model.get(id).kind;
    let mut inside = |step, id, value: &dyn Data, each: &mut dyn FnMut(&[Step<'m>], &Unknown) -> ControlFlow<()>| {
        steps.push(step);
        walk(model, id, value, steps, each)?;
        steps.pop();
        Continue(())
    };
    match kind {
        Kind::External(inner) if *inner != id => return walk(model, *inner, value, steps, each),
        Kind::Sequence { components, .. } => {
            for (index, component) in components.iter().enumerate() {
                if let Some(value) = value.component(index) {
                    inside(Step::Name(&component.name), component.type_id, value, each)?;
                }
            }
        }
        Kind::SequenceOf { element, .. } => {
            for index in 0..value.length().unwrap_or(0) {
                if let Some(value) = value.element(index) {
                    inside(Step::Index(index), *element, value, each)?;
                }
            }
        }
        Kind::Choice { alternatives, .. } => {
            if let Some((index, value)) = value.alternative()
                && let Some(one) = alternatives.get(index)
            {
                return inside(Step::Name(&one.name), one.type_id, value, each);
            }
        }
        Kind::Open { table: Some(table) } => {
            if let Some((row, value)) = value.alternative()
                && let Some((_, inner)) = table.rows.get(row)
            {
                inside(Step::Content(id, row), *inner, value, each)?;
            }
        }
        kind => {
            if let Some(inner) = kind.contained()
                && let Some((_, value)) = value.alternative()
            {
                inside(Step::Name(CONTAINING), inner, value, each)?;
            }
        }
    }
    value.unknown().iter().try_for_each(|unknown| each(steps, unknown))
}

fn path_of(model: &Model, steps: &[Step<'_>]) -> String {
    let mut path = String::new();
    for step in steps {
        let name = match step {
            Step::Index(index) => {
                path.push_str(&format!("[{index}]"));
                continue;
            }
            Step::Name(name) => Cow::Borrowed(*name),
            Step::Content(id, row) => Cow::Owned(content_name(model, *id, *row)),
        };
        if !path.is_empty() {
            path.push('.');
        }
        path.push_str(&name);
    }
    path
}

/// The name of the column of what is in an open type.
fn content_name(model: &Model, id: TypeId, row: usize) -> String {
    let Kind::Open { table: Some(table) } = &model.get(id).kind else { return String::new() };
    let types = table.rows.iter().map(|(_, inner)| *inner).take(row + 1);
    content_names(model, types).pop().map_or_else(String::new, |(name, _)| name)
}

/// The additions of one row, by their paths.
#[derive(Debug, Default)]
pub(crate) struct Tree<'a> {
    /// With the numbers of their entries.
    additions: Vec<(usize, &'a Unknown)>,
    named: BTreeMap<&'a str, Tree<'a>>,
    elements: BTreeMap<usize, Tree<'a>>,
    placed: Cell<bool>,
}

/// A step of a path that is given.
enum Key<'a> {
    Name(&'a str),
    Index(usize),
}

impl<'a> Tree<'a> {
    /// # Errors
    /// `columns.addition` for a path that is none.
    pub(crate) fn new(additions: &'a [UnknownAddition]) -> Result<Self, ColumnsError> {
        let mut root = Tree::default();
        for (at, addition) in additions.iter().enumerate() {
            let mut node = &mut root;
            let steps = keys(&addition.path).ok_or_else(|| nowhere(at, addition))?;
            for key in steps {
                node = match key {
                    Key::Name(name) => node.named.entry(name).or_default(),
                    Key::Index(index) => node.elements.entry(index).or_default(),
                };
            }
            node.additions.push((at, &addition.unknown));
        }
        Ok(root)
    }

    /// The content of the component or alternative of this name.
    pub(crate) fn named(&self, name: &str) -> Option<&Tree<'a>> {
        self.named.get(name)
    }

    /// The content of this element of a list.
    pub(crate) fn element(&self, index: usize) -> Option<&Tree<'a>> {
        self.elements.get(&index)
    }

    /// Puts its additions into a SEQUENCE or SET that knows so many.
    ///
    /// # Errors
    /// `columns.addition` for one that the type knows, or that comes twice.
    pub(crate) fn put(&self, known: u32, value: &mut dyn Data) -> Result<(), ColumnsError> {
        let mut additions = self.additions.clone();
        additions.sort_by_key(|(_, unknown)| unknown.index);
        for (_, unknown) in additions {
            check(unknown, known)?;
            if !value.keep(unknown.clone()) {
                let what = format!("the unknown addition {} comes twice, or has no place here", unknown.index);
                return Err(ColumnsError::new("columns.addition", what));
            }
        }
        self.placed.set(true);
        Ok(())
    }

    /// The alternative of a CHOICE that knows so many additions, if it has an unknown one.
    ///
    /// # Errors
    /// `columns.addition` for one that the type knows; `columns.choice` for several.
    pub(crate) fn alternative(&self, known: u32) -> Result<Option<&'a Unknown>, ColumnsError> {
        let unknown = match self.additions.as_slice() {
            [] => return Ok(None),
            [(_, unknown)] => unknown,
            _ => return Err(ColumnsError::new("columns.choice", "several unknown alternatives have a value")),
        };
        check(unknown, known)?;
        self.placed.set(true);
        Ok(Some(unknown))
    }

    /// The first entry, if any, that was not put anywhere.
    pub(crate) fn left(&self) -> Option<usize> {
        let own = self.additions.first().filter(|_| !self.placed.get()).map(|(at, _)| *at);
        own.into_iter().chain(self.named.values().chain(self.elements.values()).filter_map(Tree::left)).min()
    }
}

/// That an entry has no place in its row.
pub(crate) fn nowhere(at: usize, addition: &UnknownAddition) -> ColumnsError {
    let shown: String = addition.path.chars().take(200).collect();
    let what = format!("the row has no extensible SEQUENCE, SET or CHOICE at `{shown}`");
    ColumnsError::new("columns.addition", what).within("path").at(at).within(UNKNOWN)
}

fn check(unknown: &Unknown, known: u32) -> Result<(), ColumnsError> {
    if unknown.index >= known {
        return Ok(());
    }
    let what = format!("the type knows its addition {}: those from {known} on are unknown", unknown.index);
    Err(ColumnsError::new("columns.addition", what))
}

/// How many extension additions a SEQUENCE, SET or CHOICE knows; nothing if it is not extensible.
pub(crate) fn known_additions(kind: &Kind) -> Option<u32> {
    let count = match kind {
        Kind::Sequence { components, extensible: true, .. } => {
            let mut last = Place::Root;
            let is_first = |component: &&Component| {
                let before = std::mem::replace(&mut last, component.field);
                match component.field {
                    Place::Root => false,
                    Place::Addition => true,
                    // All of a group are one addition.
                    Place::Group(_) => component.field != before,
                }
            };
            components.iter().filter(is_first).count()
        }
        Kind::Choice { alternatives, extensible: true } => alternatives.iter().filter(|one| one.addition).count(),
        _ => return None,
    };
    u32::try_from(count).ok()
}

/// The steps of a path; nothing if it is none, or has more than there are in any value.
fn keys(path: &str) -> Option<Vec<Key<'_>>> {
    let (mut keys, mut rest) = (Vec::new(), path);
    while !rest.is_empty() {
        if keys.len() > MOST_DEPTH {
            return None;
        }
        if let Some(index) = rest.strip_prefix('[') {
            let (index, behind) = index.split_once(']')?;
            let is_number = !index.is_empty() && index.bytes().all(|digit| digit.is_ascii_digit());
            keys.push(Key::Index(Some(index).filter(|_| is_number)?.parse().ok()?));
            rest = behind;
            continue;
        }
        let name = if keys.is_empty() { rest } else { rest.strip_prefix('.')? };
        let end = name.find(['.', '[']).unwrap_or(name.len());
        let (name, behind) = name.split_at(end);
        keys.push(Key::Name(Some(name).filter(|name| !name.is_empty())?));
        rest = behind;
    }
    Some(keys)
}
