//! Information object classes and objects (X.681).

use std::collections::HashMap;
use std::rc::Rc;

use roadwire_model::{TypeId, Value};

use super::late::Late;
use super::names::Found;
use super::object_syntax::{Expect, Setting, defined_syntax};
use super::parameters::Scope;
use super::{MAX_CHAIN, Resolver};
use crate::ast::{self, Assignment, Body, Class, FieldKind, Ident, Reference, SyntaxItem, Tokens, TypeKind, ValueKind};
use crate::lexer::Tok;
use roadwire_source::Span;
use roadwire_source::{Outcome, Reported};

/// A class, and the scope of its names.
#[derive(Clone)]
pub(super) struct ClassRef {
    pub(super) class: Rc<Class>,
    pub(super) scope: Rc<Scope>,
}

impl ClassRef {
    pub(super) fn field(&self, name: &str) -> Option<&ast::Field> {
        self.class.fields.iter().find(|f| *f.name.name == *name)
    }

    /// The identifier field (X.681 §10.2), with its ampersand.
    pub(super) fn unique_field(&self) -> Option<Rc<str>> {
        self.class
            .fields
            .iter()
            .find(|f| matches!(f.kind, FieldKind::Value { unique: true, .. }))
            .map(|f| f.name.name.clone())
    }

    pub(super) fn same(&self, other: &ClassRef) -> bool {
        Rc::ptr_eq(&self.class, &other.class)
    }
}

pub(super) struct Object {
    pub(super) class: ClassRef,
    settings: HashMap<Rc<str>, Setting>,
    scope: Rc<Scope>,
}

impl std::fmt::Debug for Object {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(&self.settings).finish()
    }
}

/// The objects at one place of a chain of field names.
pub(super) struct Objects {
    pub(super) class: ClassRef,
    pub(super) list: Vec<Rc<Object>>,
    /// An object set was on the way: there may be none, or several.
    pub(super) is_set: bool,
    pub(super) extensible: bool,
}

impl Objects {
    /// An object by itself, which has to set the fields that a chain names.
    pub(super) fn one(object: Rc<Object>) -> Self {
        Objects { class: object.class.clone(), list: vec![object], is_set: false, extensible: false }
    }

    /// An object of a set.
    pub(super) fn some(object: &Rc<Object>) -> Self {
        Objects { is_set: true, ..Objects::one(object.clone()) }
    }
}

