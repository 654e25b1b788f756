//! Decoders of thorough plans: members in any order, white space and escapes anywhere, and what is
//! of a later version. The components that select types of open types are read before all others,
//! and again in their turn.

use roadwire_layout::{JsonNode, Member, Node, NodeId, Presence, Span};
use roadwire_model::{Kind, TypeId};

use super::keys_ahead::Unread;
use super::object::Object;
use super::{DIGITS, Walk, quoted};
use crate::plan::{Arg, Cond, Element, Num, Place, Prim, Reason, Stmt, Text, Var};
use crate::walk::text::{digits, fill_digits, sizes};
use crate::walk::walker::Walker;

impl<'a, 'm: 'a> Walk<'_, 'a, 'm> {
    /// Whether any form is read.
    pub(super) fn in_any_form(&self) -> bool {
        self.draft.is_thorough && !self.draft.is_encoder()
    }

    pub(super) fn take_any_object(&mut self, object: &Object<'_>, place: &Place) {
        let Some(names) = object.names() else { return self.draft.give_up() };
        self.act(Text::Open, vec![Arg::Octet(b'{')]);
        self.draft.push_if(object.added.is_some(), Stmt::ForgetUnknown(place.clone()));
        self.lacks_no_key(object);
        let mut lacks = Vec::new();
        for order in 0..object.members.len() {
            lacks.push(self.draft.flag());
            let (one, field) = object.field(order, place);
            self.draft.push_if(!object.is_sure(order), Stmt::Clear(one, field));
        }
        let unread = self.look_at_keys(object, place);
        self.each_part(b'}', |walk, first| {
            let name = walk.draft.get(Prim::Text(Text::TakeMember), vec![Arg::Num(Num::Var(first))]);
            let at = walk.find(name, names);
            let arm = |order| {
                (order as u64, walk.block(|walk| walk.any_member(object, order, (lacks[order], &unread), place)))
            };
            let arms = (0..object.members.len()).map(arm).collect();
            let others = object.added.map(|added| {
                let args =
                    vec![Arg::Exclusive(place.clone()), Arg::Num(Num::Var(name)), Arg::Num(Num::Const(added.into()))];
                vec![Stmt::Do(Prim::Text(Text::TakeUnknown), args)]
            });
            walk.draft.because(Reason::Member);
            walk.draft.push(Stmt::Select { number: Num::Var(at), arms, others });
        });
        self.lacks_none(object, &lacks);
        if let Some(added) = object.added {
            self.act(Text::SettleUnknown, vec![Arg::Exclusive(place.clone()), Arg::Num(Num::Const(added.into()))]);
        }
    }

    /// Reads a member that has not come yet.
    fn any_member(&mut self, object: &Object<'_>, order: usize, (lacks, unread): (Var, &Unread), place: &Place) {
        let (node, (one, field)) = (object.members[order].node, object.field(order, place));
        self.draft.because(Reason::MemberTwice);
        self.draft.push(Stmt::RejectIf(Cond::Not(Box::new(Cond::Var(lacks)))));
        self.draft.push(Stmt::ClearFlag(lacks));
        self.named(one.at, |walk| {
            let content = walk.draft.present(one, &field);
            walk.value(object.component(order).type_id, node, &content);
        });
        self.has_read(node, unread);
    }

    /// Rejects an object without the components that select types of open types: no other component
    /// is looked at before them.
    fn lacks_no_key(&mut self, object: &Object<'_>) {
        for (order, member) in object.members.iter().enumerate() {
            if object.is_sure(order) && self.is_keyed(member.node) {
                let is_absent = Cond::LacksMember(object.component(order).name.clone());
                self.lacks_not(member, is_absent);
            }
        }
    }

    fn lacks_not(&mut self, member: &Member, is_absent: Cond) {
        self.named(member.component as usize, |walk| {
            walk.draft.because(Reason::Component);
            walk.draft.push(Stmt::RejectIf(is_absent));
        });
    }

    /// Whether something in a member selects types of open types.
    pub(super) fn is_keyed(&self, node: NodeId) -> bool {
        match *self.draft.layout.node(node) {
            Node::Key { .. } | Node::Json(JsonNode::Object { keyed: true, .. }) => true,
            Node::Scope { record, .. } => self.is_keyed(record),
            _ => false,
        }
    }

    /// Rejects an object that lacks a mandatory component, or one of a group of which it has others
    /// (X.680 §25.12).
    fn lacks_none(&mut self, object: &Object<'_>, lacks: &[Var]) {
        for (order, member) in object.members.iter().enumerate() {
            if member.presence != Presence::Mandatory {
                continue;
            }
            let is_lacking = Cond::Var(lacks[order]);
            let is_lacking = match object.all_groups.iter().find(|group| group.contains(&order)) {
                None => is_lacking,
                Some(group) if group.len() == 1 => continue,
                Some(group) => {
                    let has = |at| Cond::Not(Box::new(Cond::Var(lacks[at])));
                    Cond::All(vec![is_lacking, Cond::Any(group.clone().filter(|at| *at != order).map(has).collect())])
                }
            };
            self.lacks_not(member, is_lacking);
        }
    }

