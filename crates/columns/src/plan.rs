//! From a type to its columns: the table of `docs/arrow.md`.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::{Array as _, StringArray};
use arrow_schema::{DataType, Field, Fields};
use roadwire_model::columns::{ColumnCounts, MOST};
use roadwire_model::constraint::{IntegerRange, Size};
use roadwire_model::{Component, Field as Place, Kind, Model, Presence, TypeId};
use roadwire_wire::column::Strings;
use roadwire_wire::{Cells, Column};

use crate::node::{Content, Member, Node};
use crate::{ColumnsError, units};

/// The column of a content that is only known as octets.
pub(crate) const OCTETS: &str = "octets";
/// The column of a string's content.
pub(crate) const CONTAINING: &str = "containing";
/// The most levels of types.
pub(crate) const MOST_DEPTH: usize = 100;

/// The columns of a type, with its root, and their meaning. A root that is not a SEQUENCE is called
/// `value`.
pub(crate) fn root(model: &Model, root: TypeId, selected: &[&str]) -> Result<(Node, Vec<Column>), ColumnsError> {
    let (used, counts) = (vec![false; selected.len()], ColumnCounts::new(model));
    let mut plan = Plan { model, selected, used, around: Vec::new(), counts, columns: Vec::new() };
    let node = plan.node("value", root, false, "", selected.is_empty())?;
    if let Some(unused) = plan.used.iter().zip(selected).find(|(used, _)| !**used) {
        return Err(ColumnsError::new("columns.unknown", format!("the type has no field `{}`", unused.1)));
    }
    Ok((node, plan.columns))
}

struct Plan<'a> {
    model: &'a Model,
    selected: &'a [&'a str],
    used: Vec<bool>,
    /// The types around this one.
    around: Vec<TypeId>,
    counts: ColumnCounts<'a>,
    /// In the order of [`roadwire_wire::column`].
    columns: Vec<Column>,
}

