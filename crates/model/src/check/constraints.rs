//! Constraints that are more than their PER-visible part (X.680 §50, §51): which of them a value
//! breaks, and in which part of it.

use roadwire_wire::rt::constraint::{has_settings, is_of_alphabet, is_of_size, meaningful_bits};
use roadwire_wire::{Data, Part, Scalar};

use super::{Checker, Offending, Step};
use crate::constraint::{Constraint, Inner, InnerPresence, ValueSet};
use crate::data::{equal_parts, integer};
use crate::types::{Kind, Model, Presence, TypeId};
use crate::value::Value;

/// The code of violations of these constraints, that of
/// [`ErrorKind::Constraint`](roadwire_wire::ErrorKind::Constraint).
pub(super) const CODE: &str = "constraint.value";

impl<'m> Checker<'m> {
    pub(super) fn constraints(&mut self, id: TypeId, data: &dyn Data) {
        let model = self.model;
        for constraint in model.constraints.get(&id).into_iter().flatten() {
            // Already covered by the effective constraint.
            let is_effective = matches!((&constraint.set, &model.get(id).kind), (ValueSet::Parts(parts), Kind::Real { parts: Some(effective) }) if parts == effective);
            if !(is_effective && self.which.effective) {
                self.constraint(id, constraint, data);
            }
        }
    }

    /// Reports what breaks a constraint: the smallest part of the constraint that is broken, in the
    /// smallest part of the value that breaks it.
    fn constraint(&mut self, id: TypeId, constraint: &'m Constraint, data: &dyn Data) {
        self.set(id, &constraint.set, &constraint.text, data);
    }

    fn set(&mut self, id: TypeId, set: &'m ValueSet, text: &'m str, data: &dyn Data) {
        match (set, &self.model.get(id).kind) {
            (_, Kind::External(inner)) => self.set(*inner, set, text, data),
            (ValueSet::Intersection(sets), _) => {
                // Parts with the same text are reported once.
                let found = self.found.len();
                for set in sets {
                    if self.found.len() == found {
                        self.set(id, set, text, data);
                    }
                }
            }
            (ValueSet::Elements(inner), Kind::SequenceOf { element, .. }) => {
                for at in 0..data.length().unwrap_or(0) {
                    if let Some(value) = data.element(at) {
                        self.steps.push(Step::Index(at));
                        self.constraint(*element, inner, value);
                        self.steps.pop();
                    }
                }
            }
            (ValueSet::Components(inners), Kind::Sequence { .. } | Kind::Choice { .. }) => {
                inners.iter().for_each(|inner| self.inner(id, inner, data));
            }
            _ if holds(self.model, id, set, data) => {}
            _ => match integer(data.scalar()) {
                Some(number) => {
                    let message = format!("value {number} breaks the constraint {text}");
                    self.broken(CODE, message, Some(Offending::Number(number.to_bigint())), text);
                }
                None => self.broken(CODE, format!("the value breaks the constraint {text}"), offending(data), text),
            },
        }
    }

    fn inner(&mut self, id: TypeId, inner: &'m Inner, data: &dyn Data) {
        let Some(part) = member(self.model, id, inner.place, data) else { return };
        let is_choice = matches!(self.model.get(id).kind, Kind::Choice { .. });
        if !part.keeps(self.model, inner.presence) {
            // In a CHOICE, the required alternative is not the chosen one.
            let inside = !(is_choice && inner.presence == InnerPresence::Present);
            if inside {
                self.steps.push(Step::Name(part.name));
            }
            let value = part.data.and_then(offending);
            self.broken(CODE, format!("the value breaks the constraint {}", inner.text), value, inner.text.as_str());
            if inside {
                self.steps.pop();
            }
        }
        if let (Some(constraint), Some(value)) = (&inner.constraint, part.value()) {
            self.steps.push(Step::Name(part.name));
            self.constraint(part.id, constraint, value);
            self.steps.pop();
        }
    }
}

/// A leaf, or the number of a list's elements.
fn offending(data: &dyn Data) -> Option<Offending> {
    let number = |number: i128| Some(Offending::Number(number.into()));
    match data.scalar() {
        Scalar::Integer(value) => number(value),
        Scalar::Text(text) => Some(Offending::Text(text.into())),
        Scalar::Real(value) => Some(Offending::Text(value.to_string())),
        Scalar::Boolean(value) => Some(Offending::Text(value.to_string())),
        Scalar::Octets(octets) => Some(Offending::of_octets(octets)),
        _ => data.length().and_then(|length| number(length as i128)),
    }
}

/// A component or alternative.
struct Member<'m, P> {
    name: &'m str,
    id: TypeId,
    /// Its value, if present.
    data: Option<P>,
    default: Option<&'m Value>,
}

