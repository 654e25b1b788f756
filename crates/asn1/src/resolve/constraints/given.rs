//! Constraints as given, until sets are made of them.

use std::rc::Rc;

use super::super::intervals::Intervals;
use super::super::parameters::Scope;
use crate::ast::{self, Ident, Set};
use roadwire_source::Span;

/// A constraint of a slot that may be more than the effective one.
#[derive(Clone)]
pub(in super::super) struct Given {
    pub(super) what: What,
    pub(super) scope: Rc<Scope>,
    pub(super) span: Span,
    /// No other constraint follows it. If one does, its extension marker is dropped (X.680 §50.8).
    pub(super) is_last: bool,
}

impl Given {
    /// Notes that another constraint follows it.
    pub(super) fn is_followed(&mut self) {
        self.is_last = false;
    }
}

#[derive(Clone)]
pub(super) enum What {
    /// The set, and the meaning of MIN and MAX: the ends of the parent type's integers or characters.
    Subtype { set: Rc<Set>, parent: Rc<Parent> },
    /// An object set, of which the chain of field names has one of the values (X.682 §10.3).
    Table { set: ast::Reference, path: Vec<Ident> },
}

#[derive(Default)]
pub(super) struct Parent {
    pub(super) ints: Option<Intervals>,
    pub(super) chars: Option<Intervals>,
}
