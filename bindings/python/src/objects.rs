//! From a message in memory to Python objects, without a text between the two. Their form is JER's
//! (X.697), with octets as `bytes`.

use pyo3::IntoPyObjectExt as _;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict as _, PyBool, PyBytes, PyDict, PyFloat, PyInt, PyList, PyNone, PyString};
use roadwire_model::data::equal;
use roadwire_model::{Kind, Oid, Presence, Table, TypeId};
use roadwire_wire::{Data, Scalar, number_of_unknown_item};

use crate::error::Problem;
use crate::node::{Choice, Items, Node, Nodes, Record, default_of};

/// The object of a value.
///
/// # Errors
/// Memory is short. (That the value is not of the type does not happen: a decoder made it.)
pub(crate) fn object<'py>(
    py: Python<'py>,
    nodes: &Nodes,
    id: TypeId,
    data: &dyn Data,
    around: Option<&Around<'_>>,
) -> PyResult<Bound<'py, PyAny>> {
    match nodes.get(py, id) {
        Node::Integer => match data.integer() {
            Some(value) => value.into_bound_py_any(py),
            None => integer(py, data.scalar()),
        },
        Node::Record(record) => self::record(py, nodes, id, record, data, around),
        Node::List(element) => list(py, nodes, *element, data, around),
        Node::Choice(choice) => self::choice(py, nodes, choice, data, around),
        Node::Item(items) => match data.scalar() {
            Scalar::Enumerated(ordinal) => item(py, items, ordinal),
            _ => misfit(),
        },
        Node::Containing { inner, .. } => match data.alternative() {
            Some((0, content)) => {
                entry(py, pyo3::intern!(py, "containing"), object(py, nodes, *inner, content, around)?)
            }
            _ => leaf(py, data.scalar()),
        },
        Node::Open => open(py, nodes, id, data, around),
        Node::Oid { is_relative } => match data.scalar() {
            Scalar::Oid(contents) => oid(py, contents, *is_relative),
            _ => misfit(),
        },
        Node::Boolean | Node::Null | Node::Real | Node::BitString | Node::OctetString | Node::Text => {
            leaf(py, data.scalar())
        }
    }
}

/// A SEQUENCE or SET around a value.
pub(crate) struct Around<'a> {
    outer: Option<&'a Around<'a>>,
    id: TypeId,
    data: &'a dyn Data,
}

fn record<'py>(
    py: Python<'py>,
    nodes: &Nodes,
    id: TypeId,
    record: &Record,
    data: &dyn Data,
    outer: Option<&Around<'_>>,
) -> PyResult<Bound<'py, PyAny>> {
    let dict = PyDict::new(py);
    let around = Around { outer, id, data };
    for (at, component) in record.components.iter().enumerate() {
        let Some(value) = data.component(at) else { continue };
        // JER leaves out components at their DEFAULT.
        if default_of(component).is_some_and(|default| equal(nodes.model(), component.type_id, value, default)) {
            continue;
        }
        dict.set_item(component.name.bind(py), object(py, nodes, component.type_id, value, Some(&around))?)?;
    }
    for unknown in data.unknown() {
        dict.set_item(format!("...{}", unknown.index), PyBytes::new(py, &unknown.octets))?;
    }
    Ok(dict.into_any())
}

fn list<'py>(
    py: Python<'py>,
    nodes: &Nodes,
    element: TypeId,
    data: &dyn Data,
    around: Option<&Around<'_>>,
) -> PyResult<Bound<'py, PyAny>> {
    let list = PyList::empty(py);
    for at in 0..data.length().unwrap_or(0) {
        let Some(value) = data.element(at) else { return misfit() };
        list.append(object(py, nodes, element, value, around)?)?;
    }
    Ok(list.into_any())
}

fn choice<'py>(
    py: Python<'py>,
    nodes: &Nodes,
    choice: &Choice,
    data: &dyn Data,
    around: Option<&Around<'_>>,
) -> PyResult<Bound<'py, PyAny>> {
    match (data.alternative(), data.unknown()) {
        (Some((at, content)), _) => match choice.alternatives.get(at) {
            Some((name, id)) => entry(py, name.bind(py), object(py, nodes, *id, content, around)?),
            None => misfit(),
        },
        (None, [unknown]) => {
            let name = PyString::new(py, &format!("...{}", unknown.index));
            entry(py, &name, PyBytes::new(py, &unknown.octets).into_any())
        }
        _ => misfit(),
    }
}

/// The content of an open type; octets of a type that is known, but was not decoded, are
/// `{"...": octets}`.
fn open<'py>(
    py: Python<'py>,
    nodes: &Nodes,
    id: TypeId,
    data: &dyn Data,
    around: Option<&Around<'_>>,
) -> PyResult<Bound<'py, PyAny>> {
    let table = table(nodes, id);
    if let Some((row, content)) = data.alternative() {
        return match table.and_then(|table| table.rows.get(row)) {
            Some((_, inner)) => object(py, nodes, *inner, content, around),
            None => misfit(),
        };
    }
    let octets = leaf(py, data.scalar())?;
    match table.is_some_and(|table| is_selected(nodes, table, around)) {
        true => entry(py, pyo3::intern!(py, "..."), octets),
        false => Ok(octets),
    }
}

