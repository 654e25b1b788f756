//! From Python objects into a message in memory: a generated type or a dynamic value. An object
//! whose Python type does not suit its ASN.1 type is refused, never converted.

use std::fmt::Write as _;

use pyo3::prelude::*;
use pyo3::types::{
    IntoPyDict as _, PyBool, PyByteArray, PyBytes, PyDict, PyFloat, PyInt, PyList, PyMemoryView, PyString, PyTuple,
};
use roadwire_model::data::equal;
use roadwire_model::{BigInt, Oid, Presence, Table, TypeId, Value};
use roadwire_wire::rt::json::{reserved_index, reserved_number};
use roadwire_wire::{BitWord, Data, ErrorKind, Scalar, Shape, Unknown, faults, ordinal_of_unknown_item};

use crate::error::Problem;
use crate::node::{Choice, Component, Items, Node, Nodes, Record, default_of};
use crate::objects;
use crate::suggest::hint;

/// The most octets of an integer, and the most digits of an arc: those of JER.
const MOST_INTEGER: usize = 4096;
const MOST_DIGITS: usize = 9864;

/// Fills `data`, whatever it holds, with an object.
///
/// # Errors
/// The object is not of the type. Constraints are not checked.
pub(crate) fn fill(
    py: Python<'_>,
    nodes: &Nodes,
    id: TypeId,
    object: &Bound<'_, PyAny>,
    data: &mut dyn Data,
) -> Result<(), Box<Refusal>> {
    Filler { py, nodes, depth: 0 }.fill(id, object, data, None)
}

/// Why an object was refused.
#[derive(Debug)]
pub(crate) struct Refusal {
    reason: Reason,
    /// Innermost first.
    path: Vec<Step>,
}

#[derive(Debug)]
enum Reason {
    Value(&'static str, String),
    /// Code of the caller has raised it.
    Python(PyErr),
}

#[derive(Debug)]
enum Step {
    Name(String),
    Index(usize),
}

impl Refusal {
    fn new(code: &'static str, what: impl Into<String>) -> Box<Self> {
        Box::new(Refusal { reason: Reason::Value(code, what.into()), path: Vec::new() })
    }

    fn kind(kind: ErrorKind) -> Box<Self> {
        Refusal::new(kind.code(), kind.to_string())
    }

    fn fault(fault: faults::Fault) -> Box<Self> {
        Refusal::new(fault.code(), fault.text())
    }

    /// An object of the wrong Python type.
    fn mismatch(wanted: &str, found: &Bound<'_, PyAny>) -> Box<Self> {
        let class = found.get_type().name().map_or_else(|_| "another object".to_owned(), |name| name.to_string());
        Refusal::new("value.mismatch", format!("expected {wanted}, found {class}"))
    }

    fn within(mut self: Box<Self>, name: &Py<PyString>) -> Box<Self> {
        self.path.push(Step::Name(name.to_string()));
        self
    }

