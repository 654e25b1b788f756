//! Parts of a value, as expressions: for functions that walk over values without a plan.

use roadwire_model::{Kind, TypeId};
use roadwire_plan::Types;

use super::names::CTypes;

impl CTypes<'_, '_> {
    /// The condition under which a value has a component or an alternative, and its value.
    pub(super) fn part_of(&self, id: TypeId, at: usize, value: &str) -> Option<(String, String)> {
        let held = |member: String, is_apart: bool| if is_apart { format!("(*{member})") } else { member };
        match self.kind(id) {
            Kind::Sequence { components, .. } => {
                let (component, field) = (components.get(at)?, &CTypes::fields(components)[at]);
                let condition = match Types::is_option(component) {
                    true => member(value, &format!("has_{field}")),
                    false => "true".into(),
                };
                Some((condition, held(member(value, field), self.is_component_apart(id, component))))
            }
            Kind::Choice { alternatives, .. } => {
                let (one, name) = (alternatives.get(at)?, &CTypes::members(alternatives)[at]);
                let condition = format!("{} == {}", member(value, "choice"), self.choices(id)[at]);
                let content = member(value, &format!("as.{name}"));
                Some((condition, held(content, self.is_alternative_apart(id, one))))
            }
            _ => None,
        }
    }

    /// The type of a component or an alternative.
    pub(super) fn type_of_part(&self, id: TypeId, at: usize) -> Option<TypeId> {
        match self.kind(id) {
            Kind::Sequence { components, .. } => components.get(at).map(|one| one.type_id),
            Kind::Choice { alternatives, .. } => alternatives.get(at).map(|one| one.type_id),
            _ => None,
        }
    }
}

/// A member of a value.
pub(super) fn member(value: &str, name: &str) -> String {
    match value.strip_prefix("(*").and_then(|rest| rest.strip_suffix(')')) {
        Some(pointer) => format!("{pointer}->{name}"),
        None => format!("{value}.{name}"),
    }
}

/// The address of a value.
pub(super) fn address(value: &str) -> String {
    match value.strip_prefix("(*").and_then(|rest| rest.strip_suffix(')')) {
        Some(pointer) => pointer.to_owned(),
        None => format!("&{value}"),
    }
}
