//! From a type to its columns: the table of `docs/arrow.md`.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::StringArray;
use arrow_buffer::BooleanBufferBuilder;
use arrow_schema::{DataType, Field, Fields};
use roadwire_model::constraint::{IntegerRange, Size};
use roadwire_model::{Component, Kind, Model, Presence, TypeId};

use crate::node::{Content, Leaf, Member, Node, Octets};
use crate::{ColumnsError, units};

/// The most fields of a type, counted in every place where it has them.
const MOST_FIELDS: usize = 100_000;
/// The most levels of types.
const MOST_DEPTH: usize = 100;

/// The columns of a type without its root: those of its components. A root of another kind is one column, `value`.
pub(crate) fn root(model: &Model, root: TypeId, selected: &[&str]) -> Result<Node, ColumnsError> {
    let mut plan = Plan { model, selected, used: vec![false; selected.len()], around: Vec::new(), fields: 0 };
    let node = plan.node("value", root, false, "", selected.is_empty())?;
    if let Some(unused) = plan.used.iter().zip(selected).find(|(used, _)| !**used) {
        return Err(ColumnsError::new("columns.unknown", format!("the type has no field `{}`", unused.1)));
    }
    Ok(node)
}

struct Plan<'a> {
    model: &'a Model,
    selected: &'a [&'a str],
    used: Vec<bool>,
    /// The types around this one.
    around: Vec<TypeId>,
    fields: usize,
}