    fn at(mut self: Box<Self>, index: usize) -> Box<Self> {
        self.path.push(Step::Index(index));
        self
    }
}

impl From<PyErr> for Box<Refusal> {
    fn from(error: PyErr) -> Self {
        Box::new(Refusal { reason: Reason::Python(error), path: Vec::new() })
    }
}

impl From<Box<Refusal>> for PyErr {
    fn from(refusal: Box<Refusal>) -> Self {
        let mut path = String::new();
        for step in refusal.path.iter().rev() {
            let _ = match step {
                Step::Name(name) if path.is_empty() => write!(path, "{name}"),
                Step::Name(name) => write!(path, ".{name}"),
                Step::Index(index) => write!(path, "[{index}]"),
            };
        }
        match refusal.reason {
            Reason::Value(code, what) => Problem { path, ..Problem::new(code, what) }.into(),
            Reason::Python(error) => error,
        }
    }
}

type Filled = Result<(), Box<Refusal>>;

/// A SEQUENCE or SET around a value, as its dict.
struct Around<'a, 'py> {
    outer: Option<&'a Around<'a, 'py>>,
    id: TypeId,
    dict: &'a Bound<'py, PyDict>,
}

#[derive(Clone, Copy)]
struct Filler<'n, 'py> {
    py: Python<'py>,
    nodes: &'n Nodes,
    /// Levels around the value.
    depth: usize,
}

impl Filler<'_, '_> {
    fn fill(
        self,
        id: TypeId,
        object: &Bound<'_, PyAny>,
        data: &mut dyn Data,
        around: Option<&Around<'_, '_>>,
    ) -> Filled {
        match self.nodes.get(self.py, id) {
            Node::Integer => integer(object, data),
            Node::Record(record) => self.deeper()?.record(id, record, object, data, around),
            Node::List(element) => self.deeper()?.list(*element, object, data, around),
            Node::Choice(choice) => self.deeper()?.choice(choice, object, data, around),
            Node::Item(items) => item(items, object, data),
            Node::Containing { inner, is_bits } => self.deeper()?.containing(*inner, *is_bits, object, data, around),
            Node::Open => self.deeper()?.open(id, object, data, around),
            Node::Boolean => match object.cast::<PyBool>() {
                Ok(value) => set(data, Scalar::Boolean(value.is_true())),
                Err(_) => Err(Refusal::mismatch("a bool", object)),
            },
            Node::Null => match object.is_none() {
                true => set(data, Scalar::Null),
                false => Err(Refusal::mismatch("None", object)),
            },
            Node::Real => real(object, data),
            Node::OctetString => with_octets(object, |octets| set_octets(data, octets))?,
            Node::BitString => bit_string(object, data),
            Node::Oid { is_relative } => oid(object, *is_relative, data),
            Node::Text => text(object, data),
        }
    }

    /// For the parts of a value: refuses parts nested too deep to be written.
    fn deeper(self) -> Result<Self, Box<Refusal>> {
        if self.depth == Value::MAX_DEPTH {
            return Err(Refusal::kind(ErrorKind::TooDeep { limit: Value::MAX_DEPTH as u32 }));
        }
        Ok(Filler { depth: self.depth + 1, ..self })
    }

    fn record(
        self,
        id: TypeId,
        record: &Record,
        object: &Bound<'_, PyAny>,
        data: &mut dyn Data,
        outer: Option<&Around<'_, '_>>,
    ) -> Filled {
        let Ok(dict) = object.cast::<PyDict>() else { return Err(Refusal::mismatch("a dict", object)) };
        let around = Around { outer, id, dict };
        begin(data, Shape::Record(record.components.len()))?;
        let (mut found, mut is_short) = (0, false);
        for (at, component) in record.components.iter().enumerate() {
            match dict.get_item(component.name.bind(self.py))? {
                Some(value) => {
                    found += 1;
                    let place = data.component_mut(at).ok_or_else(no_place)?;
                    let filled = self.fill(component.type_id, &value, place, Some(&around));
                    filled.map_err(|refusal| refusal.within(&component.name))?;
                }
                None => is_short |= matches!(component.presence, Presence::Mandatory),
            }
        }
        if is_short {
            self.missing(record, dict, data)?;
        }
        if found < dict.len() { self.others(record, dict, data) } else { Ok(()) }
    }

    /// Refuses a dict without a mandatory component; those of an addition group are mandatory if
    /// the dict has one of the group (X.680 §25.12). An unknown name is reported first: it may be
    /// the component's, misspelt.
    #[cold]
    fn missing(self, record: &Record, dict: &Bound<'_, PyDict>, data: &mut dyn Data) -> Filled {
        let is_there = |component: &Component| dict.contains(component.name.bind(self.py));
        for component in &record.components {
            if !matches!(component.presence, Presence::Mandatory) || is_there(component)? {
                continue;
            }
            let mut is_wanted = component.group.is_none();
            for other in record.components.iter().filter(|other| other.group == component.group) {
                is_wanted = is_wanted || is_there(other)?;
            }
            if is_wanted {
                self.others(record, dict, data)?;
                return Err(Refusal::kind(ErrorKind::Missing).within(&component.name));
            }
        }
        Ok(())
    }

