//! From columns back to values, row by row.

mod fill;
mod row;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use arrow_array::{Array, ArrayRef, RecordBatch, StructArray, cast::AsArray};
use arrow_buffer::NullBuffer;
use arrow_schema::DataType;
use roadwire_model::columns::{ColumnCounts, MOST};
use roadwire_model::{Enumerators, Field, Kind, Model, Presence, TypeId, Value};
use roadwire_wire::{Data, ordinal_of_unknown_item};

use crate::ColumnsError;
use crate::plan::{CONTAINING, OCTETS, content_names, integer};
use crate::unknown::{Tree, UnknownAddition, known_additions, nowhere};
use crate::values::Values;

pub use row::Row;

/// The rows of a batch as values of a type: what [`Columns`](crate::Columns) makes of values, read
/// again.
///
/// Arrays may also be of the wider, the larger and the "view" types, and dictionaries: what other
/// programs make of them.
#[derive(Debug)]
pub struct Rows {
    root: Part,
    rows: usize,
    /// Whether a row can be read part by part.
    has_parts: bool,
}

/// The columns of a part of a value.
#[derive(Debug)]
struct Part {
    nulls: Option<NullBuffer>,
    content: Content,
    /// How many extension additions the type knows, if it is extensible.
    known: Option<u32>,
}

#[derive(Debug)]
enum Content {
    /// Nulls alone: what other programs make of a column without values.
    Nothing,
    /// By index and name; how many components there are.
    Record(Vec<Member>, usize),
    /// By index and name. The last one may be content that is known as octets alone.
    Choice(Vec<(usize, String, Part)>, Option<Box<Part>>),
    /// Where each list begins and ends among the elements.
    List(Vec<(usize, usize)>, Box<Part>),
    Leaf(Form, Values),
    /// Bits, and how many there are.
    Bits(Values, Values),
}

