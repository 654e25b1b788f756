//! Type constraints on open types (X.680 §51.6).

use std::rc::Rc;

use roadwire_model::{Kind, Table, TypeId, Value};

use super::super::Resolver;
use super::super::parameters::Scope;
use crate::ast::{Element, ElementKind, Set};
use roadwire_source::Outcome;

impl Resolver<'_> {
    /// The open type holds one of these types: a table without a link, with a row for each. Whether
    /// that is all that the constraint says.
    pub(super) fn constrain_open(&mut self, id: TypeId, set: &Set, scope: &Rc<Scope>) -> Outcome<bool> {
        let mut types = Vec::new();
        for element in set.root.iter().chain(&set.additions) {
            if !self.types_in(element, scope, &mut types)? {
                return Ok(false);
            }
        }
        let rows = types.into_iter().map(|ty| (Value::Unset, ty)).collect();
        let table = Table { link: Vec::new(), level: 0, rows, extensible: set.extensible };
        self.slot_mut(id).ty.kind = Kind::Open { table: Some(table) };
        Ok(true)
    }

    /// Adds the types of which an element is the union; whether there is nothing else in it.
    fn types_in(&mut self, element: &Element, scope: &Rc<Scope>, types: &mut Vec<TypeId>) -> Outcome<bool> {
        match &element.kind {
            ElementKind::Type(ty) => {
                self.spend(1, element.span)?;
                types.push(self.shared_type_of(ty, scope)?);
                Ok(true)
            }
            ElementKind::Union(parts) => {
                let mut all = true;
                for part in parts {
                    all &= self.types_in(part, scope, types)?;
                }
                Ok(all)
            }
            ElementKind::Group(set) => {
                let mut all = true;
                for part in set.root.iter().chain(&set.additions) {
                    all &= self.types_in(part, scope, types)?;
                }
                Ok(all)
            }
            ElementKind::Intersection(_)
            | ElementKind::Except(..)
            | ElementKind::AllExcept(_)
            | ElementKind::Value(_)
            | ElementKind::Range { .. }
            | ElementKind::Size(_)
            | ElementKind::From(_)
            | ElementKind::Pattern(_)
            | ElementKind::Settings(_)
            | ElementKind::Inner(_)
            | ElementKind::Inners(_) => Ok(false),
        }
    }
}
