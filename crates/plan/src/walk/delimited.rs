//! Records and choices of families whose values come after tags or keys.

use std::ops::{Range, RangeInclusive};

use roadwire_layout::{Layout, Member, NodeId, Presence, Span};
use roadwire_model::{Field, Kind, TypeId};

use crate::plan::{Block, Component, Cond, Element, Num, Place, Reason, Stmt, Var};
use crate::types::Repr;
use crate::walk::walker::Walker;

/// A walk over such a family.
pub(crate) trait Delimited<'a, 'm: 'a>: Walker<'a, 'm> {
    /// A component or an alternative, with its tag or key.
    fn value(&mut self, id: TypeId, node: NodeId, place: &Place);

    /// The condition under which a decoder finds a value next; `None` if a few constants do not
    /// identify it.
    fn comes(&mut self, node: NodeId) -> Option<Cond>;

    /// Whether a value may begin with anything.
    fn is_any(&mut self, _node: NodeId) -> bool {
        false
    }

    /// Whether a decoder knows the end of the enclosing value.
    fn has_end(&mut self) -> bool;

    /// The condition under which the enclosing value has more in it.
    fn more(&mut self) -> Cond {
        Cond::BeforeEnd
    }

    /// In a thorough plan: rejects what cannot be a component.
    fn may_come(&mut self) {}

    /// In a thorough plan: rejects what is not the value of a mandatory component.
    fn must_come(&mut self, _node: NodeId) {}

    /// The components of a record.
    fn components(&mut self, id: TypeId, record: &Record<'_>, place: &Place) {
        if !matches!(self.draft().types.kind(id), Kind::Sequence { .. }) {
            return self.draft().give_up();
        }
        match self.draft().is_encoder() {
            true => self.put_components(id, record, place),
            false => self.take_components(id, record, place),
        }
    }

    fn put_components(&mut self, id: TypeId, record: &Record<'_>, place: &Place) {
        let has_unknown = record.is_extensible && record.later.is_none();
        self.draft().push_if(has_unknown, Stmt::RejectIf(Cond::HasUnknown(place.clone())));
        self.all_groups(id, record, place);
        if self.draft().types.stands_alone() && self.draft().keys.has_ahead() {
            // A component may select the type of an open type before it.
            for member in &record.members {
                let (one, field) = place.member(id, member);
                self.draft().pass(one, member.node, &field);
            }
        }
        for (order, member) in record.members.iter().enumerate() {
            self.later_at(order, record);
            let (one, field) = place.member(id, member);
            self.put_component(one, member, &field);
            self.draft().pass(one, member.node, &field);
        }
        self.later_at(record.members.len(), record);
    }

    /// Codes additions of a later version if they come before this member.
    fn later_at(&mut self, order: usize, record: &Record<'_>) {
        if let Some(later) = record.later.as_ref().filter(|later| later.at.contains(&order)) {
            later.code.iter().for_each(|statement| self.draft().push(statement.clone()));
        }
    }

    fn put_component(&mut self, one: Component, member: &Member, field: &Place) {
        let component = self.draft().component(one);
        if self.draft().is_always(one, member) {
            return self.named(one.at, |walk| walk.value(component.type_id, member.node, field));
        }
        self.if_sent(one, field, |walk, content| {
            walk.named(one.at, |walk| walk.value(component.type_id, member.node, content));
        });
    }

    fn take_components(&mut self, id: TypeId, record: &Record<'_>, place: &Place) {
        let Record { ref members, is_extensible, .. } = *record;
        self.draft().push_if(is_extensible, Stmt::ForgetUnknown(place.clone()));
        let optional = |walk: &mut Self, member: &Member| {
            !walk.draft().is_always(Component { record: id, at: member.component as usize }, member)
        };
        let tail = members.iter().rev().take_while(|member| optional(self, member)).count();
        // A single test shows that all of the last ones are absent.
        let guarded = tail > 1 && self.has_end();
        let split = if guarded { members.len() - tail } else { members.len() };
        let each = |walk: &mut Self, range: Range<usize>| {
            let is_end = range.end == members.len();
            for at in range {
                walk.later_at(at, record);
                let is_last = !is_extensible && at + 1 == members.len();
                walk.take_component(id, (at, record), is_last, place);
            }
            if is_end {
                walk.later_at(members.len(), record);
                walk.may_come();
                walk.all_groups(id, record, place);
            }
        };
        each(self, 0..split);
        if guarded {
            let then = self.block(|walk| {
                for member in &members[split..] {
                    let (one, field) = place.member(id, member);
                    walk.draft().push(Stmt::Clear(one, field));
                }
            });
            let otherwise = self.block(|walk| each(walk, split..members.len()));
            self.draft().push(Stmt::If { condition: Cond::AtEnd, then, otherwise: Some(otherwise) });
        }
    }

    /// Reads the member that is at a place in a record.
    fn take_component(&mut self, id: TypeId, (at, record): (usize, &Record<'_>), is_last: bool, place: &Place) {
        let member = record.members[at];
        let (one, field) = place.member(id, member);
        let component = self.draft().component(one);
        self.may_come();
        if self.draft().is_always(one, member) {
            self.named(one.at, |walk| {
                walk.must_come(member.node);
                walk.value(component.type_id, member.node, &field);
            });
        } else if is_last && component.field == Field::Root && self.is_any(member.node) {
            let more = self.more();
            self.if_comes(more, one, (at, record), place);
        } else {
            self.take_optional(one, (at, record), place);
        }
        self.draft().pass(one, member.node, &field);
    }

    /// Rejects a group that lacks a mandatory component, if it has others.
    fn all_groups(&mut self, id: TypeId, record: &Record<'_>, place: &Place) {
        match self.draft().is_thorough {
            true => self.lacks_none(id, record, record.members.len(), place),
            false => self.whole_groups(id, &record.groups, place),
        }
    }

    /// In a thorough plan: rejects a group that lacks a mandatory component before a place,
    /// where it has others.
    fn lacks_none(&mut self, id: TypeId, record: &Record<'_>, at: usize, place: &Place) {
        if !self.draft().is_thorough {
            return;
        }
        self.draft().because(Reason::Component);
        let order = |member: &Member| record.members.iter().position(|one| std::ptr::eq(*one, member));
        let sent = |member: &Member| {
            let (one, field) = place.member(id, member);
            Cond::Sent(one, field)
        };
        for group in record.groups.iter().filter(|group| group.len() > 1) {
            let passed: Vec<&Member> = group.iter().copied().filter(|one| order(one) < Some(at)).collect();
            let is_begun = match group.iter().any(|one| order(one) == Some(at)) {
                true => Cond::True,
                false => Cond::Any(passed.iter().map(|one| sent(one)).collect()),
            };
            for one in passed.into_iter().filter(|one| one.presence == Presence::Mandatory) {
                let lacks = Cond::All(vec![is_begun.clone(), Cond::Not(Box::new(sent(one)))]);
                self.named(one.component as usize, |walk| walk.draft().push(Stmt::RejectIf(lacks)));
            }
        }
    }

    fn take_optional(&mut self, one: Component, (at, record): (usize, &Record<'_>), place: &Place) {
        let Some(comes) = self.comes(record.members[at].node) else {
            // If it is present, it is left over and refused.
            return self.draft().push(Stmt::Clear(one, place.component(one.record, one.at)));
        };
        let comes = if self.has_end() { Cond::All(vec![Cond::BeforeEnd, comes]) } else { comes };
        self.if_comes(comes, one, (at, record), place);
    }

    /// A component that is present under a condition.
    fn if_comes(&mut self, condition: Cond, one: Component, (at, record): (usize, &Record<'_>), place: &Place) {
        let (type_id, field) = (self.draft().component(one).type_id, place.component(one.record, one.at));
        let then = self.block(|walk| {
            walk.lacks_none(one.record, record, at, place);
            walk.named(one.at, |walk| {
                let content = walk.draft().present(one, &field);
                walk.value(type_id, record.members[at].node, &content);
            });
            walk.refuse_default_in_group(one, &field);
        });
        let otherwise = Some(vec![Stmt::Clear(one, field.clone())]);
        self.draft().push(Stmt::If { condition, then, otherwise });
    }

    /// Reads an alternative of a CHOICE.
    fn take_alternative(&mut self, id: TypeId, at: usize, node: NodeId, place: &Place) {
        let Kind::Choice { alternatives, .. } = self.draft().types.kind(id) else { return };
        self.named(at, |walk| {
            let content = walk.choose(id, at, place);
            walk.value(alternatives[at].type_id, node, &content);
        });
    }

    /// Reads elements while there are more.
    fn elements(
        &mut self,
        condition: Cond,
        (list, item): (Var, Var),
        list_id: TypeId,
        value: impl FnOnce(&mut Self, TypeId, &Place),
    ) {
        let Repr::List { element, .. } = *self.draft().types.repr(list_id) else { return };
        let id = self.draft().types.canonical(element);
        let place = self.draft().element(id, item);
        let body = self.block(|walk| value(walk, id, &place));
        self.draft().push(Stmt::While { condition, element: Element { list, list_id, id, item, fewest: 0 }, body });
    }

    /// Rejects a list that has too few or too many elements.
    fn size_of(&mut self, list: Var, bounds: (u64, u64)) {
        self.draft().reject_if(Cond::size_outside(Num::Elements(Place::variable(list)), bounds));
    }
}

/// The components of a record.
pub(crate) struct Record<'l> {
    /// All members in the order in which they are coded.
    pub(crate) members: Vec<&'l Member>,
    /// The members of each addition group.
    pub(crate) groups: Vec<Vec<&'l Member>>,
    pub(crate) is_extensible: bool,
    /// How additions of a later version are coded; `None` if they are left to the interpreter.
    pub(crate) later: Option<Later>,
}

/// Additions of a later version: code that writes or reads them, before these members and at the
/// end.
pub(crate) struct Later {
    pub(crate) at: RangeInclusive<usize>,
    pub(crate) code: Block,
}

/// The members of each addition group.
pub(crate) fn groups(layout: &Layout, members: Span, groups: Span) -> Vec<Vec<&Member>> {
    let members = layout.members(members);
    layout.groups(groups).map(|group| members.get(group).unwrap_or(&[]).iter().collect()).collect()
}
