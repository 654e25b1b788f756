//! Parts that need complete types: single values and inner subtyping (X.680 §51.8) in constraints,
//! and defaults.

use std::collections::HashMap;
use std::rc::Rc;

use roadwire_model::{Kind, Presence, TypeId};

use super::Resolver;
use super::parameters::Scope;
use crate::ast::{self, Constraint, ConstraintSpec, Inners};
use roadwire_source::Outcome;

/// Parts of constraints that need complete types: resolved when all are built.
pub(super) enum Late {
    /// A single value must be one of the type.
    Value { id: TypeId, value: ast::Value, scope: Rc<Scope> },
    /// WITH COMPONENT
    Inner { id: TypeId, constraint: Rc<Constraint>, scope: Rc<Scope> },
    /// WITH COMPONENTS
    Inners { id: TypeId, inners: Rc<Inners>, scope: Rc<Scope> },
}

impl Resolver<'_> {
    /// Resolves the parts that needed complete types; this may add further ones.
    pub(super) fn resolve_late(&mut self) {
        while !self.late.is_empty() || !self.unchecked_objects.is_empty() {
            for object in std::mem::take(&mut self.unchecked_objects) {
                if !self.sink.is_full() {
                    let _ = self.check_object(&object);
                }
            }
            for late in std::mem::take(&mut self.late) {
                let _ = match late {
                    Late::Value { id, value, scope } => self.value_of_type(&value, id, &scope).map(|_| ()),
                    Late::Inner { id, constraint, scope } => self.check_inner(id, &constraint, &scope),
                    Late::Inners { id, inners, scope } => self.check_inners(id, &inners, &scope),
                };
            }
            self.build_all();
        }
    }

    pub(super) fn check_inner(&mut self, id: TypeId, constraint: &Constraint, scope: &Rc<Scope>) -> Outcome<()> {
        let Kind::SequenceOf { element, .. } = self.slot(id).ty.kind else {
            return Ok(());
        };
        self.ensure(element)?;
        self.check_constraint(element, constraint, scope)
    }

    pub(super) fn check_inners(&mut self, id: TypeId, inners: &Inners, scope: &Rc<Scope>) -> Outcome<()> {
        let members: Vec<(String, TypeId)> = match &self.slot(id).ty.kind {
            Kind::Sequence { components, .. } => components.iter().map(|c| (c.name.clone(), c.type_id)).collect(),
            Kind::Choice { alternatives, .. } => alternatives.iter().map(|a| (a.name.clone(), a.type_id)).collect(),
            Kind::External(inner) => {
                let inner = *inner;
                let named = if self.is_associated(inner, inners) { self.associated_external()? } else { inner };
                return self.check_inners(named, inners, scope);
            }
            _ => return Ok(()),
        };
        let mut seen = HashMap::new();
        for item in &inners.items {
            let key = item.name.name.clone();
            self.no_duplicate(&mut seen, &key, &item.name, "this component")?;
            let Some((_, member)) = members.iter().find(|(n, _)| **n == *item.name.name) else {
                let note = self.sink.suggestion(&key, members.iter().map(|(n, _)| n.as_str()));
                self.sink.error_note(
                    "asn1.name.component",
                    item.name.span,
                    format!("the type has no component `{key}`"),
                    note,
                );
                continue;
            };
            if item.presence == Some(ast::InnerPresence::Absent) && item.constraint.is_some() {
                self.error(
                    "asn1.constraint.absent",
                    item.name.span,
                    format!("`{key}` is absent, so no value of it can be constrained"),
                );
            }
            if let Some(constraint) = &item.constraint {
                if self.ensure(*member).is_ok() {
                    let _ = self.check_constraint(*member, constraint, scope);
                }
            }
        }
        Ok(())
    }

    pub(super) fn late_value(&mut self, id: TypeId, value: &ast::Value, scope: &Rc<Scope>) {
        self.late.push(Late::Value { id, value: value.clone(), scope: scope.clone() });
    }

    /// As [`Self::apply_constraint`], for a component under WITH COMPONENTS: checked, nothing kept.
    pub(super) fn check_constraint(&mut self, id: TypeId, constraint: &Constraint, scope: &Rc<Scope>) -> Outcome<()> {
        match &constraint.spec {
            ConstraintSpec::Subtype(set) => self.visible_set(id, set, scope).map(|_| ()),
            ConstraintSpec::Table { set, .. } => self.object_set(set, scope).map(|_| ()),
            ConstraintSpec::Contents { containing, .. } => {
                let kind = &self.slot(id).ty.kind;
                if !matches!(kind, Kind::BitString { .. } | Kind::OctetString { .. }) {
                    let what = kind.name();
                    return Err(self.wrong_constraint("CONTAINING", what, constraint.span));
                }
                if let Some(ty) = containing {
                    self.shared_type_of(ty, scope)?;
                }
                Ok(())
            }
            ConstraintSpec::User => Ok(()),
        }
    }

    /// Resolves DEFAULT values, and then copies them to copied components.
    pub(super) fn resolve_defaults(&mut self) {
        for pending in std::mem::take(&mut self.defaults) {
            let component = match &self.slot(pending.owner).ty.kind {
                Kind::Sequence { components, .. } => components.get(pending.index).map(|c| c.type_id),
                _ => None,
            };
            let Some(component) = component else { continue };
            let Ok(value) = self.value_of_type(&pending.value, component, &pending.scope) else {
                continue;
            };
            if let Kind::Sequence { components, .. } = &mut self.slot_mut(pending.owner).ty.kind {
                if let Some(c) = components.get_mut(pending.index) {
                    c.presence = Presence::Default(value);
                }
            }
        }
        self.build_all();
        for index in 0..self.slots.len() {
            let origin = self.slots[index].origin;
            if origin.0 as usize != index && matches!(self.slots[index].ty.kind, Kind::Sequence { .. }) {
                let cost = super::kinds::weight(&self.slot(origin).ty.kind);
                if self.spend(cost, self.slots[index].span).is_err() {
                    return;
                }
                self.slots[index].ty.kind = self.slot(origin).ty.kind.clone();
            }
        }
    }
}