    /// Additions that the type does not know, as `"...N": octets`; anything else is refused.
    #[cold]
    fn others(self, record: &Record, dict: &Bound<'_, PyDict>, data: &mut dyn Data) -> Filled {
        let mut additions = Vec::new();
        for (key, value) in dict.iter() {
            let Ok(name) = key.cast::<PyString>() else {
                return Err(Refusal::mismatch("the name of a component, a str,", &key));
            };
            let name = name.to_str().map_err(|_| surrogate())?;
            let known = || record.components.iter().map(|component| component.name.to_string());
            if known().any(|one| one == name) {
                continue;
            }
            let index = reserved_index(name.chars()).filter(|index| record.is_extensible && *index >= record.additions);
            let Some(index) = index else {
                return Err(unknown_name(faults::json::UNKNOWN_COMPONENT, name, known()));
            };
            let octets = with_octets(&value, <[u8]>::to_vec);
            additions.push(Unknown {
                index,
                octets: octets.map_err(|mut refusal| {
                    refusal.path.push(Step::Name(name.to_owned()));
                    refusal
                })?,
            });
        }
        additions.sort_by_key(|unknown| unknown.index);
        if additions.windows(2).any(|pair| pair[0].index == pair[1].index) {
            return Err(Refusal::fault(faults::json::ADDITION_DUPLICATE));
        }
        additions.into_iter().try_for_each(|unknown| keep(data, unknown))
    }

    fn list(
        self,
        element: TypeId,
        object: &Bound<'_, PyAny>,
        data: &mut dyn Data,
        around: Option<&Around<'_, '_>>,
    ) -> Filled {
        begin(data, Shape::List)?;
        let mut push = |at: usize, item: &Bound<'_, PyAny>| {
            let place = data.push().ok_or_else(|| Refusal::kind(ErrorKind::Capacity { size: at as u64 + 1 }))?;
            self.fill(element, item, place, around).map_err(|refusal| refusal.at(at))
        };
        if let Ok(list) = object.cast::<PyList>() {
            list.iter().enumerate().try_for_each(|(at, item)| push(at, &item))
        } else if let Ok(tuple) = object.cast::<PyTuple>() {
            tuple.iter_borrowed().enumerate().try_for_each(|(at, item)| push(at, &item))
        } else {
            Err(Refusal::mismatch("a list", object))
        }
    }

    fn choice(
        self,
        choice: &Choice,
        object: &Bound<'_, PyAny>,
        data: &mut dyn Data,
        around: Option<&Around<'_, '_>>,
    ) -> Filled {
        let (name, value) = only_entry(object)?;
        let name = name.to_str().map_err(|_| surrogate())?;
        if let Some((at, (known, id))) =
            choice.places.get(name).and_then(|at| Some((*at, choice.alternatives.get(*at)?)))
        {
            let place = data.choose(at).ok_or_else(no_place)?;
            return self.fill(*id, &value, place, around).map_err(|refusal| refusal.within(known));
        }
        let index = reserved_index(name.chars()).filter(|index| choice.is_extensible && *index >= choice.additions);
        match index {
            Some(index) => keep(data, Unknown { index, octets: with_octets(&value, <[u8]>::to_vec)? }),
            None => Err(unknown_name(faults::json::UNKNOWN_ALTERNATIVE, name, choice.places.keys().cloned())),
        }
    }

    /// `{"containing": value}`, or the string itself, which is not looked into.
    fn containing(
        self,
        inner: TypeId,
        is_bits: bool,
        object: &Bound<'_, PyAny>,
        data: &mut dyn Data,
        around: Option<&Around<'_, '_>>,
    ) -> Filled {
        if !object.is_instance_of::<PyDict>() {
            return if is_bits {
                bit_string(object, data)
            } else {
                with_octets(object, |octets| set_octets(data, octets))?
            };
        }
        let (name, value) = only_entry(object)?;
        if name.to_str().ok() != Some("containing") {
            return Err(Refusal::fault(faults::json::CONTAINING_ALONE));
        }
        self.fill(inner, &value, data.choose(0).ok_or_else(no_place)?, around)
    }

