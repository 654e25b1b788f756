//! Constraints that are more than their PER-visible part, as sets of values: made when all types
//! are complete, and left out if the effective constraint is equivalent.

use std::rc::Rc;

use num_bigint::BigInt;
use roadwire_model::{
    Component, Constraint, Expression, Field, Inner, InnerPresence, Kind, Presence, StringKind, TypeId, Value, ValueSet,
};

use super::super::from_objects::FromObjects;
use super::super::intervals::Intervals;
use super::super::open_values::has_unknown_content;
use super::super::parameters::Scope;
use super::super::strings::repertoire;
use super::super::{Job, Resolver, SlotState};
use super::given::{Given, Parent, What};
use crate::ast::{
    self, Bound, ConstraintSpec, Element, ElementKind, End, Ident, InnerPresence as Written, Inners, Set, TypeKind,
};
use roadwire_source::{Outcome, Span};

mod algebra;
mod external;

use algebra::{codes, integers, intersection, not, nothing, sizes, union};

/// The most sets of one constraint, and of all together; a larger constraint is not checked.
const MAX_WEIGHT: usize = 10_000;
const MAX_WEIGHTS: usize = 1_000_000;
/// The most characters of a constraint's text in an error.
const MAX_SHOWN: usize = 300;

/// The context in which a set is made.
#[derive(Clone, Copy)]
struct At<'a> {
    id: TypeId,
    scope: &'a Rc<Scope>,
    parent: &'a Parent,
    /// Extension markers are ignored.
    roots: bool,
    /// If something is not supported, the result has at least the values of the intended set;
    /// otherwise, at most.
    at_least: bool,
}

impl<'a> At<'a> {
    fn negated(self) -> Self {
        At { at_least: !self.at_least, ..self }
    }
}

