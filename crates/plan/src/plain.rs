//! Whether there are plain values: those without optional parts, in which every CHOICE has its
//! first alternative.

use std::collections::HashSet;

use roadwire_model::{Inner, InnerPresence, Kind, Presence, TypeId, ValueSet};

use crate::types::Types;

/// Whether the constraints of a type allow plain values, as far as presence is concerned. Otherwise
/// code for plain values would be useless.
pub(crate) fn has_plain_values(types: &Types<'_>, root: TypeId) -> bool {
    let (mut open, mut seen) = (vec![root], HashSet::new());
    while let Some(id) = open.pop() {
        if !seen.insert(id) {
            continue;
        }
        let mut own = types.model.constraints.get(&id).into_iter().flatten();
        if !own.all(|constraint| admits_plain(types, id, &constraint.set)) {
            return false;
        }
        match types.kind(id) {
            Kind::Sequence { components, .. } => {
                open.extend(components.iter().filter(|one| !Types::is_option(one)).map(|one| one.type_id));
            }
            Kind::Choice { .. } if types.is_open(id) => {}
            Kind::Choice { alternatives, .. } => open.extend(alternatives.first().map(|first| first.type_id)),
            _ => {}
        }
    }
    true
}

fn admits_plain(types: &Types<'_>, id: TypeId, set: &ValueSet) -> bool {
    match set {
        ValueSet::Union(sets) => sets.iter().any(|set| admits_plain(types, id, set)),
        ValueSet::Intersection(sets) => sets.iter().all(|set| admits_plain(types, id, set)),
        ValueSet::Components(inners) => inners.iter().all(|inner| admits_plain_part(types, id, inner)),
        _ => true,
    }
}

fn admits_plain_part(types: &Types<'_>, id: TypeId, inner: &Inner) -> bool {
    let at = inner.place as usize;
    let (is_there, inside) = match types.kind(id) {
        Kind::Sequence { components, .. } => {
            let Some(component) = components.get(at) else { return true };
            if matches!(component.presence, Presence::Default(_)) {
                return true;
            }
            (!Types::is_option(component), component.type_id)
        }
        Kind::Choice { alternatives, .. } => {
            let Some(alternative) = alternatives.get(at) else { return true };
            (at == 0, alternative.type_id)
        }
        _ => return true,
    };
    let is_kept = inner.constraint.as_ref().is_none_or(|one| admits_plain(types, inside, &one.set));
    match inner.presence {
        InnerPresence::Present => is_there && is_kept,
        InnerPresence::Absent => !is_there,
        InnerPresence::Free => !is_there || is_kept,
    }
}
