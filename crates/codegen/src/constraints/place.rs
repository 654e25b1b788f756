//! The current position of a check, and ways to its parts.

use roadwire_model::{Kind, TypeId};

use super::Checks;
use super::expressions::dot;
use crate::data::{alternative_names, field_names};
use crate::source::Source;
use roadwire_plan::Types;

/// Where a check is.
pub(super) struct Place<'p> {
    /// An expression for a reference to the current value.
    pub(super) value: String,
    /// The call that reports this step to a trail, and the enclosing place.
    pub(super) outside: Option<(String, &'p Place<'p>)>,
    /// An expression: the remaining levels of recursive types.
    pub(super) levels: String,
}

impl<'p> Place<'p> {
    /// The value that a function checks. Values too deep for encoders are refused by these.
    pub(super) fn whole() -> Self {
        Place { value: "value".into(), outside: None, levels: "roadwire_engine::Limits::DEPTH".into() }
    }

    /// A part of the value here.
    pub(super) fn inner(&'p self, value: String, step: String) -> Self {
        Place { value, outside: Some((step, self)), levels: self.levels.clone() }
    }
}

/// Writes the code for a part of a value.
pub(super) type Then<'t, 'a, 'm> = &'t mut dyn FnMut(&mut Checks<'a, 'm>, &Place<'_>, &mut Source);

impl<'a, 'm> Checks<'a, 'm> {
    /// Runs `then` for a component if present, or for an alternative if chosen.
    pub(super) fn part(&mut self, id: TypeId, at: usize, place: &Place<'_>, out: &mut Source, then: Then<'_, 'a, 'm>) {
        match self.types.kind(id) {
            Kind::Sequence { components, .. } => {
                let component = &components[at];
                let step = self.inside(&component.name);
                let field = format!("{}.{}", dot(&place.value), field_names(components)[at]);
                let boxed = self.types.is_boxed(id, component.type_id);
                if Types::is_option(component) {
                    let inner = out.variable();
                    let access = if boxed { format!("{field}.as_deref()") } else { format!("&{field}") };
                    out.line(format!("if let Some({inner}) = {access} {{"));
                    then(self, &place.inner(inner, step), out);
                    out.line("}");
                } else {
                    then(self, &place.inner(referred(&field, boxed), step), out);
                }
            }
            Kind::Choice { alternatives, .. } => {
                // The content of an open type is in the path of what holds it.
                let is_open = self.types.is_open(id);
                let step = if is_open { String::new() } else { self.inside(&alternatives[at].name) };
                let inner = out.variable();
                out.line(format!("if let {}({inner}) = {} {{", self.variant(id, at), place.value));
                let access = self.chosen(id, alternatives[at].type_id, &inner);
                then(self, &place.inner(access, step), out);
                out.line("}");
            }
            _ => {}
        }
    }

    /// Runs `then` for the elements of a list.
    pub(super) fn elements(&mut self, place: &Place<'_>, out: &mut Source, then: Then<'_, 'a, 'm>) {
        let (at, element) = (out.variable(), out.variable());
        out.line(format!("for ({at}, {element}) in {}.iter().enumerate() {{", dot(&place.value)));
        then(self, &place.inner(element, format!("trail.element({at})")), out);
        out.line("}");
    }

    /// The path of an alternative.
    pub(super) fn variant(&self, id: TypeId, at: usize) -> String {
        match self.types.kind(id) {
            Kind::Choice { alternatives, .. } => {
                format!("{}::{}", self.types.name(id), alternative_names(alternatives)[at])
            }
            _ => String::new(),
        }
    }

    /// An expression for a reference to an alternative's value, from the variable of a pattern.
    pub(super) fn chosen(&self, id: TypeId, inside: TypeId, bound: &str) -> String {
        if self.types.is_boxed(id, inside) { format!("&**{bound}") } else { bound.to_owned() }
    }
}

/// An expression for a reference to the content of a field.
pub(super) fn referred(field: &str, boxed: bool) -> String {
    if boxed { format!("&*{field}") } else { format!("&{field}") }
}

/// Refuses a value under a condition, and reports its path to the trail.
pub(super) fn refuse(condition: &str, breaks: Option<&str>, place: &Place<'_>, out: &mut Source) {
    out.line(format!("if {condition} {{"));
    if let Some(breaks) = breaks {
        out.line(format!("{breaks};"));
    }
    let mut place = place;
    while let Some((step, outside)) = &place.outside {
        if !step.is_empty() {
            out.line(format!("{step};"));
        }
        place = outside;
    }
    out.line("return false;");
    out.line("}");
}
