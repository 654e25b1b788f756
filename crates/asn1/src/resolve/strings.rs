//! Permitted alphabets and sizes of character strings (X.680 §51.7, X.691 §10.3).

use std::rc::Rc;

use num_bigint::BigInt;
use num_traits::ToPrimitive;
use roadwire_model::{Alphabet, Kind, StringKind, TypeId, Value};

use super::Resolver;
use super::constraints::{Facts, Visible};
use super::intervals::Intervals;
use super::parameters::Scope;
use crate::ast::{self, Bound, Constraint, ConstraintSpec, Element, ElementKind};
use roadwire_source::Outcome;
use roadwire_source::Span;

/// The characters of a known-multiplier string type, as ranges of code points (X.680 §41).
pub(super) fn repertoire(kind: StringKind) -> Vec<(u32, u32)> {
    match kind {
        StringKind::Numeric => vec![(0x20, 0x20), (0x30, 0x39)],
        StringKind::Printable => {
            vec![(0x20, 0x20), (0x27, 0x29), (0x2b, 0x3a), (0x3d, 0x3d), (0x3f, 0x3f), (0x41, 0x5a), (0x61, 0x7a)]
        }
        StringKind::Ia5 => vec![(0, 0x7f)],
        StringKind::Visible => vec![(0x20, 0x7e)],
        StringKind::Bmp => vec![(0, 0xffff)],
        _ => vec![(0, 0x10_ffff)],
    }
}

