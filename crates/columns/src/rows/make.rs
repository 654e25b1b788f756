//! Finds the columns of a type among those of a batch.

use std::collections::HashSet;
use std::sync::Arc;

use arrow_array::{Array, ArrayRef, RecordBatch, StructArray, cast::AsArray};
use arrow_buffer::NullBuffer;
use arrow_schema::DataType;
use roadwire_model::columns::{ColumnCounts, MOST};
use roadwire_model::{Component, Enumerators, Field, Kind, Model, Presence, TypeId};

use super::{Content, Form, Items, Member, Part, absent};
use crate::ColumnsError;
use crate::plan::{CONTAINING, OCTETS, content_names, integer};
use crate::unknown::known_additions;
use crate::values::Values;

/// The part that is all of a batch.
pub(super) fn root(model: &Model, type_id: TypeId, batch: &RecordBatch) -> Result<Part, ColumnsError> {
    let mut maker = Maker { model, counts: ColumnCounts::new(model) };
    maker.columns(type_id)?;
    let fields = StructArray::from(batch.clone());
    if has_fields(model, type_id) {
        let fields: ArrayRef = Arc::new(fields);
        return maker.part(type_id, &fields);
    }
    known(&fields, ["value"].into_iter())?;
    let value = fields.column_by_name("value").ok_or_else(|| absent().within("value"))?;
    maker.part(type_id, value).map_err(|error| error.within("value"))
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

struct Maker<'m> {
    model: &'m Model,
    counts: ColumnCounts<'m>,
}

impl Maker<'_> {
    /// How many columns a type has.
    fn columns(&mut self, ty: TypeId) -> Result<usize, ColumnsError> {
        self.counts.of(ty).ok_or_else(|| {
            let what = format!("the type contains itself, or has more than {MOST} fields");
            ColumnsError::new("columns.recursive", what)
        })
    }

    fn part(&mut self, ty: TypeId, array: &ArrayRef) -> Result<Part, ColumnsError> {
        let kind = &self.model.get(ty).kind;
        if let Kind::External(inner) = kind
            && *inner != ty
        {
            return self.part(*inner, array);
        }
        let content = if *array.data_type() == DataType::Null { Content::Nothing } else { self.content(ty, array)? };
        let (columns, known) = (self.columns(ty)?, known_additions(kind));
        Ok(Part { nulls: nulls_of(array), content, known, columns, rows: array.len() })
    }

    fn content(&mut self, ty: TypeId, array: &ArrayRef) -> Result<Content, ColumnsError> {
        let model = self.model;
        let of_struct = || array.as_struct_opt().ok_or_else(|| other_type(array));
        Ok(match &model.get(ty).kind {
            Kind::Sequence { components, .. } if components.is_empty() => leaf(Form::Empty, array)?,
            Kind::Choice { alternatives, .. } if alternatives.is_empty() => leaf(Form::Empty, array)?,
            Kind::Sequence { components, .. } => self.record(components, of_struct()?)?,
            Kind::Choice { alternatives, .. } => {
                let names = alternatives.iter().map(|one| (one.name.clone(), one.type_id)).collect();
                self.choice(names, false, of_struct()?)?
            }
            Kind::Open { table } => {
                let rows = table.iter().flat_map(|table| &table.rows).map(|(_, inner)| *inner);
                self.choice(content_names(model, rows), true, of_struct()?)?
            }
            Kind::BitString { contains: Some(inner), .. } | Kind::OctetString { contains: Some(inner), .. } => {
                self.choice(vec![(CONTAINING.to_owned(), *inner)], true, of_struct()?)?
            }
            Kind::SequenceOf { element, .. } => {
                let (lists, elements) = lists(array)?;
                let element = self.part(*element, &elements).map_err(|error| error.within("item"))?;
                Content::List(lists, Box::new(element))
            }
            Kind::Boolean => leaf(Form::Boolean, array)?,
            Kind::Null => leaf(Form::Null, array)?,
            // Beyond 64 bits a column has digits.
            Kind::Integer { range, .. } if integer(range).0 == DataType::Utf8 => leaf(Form::Digits, array)?,
            Kind::Integer { .. } => leaf(Form::Integer, array)?,
            Kind::Real { .. } => leaf(Form::Real, array)?,
            Kind::Enumerated(items) => enumerated(items, array)?,
            Kind::BitString { size, .. } => bits(size.upper.filter(|upper| *upper == size.lower), array)?,
            Kind::OctetString { .. } => leaf(Form::Octets, array)?,
            Kind::ObjectIdentifier => leaf(Form::Oid { relative: false }, array)?,
            Kind::RelativeOid => leaf(Form::Oid { relative: true }, array)?,
            Kind::Iri { .. } | Kind::String { .. } | Kind::Time { .. } => leaf(Form::Text, array)?,
            Kind::External(_) => return Err(other_type(array)),
        })
    }

    fn record(&mut self, components: &[Component], fields: &StructArray) -> Result<Content, ColumnsError> {
        known(fields, components.iter().map(|component| component.name.as_str()))?;
        let (mut members, mut at) = (Vec::new(), 1);
        for (index, component) in components.iter().enumerate() {
            let name = &component.name;
            let is_mandatory = component.presence == Presence::Mandatory && component.field == Field::Root;
            match fields.column_by_name(name) {
                Some(column) => {
                    let part = self.part(component.type_id, column).map_err(|error| error.within(name))?;
                    members.push(Member { index, name: name.clone(), at, is_mandatory, part });
                }
                None if is_mandatory => return Err(absent().within(name)),
                None => {}
            }
            at += self.columns(component.type_id)?;
        }
        Ok(Content::Record(members, components.len()))
    }

    fn choice(
        &mut self,
        names: Vec<(String, TypeId)>,
        has_octets: bool,
        fields: &StructArray,
    ) -> Result<Content, ColumnsError> {
        let octets = has_octets.then_some(OCTETS);
        known(fields, names.iter().map(|(name, _)| name.as_str()).chain(octets))?;
        let (mut alternatives, count, mut at) = (Vec::new(), names.len(), 1);
        for (index, (name, ty)) in names.into_iter().enumerate() {
            if let Some(column) = fields.column_by_name(&name) {
                let part = self.part(ty, column).map_err(|error| error.within(&name))?;
                alternatives.push(Member { index, name, at, is_mandatory: false, part });
            }
            at += self.columns(ty)?;
        }
        let column =
            octets.and_then(|name| fields.column_by_name(name)).filter(|column| *column.data_type() != DataType::Null);
        let octets = column.map(|column| {
            let content = leaf(Form::Octets, column).map_err(|error| error.within(OCTETS))?;
            Ok(Box::new(Part { nulls: nulls_of(column), content, known: None, columns: 1, rows: column.len() }))
        });
        Ok(Content::Choice(alternatives, count, octets.transpose()?))
    }
}