#[derive(Debug)]
struct Member {
    index: usize,
    name: String,
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

/// The items of an enumeration.
#[derive(Debug)]
struct Items {
    /// By name.
    ordinals: HashMap<String, u32>,
    /// How many are in the root, if there may be others.
    root: Option<u32>,
    /// By their place in a dictionary.
    known: Vec<Option<u32>>,
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
        if ColumnCounts::new(model).of(type_id).is_none() {
            let what = format!("the type contains itself, or has more than {MOST} fields");
            return Err(ColumnsError::new("columns.recursive", what));
        }
        let fields = StructArray::from(batch.clone());
        let root = if has_fields(model, type_id) {
            let fields: ArrayRef = Arc::new(fields);
            part(model, type_id, &fields)?
        } else {
            known(&fields, ["value"].into_iter())?;
            let value = fields.column_by_name("value").ok_or_else(|| absent().within("value"))?;
            part(model, type_id, value).map_err(|error| error.within("value"))?
        };
        let has_parts = root.has_parts();
        Ok(Rows { root, rows: batch.num_rows(), has_parts })
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

/// Whether the columns of a batch are the parts of the type; otherwise one column, `value`, is all
/// of it.
fn has_fields(model: &Model, ty: TypeId) -> bool {
    match &model.get(ty).kind {
        Kind::External(inner) if *inner != ty => has_fields(model, *inner),
        Kind::Sequence { components, .. } => !components.is_empty(),
        Kind::Choice { alternatives, .. } => !alternatives.is_empty(),
        Kind::Open { .. } => true,
        kind => kind.contained().is_some(),
    }
}

fn part(model: &Model, ty: TypeId, array: &ArrayRef) -> Result<Part, ColumnsError> {
    if *array.data_type() == DataType::Null {
        return Ok(Part { nulls: array.logical_nulls(), content: Content::Nothing, known: None });
    }
    let of_struct = || array.as_struct_opt().ok_or_else(|| other_type(array));
    let content = match &model.get(ty).kind {
        Kind::External(inner) if *inner != ty => return part(model, *inner, array),
        Kind::Sequence { components, .. } if components.is_empty() => leaf(Form::Empty, array)?,
        Kind::Choice { alternatives, .. } if alternatives.is_empty() => leaf(Form::Empty, array)?,
        Kind::Sequence { components, .. } => {
            let fields = of_struct()?;
            known(fields, components.iter().map(|component| component.name.as_str()))?;
            let mut members = Vec::new();
            for (index, component) in components.iter().enumerate() {
                let name = &component.name;
                let is_mandatory = component.presence == Presence::Mandatory && component.field == Field::Root;
                let part = match fields.column_by_name(name) {
                    Some(column) => part(model, component.type_id, column).map_err(|error| error.within(name))?,
                    None if is_mandatory => return Err(absent().within(name)),
                    None => continue,
                };
                members.push(Member { index, name: name.clone(), is_mandatory, part });
            }
            Content::Record(members, components.len())
        }
        Kind::Choice { alternatives, .. } => {
            let names = alternatives.iter().map(|one| (one.name.clone(), one.type_id)).collect();
            choice(model, names, false, of_struct()?)?
        }
        Kind::Open { table } => {
            let rows = table.iter().flat_map(|table| &table.rows).map(|(_, inner)| *inner);
            choice(model, content_names(model, rows), true, of_struct()?)?
        }
        Kind::BitString { contains: Some(inner), .. } | Kind::OctetString { contains: Some(inner), .. } => {
            choice(model, vec![(CONTAINING.to_owned(), *inner)], true, of_struct()?)?
        }
        Kind::SequenceOf { element, .. } => {
            let (lists, elements) = lists(array)?;
            let element = part(model, *element, &elements).map_err(|error| error.within("item"))?;
            Content::List(lists, Box::new(element))
        }
        Kind::Boolean => leaf(Form::Boolean, array)?,
        Kind::Null => leaf(Form::Null, array)?,
        // Beyond 64 bits a column has digits.
        Kind::Integer { range, .. } if integer(range).0 == DataType::Utf8 => leaf(Form::Digits, array)?,
        Kind::Integer { .. } => leaf(Form::Integer, array)?,
        Kind::Real { .. } => leaf(Form::Real, array)?,
        Kind::Enumerated(items) => leaf(Form::Enumerated(Items::new(items)), array)?,
        Kind::BitString { size, .. } => match array.as_struct_opt() {
            Some(fields) => {
                known(fields, ["value", "length"].into_iter())?;
                let of = |name| fields.column_by_name(name).ok_or_else(|| absent().within(name));
                let values = |array: &ArrayRef| Values::new(array).ok_or_else(|| other_type(array));
                Content::Bits(values(of("value")?)?, values(of("length")?)?)
            }
            None => match size.upper.filter(|upper| *upper == size.lower) {
                Some(bits) => leaf(Form::Bits(bits as usize), array)?,
                None => return Err(other_type(array)),
            },
        },
        Kind::OctetString { .. } => leaf(Form::Octets, array)?,
        Kind::ObjectIdentifier => leaf(Form::Oid { relative: false }, array)?,
        Kind::RelativeOid => leaf(Form::Oid { relative: true }, array)?,
        Kind::Iri { .. } | Kind::String { .. } | Kind::Time { .. } => leaf(Form::Text, array)?,
        Kind::External(_) => return Err(other_type(array)),
    };
    Ok(Part { nulls: nulls_of(array), content, known: known_additions(&model.get(ty).kind) })
}

/// The nulls of a column; nothing where it has none.
fn nulls_of(array: &ArrayRef) -> Option<NullBuffer> {
    array.logical_nulls().filter(|nulls| nulls.null_count() > 0)
}

fn choice(
    model: &Model,
    names: Vec<(String, TypeId)>,
    has_octets: bool,
    fields: &StructArray,
) -> Result<Content, ColumnsError> {
    let octets = has_octets.then_some(OCTETS);
    known(fields, names.iter().map(|(name, _)| name.as_str()).chain(octets))?;
    let mut alternatives = Vec::new();
    for (index, (name, ty)) in names.into_iter().enumerate() {
        if let Some(column) = fields.column_by_name(&name) {
            let part = part(model, ty, column).map_err(|error| error.within(&name))?;
            alternatives.push((index, name, part));
        }
    }
    let column =
        octets.and_then(|name| fields.column_by_name(name)).filter(|column| *column.data_type() != DataType::Null);
    let octets = column.map(|column| {
        let content = leaf(Form::Octets, column).map_err(|error| error.within(OCTETS))?;
        Ok(Box::new(Part { nulls: nulls_of(column), content, known: None }))
    });
    Ok(Content::Choice(alternatives, octets.transpose()?))
}

impl Items {
    fn new(items: &Enumerators) -> Items {
        let ordinals = items.all().zip(0..).map(|((name, _), ordinal)| (name.clone(), ordinal)).collect();
        Items { ordinals, root: items.extensible.then_some(items.root.len() as u32), known: Vec::new() }
    }

    /// Finds the items of a dictionary once.
    fn know(&mut self, values: &Values, rows: usize) {
        if let Values::Dictionary(_, items) = values {
            self.known = (0..rows).map(|row| self.named(items.text(row)?)).collect();
        }
    }

