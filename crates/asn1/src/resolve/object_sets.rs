//! Object sets (X.681 §12) and the table constraints that use them (X.682 §10).

use std::rc::Rc;

use roadwire_model::{Kind, Table, TypeId, Value};

use super::links::Linked;
use super::names::Found;
use super::object_syntax::Setting;
use super::objects::{ClassRef, Object, Objects};
use super::parameters::Scope;
use super::{Job, Resolver};
use crate::ast::{Assignment, Body, Element, ElementKind, FieldKind, Ident, Link, Reference, Set, Tokens, TypeKind};
use roadwire_source::{Outcome, Reported, Span};

/// How many objects a set may have, with those of the sets in it.
pub(super) const MAX_OBJECTS: usize = 100_000;

#[derive(Debug)]
pub(super) struct ObjectSet {
    pub(super) class: ClassRef,
    pub(super) objects: Vec<Rc<Object>>,
    pub(super) extensible: bool,
}

impl std::fmt::Debug for ClassRef {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ClassRef")
    }
}

impl Resolver<'_> {
    /// The object set of an assignment `Name CLASS ::= { ... }`.
    pub(super) fn object_set_definition(
        &mut self,
        module: usize,
        assignment: &Rc<Assignment>,
        scope: &Rc<Scope>,
    ) -> Outcome<Rc<ObjectSet>> {
        let Body::Set { governor, set } = &assignment.body else {
            return Err(Reported::before());
        };
        let circular: fn(&str) -> String = |name| format!("the object set `{name}` contains itself");
        self.once(
            |r| &mut r.object_sets,
            (module, assignment, scope),
            ("asn1.object.circular", circular),
            |r| {
                r.of_class((assignment, scope), governor, "a value set, not an object set", |r, class| {
                    r.objects_of(set, class, scope)
                })
            },
        )
    }

    /// The object set named by a reference.
    pub(super) fn object_set(&mut self, reference: &Reference, scope: &Rc<Scope>) -> Outcome<Rc<ObjectSet>> {
        match self.lookup(reference, scope)? {
            Found::Argument(arg) => {
                let class = match &arg.governor {
                    Some(governor) => self.class_governor(governor, scope)?,
                    None => None,
                };
                let Some(class) = class else {
                    return Err(self.not_a_set(reference));
                };
                if self.is_empty_braces(arg.tokens) {
                    let message = "an object set without objects is `{...}` (X.681 §12.3): read as that";
                    self.sink.warning("asn1.object.empty", arg.tokens.span, message);
                    return Ok(Rc::new(ObjectSet { class, objects: Vec::new(), extensible: true }));
                }
                let set = self.tokens_as_set(arg.tokens, &arg.scope)?;
                self.deeper(reference.span, |r| r.objects_of(&set, &class, &arg.scope))
            }
            Found::Definition { module, assignment } => {
                let inner = self.definition_scope(module, &assignment, reference, scope)?;
                if !matches!(assignment.body, Body::Set { .. }) {
                    return Err(self.not_a_set(reference));
                }
                self.object_set_definition(module, &assignment, &inner)
            }
        }
    }

    fn is_empty_braces(&self, tokens: Tokens) -> bool {
        use crate::lexer::Tok;
        let lexed = self.lexed.get(tokens.file as usize);
        let items = lexed.and_then(|l| l.tokens.get(tokens.start as usize..tokens.end as usize));
        items.is_some_and(|items| items.iter().map(|t| t.tok).eq([Tok::LBrace, Tok::RBrace]))
    }

    fn not_a_set(&mut self, reference: &Reference) -> Reported {
        self.error("asn1.name.role", reference.span, format!("`{}` is not an object set", reference.name.name))
    }

    pub(super) fn too_many_objects(&mut self, span: Span) -> Reported {
        self.error("asn1.limit.objects", span, format!("more than {MAX_OBJECTS} objects in one set"))
    }

    pub(super) fn objects_of(&mut self, set: &Set, class: &ClassRef, scope: &Rc<Scope>) -> Outcome<Rc<ObjectSet>> {
        let mut objects = Vec::new();
        let mut extensible = set.extensible;
        for part in set.root.iter().chain(&set.additions) {
            self.gather(part, class, scope, &mut objects, &mut extensible)?;
        }
        Ok(Rc::new(ObjectSet { class: class.clone(), objects, extensible }))
    }

    fn gather(
        &mut self,
        element: &Element,
        class: &ClassRef,
        scope: &Rc<Scope>,
        objects: &mut Vec<Rc<Object>>,
        extensible: &mut bool,
    ) -> Outcome<()> {
        let mut add = |r: &mut Self, object: Rc<Object>| {
            r.spend(1, element.span)?;
            if objects.len() >= MAX_OBJECTS {
                return Err(r.too_many_objects(element.span));
            }
            if !objects.iter().rev().take(64).any(|o| Rc::ptr_eq(o, &object)) {
                objects.push(object);
            }
            Ok(())
        };
        match &element.kind {
            ElementKind::Union(parts) => {
                let mut failed = None;
                for part in parts {
                    let one = self.gather(part, class, scope, objects, extensible);
                    self.go_on(one, &mut failed)?;
                }
                failed.map_or(Ok(()), Err)
            }
            ElementKind::Group(set) => {
                let inner = self.objects_of(set, class, scope)?;
                *extensible |= inner.extensible;
                inner.objects.iter().try_for_each(|o| add(self, o.clone()))
            }
            ElementKind::Value(value) => {
                let object = self.object(value, class, scope)?;
                add(self, object)
            }
            ElementKind::Type(ty) => {
                let set = match &ty.kind {
                    TypeKind::Reference(reference) => self.object_set(reference, scope)?,
                    TypeKind::Field(field) => self.object_set_from_objects(field, scope)?,
                    _ => {
                        return Err(self.error(
                            "asn1.object.syntax",
                            ty.span,
                            "an object or an object set is wanted here",
                        ));
                    }
                };
                if !set.class.same(class) {
                    let message = "these objects are of another class";
                    if !set.objects.is_empty() {
                        return Err(self.error("asn1.object.class", ty.span, message));
                    }
                    // RFC 5958 has such sets, with no objects in them yet.
                    self.sink.warning("asn1.object.class", ty.span, message);
                }
                *extensible |= set.extensible;
                set.objects.iter().try_for_each(|o| add(self, o.clone()))
            }
            ElementKind::Intersection(parts) => {
                let mut kept: Option<Vec<Rc<Object>>> = None;
                for part in parts {
                    let mut some = Vec::new();
                    self.gather(part, class, scope, &mut some, extensible)?;
                    kept = Some(match kept {
                        None => some,
                        Some(old) => old.into_iter().filter(|o| some.iter().any(|s| Rc::ptr_eq(o, s))).collect(),
                    });
                }
                kept.into_iter().flatten().try_for_each(|o| add(self, o))
            }
            ElementKind::Except(of, except) => {
                let (mut some, mut not) = (Vec::new(), Vec::new());
                self.gather(of, class, scope, &mut some, extensible)?;
                self.gather(except, class, scope, &mut not, &mut false)?;
                some.into_iter().filter(|o| !not.iter().any(|n| Rc::ptr_eq(o, n))).try_for_each(|o| add(self, o))
            }
            _ => Err(self.error("asn1.object.syntax", element.span, "an object or an object set is wanted here")),
        }
    }

    /// `({Set} {@a.b})` on a field of a class: fills an open type's table; on other fields, the
    /// value must be one of those in the set.
    pub(super) fn apply_table(&mut self, id: TypeId, set: &Reference, links: &[Link], job: &Job) -> Outcome<()> {
        let table = set;
        let set = self.object_set(set, &job.scope)?;
        let mut by = None;
        for link in links {
            let linked = self.linked_field(link, (table, &set), job)?;
            by = by.or(Some((link, linked)));
        }
        let TypeKind::Field(field) = &job.ty.kind else {
            return Ok(());
        };
        let (class, wanted) = self.walk_classes(set.class.clone(), &field.path)?;
        if class.field(&wanted.name).is_none() {
            return Err(self.unknown_field(&wanted, &class.class));
        }
        if !matches!(self.slot(id).ty.kind, Kind::Open { .. }) {
            self.remember_table(id, table, &field.path, job);
            return Ok(());
        }
        let (link, level, key) = match by {
            Some((link, Linked { level: Some(level), path })) => {
                (link.path.iter().map(|p| p.name.to_string()).collect(), level, path)
            }
            Some((_, Linked { level: None, path })) => (Vec::new(), 0, path),
            None => (Vec::new(), 0, None),
        };
        let key = key.or_else(|| {
            let name = set.class.unique_field()?;
            Some(vec![Ident { name, span: wanted.span }])
        });
        let mut rows = Vec::new();
        for object in &set.objects {
            let (ends, _) = self.walk_objects(Objects::some(object), &field.path)?;
            let mut types = Vec::new();
            for end in &ends.list {
                types.extend(self.row_type(end, &wanted)?);
            }
            let value = match &key {
                Some(key) if !types.is_empty() => self.values_along(object, key)?.into_iter().next(),
                _ => None,
            };
            let value = value.unwrap_or(Value::Unset);
            for ty in types {
                self.spend(1, wanted.span)?;
                rows.push((value.clone(), ty));
            }
        }
        self.slot_mut(id).ty.kind = Kind::Open { table: Some(Table { link, level, rows, extensible: set.extensible }) };
        Ok(())
    }

    /// The type of an object's field: the type itself, or that of its value.
    fn row_type(&mut self, object: &Rc<Object>, field: &Ident) -> Outcome<Option<TypeId>> {
        let by_type = match object.class.field(&field.name).map(|f| &f.kind) {
            Some(FieldKind::VariableValue { by } | FieldKind::VariableSet { by }) => match by.as_slice() {
                [only] => only.name.clone(),
                _ => return Ok(None),
            },
            _ => field.name.clone(),
        };
        match self.setting_of(object, &by_type)? {
            Some((Setting::Type(ty), scope)) => self.shared_type_of(&ty, &scope).map(Some),
            _ => Ok(None),
        }
    }

    /// The values of an object at the end of a chain of field names.
    pub(super) fn values_along(&mut self, object: &Rc<Object>, path: &[Ident]) -> Outcome<Vec<Value>> {
        let (ends, last) = self.walk_objects(Objects::some(object), path)?;
        let mut values = Vec::new();
        for end in &ends.list {
            values.extend(self.field_value(end, &last)?.map(|(_, value)| value));
        }
        Ok(values)
    }
}