/// The nulls of a column; nothing where it has none.
fn nulls_of(array: &ArrayRef) -> Option<NullBuffer> {
    array.logical_nulls().filter(|nulls| nulls.null_count() > 0)
}

fn leaf(form: Form, array: &ArrayRef) -> Result<Content, ColumnsError> {
    let values = Values::new(array).ok_or_else(|| other_type(array))?;
    let fits = match form {
        Form::Boolean | Form::Null | Form::Empty => matches!(inner(&values), Values::Boolean(_)),
        Form::Real => matches!(inner(&values), Values::F32(_) | Values::F64(_)),
        Form::Enumerated(_) | Form::Text | Form::Oid { .. } => is_text(&values),
        Form::Integer => is_integer(&values),
        Form::Digits => is_text(&values) || is_integer(&values),
        Form::Bits(_) | Form::Octets => is_octets(&values),
    };
    if fits { Ok(Content::Leaf(form, values)) } else { Err(other_type(array)) }
}

fn enumerated(items: &Enumerators, array: &ArrayRef) -> Result<Content, ColumnsError> {
    let values = Values::new(array).filter(is_text).ok_or_else(|| other_type(array))?;
    Ok(Content::Leaf(Form::Enumerated(Items::new(items, &values, array)), values))
}

/// Bits, of which there are so many if all strings have as many.
fn bits(size: Option<u64>, array: &ArrayRef) -> Result<Content, ColumnsError> {
    let Some(fields) = array.as_struct_opt() else {
        return leaf(Form::Bits(size.ok_or_else(|| other_type(array))? as usize), array);
    };
    known(fields, ["value", "length"].into_iter())?;
    let of = |name| fields.column_by_name(name).ok_or_else(|| absent().within(name));
    let values = |array: &ArrayRef| Values::new(array).ok_or_else(|| other_type(array));
    Ok(Content::Bits(values(of("value")?)?, values(of("length")?)?))
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

fn other_type(array: &ArrayRef) -> ColumnsError {
    ColumnsError::new("columns.type", format!("a column of {} does not hold the type", array.data_type()))
}