impl Resolver<'_> {
    pub(super) fn set_alphabet(&mut self, id: TypeId, extensible: bool, given: bool) {
        let slot = self.slot_mut(id);
        let Kind::String { alphabet, alphabet_extensible, .. } = &mut slot.ty.kind else {
            return;
        };
        *alphabet_extensible = extensible;
        if !given {
            return;
        }
        let ranges = slot
            .facts
            .chars
            .iter()
            .flat_map(Intervals::iter)
            .filter_map(|(l, u)| Some((l.as_ref()?.to_u32()?, u.as_ref()?.to_u32()?)))
            .collect();
        *alphabet = Some(Alphabet { ranges });
    }

    /// INTEGER (0..MAX), which SIZE constrains.
    pub(super) fn size_type(&mut self, span: Span) -> TypeId {
        if let Some(id) = self.size_slot {
            return id;
        }
        let id = self.integer_type(Intervals::range(Some(0.into()), None), span);
        self.size_slot = Some(id);
        id
    }

    pub(super) fn visible_alphabet(
        &mut self,
        id: TypeId,
        constraint: &Constraint,
        scope: &Rc<Scope>,
    ) -> Outcome<Visible> {
        let kind = match &self.slot(id).ty.kind {
            Kind::String { kind, .. } => *kind,
            other => {
                let what = other.name();
                return Err(self.wrong_constraint("FROM", what, constraint.span));
            }
        };
        let ConstraintSpec::Subtype(set) = &constraint.spec else {
            return Err(self.error(
                "asn1.constraint.alphabet",
                constraint.span,
                "FROM holds strings, characters and ranges of characters",
            ));
        };
        let all = Intervals::union(
            repertoire(kind).into_iter().map(|(l, u)| Intervals::range(Some(l.into()), Some(u.into()))).collect(),
        );
        let parent = match &self.slot(id).facts.chars {
            Some(chars) => chars.clone(),
            None => all.clone(),
        };
        let Some(root) = &set.root else {
            return Err(self.error("asn1.syntax", set.span, "something stands before the `...` of a constraint"));
        };
        let chars = self.characters(id, root, &parent, scope)?;
        if let Some(additions) = &set.additions {
            self.characters(id, additions, &parent, scope)?;
        }
        let known = chars.intersect(&all);
        if known.is_empty() {
            return Err(self.error(
                "asn1.constraint.empty",
                constraint.span,
                "this constraint leaves no character of the type",
            ));
        }
        let left = Facts { chars: Some(known), ..Facts::default() };
        Ok(Visible { left, chars_extensible: set.extensible, ..Visible::default() })
    }

    pub(super) fn characters(
        &mut self,
        id: TypeId,
        element: &Element,
        parent: &Intervals,
        scope: &Rc<Scope>,
    ) -> Outcome<Intervals> {
        match &element.kind {
            ElementKind::Union(parts) => {
                let mut sets = Vec::new();
                for part in parts {
                    sets.push(self.characters(id, part, parent, scope)?);
                }
                Ok(Intervals::union(sets))
            }
            ElementKind::Intersection(parts) => {
                let mut all = Intervals::all();
                for part in parts {
                    all = all.intersect(&self.characters(id, part, parent, scope)?);
                }
                Ok(all)
            }
            ElementKind::Except(of, except) => {
                let of = self.characters(id, of, parent, scope)?;
                let except = self.characters(id, except, parent, scope)?;
                Ok(of.intersect(&complement(&except)))
            }
            ElementKind::AllExcept(except) => {
                let except = self.characters(id, except, parent, scope)?;
                Ok(parent.intersect(&complement(&except)))
            }
            ElementKind::Group(set) => match &set.root {
                Some(root) => self.characters(id, root, parent, scope),
                None => Ok(Intervals::all()),
            },
            ElementKind::Value(value) => {
                let text = self.text_value(id, value, scope)?;
                self.check_repertoire(id, &text, value.span)?;
                let singles = text.chars().map(|c| Intervals::single(u32::from(c).into())).collect();
                Ok(Intervals::union(singles))
            }
            ElementKind::Range { lower, upper } => {
                let mut low = self.character(id, &lower.bound, parent, scope)?;
                let mut high = self.character(id, &upper.bound, parent, scope)?;
                if lower.open {
                    low = low.map(|l| l + 1);
                }
                if upper.open {
                    high = high.map(|h| h - 1);
                }
                self.range_of(low, high, element.span)
            }
            ElementKind::Type(ty) => {
                let other = self.shared_type_of(ty, scope)?;
                self.ensure(other)?;
                if !matches!(self.slot(other).ty.kind, Kind::String { .. }) {
                    let what = self.slot(other).ty.kind.name();
                    return Err(self.wrong_constraint(what, "a character string", ty.span));
                }
                let chars = self.slot(other).facts.chars.clone();
                Ok(chars.unwrap_or_else(Intervals::all))
            }
            _ => Err(self.error(
                "asn1.constraint.alphabet",
                element.span,
                "FROM holds strings, characters and ranges of characters",
            )),
        }
    }

    fn character(
        &mut self,
        id: TypeId,
        bound: &Bound,
        parent: &Intervals,
        scope: &Rc<Scope>,
    ) -> Outcome<Option<BigInt>> {
        let value = match bound {
            Bound::Min => return Ok(parent.lower().cloned()),
            Bound::Max => return Ok(parent.upper().cloned()),
            Bound::Value(value) => value,
        };
        let text = self.text_value(id, value, scope)?;
        let mut chars = text.chars();
        match (chars.next(), chars.next()) {
            (Some(c), None) => Ok(Some(u32::from(c).into())),
            _ => Err(self.error(
                "asn1.constraint.alphabet",
                value.span,
                "an end of a range of characters is one character",
            )),
        }
    }

    /// Checks that every character is one of the type (X.680 §41), whatever the constraints.
    pub(super) fn check_repertoire(&mut self, id: TypeId, text: &str, span: Span) -> Outcome<()> {
        let Kind::String { kind, .. } = self.slot(id).ty.kind else {
            return Ok(());
        };
        let known = repertoire(kind);
        let stranger = text.chars().find(|c| !known.iter().any(|(l, u)| (*l..=*u).contains(&u32::from(*c))));
        match stranger {
            Some(c) => {
                Err(self.error("asn1.value.character", span, format!("{c:?} is not a character of this string type")))
            }
            None => Ok(()),
        }
    }

    /// Checks that every character of a value is in the permitted alphabet.
    pub(super) fn check_alphabet(&mut self, id: TypeId, text: &str, span: Span) -> Outcome<()> {
        let slot = self.slot(id);
        let (Kind::String { alphabet_extensible: false, .. }, Some(chars)) = (&slot.ty.kind, &slot.facts.chars) else {
            return Ok(());
        };
        match text.chars().find(|c| !chars.contains(&u32::from(*c).into())) {
            Some(c) => Err(self.error("asn1.value.character", span, format!("{c:?} is not in the permitted alphabet"))),
            None => Ok(()),
        }
    }

    /// A string in a constraint, which need not satisfy earlier constraints.
    fn text_value(&mut self, id: TypeId, value: &ast::Value, scope: &Rc<Scope>) -> Outcome<String> {
        match self.unchecked_value(value, id, scope)? {
            Value::Text(text) => Ok(text),
            _ => Err(self.error("asn1.value.type", value.span, "a string is wanted here")),
        }
    }
}

pub(super) fn complement(set: &Intervals) -> Intervals {
    let mut parts = Vec::new();
    let mut from: Option<BigInt> = None;
    let mut ended = false;
    for (lower, upper) in set.iter() {
        if let Some(lower) = lower {
            parts.push(Intervals::range(from.clone(), Some(lower - 1)));
        }
        match upper {
            Some(upper) => from = Some(upper + 1),
            None => ended = true,
        }
    }
    if !ended {
        parts.push(Intervals::range(from, None));
    }
    Intervals::union(parts)
}
