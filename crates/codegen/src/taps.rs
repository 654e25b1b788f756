//! Parts of messages that programs hear of while a message is encoded or decoded.

use std::collections::{HashMap, HashSet};

use roadwire_model::{Kind, TypeId};

use crate::GenerateError;
use crate::types::Types;

/// So many tapped parts are in a message at the most, counted where they are: the ways to all of them are listed.
const MOST_WAYS: usize = 1000;

/// Which components they are, by type and place, and which types there are on the way to them.
#[derive(Default)]
pub(crate) struct Taps {
    pub(crate) parts: HashMap<(TypeId, usize), usize>,
    pub(crate) leading: HashSet<TypeId>,
}

impl Taps {
    pub(crate) fn find(types: &Types<'_>) -> Result<Self, GenerateError> {
        let mut taps = Taps::default();
        for (number, text) in types.options.tapped.iter().enumerate() {
            let (id, component) = find(types, text)?;
            taps.parts.insert((id, component), number);
            taps.leading.insert(id);
        }
        // Types that are used come before those that use them, but for those that contain themselves, which are refused.
        for id in &types.order {
            if parts(types, *id).iter().any(|(_, part)| taps.leading.contains(&types.canonical(*part))) {
                taps.leading.insert(*id);
            }
        }
        let mut ways: HashMap<TypeId, usize> = HashMap::new();
        for id in &types.order {
            let here = parts(types, *id).into_iter().enumerate().fold(0usize, |sum, (place, (_, part))| {
                let further = ways.get(&types.canonical(part)).copied().unwrap_or(0);
                sum.saturating_add(further + usize::from(taps.parts.contains_key(&(*id, place))))
            });
            if here > MOST_WAYS {
                let name = types.repr(*id).name();
                return Err(GenerateError(format!("more than {MOST_WAYS} tapped parts are in {name}")));
            }
            ways.insert(*id, here);
        }
        for id in &taps.leading {
            let name = types.repr(*id).name();
            if types.is_recursive(*id) {
                return Err(GenerateError(format!("{name} contains itself: no part of it can be tapped")));
            }
            let in_list = |list: &TypeId| matches!(types.kind(*list), Kind::SequenceOf { element, .. } if types.canonical(*element) == *id);
            if types.order.iter().any(in_list) {
                return Err(GenerateError(format!("there are lists of {name}: no part of it can be tapped")));
            }
        }
        Ok(taps)
    }

    /// Adds the ways from a type on, `here` being the way to it.
    pub(crate) fn ways<'m>(
        &self,
        types: &Types<'m>,
        id: TypeId,
        here: &mut Vec<&'m str>,
        ways: &mut Vec<(Vec<&'m str>, usize)>,
    ) {
        for (place, (name, part)) in parts(types, id).into_iter().enumerate() {
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

/// Who hears of parts in a function, as its head says it.
#[derive(Clone, Copy)]
pub(crate) struct Heard {
    pub(crate) visible: &'static str,
    pub(crate) parameter: &'static str,
}

impl Heard {
    /// Nobody: there is no tapped part in what the function is for.
    pub(crate) const NOBODY: Heard = Heard { visible: "", parameter: "" };
    /// A tap, who may be nobody too.
    pub(crate) const TAP: Heard = Heard { visible: "pub(super) ", parameter: ", tap: &mut T" };

    pub(crate) fn is_tap(self) -> bool {
        !self.parameter.is_empty()
    }

    /// What a function is generic over, beside a lifetime.
    pub(crate) fn generic(self, lifetime: Option<&str>) -> String {
        match (lifetime, self.is_tap()) {
            (None, false) => String::new(),
            (None, true) => "<T: wire::Tap>".into(),
            (Some(lifetime), false) => format!("<{lifetime}>"),
            (Some(lifetime), true) => format!("<{lifetime}, T: wire::Tap>"),
        }
    }
}

/// What `Type.component` is.
fn find(types: &Types<'_>, text: &str) -> Result<(TypeId, usize), GenerateError> {
    let nothing = || GenerateError(format!("`{text}` is no component of a SEQUENCE or SET here (`Type.component`)"));
    let (type_name, component) = text.rsplit_once('.').ok_or_else(nothing)?;
    let id = types.model.find(type_name).map(|id| types.canonical(id)).ok_or_else(nothing)?;
    let Kind::Sequence { components, .. } = types.kind(id) else { return Err(nothing()) };
    let place = components.iter().position(|one| one.name == component).ok_or_else(nothing)?;
    if types.order.contains(&id) { Ok((id, place)) } else { Err(nothing()) }
}

/// What a type consists of, but for lists: names and types.
fn parts<'m>(types: &Types<'m>, id: TypeId) -> Vec<(&'m str, TypeId)> {
    match types.kind(id) {
        Kind::Sequence { components, .. } => components.iter().map(|one| (one.name.as_str(), one.type_id)).collect(),
        Kind::Choice { alternatives, .. } => alternatives.iter().map(|one| (one.name.as_str(), one.type_id)).collect(),
        _ => Vec::new(),
    }
}
