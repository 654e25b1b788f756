//! Constraints: the effective (PER-visible) ones of X.691 §10.3, and checks on the others.

mod dropped;
mod given;
mod open;
mod sets;

use std::rc::Rc;

use num_bigint::BigInt;
use num_traits::ToPrimitive;
use roadwire_model::{IntegerRange, Kind, Settings, Size, TypeId, Value};

use super::from_objects::FromObjects;
use super::intervals::Intervals;
use super::kinds::same_sort;
use super::late::Late;
use super::parameters::Scope;
use super::{Job, Resolver};
use crate::ast::{self, Bound, Constraint, ConstraintSpec, Element, ElementKind, Set};
use dropped::Alone;
pub(super) use dropped::Marker;
pub(super) use given::Given;
use roadwire_source::Outcome;
use roadwire_source::Span;

/// The exact values that the constraints of a type allow (the model has only the ends).
#[derive(Debug, Clone, Default)]
pub(super) struct Facts {
    pub(super) ints: Option<Intervals>,
    pub(super) size: Option<Intervals>,
    pub(super) chars: Option<Intervals>,
    /// Mantissa, base and exponent of a REAL.
    pub(super) parts: [Option<Intervals>; 3],
    /// Property settings of a TIME: a value has one of these sets.
    pub(super) settings: Option<Vec<Settings>>,
}

impl Facts {
    fn each(&mut self) -> [&mut Option<Intervals>; 6] {
        let [mantissa, base, exponent] = &mut self.parts;
        [&mut self.ints, &mut self.size, &mut self.chars, mantissa, base, exponent]
    }
}

/// The visible part of a constraint, by the constrained property; `None` allows everything.
#[derive(Debug, Default)]
pub(super) struct Visible {
    pub(super) left: Facts,
    pub(super) size_extensible: bool,
    pub(super) chars_extensible: bool,
    /// The values that additions name.
    pub(super) added: Option<Facts>,
}

impl Visible {
    fn of_integer(ints: Intervals) -> Self {
        Visible { left: Facts { ints: Some(ints), ..Facts::default() }, ..Visible::default() }
    }
}

