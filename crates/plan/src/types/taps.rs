//! Parts of messages for which a tap is called while a message is encoded or decoded.

use std::collections::{HashMap, HashSet};

use roadwire_model::{Kind, TypeId};

use crate::error::PlanError;
use crate::types::Types;

/// The most tapped parts of a message, counting each occurrence: the paths to all of them are
/// listed.
const MOST_WAYS: usize = 1000;

/// The tapped components, by type and index, and the types on the paths to them.
#[derive(Default)]
pub(crate) struct Taps {
    pub(crate) parts: HashMap<(TypeId, usize), usize>,
    pub(crate) leading: HashSet<TypeId>,
}

impl Taps {
    pub(crate) fn find(types: &Types<'_>) -> Result<Self, PlanError> {
        let mut taps = Taps::default();
        for (number, text) in types.options.tapped.iter().enumerate() {
            let (id, component) = find(types, text)?;
            taps.parts.insert((id, component), number);
            taps.leading.insert(id);
        }
        // Types that are used precede those that use them, except for recursive types, which are
        // refused.
        for id in &types.order {
            if types.parts(*id).iter().any(|(_, part)| taps.leading.contains(&types.canonical(*part))) {
                taps.leading.insert(*id);
            }
        }
        let mut ways: HashMap<TypeId, usize> = HashMap::new();
        for id in &types.order {
            let here = types.parts(*id).into_iter().enumerate().fold(0usize, |sum, (place, (_, part))| {
                let further = ways.get(&types.canonical(part)).copied().unwrap_or(0);
                sum.saturating_add(further + usize::from(taps.parts.contains_key(&(*id, place))))
            });
            if here > MOST_WAYS {
                let name = types.label(*id);
                return Err(PlanError(format!("more than {MOST_WAYS} tapped parts are in {name}")));
            }
            ways.insert(*id, here);
        }
        for id in &taps.leading {
            let name = types.label(*id);
            if types.is_recursive(*id) {
                return Err(PlanError(format!("{name} contains itself: no part of it can be tapped")));
            }
            let in_open = |open: &TypeId| {
                types.is_open(*open) && types.parts(*open).iter().any(|(_, part)| types.canonical(*part) == *id)
            };
            if types.order.iter().any(in_open) {
                return Err(PlanError(format!("{name} is in an open type: no part of it can be tapped")));
            }
            let in_list = |list: &TypeId| matches!(types.kind(*list), Kind::SequenceOf { element, .. } if types.canonical(*element) == *id);
            if types.order.iter().any(in_list) {
                return Err(PlanError(format!("there are lists of {name}: no part of it can be tapped")));
            }
        }
        Ok(taps)
    }

    /// Adds the paths from a type on; `here` is the path to it.
    pub(crate) fn ways<'m>(
        &self,
        types: &Types<'m>,
        id: TypeId,
        here: &mut Vec<&'m str>,
        ways: &mut Vec<(Vec<&'m str>, usize)>,
    ) {
        for (place, (name, part)) in types.parts(id).into_iter().enumerate() {
            here.push(name);
            if let Some(number) = types.tap(id, place) {
                ways.push((here.clone(), number));
            }
            if types.leads_to_tap(part) {
                self.ways(types, part, here, ways);
            }
            here.pop();
        }
    }
}

/// Finds the component `Type.component`.
fn find(types: &Types<'_>, text: &str) -> Result<(TypeId, usize), PlanError> {
    let nothing = || PlanError(format!("`{text}` is no component of a SEQUENCE or SET here (`Type.component`)"));
    let (type_name, component) = text.rsplit_once('.').ok_or_else(nothing)?;
    let id = types.model.find(type_name).map(|id| types.canonical(id)).ok_or_else(nothing)?;
    let Kind::Sequence { components, .. } = types.kind(id) else { return Err(nothing()) };
    let place = components.iter().position(|one| one.name == component).ok_or_else(nothing)?;
    if types.order.contains(&id) { Ok((id, place)) } else { Err(nothing()) }
}
