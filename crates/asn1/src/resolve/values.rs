//! Values: read as their governing type says (X.680 clause 17).

use std::rc::Rc;

use num_bigint::BigInt;
use roadwire_model::{Kind, TypeId, Value};

use super::Resolver;
use super::kinds::same_sort;
use super::literals::{binary_bits, hex_bits};
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

    /// As [`Self::value_of_type`], constraints of the type not looked at.
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
            (Kind::BitString { named, .. }, given) if !matches!(given, ValueKind::Containing) => {
                self.bit_string(value, named, scope)
            }
            (Kind::OctetString { .. }, ValueKind::HString(digits)) => Ok(Value::OctetString(hex_bits(digits).0)),
            (Kind::OctetString { .. }, ValueKind::BString(digits)) => Ok(Value::OctetString(binary_bits(digits).0)),
            (Kind::BitString { .. } | Kind::OctetString { .. }, ValueKind::Containing) => Err(self.error(
                "asn1.unsupported.containing-value",
                value.span,
                "CONTAINING as a value needs an encoding, which module text does not have",
            )),
            (Kind::ObjectIdentifier, ValueKind::Braced(tokens)) => self.object_identifier(*tokens, false, scope),
            (Kind::RelativeOid, ValueKind::Braced(tokens)) => self.object_identifier(*tokens, true, scope),
            (Kind::Iri { .. } | Kind::Time { .. }, ValueKind::CString(text)) => Ok(Value::Text(text.to_string())),
            (Kind::String { .. }, ValueKind::CString(text)) => Ok(Value::Text(text.to_string())),
            (Kind::String { .. }, ValueKind::Braced(tokens)) => self.character_list(*tokens, id, scope),
            (Kind::Sequence { .. }, ValueKind::Braced(tokens)) => self.sequence_value(*tokens, id, value.span, scope),
            (Kind::SequenceOf { element, .. }, ValueKind::Braced(tokens)) => {
                let mut list = Vec::new();
                for item in self.value_list(*tokens, scope)? {
                    list.push(self.value_of_type(&item, *element, scope)?);
                }
                Ok(Value::List(list))
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
                let message = format!("{} is no value of {}", value_name(given), kind.name());
                Err(self.error("asn1.value.type", value.span, message))
            }
        }
    }

    /// A named number or an enumeration item of the governing type goes before other meanings.
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
        if !same_sort(a, b) {
            let message = format!("a value of {} is no value of {}", a.name(), b.name());
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
        Ok(value)
    }

    /// Whether a name means anything here, without complaint.
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
        for (name, value) in self.named_values(tokens, scope)? {
            let Some(at) = components.iter().position(|c| *c.name == *name.name) else {
                let names = components.iter().map(|c| c.name.as_str());
                return Err(self.no_component(&name, names));
            };
            if values[at].is_some() {
                return Err(self.error("asn1.name.duplicate", name.span, format!("`{}` is given twice", name.name)));
            }
            values[at] = Some(self.value_of_type(&value, components[at].type_id, scope)?);
        }
        let missing = components.iter().zip(&values).find(|(c, v)| {
            v.is_none() && c.presence == roadwire_model::Presence::Mandatory && c.field == roadwire_model::Field::Root
        });
        if let Some((component, _)) = missing {
            let message = format!("the component `{}` is missing", component.name);
            return Err(self.error("asn1.value.incomplete", span, message));
        }
        Ok(Value::Sequence { components: values, unknown: Vec::new() })
    }

    /// `Type : value` for an open type with a table: the row with that type.
    fn open_value(
        &mut self,
        id: TypeId,
        ty: &Rc<ast::Type>,
        value: &ast::Value,
        span: Span,
        scope: &Rc<Scope>,
    ) -> Outcome<Value> {
        let inner = self.shared_type_of(ty, scope)?;
        let value = self.value_of_type(value, inner, scope)?;
        let row = match &self.slot(id).ty.kind {
            Kind::Open { table: Some(table) } => table.rows.iter().position(|r| r.1 == inner),
            _ => None,
        };
        match row.and_then(|r| u32::try_from(r).ok()) {
            Some(row) => Ok(Value::Choice(row, Box::new(value))),
            None => Err(self.error(
                "asn1.unsupported.open-value",
                span,
                "a value of an open type needs a table constraint that has its type",
            )),
        }
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

/// How many values a value is made of.
pub(super) fn count(value: &Value) -> usize {
    match value {
        Value::Sequence { components, .. } => 1 + components.iter().map(|c| c.as_ref().map_or(1, count)).sum::<usize>(),
        Value::List(list) => 1 + list.iter().map(count).sum::<usize>(),
        Value::Choice(_, inner) => 1 + count(inner),
        Value::OctetString(octets) => 1 + octets.len() / 16,
        Value::BitString { octets, .. } => 1 + octets.len() / 16,
        Value::Text(text) => 1 + text.len() / 16,
        _ => 1,
    }
}

pub(super) fn value_name(kind: &ValueKind) -> &'static str {
    match kind {
        ValueKind::Null => "NULL",
        ValueKind::Bool(_) => "TRUE or FALSE",
        ValueKind::Integer(_) => "a number",
        ValueKind::Real(_) | ValueKind::PlusInfinity | ValueKind::MinusInfinity | ValueKind::NotANumber => {
            "a real number"
        }
        ValueKind::BString(_) => "a binary string",
        ValueKind::HString(_) => "a hexadecimal string",
        ValueKind::CString(_) => "a character string",
        ValueKind::Reference(_) | ValueKind::Field(_) => "a reference",
        ValueKind::Choice(..) => "`name : value`",
        ValueKind::Open(..) => "`Type : value`",
        ValueKind::Braced(_) => "`{ ... }`",
        ValueKind::Containing => "CONTAINING",
    }
}
