//! Information from objects (X.681 §15): `object.&field` and `ObjectSet.&field`, along chains of
//! field names (X.681 §9.13).

use std::collections::HashSet;
use std::rc::Rc;

use roadwire_model::{TypeId, Value};

use super::Resolver;
use super::names::Found;
use super::object_sets::{MAX_OBJECTS, ObjectSet};
use super::object_syntax::Setting;
use super::objects::{ClassRef, Object, Objects};
use super::parameters::Scope;
use crate::ast::{self, Body, FieldKind, FieldReference, Ident, Reference, Set, TypeKind};
use crate::lexer::Tok;
use roadwire_source::{Outcome, Reported};

/// The reference before `.&field`.
pub(super) enum Holder {
    Class(ClassRef),
    Objects(Objects),
}

/// Some of the values that objects have in a field.
pub(super) enum FromObjects {
    /// The setting of a value field, with its type.
    Value(TypeId, Value),
    /// The setting of a value set field.
    Set(Rc<Set>, Rc<Scope>),
}

impl Resolver<'_> {
    pub(super) fn holder(&mut self, reference: &Reference, scope: &Rc<Scope>) -> Outcome<Holder> {
        if reference.name.name.starts_with(|c: char| c.is_ascii_lowercase()) {
            let object = self.named_object(reference, scope)?;
            return Ok(Holder::Objects(Objects::one(object)));
        }
        let is_set = match self.lookup(reference, scope)? {
            Found::Argument(arg) => self.token_kind(arg.tokens) == Tok::LBrace || arg.governor.is_some(),
            Found::Definition { assignment, .. } => matches!(assignment.body, Body::Set { .. }),
        };
        if is_set {
            let set = self.object_set(reference, scope)?;
            self.spend(set.objects.len(), reference.span)?;
            let (class, list, extensible) = (set.class.clone(), set.objects.clone(), set.extensible);
            return Ok(Holder::Objects(Objects { class, list, is_set: true, extensible }));
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

    /// The objects before the last of a chain's names, and that name.
    pub(super) fn walk_objects(&mut self, mut objects: Objects, path: &[Ident]) -> Outcome<(Objects, Ident)> {
        let Some((last, before)) = path.split_last() else {
            return Err(Reported::before());
        };
        for name in before {
            objects = self.objects_in_field(&objects, name)?;
        }
        Ok((objects, last.clone()))
    }

    /// The objects that objects have in an object field or object set field. An object set field
    /// that is not set has none, and so has an object field of objects of a set.
    fn objects_in_field(&mut self, from: &Objects, name: &Ident) -> Outcome<Objects> {
        let Some(field) = from.class.field(&name.name) else {
            return Err(self.unknown_field(name, &from.class.class));
        };
        let (governor, is_set) = match &field.kind {
            FieldKind::Value { governor, .. } => (governor.clone(), from.is_set),
            FieldKind::Set { governor } => (governor.clone(), true),
            FieldKind::Type | FieldKind::VariableValue { .. } | FieldKind::VariableSet { .. } => {
                return Err(self.no_object_field(name));
            }
        };
        let Some(class) = self.class_governor(&governor, &from.class.scope)? else {
            return Err(self.no_object_field(name));
        };
        let mut found = Objects { class, list: Vec::new(), is_set, extensible: from.extensible };
        let mut seen = HashSet::new();
        for object in &from.list {
            self.spend(1, name.span)?;
            match self.setting_of(object, &name.name)? {
                Some((Setting::Value(value), scope)) => {
                    let object = self.deeper(name.span, |r| r.object(&value, &found.class, &scope))?;
                    self.add_object(&mut found.list, &mut seen, object, name)?;
                }
                Some((Setting::Set(set), scope)) => {
                    let set = self.deeper(name.span, |r| r.objects_of(&set, &found.class, &scope))?;
                    found.extensible |= set.extensible;
                    for object in &set.objects {
                        self.add_object(&mut found.list, &mut seen, object.clone(), name)?;
                    }
                }
                Some((Setting::Type(_), _)) => return Err(self.no_object_field(name)),
                None if found.is_set => {}
                None => return Err(self.not_set(name)),
            }
        }
        Ok(found)
    }

    fn add_object(
        &mut self,
        list: &mut Vec<Rc<Object>>,
        seen: &mut HashSet<*const Object>,
        object: Rc<Object>,
        at: &Ident,
    ) -> Outcome<()> {
        self.spend(1, at.span)?;
        if list.len() >= MAX_OBJECTS {
            return Err(self.too_many_objects(at.span));
        }
        if seen.insert(Rc::as_ptr(&object)) {
            list.push(object);
        }
        Ok(())
    }

    fn no_object_field(&mut self, name: &Ident) -> Reported {
        self.error("asn1.name.field", name.span, format!("`{}` holds no object", name.name))
    }

    fn not_set(&mut self, name: &Ident) -> Reported {
        self.error("asn1.name.field", name.span, format!("the object does not set `{}`", name.name))
    }

    /// ValueFromObject: `object.&value`, with its type.
    pub(super) fn value_from_object(&mut self, field: &FieldReference, scope: &Rc<Scope>) -> Outcome<(TypeId, Value)> {
        let (object, last) = self.object_before(field, scope)?;
        match self.field_value(&object, &last)? {
            Some(typed) => Ok(typed),
            None => Err(self.not_set(&last)),
        }
    }

    /// ObjectFromObject: `object.&object`.
    pub(super) fn object_from_object(&mut self, field: &FieldReference, scope: &Rc<Scope>) -> Outcome<Rc<Object>> {
        let (object, last) = self.object_before(field, scope)?;
        let found = self.objects_in_field(&Objects::one(object), &last)?;
        self.only_object(found, &last)
    }

    /// The object before the last name of a chain; object sets are not on the way.
    fn object_before(&mut self, field: &FieldReference, scope: &Rc<Scope>) -> Outcome<(Rc<Object>, Ident)> {
        let object = self.named_object(&field.of, scope)?;
        let (objects, last) = self.walk_objects(Objects::one(object), &field.path)?;
        let object = self.only_object(objects, &last)?;
        Ok((object, last))
    }

    fn only_object(&mut self, objects: Objects, at: &Ident) -> Outcome<Rc<Object>> {
        match objects.list.first() {
            Some(only) if !objects.is_set => Ok(only.clone()),
            _ => Err(self.error("asn1.name.field", at.span, "a single object is wanted here, not a set of them")),
        }
    }

    /// ObjectSetFromObjects: `object.&Objects`, `ObjectSet.&object` and `ObjectSet.&Objects`.
    pub(super) fn object_set_from_objects(
        &mut self,
        field: &FieldReference,
        scope: &Rc<Scope>,
    ) -> Outcome<Rc<ObjectSet>> {
        let Holder::Objects(objects) = self.holder(&field.of, scope)? else {
            return Err(self.error(
                "asn1.object.syntax",
                field.of.span,
                "an object or an object set is wanted here, not a class",
            ));
        };
        let (objects, last) = self.walk_objects(objects, &field.path)?;
        let Objects { class, list, extensible, .. } = self.objects_in_field(&objects, &last)?;
        Ok(Rc::new(ObjectSet { class, objects: list, extensible }))
    }

    /// ValueSetFromObjects: `object.&Values`, `ObjectSet.&value` and `ObjectSet.&Values`, with
    /// whether more objects may come; `None` if it is something else.
    pub(super) fn values_from_objects(
        &mut self,
        field: &FieldReference,
        scope: &Rc<Scope>,
    ) -> Outcome<Option<(Vec<FromObjects>, bool)>> {
        let Holder::Objects(objects) = self.holder(&field.of, scope)? else {
            return Ok(None);
        };
        let (objects, last) = self.walk_objects(objects, &field.path)?;
        let Some(declared) = objects.class.field(&last.name) else {
            return Err(self.unknown_field(&last, &objects.class.class));
        };
        let (governor, is_set) = match &declared.kind {
            FieldKind::Type => return Ok(None),
            FieldKind::VariableValue { .. } => (None, false),
            FieldKind::VariableSet { .. } if objects.is_set => {
                let message = format!("the values of `{}` have several types (X.681 §15)", last.name);
                return Err(self.error("asn1.name.field", last.span, message));
            }
            FieldKind::VariableSet { .. } => (None, true),
            FieldKind::Value { governor, .. } => (Some(governor.clone()), false),
            FieldKind::Set { governor } => (Some(governor.clone()), true),
        };
        if let Some(governor) = &governor {
            if self.class_governor(governor, &objects.class.scope)?.is_some() {
                return Ok(None);
            }
        }
        let mut found = Vec::new();
        for object in &objects.list {
            self.spend(1, last.span)?;
            let some = if is_set {
                match self.setting_of(object, &last.name)? {
                    Some((Setting::Set(set), scope)) => Some(FromObjects::Set(set, scope)),
                    Some((Setting::Type(_) | Setting::Value(_), _)) | None => None,
                }
            } else {
                self.field_value(object, &last)?.map(|(id, value)| FromObjects::Value(id, value))
            };
            match some {
                Some(some) => found.push(some),
                None if objects.is_set => {}
                None => return Err(self.not_set(&last)),
            }
        }
        Ok(Some((found, objects.extensible)))
    }
}
