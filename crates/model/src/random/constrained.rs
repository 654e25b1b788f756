//! Random values of types with constraints that are more than their PER-visible part: made from the
//! constraints' sets where possible, otherwise by repeated attempts.

use num_bigint::BigInt;
use roadwire_wire::Data;
use roadwire_wire::rt::PatternStep;

use super::Run;
use crate::check::{effective, holds};
use crate::constraint::{Alphabet, Expression, Inner, InnerPresence, IntegerRange, Size, ValueSet};
use crate::link::Scope;
use crate::repertoire;
use crate::types::{Alternative, Component, Field, Kind, Presence, TypeId};
use crate::value::Value;

/// How often one value is tried, and how often all values inside a value may be tried again.
const TRIES: usize = 40;
pub(super) const TRIES_IN_ALL: usize = 1000;

impl<'r> Run<'r> {
    /// A value of a type that is in all of these sets; [`Value::Unset`] if none is found.
    pub(super) fn constrained(&mut self, id: TypeId, wanted: &[&'r ValueSet], scope: Option<&Scope<'_>>) -> Value {
        let (left, depth) = (self.left, self.depth);
        for attempt in 0..TRIES {
            if attempt > 0 {
                if self.tries == 0 {
                    break;
                }
                self.tries -= 1;
                (self.left, self.depth) = (left, depth);
            }
            let mut picked = Vec::new();
            wanted.iter().for_each(|set| self.pick(set, &mut picked));
            let value = self.guided(id, &picked, scope);
            if self.is_within(id, &value) && wanted.iter().all(|set| holds(self.model, id, set, &value as &dyn Data)) {
                return value;
            }
        }
        self.unmet = true;
        Value::Unset
    }

    /// Whether a leaf that was made for a constraint also satisfies the effective ones.
    fn is_within(&self, id: TypeId, value: &Value) -> bool {
        use Kind::{Choice, External, Open, Sequence, SequenceOf};
        let is_leaf = !matches!(
            self.model.get(id).kind,
            Sequence { .. } | SequenceOf { .. } | Choice { .. } | Open { .. } | External(_)
        );
        !is_leaf || effective(self.model, id, value).is_empty()
    }

    /// Picks one part of each union.
    fn pick(&mut self, set: &'r ValueSet, picked: &mut Vec<&'r ValueSet>) {
        match set {
            ValueSet::Intersection(sets) => sets.iter().for_each(|set| self.pick(set, picked)),
            ValueSet::Union(sets) => {
                let at = self.rng.below(sets.len() as u64) as usize;
                if let Some(set) = sets.get(at) {
                    self.pick(set, picked);
                }
            }
            other => picked.push(other),
        }
    }

    /// A value that is in most of these sets.
    fn guided(&mut self, id: TypeId, picked: &[&'r ValueSet], scope: Option<&Scope<'_>>) -> Value {
        let model = self.model;
        let kind = &model.get(id).kind;
        if let Kind::External(inner) = kind {
            self.wanted = picked.to_vec();
            return self.value(*inner, scope);
        }
        for set in picked {
            match set {
                ValueSet::Value(value) => return value.clone(),
                ValueSet::Pattern(expression) => {
                    // Its length is random.
                    let mut texts = (0..TRIES).map(|_| Value::Text(self.matching(expression)));
                    return texts.find(|text| effective(model, id, text).is_empty()).unwrap_or(Value::Unset);
                }
                _ => {}
            }
        }
        let inners = picked.iter().filter_map(|set| match set {
            ValueSet::Components(inners) => Some(inners),
            _ => None,
        });
        self.inners.extend(inners.flatten());
        match kind {
            Kind::Integer { range, .. } => match self.narrowed(range, picked) {
                Some(range) => self.integer(&range),
                None => Value::Unset,
            },
            Kind::Real { parts } => {
                let ends = picked.iter().find_map(|set| match set {
                    ValueSet::Reals(lower, upper) => Some((lower.map(|end| end.0), upper.map(|end| end.0))),
                    _ => None,
                });
                let inner = picked.iter().find_map(|set| match set {
                    ValueSet::Parts(parts) => Some(&**parts),
                    _ => None,
                });
                match ends {
                    Some((lower, upper)) => self.between(lower, upper),
                    None => self.real(inner.or(parts.as_deref())),
                }
            }
            Kind::BitString { size, named, .. } => {
                let size = self.sized(*size, picked, self.left == 0);
                self.bit_string(size, !named.is_empty())
            }
            Kind::OctetString { size, .. } => {
                let size = self.sized(*size, picked, self.left == 0);
                let length = self.length(size);
                Value::OctetString(self.rng.octets(length))
            }
            Kind::String { kind, size, alphabet, alphabet_extensible } => {
                let size = self.sized(*size, picked, self.left == 0);
                let mut ranges = repertoire::permitted(*kind, alphabet.as_ref().filter(|_| !alphabet_extensible));
                for set in picked {
                    if let ValueSet::Characters(others) = set {
                        let pairs = ranges.iter().flat_map(|a| others.iter().map(|b| (a.0.max(b.0), a.1.min(b.1))));
                        ranges = pairs.filter(|(first, last)| first <= last).collect();
                    }
                }
                self.string(*kind, size, Some(&Alphabet { ranges }), false)
            }
            Kind::Time { kind, settings } => {
                let wanted = picked.iter().find_map(|set| match set {
                    ValueSet::Settings(settings) => Some(settings),
                    _ => None,
                });
                self.time(*kind, wanted.unwrap_or(settings))
            }
            Kind::SequenceOf { element, size, .. } => {
                let size = self.sized(*size, picked, self.is_ending(*element));
                let most = self.settings.max_elements.min(self.left as u64);
                let length = self.size(size, if self.is_ending(*element) { 0 } else { most });
                let of_elements: Vec<&ValueSet> = picked.iter().filter_map(|set| elements(set)).collect();
                let element_of = |run: &mut Self| {
                    run.wanted.clone_from(&of_elements);
                    run.value(*element, scope)
                };
                self.depth += 1;
                let list = (0..length).map(|_| element_of(self)).collect();
                self.depth -= 1;
                Value::List(list)
            }
            _ => self.unconstrained(id, scope),
        }
    }

    /// One of the ranges to which sets restrict an integer.
    fn narrowed(&mut self, range: &IntegerRange, picked: &[&ValueSet]) -> Option<IntegerRange> {
        let mut range = range.clone();
        for set in picked {
            let ValueSet::Integers(ranges) = set else { continue };
            range.extensible = false;
            let fitting: Vec<(Option<BigInt>, Option<BigInt>)> = ranges
                .iter()
                .map(|(lower, upper)| (range.lower.clone().max(lower.clone()), least(&range.upper, upper)))
                .filter(|ends| !matches!(ends, (Some(lower), Some(upper)) if lower > upper))
                .collect();
            let (lower, upper) = fitting.get(self.rng.below(fitting.len() as u64) as usize)?.clone();
            (range.lower, range.upper) = (lower, upper);
        }
        Some(range)
    }

    /// One of the ranges to which sets restrict a size; the first one if values are to be small.
    /// Those outside the root of an extensible size are as rare as all that is outside roots,
    /// unless the sets leave no others.
    fn sized(&mut self, mut size: Size, picked: &[&ValueSet], ending: bool) -> Size {
        for set in picked {
            let ValueSet::Sizes(ranges) = set else { continue };
            let within = |(lower, upper): (u64, u64)| -> Vec<(u64, u64)> {
                let all = ranges.iter().map(|(least, most)| (lower.max(*least), upper.min(*most)));
                all.filter(|(least, most)| least <= most).collect()
            };
            let is_outside = size.extensible && self.is_outside();
            let mut fitting = within(if is_outside { size.lasting() } else { size.root() });
            if fitting.is_empty() {
                fitting = within(size.lasting());
            }
            let which = if ending { 0 } else { self.rng.below(fitting.len() as u64) as usize };
            if let Some((lower, upper)) = fitting.get(which) {
                size = Size { lower: *lower, upper: (*upper < u64::MAX).then_some(*upper), extensible: false };
            }
        }
        size
    }

    fn between(&mut self, lower: Option<f64>, upper: Option<f64>) -> Value {
        let lower = lower.unwrap_or(f64::NEG_INFINITY).max(f64::MIN);
        let upper = upper.unwrap_or(f64::INFINITY).min(f64::MAX);
        let share = self.rng.below(1 << 20) as f64 / (1 << 20) as f64;
        let inside = match self.rng.below(4) {
            0 => lower,
            1 => upper,
            _ => lower * (1.0 - share) + upper * share,
        };
        Value::Real(inside)
    }

    /// A text that an expression matches, unless it requires a word boundary where there is none.
    fn matching(&mut self, expression: &Expression) -> String {
        const LONG: usize = 500;
        let (mut text, mut at) = (String::new(), 0_usize);
        let more = [30, 50, 70, 90][self.rng.below(4) as usize];
        for _ in 0..LONG * 8 {
            at = match expression.steps.get(at) {
                Some(PatternStep::One { start, count, negated }) => {
                    let (start, count) = (usize::from(*start), usize::from(*count));
                    let ranges = expression.ranges.get(start..start + count).unwrap_or(&[]);
                    text.push(self.one_of(ranges, *negated));
                    at + 1
                }
                // The second step is the exit of a repetition.
                Some(PatternStep::Either(_, other)) if text.len() > LONG => usize::from(*other),
                Some(PatternStep::Either(one, other)) => {
                    usize::from(if self.rng.percent(more) { *one } else { *other })
                }
                Some(PatternStep::Go(to)) => usize::from(*to),
                Some(PatternStep::Border) => at + 1,
                Some(PatternStep::Match) | None => break,
            };
        }
        text
    }

    fn one_of(&mut self, ranges: &[(u32, u32)], negated: bool) -> char {
        if negated {
            let free = |code: &u32| !repertoire::contains(ranges, *code);
            let code = (0..64).map(|_| 0x20 + self.rng.below(0x5f) as u32).find(free);
            return char::from_u32(code.or_else(|| (0..0x3000).find(free)).unwrap_or(0x20)).unwrap_or(' ');
        }
        let range = ranges.get(self.rng.below(ranges.len() as u64) as usize).copied().unwrap_or((0x20, 0x20));
        let code = range.0 + self.rng.below(u64::from(range.1 - range.0) + 1) as u32;
        char::from_u32(code).unwrap_or(' ')
    }

    /// Applies WITH COMPONENTS to the presence of components.
    pub(super) fn shape(&self, components: &[Component], inners: &[&Inner], present: &mut [bool]) {
        for inner in inners {
            let Some(component) = components.get(inner.place as usize) else { continue };
            match inner.presence {
                InnerPresence::Free => continue,
                InnerPresence::Absent => {
                    present[inner.place as usize] &=
                        component.presence == Presence::Mandatory && component.field == Field::Root
                }
                InnerPresence::Present => {
                    present[inner.place as usize] = true;
                    if matches!(component.field, Field::Group(_)) {
                        for (at, other) in components.iter().enumerate() {
                            present[at] |= other.field == component.field && other.presence == Presence::Mandatory;
                        }
                    }
                }
            }
        }
    }

    /// One of the alternatives that WITH COMPONENTS allows.
    pub(super) fn alternative(&mut self, alternatives: &[Alternative], inners: &[&'r Inner]) -> Option<usize> {
        let says =
            |at: usize, presence| inners.iter().any(|inner| inner.place as usize == at && inner.presence == presence);
        let present: Vec<usize> = (0..alternatives.len()).filter(|at| says(*at, InnerPresence::Present)).collect();
        let mut fitting = match present.is_empty() {
            true => (0..alternatives.len()).filter(|at| !says(*at, InnerPresence::Absent)).collect(),
            false => present,
        };
        if fitting.iter().any(|at| !self.is_ending(alternatives[*at].type_id)) {
            fitting.retain(|at| !self.is_ending(alternatives[*at].type_id));
        } else {
            fitting.sort_by_key(|at| self.depths.get(alternatives[*at].type_id.0 as usize).copied());
            fitting.truncate(1);
        }
        fitting.get(self.rng.below(fitting.len() as u64) as usize).copied()
    }
}

/// The sets that WITH COMPONENTS requires for a component or alternative.
pub(super) fn wanted_inside<'r>(inners: &[&'r Inner], place: usize) -> Vec<&'r ValueSet> {
    let here = inners.iter().filter(|inner| inner.place as usize == place);
    here.filter_map(|inner| inner.constraint.as_ref().map(|one| &one.set)).collect()
}

fn elements(set: &ValueSet) -> Option<&ValueSet> {
    match set {
        ValueSet::Elements(inner) => Some(&inner.set),
        _ => None,
    }
}

/// The smaller of two upper ends.
fn least(one: &Option<BigInt>, other: &Option<BigInt>) -> Option<BigInt> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other).clone()),
        (one, other) => one.clone().or_else(|| other.clone()),
    }
}