impl Plan<'_> {
    /// The columns of a type. `path` is where it is, and `all` whether all of it is wanted.
    fn node(&mut self, name: &str, ty: TypeId, nullable: bool, path: &str, all: bool) -> Result<Node, ColumnsError> {
        let at = self.columns.len();
        if at >= MOST || self.around.len() > MOST_DEPTH {
            let what = format!("the type has more than {MOST} fields or {MOST_DEPTH} levels");
            return Err(ColumnsError::new("columns.limit", what));
        }
        let untagged = self.model.untagged(ty);
        if self.around.contains(&untagged) {
            return Err(ColumnsError::new("columns.recursive", "a type that contains itself has no columns"));
        }
        self.around.push(untagged);
        self.columns.push(Column::new(Cells::Parts, nullable));
        let made = self.content(ty, at, path, all);
        self.around.pop();
        let (data_type, content) = made?;
        let field = Field::new(name, data_type, nullable).with_metadata(self.metadata(ty));
        Ok(Node { field: Arc::new(field), at, content })
    }

    /// Skips a part that is not selected.
    fn skip(&mut self, ty: TypeId) {
        // A type that contains itself takes one column, and no counted type contains it.
        let count = self.counts.of(ty).unwrap_or(1);
        self.columns.extend((0..count).map(|_| Column::skipped()));
    }

    /// The content of the column at a place.
    fn content(&mut self, ty: TypeId, at: usize, path: &str, all: bool) -> Result<(DataType, Content), ColumnsError> {
        let model = self.model;
        match &model.get(ty).kind {
            Kind::External(inner) if *inner != ty => self.content(*inner, at, path, all),
            Kind::Sequence { components, .. } if components.is_empty() => Ok(self.leaf(at, present())),
            Kind::Sequence { components, .. } => self.record(components, path, all),
            Kind::Choice { alternatives, .. } if alternatives.is_empty() => Ok(self.leaf(at, present())),
            Kind::Choice { alternatives, .. } => {
                let of = alternatives.iter().map(|one| (one.name.clone(), one.type_id)).collect();
                self.choice(of, None, path, all)
            }
            Kind::Open { table } => {
                let rows = table.iter().flat_map(|table| &table.rows).map(|(_, inner)| *inner);
                self.choice(content_names(model, rows), Some(OCTETS), path, all)
            }
            Kind::BitString { contains: Some(inner), .. } | Kind::OctetString { contains: Some(inner), .. } => {
                self.choice(vec![(CONTAINING.into(), *inner)], Some(OCTETS), path, all)
            }
            Kind::SequenceOf { element, .. } => {
                let element = self.node("item", *element, false, path, all)?;
                let data_type = DataType::List(Arc::clone(&element.field));
                self.columns[at].cells = Cells::Lists(vec![0]);
                Ok((data_type, Content::List(Box::new(element))))
            }
            Kind::Enumerated(items) if !items.extensible && i16::try_from(items.all().count()).is_ok() => {
                let names = StringArray::from_iter_values(items.all().map(|(name, _)| name));
                self.columns[at].cells = Cells::Items(Vec::new(), names.len() as u16);
                let data_type = DataType::Dictionary(Box::new(DataType::Int16), Box::new(DataType::Utf8));
                Ok((data_type, Content::Items(Arc::new(names))))
            }
            kind @ (Kind::ObjectIdentifier | Kind::RelativeOid) => {
                let (data_type, _) = self.leaf(at, leaf(kind));
                Ok((data_type, Content::Oid { relative: *kind == Kind::RelativeOid }))
            }
            kind => Ok(self.leaf(at, leaf(kind))),
        }
    }

    fn leaf(&mut self, at: usize, (data_type, cells): (DataType, Cells)) -> (DataType, Content) {
        self.columns[at].cells = cells;
        (data_type, Content::Leaf)
    }

    fn record(&mut self, components: &[Component], path: &str, all: bool) -> Result<(DataType, Content), ColumnsError> {
        let mut members = Vec::new();
        for (index, component) in components.iter().enumerate() {
            let Some((path, all)) = self.wanted(path, &component.name, all) else {
                self.skip(component.type_id);
                continue;
            };
            let (nullable, default) = match &component.presence {
                // An addition is absent in messages of earlier versions.
                Presence::Mandatory => (component.field != Place::Root, None),
                Presence::Optional => (true, None),
                Presence::Default(value) => (false, Some(value.clone())),
            };
            let node = self.node(&component.name, component.type_id, nullable, &path, all);
            let is_mandatory = !nullable && default.is_none();
            let node = node.map_err(|error| error.within(&component.name))?;
            members.push(Member { index, default, is_mandatory, node });
        }
        let fields: Fields = members.iter().map(|member| Arc::clone(&member.node.field)).collect();
        Ok((DataType::Struct(fields), Content::Record(members)))
    }

    /// A struct of columns of which at most one has a value; `octets` is the column for content of
    /// an unknown type.
    fn choice(
        &mut self,
        of: Vec<(String, TypeId)>,
        octets: Option<&str>,
        path: &str,
        all: bool,
    ) -> Result<(DataType, Content), ColumnsError> {
        let mut alternatives = Vec::new();
        for (name, inner) in of {
            let wanted = self.wanted(path, &name, all);
            if wanted.is_none() {
                self.skip(inner);
            }
            let node = wanted.map(|(path, all)| self.node(&name, inner, true, &path, all));
            alternatives.push(node.transpose().map_err(|error| error.within(&name))?);
        }
        let octets = octets.and_then(|name| {
            let at = self.columns.len();
            if self.wanted(path, name, all).is_none() {
                self.columns.push(Column::skipped());
                return None;
            }
            self.columns.push(Column::new(Cells::Octets(Strings::default()), true));
            let field = Arc::new(Field::new(name, DataType::Binary, true));
            Some(Box::new(Node { field, at, content: Content::Leaf }))
        });
        let fields = alternatives.iter().flatten().chain(octets.as_deref()).map(|node| Arc::clone(&node.field));
        Ok((DataType::Struct(fields.collect()), Content::Choice { alternatives, octets }))
    }

    /// The path of a part and whether all of it is wanted; nothing if none of it is.
    fn wanted(&mut self, path: &str, name: &str, all: bool) -> Option<(String, bool)> {
        let path = if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
        let mut wanted = all.then_some(true);
        for (selected, used) in self.selected.iter().zip(&mut self.used) {
            if path == *selected {
                *used = true;
                wanted = Some(true);
            } else if selected.strip_prefix(path.as_str()).is_some_and(|rest| rest.starts_with('.')) {
                wanted = wanted.or(Some(false));
            }
        }
        wanted.map(|all| (path, all))
    }

    /// The ASN.1 type, its named numbers, its length in bits, and the unit, where they are known.
    fn metadata(&self, ty: TypeId) -> HashMap<String, String> {
        let this = self.model.get(ty);
        let name = this.known_as().map(|name| name.name.as_str());
        let mut metadata = HashMap::from([("asn1.type".to_owned(), name.unwrap_or(this.kind.name()).to_owned())]);
        match &this.kind {
            Kind::Integer { named, .. } => {
                if let Some(unit) = name.and_then(units::of) {
                    metadata.insert("unit".into(), unit.into());
                }
                if !named.is_empty() {
                    let named: Vec<String> = named.iter().map(|(name, number)| format!("{name}={number}")).collect();
                    metadata.insert("asn1.named".into(), named.join(","));
                }
            }
            Kind::BitString { size, named, contains: None } => {
                if let Some(bits) = fixed(*size) {
                    metadata.insert("asn1.bits".into(), bits.to_string());
                }
                if !named.is_empty() {
                    let named: Vec<String> = named.iter().map(|(name, at)| format!("{name}={at}")).collect();
                    metadata.insert("asn1.named".into(), named.join(","));
                }
            }
            Kind::Choice { .. } | Kind::Open { .. } => {
                metadata.insert("asn1.choice".into(), "at most one has a value".into());
            }
            _ => {}
        }
        metadata
    }
}

