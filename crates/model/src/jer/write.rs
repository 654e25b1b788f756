//! Writing.

use std::fmt;

use roadwire_wire::{Data, Scalar};

use super::error::{Fault, JerError, Outcome, Within};
use super::open::{OCTETS, inconsistent};
use super::scalars;
use crate::constraint::Size;
use crate::data::{bits, equal, integer};
use crate::link::{Scope, row_of};
use crate::types::{Alternative, Component, Enumerators, Field, Kind, Model, Presence, Table, TypeId};
use crate::value::Value;

/// How JSON is laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// On one line, without spaces.
    #[default]
    Compact,
    /// On lines, indented by two spaces for each level.
    Pretty,
}

/// Writes a value of type `id` on one line.
///
/// # Errors
/// Where the value is not of that type: `value.mismatch`, `component.missing`, `limit.depth`. Constraints are not checked.
///
/// # Panics
/// On a type id of another model.
pub fn write(model: &Model, id: TypeId, value: &Value) -> Result<String, JerError> {
    write_data(model, id, value)
}

/// Writes a value of type `id` on lines, indented.
///
/// # Errors
/// As [`write()`].
///
/// # Panics
/// On a type id of another model.
pub fn write_pretty(model: &Model, id: TypeId, value: &dyn Data) -> Result<String, JerError> {
    let mut text = String::new();
    write_to(&mut text, Style::Pretty, model, id, value)?;
    Ok(text)
}

/// Writes what anything holds as a value of type `id`, on one line.
///
/// # Errors
/// As [`write()`].
///
/// # Panics
/// On a type id of another model.
pub fn write_data(model: &Model, id: TypeId, data: &dyn Data) -> Result<String, JerError> {
    let mut text = String::new();
    write_to(&mut text, Style::Compact, model, id, data)?;
    Ok(text)
}

/// Writes a value of type `id` as it goes.
///
/// # Errors
/// As [`write()`], and `output.full` where `out` takes no more.
///
/// # Panics
/// On a type id of another model.
pub fn write_to(
    out: &mut dyn fmt::Write,
    style: Style,
    model: &Model,
    id: TypeId,
    data: &dyn Data,
) -> Result<(), JerError> {
    let mut writer = Writer { out, style, model, depth: 0, indent: 0 };
    writer.value(id, data, None).map_err(|fault| fault.into_error(""))
}

struct Writer<'w> {
    out: &'w mut dyn fmt::Write,
    style: Style,
    model: &'w Model,
    /// How deep the value is nested here.
    depth: usize,
    /// How many brackets are open.
    indent: usize,
}

impl From<fmt::Error> for Box<Fault> {
    fn from(_: fmt::Error) -> Self {
        Fault::new("output.full", "the output takes no more")
    }
}