    /// An object with one member.
    pub(super) fn take_any_choice(&mut self, id: TypeId, alternatives: Span, added: Option<u32>, place: &Place) {
        let Kind::Choice { alternatives: types, .. } = self.draft.types.kind(id) else { return self.draft.give_up() };
        self.act(Text::Open, vec![Arg::Octet(b'{')]);
        self.draft.because(Reason::Alternative);
        self.draft.push(Stmt::RejectIf(Cond::Not(Box::new(Cond::NotBracket(b'}')))));
        let first = self.draft.flag();
        let name = self.draft.get(Prim::Text(Text::TakeMember), vec![Arg::Num(Num::Var(first))]);
        let Arg::Names(names) = self.alternative_names(id, alternatives) else { return };
        let at = self.find(name, names);
        let mut arms = Vec::new();
        for (order, one) in (0..).zip(self.draft.layout.alternatives(alternatives)) {
            let at = one.alternative as usize;
            let arm = self.block(|walk| {
                walk.named(at, |walk| {
                    let content = walk.choose(id, at, place);
                    walk.value(types[at].type_id, one.node, &content);
                });
            });
            arms.push((order, arm));
        }
        let others = added.map(|added| {
            let args =
                vec![Arg::Exclusive(place.clone()), Arg::Num(Num::Var(name)), Arg::Num(Num::Const(added.into()))];
            vec![Stmt::Do(Prim::Text(Text::TakeOther), args)]
        });
        self.draft.push(Stmt::Select { number: Num::Var(at), arms, others });
        self.act(Text::OnlyMember, Vec::new());
    }

    /// The names of alternatives, in the layout's order.
    pub(super) fn alternative_names(&mut self, id: TypeId, alternatives: Span) -> Arg {
        let Kind::Choice { alternatives: types, .. } = self.draft.types.kind(id) else {
            self.draft.give_up();
            return Arg::Names(Vec::new());
        };
        let name = |at: u32| types[at as usize].name.clone();
        let names: Vec<String> =
            self.draft.layout.alternatives(alternatives).iter().map(|one| name(one.alternative)).collect();
        if names.iter().any(|name| quoted(name).is_none()) {
            self.draft.give_up();
        }
        Arg::Names(names)
    }

    pub(super) fn take_any_list(
        &mut self,
        list_id: TypeId,
        (lower, upper): (u64, u64),
        (element, node): (TypeId, NodeId),
        place: &Place,
    ) {
        let (list, id) = (self.draft.variable(), self.draft.types.canonical(element));
        self.act(Text::Open, vec![Arg::Octet(b'[')]);
        self.draft.push(Stmt::Refill { list, place: place.clone() });
        let count = || Num::Elements(Place::variable(list));
        self.each_part(b']', |walk, first| {
            walk.act(Text::TakeComma, vec![Arg::Num(Num::Var(first))]);
            let is_full = if upper == 0 { Cond::True } else { Cond::AtLeast(count(), upper) };
            walk.draft.push_if(upper < u64::MAX, Stmt::RejectIf(is_full));
            let item = walk.draft.variable();
            let to = walk.draft.element(id, item);
            let body = walk.block(|walk| walk.value(id, node, &to));
            let element = Element { list, list_id, id, item, fewest: 0 };
            walk.draft.push(Stmt::Times { count: Num::Const(1), element, body });
        });
        self.draft.push_if(lower > 0, Stmt::RejectIf(Cond::Fewer(count(), lower)));
    }

    /// Statements for each member or element up to a bracket, with the flag that it is the first.
    pub(super) fn each_part(&mut self, bracket: u8, part: impl FnOnce(&mut Self, Var)) {
        let (first, is_first) = (self.draft.flag(), self.draft.variable());
        let body = self.block(|walk| {
            walk.draft.push(Stmt::Is(is_first, Cond::Var(first)));
            walk.draft.push(Stmt::ClearFlag(first));
            part(walk, is_first);
        });
        self.draft.push(Stmt::Loop { condition: Cond::NotBracket(bracket), body });
    }

    /// The octets of an open type, if it begins with `...`; otherwise what it is otherwise.
    pub(super) fn or_explicit(&mut self, explicit: impl FnOnce(&mut Self), otherwise: impl FnOnce(&mut Self)) {
        if !self.in_any_form() {
            return otherwise(self);
        }
        let (then, otherwise) = (self.block(explicit), self.block(otherwise));
        self.draft.push(Stmt::If { condition: Cond::HasOctets, then, otherwise: Some(otherwise) });
    }

    pub(super) fn explicit(&mut self, id: TypeId, place: &Place) {
        let digits = self.draft.get(Prim::Text(Text::TakeExplicit), Vec::new());
        fill_digits(self.draft, id, (0, u64::MAX), place, digits);
    }

    /// The octets of an open type that nothing selects.
    pub(super) fn open_digits(&mut self, id: TypeId, place: &Place) {
        if !self.in_any_form() {
            return digits(self.draft, id, (0, u64::MAX), place, DIGITS);
        }
        let args = sizes((0, u64::MAX)).into_iter().chain([Arg::Flag(true)]).collect();
        let digits = self.draft.get(Prim::Text(Text::TakeDigits), args);
        fill_digits(self.draft, id, (0, u64::MAX), place, digits);
    }

    /// Which one of some names a member has.
    pub(super) fn find(&mut self, name: Var, names: Vec<String>) -> Var {
        self.draft.get(Prim::Text(Text::FindName), vec![Arg::Num(Num::Var(name)), Arg::Names(names)])
    }
}
