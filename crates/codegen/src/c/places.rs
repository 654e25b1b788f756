//! Places in memory.

use roadwire_model::Kind;
use roadwire_plan::{Component, Place, Root, Step, Var};

use super::names::CTypes;
use super::statements::Printer;

/// A place as text.
pub(super) struct Text {
    /// The record that has it, to be followed by a member's name.
    record: String,
    /// The member; the whole expression if it is none.
    name: String,
    is_pointer: bool,
}

impl Text {
    /// The value in the place.
    pub(super) fn value(&self) -> String {
        if self.is_pointer { format!("(*{})", self.whole()) } else { self.whole() }
    }

    /// The address of the place.
    pub(super) fn address(&self) -> String {
        if self.is_pointer { self.whole() } else { format!("&{}", self.whole()) }
    }

    /// A member of the value in it.
    pub(super) fn member(&self, name: &str) -> String {
        format!("{}{name}", self.inside())
    }

    /// Whether the component is present.
    pub(super) fn presence(&self) -> String {
        format!("{}has_{}", self.record, self.name)
    }

    fn inside(&self) -> String {
        format!("{}{}", self.whole(), if self.is_pointer { "->" } else { "." })
    }

    fn whole(&self) -> String {
        format!("{}{}", self.record, self.name)
    }
}

/// A variable's name.
pub(super) fn name(var: Var) -> String {
    format!("v{}", var.0)
}

impl Printer<'_, '_> {
    pub(super) fn place(&self, place: &Place) -> Text {
        let pointer = |name: String| Text { record: String::new(), name, is_pointer: true };
        let root = match place.root {
            Root::Value => pointer("value".into()),
            Root::Reference(var) | Root::Variable(var) => pointer(name(var)),
        };
        place.steps.iter().fold(root, |outer, step| match step {
            Step::Component(one) => {
                let is_pointer = self.types.is_component_apart(one.record, self.types.component(*one));
                Text { record: outer.inside(), name: self.field(*one), is_pointer }
            }
            Step::Unboxed => outer,
        })
    }

    fn field(&self, Component { record, at }: Component) -> String {
        match self.types.kind(record) {
            Kind::Sequence { components, .. } => CTypes::fields(components)[at].clone(),
            _ => String::new(),
        }
    }
}
