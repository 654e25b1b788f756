//! Inner constraints of REAL: on mantissa, base and exponent (X.680 §21.5).

use std::collections::HashMap;
use std::rc::Rc;

use roadwire_model::{IntegerRange, Kind, RealParts, TypeId};

use super::Resolver;
use super::constraints::{Facts, Visible};
use super::intervals::Intervals;
use super::parameters::Scope;
use crate::ast::{ConstraintSpec, Inners};
use roadwire_source::Outcome;
use roadwire_source::Span;

/// The components of the type that is associated with REAL.
const PARTS: [&str; 3] = ["mantissa", "base", "exponent"];

impl Resolver<'_> {
    pub(super) fn visible_parts(&mut self, inners: &Inners, scope: &Rc<Scope>) -> Outcome<Visible> {
        let mut left = Facts::default();
        let mut seen = HashMap::new();
        for item in &inners.items {
            self.no_duplicate(&mut seen, &item.name.name, &item.name, "this component")?;
            let Some(part) = PARTS.iter().position(|part| **part == *item.name.name) else {
                return Err(self.no_component(&item.name, PARTS.into_iter()));
            };
            let Some(constraint) = &item.constraint else { continue };
            let ConstraintSpec::Subtype(set) = &constraint.spec else {
                return Err(self.wrong_constraint("this", "INTEGER", constraint.span));
            };
            let integer = self.part_type(part, constraint.span);
            let visible = self.visible_set(integer, set, scope)?;
            left.parts[part] = visible.left.ints.filter(|_| !set.extensible);
        }
        Ok(Visible { left, ..Visible::default() })
    }

    /// INTEGER, or INTEGER (2 | 10) for the base.
    fn part_type(&mut self, part: usize, span: Span) -> TypeId {
        if let Some(id) = self.part_slots[part] {
            return id;
        }
        let values = match PARTS[part] {
            "base" => Intervals::union([2, 10].map(|base| Intervals::single(base.into())).into()),
            _ => Intervals::all(),
        };
        let id = self.integer_type(values, span);
        self.part_slots[part] = Some(id);
        id
    }

    pub(super) fn set_parts(&mut self, id: TypeId) {
        let slot = self.slot_mut(id);
        let of = |part: &Option<Intervals>| part.as_ref().map_or_else(IntegerRange::default, Intervals::ends);
        let [mantissa, base, exponent] = slot.facts.parts.each_ref().map(of);
        if let Kind::Real { parts } = &mut slot.ty.kind {
            *parts = Some(Box::new(RealParts { mantissa, base, exponent }));
        }
    }
}
