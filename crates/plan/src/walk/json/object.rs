//! SEQUENCE and SET: an object with a member for each component.

use std::collections::HashSet;
use std::ops::Range;

use roadwire_layout::{JsonNode, Member, Node, NodeId, Presence, Span};
use roadwire_model::{Kind, TypeId};

use super::{Walk, quoted};
use crate::plan::{Arg, Component, Cond, Num, Place, Prim, Reason, Stmt, Text, Var};
use crate::types::Types;
use crate::walk::walker::Walker;

/// The members of a SEQUENCE or SET.
pub(super) struct Object<'m> {
    pub(super) id: TypeId,
    components: &'m [roadwire_model::Component],
    pub(super) members: &'m [Member],
    /// Groups of members of which some may be present without others, which is an error.
    groups: Vec<Range<usize>>,
    /// All groups.
    pub(super) all_groups: Vec<Range<usize>>,
    /// How many extension additions are known, if there may be others.
    pub(super) added: Option<u32>,
}

impl Object<'_> {
    pub(super) fn component(&self, order: usize) -> &roadwire_model::Component {
        &self.components[self.members[order].component as usize]
    }

    pub(super) fn field(&self, order: usize, place: &Place) -> (Component, Place) {
        place.member(self.id, &self.members[order])
    }

    /// Whether a member is in every value.
    pub(super) fn is_sure(&self, order: usize) -> bool {
        let is_mandatory = |member: &Member| member.presence == Presence::Mandatory;
        self.members.get(order).is_some_and(is_mandatory) && !Types::is_option(self.component(order))
    }

    /// The group of a member that may be absent without others of the group.
    fn group_of(&self, order: usize) -> Option<&Range<usize>> {
        self.groups.iter().find(|group| group.contains(&order))
    }

    /// The names of all members; `None` if one needs escapes.
    pub(super) fn names(&self) -> Option<Vec<String>> {
        let name = |order| quoted(&self.component(order).name).map(|_| self.component(order).name.clone());
        (0..self.members.len()).map(name).collect()
    }

    fn can_be_incomplete(&self, group: &Range<usize>) -> bool {
        group.len() > 1 && self.members[group.clone()].iter().any(|member| member.presence == Presence::Mandatory)
    }
}

impl<'a, 'm: 'a> Walk<'_, 'a, 'm> {
    /// `added` is how many extension additions are known, if there may be others.
    pub(super) fn object(&mut self, id: TypeId, members: Span, groups: Span, added: Option<u32>, place: &Place) {
        let Some(object) = self.object_of(id, members, groups, added) else { return self.draft.give_up() };
        if self.in_any_form() {
            return self.take_any_object(&object, place);
        }
        match self.draft.is_encoder() {
            true => self.put_object(&object, place),
            false => self.take_object(&object, place),
        }
    }

