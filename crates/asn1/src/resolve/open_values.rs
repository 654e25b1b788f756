//! Values of open types (X.681 §14.6): a value with its type, as the content that a row of the
//! table has.

use std::rc::Rc;

use roadwire_model::{Component, Kind, Presence, Table, TypeId, Value};

use super::kinds::compatible;
use super::parameters::Scope;
use super::{Resolver, SlotState};
use crate::ast;
use roadwire_source::{Outcome, Span};

impl Resolver<'_> {
    /// `Type : value`
    pub(super) fn open_value(
        &mut self,
        id: TypeId,
        ty: &Rc<ast::Type>,
        value: &ast::Value,
        span: Span,
        scope: &Rc<Scope>,
    ) -> Outcome<Value> {
        let inner = self.shared_type_of(ty, scope)?;
        let value = self.value_of_type(value, inner, scope)?;
        self.content(value, inner, id, span)
    }

    /// `Type : value` for a field whose type another field of the object sets.
    pub(super) fn typed_value(
        &mut self,
        id: TypeId,
        ty: &Rc<ast::Type>,
        value: &ast::Value,
        span: Span,
        scope: &Rc<Scope>,
    ) -> Outcome<Value> {
        self.ensure_base(id)?;
        if matches!(self.slot(id).ty.kind, Kind::Open { .. }) {
            return self.open_value(id, ty, value, span, scope);
        }
        let inner = self.shared_type_of(ty, scope)?;
        self.ensure(inner)?;
        if inner != id && !self.is_alike(inner, id) {
            let what = self.slot(id).ty.kind.name();
            return Err(self.error("asn1.value.type", span, format!("a value of {what} is wanted here (X.681 §9.8)")));
        }
        self.value_of_type(value, id, scope)
    }

    /// A value of type `from` as the content of an open type: of the first row with its type. What
    /// no row has is [`Value::Unset`]: a value, of which nothing is known where it is used.
    pub(super) fn content(&mut self, value: Value, from: TypeId, open: TypeId, span: Span) -> Outcome<Value> {
        self.ensure(from)?;
        let Kind::Open { table: Some(table) } = self.slot(open).ty.kind.clone() else { return Ok(Value::Unset) };
        self.spend(table.rows.len(), span)?;
        self.build_rows(&table);
        let same = table.rows.iter().position(|row| row.1 == from);
        let row = match same.or_else(|| table.rows.iter().position(|row| self.is_alike(from, row.1))) {
            Some(row) => row,
            None if table.extensible => return Ok(Value::Unset),
            None => {
                let message = "no object of the set has this type, and the set is not extensible (X.682 §10)";
                return Err(self.error("asn1.value.open", span, message));
            }
        };
        let to = table.rows[row].1;
        let value = self.converted(value, from, to, span)?;
        self.check_value_range(to, &value, span)?;
        Ok(Value::Choice(u32::try_from(row).unwrap_or(u32::MAX), Box::new(value)))
    }

    /// The content of one open type as that of another.
    pub(super) fn content_again(&mut self, value: Value, from: TypeId, to: TypeId, span: Span) -> Outcome<Value> {
        let (Kind::Open { table: Some(table) }, Value::Choice(row, inner)) = (&self.slot(from).ty.kind, value) else {
            return Ok(Value::Unset);
        };
        match table.rows.get(row as usize).map(|row| row.1) {
            Some(ty) => self.content(*inner, ty, to, span),
            None => Ok(Value::Unset),
        }
    }

    /// Puts the contents of a record's open types into the rows that the components beside them
    /// select (X.682 §10).
    pub(super) fn select_rows(
        &mut self,
        components: &[Component],
        values: &mut [Option<Value>],
        span: Span,
    ) -> Outcome<()> {
        for (at, component) in components.iter().enumerate() {
            let (Kind::Open { table: Some(table) }, Some(value)) = (&self.slot(component.type_id).ty.kind, &values[at])
            else {
                continue;
            };
            let table = table.clone();
            let Some(key) = key_beside(&table, components, values) else { continue };
            self.spend(table.rows.len(), span)?;
            self.build_rows(&table);
            let selected = table.rows.iter().position(|row| row.0 == *key);
            let (given, ty) = match value {
                Value::Choice(row, _) => (Some(*row as usize), table.rows.get(*row as usize).map(|row| row.1)),
                _ => (None, None),
            };
            let fits = selected.is_none_or(|row| ty.is_some_and(|ty| self.is_alike(ty, table.rows[row].1)));
            if !fits || selected.is_none() && !table.extensible {
                let message =
                    format!("`{}` has another type than `{}` selects (X.682 §10)", component.name, table.link[0]);
                return Err(self.error("asn1.value.open", span, message));
            }
            if selected != given {
                values[at] = Some(match (selected, values[at].take()) {
                    (Some(row), Some(Value::Choice(_, inner))) => Value::Choice(row as u32, inner),
                    _ => Value::Unset,
                });
            }
        }
        Ok(())
    }

    /// Builds the types of a table, but those that are being built.
    fn build_rows(&mut self, table: &Table) {
        for (_, ty) in &table.rows {
            if matches!(self.slot(*ty).state, SlotState::Pending(_)) {
                let _ = self.ensure(*ty);
            }
        }
    }

    /// Whether values of one type are values of the other as they are, and have its tags.
    fn is_alike(&self, a: TypeId, b: TypeId) -> bool {
        let (a, b) = (&self.slot(a).ty, &self.slot(b).ty);
        let names = match (&a.kind, &b.kind) {
            (Kind::Sequence { components: a, .. }, Kind::Sequence { components: b, .. }) => {
                a.iter().map(|one| &one.name).eq(b.iter().map(|one| &one.name))
            }
            (Kind::Choice { alternatives: a, .. }, Kind::Choice { alternatives: b, .. }) => {
                a.iter().map(|one| &one.name).eq(b.iter().map(|one| &one.name))
            }
            (Kind::Enumerated(a), Kind::Enumerated(b)) => a == b,
            _ => true,
        };
        names && a.tags == b.tags && compatible(&a.kind, &b.kind)
    }
}

/// The value of the component that selects the row of a table, if it is beside the open type.
fn key_beside<'v>(table: &Table, components: &'v [Component], values: &'v [Option<Value>]) -> Option<&'v Value> {
    let ([link], 0) = (table.link.as_slice(), table.level) else { return None };
    let at = components.iter().position(|component| component.name == *link)?;
    match (&values[at], &components[at].presence) {
        (Some(value), _) | (None, Presence::Default(value)) => Some(value),
        (None, Presence::Mandatory | Presence::Optional) => None,
    }
}

/// Whether the content of an open type is in a value that no table has.
pub(super) fn has_unknown_content(value: &Value) -> bool {
    match value {
        Value::Unset => true,
        Value::Sequence { components, .. } => components.iter().flatten().any(has_unknown_content),
        Value::List(values) => values.iter().any(has_unknown_content),
        Value::Choice(_, inner) => has_unknown_content(inner),
        _ => false,
    }
}