impl Resolver<'_> {
    /// A subtype constraint that is about to be applied to a slot, unless the effective constraint
    /// will fully express it.
    pub(super) fn given(&self, id: TypeId, set: &Rc<Set>, scope: &Rc<Scope>, span: Span) -> Option<Given> {
        let slot = self.slot(id);
        if is_plain(set, &slot.ty.kind) {
            return None;
        }
        let parent = Rc::new(Parent { ints: slot.facts.ints.clone(), chars: slot.facts.chars.clone() });
        let what = What::Subtype { set: set.clone(), parent };
        Some(Given { what, scope: scope.clone(), span, followed_by: None, is_extensible: false })
    }

    /// Remembers a table constraint on a type that is not open.
    pub(in super::super) fn remember_table(&mut self, id: TypeId, set: &ast::Reference, path: &[Ident], job: &Job) {
        let what = What::Table { set: set.clone(), path: path.to_vec() };
        let given = Given { what, scope: job.scope.clone(), span: set.span, followed_by: None, is_extensible: false };
        self.slot_mut(id).given.push(given);
    }

    /// Notes that `what` is not checked on values.
    pub(in super::super) fn unchecked(&mut self, span: Span, what: &str) {
        self.sink.note("asn1.constraint.unchecked", span, format!("{what}: not checked on values"));
    }

    /// The constraints of all slots that are more than their effective ones.
    pub(in super::super) fn constraints(&mut self) -> std::collections::BTreeMap<TypeId, Vec<Constraint>> {
        let mut all = std::collections::BTreeMap::new();
        if self.sink.has_errors() {
            return all;
        }
        for index in 0..self.slots.len() {
            let id = TypeId(index as u32);
            if self.slots[index].given.is_empty() || !matches!(self.slots[index].state, SlotState::Done) {
                continue;
            }
            let mut found = Vec::new();
            for given in self.slots[index].given.clone() {
                let set = self.given_set(id, &given, given.followed_by.is_some(), true);
                if !self.says(id, &set) {
                    let mut text = self.as_written(given.span);
                    if let (true, Some(next)) = (given.is_extensible, given.followed_by) {
                        let next = clipped(self.as_written(next));
                        text.push_str(&format!(" without its additions, which {next} drops (X.680 §50.8)"));
                    }
                    found.push(Constraint { text, set });
                }
            }
            if !found.is_empty() {
                all.insert(id, found);
            }
        }
        all
    }

    fn given_set(&mut self, id: TypeId, given: &Given, roots: bool, at_least: bool) -> ValueSet {
        let made = match &given.what {
            What::Subtype { set, parent } => {
                let at = At { id, scope: &given.scope, parent, roots, at_least };
                self.set(at, set)
            }
            What::Table { set, path } => self.table_values(set, path, &given.scope),
        };
        self.weighed(made.unwrap_or(ValueSet::All), given.span, at_least)
    }

    /// A set that is too large is not checked.
    fn weighed(&mut self, set: ValueSet, span: Span, at_least: bool) -> ValueSet {
        let weight = set.weight();
        self.weights = self.weights.saturating_add(weight);
        if weight <= MAX_WEIGHT && self.weights <= MAX_WEIGHTS {
            return set;
        }
        self.unchecked(span, "a constraint this large");
        unknown(at_least)
    }

    fn set(&mut self, at: At<'_>, set: &Set) -> Outcome<ValueSet> {
        match &set.root {
            // Values outside the root of an extensible constraint are also valid (X.680 §52.3).
            Some(_) if set.extensible && !at.roots && at.at_least => Ok(ValueSet::All),
            Some(root) => self.element_set(at, root),
            None => Ok(unknown(at.at_least)),
        }
    }

    fn element_set(&mut self, at: At<'_>, element: &Element) -> Outcome<ValueSet> {
        let kind = &self.slot(at.id).ty.kind;
        let is_integer = matches!(kind, Kind::Integer { .. });
        Ok(match &element.kind {
            ElementKind::Union(parts) => {
                let sets: Outcome<Vec<ValueSet>> = parts.iter().map(|part| self.element_set(at, part)).collect();
                union(sets?)
            }
            ElementKind::Intersection(parts) => {
                let sets: Outcome<Vec<ValueSet>> = parts.iter().map(|part| self.element_set(at, part)).collect();
                intersection(sets?)
            }
            ElementKind::Except(of, except) => {
                let of = self.element_set(at, of)?;
                let except = self.element_set(at.negated(), except)?;
                intersection(vec![of, not(except)])
            }
            ElementKind::AllExcept(except) => not(self.element_set(at.negated(), except)?),
            ElementKind::Group(set) => self.set(at, set)?,
            ElementKind::Value(value) if is_integer => {
                let number = self.integer_of(at.id, value, at.scope)?;
                integers(&Intervals::single(number))
            }
            ElementKind::Value(value) => match self.unchecked_value(value, at.id, at.scope)? {
                read if has_unknown_content(&read) => {
                    self.unchecked(element.span, "a value with an open type of which no table has the content");
                    unknown(at.at_least)
                }
                read => ValueSet::Value(read),
            },
            ElementKind::Range { lower, upper } => match kind {
                Kind::Integer { .. } => {
                    let low = self.integer_end(at, lower)?;
                    let high = self.integer_end(at, upper)?;
                    integers(&Intervals::range(
                        low.map(|low| if lower.open { low + 1 } else { low }),
                        high.map(|high| if upper.open { high - 1 } else { high }),
                    ))
                }
                Kind::Real { .. } => ValueSet::Reals(self.real_end(at, lower)?, self.real_end(at, upper)?),
                _ => {
                    self.unchecked(element.span, "a range of times");
                    unknown(at.at_least)
                }
            },
            ElementKind::Size(constraint) => self.size_set(at, constraint)?,
            ElementKind::From(constraint) => self.alphabet_set(at, constraint)?,
            ElementKind::Type(ty) => self.contained_set(at, ty)?,
            ElementKind::Pattern(value) => match self.unchecked_value(value, at.id, at.scope)? {
                Value::Text(text) => match Expression::compile(&text) {
                    Ok(expression) => ValueSet::Pattern(expression),
                    Err(why) => {
                        self.unchecked(element.span, &format!("this pattern ({why})"));
                        unknown(at.at_least)
                    }
                },
                _ => unknown(at.at_least),
            },
            ElementKind::Settings(value) => {
                let visible = self.visible_settings(at.id, value, element.span)?;
                visible.left.settings.map_or(ValueSet::All, ValueSet::Settings)
            }
            ElementKind::Inner(constraint) => {
                let Kind::SequenceOf { element: inner, .. } = self.slot(at.id).ty.kind else {
                    return Ok(unknown(at.at_least));
                };
                match self.inner_constraint(at, inner, constraint)? {
                    Some(inner) => ValueSet::Elements(Box::new(inner)),
                    None => ValueSet::All,
                }
            }
            ElementKind::Inners(inners) => {
                if let Kind::External(inner) = self.slot(at.id).ty.kind {
                    if self.is_associated(inner, inners) {
                        return self.external_set(At { id: inner, ..at }, inners, element.span);
                    }
                }
                let id = match self.slot(at.id).ty.kind {
                    Kind::External(inner) => inner,
                    _ => at.id,
                };
                match &self.slot(id).ty.kind {
                    Kind::Real { .. } => self.parts_set(at, inners, element.span)?,
                    Kind::Sequence { components, .. } => {
                        let components = components.clone();
                        self.component_sets(at, &components, inners, element.span)?
                    }
                    Kind::Choice { alternatives, .. } => {
                        let names = alternatives.iter().map(|one| (one.name.clone(), one.type_id)).collect();
                        self.alternative_sets(at, names, inners, element.span)?
                    }
                    _ => unknown(at.at_least),
                }
            }
        })
    }

    fn integer_end(&mut self, at: At<'_>, end: &End) -> Outcome<Option<BigInt>> {
        let parent = at.parent.ints.as_ref();
        match &end.bound {
            Bound::Min => Ok(parent.and_then(Intervals::lower).cloned()),
            Bound::Max => Ok(parent.and_then(Intervals::upper).cloned()),
            Bound::Value(value) => self.integer_of(at.id, value, at.scope).map(Some),
        }
    }

    fn real_end(&mut self, at: At<'_>, end: &End) -> Outcome<Option<(f64, bool)>> {
        match &end.bound {
            Bound::Min => Ok(Some((f64::NEG_INFINITY, !end.open))),
            Bound::Max => Ok(Some((f64::INFINITY, !end.open))),
            Bound::Value(value) => match self.unchecked_value(value, at.id, at.scope)? {
                Value::Real(number) => Ok(Some((number, !end.open))),
                _ => Ok(None),
            },
        }
    }

    fn size_set(&mut self, at: At<'_>, constraint: &ast::Constraint) -> Outcome<ValueSet> {
        let ConstraintSpec::Subtype(set) = &constraint.spec else { return Ok(unknown(at.at_least)) };
        if matches!(self.slot(at.id).ty.kind, Kind::External(_)) {
            return Ok(ValueSet::All);
        }
        let id = self.size_type(constraint.span);
        let parent = Parent { ints: Some(Intervals::range(Some(0.into()), None)), chars: None };
        let of_numbers = self.set(At { id, parent: &parent, ..at }, set)?;
        Ok(sizes(of_numbers))
    }

    fn alphabet_set(&mut self, at: At<'_>, constraint: &ast::Constraint) -> Outcome<ValueSet> {
        let (ConstraintSpec::Subtype(set), Kind::String { kind, .. }) = (&constraint.spec, &self.slot(at.id).ty.kind)
        else {
            return Ok(unknown(at.at_least));
        };
        if set.extensible && !at.roots && at.at_least {
            return Ok(ValueSet::All);
        }
        let Some(root) = &set.root else { return Ok(unknown(at.at_least)) };
        let all = repertoire(*kind).into_iter().map(|(l, u)| Intervals::range(Some(l.into()), Some(u.into())));
        let all = Intervals::union(all.collect());
        let parent = at.parent.chars.as_ref().unwrap_or(&all);
        let characters = self.characters(at.id, root, parent, at.scope)?;
        Ok(ValueSet::Characters(codes(&characters.intersect(&all))))
    }

    /// A contained subtype: all its constraints, without their extension markers (X.680 §51.3).
    fn contained_set(&mut self, at: At<'_>, ty: &Rc<ast::Type>) -> Outcome<ValueSet> {
        if matches!(self.slot(at.id).ty.kind, Kind::Open { .. }) {
            self.unchecked(ty.span, "the type of what an open type holds");
            return Ok(unknown(at.at_least));
        }
        if let TypeKind::Field(field) = &ty.kind {
            if let Some((values, extensible)) = self.values_from_objects(field, at.scope)? {
                return self.set_from_objects(at, values, extensible, ty.span);
            }
        }
        let other = self.shared_type_of(ty, at.scope)?;
        self.ensure(other)?;
        let key = (other, at.id, at.at_least);
        match self.contained.get(&key) {
            Some(Some(known)) => return Ok((**known).clone()),
            // It is being built: a type that is constrained by itself.
            Some(None) => {
                self.unchecked(ty.span, "a type in a constraint of its own");
                return Ok(unknown(at.at_least));
            }
            None => {}
        }
        self.contained.insert(key, None);
        let set = self.deeper(ty.span, |r| Ok(r.values_of(other, at)));
        let set = match set {
            Ok(set) => self.weighed(set, ty.span, at.at_least),
            Err(reported) => {
                self.contained.remove(&key);
                return Err(reported);
            }
        };
        self.contained.insert(key, Some(Rc::new(set.clone())));
        Ok(set)
    }

    /// A value set from objects (X.681 §15).
    fn set_from_objects(
        &mut self,
        at: At<'_>,
        values: Vec<FromObjects>,
        extensible: bool,
        span: Span,
    ) -> Outcome<ValueSet> {
        if extensible && values.is_empty() {
            return Ok(unknown(at.at_least));
        }
        let mut sets = Vec::new();
        for value in values {
            sets.push(match value {
                FromObjects::Set(set, scope) => self.deeper(span, |r| r.set(At { scope: &scope, ..at }, &set))?,
                FromObjects::Value(_, value) => value_or_number(value),
            });
        }
        Ok(union(sets))
    }

    /// The values of a type, as a subset of those of its kind.
    fn values_of(&mut self, other: TypeId, at: At<'_>) -> ValueSet {
        let facts = self.slot(other).facts.clone();
        let mut sets = Vec::new();
        sets.extend(facts.ints.as_ref().map(integers));
        sets.extend(facts.size.as_ref().map(|size| sizes(integers(size))));
        sets.extend(facts.chars.as_ref().map(|chars| ValueSet::Characters(codes(chars))));
        sets.extend(facts.settings.map(ValueSet::Settings));
        if let Kind::Real { parts: Some(parts) } = &self.slot(other).ty.kind {
            // If the base may be 10, it is not known which numbers are values.
            sets.push(if parts.is_binary() { ValueSet::Parts(parts.clone()) } else { unknown(at.at_least) });
        }
        if let (Kind::String { kind: theirs, .. }, Kind::String { kind: mine, .. }) =
            (&self.slot(other).ty.kind, &self.slot(at.id).ty.kind)
        {
            if theirs != mine {
                sets.push(ValueSet::Characters(repertoire(*theirs)));
            }
        }
        for given in self.slot(other).given.clone() {
            sets.push(self.given_set(other, &given, true, at.at_least));
        }
        intersection(sets)
    }

    /// Mantissa, base and exponent, if each has a single range; others are not supported.
    fn parts_set(&mut self, at: At<'_>, inners: &Inners, span: Span) -> Outcome<ValueSet> {
        let visible = self.visible_parts(inners, at.scope)?;
        if !at.at_least || visible.left.parts.iter().flatten().any(|part| part.iter().count() > 1) {
            self.unchecked(span, "parts of REAL that are in several ranges, or excluded");
            return Ok(unknown(at.at_least));
        }
        let [mantissa, base, exponent] =
            visible.left.parts.map(|part| part.map(|part| part.ends()).unwrap_or_default());
        Ok(ValueSet::Parts(Box::new(roadwire_model::RealParts { mantissa, base, exponent })))
    }

    fn component_sets(
        &mut self,
        at: At<'_>,
        components: &[Component],
        inners: &Inners,
        span: Span,
    ) -> Outcome<ValueSet> {
        let mut list = Vec::new();
        for (place, component) in components.iter().enumerate() {
            let item = inners.items.iter().find(|item| *item.name.name == *component.name);
            let optional = component.presence == Presence::Optional;
            let presence = match item {
                Some(item) => match item.presence {
                    Some(Written::Present) => InnerPresence::Present,
                    Some(Written::Absent) => InnerPresence::Absent,
                    // X.680 §51.8.9.3: components named in a full specification are present.
                    None if optional && !inners.partial => InnerPresence::Present,
                    Some(Written::Optional) | None => InnerPresence::Free,
                },
                // X.680 §51.8.7: components not named in a full specification are absent.
                None if optional && !inners.partial => InnerPresence::Absent,
                None => continue,
            };
            // Without its own addition, a mandatory component of an addition group cannot be
            // present.
            let presence = match (presence, component.field) {
                (InnerPresence::Present, Field::Root) if component.presence == Presence::Mandatory => {
                    InnerPresence::Free
                }
                (presence, _) => presence,
            };
            self.inner(at, &mut list, (place, component.type_id), presence, item, span)?;
        }
        Ok(components_or_all(list))
    }

    fn alternative_sets(
        &mut self,
        at: At<'_>,
        alternatives: Vec<(String, TypeId)>,
        inners: &Inners,
        span: Span,
    ) -> Outcome<ValueSet> {
        let mut list = Vec::new();
        for (place, (name, id)) in alternatives.iter().enumerate() {
            let item = inners.items.iter().find(|item| *item.name.name == **name);
            let presence = match item.map(|item| item.presence) {
                Some(Some(Written::Present)) => InnerPresence::Present,
                Some(Some(Written::Absent)) => InnerPresence::Absent,
                Some(_) => InnerPresence::Free,
                None if !inners.partial => InnerPresence::Absent,
                None => continue,
            };
            self.inner(at, &mut list, (place, *id), presence, item, span)?;
        }
        Ok(components_or_all(list))
    }

    fn inner(
        &mut self,
        at: At<'_>,
        list: &mut Vec<Inner>,
        (place, id): (usize, TypeId),
        presence: InnerPresence,
        item: Option<&ast::InnerItem>,
        span: Span,
    ) -> Outcome<()> {
        let constraint = match item.and_then(|item| item.constraint.as_ref()) {
            Some(constraint) => self.inner_constraint(at, id, constraint)?,
            None => None,
        };
        if presence == InnerPresence::Free && constraint.is_none() {
            return Ok(());
        }
        let text = match item {
            Some(item) if presence == InnerPresence::Absent => format!("{} ABSENT", item.name.name),
            Some(item) => format!("{} PRESENT", item.name.name),
            None => self.as_written(span),
        };
        list.push(Inner { place: place as u32, presence, text, constraint });
        Ok(())
    }

    /// The constraint of a component or element; `None` if there is nothing to check.
    fn inner_constraint(
        &mut self,
        at: At<'_>,
        id: TypeId,
        constraint: &ast::Constraint,
    ) -> Outcome<Option<Constraint>> {
        self.ensure(id)?;
        let set = match &constraint.spec {
            ConstraintSpec::Subtype(set) => {
                let facts = &self.slot(id).facts;
                let parent = Parent { ints: facts.ints.clone(), chars: facts.chars.clone() };
                self.deeper(constraint.span, |r| r.set(At { id, parent: &parent, roots: false, ..at }, set))?
            }
            ConstraintSpec::Table { .. } => {
                self.unchecked(constraint.span, "a table constraint inside WITH COMPONENT");
                unknown(at.at_least)
            }
            ConstraintSpec::Contents { .. } => {
                self.unchecked(constraint.span, "what a string contains");
                unknown(at.at_least)
            }
            ConstraintSpec::User => {
                self.unchecked(constraint.span, "CONSTRAINED BY");
                unknown(at.at_least)
            }
        };
        let text = self.as_written(constraint.span);
        Ok((set != ValueSet::All).then_some(Constraint { text, set }))
    }

    /// The values at the end of a chain of field names in the objects of a set.
    fn table_values(&mut self, set: &ast::Reference, path: &[Ident], scope: &Rc<Scope>) -> Outcome<ValueSet> {
        let set = self.object_set(set, scope)?;
        if set.extensible {
            return Ok(ValueSet::All);
        }
        let mut values = Vec::new();
        for object in &set.objects {
            values.extend(self.values_along(object, path)?.into_iter().map(value_or_number));
        }
        Ok(union(values))
    }

    /// Whether the effective constraint of a slot allows only values of a set.
    fn says(&self, id: TypeId, set: &ValueSet) -> bool {
        let slot = self.slot(id);
        match set {
            ValueSet::All => true,
            ValueSet::Integers(ranges) => match &slot.ty.kind {
                Kind::Integer { range, .. } if !range.extensible => ranges.iter().any(|(lower, upper)| {
                    let above = lower.as_ref().is_none_or(|l| range.lower.as_ref().is_some_and(|mine| l <= mine));
                    above && upper.as_ref().is_none_or(|u| range.upper.as_ref().is_some_and(|mine| mine <= u))
                }),
                _ => false,
            },
            ValueSet::Sizes(sizes) => match &slot.ty.kind {
                Kind::BitString { size, .. }
                | Kind::OctetString { size, .. }
                | Kind::String { size, .. }
                | Kind::SequenceOf { size, .. } => {
                    let (lower, upper) = size.lasting();
                    sizes.iter().any(|(least, most)| *least <= lower && upper <= *most)
                }
                _ => false,
            },
            ValueSet::Characters(ranges) => match &slot.ty.kind {
                // Encodings enforce the alphabets of types whose characters they number.
                Kind::String { kind, alphabet, alphabet_extensible, .. } => {
                    let mine = match alphabet {
                        Some(alphabet) if !alphabet_extensible && is_known_multiplier(*kind) => alphabet.ranges.clone(),
                        _ => repertoire(*kind),
                    };
                    mine.iter().all(|(first, last)| ranges.iter().any(|(f, l)| f <= first && last <= l))
                }
                _ => false,
            },
            ValueSet::Settings(_) => slot.facts.settings.is_some(),
            ValueSet::Intersection(sets) => sets.iter().all(|set| self.says(id, set)),
            ValueSet::Union(sets) => sets.iter().any(|set| self.says(id, set)),
            _ => false,
        }
    }

    /// The text at a place, without comments and with single spaces.
    pub(super) fn as_written(&self, span: Span) -> String {
        let text = self.files.get(span.file as usize).map_or("", |file| file.slice(span));
        tidy(text)
    }
}