/// The table of an open type.
pub(crate) fn table(nodes: &Nodes, id: TypeId) -> Option<&Table> {
    match &nodes.model().get(id).kind {
        Kind::Open { table } => table.as_ref(),
        _ => None,
    }
}

/// Whether the value around an open type says which type is in it.
fn is_selected(nodes: &Nodes, table: &Table, around: Option<&Around<'_>>) -> bool {
    if table.only().is_some() {
        return true;
    }
    let scope = std::iter::successors(around, |around| around.outer).nth(table.level as usize);
    let Some(scope) = scope.filter(|_| !table.link.is_empty()) else { return false };
    let (mut id, mut data) = (scope.id, scope.data);
    for name in &table.link {
        let Some((at, component)) = linked(nodes, id, name) else { return false };
        data = match (data.component(at), &component.presence) {
            (Some(inner), _) => inner,
            (None, Presence::Default(value)) => value,
            (None, _) => return false,
        };
        id = component.type_id;
    }
    table.rows.iter().any(|(row, _)| equal(nodes.model(), id, row, data))
}

/// A component by name.
pub(crate) fn linked<'n>(nodes: &'n Nodes, id: TypeId, name: &str) -> Option<(usize, &'n roadwire_model::Component)> {
    match &nodes.model().get(id).kind {
        Kind::Sequence { components, .. } => components.iter().enumerate().find(|(_, one)| one.name == name),
        Kind::External(inner) => linked(nodes, *inner, name),
        _ => None,
    }
}

/// A dict with one entry.
fn entry<'py>(py: Python<'py>, name: &Bound<'py, PyString>, value: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let dict = PyDict::new(py);
    dict.set_item(name, value)?;
    Ok(dict.into_any())
}

/// A leaf whose object is the same whatever its type.
fn leaf<'py>(py: Python<'py>, scalar: Scalar<'_>) -> PyResult<Bound<'py, PyAny>> {
    Ok(match scalar {
        Scalar::Null => PyNone::get(py).to_owned().into_any(),
        Scalar::Boolean(value) => PyBool::new(py, value).to_owned().into_any(),
        Scalar::Real(value) => PyFloat::new(py, value).into_any(),
        Scalar::Octets(octets) => PyBytes::new(py, octets).into_any(),
        Scalar::Text(text) => PyString::new(py, text).into_any(),
        Scalar::Word(word) => {
            let bits = usize::from(word.bits.min(64));
            return self::bits(py, &word.to_octets(), bits);
        }
        Scalar::Bits(octets, bits) => return self::bits(py, octets, bits),
        _ => return misfit(),
    })
}

fn bits<'py>(py: Python<'py>, octets: &[u8], bits: usize) -> PyResult<Bound<'py, PyAny>> {
    let octets = octets.get(..bits.div_ceil(8)).unwrap_or(octets);
    (PyBytes::new(py, octets), bits).into_bound_py_any(py)
}

/// An integer of more than 64 bits.
#[cold]
fn integer<'py>(py: Python<'py>, scalar: Scalar<'_>) -> PyResult<Bound<'py, PyAny>> {
    match scalar {
        Scalar::Integer(value) => value.into_bound_py_any(py),
        Scalar::WideInteger(octets) => {
            let signed = [("signed", true)].into_py_dict(py)?;
            let class = py.get_type::<PyInt>();
            class.call_method("from_bytes", (PyBytes::new(py, octets), "big"), Some(&signed))
        }
        _ => misfit(),
    }
}

fn item<'py>(py: Python<'py>, items: &Items, ordinal: u32) -> PyResult<Bound<'py, PyAny>> {
    if let Some(name) = items.names.get(ordinal as usize) {
        return Ok(name.bind(py).clone().into_any());
    }
    let name = match number_of_unknown_item(ordinal) {
        Some(number) => format!("...({number})"),
        None => format!("...{}", i64::from(ordinal) - i64::from(items.root)),
    };
    Ok(PyString::new(py, &name).into_any())
}

fn oid<'py>(py: Python<'py>, contents: &[u8], is_relative: bool) -> PyResult<Bound<'py, PyAny>> {
    let Some(oid) = Oid::from_contents(contents) else { return misfit() };
    let text = if is_relative { oid.relative_text() } else { oid.absolute_text() };
    Ok(PyString::new(py, &text).into_any())
}

#[cold]
fn misfit<T>() -> PyResult<T> {
    Err(Problem::new("value.mismatch", "the decoded value is not of the type").into())
}
