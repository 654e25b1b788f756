//! Constraints that decoders check, so that of a decoded value they need not be checked again.

use roadwire_wire::{Data, Part, Scalar};

use super::{Checker, Which, holds, is_iri};
use crate::data::equal_parts;
use crate::repertoire;
use crate::types::{Kind, Language, Model, Presence, StringKind, TypeId};
use crate::value::Value;

/// The types of a model of whose values a decoder with constraints checks all that
/// [`decoded`](super::decoded) checks.
#[derive(Debug)]
pub struct Proven {
    /// By index.
    types: Vec<bool>,
    is_checked: fn(&Kind) -> bool,
}

impl Proven {
    /// The types of a model.
    #[must_use]
    pub fn of(model: &Model) -> Self {
        Proven::with(model, is_checked_leaf)
    }

    /// The same for decoders that check strings of characters as well: all of them but the alphabet
    /// of a UTF8String.
    #[must_use]
    pub fn with_strings(model: &Model) -> Self {
        Proven::with(model, |kind| is_checked_leaf(kind) || is_checked_string(kind))
    }

    fn with(model: &Model, is_checked: fn(&Kind) -> bool) -> Self {
        let mut types = vec![model.language == Language::Asn1; model.types.len()];
        let mut holders: Vec<Vec<usize>> = vec![Vec::new(); model.types.len()];
        let mut unproven: Vec<usize> = model.constraints.keys().map(|id| id.0 as usize).collect();
        for (at, this) in model.types.iter().enumerate() {
            let mut hold = |inside: TypeId| holders[inside.0 as usize].push(at);
            match &this.kind {
                Kind::Sequence { components, .. } => components.iter().for_each(|one| hold(one.type_id)),
                Kind::Choice { alternatives, .. } => alternatives.iter().for_each(|one| hold(one.type_id)),
                Kind::SequenceOf { element, .. } => hold(*element),
                kind if is_checked(kind) => {}
                _ => unproven.push(at),
            }
        }
        while let Some(at) = unproven.pop() {
            if std::mem::take(&mut types[at]) {
                unproven.append(&mut holders[at]);
            }
        }
        Proven { types, is_checked }
    }

    /// Whether a value that a decoder has accepted satisfies all constraints, of its parts that are
    /// not proven.
    ///
    /// # Panics
    /// On a type id, or types, of another model.
    #[must_use]
    pub fn holds(&self, model: &Model, id: TypeId, value: &Value) -> bool {
        let which = Which { effective: true, others: true, contents: true };
        let mut checker = Checker { model, which, proven: Some(self), steps: Vec::new(), found: Vec::new() };
        checker.value(id, value, None);
        checker.found.is_empty()
    }

    /// The same for a value that is read by value, and whose open types are octets only where no
    /// row of their table is selected. It is false where there is a leaf of which decoders do not
    /// check all constraints.
    ///
    /// # Panics
    /// On a type id, or types, of another model.
    #[must_use]
    pub fn holds_of_part(&self, model: &Model, id: TypeId, value: impl Part) -> bool {
        model.language == Language::Asn1 && self.keeps(model, id, value)
    }

    fn keeps(&self, model: &Model, id: TypeId, value: impl Part) -> bool {
        if self.has(id) {
            return true;
        }
        let mut constraints = model.constraints.get(&id).into_iter().flatten();
        if !constraints.all(|constraint| holds(model, id, &constraint.set, value)) {
            return false;
        }
        match &model.get(id).kind {
            Kind::Sequence { components, .. } => components.iter().enumerate().all(|(at, component)| {
                let Some(inside) = value.component(at) else { return true };
                // A DEFAULT may break the constraints of its own type.
                matches!(&component.presence, Presence::Default(default)
                    if equal_parts(model, component.type_id, inside, default as &dyn Data))
                    || self.keeps(model, component.type_id, inside)
            }),
            Kind::Choice { alternatives, .. } => value.alternative().is_none_or(|(at, inside)| {
                alternatives.get(at).is_some_and(|one| self.keeps(model, one.type_id, inside))
            }),
            Kind::SequenceOf { element, .. } => (0..value.length().unwrap_or(0))
                .all(|at| value.element(at).is_none_or(|inside| self.keeps(model, *element, inside))),
            Kind::Open { table: None } => true,
            Kind::Open { table: Some(table) } => match value.alternative() {
                Some((at, inside)) => table.rows.get(at).is_some_and(|row| self.keeps(model, row.1, inside)),
                // No row is selected.
                None => table.extensible,
            },
            Kind::Time { kind, settings } => {
                matches!(value.scalar(), Scalar::Text(text) if repertoire::is_time(*kind, settings, text))
            }
            Kind::Iri { relative } => matches!(value.scalar(), Scalar::Text(text) if is_iri(text, *relative)),
            kind => match (kind.contained(), value.alternative()) {
                (Some(content), Some((_, inside))) => self.keeps(model, content, inside),
                _ => (self.is_checked)(kind),
            },
        }
    }

    /// Whether nothing needs to be checked of a value of this type that a decoder has accepted.
    ///
    /// # Panics
    /// On a type id of another model.
    #[must_use]
    pub fn has(&self, id: TypeId) -> bool {
        self.types[id.0 as usize]
    }
}

/// Not strings of characters, real numbers and times, of which some encodings leave constraints
/// out; nor strings with contents, and open types, whose octets may have stayed as they are.
fn is_checked_leaf(kind: &Kind) -> bool {
    match kind {
        Kind::Boolean | Kind::Null | Kind::Integer { .. } | Kind::Enumerated(_) => true,
        Kind::ObjectIdentifier | Kind::RelativeOid => true,
        Kind::BitString { contains, .. } | Kind::OctetString { contains, .. } => contains.is_none(),
        _ => false,
    }
}

/// Strings of characters that a decoder may check: all constraints but the alphabet of a
/// UTF8String.
fn is_checked_string(kind: &Kind) -> bool {
    match kind {
        Kind::String { kind: StringKind::Utf8, alphabet, .. } => alphabet.is_none(),
        Kind::String { .. } => true,
        _ => false,
    }
}