/// Whether an effective constraint fully expresses a set: a single range or value of integers or
/// sizes.
fn is_plain(set: &Set, kind: &Kind) -> bool {
    let one_range = |element: &Element| matches!(element.kind, ElementKind::Value(_) | ElementKind::Range { .. });
    let Some(root) = set.root.as_ref().filter(|_| !set.extensible) else { return false };
    match &root.kind {
        ElementKind::Value(_) | ElementKind::Range { .. } => matches!(kind, Kind::Integer { .. }),
        ElementKind::Size(constraint) => match &constraint.spec {
            ConstraintSpec::Subtype(set) => !set.extensible && set.root.as_ref().is_some_and(one_range),
            _ => false,
        },
        ElementKind::Settings(_) => true,
        _ => false,
    }
}

/// The string types whose characters have one width in PER (X.691 §30.1).
fn is_known_multiplier(kind: StringKind) -> bool {
    use StringKind::{Bmp, Ia5, Numeric, Printable, Universal, Visible};
    matches!(kind, Numeric | Printable | Visible | Ia5 | Bmp | Universal)
}

/// The substitute for a set that is not supported.
fn unknown(at_least: bool) -> ValueSet {
    if at_least { ValueSet::All } else { nothing() }
}

fn components_or_all(list: Vec<Inner>) -> ValueSet {
    if list.is_empty() { ValueSet::All } else { ValueSet::Components(list) }
}

