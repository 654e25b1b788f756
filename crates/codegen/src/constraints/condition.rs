//! Expressions that test whether a value is in a set.

use roadwire_model::{Component, Expression, Inner, InnerPresence, Kind, Presence, TypeId, Value, ValueSet};

use super::Checks;
use super::expressions::{any_integers, dot, held, integers, joined, lengths, negated, reals};
use super::place::referred;
use crate::data::{field_names, item_names};
use crate::source::Source;
use roadwire_plan::{Repr, Types};

impl Checks<'_, '_> {
    /// An expression: whether a value is in a set. A part that cannot be expressed is true if the
    /// expression must hold for all values of the set (`at_least`), and false if it must hold for
    /// no others.
    pub(super) fn condition(
        &mut self,
        id: TypeId,
        set: &ValueSet,
        value: &str,
        at_least: bool,
        out: &mut Source,
    ) -> String {
        let scalar = format!("wire::Data::scalar({value})");
        match set {
            ValueSet::All => "true".into(),
            ValueSet::Value(wanted) => self.is(id, value, wanted, at_least, out),
            ValueSet::Integers(ranges) => match self.types.repr(id) {
                Repr::Integer(int) => integers(value, *int, ranges),
                Repr::AnyInteger => any_integers(&scalar, ranges).unwrap_or_else(|| at_least.to_string()),
                _ => "true".into(),
            },
            ValueSet::Reals(lower, upper) => reals(value, *lower, *upper),
            ValueSet::Parts(parts) if parts.is_binary() => {
                let (mantissa, exponent) = (parts.mantissa.narrow(), parts.exponent.narrow());
                format!("wire::rt::RealContents::is_product({}, {mantissa:?}, {exponent:?})", held(value))
            }
            ValueSet::Parts(_) => "true".into(),
            ValueSet::Sizes(sizes) => self.is_of_size(id, sizes, value),
            ValueSet::Characters(ranges) => format!("wire::rt::constraint::is_of_alphabet({scalar}, &{ranges:?})"),
            ValueSet::Pattern(expression) => self.matches(expression, &scalar),
            ValueSet::Settings(settings) => {
                let codes: Vec<_> = settings.iter().map(|one| one.codes()).collect();
                format!(
                    "wire::rt::constraint::has_settings({scalar}, &{codes:?}.map(wire::rt::time::Settings::from_codes))"
                )
            }
            ValueSet::Elements(inner) => match self.types.kind(id) {
                Kind::SequenceOf { element, .. } => {
                    let one = out.variable();
                    let condition = self.condition(*element, &inner.set, &one, at_least, out);
                    format!("{}.iter().all(|{one}| {condition})", dot(value))
                }
                _ => "true".into(),
            },
            ValueSet::Components(inners) => {
                let all = inners.iter().flat_map(|inner| self.inner_conditions(id, inner, value, at_least, out));
                joined(all.filter(|condition| condition != "true").collect(), " && ", "true")
            }
            ValueSet::Union(sets) => match self.items(id, sets) {
                Some(items) => format!("matches!({}, {})", held(value), items.join(" | ")),
                None => {
                    let all = sets.iter().map(|set| self.condition(id, set, value, at_least, out)).collect();
                    joined(all, " || ", "false")
                }
            },
            ValueSet::Intersection(sets) => {
                let all = sets.iter().map(|set| self.condition(id, set, value, at_least, out)).collect();
                joined(all, " && ", "true")
            }
            ValueSet::Not(set) => negated(&self.condition(id, set, value, !at_least, out)),
        }
    }

    fn matches(&mut self, Expression { steps, ranges, .. }: &Expression, scalar: &str) -> String {
        let steps: String = steps.iter().map(|step| format!("wire::rt::PatternStep::{step:?}, ")).collect();
        self.patterns.push(format!("wire::rt::Pattern {{ steps: &[{steps}], ranges: &{ranges:?} }}"));
        format!("wire::rt::constraint::matches({scalar}, &PATTERN_{})", self.patterns.len() - 1)
    }

    fn is_of_size(&self, id: TypeId, sizes: &[(u64, u64)], value: &str) -> String {
        match (self.types.repr(id), self.types.kind(id)) {
            (Repr::List { .. }, _) => lengths(value, sizes),
            (_, Kind::BitString { named, .. }) if !named.is_empty() => {
                let most = sizes.last().map_or(0, |(_, most)| *most);
                format!("wire::rt::constraint::meaningful_bits(wire::Data::scalar({value})) <= {most}")
            }
            _ => format!("wire::rt::constraint::is_of_size(wire::Data::scalar({value}), &{sizes:?})"),
        }
    }