impl Resolver<'_> {
    /// The class named by a governor; `None` if it is a type.
    pub(super) fn class_governor(&mut self, ty: &Rc<ast::Type>, scope: &Rc<Scope>) -> Outcome<Option<ClassRef>> {
        let mut passed = Vec::new();
        let found = self.follow_to_class(ty, scope, &mut passed)?;
        // All references on the path stand for the same.
        for definition in passed {
            self.classes.insert(definition, found.clone());
        }
        Ok(found)
    }

    fn follow_to_class(
        &mut self,
        ty: &Rc<ast::Type>,
        scope: &Rc<Scope>,
        passed: &mut Vec<(usize, Rc<str>)>,
    ) -> Outcome<Option<ClassRef>> {
        let (mut ty, mut scope) = (ty.clone(), scope.clone());
        for _ in 0..MAX_CHAIN {
            let reference = match &ty.kind {
                TypeKind::Reference(r) if ty.prefixes.is_empty() && ty.constraints.is_empty() => r,
                _ => return Ok(None),
            };
            let next = match self.lookup(reference, &scope)? {
                Found::Argument(arg) if self.token_kind(arg.tokens) == Tok::LBrace => return Ok(None),
                Found::Argument(arg) => (self.tokens_as_type(arg.tokens, &arg.scope)?, arg.scope.clone()),
                Found::Definition { module, assignment } => {
                    let key = (module, assignment.name.name.clone());
                    if let Some(known) = self.classes.get(&key) {
                        return Ok(known.clone());
                    }
                    let inner = match &assignment.body {
                        Body::Class(_) => self.definition_scope(module, &assignment, reference, &scope)?,
                        Body::Type(ty) if matches!(ty.kind, TypeKind::Reference(_)) => {
                            self.definition_scope(module, &assignment, reference, &scope)?
                        }
                        _ => return Ok(None),
                    };
                    match &assignment.body {
                        Body::Class(class) => return Ok(Some(ClassRef { class: class.clone(), scope: inner })),
                        Body::Type(ty) => {
                            if assignment.params.is_none() {
                                passed.push(key);
                            }
                            (ty.clone(), inner)
                        }
                        _ => return Ok(None),
                    }
                }
            };
            (ty, scope) = next;
        }
        // A circle; reported when the type is built.
        Ok(None)
    }

    /// The kind of the first item of a range.
    pub(super) fn token_kind(&self, tokens: Tokens) -> Tok {
        self.lexed
            .get(tokens.file as usize)
            .and_then(|l| l.tokens.get(tokens.start as usize))
            .map_or(Tok::End, |t| t.tok)
    }

    /// Checks that a class's fields have distinct names and known governors.
    pub(super) fn check_class(&mut self, class: &Rc<Class>, scope: &Rc<Scope>) {
        let mut seen = HashMap::new();
        for field in &class.fields {
            let key = field.name.name.clone();
            let _ = self.no_duplicate(&mut seen, &key, &field.name, "this field");
            match &field.kind {
                FieldKind::Value { governor, .. } | FieldKind::Set { governor } => {
                    if let Ok(None) = self.class_governor(governor, scope) {
                        let governor = self.shared_type_of(governor, scope);
                        self.check_default(field, governor, scope);
                    }
                }
                FieldKind::VariableValue { by } | FieldKind::VariableSet { by } => {
                    if let [only] = by.as_slice() {
                        if !class.fields.iter().any(|f| f.name.name == only.name) {
                            self.unknown_field(only, class);
                        }
                    }
                }
                FieldKind::Type => {}
            }
        }
        self.check_syntax(class.syntax.as_deref().unwrap_or_default(), class);
    }

    /// The default of a value field is a value of the field's type.
    fn check_default(&mut self, field: &ast::Field, governor: Outcome<TypeId>, scope: &Rc<Scope>) {
        let (Ok(id), Some(default), FieldKind::Value { .. }) = (governor, field.default, &field.kind) else {
            return;
        };
        if let Ok(value) = self.tokens_as_value(default, scope) {
            self.late.push(Late::Value { id, value: (*value).clone(), scope: scope.clone() });
        }
    }

    fn check_syntax(&mut self, items: &[SyntaxItem], class: &Class) {
        for item in items {
            match item {
                SyntaxItem::Field(name) => {
                    if !class.fields.iter().any(|f| f.name.name == name.name) {
                        self.unknown_field(name, class);
                    }
                }
                SyntaxItem::Optional(group) => self.check_syntax(group, class),
                SyntaxItem::Literal(_) => {}
            }
        }
    }

    pub(super) fn unknown_field(&mut self, name: &Ident, class: &Class) -> Reported {
        let known = class.fields.iter().map(|f| &*f.name.name);
        let note = self.sink.suggestion(&name.name, known);
        self.sink.error_note("asn1.name.field", name.span, format!("the class has no field `{}`", name.name), note)
    }

    /// The object of an assignment `name CLASS ::= ...`.
    pub(super) fn object_definition(
        &mut self,
        module: usize,
        assignment: &Rc<Assignment>,
        scope: &Rc<Scope>,
    ) -> Outcome<Rc<Object>> {
        let Body::Value { governor, value } = &assignment.body else {
            return Err(self.error("asn1.name.role", assignment.name.span, "an object is wanted here"));
        };
        let circular: fn(&str) -> String = |name| format!("the object `{name}` is defined by itself");
        self.once(
            |r| &mut r.objects,
            (module, assignment, scope),
            ("asn1.object.circular", circular),
            |r| {
                r.of_class((assignment, scope), governor, "a value, but an object is wanted", |r, class| {
                    r.object(value, class, scope)
                })
            },
        )
    }

    /// An object as written, where an object of `class` is expected.
    pub(super) fn object(&mut self, value: &ast::Value, class: &ClassRef, scope: &Rc<Scope>) -> Outcome<Rc<Object>> {
        let object = match &value.kind {
            ValueKind::Reference(reference) => self.referenced_object(reference, class, scope)?,
            ValueKind::Field(field) => self.object_from_object(field, scope)?,
            ValueKind::Braced(tokens) => {
                let settings = self.settings(*tokens, class, scope)?;
                let object = Rc::new(Object { class: class.clone(), settings, scope: scope.clone() });
                self.unchecked_objects.push(object.clone());
                return Ok(object);
            }
            _ => {
                return Err(self.error("asn1.object.syntax", value.span, "an information object is wanted here"));
            }
        };
        if !object.class.same(class) {
            return Err(self.error("asn1.object.class", value.span, "this object is of another class"));
        }
        Ok(object)
    }

    fn referenced_object(&mut self, reference: &Reference, class: &ClassRef, scope: &Rc<Scope>) -> Outcome<Rc<Object>> {
        match self.lookup(reference, scope)? {
            Found::Argument(arg) => {
                let value = self.tokens_as_value(arg.tokens, &arg.scope)?;
                self.deeper(reference.span, |r| r.object(&value, class, &arg.scope))
            }
            Found::Definition { module, assignment } => {
                let inner = self.definition_scope(module, &assignment, reference, scope)?;
                self.object_definition(module, &assignment, &inner)
            }
        }
    }

    /// The object with a name, whose class is not known in advance.
    pub(super) fn named_object(&mut self, reference: &Reference, scope: &Rc<Scope>) -> Outcome<Rc<Object>> {
        match self.lookup(reference, scope)? {
            Found::Argument(arg) => {
                let class = match &arg.governor {
                    Some(governor) => self.class_governor(governor, scope)?,
                    None => None,
                };
                let Some(class) = class else {
                    return Err(self.error(
                        "asn1.name.role",
                        reference.span,
                        format!("`{}` is not an object", reference.name.name),
                    ));
                };
                let value = self.tokens_as_value(arg.tokens, &arg.scope)?;
                self.deeper(reference.span, |r| r.object(&value, &class, &arg.scope))
            }
            Found::Definition { module, assignment } => {
                let inner = self.definition_scope(module, &assignment, reference, scope)?;
                self.object_definition(module, &assignment, &inner)
            }
        }
    }

    /// `{ ... }` of an object, by the class's syntax.
    fn settings(&mut self, tokens: Tokens, class: &ClassRef, scope: &Rc<Scope>) -> Outcome<HashMap<Rc<str>, Setting>> {
        let mut found = HashMap::new();
        if let Some(syntax) = &class.class.syntax {
            let kinds = self.field_kinds(class)?;
            let mut p = self.parser(tokens, scope);
            p.expect(Tok::LBrace, "`{`")?;
            defined_syntax(&mut p, syntax, &kinds, &mut found)?;
            p.expect(Tok::RBrace, "`}` (or more of the class's syntax)")?;
        } else {
            let pairs = self.parser(tokens, scope).default_syntax()?;
            for (name, setting) in pairs {
                let Some(field) = class.field(&name.name) else {
                    return Err(self.unknown_field(&name, &class.class));
                };
                let setting = self.setting(setting, &field.kind, scope)?;
                if found.insert(name.name.clone(), setting).is_some() {
                    return Err(self.error(
                        "asn1.name.duplicate",
                        name.span,
                        format!("`{}` is given twice", name.name),
                    ));
                }
            }
        }
        for field in &class.class.fields {
            let needed = !field.optional && field.default.is_none();
            if needed && !found.contains_key(&field.name.name) {
                return Err(self.error(
                    "asn1.object.incomplete",
                    tokens.span,
                    format!("the object does not set `{}`", field.name.name),
                ));
            }
        }
        Ok(found)
    }

    fn setting(&mut self, tokens: Tokens, kind: &FieldKind, scope: &Rc<Scope>) -> Outcome<Setting> {
        match kind {
            FieldKind::Type => self.tokens_as_type(tokens, scope).map(Setting::Type),
            FieldKind::Value { .. } | FieldKind::VariableValue { .. } => {
                self.tokens_as_value(tokens, scope).map(Setting::Value)
            }
            FieldKind::Set { .. } | FieldKind::VariableSet { .. } => {
                self.tokens_as_set(tokens, scope).map(Setting::Set)
            }
        }
    }

    fn field_kinds(&mut self, class: &ClassRef) -> Outcome<HashMap<Rc<str>, Expect>> {
        Ok(class
            .class
            .fields
            .iter()
            .map(|f| {
                let expect = match f.kind {
                    FieldKind::Type => Expect::Type,
                    FieldKind::Value { .. } | FieldKind::VariableValue { .. } => Expect::Value,
                    FieldKind::Set { .. } | FieldKind::VariableSet { .. } => Expect::Set,
                };
                (f.name.name.clone(), expect)
            })
            .collect())
    }

    /// An object's setting for a field, or the class's default, with the scope to read it in.
    pub(super) fn setting_of(&mut self, object: &Object, field: &str) -> Outcome<Option<(Setting, Rc<Scope>)>> {
        if let Some(setting) = object.settings.get(field) {
            return Ok(Some((setting.clone(), object.scope.clone())));
        }
        let Some(declared) = object.class.field(field) else {
            return Ok(None);
        };
        let Some(default) = declared.default else {
            return Ok(None);
        };
        let scope = object.class.scope.clone();
        let setting = self.setting(default, &declared.kind, &scope)?;
        Ok(Some((setting, scope)))
    }

    /// The value of an object's value field, with its type.
    pub(super) fn field_value(&mut self, object: &Object, field: &Ident) -> Outcome<Option<(TypeId, Value)>> {
        let Some(declared) = object.class.field(&field.name) else {
            return Err(self.unknown_field(field, &object.class.class));
        };
        let governor = match &declared.kind {
            FieldKind::Value { governor, .. } => self.shared_type_of(governor, &object.class.scope)?,
            FieldKind::VariableValue { by } => match by.as_slice() {
                [only] => match self.setting_of(object, &only.name)? {
                    Some((Setting::Type(ty), scope)) => self.shared_type_of(&ty, &scope)?,
                    _ => return Ok(None),
                },
                _ => return Err(self.no_value_field(field.span)),
            },
            _ => return Err(self.no_value_field(field.span)),
        };
        match self.setting_of(object, &field.name)? {
            Some((Setting::Value(value), scope)) => {
                let value = match (&value.kind, &declared.kind) {
                    (ValueKind::Open(ty, inner), FieldKind::VariableValue { .. }) => {
                        self.typed_value(governor, ty, inner, value.span, &scope)?
                    }
                    _ => self.value_of_type(&value, governor, &scope)?,
                };
                Ok(Some((governor, value)))
            }
            _ => Ok(None),
        }
    }

    /// Checks that an object's fields are set to types, values and objects that its class allows,
    /// used or not.
    pub(super) fn check_object(&mut self, object: &Object) -> Outcome<()> {
        let class = object.class.clone();
        for field in &class.class.fields {
            let Some(setting) = object.settings.get(&field.name.name) else { continue };
            let _ = match (&field.kind, setting) {
                (FieldKind::Type, Setting::Type(ty)) => self.shared_type_of(ty, &object.scope).map(|_| ()),
                (FieldKind::Value { governor, .. }, Setting::Value(value)) => {
                    match self.class_governor(governor, &class.scope)? {
                        Some(class) => self.object(value, &class, &object.scope).map(|_| ()),
                        None => self.field_value(object, &field.name).map(|_| ()),
                    }
                }
                (FieldKind::VariableValue { by }, _) if by.len() == 1 => {
                    self.field_value(object, &field.name).map(|_| ())
                }
                // Sets are looked at where they are used.
                _ => Ok(()),
            };
        }
        Ok(())
    }

    fn no_value_field(&mut self, span: Span) -> Reported {
        self.error("asn1.name.field", span, "this field holds no value")
    }
}
