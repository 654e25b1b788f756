//! Which Python objects the values of a type are. Both directions walk these nodes; they are made
//! when they are first needed.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use pyo3::prelude::*;
use pyo3::types::PyString;
use roadwire_model::{Component as ModelComponent, Enumerators, Field, Kind, Model, Presence, TypeId, Value};

/// The nodes of a schema's types, by their ids.
pub(crate) struct Nodes {
    schema: Arc<roadwire::Schema>,
    nodes: Box<[OnceLock<Node>]>,
}

pub(crate) enum Node {
    /// bool
    Boolean,
    /// None
    Null,
    /// int
    Integer,
    /// str
    Item(Items),
    /// float
    Real,
    /// (bytes, number of bits)
    BitString,
    /// bytes
    OctetString,
    /// `{"containing": value}`, or the value of the string that contains it.
    Containing { inner: TypeId, is_bits: bool },
    /// str
    Oid { is_relative: bool },
    /// str
    Text,
    /// dict
    Record(Record),
    /// list
    List(TypeId),
    /// dict with one entry
    Choice(Choice),
    /// The value inside, or bytes.
    Open,
}

/// An ENUMERATED.
pub(crate) struct Items {
    /// By ordinal.
    pub(crate) names: Vec<Py<PyString>>,
    pub(crate) ordinals: HashMap<String, u32>,
    /// How many there are in the root.
    pub(crate) root: u32,
    /// How many additions; nothing without an extension marker.
    pub(crate) additions: Option<u32>,
}

/// A SEQUENCE or SET.
pub(crate) struct Record {
    pub(crate) components: Vec<Component>,
    pub(crate) is_extensible: bool,
    /// How many additions are known; a group is one.
    pub(crate) additions: u32,
}

pub(crate) struct Component {
    pub(crate) name: Py<PyString>,
    pub(crate) type_id: TypeId,
    pub(crate) presence: Presence,
    /// Its addition group: there with the others of it, or not at all (X.680 §25.12).
    pub(crate) group: Option<u32>,
}

pub(crate) struct Choice {
    pub(crate) alternatives: Vec<(Py<PyString>, TypeId)>,
    /// By name.
    pub(crate) places: HashMap<String, usize>,
    pub(crate) is_extensible: bool,
    /// How many additions are known.
    pub(crate) additions: u32,
}

impl Nodes {
    pub(crate) fn new(schema: Arc<roadwire::Schema>) -> Self {
        let nodes = schema.model().types.iter().map(|_| OnceLock::new()).collect();
        Nodes { schema, nodes }
    }

    pub(crate) fn model(&self) -> &Model {
        self.schema.model()
    }

    /// The node of a type.
    #[inline]
    pub(crate) fn get(&self, py: Python<'_>, id: TypeId) -> &Node {
        // An id of this schema: the place exists.
        self.nodes[id.0 as usize].get_or_init(|| node(py, self.model(), id))
    }
}

fn node(py: Python<'_>, model: &Model, id: TypeId) -> Node {
    match &model.get(id).kind {
        Kind::Boolean => Node::Boolean,
        Kind::Null => Node::Null,
        Kind::Integer { .. } => Node::Integer,
        Kind::Enumerated(items) => Node::Item(enumerated(py, items)),
        Kind::Real { .. } => Node::Real,
        Kind::BitString { contains: Some(inner), .. } => Node::Containing { inner: *inner, is_bits: true },
        Kind::OctetString { contains: Some(inner), .. } => Node::Containing { inner: *inner, is_bits: false },
        Kind::BitString { .. } => Node::BitString,
        Kind::OctetString { .. } => Node::OctetString,
        Kind::ObjectIdentifier => Node::Oid { is_relative: false },
        Kind::RelativeOid => Node::Oid { is_relative: true },
        Kind::Iri { .. } | Kind::Time { .. } | Kind::String { .. } => Node::Text,
        Kind::Sequence { components, extensible, .. } => Node::Record(record(py, components, *extensible)),
        Kind::SequenceOf { element, .. } => Node::List(*element),
        Kind::Choice { alternatives, extensible } => Node::Choice(Choice {
            alternatives: alternatives.iter().map(|one| (interned(py, &one.name), one.type_id)).collect(),
            places: alternatives.iter().enumerate().map(|(at, one)| (one.name.clone(), at)).collect(),
            is_extensible: *extensible,
            additions: count(alternatives.iter().filter(|one| one.addition)),
        }),
        Kind::Open { .. } => Node::Open,
        Kind::External(sequence) => node(py, model, *sequence),
    }
}

fn enumerated(py: Python<'_>, items: &Enumerators) -> Items {
    Items {
        names: items.all().map(|(name, _)| interned(py, name)).collect(),
        ordinals: items.all().map(|(name, _)| name.clone()).zip(0..).collect(),
        root: count(items.root.iter()),
        additions: items.extensible.then(|| count(items.additions.iter())),
    }
}

fn record(py: Python<'_>, components: &[ModelComponent], is_extensible: bool) -> Record {
    let mut groups = Vec::new();
    let component = |component: &ModelComponent| {
        let group = match component.field {
            Field::Group(group) => Some(group),
            Field::Root | Field::Addition => None,
        };
        groups.extend(group.filter(|group| groups.last() != Some(group)));
        // A value of an earlier version does not have the addition.
        let presence = match (&component.presence, component.field) {
            (Presence::Mandatory, Field::Addition) => Presence::Optional,
            (presence, _) => presence.clone(),
        };
        Component { name: interned(py, &component.name), type_id: component.type_id, presence, group }
    };
    let all = components.iter().map(component).collect();
    let singles = count(components.iter().filter(|component| component.field == Field::Addition));
    Record { components: all, is_extensible, additions: singles + count(groups.iter()) }
}

fn interned(py: Python<'_>, name: &str) -> Py<PyString> {
    PyString::intern(py, name).unbind()
}

fn count(all: impl Iterator) -> u32 {
    u32::try_from(all.count()).unwrap_or(u32::MAX)
}

/// A value's default, if there is one.
pub(crate) fn default_of(component: &Component) -> Option<&Value> {
    match &component.presence {
        Presence::Default(value) => Some(value),
        Presence::Mandatory | Presence::Optional => None,
    }
}