    /// A value of the type that the table selects, or `{"...": octets}`; octets where it selects
    /// none.
    fn open(
        self,
        id: TypeId,
        object: &Bound<'_, PyAny>,
        data: &mut dyn Data,
        around: Option<&Around<'_, '_>>,
    ) -> Filled {
        let row = match objects::table(self.nodes, id) {
            Some(table) => self.row(table, around)?.and_then(|at| Some((at, table.rows.get(at)?.1))),
            None => None,
        };
        let Some((row, inner)) = row else {
            if object.is_instance_of::<PyBytes>() || object.is_instance_of::<PyByteArray>() {
                return with_octets(object, |octets| set_octets(data, octets))?;
            }
            return Err(Refusal::new(
                "jer.open",
                "nothing tells the type inside this open type: give its octets, as bytes",
            ));
        };
        if let Ok(dict) = object.cast::<PyDict>()
            && let Some(octets) = dict.get_item(pyo3::intern!(self.py, "..."))?
        {
            return match dict.len() {
                1 => with_octets(&octets, |octets| set_octets(data, octets))?,
                _ => Err(Refusal::fault(faults::json::OPEN_OCTETS)),
            };
        }
        self.fill(inner, object, data.choose(row).ok_or_else(no_place)?, around)
    }

    /// The row that the linked component selects.
    fn row(self, table: &Table, around: Option<&Around<'_, '_>>) -> Result<Option<usize>, Box<Refusal>> {
        if table.only().is_some() {
            return Ok(Some(0));
        }
        let scope = std::iter::successors(around, |around| around.outer).nth(table.level as usize);
        let Some(scope) = scope.filter(|_| !table.link.is_empty()) else { return Ok(None) };
        let (mut id, mut object) = (scope.id, scope.dict.clone().into_any());
        for name in &table.link {
            let Some((at, linked)) = objects::linked(self.nodes, id, name) else { return Ok(None) };
            let (Node::Record(record), Ok(dict)) = (self.nodes.get(self.py, id), object.cast::<PyDict>()) else {
                return Ok(None);
            };
            let Some(component) = record.components.get(at) else { return Ok(None) };
            object = match (dict.get_item(component.name.bind(self.py))?, default_of(component)) {
                (Some(value), _) => value,
                (None, Some(default)) => return Ok(self.select(table, component.type_id, default)),
                (None, None) => return Ok(None),
            };
            id = linked.type_id;
        }
        let mut key = Value::Unset;
        self.fill(id, &object, &mut key, None)?;
        Ok(self.select(table, id, &key))
    }

    fn select(self, table: &Table, id: TypeId, key: &Value) -> Option<usize> {
        table.rows.iter().position(|(row, _)| equal(self.nodes.model(), id, row, key))
    }
}

/// The only entry of a CHOICE's dict.
fn only_entry<'py>(object: &Bound<'py, PyAny>) -> Result<(Bound<'py, PyString>, Bound<'py, PyAny>), Box<Refusal>> {
    let Ok(dict) = object.cast::<PyDict>() else {
        return Err(Refusal::mismatch("a dict with one entry, the alternative", object));
    };
    match (dict.len(), dict.iter().next()) {
        (1, Some((name, value))) => match name.cast_into::<PyString>() {
            Ok(name) => Ok((name, value)),
            Err(error) => Err(Refusal::mismatch("the name of an alternative, a str,", &error.into_inner())),
        },
        _ => Err(Refusal::fault(faults::json::CHOICE_MEMBERS)),
    }
}

fn integer(object: &Bound<'_, PyAny>, data: &mut dyn Data) -> Filled {
    if !object.is_instance_of::<PyInt>() || object.is_instance_of::<PyBool>() {
        return Err(Refusal::mismatch("an int", object));
    }
    match object.extract::<i64>() {
        Ok(value) if data.set_integer(value) => Ok(()),
        Ok(_) => Err(Refusal::kind(ErrorKind::IntegerWidth)),
        Err(_) => wide_integer(object, data),
    }
}

