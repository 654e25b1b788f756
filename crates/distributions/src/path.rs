//! Paths to parts of a type: `objects[].shape.length`.

use roadwire_model::constraint::Size;
use roadwire_model::{Component, Field, Kind, Model, Presence, TypeId};
use roadwire_wire::names::nearest;

/// The most steps of a path.
const DEEPEST: usize = 64;

/// The step to the elements of a list.
const EACH: &str = "[]";

/// A part of a type.
pub(crate) struct Part {
    /// Its places from the outside in.
    pub(crate) places: Vec<usize>,
    pub(crate) type_id: TypeId,
    /// Whether it may be absent.
    pub(crate) is_optional: bool,
}

/// The part that a path leads to. The empty path leads to the value itself.
///
/// # Errors
/// The first step that leads nowhere.
pub(crate) fn find(model: &Model, root: TypeId, path: &str) -> Result<Part, String> {
    let mut part = Part { places: Vec::new(), type_id: root, is_optional: false };
    let steps: Vec<String> = match path {
        "" => Vec::new(),
        path => path.replace(EACH, ".[]").split('.').map(str::to_owned).collect(),
    };
    let steps = match steps.split_first() {
        // A path that begins with the elements of the root.
        Some((first, rest)) if first.is_empty() && rest.first().is_some_and(|next| next == EACH) => rest.to_vec(),
        _ => steps,
    };
    if steps.len() > DEEPEST {
        return Err(format!("a path has at most {DEEPEST} steps, and this one {}", steps.len()));
    }
    for (at, step) in steps.iter().enumerate() {
        let before = steps[..at].join(".").replace(".[]", EACH);
        step_into(model, &mut part, step, &before)?;
    }
    Ok(part)
}

fn step_into(model: &Model, part: &mut Part, step: &str, before: &str) -> Result<(), String> {
    let place = if before.is_empty() { "the type".to_owned() } else { format!("`{before}`") };
    let id = inside(model, part.type_id);
    let kind = &model.get(id).kind;
    let no_such = |what: &str, names: Vec<&str>| {
        let alike = nearest(step, names.iter().copied(), 1).first().map(|name| format!("; did you mean `{name}`?"));
        let names = if names.len() > 8 { String::new() } else { format!(": it has {}", names.join(", ")) };
        format!("{place}, a {}, has no {what} `{step}`{}", kind.name(), alike.unwrap_or(names))
    };
    let (at, type_id, is_optional) = match kind {
        Kind::Sequence { components, .. } => {
            let at = components.iter().position(|one| one.name == step);
            let names = || components.iter().map(|one| one.name.as_str()).collect();
            let at = at.ok_or_else(|| no_such("component", names()))?;
            if model.codings.contains_key(&id) {
                return Err(format!(
                    "{place} has components whose presence depends on others: its parts cannot be drawn"
                ));
            }
            (at, components[at].type_id, may_be_absent(&components[at]))
        }
        Kind::Choice { alternatives, .. } => {
            let at = alternatives.iter().position(|one| one.name == step);
            let names = || alternatives.iter().map(|one| one.name.as_str()).collect();
            let at = at.ok_or_else(|| no_such("alternative", names()))?;
            (at, alternatives[at].type_id, false)
        }
        Kind::SequenceOf { element, .. } if step == EACH => (0, *element, false),
        Kind::SequenceOf { .. } => {
            return Err(format!("{place} is a list: its elements are `{before}[]`, not `{step}`"));
        }
        other => return Err(format!("{place}, a {}, has no parts: found `{step}`", other.name())),
    };
    part.places.push(at);
    (part.type_id, part.is_optional) = (type_id, is_optional);
    Ok(())
}

/// The SEQUENCE that an EXTERNAL is, and the type whose value a string contains: they have no step
/// of their own. A string with a size has random octets.
pub(crate) fn inside(model: &Model, mut id: TypeId) -> TypeId {
    for _ in 0..DEEPEST {
        id = match &model.get(id).kind {
            Kind::External(inner) => *inner,
            Kind::BitString { contains: Some(inner), size, .. } | Kind::OctetString { contains: Some(inner), size }
                if *size == Size::default() =>
            {
                *inner
            }
            _ => break,
        };
    }
    id
}

fn may_be_absent(component: &Component) -> bool {
    component.presence != Presence::Mandatory || component.field != Field::Root
}