/// A name for each type in an open type: its own, with a number where several have it.
pub(crate) fn content_names(model: &Model, types: impl Iterator<Item = TypeId>) -> Vec<(String, TypeId)> {
    let mut seen: HashMap<String, usize> = HashMap::from([(OCTETS.to_owned(), 1)]);
    let name = |ty: TypeId| {
        let known = model.get(ty);
        known.known_as().map_or_else(|| known.kind.name().to_owned(), |name| name.name.clone())
    };
    types
        .map(|ty| {
            let name = name(ty);
            let count = seen.entry(name.clone()).or_default();
            *count += 1;
            (if *count == 1 { name } else { format!("{name}-{count}") }, ty)
        })
        .collect()
}

/// The column of a part without content: true where it is present.
fn present() -> (DataType, Cells) {
    (DataType::Boolean, Cells::Flags(Default::default()))
}

fn leaf(kind: &Kind) -> (DataType, Cells) {
    match kind {
        Kind::Integer { range, .. } => integer(range),
        Kind::Real { .. } => (DataType::Float64, Cells::F64(Vec::new())),
        Kind::Enumerated(items) => {
            let names = items.all().map(|(name, _)| name.clone()).collect();
            (DataType::Utf8, Cells::Names(Strings::default(), names, items.root.len() as u32))
        }
        Kind::BitString { size, .. } => match fixed(*size) {
            Some(bits) => {
                let octets = DataType::FixedSizeBinary((bits as i32 + 7) / 8);
                (octets, Cells::FixedBits(bits, Vec::new()))
            }
            None => {
                let fields =
                    vec![Field::new("value", DataType::Binary, false), Field::new("length", DataType::UInt32, false)];
                (DataType::Struct(fields.into()), Cells::Bits(Box::default()))
            }
        },
        Kind::OctetString { size, .. } => match fixed(*size) {
            Some(octets) => (DataType::FixedSizeBinary(octets as i32), Cells::Fixed(octets, Vec::new())),
            None => (DataType::Binary, Cells::Octets(Strings::default())),
        },
        Kind::ObjectIdentifier | Kind::RelativeOid | Kind::Iri { .. } | Kind::String { .. } | Kind::Time { .. } => {
            (DataType::Utf8, Cells::Text(Strings::default()))
        }
        // BOOLEAN, NULL; types with parts do not come here.
        _ => present(),
    }
}

/// A size that all values have, up to 64 KiB.
fn fixed(size: Size) -> Option<usize> {
    let is_fixed = size.upper == Some(size.lower) && !size.extensible && (1..=65_536).contains(&size.lower);
    is_fixed.then_some(size.lower as usize)
}

/// The smallest type that holds all values of the range; 64 bits with sign where it has no end, and
/// digits where it is beyond 64 bits.
pub(crate) fn integer(range: &IntegerRange) -> (DataType, Cells) {
    let bound = |bound: &Option<_>| bound.as_ref().filter(|_| !range.extensible).map(i128::try_from);
    let (lower, upper) = match (bound(&range.lower), bound(&range.upper)) {
        (Some(Ok(lower)), Some(Ok(upper))) => (lower, upper),
        (Some(Err(_)), _) | (_, Some(Err(_))) => return (DataType::Utf8, Cells::Text(Strings::default())),
        _ => (i64::MIN.into(), i64::MAX.into()),
    };
    let holds = |least: i128, most: i128| least <= lower && upper <= most;
    match () {
        () if holds(0, u8::MAX.into()) => (DataType::UInt8, Cells::U8(Vec::new())),
        () if holds(i8::MIN.into(), i8::MAX.into()) => (DataType::Int8, Cells::I8(Vec::new())),
        () if holds(0, u16::MAX.into()) => (DataType::UInt16, Cells::U16(Vec::new())),
        () if holds(i16::MIN.into(), i16::MAX.into()) => (DataType::Int16, Cells::I16(Vec::new())),
        () if holds(0, u32::MAX.into()) => (DataType::UInt32, Cells::U32(Vec::new())),
        () if holds(i32::MIN.into(), i32::MAX.into()) => (DataType::Int32, Cells::I32(Vec::new())),
        () if holds(i64::MIN.into(), i64::MAX.into()) => (DataType::Int64, Cells::I64(Vec::new())),
        () if holds(0, u64::MAX.into()) => (DataType::UInt64, Cells::U64(Vec::new())),
        () => (DataType::Utf8, Cells::Text(Strings::default())),
    }
}
