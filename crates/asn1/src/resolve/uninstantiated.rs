//! Unused parameterised definitions: their names are still looked up.

use std::rc::Rc;

use super::Resolver;
use super::parameters::Scope;
use crate::ast::{
    Addition, Assignment, Body, Bound, Component, Components, Constraint, ConstraintSpec, Element, ElementKind,
    FieldKind, Prefix, Reference, Set, Type, TypeKind, Value, ValueKind,
};

impl Resolver<'_> {
    /// Reports names in a parameterised definition that are unknown whatever its parameters.
    pub(super) fn check_parameterised(&mut self, module: usize, assignment: &Rc<Assignment>) {
        let scope = self.dummy_scope(module, assignment);
        match &assignment.body {
            Body::Type(ty) => self.names_of_type(ty, &scope),
            // The meaning of a lower-case name depends on the governor, so the value is not
            // checked.
            Body::Value { governor, .. } | Body::Set { governor, .. } => self.names_of_type(governor, &scope),
            Body::Class(class) => {
                for field in &class.fields {
                    if let FieldKind::Value { governor, .. } | FieldKind::Set { governor } = &field.kind {
                        self.names_of_type(governor, &scope);
                    }
                }
            }
        }
    }

    fn names_of_type(&mut self, ty: &Type, scope: &Rc<Scope>) {
        for prefix in &ty.prefixes {
            if let Prefix::Tag(tag) = prefix {
                self.names_of_value(&tag.number, scope);
            }
        }
        match &ty.kind {
            TypeKind::Reference(reference) | TypeKind::InstanceOf(reference) => self.name_of(reference, scope),
            TypeKind::Field(field) => self.name_of(&field.of, scope),
            TypeKind::Selection(_, of) => self.names_of_type(of, scope),
            TypeKind::SequenceOf(element) | TypeKind::SetOf(element) => self.names_of_type(&element.ty, scope),
            TypeKind::Sequence(body) | TypeKind::Set(body) | TypeKind::Choice(body) => {
                self.names_of_components(body, scope);
            }
            TypeKind::Integer(list) | TypeKind::BitString(list) => {
                for item in list {
                    self.names_of_value(&item.value, scope);
                }
            }
            _ => {}
        }
        for constraint in &ty.constraints {
            self.names_of_constraint(constraint, scope);
        }
    }

    fn names_of_components(&mut self, body: &Components, scope: &Rc<Scope>) {
        let additions = body.additions.iter().flat_map(|addition| match addition {
            Addition::Single(component) => std::slice::from_ref(component),
            Addition::Group { members, .. } => members.as_slice(),
        });
        for component in body.root1.iter().chain(additions).chain(&body.root2) {
            match component {
                // A default's names depend on the type, which may be a parameter.
                Component::Named { ty, .. } | Component::Of(ty) => self.names_of_type(ty, scope),
            }
        }
    }

    fn names_of_constraint(&mut self, constraint: &Constraint, scope: &Rc<Scope>) {
        match &constraint.spec {
            ConstraintSpec::Subtype(set) => self.names_of_set(set, scope),
            ConstraintSpec::Table { set, .. } => self.name_of(set, scope),
            ConstraintSpec::Contents { containing, .. } => {
                if let Some(ty) = containing {
                    self.names_of_type(ty, scope);
                }
            }
            ConstraintSpec::User => {}
        }
    }

    fn names_of_set(&mut self, set: &Set, scope: &Rc<Scope>) {
        for element in set.root.iter().chain(&set.additions) {
            self.names_of_element(element, scope);
        }
    }

    fn names_of_element(&mut self, element: &Element, scope: &Rc<Scope>) {
        match &element.kind {
            ElementKind::Union(parts) | ElementKind::Intersection(parts) => {
                for part in parts {
                    self.names_of_element(part, scope);
                }
            }
            ElementKind::Except(of, except) => {
                self.names_of_element(of, scope);
                self.names_of_element(except, scope);
            }
            ElementKind::AllExcept(except) => self.names_of_element(except, scope),
            ElementKind::Group(set) => self.names_of_set(set, scope),
            ElementKind::Size(constraint) => self.names_of_size(constraint, scope),
            ElementKind::From(constraint) | ElementKind::Inner(constraint) => {
                self.names_of_constraint(constraint, scope);
            }
            ElementKind::Inners(inners) => {
                for constraint in inners.items.iter().filter_map(|item| item.constraint.as_ref()) {
                    self.names_of_constraint(constraint, scope);
                }
            }
            ElementKind::Type(ty) => self.names_of_type(ty, scope),
            // Named numbers and items are known only with the governor.
            ElementKind::Value(_) | ElementKind::Range { .. } | ElementKind::Pattern(_) | ElementKind::Settings(_) => {}
        }
    }

    /// Sizes have no named numbers, so their names can be looked up.
    fn names_of_size(&mut self, constraint: &Constraint, scope: &Rc<Scope>) {
        let ConstraintSpec::Subtype(set) = &constraint.spec else {
            return;
        };
        let mut open: Vec<&Element> = set.root.iter().chain(&set.additions).collect();
        while let Some(element) = open.pop() {
            match &element.kind {
                ElementKind::Union(parts) | ElementKind::Intersection(parts) => open.extend(parts),
                ElementKind::Value(value) => self.names_of_value(value, scope),
                ElementKind::Range { lower, upper } => {
                    for end in [lower, upper] {
                        if let Bound::Value(value) = &end.bound {
                            self.names_of_value(value, scope);
                        }
                    }
                }
                _ => {}
            }
        }
    }

    fn names_of_value(&mut self, value: &Value, scope: &Rc<Scope>) {
        match &value.kind {
            ValueKind::Reference(reference) => self.name_of(reference, scope),
            ValueKind::Field(field) => self.name_of(&field.of, scope),
            _ => {}
        }
    }

    fn name_of(&mut self, reference: &Reference, scope: &Rc<Scope>) {
        let _ = self.lookup(reference, scope);
    }
}