impl Resolver<'_> {
    /// Applies one constraint to a slot that is being built; constraints before it are the
    /// parent's.
    pub(super) fn apply_constraint(&mut self, id: TypeId, constraint: &Constraint, job: &Job) -> Outcome<()> {
        let scope = &job.scope;
        match &constraint.spec {
            ConstraintSpec::Subtype(set) => self.constrain(id, set, scope, constraint.span),
            ConstraintSpec::Table { set, links } => self.apply_table(id, set, links, job),
            ConstraintSpec::Contents { containing, encoded_by } => {
                let inner = match containing {
                    Some(ty) => Some(self.type_of(ty, scope, job.enclosing.as_ref())?),
                    None => None,
                };
                let as_is = encoded_by.is_none();
                if !as_is {
                    self.unchecked(constraint.span, "what a string contains, ENCODED BY other rules");
                }
                match &mut self.slot_mut(id).ty.kind {
                    Kind::BitString { contains, .. } | Kind::OctetString { contains, .. } => {
                        *contains = inner.filter(|_| as_is);
                        Ok(())
                    }
                    kind => {
                        let what = kind.name();
                        Err(self.wrong_constraint("CONTAINING", what, constraint.span))
                    }
                }
            }
            ConstraintSpec::User => {
                self.unchecked(constraint.span, "CONSTRAINED BY");
                Ok(())
            }
        }
    }

    /// Constrains a finished slot that nothing else names yet.
    pub(super) fn constrain_by_set(&mut self, id: TypeId, set: &Rc<Set>, scope: &Rc<Scope>) -> Outcome<()> {
        self.constrain(id, set, scope, set.span)
    }

    fn constrain(&mut self, id: TypeId, set: &Rc<Set>, scope: &Rc<Scope>, span: Span) -> Outcome<()> {
        let mut given = self.given(id, set, scope, span);
        let visible = self.visible_set(id, set, scope)?;
        let alone = Alone::of(&visible, set);
        if let Some(given) = &mut given {
            given.is_extensible = alone.is_extensible();
        }
        self.narrow(id, visible, set, span)?;
        self.follow(id, alone, span);
        if matches!(self.slot(id).ty.kind, Kind::Open { table: None }) && self.constrain_open(id, set, scope)? {
            return Ok(());
        }
        let slot = self.slot_mut(id);
        slot.given.iter_mut().for_each(|given| given.follow(span));
        slot.given.extend(given);
        Ok(())
    }

    /// Root and additions; only the root is effective (X.691 §10.3.5), additions are checked.
    pub(super) fn visible_set(&mut self, id: TypeId, set: &Set, scope: &Rc<Scope>) -> Outcome<Visible> {
        let mut visible = match &set.root {
            Some(root) => self.visible(id, root, scope)?,
            None => {
                return Err(self.error("asn1.syntax", set.span, "something stands before the `...` of a constraint"));
            }
        };
        if let Some(additions) = &set.additions {
            visible.added = Some(self.visible(id, additions, scope)?.left);
        }
        visible.size_extensible |= set.extensible;
        visible.chars_extensible |= set.extensible;
        if set.extensible {
            visible.left.parts = Default::default();
            visible.left.settings = None;
        }
        Ok(visible)
    }

    /// Intersects the slot's effective constraints with the new ones. The extension marker is that
    /// of the last constraint that is visible at all (X.680 §50.8).
    fn narrow(&mut self, id: TypeId, mut visible: Visible, set: &Set, span: Span) -> Outcome<()> {
        let mut facts = self.slot(id).facts.clone();
        let mut seen = [false; 6];
        for ((old, new), seen) in facts.each().into_iter().zip(visible.left.each()).zip(&mut seen) {
            let Some(new) = new.take() else { continue };
            *seen = true;
            let both = match old {
                Some(old) => old.intersect(&new),
                None => new,
            };
            if both.is_empty() {
                return Err(self.error(
                    "asn1.constraint.empty",
                    span,
                    "this constraint leaves no value of the type (X.680 §51.1)",
                ));
            }
            *old = Some(both);
        }
        if let Some(settings) = visible.left.settings.take() {
            facts.settings = Some(self.both_settings(facts.settings.take(), settings, span)?);
        }
        let [ints, size, chars, parts @ ..] = seen;
        self.slot_mut(id).facts = facts;
        if ints {
            self.set_range(id, set.extensible);
        }
        if parts.contains(&true) {
            self.set_parts(id);
        }
        self.set_settings(id);
        if size || chars {
            self.set_size(id, visible.size_extensible && size, span)?;
            self.set_alphabet(id, visible.chars_extensible && chars, chars);
        }
        Ok(())
    }

    fn set_range(&mut self, id: TypeId, extensible: bool) {
        let slot = self.slot_mut(id);
        if let (Kind::Integer { range, .. }, Some(ints)) = (&mut slot.ty.kind, &slot.facts.ints) {
            *range = IntegerRange { extensible, ..ints.ends() };
        }
    }

    fn set_size(&mut self, id: TypeId, extensible: bool, span: Span) -> Outcome<()> {
        let slot = self.slot_mut(id);
        let size = match &slot.facts.size {
            None => Size { extensible, ..Size::default() },
            Some(sizes) => {
                let lower = sizes.lower().map_or(Some(0), BigInt::to_u64);
                let upper = sizes.upper().map(BigInt::to_u64);
                match (lower, upper) {
                    (Some(lower), None) => Size { lower, upper: None, extensible },
                    (Some(lower), Some(Some(upper))) => Size { lower, upper: Some(upper), extensible },
                    _ => {
                        return Err(self.error("asn1.constraint.size", span, "sizes go up to 18446744073709551615"));
                    }
                }
            }
        };
        match &mut slot.ty.kind {
            Kind::BitString { size: s, .. }
            | Kind::OctetString { size: s, .. }
            | Kind::String { size: s, .. }
            | Kind::SequenceOf { size: s, .. } => *s = size,
            _ => {}
        }
        Ok(())
    }

    /// The visible part of one element (X.691 §10.3 and Annex B.2): unions are visible when all
    /// parts are, intersections as far as parts are, and EXCEPT with what follows is ignored.
    fn visible(&mut self, id: TypeId, element: &Element, scope: &Rc<Scope>) -> Outcome<Visible> {
        match &element.kind {
            ElementKind::Union(parts) => {
                let seen: Outcome<Vec<Visible>> = parts.iter().map(|part| self.visible(id, part, scope)).collect();
                self.either(seen?, element.span)
            }
            ElementKind::Intersection(parts) => {
                let mut result = Visible::default();
                for part in parts {
                    let mut one = self.visible(id, part, scope)?;
                    result.size_extensible |= one.size_extensible;
                    result.chars_extensible |= one.chars_extensible;
                    for (all, new) in result.left.each().into_iter().zip(one.left.each()) {
                        *all = both(all.take(), new.take());
                    }
                    if result.added.is_none() {
                        result.added = one.added.take();
                    }
                    if let Some(settings) = one.left.settings.take() {
                        let all = result.left.settings.take();
                        result.left.settings = Some(self.both_settings(all, settings, part.span)?);
                    }
                }
                Ok(result)
            }
            ElementKind::Except(of, except) => {
                self.visible(id, except, scope)?;
                self.visible(id, of, scope)
            }
            ElementKind::AllExcept(except) => {
                self.visible(id, except, scope)?;
                Ok(Visible::default())
            }
            ElementKind::Group(set) => self.visible_set(id, set, scope),
            ElementKind::Value(value) => self.visible_value(id, value, scope),
            ElementKind::Range { lower, upper } => self.visible_range(id, lower, upper, scope, element.span),
            ElementKind::Size(constraint) => self.visible_size(id, constraint, scope),
            ElementKind::From(constraint) => self.visible_alphabet(id, constraint, scope),
            ElementKind::Type(ty) => self.visible_subtype(id, ty, scope),
            ElementKind::Pattern(value) => {
                let kind = &self.slot(id).ty.kind;
                if !matches!(kind, Kind::String { .. }) {
                    let what = kind.name();
                    return Err(self.wrong_constraint("PATTERN", what, element.span));
                }
                if !matches!(value.kind, ast::ValueKind::CString(_)) {
                    self.late_value(id, value, scope);
                }
                Ok(Visible::default())
            }
            ElementKind::Settings(value) => self.visible_settings(id, value, element.span),
            ElementKind::Inner(constraint) => {
                let kind = &self.slot(id).ty.kind;
                if !matches!(kind, Kind::SequenceOf { .. }) {
                    let what = kind.name();
                    return Err(self.wrong_constraint("WITH COMPONENT", what, element.span));
                }
                self.late.push(Late::Inner { id, constraint: constraint.clone(), scope: scope.clone() });
                Ok(Visible::default())
            }
            ElementKind::Inners(inners) => {
                let kind = &self.slot(id).ty.kind;
                if matches!(kind, Kind::Real { .. }) {
                    return self.visible_parts(inners, scope);
                }
                if !matches!(kind, Kind::Sequence { .. } | Kind::Choice { .. } | Kind::External(_)) {
                    let what = kind.name();
                    return Err(self.wrong_constraint("WITH COMPONENTS", what, element.span));
                }
                self.late.push(Late::Inners { id, inners: inners.clone(), scope: scope.clone() });
                Ok(Visible::default())
            }
        }
    }

    /// The visible part of a union.
    fn either(&mut self, parts: Vec<Visible>, span: Span) -> Outcome<Visible> {
        let mut lists: [Option<Vec<Intervals>>; 6] = [const { Some(Vec::new()) }; 6];
        let mut result = Visible::default();
        let mut settings = Some(Vec::new());
        for mut one in parts {
            result.size_extensible |= one.size_extensible;
            result.chars_extensible |= one.chars_extensible;
            settings = self.either_settings(settings, one.left.settings.take(), span)?;
            for (list, new) in lists.iter_mut().zip(one.left.each()) {
                match (&mut *list, new.take()) {
                    (Some(list), Some(new)) => list.push(new),
                    _ => *list = None,
                }
            }
        }
        for (all, list) in result.left.each().into_iter().zip(lists) {
            *all = list.map(Intervals::union);
        }
        result.left.settings = settings;
        Ok(result)
    }

    /// A single value: visible for INTEGER only.
    fn visible_value(&mut self, id: TypeId, value: &ast::Value, scope: &Rc<Scope>) -> Outcome<Visible> {
        if !matches!(self.slot(id).ty.kind, Kind::Integer { .. }) {
            self.late_value(id, value, scope);
            return Ok(Visible::default());
        }
        let number = self.integer_of(id, value, scope)?;
        Ok(Visible::of_integer(Intervals::single(number)))
    }

    /// An INTEGER's value, its named numbers known.
    fn integer_of(&mut self, id: TypeId, value: &ast::Value, scope: &Rc<Scope>) -> Outcome<BigInt> {
        if let ast::ValueKind::Reference(reference) = &value.kind {
            if let Some(Value::Integer(number)) = self.own_item(id, reference) {
                return Ok(number.to_bigint());
            }
        }
        self.integer_value(value, scope)
    }

    fn visible_range(
        &mut self,
        id: TypeId,
        lower: &ast::End,
        upper: &ast::End,
        scope: &Rc<Scope>,
        span: Span,
    ) -> Outcome<Visible> {
        match &self.slot(id).ty.kind {
            Kind::Integer { .. } => {}
            Kind::Real { .. } | Kind::Time { .. } => {
                for end in [lower, upper] {
                    if let Bound::Value(value) = &end.bound {
                        self.late_value(id, value, scope);
                    }
                }
                return Ok(Visible::default());
            }
            kind => {
                let what = kind.name();
                return Err(self.wrong_constraint("a range", what, span));
            }
        }
        let parent = self.slot(id).facts.ints.clone();
        let parent = parent.unwrap_or_else(Intervals::all);
        let mut low = match &lower.bound {
            Bound::Min => parent.lower().cloned(),
            Bound::Max => parent.upper().cloned(),
            Bound::Value(v) => Some(self.integer_of(id, v, scope)?),
        };
        let mut high = match &upper.bound {
            Bound::Min => parent.lower().cloned(),
            Bound::Max => parent.upper().cloned(),
            Bound::Value(v) => Some(self.integer_of(id, v, scope)?),
        };
        self.warn_outside(&parent, lower, &low);
        self.warn_outside(&parent, upper, &high);
        if lower.open {
            low = low.map(|l| l + 1);
        }
        if upper.open {
            high = high.map(|h| h - 1);
        }
        self.range_of(low, high, span).map(Visible::of_integer)
    }

    /// X.680 §51.4.2: an end point is a value of the parent type. Many modules violate this.
    fn warn_outside(&mut self, parent: &Intervals, end: &ast::End, number: &Option<BigInt>) {
        let (Bound::Value(value), Some(number)) = (&end.bound, number) else {
            return;
        };
        if !parent.contains(number) {
            let message = format!("{number} is not a value of the type that is constrained");
            self.sink.warning("asn1.constraint.parent", value.span, message);
        }
    }

    /// `low..high`, or an error when the ends are the wrong way round.
    pub(super) fn range_of(&mut self, low: Option<BigInt>, high: Option<BigInt>, span: Span) -> Outcome<Intervals> {
        if let (Some(l), Some(h)) = (&low, &high) {
            if l > h {
                return Err(self.error(
                    "asn1.constraint.bounds",
                    span,
                    format!("the lower bound {l} is above the upper bound {h} (X.680 §51.4)"),
                ));
            }
        }
        Ok(Intervals::range(low, high))
    }

    fn visible_size(&mut self, id: TypeId, constraint: &Constraint, scope: &Rc<Scope>) -> Outcome<Visible> {
        match &self.slot(id).ty.kind {
            Kind::BitString { .. } | Kind::OctetString { .. } | Kind::String { .. } | Kind::SequenceOf { .. } => {}
            Kind::External(_) => return Ok(Visible::default()),
            kind => {
                let what = kind.name();
                return Err(self.wrong_constraint("SIZE", what, constraint.span));
            }
        }
        let ConstraintSpec::Subtype(set) = &constraint.spec else {
            return Err(self.error(
                "asn1.constraint.size",
                constraint.span,
                "SIZE holds values and ranges of INTEGER (0..MAX)",
            ));
        };
        // A separate slot: INTEGER (0..MAX), the type of sizes (X.680 §51.5.2).
        let sizes = self.size_type(constraint.span);
        let visible = self.visible_set(sizes, set, scope)?;
        let Some(ints) = visible.left.ints else {
            return Ok(Visible::default());
        };
        let ints = ints.intersect(&Intervals::range(Some(0.into()), None));
        if ints.is_empty() {
            return Err(self.error("asn1.constraint.size", constraint.span, "no size is below 0"));
        }
        let of_sizes = |size| Facts { size, ..Facts::default() };
        let added = visible.added.map(|added| of_sizes(added.ints));
        Ok(Visible { left: of_sizes(Some(ints)), size_extensible: set.extensible, added, ..Visible::default() })
    }

    /// A contained subtype or a value set: its root counts, its extension marker does not (X.680
    /// §51.3).
    fn visible_subtype(&mut self, id: TypeId, ty: &Rc<ast::Type>, scope: &Rc<Scope>) -> Outcome<Visible> {
        if let ast::TypeKind::Field(field) = &ty.kind {
            if let Some((values, extensible)) = self.values_from_objects(field, scope)? {
                return self.visible_from_objects(id, values, extensible, ty.span);
            }
        }
        let other = self.shared_type_of(ty, scope)?;
        if matches!(self.slot(id).ty.kind, Kind::Open { .. }) {
            return Ok(Visible::default());
        }
        self.ensure(other)?;
        let (mine, theirs) = (&self.slot(id).ty.kind, &self.slot(other).ty.kind);
        if !same_sort(mine, theirs) {
            let (mine, theirs) = (mine.name(), theirs.name());
            return Err(self.error("asn1.constraint.kind", ty.span, format!("{theirs} cannot constrain {mine}")));
        }
        Ok(Visible { left: self.slot(other).facts.clone(), ..Visible::default() })
    }

    /// A value set from objects (X.681 §15): the union of their values. Without objects yet,
    /// nothing is known.
    fn visible_from_objects(
        &mut self,
        id: TypeId,
        values: Vec<FromObjects>,
        extensible: bool,
        span: Span,
    ) -> Outcome<Visible> {
        if extensible && values.is_empty() {
            return Ok(Visible::default());
        }
        let mut parts = Vec::new();
        for value in values {
            parts.push(match value {
                FromObjects::Set(set, scope) => self.deeper(span, |r| r.visible_set(id, &set, &scope))?,
                FromObjects::Value(of, value) => {
                    self.ensure_base(of)?;
                    let (mine, theirs) = (&self.slot(id).ty.kind, &self.slot(of).ty.kind);
                    match (mine, value) {
                        _ if !same_sort(mine, theirs) => {
                            let message = format!("values of {} cannot constrain {}", theirs.name(), mine.name());
                            return Err(self.error("asn1.constraint.kind", span, message));
                        }
                        (Kind::Integer { .. }, Value::Integer(number)) => {
                            Visible::of_integer(Intervals::single(number.to_bigint()))
                        }
                        (_, _) => Visible::default(),
                    }
                }
            });
        }
        self.either(parts, span)
    }

    pub(super) fn wrong_constraint(&mut self, constraint: &str, kind: &str, span: Span) -> roadwire_source::Reported {
        self.error("asn1.constraint.kind", span, format!("{constraint} does not constrain {kind}"))
    }
}

fn both(a: Option<Intervals>, b: Option<Intervals>) -> Option<Intervals> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.intersect(&b)),
        (a, None) => a,
        (None, b) => b,
    }
}
