//! The types of a schema as tuples, for Python code that brings values into another form.

use pyo3::IntoPyObjectExt as _;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use roadwire_model::{Field, Kind, Presence, TypeId, Value};

use crate::error::Problem;
use crate::objects::object;
use crate::schema::{Schema, rules_of};

#[pymethods]
impl Schema {
    /// Its types, each with the place of its node.
    fn _definitions(&self) -> Vec<(String, u32)> {
        self.model().definitions.iter().map(|(name, id)| (name.to_string(), id.0)).collect()
    }

    /// The node at a place: the kind of the type, whether it is extensible, and its parts, which
    /// are
    ///
    /// - of a SEQUENCE or SET: (name, place, presence, default, is an addition), with the presence
    ///   0 mandatory, 1 optional, 2 default
    /// - of a CHOICE: (name, place)
    /// - of an ENUMERATED or INTEGER: (name, number)
    /// - of a list, or a string that contains a type: (place,)
    /// - of an open type with a table: link, level, [(key, place)]
    fn _node<'py>(&self, py: Python<'py>, place: u32) -> PyResult<Bound<'py, PyAny>> {
        let model = self.model();
        let Some(node) = model.types.get(place as usize) else {
            return Err(Problem::new("type.unknown", "no type is there").into());
        };
        let value = |id: TypeId, value: &Value| object(py, self.nodes(), id, value, None);
        let (mut is_extensible, mut parts) = (false, Vec::new());
        match &node.kind {
            Kind::External(inner) => return self._node(py, inner.0),
            Kind::Sequence { components, extensible, .. } => {
                is_extensible = *extensible;
                for one in components {
                    let (presence, default) = match &one.presence {
                        Presence::Mandatory => (0, py.None().into_bound(py)),
                        Presence::Optional => (1, py.None().into_bound(py)),
                        Presence::Default(default) => (2, value(one.type_id, default)?),
                    };
                    let is_addition = one.field != Field::Root;
                    parts.push((&one.name, one.type_id.0, presence, default, is_addition).into_bound_py_any(py)?);
                }
            }
            Kind::Choice { alternatives, extensible } => {
                is_extensible = *extensible;
                for one in alternatives {
                    parts.push((&one.name, one.type_id.0).into_bound_py_any(py)?);
                }
            }
            Kind::Enumerated(items) => {
                is_extensible = items.extensible;
                for (name, number) in items.all() {
                    parts.push((name, number).into_bound_py_any(py)?);
                }
            }
            Kind::Integer { named, .. } => {
                for (name, number) in named {
                    parts.push((name, number.to_string()).into_bound_py_any(py)?);
                }
            }
            Kind::SequenceOf { element, .. } => parts.push(element.0.into_bound_py_any(py)?),
            Kind::Open { table: Some(table) } => {
                // Rows whose key is no number, text or object identifier are selected by nothing.
                let rows = table.rows.iter().map(|(key, id)| Ok((key_of(py, key)?, id.0)));
                parts.push(table.link.clone().into_bound_py_any(py)?);
                parts.push(table.level.into_bound_py_any(py)?);
                parts.push(rows.collect::<PyResult<Vec<_>>>()?.into_bound_py_any(py)?);
            }
            kind => {
                if let Some(inner) = kind.contained() {
                    parts.push(inner.0.into_bound_py_any(py)?);
                }
            }
        }
        (node.kind.name(), is_extensible, parts).into_bound_py_any(py)
    }

    /// The encoding of a value of the type at a place.
    fn _encode_at<'py>(
        &self,
        py: Python<'py>,
        rules: &str,
        value: &Bound<'py, PyAny>,
        place: u32,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let octets = self.encode_at(py, TypeId(place), rules_of(rules)?, value)?;
        Ok(PyBytes::new(py, &octets))
    }
}

/// The key of a row: an int or a str. A dict stands for any other: no value equals it.
fn key_of<'py>(py: Python<'py>, key: &Value) -> PyResult<Bound<'py, PyAny>> {
    match key {
        Value::Integer(number) => {
            let digits = number.to_string();
            py.get_type::<pyo3::types::PyInt>().call1((digits,))
        }
        Value::Oid(oid) => oid.absolute_text().into_bound_py_any(py),
        Value::Text(text) => text.into_bound_py_any(py),
        _ => PyDict::new(py).into_bound_py_any(py),
    }
}
