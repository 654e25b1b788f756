//! Where a check is, and the ways further in.

use roadwire_model::{Kind, TypeId};

use super::Checks;
use super::expressions::dot;
use crate::data::{alternative_names, field_names};
use crate::source::Source;
use crate::types::Types;

/// Where a check is.
pub(super) struct Place<'p> {
    /// An expression of a reference to the value at hand.
    pub(super) value: String,
    /// What a trail is told on the way out, and the place that it is then in.
    pub(super) outside: Option<(String, &'p Place<'p>)>,
    /// An expression: how many levels of types that contain themselves may still come.
    pub(super) levels: String,
}

impl<'p> Place<'p> {
    /// The value that a function checks. Deeper values than encoders take are for these to refuse.
    pub(super) fn whole() -> Self {
        Place { value: "value".into(), outside: None, levels: "roadwire_engine::Limits::DEPTH".into() }
    }

    /// A part of the value here.
    pub(super) fn inner(&'p self, value: String, step: String) -> Self {
        Place { value, outside: Some((step, self)), levels: self.levels.clone() }
    }
}

/// What is written for a part of a value.
pub(super) type Then<'t, 'a, 'm> = &'t mut dyn FnMut(&mut Checks<'a, 'm>, &Place<'_>, &mut Source);

impl<'a, 'm> Checks<'a, 'm> {
    /// Runs `then` over a component where it is there, or over an alternative where it is the one.
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
                let step = self.inside(&alternatives[at].name);
                let inner = out.variable();
                out.line(format!("if let {}({inner}) = {} {{", self.variant(id, at), place.value));
                let access = self.chosen(id, alternatives[at].type_id, &inner);
                then(self, &place.inner(access, step), out);
                out.line("}");
            }
            _ => {}
        }
    }

    /// Runs `then` over the elements of a list.
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
                format!("{}::{}", self.types.repr(id).name(), alternative_names(alternatives)[at])
            }
            _ => String::new(),
        }
    }

    /// An expression of a reference to an alternative's value, of what a pattern binds.
    pub(super) fn chosen(&self, id: TypeId, inside: TypeId, bound: &str) -> String {
        if self.types.is_boxed(id, inside) { format!("&**{bound}") } else { bound.to_owned() }
    }
}

/// An expression of a reference to what is in a field.
pub(super) fn referred(field: &str, boxed: bool) -> String {
    if boxed { format!("&*{field}") } else { format!("&{field}") }
}
