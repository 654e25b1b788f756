//! `Schema.inspect` and `Schema.compare`: what bits are, and how many a value takes in every
//! encoding.

use pyo3::IntoPyObjectExt as _;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use roadwire::{BitRun, CodecError, Measured, Rules, Shown, Value};
use roadwire_model::check;

use crate::error::Problem;
use crate::fill::fill;
use crate::schema::{Schema, rules_of, with_input};

#[pymethods]
impl Schema {
    /// Every bit of a message, and its meaning: an `Inspection`, which prints as a table. A fault
    /// in the message is its `error`.
    ///
    /// >>> import roadwire
    /// >>> roadwire.schema("cam-1.4.1").inspect("uper", bytes.fromhex("0202000003e9"), type="ItsPduHeader")
    /// bit  bits                              what   value  field
    ///   0  00000010                          value  2      protocolVersion
    ///   8  00000010                          value  2 cam  messageID
    ///  16  00000000000000000000001111101001  value  1001   stationID
    #[pyo3(signature = (rules, octets, r#type=None))]
    fn inspect<'py>(
        &self,
        py: Python<'py>,
        rules: &str,
        octets: &Bound<'py, PyAny>,
        r#type: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (type_id, rules) = (self.find(r#type)?, rules_of(rules)?);
        let problem = |error: &CodecError, input: &[u8]| Problem::of(error, input);
        let inspector = self.shared().inspector(type_id, rules);
        let inspector = inspector.map_err(|error| problem(&CodecError::NoLayout(error), &[]))?;
        let (octets, runs, error) = with_input(octets, rules.is_text(), |input| {
            let mut runs = Vec::new();
            let walked = inspector.walk(input, &mut |run| runs.push(run));
            let error = walked.err().map(|error| PyErr::from(problem(&error, input)));
            (PyBytes::new(py, input), runs, error)
        })?;
        let runs: Vec<Bound<'py, PyAny>> = runs.into_iter().map(|run| object_of(py, run)).collect::<PyResult<_>>()?;
        let error = error.map(|error| error.into_value(py));
        view(py, "Inspection")?.call1((octets, rules.name(), runs, error))
    }

    /// How long a value is in every encoding, and what its bits are for: a `Comparison`, which
    /// prints as a table.
    ///
    /// `value` is a value as `encode` takes it, or, with `from_rules`, the octets of one.
    ///
    /// >>> import roadwire
    /// >>> header = {"protocolVersion": 2, "messageID": 2, "stationID": 1001}
    /// >>> found = roadwire.schema("cam-1.4.1").compare(header, type="ItsPduHeader")
    /// >>> found["uper"].octets, found["xer"].octets
    /// (6, 116)
    #[pyo3(signature = (value, from_rules=None, r#type=None))]
    fn compare<'py>(
        &self,
        py: Python<'py>,
        value: &Bound<'py, PyAny>,
        from_rules: Option<&str>,
        r#type: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let codecs = self.codecs(r#type)?;
        let type_id = codecs.type_id();
        let value = match from_rules {
            Some(rules) => {
                let rules = rules_of(rules)?;
                with_input(value, rules.is_text(), |input| self.decode_interpreted(&codecs, rules, input))??
            }
            None => {
                let mut filled = Value::Unset;
                fill(py, self.nodes(), type_id, value, &mut filled)?;
                filled
            }
        };
        if let Some(path) = self.shared().foreign_part(type_id, &value) {
            let what = "what the schema does not know here has no other encoding";
            return Err(Problem { path, ..Problem::new("additions.foreign", what) }.into());
        }
        let violations = check::value(self.model(), type_id, &value);
        if !violations.is_empty() {
            return Err(Problem::of(&CodecError::Broken(violations), &[]).into());
        }
        let rows = py.detach(|| {
            let one = |rules: Rules| (rules.name(), self.shared().measure(type_id, rules, &value));
            Rules::ALL.map(one)
        });
        let row = |(rules, measured): (&'static str, Result<Measured, CodecError>)| match measured {
            Ok(measured) => (rules, Some(measured.octets), measured.bits.to_vec(), None),
            Err(error) => (rules, None, Vec::new(), Some(error.to_string())),
        };
        let rows: Vec<_> = rows.into_iter().map(row).collect();
        view(py, "Comparison")?.call1((rows, Measured::CAUSES))
    }
}

/// A class of `roadwire._views`.
pub(crate) fn view<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("roadwire._views")?.getattr(name)
}

fn object_of(py: Python<'_>, run: BitRun) -> PyResult<Bound<'_, PyAny>> {
    let BitRun { bit, count, what, value, meaning, path } = run;
    let value = match value {
        Shown::Nothing => py.None().into_bound(py),
        Shown::Flag(value) => value.into_bound_py_any(py)?,
        Shown::Integer(value) => value.into_bound_py_any(py)?,
        Shown::Real(value) => value.into_bound_py_any(py)?,
        Shown::Text(text) => text.into_bound_py_any(py)?,
    };
    (bit, count, what, value, meaning, path).into_bound_py_any(py)
}
