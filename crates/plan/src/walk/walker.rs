//! Steps that all walks have.

use roadwire_layout::{Member, NodeId, Presence, Span};
use roadwire_model::{Alternative, Field, Kind, Presence as ModelPresence, TypeId};

use crate::plan::{Block, Component, Cond, Draft, Place, Stmt, Var};
use crate::types::Repr;
use crate::walk::keys::Row;

/// A walk, or the plan that it makes, if it knows nothing else.
pub(crate) trait Walker<'a, 'm: 'a>: Sized {
    fn draft(&mut self) -> &mut Draft<'a, 'm>;

    /// Statements in a block of their own.
    fn block(&mut self, inside: impl FnOnce(&mut Self)) -> Block {
        self.draft().begin();
        inside(self);
        self.draft().take()
    }

    /// Walks into a type.
    fn within(&mut self, id: TypeId, inside: impl FnOnce(&mut Self)) {
        self.draft().enter(id);
        inside(self);
        self.draft().leave();
    }

    /// Statements of the component or alternative with this number.
    fn named(&mut self, at: usize, inside: impl FnOnce(&mut Self)) {
        if !self.draft().is_thorough {
            return inside(self);
        }
        self.draft().push(Stmt::Settle);
        let body = self.block(|walk| {
            inside(walk);
            walk.draft().push(Stmt::Settle);
        });
        self.draft().push(Stmt::Named { at, body });
    }

    /// Walks into a value, which may be a level of nesting.
    fn level(&mut self, is_level: bool, inside: impl FnOnce(&mut Self)) {
        self.draft().depth += u32::from(is_level);
        inside(self);
        self.draft().depth -= u32::from(is_level);
    }

    /// Writes a component if it is sent.
    fn if_sent(&mut self, component: Component, place: &Place, then: impl FnOnce(&mut Self, &Place)) {
        let (inner, content) = self.draft().sent_content(component, place);
        let then = self.block(|walk| then(walk, &content));
        self.draft().push(Stmt::IfSent { component, place: place.clone(), inner, then });
    }

    /// Writes each element of a list.
    fn each(&mut self, list: &Place, element: impl FnOnce(&mut Self, &Place)) {
        let item = self.draft().variable();
        let body = self.block(|walk| element(walk, &Place::reference(item)));
        self.draft().push(Stmt::Each { item, list: list.clone(), body });
    }

    /// Writes the alternative of a CHOICE: `put` gets its place in the layout's order, and `others`
    /// writes one of a later version.
    fn put_alternatives(
        &mut self,
        id: TypeId,
        alternatives: Span,
        others: Option<(Var, Block)>,
        place: &Place,
        mut put: impl FnMut(&mut Self, usize, &'m Alternative, NodeId, &Place),
    ) {
        let (Repr::Choice, Kind::Choice { alternatives: types, extensible }) =
            (self.draft().types.repr(id), self.draft().types.kind(id))
        else {
            return self.draft().give_up();
        };
        let mut arms = Vec::new();
        for (order, one) in self.draft().layout.alternatives(alternatives).iter().enumerate() {
            let (at, inner) = (one.alternative as usize, self.draft().variable());
            let arm = self.block(|walk| put(walk, order, &types[at], one.node, &Place::reference(inner)));
            arms.push((at, inner, arm));
        }
        let has_others = *extensible && others.is_none();
        arms.extend(others.map(|(inner, code)| (types.len(), inner, code)));
        self.draft().push(Stmt::Switch { id, place: place.clone(), arms, has_others });
    }

    /// Rejects a group of which components are present, and not all mandatory ones (X.680 §25.12).
    fn whole_groups(&mut self, id: TypeId, groups: &[Vec<&Member>], place: &Place) {
        for group in groups.iter().filter(|group| group.len() > 1) {
            let of = |member: &&Member| {
                let (one, field) = place.member(id, member);
                Cond::Sent(one, field)
            };
            let mandatory = group.iter().filter(|member| member.presence == Presence::Mandatory);
            let lacks: Vec<Cond> = mandatory.map(|member| Cond::Not(Box::new(of(member)))).collect();
            if !lacks.is_empty() {
                let is_sent = Cond::either(group.iter().map(of).collect());
                self.draft().push(Stmt::RejectIf(Cond::All(vec![is_sent, Cond::either(lacks)])));
            }
        }
    }

    /// Rejects a component of an addition group that was read and is equal to its DEFAULT: it
    /// counts as present, and memory does not show that it was.
    fn refuse_default_in_group(&mut self, one: Component, field: &Place) {
        let component = self.draft().component(one);
        if matches!((component.field, &component.presence), (Field::Group(_), ModelPresence::Default(_))) {
            self.draft().push(Stmt::RejectIf(Cond::Not(Box::new(Cond::Sent(one, field.clone())))));
        }
    }

    /// Makes a CHOICE hold an alternative, and returns the place of its content.
    fn choose(&mut self, id: TypeId, alternative: usize, place: &Place) -> Place {
        let inner = self.draft().variable();
        self.draft().push(Stmt::Choose { id, alternative, place: place.clone(), inner });
        Place::reference(inner)
    }

    /// Reads an open type: a value of the type that its row has, or `octets` where none is
    /// selected.
    fn take_open(
        &mut self,
        row: Row,
        nodes: &[NodeId],
        mut take: impl FnMut(&mut Self, usize, NodeId),
        octets: impl FnOnce(&mut Self),
    ) {
        match (row, nodes.first()) {
            (Row::Only, Some(node)) => take(self, 0, *node),
            (Row::Selected(row), _) => {
                let mut arms = Vec::new();
                for (at, node) in nodes.iter().enumerate() {
                    arms.push((at as u64, self.block(|walk| take(walk, at, *node))));
                }
                let others = self.block(octets);
                self.draft().push(Stmt::SelectRow { row, arms, others });
            }
            (Row::Ahead, _) => octets(self),
            (Row::Unknown | Row::Only, _) => self.draft().give_up(),
        }
    }
}

impl<'a, 'm: 'a> Walker<'a, 'm> for Draft<'a, 'm> {
    fn draft(&mut self) -> &mut Self {
        self
    }
}
