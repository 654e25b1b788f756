//! `@` links of table constraints (X.682 §10).

use std::iter::successors;
use std::rc::Rc;

use super::Job;
use super::Resolver;
use super::components::{Enclosing, named};
use super::names::Found;
use super::object_sets::ObjectSet;
use super::parameters::Scope;
use crate::ast::{ConstraintSpec, Ident, Link, Reference, TypeKind};
use roadwire_source::{Outcome, Reported};

/// Where a link leads.
pub(super) struct Linked {
    /// How many SEQUENCEs and SETs are between the open type and the one in which the link starts;
    /// `None` if it starts in a CHOICE.
    pub(super) level: Option<u32>,
    /// The chain of field names of a class that the component has, if it has one.
    pub(super) path: Option<Vec<Ident>>,
}

/// The object set of a table constraint: as written, and resolved.
type Wanted<'a> = (&'a Reference, &'a Rc<ObjectSet>);

impl Resolver<'_> {
    /// Where a link leads; checks that the component exists. A link without dots starts at the
    /// outermost type of this definition (X.682 §10.7). The component is constrained by the same
    /// object set as the open type (§10).
    pub(super) fn linked_field(&mut self, link: &Link, set: Wanted<'_>, job: &Job) -> Outcome<Linked> {
        let around: Vec<Rc<Enclosing>> = successors(job.enclosing.clone(), |at| at.outer.clone()).collect();
        let up = match link.level.checked_sub(1) {
            Some(up) => up as usize,
            None => around.len().saturating_sub(1),
        };
        let Some(at) = around.get(up) else {
            let message = match around.is_empty() {
                true => "there is no enclosing type for this link",
                false => "there are not as many enclosing types",
            };
            return Err(self.no_link(link, message));
        };
        let path = self.follow_link(link, at, set, &job.scope)?;
        let records = around.iter().take(up).filter(|one| !one.is_choice).count();
        Ok(Linked { level: (!at.is_choice).then_some(u32::try_from(records).unwrap_or(u32::MAX)), path })
    }

    /// The chain of field names of the component at the end of a link, if its type is a field of a
    /// class.
    fn follow_link(
        &mut self,
        link: &Link,
        from: &Enclosing,
        set: Wanted<'_>,
        set_scope: &Rc<Scope>,
    ) -> Outcome<Option<Vec<Ident>>> {
        let Some((first, rest)) = link.path.split_first() else {
            return Ok(None);
        };
        let Some((ty, scope)) = from.members.get(&first.name) else {
            let known: Vec<&str> = from.members.keys().map(|k| &**k).collect();
            return Err(self.no_component(first, known.into_iter()));
        };
        let (mut ty, mut scope) = (ty.clone(), scope.clone());
        for name in rest {
            let (inner, inner_scope) = self.underlying(&ty, &scope)?;
            let body = match &inner.kind {
                TypeKind::Sequence(b) | TypeKind::Set(b) | TypeKind::Choice(b) => b,
                _ => return Err(self.no_link(link, "the link leads through what has no components")),
            };
            let Some((_, found)) = named(body).find(|(n, _)| n.name == name.name) else {
                let known: Vec<&str> = named(body).map(|(n, _)| &*n.name).collect();
                return Err(self.no_component(name, known.into_iter()));
            };
            (ty, scope) = (found.clone(), inner_scope);
        }
        let mut tables = Vec::new();
        let (end, _) = self.chain(&ty, &scope, |ty, scope| {
            let constraints = ty.constraints.iter().filter_map(|one| match &one.spec {
                ConstraintSpec::Table { set, .. } => Some((set.clone(), scope.clone())),
                _ => None,
            });
            tables.extend(constraints);
        })?;
        let mut is_same = false;
        for (table, scope) in &tables {
            is_same = is_same || self.same_set(set, set_scope, table, scope)?;
        }
        if !is_same {
            let name = link.path.last().unwrap_or(first);
            let message = format!("`{}` is not constrained by the object set `{}`", name.name, set.0.name.name);
            return Err(self.error("asn1.table.set", name.span, message));
        }
        Ok(match &end.kind {
            TypeKind::Field(field) => Some(field.path.clone()),
            _ => None,
        })
    }

    fn no_link(&mut self, link: &Link, message: &str) -> Reported {
        let span = link.path.first().map(|p| p.span).unwrap_or_default();
        self.error("asn1.table.link", span, message)
    }

    /// Whether a reference is to the object set that is wanted: the same one by name or parameter,
    /// or one of the same objects.
    fn same_set(
        &mut self,
        (wanted, set): Wanted<'_>,
        wanted_scope: &Rc<Scope>,
        reference: &Reference,
        scope: &Rc<Scope>,
    ) -> Outcome<bool> {
        if let (Found::Argument(one), Found::Argument(other)) =
            (self.lookup(wanted, wanted_scope)?, self.lookup(reference, scope)?)
        {
            if one.same(&other) {
                return Ok(true);
            }
        }
        let other = self.object_set(reference, scope)?;
        let same_objects = || {
            let pairs = set.objects.iter().zip(&other.objects);
            set.objects.len() == other.objects.len() && pairs.into_iter().all(|(one, other)| Rc::ptr_eq(one, other))
        };
        Ok(Rc::ptr_eq(set, &other)
            || (set.class.same(&other.class) && set.extensible == other.extensible && same_objects()))
    }
}