    /// Expressions: whether a component or alternative is present or absent as required, and
    /// whether its value is in its set.
    fn inner_conditions(
        &mut self,
        id: TypeId,
        inner: &Inner,
        value: &str,
        at_least: bool,
        out: &mut Source,
    ) -> Vec<String> {
        let at = inner.place as usize;
        let mut all = Vec::new();
        match self.types.kind(id) {
            Kind::Sequence { components, .. } => {
                let Some(component) = components.get(at) else { return all };
                all.push(self.component_presence(id, component, inner, value, out));
                let Some(constraint) = &inner.constraint else { return all };
                let field = format!("{}.{}", dot(value), field_names(components)[at]);
                let boxed = self.types.is_boxed(id, component.type_id);
                all.push(if Types::is_option(component) {
                    let one = out.variable();
                    let condition = self.condition(component.type_id, &constraint.set, &one, at_least, out);
                    let access = if boxed { "as_deref" } else { "as_ref" };
                    format!("{field}.{access}().is_none_or(|{one}| {condition})")
                } else {
                    self.condition(component.type_id, &constraint.set, &referred(&field, boxed), at_least, out)
                });
            }
            Kind::Choice { alternatives, .. } => {
                let Some(alternative) = alternatives.get(at) else { return all };
                all.push(self.alternative_presence(id, inner, value));
                let Some(constraint) = &inner.constraint else { return all };
                let one = out.variable();
                let access = self.chosen(id, alternative.type_id, &one);
                let condition = self.condition(alternative.type_id, &constraint.set, &access, at_least, out);
                all.push(format!("match {value} {{ {}({one}) => {condition}, _ => true }}", self.variant(id, at)));
            }
            _ => {}
        }
        all
    }

    /// An expression: whether a component is present or absent as required.
    pub(super) fn component_presence(
        &mut self,
        id: TypeId,
        component: &Component,
        inner: &Inner,
        value: &str,
        out: &mut Source,
    ) -> String {
        let Kind::Sequence { components, .. } = self.types.kind(id) else { return "true".into() };
        let field = format!("{}.{}", dot(value), field_names(components)[inner.place as usize]);
        match (inner.presence, &component.presence) {
            (InnerPresence::Free, _) => "true".into(),
            (InnerPresence::Present, _) if Types::is_option(component) => format!("{field}.is_some()"),
            (InnerPresence::Absent, _) if Types::is_option(component) => format!("{field}.is_none()"),
            (InnerPresence::Present, _) => "true".into(),
            // A component at its DEFAULT counts as absent.
            (InnerPresence::Absent, Presence::Default(default)) => {
                let boxed = self.types.is_boxed(id, component.type_id);
                self.is(component.type_id, &referred(&field, boxed), default, true, out)
            }
            (InnerPresence::Absent, _) => "false".into(),
        }
    }

    /// An expression: whether an alternative is chosen or not as required.
    pub(super) fn alternative_presence(&self, id: TypeId, inner: &Inner, value: &str) -> String {
        let variant = self.variant(id, inner.place as usize);
        match inner.presence {
            InnerPresence::Free => "true".into(),
            InnerPresence::Present => format!("matches!({value}, {variant}(_))"),
            InnerPresence::Absent => format!("!matches!({value}, {variant}(_))"),
        }
    }

    /// The items, if the sets are single values of an enumeration.
    fn items(&self, id: TypeId, sets: &[ValueSet]) -> Option<Vec<String>> {
        let item = |set: &ValueSet| match set {
            ValueSet::Value(value) => self.item(id, value),
            _ => None,
        };
        if sets.is_empty() { None } else { sets.iter().map(item).collect() }
    }

    /// An enumeration's item, as a pattern.
    pub(super) fn item(&self, id: TypeId, value: &Value) -> Option<String> {
        match (self.types.repr(id), self.types.kind(id), value) {
            (Repr::Enum, Kind::Enumerated(items), Value::Enumerated(ordinal)) => {
                Some(format!("{}::{}", self.types.name(id), item_names(items).get(*ordinal as usize)?))
            }
            _ => None,
        }
    }
}
