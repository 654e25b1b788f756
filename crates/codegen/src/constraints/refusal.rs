//! Checks as statements: they report the smallest part of a value that breaks a constraint, and the
//! smallest part of the constraint that is broken.

use roadwire_model::{Inner, InnerPresence, Kind, TypeId, ValueSet};

use super::Checks;
use super::expressions::{breaks, dot, held, negated};
use super::place::Place;
use super::place::refuse;
use crate::source::Source;
use roadwire_plan::Repr;

impl Checks<'_, '_> {
    /// Checks that a value is in a set, whose text in the module is `text`.
    pub(super) fn set(&mut self, id: TypeId, set: &ValueSet, text: &str, place: &Place<'_>, out: &mut Source) {
        match (set, self.types.kind(id)) {
            (ValueSet::Intersection(sets), _) => sets.iter().for_each(|set| self.set(id, set, text, place, out)),
            (ValueSet::Elements(inner), Kind::SequenceOf { element, .. }) => {
                self.elements(place, out, &mut |checks, place, out| {
                    checks.set(*element, &inner.set, &inner.text, place, out);
                });
            }
            (ValueSet::Components(inners), Kind::Sequence { components, .. }) => {
                for inner in inners {
                    if let Some(component) = components.get(inner.place as usize) {
                        let condition = self.component_presence(id, component, inner, &place.value, out);
                        let step = self.inside(&component.name);
                        refuse_presence(&condition, inner, &place.inner(String::new(), step), out);
                        self.inner(id, component.type_id, inner, place, out);
                    }
                }
            }
            (ValueSet::Components(inners), Kind::Choice { alternatives, .. }) => {
                for inner in inners {
                    if let Some(alternative) = alternatives.get(inner.place as usize) {
                        let condition = self.alternative_presence(id, inner, &place.value);
                        if inner.presence == InnerPresence::Present {
                            // The required alternative is not the chosen one.
                            refuse_presence(&condition, inner, place, out);
                        } else {
                            let step = self.inside(&alternative.name);
                            refuse_presence(&condition, inner, &place.inner(String::new(), step), out);
                        }
                        self.inner(id, alternative.type_id, inner, place, out);
                    }
                }
            }
            _ => {
                let condition = self.condition(id, set, &place.value, true, out);
                let number = match self.types.repr(id) {
                    Repr::Integer(_) => format!("Some(i128::from({}))", held(&place.value)),
                    Repr::AnyInteger => format!("{}.to_i128()", dot(&place.value)),
                    _ => "None".into(),
                };
                if condition != "true" {
                    refuse(&negated(&condition), Some(&breaks(text, &number)), place, out);
                }
            }
        }
    }

    /// Checks the value of a component or alternative.
    fn inner(&mut self, id: TypeId, inside: TypeId, inner: &Inner, place: &Place<'_>, out: &mut Source) {
        if let Some(constraint) = &inner.constraint {
            self.part(id, inner.place as usize, place, out, &mut |checks, place, out| {
                checks.set(inside, &constraint.set, &constraint.text, place, out);
            });
        }
    }
}

/// Checks the presence or absence of a component or alternative.
fn refuse_presence(condition: &str, inner: &Inner, place: &Place<'_>, out: &mut Source) {
    if condition != "true" {
        refuse(&negated(condition), Some(&breaks(&inner.text, "None")), place, out);
    }
}