/// An integer of more than 64 bits.
#[cold]
fn wide_integer(object: &Bound<'_, PyAny>, data: &mut dyn Data) -> Filled {
    let py = object.py();
    let class = py.get_type::<PyInt>();
    let bits: usize = class.call_method1("bit_length", (object,))?.extract()?;
    let length = bits / 8 + 1;
    if length > MOST_INTEGER {
        return Err(Refusal::kind(ErrorKind::TooLong { length: length as u64, limit: MOST_INTEGER as u64 }));
    }
    let signed = [("signed", true)].into_py_dict(py)?;
    let octets = class.call_method("to_bytes", (object, length, "big"), Some(&signed))?;
    let octets = octets.cast::<PyBytes>().map_err(PyErr::from)?.as_bytes();
    let is_set = match octets.len() {
        ..=16 => {
            let sign = if octets.first().is_some_and(|first| first & 0x80 != 0) { -1i128 } else { 0 };
            data.set(Scalar::Integer(octets.iter().fold(sign, |sum, octet| sum << 8 | i128::from(*octet))))
        }
        _ => data.set(Scalar::WideInteger(octets)),
    };
    if is_set { Ok(()) } else { Err(Refusal::kind(ErrorKind::IntegerWidth)) }
}

/// A float, or an int that is exactly a float.
fn real(object: &Bound<'_, PyAny>, data: &mut dyn Data) -> Filled {
    if let Ok(value) = object.cast::<PyFloat>() {
        return set(data, Scalar::Real(value.value()));
    }
    if !object.is_instance_of::<PyInt>() || object.is_instance_of::<PyBool>() {
        return Err(Refusal::mismatch("a float", object));
    }
    match object.extract::<f64>() {
        Ok(value) if object.eq(value)? => set(data, Scalar::Real(value)),
        _ => Err(Refusal::new("real.width", "no float is equal to this int")),
    }
}

fn item(items: &Items, object: &Bound<'_, PyAny>, data: &mut dyn Data) -> Filled {
    let Ok(name) = object.cast::<PyString>() else {
        return Err(Refusal::mismatch("the name of an item, a str", object));
    };
    let name = name.to_str().map_err(|_| surrogate())?;
    let unnamed = || {
        let additions = items.additions?;
        if let Some(number) = reserved_number(name.chars()) {
            return ordinal_of_unknown_item(number);
        }
        let index = reserved_index(name.chars()).filter(|index| *index >= additions)?;
        items.root.checked_add(index).filter(|ordinal| *ordinal < 1 << 31)
    };
    match items.ordinals.get(name).copied().or_else(unnamed) {
        Some(ordinal) => set(data, Scalar::Enumerated(ordinal)),
        None => Err(unknown_name(faults::json::UNKNOWN_ITEM, name, items.ordinals.keys().cloned())),
    }
}

fn text(object: &Bound<'_, PyAny>, data: &mut dyn Data) -> Filled {
    let Ok(text) = object.cast::<PyString>() else { return Err(Refusal::mismatch("a str", object)) };
    let text = text.to_str().map_err(|_| surrogate())?;
    if data.set(Scalar::Text(text)) {
        return Ok(());
    }
    begin(data, Shape::Text)?;
    match text.chars().all(|character| data.push_char(character)) {
        true => Ok(()),
        false => Err(Refusal::kind(ErrorKind::Capacity { size: text.len() as u64 })),
    }
}

/// `(octets, bits)`; bits after the last one are zero.
fn bit_string(object: &Bound<'_, PyAny>, data: &mut dyn Data) -> Filled {
    let pair = object.cast::<PyTuple>().ok().filter(|pair| pair.len() == 2);
    let Some(pair) = pair else { return Err(Refusal::mismatch("a tuple (bytes, number of bits)", object)) };
    let (octets, bits) = (pair.get_borrowed_item(0)?, pair.get_borrowed_item(1)?);
    if !bits.is_instance_of::<PyInt>() || bits.is_instance_of::<PyBool>() {
        return Err(Refusal::mismatch("the number of bits, an int,", &bits));
    }
    let bits = bits.extract::<usize>();
    with_octets(&octets, |octets| {
        let Some(bits) = bits.ok().filter(|bits| bits.div_ceil(8) == octets.len()) else {
            return Err(Refusal::new("jer.bits", "another number of octets than the number of bits asks for"));
        };
        if octets.last().is_some_and(|last| bits % 8 > 0 && last << (bits % 8) != 0) {
            return Err(Refusal::fault(faults::json::BITS_UNUSED));
        }
        if BitWord::from_octets(octets, bits).is_some_and(|word| data.set(Scalar::Word(word))) {
            return Ok(());
        }
        begin(data, Shape::Bits)?;
        match data.extend_bits(bits) {
            Some(place) if place.len() == octets.len() => {
                place.copy_from_slice(octets);
                Ok(())
            }
            _ => Err(Refusal::kind(ErrorKind::Capacity { size: bits as u64 })),
        }
    })?
}