    pub(super) fn object_of(&self, id: TypeId, members: Span, groups: Span, added: Option<u32>) -> Option<Object<'a>> {
        let Kind::Sequence { components, .. } = self.draft.types.kind(id) else { return None };
        let layout = self.draft.layout;
        let (members, all_groups) = (layout.members(members), layout.groups(groups).collect());
        let mut object = Object { id, components, members, groups: Vec::new(), all_groups, added };
        object.groups = layout.groups(groups).filter(|group| object.can_be_incomplete(group)).collect();
        Some(object)
    }

    fn put_object(&mut self, object: &Object<'_>, place: &Place) {
        let has_named_bits = |component| self.draft.types.has_named_bits_default(component);
        if !self.draft.types.stands_alone() && object.components.iter().any(has_named_bits) {
            // Trailing zero bits are ignored in this comparison, so comparing words is not enough.
            return self.draft.give_up();
        }
        let later = self.later(object, place);
        let refused = Stmt::RejectIf(Cond::HasUnknown(place.clone()));
        self.draft.push_if(object.added.is_some() && later.is_none(), refused);
        for group in &object.groups {
            self.reject_incomplete(object, group, |at| {
                let (one, field) = object.field(at, place);
                Cond::Sent(one, field)
            });
        }
        // A value in memory is whole: the members that select rows may follow the open types.
        for (order, member) in object.members.iter().enumerate() {
            let (one, field) = object.field(order, place);
            self.draft.pass(one, member.node, &field);
        }
        // If the first member is mandatory, commas and the bracket are constants.
        let start = (!object.is_sure(0)).then(|| self.position());
        for (order, member) in object.members.iter().enumerate() {
            let ((one, field), id) = (object.field(order, place), object.component(order).type_id);
            let Some(name) = quoted(&object.component(order).name) else { return self.draft.give_up() };
            let name = format!("{}{name}:", if start.is_none() && order == 0 { '{' } else { ',' });
            if object.is_sure(order) {
                self.text(&name);
                self.named(one.at, |walk| walk.value(id, member.node, &field));
            } else {
                self.if_sent(one, &field, |walk, content| {
                    walk.text(&name);
                    walk.named(one.at, |walk| walk.value(id, member.node, content));
                });
            }
        }
        later.into_iter().for_each(|later| self.draft.push(later));
        match start {
            None => self.text("}"),
            Some(start) => self.close(start, *b"{}"),
        }
    }

    /// Members of a later version are written by thorough plans alone.
    fn later(&mut self, object: &Object<'_>, place: &Place) -> Option<Stmt> {
        let added = object.added.filter(|_| self.draft.is_thorough)?;
        let args = vec![Arg::Unknown(place.clone()), Arg::Num(Num::Const(added.into())), Arg::Names(object.names()?)];
        Some(Stmt::Do(Prim::Text(Text::PutUnknown), args))
    }

    fn take_object(&mut self, object: &Object<'_>, place: &Place) {
        self.draft.push_if(object.added.is_some(), Stmt::ForgetUnknown(place.clone()));
        self.text("{");
        // The flag for no member so far; `None` where there has been one.
        let mut first = (!object.is_sure(0)).then(|| {
            let first = self.draft.variable();
            self.draft.push(Stmt::LetFlag(first));
            first
        });
        let (mut seen, mut skipped) = (Vec::new(), Vec::new());
        for (order, member) in object.members.iter().enumerate() {
            let ((one, field), id) = (object.field(order, place), object.component(order).type_id);
            let Some(name) = quoted(&object.component(order).name) else { return self.draft.give_up() };
            let name = format!("{name}:");
            if object.is_sure(order) {
                match first.take() {
                    None => self.text(&format!("{}{name}", if order == 0 { "" } else { "," })),
                    Some(first) => self.draft.push(Stmt::RejectIf(Cond::Not(Box::new(Cond::Member(first, name))))),
                }
                if self.is_ahead(member.node, &mut HashSet::new()) {
                    // The component that selects its type comes later.
                    let content = self.draft.get(Prim::Text(Text::SkipValue), Vec::new());
                    skipped.push((order, content, None));
                    continue;
                }
                self.value(id, member.node, &field);
            } else {
                let comes = match first {
                    None => Cond::Accept(format!(",{name}")),
                    Some(first) => Cond::Member(first, name),
                };
                // It is skipped as well, where no interpreter stands behind.
                let is_late = self.draft.types.stands_alone() && self.is_ahead(member.node, &mut HashSet::new());
                let later = is_late.then(|| (self.draft.get(Prim::Text(Text::Here), Vec::new()), self.draft.flag()));
                let condition = self.seen_in_group(object, order, comes, &mut seen);
                let then = self.block(|walk| {
                    first.into_iter().for_each(|first| walk.draft.push(Stmt::ClearFlag(first)));
                    match later {
                        None => {
                            let content = walk.draft.present(one, &field);
                            walk.value(id, member.node, &content);
                        }
                        Some((content, is_absent)) => {
                            walk.act(Text::SkipValue, vec![Arg::Num(Num::Var(content))]);
                            walk.draft.push(Stmt::ClearFlag(is_absent));
                        }
                    }
                });
                skipped.extend(later.map(|(content, is_absent)| (order, content, Some(is_absent))));
                let otherwise = Some(vec![Stmt::Clear(one, field.clone())]);
                self.draft.push(Stmt::If { condition, then, otherwise });
            }
            self.draft.pass(one, member.node, &field);
            if let Some(group) = object.group_of(order).filter(|group| group.end == order + 1) {
                self.reject_incomplete(object, group, |at| Cond::Var(seen[at - group.start]));
                seen.clear();
            }
        }
        for (order, content, is_absent) in skipped {
            match is_absent {
                None => self.take_skipped(object, order, content, place),
                Some(is_absent) => {
                    let then = self.block(|walk| walk.take_skipped(object, order, content, place));
                    let condition = Cond::Not(Box::new(Cond::Var(is_absent)));
                    self.draft.push(Stmt::If { condition, then, otherwise: None });
                }
            }
            let (one, field) = object.field(order, place);
            self.draft.pass(one, object.members[order].node, &field);
        }
        self.text("}");
    }

    /// Reads a member that was skipped.
    fn take_skipped(&mut self, object: &Object<'_>, order: usize, content: Var, place: &Place) {
        let (node, (one, field)) = (object.members[order].node, object.field(order, place));
        let after = self.draft.get(Prim::Text(Text::Revisit), vec![Arg::Num(Num::Var(content))]);
        let inner = self.draft.present(one, &field);
        self.value(object.component(order).type_id, node, &inner);
        self.act(Text::Resume, vec![Arg::Num(Num::Var(after))]);
    }

    /// Whether there is an open type in a value whose type is selected by what comes later; nodes
    /// in `seen` have none.
    pub(super) fn is_ahead(&self, node: NodeId, seen: &mut HashSet<NodeId>) -> bool {
        let layout = self.draft.layout;
        if !self.draft.keys.has_ahead() || !seen.insert(node) {
            return false;
        }
        match *layout.node(node) {
            Node::Key { node, .. }
            | Node::Scope { record: node, .. }
            | Node::Json(JsonNode::Array { element: node, .. }) => self.is_ahead(node, seen),
            Node::Json(JsonNode::Selected { slot, .. }) => self.draft.keys.is_ahead(slot),
            Node::Json(JsonNode::Object { members, .. }) => {
                layout.members(members).iter().any(|member| self.is_ahead(member.node, seen))
            }
            Node::Json(JsonNode::Single { alternatives, .. }) => {
                layout.alternatives(alternatives).iter().any(|one| self.is_ahead(one.node, seen))
            }
            _ => false,
        }
    }

    /// Names the condition under which a member comes, if it is in a group.
    fn seen_in_group(&mut self, object: &Object<'_>, order: usize, comes: Cond, seen: &mut Vec<Var>) -> Cond {
        if object.group_of(order).is_none() {
            return comes;
        }
        let is_seen = self.draft.variable();
        self.draft.push(Stmt::Is(is_seen, comes));
        seen.push(is_seen);
        Cond::Var(is_seen)
    }

    /// Rejects a group of which some members are present, but not all that have to be then (X.680
    /// §25.12).
    fn reject_incomplete(&mut self, object: &Object<'_>, group: &Range<usize>, present: impl Fn(usize) -> Cond) {
        let mandatory = group.clone().filter(|at| object.members[*at].presence == Presence::Mandatory);
        let some = group.clone().map(&present).collect();
        if self.draft.is_thorough {
            for at in mandatory {
                let is_lacking =
                    Cond::All(vec![Cond::Not(Box::new(present(at))), Cond::Any(group.clone().map(&present).collect())]);
                self.named(object.members[at].component as usize, |walk| {
                    walk.draft.because(Reason::Component);
                    walk.draft.push(Stmt::RejectIf(is_lacking));
                });
            }
            return;
        }
        let absent = mandatory.map(|at| Cond::Not(Box::new(present(at)))).collect();
        self.draft.push(Stmt::RejectIf(Cond::All(vec![Cond::Any(some), Cond::Any(absent)])));
    }
}