    fn named(&self, name: &str) -> Option<u32> {
        self.ordinals.get(name).copied().or_else(|| unknown_item(name, self.root?))
    }

    fn ordinal(&self, values: &Values, row: usize) -> Option<u32> {
        match values {
            Values::Dictionary(places, _) => *self.known.get(*places.get(row)?)?,
            values => self.named(values.text(row)?),
        }
    }
}

fn leaf(mut form: Form, array: &ArrayRef) -> Result<Content, ColumnsError> {
    let values = Values::new(array).ok_or_else(|| other_type(array))?;
    let fits = match form {
        Form::Boolean | Form::Null | Form::Empty => matches!(inner(&values), Values::Boolean(_)),
        Form::Real => matches!(inner(&values), Values::F32(_) | Values::F64(_)),
        Form::Enumerated(..) | Form::Text | Form::Oid { .. } => is_text(&values),
        Form::Integer => is_integer(&values),
        Form::Digits => is_text(&values) || is_integer(&values),
        Form::Bits(_) | Form::Octets => is_octets(&values),
    };
    if let Form::Enumerated(items) = &mut form {
        items.know(&values, array.as_any_dictionary_opt().map_or(0, |array| array.values().len()));
    }
    if fits { Ok(Content::Leaf(form, values)) } else { Err(other_type(array)) }
}

fn inner(values: &Values) -> &Values {
    match values {
        Values::Dictionary(_, values) => inner(values),
        values => values,
    }
}

fn is_text(values: &Values) -> bool {
    matches!(inner(values), Values::Text(_) | Values::LargeText(_) | Values::TextView(_))
}

fn is_octets(values: &Values) -> bool {
    matches!(inner(values), Values::Octets(_) | Values::LargeOctets(_) | Values::OctetsView(_) | Values::Fixed(_))
}

fn is_integer(values: &Values) -> bool {
    let inner = inner(values);
    matches!(inner, Values::I8(_) | Values::I16(_) | Values::I32(_) | Values::I64(_))
        || matches!(inner, Values::U8(_) | Values::U16(_) | Values::U32(_) | Values::U64(_))
}

/// Where each list begins and ends, and the elements.
fn lists(array: &ArrayRef) -> Result<(Vec<(usize, usize)>, ArrayRef), ColumnsError> {
    let pairs = |ends: Vec<usize>| ends.windows(2).map(|pair| (pair[0], pair[1])).collect();
    Ok(match array.data_type() {
        DataType::List(_) => {
            let lists = array.as_list::<i32>();
            (pairs(lists.offsets().iter().map(|end| *end as usize).collect()), lists.values().clone())
        }
        DataType::LargeList(_) => {
            let lists = array.as_list::<i64>();
            (pairs(lists.offsets().iter().map(|end| *end as usize).collect()), lists.values().clone())
        }
        DataType::FixedSizeList(_, size) => {
            let (size, lists) = (*size as usize, array.as_fixed_size_list());
            (pairs((0..=array.len()).map(|at| at * size).collect()), lists.values().clone())
        }
        _ => return Err(other_type(array)),
    })
}

/// Refuses columns that the type does not have, and several of the same name.
fn known<'n>(fields: &StructArray, names: impl Iterator<Item = &'n str>) -> Result<(), ColumnsError> {
    let (known, mut seen): (Vec<&str>, _) = (names.collect(), HashSet::new());
    for name in fields.column_names() {
        if !known.contains(&name) {
            return Err(ColumnsError::new("columns.unknown", format!("the type has no field `{name}`")));
        }
        if !seen.insert(name) {
            return Err(ColumnsError::new("columns.double", format!("several columns are called `{name}`")));
        }
    }
    Ok(())
}

impl Part {
    #[inline]
    fn is_null(&self, row: usize) -> bool {
        self.nulls.as_ref().is_some_and(|nulls| nulls.is_null(row))
    }
}

/// The ordinal of `...N` or `...(N)`.
fn unknown_item(name: &str, root: u32) -> Option<u32> {
    let rest = name.strip_prefix("...")?;
    match rest.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        Some(number) => ordinal_of_unknown_item(number.parse().ok()?),
        None => root.checked_add(rest.parse().ok()?),
    }
}

fn absent() -> ColumnsError {
    ColumnsError::new("columns.absent", "a mandatory component is absent")
}

fn other_type(array: &ArrayRef) -> ColumnsError {
    ColumnsError::new("columns.type", format!("a column of {} does not hold the type", array.data_type()))
}