impl Writer<'_> {
    fn value(&mut self, id: TypeId, data: &dyn Data, scope: Option<&Scope<'_>>) -> Outcome {
        let scalar = data.scalar();
        match (&self.model.get(id).kind, scalar) {
            (Kind::Null, Scalar::Null) => self.put("null"),
            (Kind::Boolean, Scalar::Boolean(value)) => self.put(if value { "true" } else { "false" }),
            (Kind::Integer { .. }, _) => match integer(scalar) {
                Some(value) => Ok(write!(self.out, "{value}")?),
                None => Err(mismatch("an integer")),
            },
            (Kind::Enumerated(items), Scalar::Enumerated(ordinal)) => self.enumerated(items, ordinal),
            (Kind::Real, Scalar::Real(value)) => Ok(scalars::write_real(self.out, value)?),
            (Kind::BitString { size, .. }, _) => self.bit_string(*size, scalar),
            (Kind::OctetString { .. }, Scalar::Octets(octets)) => self.octets(octets),
            (Kind::ObjectIdentifier, Scalar::Oid(contents)) => self.oid(contents, false),
            (Kind::RelativeOid, Scalar::Oid(contents)) => self.oid(contents, true),
            (Kind::Iri { .. } | Kind::String { .. } | Kind::Time(_), Scalar::Text(text)) => self.string(text),
            (Kind::Sequence { components, extensible, .. }, _) => {
                let scope = Scope { outer: scope, id, data };
                self.nested(|this| this.sequence(components, *extensible, &scope))
            }
            (Kind::SequenceOf { element, .. }, _) => self.nested(|this| this.list(*element, data, scope)),
            (Kind::Choice { alternatives, extensible }, _) => {
                self.nested(|this| this.choice(alternatives, *extensible, data, scope))
            }
            (Kind::Open { table }, _) => self.nested(|this| this.open(table.as_ref(), data, scope)),
            (Kind::External(inner), _) => self.value(*inner, data, scope),
            (Kind::Null, _) => Err(mismatch("NULL")),
            (Kind::Boolean, _) => Err(mismatch("a BOOLEAN")),
            (Kind::Enumerated(_), _) => Err(mismatch("an enumeration item")),
            (Kind::Real, _) => Err(mismatch("a REAL")),
            (Kind::OctetString { .. }, _) => Err(mismatch("an OCTET STRING")),
            (Kind::ObjectIdentifier | Kind::RelativeOid, _) => Err(mismatch("an object identifier")),
            (Kind::Iri { .. } | Kind::String { .. } | Kind::Time(_), _) => Err(mismatch("text")),
        }
    }

    fn nested(&mut self, write: impl FnOnce(&mut Self) -> Outcome) -> Outcome {
        if self.depth > Value::MAX_DEPTH {
            let message = format!("nested deeper than the limit of {} levels", Value::MAX_DEPTH);
            return Err(Fault::new("limit.depth", message));
        }
        self.depth += 1;
        let outcome = write(self);
        self.depth -= 1;
        outcome
    }

    fn enumerated(&mut self, items: &Enumerators, ordinal: u32) -> Outcome {
        let ordinal = ordinal as usize;
        match items.all().nth(ordinal) {
            Some((name, _)) => self.string(name),
            None if items.extensible => Ok(write!(self.out, "\"...{}\"", ordinal - items.root.len())?),
            None => Err(Fault::new("enumerated.index", format!("there is no enumeration item {ordinal}"))),
        }
    }

    fn bit_string(&mut self, size: Size, scalar: Scalar<'_>) -> Outcome {
        let (octets, count) = bits(scalar).ok_or_else(|| mismatch("a BIT STRING"))?;
        if size.fixed() == Some(count as u64) && !size.extensible {
            return self.octets(&octets);
        }
        self.open_bracket('{')?;
        self.member(true, "value")?;
        self.octets(&octets)?;
        self.member(false, "length")?;
        write!(self.out, "{count}")?;
        self.close_bracket('}', false)
    }

    fn sequence(&mut self, components: &[Component], extensible: bool, scope: &Scope<'_>) -> Outcome {
        let data = scope.data;
        let mut first = true;
        self.open_bracket('{')?;
        for (index, component) in components.iter().enumerate() {
            match (data.component(index), &component.presence) {
                (Some(inner), Presence::Default(value)) if equal(self.model, component.type_id, inner, value) => {}
                (Some(inner), _) => {
                    self.member(first, &component.name)?;
                    first = false;
                    self.value(component.type_id, inner, Some(scope)).within(&component.name)?;
                }
                (None, Presence::Mandatory) if component.field == Field::Root => {
                    let message = format!("mandatory component `{}` is absent", component.name);
                    return Err(Fault::new("component.missing", message)).within(&component.name);
                }
                (None, _) => {}
            }
        }
        for unknown in data.unknown() {
            if !extensible {
                return Err(mismatch("of a type with extension additions"));
            }
            self.member(first, &format!("...{}", unknown.index))?;
            first = false;
            self.octets(&unknown.octets)?;
        }
        self.close_bracket('}', first)
    }

    fn list(&mut self, element: TypeId, data: &dyn Data, scope: Option<&Scope<'_>>) -> Outcome {
        let length = data.length().ok_or_else(|| mismatch("a list"))?;
        self.open_bracket('[')?;
        for index in 0..length {
            self.separate(index == 0)?;
            let inner = data.element(index).ok_or_else(|| mismatch("a list of that length"))?;
            self.value(element, inner, scope).within_element(index)?;
        }
        self.close_bracket(']', length == 0)
    }

    fn choice(
        &mut self,
        alternatives: &[Alternative],
        extensible: bool,
        data: &dyn Data,
        scope: Option<&Scope<'_>>,
    ) -> Outcome {
        self.open_bracket('{')?;
        match (data.alternative(), data.unknown()) {
            (Some((index, inner)), _) => {
                let count = alternatives.len();
                let alternative = alternatives.get(index).ok_or_else(|| {
                    Fault::new("choice.index", format!("choice index {index} where there are {count} alternatives"))
                })?;
                self.member(true, &alternative.name)?;
                self.value(alternative.type_id, inner, scope).within(&alternative.name)?;
            }
            (None, [unknown]) if extensible => {
                self.member(true, &format!("...{}", unknown.index))?;
                self.octets(&unknown.octets)?;
            }
            _ => return Err(mismatch("a CHOICE")),
        }
        self.close_bracket('}', false)
    }

    /// The row that the link selects is not told in the text, so it must be the row that the value has.
    fn open(&mut self, table: Option<&Table>, data: &dyn Data, scope: Option<&Scope<'_>>) -> Outcome {
        let selected = table.and_then(|table| row_of(self.model, table, scope));
        match (data.alternative(), data.scalar()) {
            (Some((row, inner)), _) => {
                let id = table.filter(|_| selected == Some(row)).and_then(|table| table.rows.get(row));
                self.value(id.ok_or_else(inconsistent)?.1, inner, scope)
            }
            (None, Scalar::Octets(octets)) if selected.is_some() => {
                self.open_bracket('{')?;
                self.member(true, OCTETS)?;
                self.octets(octets)?;
                self.close_bracket('}', false)
            }
            (None, Scalar::Octets(octets)) => self.octets(octets),
            _ => Err(mismatch("an open type")),
        }
    }

    fn oid(&mut self, contents: &[u8], relative: bool) -> Outcome {
        let oid = crate::value::Oid::from_contents(contents).ok_or_else(|| mismatch("an object identifier"))?;
        self.string(&if relative { oid.relative_text() } else { oid.absolute_text() })
    }

    fn octets(&mut self, octets: &[u8]) -> Outcome {
        self.put("\"")?;
        scalars::write_octets(self.out, octets)?;
        self.put("\"")
    }

    fn string(&mut self, text: &str) -> Outcome {
        Ok(scalars::write_string(self.out, text)?)
    }

    fn put(&mut self, text: &str) -> Outcome {
        Ok(self.out.write_str(text)?)
    }

    fn member(&mut self, first: bool, name: &str) -> Outcome {
        self.separate(first)?;
        self.string(name)?;
        self.put(if self.style == Style::Pretty { ": " } else { ":" })
    }

    fn open_bracket(&mut self, bracket: char) -> Outcome {
        self.indent += 1;
        Ok(self.out.write_char(bracket)?)
    }

    fn close_bracket(&mut self, bracket: char, empty: bool) -> Outcome {
        self.indent -= 1;
        if !empty {
            self.line()?;
        }
        Ok(self.out.write_char(bracket)?)
    }

    fn separate(&mut self, first: bool) -> Outcome {
        if !first {
            self.put(",")?;
        }
        self.line()
    }

    fn line(&mut self) -> Outcome {
        if self.style == Style::Pretty {
            self.put("\n")?;
            for _ in 0..self.indent {
                self.put("  ")?;
            }
        }
        Ok(())
    }
}

fn mismatch(expected: &str) -> Box<Fault> {
    Fault::new("value.mismatch", format!("the value is not {expected}"))
}
