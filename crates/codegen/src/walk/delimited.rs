//! Records and choices of families whose values come after tags or keys.

use roadwire_layout::{Member, NodeId, Presence, Span};
use roadwire_model::{Field, Kind, TypeId};

use crate::plan::{Block, Component, Cond, Draft, Element, Num, Place, Stmt, Var};
use crate::types::{Repr, Storage};
use crate::walk::keys::Keys;

/// A walk over such a family.
pub(crate) trait Delimited<'a, 'm: 'a>: Sized {
    fn draft(&mut self) -> &mut Draft<'a, 'm>;

    /// The components so far that select types of open types.
    fn keys(&mut self) -> &mut Keys;

    /// A component or an alternative, with its tag or key.
    fn value(&mut self, id: TypeId, node: NodeId, place: &Place);

    /// The condition under which a decoder finds a value next; `None` if a few constants do not identify it.
    fn comes(&mut self, node: NodeId) -> Option<Cond>;

    /// Whether a value may begin with anything.
    fn is_any(&mut self, _node: NodeId) -> bool {
        false
    }

    /// Whether a decoder knows the end of the enclosing value.
    fn has_end(&mut self) -> bool;

    /// Statements in a block of their own.
    fn block(&mut self, inside: impl FnOnce(&mut Self)) -> Block {
        self.draft().begin();
        inside(self);
        self.draft().take()
    }

    /// A component has been coded; see [`Keys::pass`].
    fn pass(&mut self, component: Component, node: NodeId, place: &Place) {
        let (types, layout) = (self.draft().types, self.draft().layout);
        self.keys().pass(types, layout, types.component(component), node, place);
    }

    /// The components of a record. With `has_groups`, encoders leave components of addition groups to the interpreter.
    fn components(&mut self, id: TypeId, members: Span, is_extensible: bool, has_groups: bool, place: &Place) {
        if !matches!(self.draft().types.kind(id), Kind::Sequence { .. }) {
            return self.draft().give_up();
        }
        let members = self.draft().layout.members(members);
        match self.draft().is_encoder() {
            true => self.put_components(id, members, is_extensible, has_groups, place),
            false => self.take_components(id, members, is_extensible, place),
        }
    }

    fn put_components(&mut self, id: TypeId, members: &[Member], is_extensible: bool, has_groups: bool, place: &Place) {
        self.draft().push_if(is_extensible, Stmt::RejectIf(Cond::HasUnknown(place.clone())));
        for member in members {
            let at = member.component as usize;
            let (one, field) = (Component { record: id, at }, place.component(id, at));
            if has_groups && matches!(self.draft().component(one).field, Field::Group(_)) {
                // All mandatory components of a group must be present: left to the interpreter.
                self.draft().push(Stmt::RejectIf(Cond::Sent(one, field)));
                continue;
            }
            self.put_component(one, member, &field);
            self.pass(one, member.node, &field);
        }
    }

    fn put_component(&mut self, one: Component, member: &Member, field: &Place) {
        let component = self.draft().component(one);
        if component.field == Field::Root && member.presence == Presence::Mandatory {
            return self.value(component.type_id, member.node, field);
        }
        if self.draft().types.has_named_bits_default(component) {
            // Trailing zero bits are ignored in this comparison, so comparing words is not enough.
            self.draft().push(Stmt::Settle);
            return self.draft().give_up();
        }
        let (inner, content) = self.draft().sent_content(one, field);
        let then = self.block(|walk| walk.value(component.type_id, member.node, &content));
        self.draft().push(Stmt::IfSent { component: one, place: field.clone(), inner, then });
    }

    fn take_components(&mut self, id: TypeId, members: &[Member], is_extensible: bool, place: &Place) {
        self.draft().push_if(is_extensible, Stmt::ForgetUnknown(place.clone()));
        let optional = |walk: &mut Self, member: &Member| {
            let component = walk.draft().component(Component { record: id, at: member.component as usize });
            member.presence != Presence::Mandatory || component.field != Field::Root
        };
        let tail = members.iter().rev().take_while(|member| optional(self, member)).count();
        // A single test shows that all of the last ones are absent.
        let guarded = tail > 1 && self.has_end();
        let (first, last) = members.split_at(if guarded { members.len() - tail } else { members.len() });
        let each = |walk: &mut Self, members: &[Member], is_end: bool| {
            for (order, member) in members.iter().enumerate() {
                let is_last = is_end && !is_extensible && order + 1 == members.len();
                walk.take_component(id, member, is_last, place);
            }
        };
        each(self, first, !guarded);
        if guarded {
            let then = self.block(|walk| {
                for member in last {
                    let at = member.component as usize;
                    walk.draft().push(Stmt::Clear(Component { record: id, at }, place.component(id, at)));
                }
            });
            let otherwise = self.block(|walk| each(walk, last, true));
            self.draft().push(Stmt::If { condition: Cond::AtEnd, then, otherwise: Some(otherwise) });
        }
    }

    fn take_component(&mut self, id: TypeId, member: &Member, is_last: bool, place: &Place) {
        let at = member.component as usize;
        let (one, field) = (Component { record: id, at }, place.component(id, at));
        let component = self.draft().component(one);
        if member.presence == Presence::Mandatory && component.field == Field::Root {
            self.value(component.type_id, member.node, &field);
        } else if is_last && self.has_end() && component.field == Field::Root && self.is_any(member.node) {
            self.if_comes(Cond::BeforeEnd, one, member, &field);
        } else {
            self.take_optional(one, member, &field);
        }
        self.pass(one, member.node, &field);
    }

    fn take_optional(&mut self, one: Component, member: &Member, field: &Place) {
        let is_group = matches!(self.draft().component(one).field, Field::Group(_));
        let Some(comes) = self.comes(member.node).filter(|_| !is_group) else {
            // If it is present, it is left over and refused.
            return self.draft().push(Stmt::Clear(one, field.clone()));
        };
        let comes = if self.has_end() { Cond::All(vec![Cond::BeforeEnd, comes]) } else { comes };
        self.if_comes(comes, one, member, field);
    }

    /// A component that is present under a condition.
    fn if_comes(&mut self, condition: Cond, one: Component, member: &Member, field: &Place) {
        let type_id = self.draft().component(one).type_id;
        let then = self.block(|walk| {
            let content = walk.draft().present(one, field);
            walk.value(type_id, member.node, &content);
        });
        let otherwise = Some(vec![Stmt::Clear(one, field.clone())]);
        self.draft().push(Stmt::If { condition, then, otherwise });
    }

    /// What an encoder does for the alternatives of a CHOICE.
    fn put_alternatives(&mut self, id: TypeId, alternatives: Span, is_extensible: bool, place: &Place) {
        let (Repr::Choice(_), Kind::Choice { alternatives: types, .. }) =
            (self.draft().types.repr(id), self.draft().types.kind(id))
        else {
            return self.draft().give_up();
        };
        let mut arms = Vec::new();
        for one in self.draft().layout.alternatives(alternatives) {
            let (at, inner) = (one.alternative as usize, self.draft().variable());
            let arm = self.block(|walk| walk.value(types[at].type_id, one.node, &Place::reference(inner)));
            arms.push((at, inner, arm));
        }
        self.draft().push(Stmt::Switch { id, place: place.clone(), arms, has_others: is_extensible });
    }

    /// What a decoder does for an alternative of a CHOICE.
    fn take_alternative(&mut self, id: TypeId, at: usize, node: NodeId, place: &Place) {
        let Kind::Choice { alternatives, .. } = self.draft().types.kind(id) else { return };
        let inner = self.draft().variable();
        self.draft().push(Stmt::Choose { id, alternative: at, place: place.clone(), inner });
        self.value(alternatives[at].type_id, node, &Place::reference(inner));
    }

    /// What a decoder does for elements while there are more.
    fn elements(
        &mut self,
        condition: Cond,
        (list, item): (Var, Var),
        list_id: TypeId,
        value: impl FnOnce(&mut Self, TypeId, &Place),
    ) {
        let Repr::List { element, storage } = *self.draft().types.repr(list_id) else { return };
        let id = self.draft().types.canonical(element);
        // The interpreter's limits apply to longer lists.
        let most = if let Storage::Extensible(most) = storage { Some(most) } else { None };
        let place = self.draft().element(id, item);
        let body = self.block(|walk| value(walk, id, &place));
        self.draft().push(Stmt::While { condition, most, element: Element { list, list_id, id, item }, body });
    }

    /// Rejects a list that has too few or too many elements.
    fn size_of(&mut self, list: Var, bounds: (u64, u64)) {
        self.draft().reject_if(Cond::size_outside(Num::Elements(Place::variable(list)), bounds));
    }
}
