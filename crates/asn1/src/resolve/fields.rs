//! `CLASS.&Field`, `object.&field`, `ObjectSet.&Field` (X.681 §14, §15) and INSTANCE OF (X.681
//! Annex C).

use roadwire_model::{Component, Field, Kind, Presence, Tag, TagClass, Type};

use super::from_objects::Holder;
use super::object_syntax::Setting;
use super::objects::ClassRef;
use super::types::Base;
use super::{Job, Resolver};
use crate::ast::{FieldKind, FieldReference, Ident, Reference};
use roadwire_source::{Outcome, Reported};

impl Resolver<'_> {
    /// A field used as a type.
    pub(super) fn field_type(&mut self, field: &FieldReference, job: &Job) -> Outcome<Base> {
        let scope = &job.scope;
        let objects = match self.holder(&field.of, scope)? {
            Holder::Objects(objects) => objects,
            Holder::Class(class) => {
                let (class, last) = self.walk_classes(class, &field.path)?;
                return self.class_field_type(&class, &last);
            }
        };
        let (objects, last) = self.walk_objects(objects, &field.path)?;
        let [object] = objects.list.as_slice() else {
            return self.class_field_type(&objects.class, &last);
        };
        if objects.is_set {
            return self.class_field_type(&objects.class, &last);
        }
        match self.setting_of(object, &last.name)? {
            Some((Setting::Type(ty), scope)) => self.shared_type_of(&ty, &scope).map(Base::Copy),
            Some((Setting::Value(_) | Setting::Set(_), _)) => self.class_field_type(&objects.class, &last),
            None => Err(self.no_field_type(&last)),
        }
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

    /// All but the last step of a path through classes.
    pub(super) fn walk_classes(&mut self, mut class: ClassRef, path: &[Ident]) -> Outcome<(ClassRef, Ident)> {
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
                FieldKind::Type | FieldKind::VariableValue { .. } | FieldKind::VariableSet { .. } => None,
            };
            class = match next {
                Some(next) => next,
                None => {
                    let message = format!("`{}` holds no object", step.name);
                    return Err(self.error("asn1.name.field", step.span, message));
                }
            };
        }
        Ok((class, last.clone()))
    }

    /// `INSTANCE OF CLASS`:
    /// `[UNIVERSAL 8] SEQUENCE { type-id CLASS.&id, value [0] EXPLICIT CLASS.&Type }`.
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