impl Plan<'_> {
    /// The columns of a type. `path` is where it is, and `all` whether all of it is wanted.
    fn node(&mut self, name: &str, ty: TypeId, nullable: bool, path: &str, all: bool) -> Result<Node, ColumnsError> {
        self.fields += 1;
        if self.fields > MOST_FIELDS || self.around.len() > MOST_DEPTH {
            let what = format!("the type has more than {MOST_FIELDS} fields or {MOST_DEPTH} levels");
            return Err(ColumnsError::new("columns.limit", what));
        }
        let untagged = self.model.untagged(ty);
        if self.around.contains(&untagged) {
            return Err(ColumnsError::new("columns.recursive", "a type that contains itself has no columns"));
        }
        self.around.push(untagged);
        let made = self.content(ty, path, all);
        self.around.pop();
        let (data_type, content) = made?;
        let field = Field::new(name, data_type, nullable).with_metadata(self.metadata(ty));
        Ok(Node { field: Arc::new(field), valid: nullable.then(|| BooleanBufferBuilder::new(0)), content })
    }

    fn content(&mut self, ty: TypeId, path: &str, all: bool) -> Result<(DataType, Content), ColumnsError> {
        let model = self.model;
        match &model.get(ty).kind {
            Kind::External(inner) if *inner != ty => self.content(*inner, path, all),
            Kind::Sequence { components, .. } if components.is_empty() => Ok(present()),
            Kind::Sequence { components, .. } => self.record(components, path, all),
            Kind::Choice { alternatives, .. } if alternatives.is_empty() => Ok(present()),
            Kind::Choice { alternatives, .. } => {
                let of = alternatives.iter().map(|one| (one.name.clone(), one.type_id)).collect();
                self.choice(of, None, path, all)
            }
            Kind::Open { table } => {
                let rows = table.iter().flat_map(|table| &table.rows).map(|(_, inner)| *inner);
                self.choice(self.names(rows), Some("octets"), path, all)
            }
            Kind::BitString { contains: Some(inner), .. } | Kind::OctetString { contains: Some(inner), .. } => {
                self.choice(vec![("containing".into(), *inner)], Some("octets"), path, all)
            }
            Kind::SequenceOf { element, .. } => {
                let element = self.node("item", *element, false, path, all)?;
                let data_type = DataType::List(Arc::clone(&element.field));
                Ok((data_type, Content::List { offsets: vec![0], count: 0, element: Box::new(element) }))
            }
            kind => {
                let (data_type, leaf) = leaf(kind);
                Ok((data_type, Content::Leaf(leaf)))
            }
        }
    }

    fn record(&mut self, components: &[Component], path: &str, all: bool) -> Result<(DataType, Content), ColumnsError> {
        let mut members = Vec::new();
        for (index, component) in components.iter().enumerate() {
            let Some((path, all)) = self.wanted(path, &component.name, all) else { continue };
            let (nullable, default) = match &component.presence {
                Presence::Mandatory => (false, None),
                Presence::Optional => (true, None),
                Presence::Default(value) => (false, Some(value.clone())),
            };
            let node = self.node(&component.name, component.type_id, nullable, &path, all);
            members.push(Member { index, default, node: node.map_err(|error| error.within(&component.name))? });
        }
        let fields: Fields = members.iter().map(|member| Arc::clone(&member.node.field)).collect();
        Ok((DataType::Struct(fields), Content::Record(members)))
    }

    /// A struct of columns of which at most one has a value; `octets` is the column of what is of none of the types.
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
            let node = wanted.map(|(path, all)| self.node(&name, inner, true, &path, all));
            alternatives.push(node.transpose().map_err(|error| error.within(&name))?);
        }
        let octets = octets.and_then(|name| self.wanted(path, name, all).map(|_| name)).map(|name| {
            let field = Arc::new(Field::new(name, DataType::Binary, true));
            let valid = Some(BooleanBufferBuilder::new(0));
            Box::new(Node { field, valid, content: Content::Leaf(Leaf::Octets(Octets::new())) })
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

    /// A name for each type in an open type: its own, with a number where several have it.
    fn names(&self, types: impl Iterator<Item = TypeId>) -> Vec<(String, TypeId)> {
        let mut seen: HashMap<String, usize> = HashMap::from([("octets".to_owned(), 1)]);
        let name = |ty: TypeId| {
            let known = self.model.get(ty);
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

/// What has no content: true where it is there.
fn present() -> (DataType, Content) {
    (DataType::Boolean, Content::Leaf(Leaf::Boolean(BooleanBufferBuilder::new(0))))
}

fn leaf(kind: &Kind) -> (DataType, Leaf) {
    match kind {
        Kind::Integer { range, .. } => integer(range),
        Kind::Real { .. } => (DataType::Float64, Leaf::F64(Vec::new())),
        Kind::Enumerated(items) => {
            let names: Vec<String> = items.all().map(|(name, _)| name.clone()).collect();
            if items.extensible || names.len() > usize::from(i16::MAX as u16) {
                return (DataType::Utf8, Leaf::Names(Octets::new(), names));
            }
            let data_type = DataType::Dictionary(Box::new(DataType::Int16), Box::new(DataType::Utf8));
            (data_type, Leaf::Items(Vec::new(), Arc::new(StringArray::from(names))))
        }
        Kind::BitString { size, .. } => match fixed(*size) {
            Some(bits) => {
                let octets = DataType::FixedSizeBinary((bits as i32 + 7) / 8);
                (octets, Leaf::FixedBits(bits, Vec::new()))
            }
            None => {
                let fields =
                    vec![Field::new("value", DataType::Binary, false), Field::new("length", DataType::UInt32, false)];
                (DataType::Struct(fields.into()), Leaf::Bits(Octets::new(), Vec::new()))
            }
        },
        Kind::OctetString { size, .. } => match fixed(*size) {
            Some(octets) => (DataType::FixedSizeBinary(octets as i32), Leaf::Fixed(octets, Vec::new())),
            None => (DataType::Binary, Leaf::Octets(Octets::new())),
        },
        Kind::ObjectIdentifier | Kind::RelativeOid | Kind::Iri { .. } | Kind::String { .. } | Kind::Time { .. } => {
            (DataType::Utf8, Leaf::Text(Octets::new()))
        }
        // BOOLEAN, NULL; what has parts does not come here.
        _ => (DataType::Boolean, Leaf::Boolean(BooleanBufferBuilder::new(0))),
    }
}

/// A size that all values have, up to 64 KiB.
fn fixed(size: Size) -> Option<usize> {
    let is_fixed = size.upper == Some(size.lower) && !size.extensible && (1..=65_536).contains(&size.lower);
    is_fixed.then_some(size.lower as usize)
}

/// The smallest type that holds all values of the range; 64 bits with sign where it has no end, and digits where it is beyond 64 bits.
fn integer(range: &IntegerRange) -> (DataType, Leaf) {
    let bound = |bound: &Option<_>| bound.as_ref().filter(|_| !range.extensible).map(i128::try_from);
    let (lower, upper) = match (bound(&range.lower), bound(&range.upper)) {
        (Some(Ok(lower)), Some(Ok(upper))) => (lower, upper),
        (Some(Err(_)), _) | (_, Some(Err(_))) => return (DataType::Utf8, Leaf::Text(Octets::new())),
        _ => (i64::MIN.into(), i64::MAX.into()),
    };
    let holds = |least: i128, most: i128| least <= lower && upper <= most;
    match () {
        () if holds(0, u8::MAX.into()) => (DataType::UInt8, Leaf::U8(Vec::new())),
        () if holds(i8::MIN.into(), i8::MAX.into()) => (DataType::Int8, Leaf::I8(Vec::new())),
        () if holds(0, u16::MAX.into()) => (DataType::UInt16, Leaf::U16(Vec::new())),
        () if holds(i16::MIN.into(), i16::MAX.into()) => (DataType::Int16, Leaf::I16(Vec::new())),
        () if holds(0, u32::MAX.into()) => (DataType::UInt32, Leaf::U32(Vec::new())),
        () if holds(i32::MIN.into(), i32::MAX.into()) => (DataType::Int32, Leaf::I32(Vec::new())),
        () if holds(i64::MIN.into(), i64::MAX.into()) => (DataType::Int64, Leaf::I64(Vec::new())),
        () if holds(0, u64::MAX.into()) => (DataType::UInt64, Leaf::U64(Vec::new())),
        () => (DataType::Utf8, Leaf::Text(Octets::new())),
    }
}