impl<P: Part> Member<'_, P> {
    fn keeps(&self, model: &Model, presence: InnerPresence) -> bool {
        match (presence, self.data, self.default) {
            (InnerPresence::Free, ..) | (InnerPresence::Present, Some(_), _) => true,
            // An absent component has its DEFAULT, and a component at its DEFAULT counts as absent.
            (InnerPresence::Present, None, default) => default.is_some(),
            (InnerPresence::Absent, Some(value), Some(default)) => {
                equal_parts(model, self.id, value, default as &dyn Data)
            }
            (InnerPresence::Absent, value, _) => value.is_none(),
        }
    }

    /// Whether its value, if it has one, is in a set.
    fn is_in(&self, model: &Model, set: &ValueSet) -> bool {
        match (self.data, self.default) {
            (Some(value), _) => holds(model, self.id, set, value),
            (None, Some(default)) => holds(model, self.id, set, default as &dyn Data),
            (None, None) => true,
        }
    }
}

impl Member<'_, &dyn Data> {
    fn value(&self) -> Option<&dyn Data> {
        self.data.or(self.default.map(|value| value as &dyn Data))
    }
}

fn member<P: Part>(model: &Model, id: TypeId, place: u32, data: P) -> Option<Member<'_, P>> {
    let at = place as usize;
    match &model.get(id).kind {
        Kind::Sequence { components, .. } => {
            let component = components.get(at)?;
            let default = match &component.presence {
                Presence::Default(value) => Some(value),
                _ => None,
            };
            Some(Member { name: &component.name, id: component.type_id, data: data.component(at), default })
        }
        Kind::Choice { alternatives, .. } => {
            let alternative = alternatives.get(at)?;
            let data = data.alternative().filter(|(chosen, _)| *chosen == at).map(|(_, inner)| inner);
            Some(Member { name: &alternative.name, id: alternative.type_id, data, default: None })
        }
        Kind::External(inner) => member(model, *inner, place, data),
        _ => None,
    }
}

/// Whether a value is in a set.
pub(crate) fn holds(model: &Model, id: TypeId, set: &ValueSet, data: impl Part) -> bool {
    let kind = &model.get(id).kind;
    if let Kind::External(inner) = kind {
        return holds(model, *inner, set, data);
    }
    match set {
        ValueSet::All => true,
        ValueSet::Value(value) => equal_parts(model, id, data, value as &dyn Data),
        ValueSet::Integers(ranges) => integer(data.scalar()).is_none_or(|number| {
            let number = number.to_bigint();
            ranges.iter().any(|(lower, upper)| {
                lower.as_ref().is_none_or(|lower| *lower <= number)
                    && upper.as_ref().is_none_or(|upper| number <= *upper)
            })
        }),
        ValueSet::Reals(lower, upper) => match data.scalar() {
            Scalar::Real(value) => {
                lower.is_none_or(|(lower, closed)| lower < value || closed && lower == value)
                    && upper.is_none_or(|(upper, closed)| value < upper || closed && upper == value)
            }
            _ => true,
        },
        ValueSet::Parts(parts) => match data.scalar() {
            Scalar::Real(value) => parts.admits(value),
            _ => true,
        },
        ValueSet::Sizes(sizes) => match (kind, data.length()) {
            (Kind::SequenceOf { .. }, Some(length)) => {
                sizes.iter().any(|(least, most)| (*least..=*most).contains(&(length as u64)))
            }
            // Zero bits may be added to fit (X.680 §22.7).
            (Kind::BitString { named, .. }, _) if !named.is_empty() => {
                let bits = meaningful_bits(data.scalar());
                sizes.iter().any(|(_, most)| bits <= *most)
            }
            _ => is_of_size(data.scalar(), sizes),
        },
        ValueSet::Characters(ranges) => is_of_alphabet(data.scalar(), ranges),
        ValueSet::Pattern(expression) => match data.scalar() {
            Scalar::Text(text) => expression.matches(text),
            _ => true,
        },
        ValueSet::Settings(settings) => has_settings(data.scalar(), settings),
        ValueSet::Elements(inner) => match kind {
            Kind::SequenceOf { element, .. } => (0..data.length().unwrap_or(0))
                .all(|at| data.element(at).is_none_or(|value| holds(model, *element, &inner.set, value))),
            _ => true,
        },
        ValueSet::Components(inners) => inners.iter().all(|inner| {
            member(model, id, inner.place, data).is_none_or(|part| {
                part.keeps(model, inner.presence)
                    && inner.constraint.as_ref().is_none_or(|one| part.is_in(model, &one.set))
            })
        }),
        ValueSet::Union(sets) => sets.iter().any(|set| holds(model, id, set, data)),
        ValueSet::Intersection(sets) => sets.iter().all(|set| holds(model, id, set, data)),
        ValueSet::Not(set) => !holds(model, id, set, data),
    }
}
