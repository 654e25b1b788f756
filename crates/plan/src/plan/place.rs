//! Where a value is.

use roadwire_layout::Member;
use roadwire_model::TypeId;

use super::{Component, Var};

/// A path of components. What it is in memory is the printer's business.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    pub root: Root,
    pub steps: Vec<Step>,
}

/// Where a path begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Root {
    /// At the function's value.
    Value,
    /// At what a variable refers to.
    Reference(Var),
    /// At a variable that holds the value.
    Variable(Var),
}

/// A step into a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// Into a component.
    Component(Component),
    /// Into a box.
    Unboxed,
}

impl Place {
    /// The value of the function.
    pub(crate) fn value() -> Place {
        Place { root: Root::Value, steps: Vec::new() }
    }

    pub(crate) fn reference(var: Var) -> Place {
        Place { root: Root::Reference(var), steps: Vec::new() }
    }

    pub(crate) fn variable(var: Var) -> Place {
        Place { root: Root::Variable(var), steps: Vec::new() }
    }

    /// The place in the box that is in this one.
    pub(crate) fn unboxed(&self) -> Place {
        let mut place = self.clone();
        place.steps.push(Step::Unboxed);
        place
    }

    /// A component of the SEQUENCE or SET `record` in this place.
    pub(crate) fn component(&self, record: TypeId, at: usize) -> Place {
        let mut place = self.clone();
        place.steps.push(Step::Component(Component { record, at }));
        place
    }

    /// The component of a member, and its place.
    pub(crate) fn member(&self, record: TypeId, member: &Member) -> (Component, Place) {
        let at = member.component as usize;
        (Component { record, at }, self.component(record, at))
    }
}
