//! Places in memory.

use roadwire_model::Kind;

use super::Printer;
use crate::data::field_names;
use crate::place::Place as Text;
use roadwire_plan::{Component, Place, Root, Step, Var};

/// A variable's name.
pub(super) fn name(var: Var) -> String {
    format!("v{}", var.0)
}

impl Printer<'_, '_> {
    pub(super) fn place(&self, place: &Place) -> Text {
        let root = match place.root {
            Root::Value => Text::reference("value"),
            Root::Reference(var) => Text::reference(name(var)),
            Root::Variable(var) => Text::new(name(var)),
        };
        place.steps.iter().fold(root, |outer, step| match step {
            Step::Component(one) => outer.field(&self.field(*one)),
            Step::Unboxed => outer.unboxed(),
        })
    }

    fn field(&self, Component { record, at }: Component) -> String {
        match self.types.kind(record) {
            Kind::Sequence { components, .. } => field_names(components)[at].clone(),
            _ => String::new(),
        }
    }
}
