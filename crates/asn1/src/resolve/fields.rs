//! `CLASS.&Field`, `object.&field`, `ObjectSet.&Field` (X.681 §14, §15) and INSTANCE OF (X.681 Annex C).

use std::rc::Rc;

use roadwire_model::{Component, Field, Kind, Presence, Tag, TagClass, Type, TypeId, Value};

use super::names::Found;
use super::object_sets::ObjectSet;
use super::objects::{ClassRef, Object, Setting};
use super::parameters::Scope;
use super::types::Base;
use super::{Job, Resolver};
use crate::ast::{self, Body, FieldKind, FieldReference, Ident, Reference, TypeKind};
use crate::lexer::Tok;
use roadwire_source::{Outcome, Reported};

/// What stands before `.&field`.
enum Holder {
    Class(ClassRef),
    Set(Rc<ObjectSet>),
    Object(Rc<Object>),
}

impl Resolver<'_> {
    /// A field used as a type.
    pub(super) fn field_type(&mut self, field: &FieldReference, job: &Job) -> Outcome<Base> {
        let scope = &job.scope;
        let class = match self.holder(&field.of, scope)? {
            Holder::Object(object) => {
                let (object, last) = self.walk_objects(object, &field.path)?;
                return match self.setting_of(&object, &last.name)? {
                    Some((Setting::Type(ty), scope)) => self.shared_type_of(&ty, &scope).map(Base::Copy),
                    Some(_) => self.class_field_type(&object.class, &last),
                    None => Err(self.no_field_type(&last)),
                };
            }
            Holder::Class(class) => class,
            Holder::Set(set) => set.class.clone(),
        };
        let (class, last) = self.walk_classes(class, &field.path)?;
        self.class_field_type(&class, &last)
    }

    /// X.681 §14.2: the type of a fixed-type field, or an open type.
    fn class_field_type(&mut self, class: &ClassRef, name: &Ident) -> Outcome<Base> {
        let Some(field) = class.field(&name.name) else {
            return Err(self.unknown_field(name, &class.class));
        };
        match &field.kind {
            FieldKind::Type | FieldKind::VariableValue { .. } | FieldKind::VariableSet { .. } => {
                Ok(Base::New(Kind::Open { table: None }))
            }
            FieldKind::Value { governor, .. } | FieldKind::Set { governor } => {
                if self.class_governor(governor, &class.scope)?.is_some() {
                    return Err(self.no_field_type(name));
                }
                self.shared_type_of(governor, &class.scope).map(Base::Copy)
            }
        }
    }

    fn no_field_type(&mut self, name: &Ident) -> Reported {
        self.error("asn1.name.field", name.span, format!("`{}` does not stand for a type here", name.name))
    }

    fn holder(&mut self, reference: &Reference, scope: &Rc<Scope>) -> Outcome<Holder> {
        if reference.name.name.starts_with(|c: char| c.is_ascii_lowercase()) {
            return self.named_object(reference, scope).map(Holder::Object);
        }
        let is_set = match self.lookup(reference, scope)? {
            Found::Argument(arg) => self.token_kind(arg.tokens) == Tok::LBrace || arg.governor.is_some(),
            Found::Definition { assignment, .. } => matches!(assignment.body, Body::Set { .. }),
        };
        if is_set {
            return self.object_set(reference, scope).map(Holder::Set);
        }
        let as_type = Rc::new(ast::Type {
            prefixes: Vec::new(),
            kind: TypeKind::Reference(reference.clone()),
            constraints: Vec::new(),
            span: reference.span,
        });
        match self.class_governor(&as_type, scope)? {
            Some(class) => Ok(Holder::Class(class)),
            None => Err(self.error(
                "asn1.name.role",
                reference.span,
                format!("`{}` has no fields: it is neither a class nor an object set", reference.name.name),
            )),
        }
    }

    /// All but the last step of a path through classes.
    fn walk_classes(&mut self, mut class: ClassRef, path: &[Ident]) -> Outcome<(ClassRef, Ident)> {
        let Some((last, before)) = path.split_last() else {
            return Err(Reported::before());
        };
        for step in before {
            let Some(field) = class.field(&step.name) else {
                return Err(self.unknown_field(step, &class.class));
            };
            let next = match &field.kind {
                FieldKind::Value { governor, .. } | FieldKind::Set { governor } => {
                    self.class_governor(governor, &class.scope)?
                }
                _ => None,
            };
            class = match next {
                Some(next) => next,
                None => return Err(self.no_object_field(step)),
            };
        }
        Ok((class, last.clone()))
    }

    /// All but the last step of a path through objects.
    fn walk_objects(&mut self, mut object: Rc<Object>, path: &[Ident]) -> Outcome<(Rc<Object>, Ident)> {
        let Some((last, before)) = path.split_last() else {
            return Err(Reported::before());
        };
        for step in before {
            object = self.object_field(&object, step)?;
        }
        Ok((object, last.clone()))
    }

    fn object_field(&mut self, object: &Rc<Object>, step: &Ident) -> Outcome<Rc<Object>> {
        let Some(field) = object.class.field(&step.name) else {
            return Err(self.unknown_field(step, &object.class.class));
        };
        let class = match &field.kind {
            FieldKind::Value { governor, .. } => self.class_governor(governor, &object.class.scope)?,
            _ => None,
        };
        match (class, self.setting_of(object, &step.name)?) {
            (Some(class), Some((Setting::Value(value), scope))) => {
                self.deeper(step.span, |r| r.object(&value, &class, &scope))
            }
            _ => Err(self.no_object_field(step)),
        }
    }

    fn no_object_field(&mut self, step: &Ident) -> Reported {
        self.error("asn1.name.field", step.span, format!("`{}` holds no object", step.name))
    }

    /// `object.&value` as a value, with its type.
    pub(super) fn value_from_object(&mut self, field: &FieldReference, scope: &Rc<Scope>) -> Outcome<(TypeId, Value)> {
        let object = self.named_object(&field.of, scope)?;
        let (object, last) = self.walk_objects(object, &field.path)?;
        match self.field_value(&object, &last)? {
            Some(typed) => Ok(typed),
            None => Err(self.error("asn1.name.field", last.span, format!("the object does not set `{}`", last.name))),
        }
    }

    /// `object.&object` as an object.
    pub(super) fn object_from_object(&mut self, field: &FieldReference, scope: &Rc<Scope>) -> Outcome<Rc<Object>> {
        let object = self.named_object(&field.of, scope)?;
        let (object, last) = self.walk_objects(object, &field.path)?;
        self.object_field(&object, &last)
    }

    /// `object.&Objects` as an object set.
    pub(super) fn object_set_from_object(
        &mut self,
        field: &FieldReference,
        scope: &Rc<Scope>,
    ) -> Outcome<Rc<ObjectSet>> {
        let Holder::Object(object) = self.holder(&field.of, scope)? else {
            return Err(self.error(
                "asn1.unsupported.objects-from-set",
                field.of.span,
                "fields of object sets as object sets are not supported",
            ));
        };
        let (object, last) = self.walk_objects(object, &field.path)?;
        let class = match object.class.field(&last.name).map(|f| &f.kind) {
            Some(FieldKind::Set { governor }) => {
                let governor = governor.clone();
                self.class_governor(&governor, &object.class.scope)?
            }
            Some(_) => None,
            None => return Err(self.unknown_field(&last, &object.class.class)),
        };
        match (class, self.setting_of(&object, &last.name)?) {
            (Some(class), Some((Setting::Set(set), scope))) => {
                self.deeper(last.span, |r| r.objects_of(&set, &class, &scope))
            }
            _ => Err(self.no_object_field(&last)),
        }
    }

    /// `ObjectSet.&value` as a set of values; `None` when it is something else.
    pub(super) fn values_from_set(&mut self, field: &FieldReference, scope: &Rc<Scope>) -> Outcome<Option<Vec<Value>>> {
        let Holder::Set(set) = self.holder(&field.of, scope)? else {
            return Ok(None);
        };
        let [only] = field.path.as_slice() else {
            return Ok(None);
        };
        let mut values = Vec::new();
        for object in &set.objects {
            if let Some((_, value)) = self.field_value(object, only)? {
                values.push(value);
            }
        }
        Ok(Some(values))
    }

    /// `INSTANCE OF CLASS`: `[UNIVERSAL 8] SEQUENCE { type-id CLASS.&id, value [0] EXPLICIT CLASS.&Type }`.
    pub(super) fn instance_of(&mut self, class: &Reference, job: &Job) -> Outcome<Base> {
        let Holder::Class(_) = self.holder(class, &job.scope)? else {
            return Err(self.error("asn1.name.role", class.span, "INSTANCE OF names a class like TYPE-IDENTIFIER"));
        };
        let span = job.ty.span;
        let plain =
            |kind: Kind, tags: Vec<Tag>| Type { name: None, reference: None, tags, kind, instructions: Vec::new() };
        let oid_tags = super::tags::universal(&Kind::ObjectIdentifier);
        let type_id = self.made_slot(plain(Kind::ObjectIdentifier, oid_tags), span);
        let zero = Tag { class: TagClass::Context, number: 0 };
        let value = self.made_slot(plain(Kind::Open { table: None }, vec![zero]), span);
        let component = |name: &str, type_id| Component {
            name: name.to_owned(),
            type_id,
            presence: Presence::Mandatory,
            field: Field::Root,
        };
        let body = Kind::Sequence {
            set: false,
            components: vec![component("type-id", type_id), component("value", value)],
            extensible: false,
        };
        let external = Tag { class: TagClass::Universal, number: 8 };
        let made = self.made_slot(plain(body, vec![external]), span);
        Ok(Base::Copy(made))
    }
}
