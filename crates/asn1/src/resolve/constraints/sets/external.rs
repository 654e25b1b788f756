//! Constraints of EXTERNAL on its associated type (X.680 §37.5), as sets of values of the type that
//! encodings have (X.690 §8.18).

use roadwire_model::{Inner, InnerPresence, Kind, TypeId, ValueSet};

use super::super::super::Resolver;
use super::algebra::{intersection, union};
use super::{At, components_or_all, unknown};
use crate::ast::{Constraint, ConstraintSpec, ElementKind, InnerItem, InnerPresence as Written, Inners, Set};
use roadwire_source::{Outcome, Span};

/// The components of EXTERNAL as it is encoded, by their places.
const DIRECT: u32 = 0;
const INDIRECT: u32 = 1;
const DESCRIPTOR: u32 = 2;

/// The alternatives of `identification` that an EXTERNAL has (X.680 §37.5), each with whether there
/// is a direct and an indirect reference then (X.690 §8.18.2 to 8.18.4).
const IDENTIFICATIONS: [(&str, bool, bool); 3] =
    [("syntax", true, false), ("presentation-context-id", false, true), ("context-negotiation", true, true)];

impl Resolver<'_> {
    /// Whether inner constraints of an EXTERNAL name components of its associated type, not those
    /// that encodings have.
    pub(in super::super::super) fn is_associated(&self, id: TypeId, inners: &Inners) -> bool {
        let Kind::Sequence { components, .. } = &self.slot(id).ty.kind else { return false };
        let is_encoded = components.iter().any(|component| component.name == "direct-reference");
        is_encoded && inners.items.iter().any(|item| matches!(&*item.name.name, "identification" | "data-value"))
    }

    /// The associated type of EXTERNAL.
    pub(in super::super::super) fn associated_external(&mut self) -> Outcome<TypeId> {
        self.builtin_slot("AssociatedExternal")
    }

    /// `at` is of the type that encodings have.
    pub(super) fn external_set(&mut self, at: At<'_>, inners: &Inners, span: Span) -> Outcome<ValueSet> {
        let mut sets = Vec::new();
        let mut descriptor = None;
        for item in &inners.items {
            match (&*item.name.name, &item.constraint) {
                ("identification", Some(constraint)) => sets.push(self.identification_set(at, constraint)?),
                ("data-value-descriptor", _) => descriptor = Some(item),
                ("data-value", Some(constraint)) => sets.push(self.not_in_external(at, constraint.span)),
                (_, _) => {}
            }
        }
        let presence = match descriptor.map(|item| item.presence) {
            Some(Some(Written::Present)) => InnerPresence::Present,
            Some(Some(Written::Absent)) => InnerPresence::Absent,
            Some(Some(Written::Optional)) => InnerPresence::Free,
            Some(None) | None if inners.partial => InnerPresence::Free,
            Some(None) => InnerPresence::Present,
            None => InnerPresence::Absent,
        };
        let constraint = descriptor.and_then(|item| item.constraint.as_ref());
        sets.push(components_or_all(self.part(at, DESCRIPTOR, presence, constraint, span)?));
        Ok(intersection(sets))
    }

    /// The constraint of `identification`.
    fn identification_set(&mut self, at: At<'_>, constraint: &Constraint) -> Outcome<ValueSet> {
        let Some(inners) = only_inners(constraint) else {
            return Ok(self.not_in_external(at, constraint.span));
        };
        let item = |name: &str| inners.items.iter().find(|item| *item.name.name == *name);
        let is = |presence: Written| move |item: &InnerItem| item.presence == Some(presence);
        let one = inners.items.iter().find(|item| is(Written::Present)(item));
        let mut sets = Vec::new();
        for (name, direct, indirect) in IDENTIFICATIONS {
            let item = item(name);
            let is_other = one.is_some_and(|one| *one.name.name != *name);
            if is_other || item.is_some_and(is(Written::Absent)) || item.is_none() && !inners.partial {
                continue;
            }
            let inside = item.and_then(|item| item.constraint.as_ref());
            let presence = |there: bool| if there { InnerPresence::Present } else { InnerPresence::Absent };
            let mut parts = Vec::new();
            let both = direct && indirect;
            let (first, second) =
                if both { (None, None) } else { (inside.filter(|_| direct), inside.filter(|_| indirect)) };
            parts.extend(self.part(at, DIRECT, presence(direct), first, constraint.span)?);
            parts.extend(self.part(at, INDIRECT, presence(indirect), second, constraint.span)?);
            let set = ValueSet::Components(parts);
            sets.push(match inside.filter(|_| both) {
                Some(inside) => intersection(vec![set, self.not_in_external(at, inside.span)]),
                None => set,
            });
        }
        let all = IDENTIFICATIONS.len();
        let said = inners.items.iter().any(|item| item.constraint.is_some());
        Ok(if sets.len() == all && !said { ValueSet::All } else { union(sets) })
    }

    /// A part of the encoded EXTERNAL, unless there is nothing to check.
    fn part(
        &mut self,
        at: At<'_>,
        place: u32,
        presence: InnerPresence,
        constraint: Option<&Constraint>,
        span: Span,
    ) -> Outcome<Vec<Inner>> {
        let id = match &self.slot(at.id).ty.kind {
            Kind::Sequence { components, .. } => components.get(place as usize).map(|component| component.type_id),
            _ => None,
        };
        let constraint = match (id, constraint) {
            (Some(id), Some(constraint)) => self.inner_constraint(at, id, constraint)?,
            (_, _) => None,
        };
        if presence == InnerPresence::Free && constraint.is_none() {
            return Ok(Vec::new());
        }
        Ok(vec![Inner { place, presence, text: self.as_written(span), constraint }])
    }

    fn not_in_external(&mut self, at: At<'_>, span: Span) -> ValueSet {
        self.unchecked(span, "this part of EXTERNAL");
        unknown(at.at_least)
    }
}

/// The items of a constraint that is WITH COMPONENTS alone.
fn only_inners(constraint: &Constraint) -> Option<&Inners> {
    let ConstraintSpec::Subtype(set) = &constraint.spec else { return None };
    match &**set {
        Set { root: Some(root), extensible: false, additions: None, .. } => match &root.kind {
            ElementKind::Inners(inners) => Some(inners),
            _ => None,
        },
        _ => None,
    }
}