fn value_or_number(value: Value) -> ValueSet {
    match value {
        Value::Integer(number) => integers(&Intervals::single(number.to_bigint())),
        other => ValueSet::Value(other),
    }
}

/// The start of a constraint's text, which stands beside that of another.
fn clipped(text: String) -> String {
    const SHOWN: usize = 60;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// Without comments, and with single spaces outside of strings.
fn tidy(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    let mut quoted = false;
    while let Some(character) = rest.chars().next() {
        if !quoted && rest.starts_with("/*") {
            // Comments of this form are nested (X.680 §12.6.4).
            let (mut depth, mut at) = (0_u32, 0);
            while at < rest.len() {
                if rest[at..].starts_with("/*") {
                    depth += 1;
                    at += 2;
                } else if rest[at..].starts_with("*/") {
                    depth -= 1;
                    at += 2;
                    if depth == 0 {
                        break;
                    }
                } else {
                    at += rest[at..].chars().next().map_or(1, char::len_utf8);
                }
            }
            rest = rest.get(at..).unwrap_or("");
            continue;
        }
        if !quoted && rest.starts_with("--") {
            let body = &rest[2..];
            let line = body.find(['\n', '\r', '\x0b', '\x0c']).unwrap_or(body.len());
            let end = body[..line].find("--").map_or(line, |dashes| dashes + 2);
            rest = &body[end..];
            continue;
        }
        rest = &rest[character.len_utf8()..];
        quoted ^= character == '"';
        if !quoted && character.is_whitespace() {
            if !out.ends_with(' ') {
                out.push(' ');
            }
            continue;
        }
        out.push(character);
    }
    let out = out.trim();
    if out.chars().count() <= MAX_SHOWN {
        return out.to_owned();
    }
    out.chars().take(MAX_SHOWN).chain("…".chars()).collect()
}

#[cfg(test)]
mod tests {
    use super::tidy;

    #[test]
    fn a_constraint_is_shown_on_one_line_without_comments() {
        assert_eq!(tidy("(0..10 -- ten\n  EXCEPT\t5 /* not /* this */ */ )"), "(0..10 EXCEPT 5 )");
        assert_eq!(tidy("(\"a  --b\" -- c -- | \"d\")"), "(\"a  --b\" | \"d\")");
        assert_eq!(tidy(&"ä".repeat(400)).chars().count(), 301);
    }
}
