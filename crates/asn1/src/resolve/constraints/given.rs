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
    /// The next constraint, which drops its extension marker (X.680 §50.8).
    pub(super) followed_by: Option<Span>,
    /// It has an extension marker.
    pub(super) is_extensible: bool,
}

impl Given {
    /// Notes that another constraint follows it.
    pub(super) fn follow(&mut self, span: Span) {
        self.followed_by.get_or_insert(span);
    }
}

#[derive(Clone)]
pub(super) enum What {
    /// The set, and the meaning of MIN and MAX: the ends of the parent type's integers or
    /// characters.
    Subtype { set: Rc<Set>, parent: Rc<Parent> },
    /// An object set, of which the chain of field names has one of the values (X.682 §10.3).
    Table { set: ast::Reference, path: Vec<Ident> },
}

#[derive(Default)]
pub(super) struct Parent {
    pub(super) ints: Option<Intervals>,
    pub(super) chars: Option<Intervals>,
}