fn oid(object: &Bound<'_, PyAny>, is_relative: bool, data: &mut dyn Data) -> Filled {
    let Ok(text) = object.cast::<PyString>() else {
        return Err(Refusal::mismatch("an object identifier as a str", object));
    };
    let text = text.to_str().map_err(|_| surrogate())?;
    let mut arcs = Vec::new();
    for arc in text.split('.') {
        if arc.len() > MOST_DIGITS {
            return Err(Refusal::kind(ErrorKind::TooLong { length: arc.len() as u64, limit: MOST_DIGITS as u64 }));
        }
        let is_number = !arc.is_empty() && arc.bytes().all(|digit| digit.is_ascii_digit());
        let number = BigInt::parse_bytes(arc.as_bytes(), 10).filter(|_| is_number);
        arcs.push(number.ok_or_else(|| Refusal::fault(faults::json::OID))?);
    }
    let oid = if is_relative { Oid::relative(&arcs) } else { Oid::absolute(&arcs) };
    let oid = oid.ok_or_else(|| Refusal::fault(faults::json::OID_START))?;
    set(data, Scalar::Oid(oid.contents()))
}

/// Passes the octets of an object to a function: bytes, a bytearray, or a memoryview.
pub(crate) fn with_octets<R>(object: &Bound<'_, PyAny>, function: impl FnOnce(&[u8]) -> R) -> Result<R, Box<Refusal>> {
    if let Ok(octets) = object.cast::<PyBytes>() {
        Ok(function(octets.as_bytes()))
    } else if let Ok(octets) = object.cast::<PyByteArray>() {
        Ok(function(&octets.to_vec()))
    } else if object.is_instance_of::<PyMemoryView>() {
        let octets = object.call_method0("tobytes")?;
        Ok(function(octets.cast::<PyBytes>().map_err(PyErr::from)?.as_bytes()))
    } else {
        Err(Refusal::mismatch("bytes", object))
    }
}

fn set_octets(data: &mut dyn Data, octets: &[u8]) -> Filled {
    begin(data, Shape::Octets)?;
    match data.extend_octets(octets.len()) {
        Some(place) if place.len() == octets.len() => {
            place.copy_from_slice(octets);
            Ok(())
        }
        _ => Err(Refusal::kind(ErrorKind::Capacity { size: octets.len() as u64 })),
    }
}

fn set(data: &mut dyn Data, scalar: Scalar<'_>) -> Filled {
    if data.set(scalar) { Ok(()) } else { Err(no_place()) }
}

fn begin(data: &mut dyn Data, shape: Shape) -> Filled {
    if data.begin(shape) { Ok(()) } else { Err(no_place()) }
}

fn keep(data: &mut dyn Data, unknown: Unknown) -> Filled {
    if data.keep(unknown) { Ok(()) } else { Err(Refusal::fault(faults::json::NO_PLACE_ADDITION)) }
}

#[cold]
fn no_place() -> Box<Refusal> {
    Refusal::fault(faults::json::NO_PLACE)
}

#[cold]
fn surrogate() -> Box<Refusal> {
    Refusal::fault(faults::json::STRING_SURROGATE)
}

#[cold]
fn unknown_name(fault: faults::Fault, name: &str, known: impl Iterator<Item = String>) -> Box<Refusal> {
    let hint = hint(name, known);
    let shown: String = name.chars().take(40).collect();
    let what = fault.text().trim_end_matches(" of this name");
    Refusal::new(fault.code(), format!("{what} `{shown}`{hint}"))
}
