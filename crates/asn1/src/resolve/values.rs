//! Values, read according to their governing type (X.680 clause 17).

use std::rc::Rc;

use num_bigint::BigInt;
use roadwire_model::{Kind, TypeId, Value};

use super::Resolver;
use super::kinds::{compatible, count};
use super::literals::{binary_bits, hex_bits, value_name};
use super::names::Found;
use super::parameters::Scope;
use crate::ast::{self, Assignment, Body, Ident, Reference, ValueKind};
use roadwire_source::Span;
use roadwire_source::{Outcome, Reported};

impl Resolver<'_> {
    /// A value assignment's type and value.
    pub(super) fn value_definition(
        &mut self,
        module: usize,
        assignment: &Rc<Assignment>,
        scope: &Rc<Scope>,
    ) -> Outcome<(TypeId, Value)> {
        let Body::Value { governor, value } = &assignment.body else {
            return Err(Reported::before());
        };
        let circular: fn(&str) -> String = |name| format!("the value `{name}` is defined by itself");
        self.once(
            |r| &mut r.values,
            (module, assignment, scope),
            ("asn1.value.circular", circular),
            |r| {
                let id = r.shared_type_of(governor, scope)?;
                Ok((id, r.value_of_type(value, id, scope)?))
            },
        )
    }

    /// A value of the type in a slot, within the type's constraints.
    pub(super) fn value_of_type(&mut self, value: &ast::Value, id: TypeId, scope: &Rc<Scope>) -> Outcome<Value> {
        let read = self.unchecked_value(value, id, scope)?;
        self.check_value_range(id, &read, value.span)?;
        Ok(read)
    }

    /// As [`Self::value_of_type`], without checking the constraints of the type.
    pub(super) fn unchecked_value(&mut self, value: &ast::Value, id: TypeId, scope: &Rc<Scope>) -> Outcome<Value> {
        self.ensure_base(id)?;
        self.deeper(value.span, |r| r.read_value(value, id, scope))
    }

    fn read_value(&mut self, value: &ast::Value, id: TypeId, scope: &Rc<Scope>) -> Outcome<Value> {
        match &value.kind {
            ValueKind::Reference(reference) => {
                if let Some(own) = self.own_item(id, reference) {
                    return Ok(own);
                }
                return self.referenced_value(reference, id, scope);
            }
            ValueKind::Field(field) => {
                let (from, read) = self.value_from_object(field, scope)?;
                return self.converted(read, from, id, value.span);
            }
            _ => {}
        }
        if let (Kind::Integer { .. }, ValueKind::Integer(text)) = (&self.slot(id).ty.kind, &value.kind) {
            return Ok(Value::from(self.number(text, value.span)?));
        }
        let cost = super::kinds::weight(&self.slot(id).ty.kind);
        self.spend(cost, value.span)?;
        let kind = self.slot(id).ty.kind.clone();
        match (&kind, &value.kind) {
            (Kind::Boolean, ValueKind::Bool(b)) => Ok(Value::Boolean(*b)),
            (Kind::Null, ValueKind::Null) => Ok(Value::Null),
            (Kind::Real { .. }, _) => self.real_value(value, scope),
            (Kind::BitString { .. } | Kind::OctetString { .. }, ValueKind::Containing(inner)) => {
                self.containing(&kind, inner, value.span, scope)
            }
            (Kind::BitString { named, .. }, _) => self.bit_string(value, named, scope),
            (Kind::OctetString { .. }, ValueKind::HString(digits)) => Ok(Value::OctetString(hex_bits(digits).0)),
            (Kind::OctetString { .. }, ValueKind::BString(digits)) => Ok(Value::OctetString(binary_bits(digits).0)),
            (Kind::ObjectIdentifier, ValueKind::Braced(tokens)) => self.object_identifier(*tokens, false, scope),
            (Kind::RelativeOid, ValueKind::Braced(tokens)) => self.object_identifier(*tokens, true, scope),
            (Kind::Iri { .. } | Kind::Time { .. }, ValueKind::CString(text)) => Ok(Value::Text(text.to_string())),
            (Kind::String { .. }, ValueKind::CString(text)) => Ok(Value::Text(text.to_string())),
            (Kind::String { .. }, ValueKind::Braced(tokens)) => self.character_list(*tokens, id, scope),
            (Kind::Sequence { .. }, ValueKind::Braced(tokens)) => self.sequence_value(*tokens, id, value.span, scope),
            (Kind::SequenceOf { element, .. }, ValueKind::Braced(tokens)) => {
                let mut list = Vec::new();
                let mut failed = None;
                for item in self.value_list(*tokens, scope)? {
                    let value = self.value_of_type(&item, *element, scope);
                    list.extend(self.go_on(value, &mut failed)?);
                }
                failed.map_or(Ok(Value::List(list)), Err)
            }
            (Kind::Choice { alternatives, .. }, ValueKind::Choice(name, inner)) => {
                let found = alternatives
                    .iter()
                    .position(|a| *a.name == *name.name)
                    .and_then(|i| Some((u32::try_from(i).ok()?, alternatives.get(i)?.type_id)));
                let Some((index, inner_id)) = found else {
                    let names = alternatives.iter().map(|a| a.name.as_str());
                    return Err(self.no_component(name, names));
                };
                let inner = self.value_of_type(inner, inner_id, scope)?;
                Ok(Value::Choice(index, Box::new(inner)))
            }
            (Kind::External(inner), _) => self.value_of_type(value, *inner, scope),
            (Kind::Open { .. }, ValueKind::Open(ty, inner)) => self.open_value(id, ty, inner, value.span, scope),
            (kind, given) => {
                let message = format!("{} is not a value of {}", value_name(given), kind.name());
                Err(self.error("asn1.value.type", value.span, message))
            }
        }
    }

    /// `CONTAINING value`, the value in the string (X.680 §22.9, §23.3).
    fn containing(&mut self, kind: &Kind, inner: &ast::Value, span: Span, scope: &Rc<Scope>) -> Outcome<Value> {
        let Some(inner_id) = kind.contained() else {
            let message = "CONTAINING stands for the value of a type that the string contains without ENCODED BY \
                           (X.680 §22.9, §23.3)";
            return Err(self.error("asn1.value.type", span, message));
        };
        let inner = self.value_of_type(inner, inner_id, scope)?;
        Ok(Value::Choice(0, Box::new(inner)))
    }

    /// A named number or an enumeration item of the governing type takes precedence over other
    /// meanings.
    pub(super) fn own_item(&self, id: TypeId, reference: &Reference) -> Option<Value> {
        if reference.module.is_some() || reference.args.is_some() {
            return None;
        }
        let name = &*reference.name.name;
        match &self.slot(id).ty.kind {
            Kind::Integer { named, .. } => named.iter().find(|(n, _)| n == name).map(|(_, v)| Value::from(v.clone())),
            Kind::Enumerated(items) => {
                let at = items.all().position(|(n, _)| n == name)?;
                Some(Value::Enumerated(u32::try_from(at).ok()?))
            }
            _ => None,
        }
    }

    fn referenced_value(&mut self, reference: &Reference, id: TypeId, scope: &Rc<Scope>) -> Outcome<Value> {
        if let Kind::Enumerated(items) = &self.slot(id).ty.kind {
            if reference.module.is_none() && !self.is_known(&reference.name.name, scope) {
                let note = self.sink.suggestion(&reference.name.name, items.all().map(|(n, _)| n.as_str()));
                return Err(self.sink.error_note(
                    "asn1.name.item",
                    reference.span,
                    format!("the ENUMERATED has no item `{}`", reference.name.name),
                    note,
                ));
            }
        }
        match self.lookup(reference, scope)? {
            Found::Argument(arg) => {
                let value = self.tokens_as_value(arg.tokens, &arg.scope)?;
                self.unchecked_value(&value, id, &arg.scope)
            }
            Found::Definition { module, assignment } => {
                if !matches!(assignment.body, Body::Value { .. }) {
                    return Err(self.error(
                        "asn1.name.role",
                        reference.span,
                        format!(
                            "`{}` is {}, but a value is wanted here",
                            reference.name.name,
                            Self::what_is(&assignment)
                        ),
                    ));
                }
                let inner = self.definition_scope(module, &assignment, reference, scope)?;
                let (from, value) = self.value_definition(module, &assignment, &inner)?;
                self.spend(count(&value), reference.span)?;
                self.converted(value, from, id, reference.span)
            }
        }
    }

    /// A value of one type as a value of another with the same values.
    pub(super) fn converted(&mut self, value: Value, from: TypeId, to: TypeId, span: Span) -> Outcome<Value> {
        if from == to {
            return Ok(value);
        }
        self.ensure_base(from)?;
        self.ensure_base(to)?;
        let (a, b) = (&self.slot(from).ty.kind, &self.slot(to).ty.kind);
        if matches!(b, Kind::Open { .. }) {
            if matches!(a, Kind::Open { .. }) {
                return self.content_again(value, from, to, span);
            }
            let message = format!("a value of an open type is given with its type, `{} : ...` (X.681 §14.6)", a.name());
            self.sink.warning("asn1.value.untyped", span, message);
            return self.content(value, from, to, span);
        }
        if !compatible(a, b) {
            let message = format!("a value of {} is not a value of {}", a.name(), b.name());
            return Err(self.error("asn1.value.type", span, message));
        }
        let fits = match (a, b, &value) {
            (Kind::Enumerated(a), Kind::Enumerated(b), Value::Enumerated(at)) if a != b => {
                let name = a.all().nth(*at as usize).map(|(n, _)| n);
                let at = name.and_then(|name| b.all().position(|(n, _)| n == name));
                return match at.and_then(|at| u32::try_from(at).ok()) {
                    Some(at) => Ok(Value::Enumerated(at)),
                    None => Err(self.error("asn1.value.type", span, "this value is of an ENUMERATED with other items")),
                };
            }
            (Kind::Sequence { components: a, .. }, Kind::Sequence { components: b, .. }, _) => {
                a.iter().map(|c| &c.name).eq(b.iter().map(|c| &c.name))
            }
            (Kind::Choice { alternatives: a, .. }, Kind::Choice { alternatives: b, .. }, _) => {
                a.iter().map(|c| &c.name).eq(b.iter().map(|c| &c.name))
            }
            _ => true,
        };
        if !fits {
            return Err(self.error("asn1.value.type", span, "this value is of a type with other components"));
        }
        self.deeper(span, |r| r.converted_parts(value, from, to, span))
    }

    /// The parts of a value, which is of another type with the same names, as values of its parts.
    fn converted_parts(&mut self, value: Value, from: TypeId, to: TypeId, span: Span) -> Outcome<Value> {
        let cost = super::kinds::weight(&self.slot(to).ty.kind);
        match (&self.slot(from).ty.kind, &self.slot(to).ty.kind, value) {
            (
                Kind::Sequence { components: a, .. },
                Kind::Sequence { components: b, .. },
                Value::Sequence { mut components, unknown },
            ) if !a.iter().map(|one| one.type_id).eq(b.iter().map(|one| one.type_id)) => {
                let (a, b) = (a.clone(), b.clone());
                self.spend(cost, span)?;
                for ((from, to), part) in a.iter().zip(&b).zip(&mut components) {
                    if let Some(value) = part.take() {
                        *part = Some(self.converted(value, from.type_id, to.type_id, span)?);
                    }
                }
                self.select_rows(&b, &mut components, span)?;
                Ok(Value::Sequence { components, unknown })
            }
            (Kind::SequenceOf { element: a, .. }, Kind::SequenceOf { element: b, .. }, Value::List(values)) => {
                let (a, b) = (*a, *b);
                let values: Outcome<_> = values.into_iter().map(|value| self.converted(value, a, b, span)).collect();
                Ok(Value::List(values?))
            }
            (
                Kind::Choice { alternatives: a, .. },
                Kind::Choice { alternatives: b, .. },
                Value::Choice(which, inner),
            ) => {
                let of = |all: &[roadwire_model::Alternative]| all.get(which as usize).map(|one| one.type_id);
                match of(a).zip(of(b)) {
                    Some((a, b)) => Ok(Value::Choice(which, Box::new(self.converted(*inner, a, b, span)?))),
                    None => Ok(Value::Choice(which, inner)),
                }
            }
            (_, _, value) => Ok(value),
        }
    }

    /// Whether a name is known here, without an error.
    fn is_known(&self, name: &Rc<str>, scope: &Scope) -> bool {
        scope.args.contains_key(name) || self.module_knows(scope.module, name)
    }

    /// An INTEGER without named numbers: tags, bounds, numbers of items.
    pub(super) fn integer_value(&mut self, value: &ast::Value, scope: &Rc<Scope>) -> Outcome<BigInt> {
        self.deeper(value.span, |r| match &value.kind {
            ValueKind::Integer(text) => r.number(text, value.span),
            ValueKind::Reference(reference) => match r.lookup(reference, scope)? {
                Found::Argument(arg) => {
                    let inner = r.tokens_as_value(arg.tokens, &arg.scope)?;
                    if let Some(number) = r.item_of_governor(&arg, &inner, scope) {
                        return Ok(number);
                    }
                    r.integer_value(&inner, &arg.scope)
                }
                Found::Definition { module, assignment } => {
                    let inner = r.definition_scope(module, &assignment, reference, scope)?;
                    if !matches!(assignment.body, Body::Value { .. }) {
                        return Err(r.not_an_integer(reference.span));
                    }
                    match r.value_definition(module, &assignment, &inner)? {
                        (_, Value::Integer(number)) => Ok(number.to_bigint()),
                        _ => Err(r.not_an_integer(reference.span)),
                    }
                }
            },
            ValueKind::Field(field) => match r.value_from_object(field, scope)? {
                (_, Value::Integer(number)) => Ok(number.to_bigint()),
                _ => Err(r.not_an_integer(value.span)),
            },
            _ => Err(r.not_an_integer(value.span)),
        })
    }

    /// An actual parameter may be a named number of the dummy's governor.
    fn item_of_governor(
        &mut self,
        arg: &super::parameters::Arg,
        value: &ast::Value,
        scope: &Rc<Scope>,
    ) -> Option<BigInt> {
        let (Some(governor), ValueKind::Reference(name)) = (&arg.governor, &value.kind) else {
            return None;
        };
        let id = self.shared_type_of(governor, scope).ok()?;
        self.ensure(id).ok()?;
        match self.own_item(id, name)? {
            Value::Integer(number) => Some(number.to_bigint()),
            _ => None,
        }
    }

    fn not_an_integer(&mut self, span: Span) -> Reported {
        self.error("asn1.value.type", span, "an INTEGER is wanted here")
    }

    fn sequence_value(&mut self, tokens: ast::Tokens, id: TypeId, span: Span, scope: &Rc<Scope>) -> Outcome<Value> {
        let Kind::Sequence { components, .. } = self.slot(id).ty.kind.clone() else {
            return Err(Reported::before());
        };
        let mut values: Vec<Option<Value>> = vec![None; components.len()];
        let mut failed = None;
        for (name, value) in self.named_values(tokens, scope)? {
            let Some(at) = components.iter().position(|c| *c.name == *name.name) else {
                let names = components.iter().map(|c| c.name.as_str());
                return Err(self.no_component(&name, names));
            };
            if values[at].is_some() {
                return Err(self.error("asn1.name.duplicate", name.span, format!("`{}` is given twice", name.name)));
            }
            let value = self.value_of_type(&value, components[at].type_id, scope);
            values[at] = self.go_on(value, &mut failed)?;
        }
        if let Some(reported) = failed {
            return Err(reported);
        }
        let missing = components.iter().zip(&values).find(|(c, v)| {
            v.is_none() && c.presence == roadwire_model::Presence::Mandatory && c.field == roadwire_model::Field::Root
        });
        if let Some((component, _)) = missing {
            let message = format!("the component `{}` is missing", component.name);
            return Err(self.error("asn1.value.incomplete", span, message));
        }
        self.select_rows(&components, &mut values, span)?;
        Ok(Value::Sequence { components: values, unknown: Vec::new() })
    }

    pub(super) fn no_component<'n>(&mut self, name: &Ident, known: impl Iterator<Item = &'n str>) -> Reported {
        let note = self.sink.suggestion(&name.name, known);
        self.sink.error_note(
            "asn1.name.component",
            name.span,
            format!("the type has nothing called `{}`", name.name),
            note,
        )
    }
}
